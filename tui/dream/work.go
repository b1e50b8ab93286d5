package dream

import (
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/memstore"
	"reverie/planner"
	"reverie/tui/keys"
	"reverie/tui/pane"
)

// maxReceipts bounds how many earlier decisions are listed.
const maxReceipts = 30

// progressPause is the least time between two reports of how planning goes.
const progressPause = 100 * time.Millisecond

// task is what a job does.
type task string

const (
	planning   task = "planning"
	approving  task = "approving"
	dismissing task = "dismissing"
	undoing    task = "undoing"
)

// job is one piece of outside work. A target has at most one.
type job struct {
	task        task
	done, total int
	stop        context.CancelFunc // of planning alone
	stopped     bool
	progress    chan [2]int // the latest, closed at the end
}

type progressMsg struct {
	of      *Model
	target  *target
	job     *job
	at      [2]int
	running bool
}

type plannedMsg struct {
	of       *Model
	target   *target
	job      *job
	plan     planner.Plan
	receipts []receipt
	err      error
}

type decidedMsg struct {
	of       *Model
	target   *target
	job      *job
	receipt  memstore.Receipt
	receipts []receipt // nil where they could not be read
	err      error
}

type receiptsMsg struct {
	of       *Model
	target   *target
	receipts []receipt
	err      error
}

// open shows the plan of the target on the screen, planning where there is none.
func (m *Model) open() tea.Cmd {
	t := m.now()
	if t == nil || t.Session == nil || t.opened {
		return nil
	}
	t.opened = true
	return m.plan(true)
}

// plan makes a plan, or takes the session's where one is there that can be
// decided on and keep says so.
func (m *Model) plan(keep bool) tea.Cmd {
	t := m.now()
	if t == nil || t.Session == nil || t.job != nil {
		return nil
	}
	ctx, stop := context.WithCancel(m.cfg.Context)
	j := &job{task: planning, stop: stop, progress: make(chan [2]int, 1)}
	t.job, t.message = j, ""
	t.show(nil)
	m.unsay()
	now, session := m.cfg.Now(), t.Session
	work := func() tea.Msg {
		defer stop()
		defer close(j.progress)
		msg := plannedMsg{of: m, target: t, job: j}
		rs, err := session.Receipts(ctx, maxReceipts)
		if err != nil {
			msg.err = err
			return msg
		}
		msg.receipts = unpack(rs)
		if p, ok := session.Current(); keep && ok && !p.Expired(now) && !decidedOn(rs, p.ID) {
			msg.plan = p
			return msg
		}
		msg.plan, msg.err = session.Plan(ctx, j.report())
		return msg
	}
	return tea.Batch(work, m.follow(t, j))
}

func decidedOn(rs []memstore.Receipt, plan string) bool {
	for _, r := range rs {
		if r.ID == plan {
			return true
		}
	}
	return false
}

// report returns what planning calls with how far it is. The latest state
// replaces one that nobody has read.
func (j *job) report() func(done, total int) {
	var last time.Time
	return func(done, total int) {
		now := time.Now()
		if now.Sub(last) < progressPause {
			return
		}
		last = now
		select {
		case <-j.progress:
		default:
		}
		j.progress <- [2]int{done, total}
	}
}

// follow waits for the next report of a job.
func (m *Model) follow(t *target, j *job) tea.Cmd {
	return func() tea.Msg {
		at, ok := <-j.progress
		return progressMsg{m, t, j, at, ok}
	}
}

func (m *Model) progressed(msg progressMsg) tea.Cmd {
	if msg.of != m || !msg.running {
		return nil
	}
	msg.job.done, msg.job.total = msg.at[0], msg.at[1]
	return m.follow(msg.target, msg.job)
}

func (m *Model) planned(msg plannedMsg) {
	t := msg.target
	if msg.of != m || t.job != msg.job {
		return
	}
	t.job = nil
	if msg.receipts != nil {
		t.setReceipts(msg.receipts)
	}
	switch {
	case msg.job.stopped:
		t.message = "Planning was stopped; nothing was changed. " + m.cfg.Keys.Key(keys.Replan) + " plans anew."
	case msg.err != nil:
		t.message = "Planning failed: " + msg.err.Error() + ". " + m.cfg.Keys.Key(keys.Replan) + " tries again."
	default:
		t.show(&msg.plan)
	}
	if t == m.now() {
		m.since()
	}
}

// stopPlanning cancels planning and reports whether there was something to stop.
func (t *target) stopPlanning() bool {
	if t.job == nil || t.job.task != planning || t.job.stopped {
		return false
	}
	t.job.stopped = true
	t.job.stop()
	return true
}

// decide carries out a decision in the program's own time: closing the pane
// does not end it half-way.
func (m *Model) decide(what task, id string, do func(ctx context.Context, id string, by memstore.Writer) (memstore.Receipt, error)) tea.Cmd {
	t := m.now()
	if t.job != nil {
		return nil
	}
	j := &job{task: what}
	t.job, t.message = j, ""
	m.unsay()
	ctx, session := m.cfg.Context, t.Session
	return func() tea.Msg {
		r, err := do(ctx, id, memstore.ByUser)
		msg := decidedMsg{of: m, target: t, job: j, receipt: r, err: err}
		if rs, e := session.Receipts(ctx, maxReceipts); e == nil {
			msg.receipts = unpack(rs)
		}
		done := func() tea.Msg { return msg }
		if err != nil {
			return msg
		}
		// The conversation says it too, even if the pane was closed meanwhile.
		return tea.BatchMsg{done, pane.Send(pane.NoticeMsg{Text: Notice(r)})}
	}
}

func (m *Model) decided(msg decidedMsg) {
	t := msg.target
	if msg.of != m || t.job != msg.job {
		return
	}
	t.job = nil
	var expired *planner.ExpiredError
	recorded := msg.receipt.ID != ""
	if msg.job.task != undoing && recorded && !errors.As(msg.err, &expired) {
		t.show(nil) // it is decided on, whatever came of it
	}
	if msg.receipts != nil {
		t.setReceipts(msg.receipts)
	} else if recorded {
		t.setReceipts(replaceReceipt(t.receipts, unpack([]memstore.Receipt{msg.receipt})[0]))
	}
	if recorded {
		t.markReceipt(msg.receipt.ID)
	}
	if msg.err != nil {
		t.message = failed(msg.job.task, msg.err)
	}
	if t == m.now() {
		m.since()
	}
}

func replaceReceipt(rs []receipt, r receipt) []receipt {
	for i := range rs {
		if rs[i].ID == r.ID {
			rs[i] = r
			return rs
		}
	}
	return append([]receipt{r}, rs...)
}

// loadReceipts reads the receipts again; of several wishes at once the last one
// is done when the first is.
func (m *Model) loadReceipts(t *target) tea.Cmd {
	if t.loading || t.job != nil {
		t.again = t.loading
		return nil
	}
	t.loading, t.again = true, false
	ctx, session := m.cfg.Context, t.Session
	return func() tea.Msg {
		rs, err := session.Receipts(ctx, maxReceipts)
		return receiptsMsg{m, t, unpack(rs), err}
	}
}

func (m *Model) gotReceipts(msg receiptsMsg) tea.Cmd {
	t := msg.target
	if msg.of != m {
		return nil
	}
	t.loading = false
	if msg.err == nil && t.job == nil {
		t.setReceipts(msg.receipts)
	}
	if t.again {
		return m.loadReceipts(t)
	}
	return nil
}
