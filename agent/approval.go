package agent

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"reverie/memstore"
)

// approvals holds the questions that wait for a person. A question belongs to
// the goroutine that asked it: only that one emits events about it, and Decide
// merely leaves the answer.
type approvals struct {
	now func() time.Time

	mu      sync.Mutex
	last    int
	waiting []*question
	session map[string]bool // tools that are not asked for again
}

// question is one approval that waits. ring is shared by the questions of one
// asker and is rung, without blocking, by each decision on one of them.
type question struct {
	Approval
	store    memstore.Store
	ring     chan struct{}
	decision Decision // "" while it waits
	reason   string
	said     bool // ApprovalDone was emitted
}

func newApprovals(now func() time.Time) *approvals {
	return &approvals{now: now, session: map[string]bool{}}
}

// allowed says whether the person approved a tool for the whole session.
func (a *approvals) allowed(tool string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.session[tool]
}

// add puts a question before the person and returns at once.
func (a *approvals) add(q *question) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last++
	q.ID = a.last
	q.Asked = a.now()
	a.waiting = append(a.waiting, q)
}

func (a *approvals) decide(id int, d Decision) bool {
	if d != Approve && d != ApproveSession && d != Deny && d != Unasked {
		return false
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.waiting, func(q *question) bool { return q.ID == id })
	if i < 0 {
		return false
	}
	q := a.waiting[i]
	if d == ApproveSession {
		a.session[q.Tool] = true
	}
	a.settle(i, d, "")
	return true
}

// settle ends the question at place i of those that wait.
func (a *approvals) settle(i int, d Decision, reason string) {
	q := a.waiting[i]
	a.waiting = slices.Delete(a.waiting, i, i+1)
	q.decision, q.reason = d, reason
	select {
	case q.ring <- struct{}{}:
	default: // rung already, and not yet heard
	}
}

// withdraw ends a question that is moot, unless it was answered already.
func (a *approvals) withdraw(q *question, changed, reason string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if i := slices.Index(a.waiting, q); i >= 0 {
		q.Changed = changed
		a.settle(i, Withdrawn, reason)
	}
}

func (a *approvals) pending() []Approval {
	a.mu.Lock()
	defer a.mu.Unlock()
	out := make([]Approval, len(a.waiting))
	for i, q := range a.waiting {
		out[i] = q.Approval
	}
	return out
}

// answer is the decision on q, "" while it waits.
func (a *approvals) answer(q *question) Decision {
	a.mu.Lock()
	defer a.mu.Unlock()
	return q.decision
}

// round is the questions of one asker: of the tool calls of one answer, or of
// one act of a person.
type round struct {
	asks *approvals
	emit func(Event)
	ring chan struct{}
	all  []*question
}

func newRound(a *approvals, emit func(Event)) *round {
	return &round{asks: a, emit: emit, ring: make(chan struct{}, 1)}
}

// ask puts a question before the person and goes on without an answer.
func (r *round) ask(p Approval, store memstore.Store) *question {
	q := &question{Approval: p, store: store, ring: r.ring}
	r.asks.add(q)
	r.all = append(r.all, q)
	r.emit(ApprovalAsked{Approval: q.Approval})
	return q
}

// wait blocks until q is decided. It ends q as withdrawn when ctx ends, and
// when the entry that the question is about is no longer at the version that
// was asked about.
func (r *round) wait(ctx context.Context, q *question) Decision {
	watchCtx, stop := context.WithCancel(ctx)
	defer stop()
	changes, err := q.store.Watch(watchCtx)
	if err != nil {
		changes = nil // the version is checked again when the answer is carried out
	}
	for {
		r.announce()
		if d := r.asks.answer(q); d != "" {
			return d
		}
		if why := changedSince(ctx, q); why != "" {
			r.asks.withdraw(q, why, why)
			continue
		}
		select {
		case <-r.ring:
		case <-ctx.Done():
			r.asks.withdraw(q, "", "the turn was stopped")
		case _, ok := <-changes:
			if !ok {
				changes = nil
			}
		}
	}
}

// announce emits ApprovalDone for each question that was decided since.
func (r *round) announce() {
	for _, q := range r.all {
		r.asks.mu.Lock()
		done := q.decision != "" && !q.said
		e := ApprovalDone{ID: q.ID, Decision: q.decision, Reason: q.reason}
		if done {
			q.said = true
		}
		r.asks.mu.Unlock()
		if done {
			r.emit(e)
		}
	}
}

// end withdraws what still waits when the asker is through.
func (r *round) end(reason string) {
	for _, q := range r.all {
		r.asks.withdraw(q, "", reason)
	}
	r.announce()
}

// changedSince says how the entry of a question differs from what was asked
// about, or "".
func changedSince(ctx context.Context, q *question) string {
	now, err := current(ctx, q.store, q.Key)
	if err != nil || now.Version == q.Entry.Version {
		return ""
	}
	if now.Version == "" || now.Forgotten {
		return fmt.Sprintf("%s is not there any more", q.Key)
	}
	return fmt.Sprintf("%s changed while the question waited: it is at version %s by %s now", q.Key, now.Version, now.Provenance.Writer)
}
