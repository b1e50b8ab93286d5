package tui

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	"github.com/charmbracelet/x/ansi"

	"reverie/agent"
	"reverie/memstore"
	"reverie/theme"
	"reverie/tui/approval"
	"reverie/tui/chat"
	"reverie/tui/feed"
	"reverie/tui/keys"
	"reverie/tui/pane"
	"reverie/tui/render"
)

// root knows which pane has the keyboard and where each is drawn, and passes
// on everything else.
type root struct {
	ctx  context.Context
	cfg  Config
	keys *keys.Map

	chat *chat.Model
	card *approval.Model
	side pane.Pane // the pane beside or over the chat, or nil

	focus focus
	back  focus // where the keyboard goes from the card

	width, height int
	name          string // of the theme, or "auto"
	theme         theme.Theme
	dark, plain   bool // what the terminal said about itself
	mouse, marks  bool
	visible       bool // the pane is drawn
	wheelArrows   bool // the terminal turned the wheel into arrow keys, and we ended that
	quitting      bool
	counts        map[memstore.Scope]int // live entries
}

type focus int

const (
	onChat focus = iota
	onPane
	onCard
)

// besideWidth is how wide a terminal must be for a pane beside the chat.
const besideWidth = 110

func (m *root) build() {
	m.card = approval.New(approval.Config{
		Theme: m.theme, Keys: m.keys, Now: m.cfg.Now,
		Decide: func(id int, d agent.Decision) bool { return m.cfg.Conversation.Decide(id, d) },
	})
	m.chat = chat.New(chat.Config{
		Context: m.ctx, Conversation: m.cfg.Conversation, Theme: m.theme, Keys: m.keys,
		ProjectName: m.cfg.ProjectName, Offline: m.cfg.Offline, DataDir: m.cfg.DataDir,
		Now: m.cfg.Now, Getenv: getenv(m.cfg.Environ), History: m.cfg.History,
	})
	for _, a := range m.cfg.Conversation.Pending() {
		m.card.Add(a)
	}
	m.counts = map[memstore.Scope]int{}
}

func getenv(env []string) func(string) string {
	return func(name string) string {
		for i := len(env) - 1; i >= 0; i-- {
			if v, ok := strings.CutPrefix(env[i], name+"="); ok {
				return v
			}
		}
		return ""
	}
}

func (m *root) themeNow() (theme.Theme, error) {
	t := theme.For(m.dark, m.plain)
	if m.name != "auto" && !m.plain {
		var err error
		if t, err = m.cfg.LoadTheme(m.name); err != nil {
			return t, err
		}
	}
	t.Glyphs = m.cfg.Glyphs
	if t.Glyphs == (theme.Glyphs{}) {
		t.Glyphs = render.GlyphsFor(m.cfg.Environ)
	}
	return t, nil
}

// themed is a pane that can change its look.
type themed interface{ SetTheme(theme.Theme) }

func (m *root) retheme() {
	t, err := m.themeNow()
	if err != nil {
		m.chat.Notice("The theme stays: " + err.Error() + ".")
		return
	}
	m.theme = t
	for _, p := range []any{m.chat, m.card, m.side} {
		if p, ok := p.(themed); ok {
			p.SetTheme(t)
		}
	}
}

// Init asks the terminal about itself and begins to watch the stores.
func (m *root) Init() tea.Cmd {
	return tea.Batch(
		tea.RequestBackgroundColor,
		tea.Raw(ansi.RequestMode(ansi.DECMode(wheelMode))),
		m.watch(m.cfg.Project), m.watch(m.cfg.User), m.begin(), m.hear(),
	)
}

func (m *root) begin() tea.Cmd {
	if m.cfg.Choose {
		return pane.Send(pane.CommandMsg{Name: "threads"})
	}
	return nil
}

// wheelMode turns the wheel into arrow keys on the alternate screen, which
// would walk through the history here.
const wheelMode = 1007

// restore gives back what the library does not know that we changed.
func (m *root) restore(out io.Writer) {
	if !m.wheelArrows {
		return
	}
	if out == nil {
		out = os.Stdout
	}
	_, _ = io.WriteString(out, ansi.SetMode(ansi.DECMode(wheelMode)))
}

// Update handles what concerns the whole and routes the rest.
func (m *root) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.overhear(msg)
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tea.WindowSizeMsg:
		m.width, m.height = msg.Width, msg.Height
	case tea.BackgroundColorMsg:
		m.dark = msg.IsDark()
		m.retheme()
	case tea.ColorProfileMsg:
		m.plain = msg.Profile <= colorprofile.ASCII
		m.retheme()
	case tea.KeyboardEnhancementsMsg:
		m.marks = msg.SupportsEventTypes()
		m.card.MarksRepeats(m.marks)
		if p, ok := m.side.(marker); ok {
			p.MarksRepeats(m.marks)
		}
	case tea.ModeReportMsg:
		if msg.Mode == ansi.DECMode(wheelMode) && msg.Value == ansi.ModeSet {
			m.wheelArrows = true
			cmd = tea.Raw(ansi.ResetMode(ansi.DECMode(wheelMode)))
		}
	case tea.ResumeMsg:
		if m.wheelArrows {
			cmd = tea.Raw(ansi.ResetMode(ansi.DECMode(wheelMode)))
		}
	case tea.KeyPressMsg:
		cmd = m.key(msg)
	case tea.PasteMsg:
		cmd = m.focused().Update(msg)
	case tea.MouseWheelMsg:
		cmd = m.at(msg.X).Update(msg)
	case feed.Batch:
		m.questions(msg)
		cmd = m.chat.Update(msg)
	case pane.CommandMsg:
		cmd = m.command(msg)
	case pane.DraftMsg:
		m.chat.Draft(msg.Text)
		m.focus = onChat
	case pane.CloseMsg:
		m.closePane()
	case pane.NoticeMsg:
		m.chat.Notice(msg.Text)
	case watchMsg:
		cmd = m.watched(msg)
	case doneMsg:
		cmd = msg.then(m)
	case tea.KeyReleaseMsg, tea.MouseClickMsg, tea.MouseReleaseMsg, tea.MouseMotionMsg:
	default:
		cmd = m.all(msg)
	}
	return m, tea.Batch(cmd, m.settle())
}

