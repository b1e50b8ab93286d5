// Package chat is the conversation on the screen: the transcript, the prompt
// with its queue, and what is going on in the turn. It leaves approvals, panes
// and what slash commands do elsewhere to the root, which it asks by message.
package chat

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/agent"
	"reverie/memstore"
	"reverie/theme"
	"reverie/tui/editor"
	"reverie/tui/feed"
	"reverie/tui/keys"
	"reverie/tui/pane"
)

// Config says what a chat is made of.
type Config struct {
	Context      context.Context // ends what the chat has begun
	Conversation Conversation
	Theme        theme.Theme
	Keys         *keys.Map
	ProjectName  string
	Offline      bool   // no model is connected: the first screen says so
	DataDir      string // where memory stays, for the first screen
	Now          func() time.Time
	Getenv       func(string) string // for VISUAL and EDITOR
	// History are the prompts of earlier sessions, oldest first.
	History []string
}

// Model is the chat. It is used from the program's one loop only.
type Model struct {
	pane.Asks
	cfg   Config
	theme theme.Theme
	keys  *keys.Map

	script transcript
	prompt prompt

	turn    *feed.Feed          // the running turn, or nil
	sends   bool                // it sends a message, which /retry would send again
	acts    map[*feed.Feed]bool // /forget and /undo at work
	queue   queue
	status  status
	usage   map[memstore.Scope]int // how many memories each scope has
	armed   bool                   // ^C was pressed on an empty prompt
	focused bool
	beside  bool // a pane stands beside it and shows the counts
	waiting int  // questions that wait
	card    func(width, height int) []string
	carded  bool // a card was drawn last
	cursor  *tea.Cursor
}

// New returns a chat that shows the conversation so far.
func New(cfg Config) *Model {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Keys == nil {
		cfg.Keys = keys.Default()
	}
	if cfg.Context == nil {
		cfg.Context = context.Background()
	}
	m := &Model{
		cfg: cfg, theme: cfg.Theme, keys: cfg.Keys, focused: true,
		acts: map[*feed.Feed]bool{}, usage: map[memstore.Scope]int{},
	}
	m.script.init(cfg.Theme, cfg.Keys.Key(keys.Unfold))
	m.prompt.init(cfg.History)
	m.queue.editing = -1
	m.load()
	return m
}

// Go changes to another conversation, which must not be done while a turn
// runs.
func (m *Model) Go(c Conversation) {
	for f := range m.acts {
		f.Stop()
	}
	m.cfg.Conversation = c
	m.script.init(m.theme, m.keys.Key(keys.Unfold))
	m.queue = queue{editing: -1}
	m.load()
}

func (m *Model) load() {
	if m.cfg.Conversation == nil {
		return
	}
	m.status.used = m.cfg.Conversation.Used()
	for _, it := range fromHistory(m.cfg.Conversation.History()) {
		m.script.add(it)
	}
	if c, ok := m.cfg.Conversation.(interface{ ReadOnly() string }); ok && c.ReadOnly() != "" {
		m.Notice("Nothing can be sent here: " + c.ReadOnly() + ".")
	} else if c, ok := m.cfg.Conversation.(interface{ Unfinished() bool }); ok && c.Unfinished() {
		m.Notice("The last turn was broken off; /retry goes on with it.")
	}
}

// SetTheme changes the look at once.
func (m *Model) SetTheme(t theme.Theme) {
	m.theme = t
	m.script.setTheme(t)
}

// SetFocus says whether the chat has the keyboard.
func (m *Model) SetFocus(on bool) { m.focused = on }

// SetBeside says whether a pane stands beside the chat.
func (m *Model) SetBeside(on bool) {
	m.beside = on
}

// SetCard puts a question that waits between transcript and prompt. draw gives
// its lines for a width and the height there is; waiting is how many wait.
func (m *Model) SetCard(draw func(width, height int) []string, waiting int) {
	m.card, m.waiting = draw, waiting
}

// SetCount says how many memories a scope has.
func (m *Model) SetCount(s memstore.Scope, n int) { m.usage[s] = n }

// SetOffline says that another model is in use, and whether it is only rules.
func (m *Model) SetOffline(offline bool) { m.cfg.Offline = offline }

// Running reports whether a turn runs.
func (m *Model) Running() bool { return m.turn != nil }

// Empty reports whether nothing is being typed.
func (m *Model) Empty() bool { return m.prompt.edit.Empty() && m.prompt.search == nil }

// Typed is what is being typed, folded pastes opened.
func (m *Model) Typed() string { return m.prompt.edit.Text() }

