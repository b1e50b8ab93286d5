package dream

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// How a decision is told from keys that were meant for something else. The
// times are those of the card of questions.
const (
	// settle is how long what is decided on must have been there, with the
	// keyboard.
	settle = 300 * time.Millisecond
	// A terminal that does not mark repeats sends them as presses. The same
	// key twice within this time, longer than the usual delay before a held
	// key repeats, counts as held.
	held = 750 * time.Millisecond
	// Keys closer together than this come from a paste, not from fingers.
	burst = 50 * time.Millisecond
)

// presses is what was heard of the keyboard.
type presses struct {
	marks  bool      // the terminal marks repeats
	since  time.Time // when what is decided on came, or the focus
	number int       // of key presses and pastes so far
	last   string    // the last key; "" after a paste
	when   time.Time // the last press or paste
	before time.Time // and the one before it
	// When each key was pressed last, and the time before that.
	latest, earlier map[string]time.Time
}

func newPresses(marks bool) presses {
	return presses{marks: marks, latest: map[string]time.Time{}, earlier: map[string]time.Time{}}
}

func (p *presses) hear(msg tea.Msg, now time.Time) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		k := msg.String()
		if len(p.latest) > 500 { // a bound; what is dropped was long ago
			clear(p.latest)
			clear(p.earlier)
		}
		p.last, p.earlier[k], p.latest[k] = k, p.latest[k], now
	case tea.PasteMsg:
		p.last = ""
	default:
		return
	}
	p.number++
	p.before, p.when = p.when, now
}

// refuse says why a press can't be meant as a decision, or "".
func (p *presses) refuse(k tea.KeyPressMsg, now time.Time) string {
	stroke := k.String()
	switch {
	case p.last != stroke:
		return "this key was not heard as it was pressed: press it once more"
	case k.IsRepeat, !p.marks && now.Sub(p.earlier[stroke]) < held:
		return "a held key never decides: let go, and press it once"
	case now.Sub(p.since) < settle:
		return "too soon: read first, then press it once"
	case now.Sub(p.before) < burst:
		return tooFast
	}
	return ""
}

const tooFast = "keys came too fast to be meant: press it once more"

// answer is a key press that counts unless another follows at once.
type answer struct {
	number int // of the press
	do     func() tea.Cmd
}

type confirmMsg struct{ answer *answer }

// press takes a key as a decision only where it can't be meant for anything
// else, and even then waits whether more keys follow, as in a paste.
func (m *Model) press(k tea.KeyPressMsg, do func() tea.Cmd) tea.Cmd {
	m.note = m.presses.refuse(k, m.cfg.Now())
	if m.note != "" {
		return nil
	}
	a := &answer{m.presses.number, do}
	m.pending = a
	return m.wait(burst, func(time.Time) tea.Msg { return confirmMsg{a} })
}

func (m *Model) confirm(a *answer) tea.Cmd {
	if a == nil || m.pending != a {
		return nil
	}
	m.pending = nil
	if a.number != m.presses.number {
		m.note = tooFast
		return nil
	}
	return a.do()
}
