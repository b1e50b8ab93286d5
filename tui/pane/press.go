package pane

import (
	"time"

	tea "charm.land/bubbletea/v2"
)

// How a decision is told from keys that were meant for something else.
const (
	// Settle is how long what is decided on must have been there, with the
	// keyboard.
	Settle = 300 * time.Millisecond
	// Held is longer than the usual delay before a held key repeats. A
	// terminal that does not mark repeats sends them as presses, so the same
	// key twice within this time counts as held.
	Held = 750 * time.Millisecond
	// Burst is how close together keys are that come from a paste, not from
	// fingers.
	Burst = 50 * time.Millisecond
)

// TooFast says why a key that others followed at once did not decide.
const TooFast = "keys came too fast to be meant: press it once more"

// Presses tells the one deliberate, fresh press of a key that decides from
// keys that are held, pasted or were meant for something else. Every key and
// paste of the program must be told to Hear before it is handled.
type Presses struct {
	// Marks says that the terminal marks repeated keys.
	Marks bool
	// Wait delivers a message later; nil: [tea.Tick]. A test has its own.
	Wait func(time.Duration, func(time.Time) tea.Msg) tea.Cmd

	since  time.Time // when what is decided on came, or the focus
	number int       // of key presses and pastes so far
	last   string    // the last key; "" after a paste
	when   time.Time // the last press or paste
	before time.Time // and the one before it
	// When each key was pressed last, and the time before that.
	latest, earlier map[string]time.Time
	pending         *press
}

// press is a key press that counts unless another follows at once.
type press struct {
	number int
	do     func() tea.Cmd
}

// PressMsg says that the moment after a press has passed.
type PressMsg struct{ of *press }

// Hear is told of every key press and paste, whoever has the keyboard.
func (p *Presses) Hear(msg tea.Msg, now time.Time) {
	switch msg := msg.(type) {
	case tea.KeyPressMsg:
		k := msg.String()
		if p.latest == nil || len(p.latest) > 500 { // a bound; what is dropped was long ago
			p.latest, p.earlier = map[string]time.Time{}, map[string]time.Time{}
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

// Anew begins the time anew that must pass before a press decides, because
// what it would decide on came only now. A press that waits is dropped.
func (p *Presses) Anew(now time.Time) {
	p.since = now
	p.Drop()
}

// Drop takes back a press that waits.
func (p *Presses) Drop() { p.pending = nil }

// Press takes a key as a decision only where it can't be meant for anything
// else, and even then waits whether more keys follow, as in a paste. It returns
// either the command that waits or why the key did not count.
func (p *Presses) Press(k tea.KeyPressMsg, now time.Time, do func() tea.Cmd) (tea.Cmd, string) {
	p.Drop()
	if why := p.refuse(k, now); why != "" {
		return nil, why
	}
	a := &press{p.number, do}
	p.pending = a
	wait := p.Wait
	if wait == nil {
		wait = tea.Tick
	}
	return wait(Burst, func(time.Time) tea.Msg { return PressMsg{a} }), ""
}

func (p *Presses) refuse(k tea.KeyPressMsg, now time.Time) string {
	stroke := k.String()
	switch {
	case p.last != stroke:
		return "this key was not heard as it was pressed: press it once more"
	case k.IsRepeat, !p.Marks && now.Sub(p.earlier[stroke]) < Held:
		return "a held key never decides: let go, and press it once"
	case now.Sub(p.since) < Settle:
		return "too soon: read first, then press it once"
	case now.Sub(p.before) < Burst:
		return TooFast
	}
	return ""
}

// Confirm does what the press was for, unless it was taken back or another key
// followed, of which it says so.
func (p *Presses) Confirm(msg PressMsg) (tea.Cmd, string) {
	a := p.pending
	if a == nil || a != msg.of {
		return nil, ""
	}
	p.pending = nil
	if a.number != p.number {
		return nil, TooFast
	}
	return a.do(), ""
}
