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

	chat  *chat.Model
	card  *approval.Model
	side  pane.Pane // the pane beside or over the chat, or nil
	asked asked     // the help that ? opened, which typing may close again

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
	for _, p := range append(m.sides(), m.chat, m.card) {
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
		for _, p := range m.sides() {
			if p, ok := p.(marker); ok {
				p.MarksRepeats(m.marks)
			}
		}
	case tea.ModeReportMsg:
		cmd = m.reported(msg)
	case tea.ResumeMsg:
		if m.wheelArrows {
			cmd = tea.Raw(ansi.ResetMode(ansi.DECMode(wheelMode)))
		}
	case tea.KeyPressMsg:
		cmd = m.key(msg)
	case tea.PasteMsg:
		m.typedOver(tea.Key{}, msg.Content)
		cmd = m.pass(m.focused(), msg)
	case tea.MouseWheelMsg:
		cmd = m.pass(m.at(msg.X), msg)
	case feed.Batch:
		m.questions(msg)
		cmd = m.pass(m.chat, msg)
	case pane.CommandMsg, pane.DraftMsg, pane.CloseMsg, pane.NoticeMsg:
		cmd = m.grant(msg)
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
	for _, p := range m.sides() {
		if p, ok := p.(listener); ok {
			p.Hear(msg)
		}
	}
}

// reported hears which modes the terminal has.
func (m *root) reported(msg tea.ModeReportMsg) tea.Cmd {
	switch {
	case msg.Mode == ansi.DECMode(wheelMode) && msg.Value == ansi.ModeSet:
		m.wheelArrows = true
		return tea.Raw(ansi.ResetMode(ansi.DECMode(wheelMode)))
	case msg.Mode == ansi.ModeUnicodeCore && (msg.Value == ansi.ModeReset || msg.Value == ansi.ModeSet || msg.Value == ansi.ModePermanentlySet):
		// The library's renderer switches the mode on by the same report.
		render.Graphemes(true)
		m.retheme() // what was drawn was measured the other way
	}
	return nil
}

// all passes a message on to every pane; each knows its own.
func (m *root) all(msg tea.Msg) tea.Cmd {
	cmds := []tea.Cmd{m.pass(m.chat, msg), m.pass(m.card, msg)}
	for _, p := range m.sides() {
		cmds = append(cmds, m.pass(p, msg))
	}
	return tea.Batch(cmds...)
}

// sides are the pane beside or over the chat and the one under it, as far as
// there are any.
func (m *root) sides() []pane.Pane {
	var out []pane.Pane
	for _, p := range []pane.Pane{m.side, m.asked.under} {
		if p != nil {
			out = append(out, p)
		}
	}
	return out
}

// pass gives a pane a message and does at once what it asks for.
func (m *root) pass(p pane.Pane, msg tea.Msg) tea.Cmd {
	cmds := []tea.Cmd{p.Update(msg)}
	for _, ask := range p.Asked() {
		if _, closes := ask.(pane.CloseMsg); closes && p != m.side {
			continue // it is closed already
		}
		cmds = append(cmds, m.grant(ask))
	}
	return tea.Batch(cmds...)
}

// grant does what a pane asks for.
func (m *root) grant(ask tea.Msg) tea.Cmd {
	switch ask := ask.(type) {
	case pane.CommandMsg:
		return m.command(ask)
	case pane.DraftMsg:
		m.chat.Draft(ask.Text)
		m.setFocus(onChat)
	case pane.CloseMsg:
		m.closePane()
	case pane.NoticeMsg:
		m.chat.Notice(ask.Text)
	}
	return nil
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
	m.asked.drop()
	m.replace(p)
	m.setFocus(onPane)
}

// closePane closes the pane. Where it was the help, what it stood over comes
// back.
func (m *root) closePane() {
	under := m.asked
	m.asked = asked{}
	m.replace(under.under)
	m.setFocus(under.from)
}

// replace puts a pane where another was, which ends.
func (m *root) replace(p pane.Pane) {
	if c, ok := m.side.(io.Closer); ok {
		_ = c.Close() // it only ends the pane's own reading
	}
	m.side = p
}

func (m *root) setModelOffline(name string, offline bool) {
	m.chat.SetOffline(offline)
	m.chat.Notice(fmt.Sprintf("From now on %s answers.", name))
}
