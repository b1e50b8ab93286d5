// Package approval shows the questions that wait for a person and takes the
// answer. It never takes the keyboard by itself: the root gives it, when the
// person asks for it. An answer is one deliberate, fresh key press; what a held
// key repeats or a paste contains never is.
package approval

import (
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/agent"
	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/pane"
)

// Config says what a card is made of.
type Config struct {
	Theme theme.Theme
	Keys  *keys.Map
	Now   func() time.Time
	// Decide answers a question; it returns at once.
	Decide func(id int, d agent.Decision) bool
}

// Model is the questions that wait, oldest first.
type Model struct {
	pane.Asks
	cfg     Config
	waiting []agent.Approval
	at      int // the one shown
	top     int // first row of its text shown
	rows    int // of its text, as drawn last
	room    int // for its text, as drawn last

	focused bool
	presses pane.Presses
	note    string // why a key was not taken
	shown   int    // the question whose key and text were to be seen as drawn last, or 0
}

// New returns a card without a question.
func New(cfg Config) *Model {
	return &Model{cfg: cfg}
}

// SetTheme changes the look.
func (m *Model) SetTheme(t theme.Theme) { m.cfg.Theme = t }

// MarksRepeats says that the terminal tells a repeated key from a pressed one.
func (m *Model) MarksRepeats(yes bool) { m.presses.Marks = yes }

// Waiting is how many questions wait.
func (m *Model) Waiting() int { return len(m.waiting) }

// Add puts a question at the end.
func (m *Model) Add(a agent.Approval) {
	if i := m.index(a.ID); i >= 0 {
		m.waiting[i] = a
		return
	}
	m.waiting = append(m.waiting, a)
}

// Remove takes a question away that was answered or withdrawn. Where the
// keyboard is on another one it stays there, and the time starts anew when the
// card changes under it.
func (m *Model) Remove(id int) {
	i := m.index(id)
	if i < 0 {
		return
	}
	m.waiting = slices.Delete(m.waiting, i, i+1)
	switch {
	case i < m.at:
		m.at--
	case i == m.at:
		m.show(min(m.at, max(0, len(m.waiting)-1)))
	}
}

// Clear takes all questions away.
func (m *Model) Clear() {
	m.presses.Drop()
	m.waiting, m.at, m.top, m.note, m.shown = nil, 0, 0, "", 0
}

func (m *Model) index(id int) int {
	return slices.IndexFunc(m.waiting, func(a agent.Approval) bool { return a.ID == id })
}

// SetFocus says whether the card has the keyboard.
func (m *Model) SetFocus(on bool) {
	if on && !m.focused {
		m.show(0)
	}
	m.focused = on
	m.presses.Drop()
	m.note = ""
}

// show turns to a question. Answers count only a while after it appeared.
func (m *Model) show(i int) {
	m.at, m.top, m.note, m.shown = i, 0, "", 0
	m.presses.Anew(m.cfg.Now())
}

// Hear is told of every key press and paste of the program, whoever has the
// keyboard, before it is handled.
func (m *Model) Hear(msg tea.Msg) { m.presses.Hear(msg, m.cfg.Now()) }

// Update handles keys while the card has the keyboard.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case pane.PressMsg:
		cmd, why := m.presses.Confirm(msg)
		if why != "" {
			m.note = why
		}
		return cmd
	case tea.PasteMsg:
		m.note = "a paste never answers"
	case tea.KeyPressMsg:
		return m.key(msg)
	}
	return nil
}

func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	if len(m.waiting) == 0 {
		return nil
	}
	m.note = ""
	stroke := k.String()
	switch m.cfg.Keys.Action(keys.Approval, stroke) {
	case keys.Approve:
		return m.approve(k)
	case keys.Deny:
		return m.press(k, agent.Deny)
	case keys.ScrollDown:
		m.scroll(1)
	case keys.ScrollUp:
		m.scroll(-1)
	case keys.NextAsked:
		m.show((m.at + 1) % len(m.waiting))
	default:
		switch m.cfg.Keys.Action(keys.Global, stroke) {
		case keys.PageDown:
			m.scroll(max(1, m.room-1))
		case keys.PageUp:
			m.scroll(-max(1, m.room-1))
		}
	}
	return nil
}

func (m *Model) scroll(n int) { m.top = max(0, min(m.top+n, m.rows-m.room)) }

// approve approves what was to be seen. Where the key or the text had no room,
// nobody can have read what they would approve.
func (m *Model) approve(k tea.KeyPressMsg) tea.Cmd {
	if m.shown != m.waiting[m.at].ID {
		m.note = fmt.Sprintf("no room to read it: /approve %d", m.waiting[m.at].ID)
		return nil
	}
	return m.press(k, agent.Approve)
}

func (m *Model) press(k tea.KeyPressMsg, d agent.Decision) tea.Cmd {
	id := m.waiting[m.at].ID
	cmd, why := m.presses.Press(k, m.cfg.Now(), func() tea.Cmd {
		m.cfg.Decide(id, d)
		m.Remove(id)
		return nil
	})
	m.note = why
	return cmd
}

// Cursor is nowhere: nothing is typed into a card.
func (m *Model) Cursor() *tea.Cursor { return nil }

// Keys are the footer's hints.
func (m *Model) Keys() []keys.Hint {
	as := []keys.Action{keys.Approve, keys.Deny, keys.Later}
	if m.rows > m.room {
		as = append(as, keys.ScrollDown)
	}
	if len(m.waiting) > 1 {
		as = append(as, keys.NextAsked)
	}
	return m.cfg.Keys.Hints(as...)
}

var _ pane.Pane = (*Model)(nil)
