// Package dream is the pane that shows what a dream would do to a memory,
// exactly, and takes the decision on it as a whole. It also shows the receipts
// of earlier decisions, the schedule's too, and undoes them.
//
// Planning, applying and undoing are the planner's; the pane starts them in
// commands and shows how they go. A decision is one deliberate key press, never
// what a held key repeats or a paste contains.
package dream

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/memstore"
	"reverie/planner"
	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/pane"
)

// Session is what the pane needs of the planner for one memory;
// *[planner.Session] is one. It outlives the pane: a plan that is not decided
// on is shown again when the pane is opened again.
type Session interface {
	Plan(ctx context.Context, progress func(done, total int)) (planner.Plan, error)
	Current() (planner.Plan, bool)
	Approve(ctx context.Context, plan string, by memstore.Writer) (memstore.Receipt, error)
	Dismiss(ctx context.Context, plan string, by memstore.Writer) (memstore.Receipt, error)
	Undo(ctx context.Context, receipt string, by memstore.Writer) (memstore.Receipt, error)
	Receipts(ctx context.Context, limit int) ([]memstore.Receipt, error)
}

// Target is one memory that may be dreamt about.
type Target struct {
	Scope   memstore.Scope
	Session Session // nil: there is no dream here
	Why     error   // why not, and what would change that
	Count   int     // live entries, as far as known
}

// NewTarget is the target of a store, with the reason where there is no dream
// in it. A nil store is memory that is switched off, a nil planner none at all.
func NewTarget(scope memstore.Scope, store memstore.Store, p *planner.Planner, now func() time.Time) Target {
	t := Target{Scope: scope}
	if p == nil {
		t.Why = errNoPlanner
		return t
	}
	v, err := planner.Available(store)
	if err != nil {
		t.Why = err
		return t
	}
	t.Session = planner.NewSession(p, v, now)
	return t
}

var errNoPlanner = errors.New("there is no planner in this session; start a session that has one to dream")

// Config says what the pane shows and works with.
type Config struct {
	Context context.Context // of the program: ends what the pane has begun
	Theme   theme.Theme
	Keys    *keys.Map
	Now     func() time.Time
	Targets []Target
	// MarksRepeats says that the terminal tells a repeated key from a pressed one.
	MarksRepeats bool
}

// Model is the pane.
type Model struct {
	pane.Asks
	cfg     Config
	targets []*target
	at      int // the one shown
	// wait delivers a message later; a test has its own clock.
	wait func(time.Duration, func(time.Time) tea.Msg) tea.Cmd

	presses pane.Presses
	armed   string // the plan that A approves at its next press, though not all was viewed
	note    string // why a key did nothing, or what it needs

	focused bool
	hidden  bool
	ticking string // the plan whose countdown is awaited, or ""
	ticks   int    // countdowns awaited so far; older ones no longer count
}

// New returns the pane and the command that begins to plan, or shows the plan
// that is there already. How many entries the targets have may be told until
// that command has run: the pane begins with one that has some.
func New(cfg Config) (*Model, tea.Cmd) {
	m := &Model{cfg: cfg, presses: pane.Presses{Marks: cfg.MarksRepeats}, wait: tea.Tick}
	for _, t := range cfg.Targets {
		m.targets = append(m.targets, &target{Target: t})
	}
	m.at = first(m.targets)
	m.since()
	return m, pane.Send(startMsg{m})
}

// startMsg says that the pane is in its place.
type startMsg struct{ of *Model }

func (m *Model) start(msg startMsg) tea.Cmd {
	if msg.of != m {
		return nil
	}
	m.at = first(m.targets)
	return m.open()
}

// first is the target to begin with: one with memories before one without, and
// one where there is a dream before one where there is none.
func first(ts []*target) int {
	best, most := 0, -1
	for i, t := range ts {
		worth := 0
		if t.Session != nil {
			worth = 1
			if t.Count > 0 {
				worth = 2
			}
		}
		if worth > most {
			best, most = i, worth
		}
	}
	return best
}

// SetTheme changes the look.
func (m *Model) SetTheme(t theme.Theme) {
	m.cfg.Theme = t
	for _, x := range m.targets {
		clear(x.detail.drawn)
	}
}

// SetFocus says whether the pane has the keyboard.
func (m *Model) SetFocus(on bool) {
	if on && !m.focused {
		m.since()
	}
	if on != m.focused {
		m.unsay()
	}
	m.focused = on
}

// SetCount says how many live entries a scope has.
func (m *Model) SetCount(s memstore.Scope, n int) {
	for _, t := range m.targets {
		if t.Scope == s {
			t.Count = n
		}
	}
}

// Changed tells that a scope's store has changed, in this or another process:
// there may be a new receipt.
func (m *Model) Changed(s memstore.Scope) tea.Cmd {
	for _, t := range m.targets {
		if t.Scope == s && t.Session != nil && t.opened {
			return m.loadReceipts(t)
		}
	}
	return nil
}

// MarksRepeats says that the terminal tells a repeated key from a pressed one.
func (m *Model) MarksRepeats(yes bool) { m.presses.Marks = yes }

// Hear is told of every key press and paste of the program, whoever has the
// keyboard, before it is handled. A press that was not heard never decides.
func (m *Model) Hear(msg tea.Msg) { m.presses.Hear(msg, m.cfg.Now()) }

// Visible says whether the pane is drawn. While it is not, its countdown rests.
func (m *Model) Visible(yes bool) tea.Cmd {
	m.hidden = !yes
	return m.tick()
}

// Close ends what was begun and can be begun again: planning. A decision that
// was made is carried out.
func (m *Model) Close() error {
	for _, t := range m.targets {
		t.stopPlanning()
	}
	return nil
}

// Update handles keys, pastes and what came of outside work.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	return tea.Batch(m.handle(msg), m.tick())
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case startMsg:
		return m.start(msg)
	case progressMsg:
		return m.progressed(msg)
	case plannedMsg:
		m.planned(msg)
	case decidedMsg:
		m.decided(msg)
	case receiptsMsg:
		return m.gotReceipts(msg)
	case tickMsg:
		if msg.of == m && msg.n == m.ticks {
			m.ticking = ""
		}
	case pane.PressMsg:
		return m.confirm(msg)
	case tea.PasteMsg:
		m.note = "a paste never decides"
	case tea.MouseWheelMsg:
		m.wheel(msg.Button)
	case tea.KeyPressMsg:
		return m.key(msg)
	}
	return nil
}

// now is the target shown, or nil where there is none.
func (m *Model) now() *target {
	if len(m.targets) == 0 {
		return nil
	}
	return m.targets[m.at]
}

// since begins the time anew that must pass before a key press decides, because
// what it would decide on came only now.
func (m *Model) since() {
	m.presses.Anew(m.cfg.Now())
	m.armed = ""
}

// unsay takes back what was said about the last key.
func (m *Model) unsay() {
	m.presses.Drop()
	m.armed, m.note = "", ""
}

// Cursor is nowhere: nothing is typed into the pane.
func (m *Model) Cursor() *tea.Cursor { return nil }

var _ pane.Pane = (*Model)(nil)