// overhear tells those that answer to deliberate keys of every key.
func (m *root) overhear(msg tea.Msg) {
	m.card.Hear(msg)
	if p, ok := m.side.(listener); ok {
		p.Hear(msg)
	}
}

// all passes a message on to every pane; each knows its own.
func (m *root) all(msg tea.Msg) tea.Cmd {
	cmds := []tea.Cmd{m.chat.Update(msg), m.card.Update(msg)}
	if m.side != nil {
		cmds = append(cmds, m.side.Update(msg))
	}
	return tea.Batch(cmds...)
}

// questions keeps the card up to date with what a turn asks.
func (m *root) questions(b feed.Batch) {
	for _, e := range b.Events {
		switch e := e.(type) {
		case agent.ApprovalAsked:
			m.card.Add(e.Approval)
		case agent.ApprovalDone:
			m.card.Remove(e.ID)
		}
	}
}

// settle moves the keyboard away from what is no longer there, and tells panes
// how they stand.
func (m *root) settle() tea.Cmd {
	if m.focus == onCard && m.card.Waiting() == 0 {
		m.setFocus(m.back)
	}
	if m.focus == onPane && m.side == nil {
		m.setFocus(onChat)
	}
	m.chat.SetFocus(m.focus == onChat)
	if m.side != nil {
		m.side.SetFocus(m.focus == onPane)
	}
	visible := m.side != nil && (m.beside() || m.focus == onPane)
	if visible == m.visible {
		return nil
	}
	m.visible = visible
	if p, ok := m.side.(watcher); ok {
		return p.Visible(visible)
	}
	return nil
}

func (m *root) setFocus(f focus) {
	if f == onCard && m.focus != onCard {
		m.back = m.focus
	}
	m.focus = f
	m.card.SetFocus(f == onCard)
}

func (m *root) focused() pane.Pane {
	switch m.focus {
	case onCard:
		return m.card
	case onPane:
		if m.side != nil {
			return m.side
		}
	}
	return m.chat
}

// at is the pane drawn at a column.
func (m *root) at(x int) pane.Pane {
	if m.side != nil && (m.beside() && x > m.left() || !m.beside() && m.focus == onPane) {
		return m.side
	}
	return m.chat
}

func (m *root) openPane(p pane.Pane) {
	if c, ok := m.side.(io.Closer); ok {
		_ = c.Close() // it only ends the pane's own reading
	}
	m.side = p
	m.setFocus(onPane)
}

func (m *root) closePane() {
	if c, ok := m.side.(io.Closer); ok {
		_ = c.Close() // as above
	}
	m.side = nil
	m.setFocus(onChat)
}

// key does the keys that hold everywhere and passes on the others.
func (m *root) key(k tea.KeyPressMsg) tea.Cmd {
	if m.focus == onChat && m.chat.MidChord() {
		return m.chat.Update(k)
	}
	stroke := k.String()
	switch m.keys.Action(keys.Global, stroke) {
	case keys.Stop:
		if !k.IsRepeat && m.chat.Interrupt() {
			return m.quit()
		}
		return nil
	case keys.Quit:
		if m.focus != onChat {
			return m.focused().Update(k)
		}
		if m.chat.Empty() {
			return m.quit()
		}
		m.chat.DeleteForward()
		return nil
	case keys.Suspend:
		return m.suspend()
	case keys.Redraw:
		return tea.ClearScreen
	case keys.Focus:
		m.switchFocus()
		return nil
	case keys.Answer:
		if m.card.Waiting() > 0 {
			m.setFocus(onCard)
		}
		return nil
	case keys.Help:
		if stroke != "?" || m.idle() {
			return m.command(pane.CommandMsg{Name: "help"})
		}
	}
	if m.focus == onCard && m.keys.Action(keys.Approval, stroke) == keys.Later {
		m.setFocus(m.back)
		return nil
	}
	return m.focused().Update(k)
}

// typer is a pane into which text may be typed at the moment.
type typer interface{ Typing() bool }

// idle reports whether a printable key means no text where the keyboard is.
func (m *root) idle() bool {
	switch m.focus {
	case onChat:
		return m.chat.Empty()
	case onPane:
		t, ok := m.side.(typer)
		return !ok || !t.Typing()
	}
	return true
}

func (m *root) switchFocus() {
	switch {
	case m.focus == onCard:
		m.setFocus(m.back)
	case m.focus == onPane || m.side == nil:
		m.setFocus(onChat)
	default:
		m.setFocus(onPane)
	}
}

func (m *root) quit() tea.Cmd {
	m.quitting = true
	return tea.Quit
}

func (m *root) suspend() tea.Cmd {
	if !canSuspend() {
		m.chat.Notice("There is no shell to suspend to.")
		return nil
	}
	if !m.wheelArrows {
		return tea.Suspend
	}
	return tea.Sequence(tea.Raw(ansi.SetMode(ansi.DECMode(wheelMode))), tea.Suspend)
}

func (m *root) setModelOffline(name string, offline bool) {
	m.chat.SetOffline(offline)
	m.chat.Notice(fmt.Sprintf("From now on %s answers.", name))
}