// Notice shows a line that is no part of the conversation.
func (m *Model) Notice(text string) { m.script.add(&item{kind: noticeItem, text: text}) }

// Draft puts text in the prompt; what was being typed is kept in the history.
func (m *Model) Draft(text string) {
	m.prompt.keepDraft()
	m.prompt.edit.Set(text)
}

// Type puts text into the prompt as if it had been typed.
func (m *Model) Type(text string) { m.prompt.edit.Insert(text) }

// Wait returns when everything the chat has begun has ended. The context of
// the configuration must have ended before.
func (m *Model) Wait() {
	if m.turn != nil {
		m.turn.Wait()
	}
	for f := range m.acts {
		f.Wait()
	}
}

// Update handles keys, pastes and the events of turns.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case feed.Batch:
		return m.batch(msg)
	case tickMsg:
		return m.tick(msg)
	case editedMsg:
		m.edited(msg)
	case exportedMsg:
		m.exported(msg)
	case tea.PasteMsg:
		m.armed = false
		m.prompt.paste(msg.Content)
	case tea.KeyPressMsg:
		return m.key(msg)
	case tea.MouseWheelMsg:
		switch msg.Button {
		case tea.MouseWheelUp:
			m.script.scroll(-3)
		case tea.MouseWheelDown:
			m.script.scroll(3)
		}
	}
	return nil
}

// Interrupt is what ^C does: stop the turn, else clear the draft, else, the
// second time, quit.
func (m *Model) Interrupt() (quit bool) {
	switch {
	case m.prompt.search != nil:
		m.prompt.endSearch(false)
	case m.turn != nil:
		m.turn.Stop()
		m.status.stopping = true
		m.queue.held = len(m.queue.items) > 0
	case len(m.acts) > 0:
		for f := range m.acts {
			f.Stop()
		}
	case !m.prompt.edit.Empty():
		m.prompt.keepDraft()
		m.prompt.edit.Clear()
		m.queue.dropEdited()
	case m.armed:
		return true
	default:
		m.armed = true
		return false
	}
	m.armed = false
	return false
}

// DeleteForward is what ^D does where the prompt is not empty.
func (m *Model) DeleteForward() { m.prompt.edit.Delete() }

// Keys are the footer's hints.
func (m *Model) Keys() []keys.Hint {
	if m.armed {
		return m.keys.Hints(keys.Stop + "=again to quit")
	}
	if m.prompt.search != nil {
		return m.keys.Hints(keys.Search+"=older", keys.Send+"=take", keys.Latest+"=back")
	}
	var as []keys.Action
	switch {
	case m.turn != nil && m.queue.editing >= 0:
		as = append(as, keys.Send+"=put back")
	case m.turn != nil:
		as = append(as, keys.Send+"=queue")
	case m.queue.held && m.prompt.edit.Empty() && len(m.queue.items) > 0:
		as = append(as, keys.Send+"=send queued")
	default:
		as = append(as, keys.Send)
	}
	if m.waiting > 0 {
		as = append(as, keys.Answer)
	} else {
		as = append(as, keys.Newline)
	}
	if m.turn != nil {
		as = append(as, keys.Stop)
	}
	if m.beside {
		as = append(as, keys.Focus)
		return append(m.keys.Hints(as...), keys.Hint{Key: "/close"})
	}
	as = append(as, keys.PageUp)
	hints := m.keys.Hints(as...)
	if m.prompt.edit.Empty() {
		return append(hints, keys.Hint{Key: "?", Label: "help"})
	}
	return append(hints, m.keys.Hints(keys.Help)...)
}

// queue is what was sent while a turn ran.
type queue struct {
	items   []queued
	editing int  // the item that is in the prompt, or -1
	held    bool // a turn was stopped: nothing goes out until someone sends
}

type queued struct {
	text  string
	draft editor.Draft
}

// word says how the queue stands: messages wait for the turn's end, or, after
// a stop, for someone to send them.
func (q *queue) word() string {
	if q.held {
		return "held  "
	}
	return "queued"
}

func (q *queue) dropEdited() {
	if q.editing >= 0 {
		q.items = append(q.items[:q.editing], q.items[q.editing+1:]...)
		q.editing = -1
	}
}

// status is what the rule above the prompt says.
type status struct {
	doing    string // "streaming", "thinking", the name of a tool
	since    time.Time
	until    time.Time // of a wait before trying again
	reason   string
	stopping bool
	used     []agent.Ref
}

var _ pane.Pane = (*Model)(nil)
