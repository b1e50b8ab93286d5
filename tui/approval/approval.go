// Package approval shows the questions that wait for a person and takes the
// answer. It never takes the keyboard by itself: the root gives it, when the
// person asks for it. An answer is one deliberate, fresh key press; what a held
// key repeats or a paste contains never is.
package approval

import (
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/agent"
	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/pane"
)

// How an answer is told from keys that were meant for something else.
const (
	// Settle is how long the card must have had the keyboard.
	Settle = 300 * time.Millisecond
	// A terminal that does not mark repeats sends them as presses. The same
	// key twice within this time, longer than the usual delay before a held
	// key repeats, counts as held.
	held = 750 * time.Millisecond
	// Keys closer together than this come from a paste, not from fingers.
	burst = 50 * time.Millisecond
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
	cfg     Config
	waiting []agent.Approval
	at      int // the one shown
	top     int // first row of its text shown
	rows    int // of its text, as drawn last
	room    int // for its text, as drawn last

	focused bool
	since   time.Time // of the focus
	marks   bool      // the terminal marks repeats

	presses int                  // how many keys and pastes were heard
	last    time.Time            // when the last one was
	before  time.Time            // and the one before it
	pressed map[string]time.Time // when each key was pressed before its last press
	latest  map[string]time.Time
	note    string // why a key was not taken
	pending *answer
}

// answer is a key press that counts unless another follows at once.
type answer struct {
	id       int
	decision agent.Decision
	presses  int
}

type confirmMsg struct{ answer *answer }

// New returns a card without a question.
func New(cfg Config) *Model {
	return &Model{cfg: cfg, pressed: map[string]time.Time{}, latest: map[string]time.Time{}}
}

// SetTheme changes the look.
func (m *Model) SetTheme(t theme.Theme) { m.cfg.Theme = t }

// MarksRepeats says that the terminal tells a repeated key from a pressed one.
func (m *Model) MarksRepeats(yes bool) { m.marks = yes }

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
func (m *Model) Clear() { m.waiting, m.at, m.top, m.pending, m.note = nil, 0, 0, nil, "" }

func (m *Model) index(id int) int {
	return slices.IndexFunc(m.waiting, func(a agent.Approval) bool { return a.ID == id })
}

// SetFocus says whether the card has the keyboard.
func (m *Model) SetFocus(on bool) {
	if on && !m.focused {
		m.show(0)
	}
	m.focused = on
	m.pending, m.note = nil, ""
}

// show turns to a question. Answers count only a while after it appeared.
func (m *Model) show(i int) {
	m.at, m.top, m.pending, m.note = i, 0, nil, ""
	m.since = m.cfg.Now()
}

// Hear is told of every key press and paste of the program, whoever has the
// keyboard, before it is handled.
func (m *Model) Hear(msg tea.Msg) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		k := msg.String()
		m.pressed[k] = m.latest[k]
		m.latest[k] = m.cfg.Now()
		if len(m.latest) > 500 {
			m.pressed, m.latest = map[string]time.Time{}, map[string]time.Time{k: m.cfg.Now()}
		}
	case tea.PasteMsg:
	default:
		return
	}
	m.presses++
	m.before, m.last = m.last, m.cfg.Now()
}

// Update handles keys while the card has the keyboard.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case confirmMsg:
		return m.confirm(msg.answer)
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
		return m.press(k, stroke, agent.Approve)
	case keys.Deny:
		return m.press(k, stroke, agent.Deny)
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

// press takes a key as an answer only where it can't be meant for anything
// else, and even then waits whether more keys follow, as in a paste.
func (m *Model) press(k tea.KeyPressMsg, stroke string, d agent.Decision) tea.Cmd {
	now := m.cfg.Now()
	switch {
	case k.IsRepeat, !m.marks && now.Sub(m.pressed[stroke]) < held:
		m.note = "a held key never answers: let go, and press it once"
	case now.Sub(m.since) < Settle:
		m.note = "too soon: read first, then press it once"
	case now.Sub(m.before) < burst:
		m.note = "keys came too fast to be meant: press it once more"
	default:
		a := &answer{m.waiting[m.at].ID, d, m.presses}
		m.pending = a
		return tea.Tick(burst, func(time.Time) tea.Msg { return confirmMsg{a} })
	}
	return nil
}

func (m *Model) confirm(a *answer) tea.Cmd {
	if m.pending != a {
		return nil
	}
	m.pending = nil
	if a.presses != m.presses {
		m.note = "keys came too fast to be meant: press it once more"
		return nil
	}
	m.cfg.Decide(a.id, a.decision)
	m.Remove(a.id)
	return nil
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
