package planner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"reverie/memstore"
)

// ExpiredError says that a plan is too old to be approved.
type ExpiredError struct {
	Plan    string
	Expired time.Time
}

func (e *ExpiredError) Error() string {
	return fmt.Sprintf("plan %s expired at %s; make a new one", e.Plan, e.Expired.UTC().Format(time.RFC3339))
}

// ErrNoPlan says that the plan is not this session's: plans live in memory
// only and are replaced by the next.
var ErrNoPlan = errors.New("there is no such plan any more; make a new one")

// UnavailableError says why there is no dream here and what would change that.
type UnavailableError struct{ Reason string }

func (e *UnavailableError) Error() string { return e.Reason }

// Available returns the store as the planner needs it, or an
// [UnavailableError]. A nil store is memory that is switched off.
func Available(s memstore.Store) (memstore.Versioned, error) {
	if s == nil {
		return nil, &UnavailableError{"memory is disabled; enable memory to dream"}
	}
	v, ok := s.(memstore.Versioned)
	if !ok || !s.Capabilities().History {
		return nil, &UnavailableError{fmt.Sprintf("the %s memory keeps no history, so a plan could not be undone; use the versioned store to dream", s.Scope())}
	}
	return v, nil
}

// Session holds the present plan of one store, in memory only, until it is
// decided on, replaced, or the process ends. Its methods may be called from
// several goroutines.
type Session struct {
	planner *Planner
	store   memstore.Versioned
	now     func() time.Time

	mu   sync.Mutex
	plan *Plan
	// deciding keeps two decisions of this process from interleaving.
	deciding sync.Mutex
}

// NewSession plans for a store; now is the clock, nil for the system's.
func NewSession(p *Planner, store memstore.Versioned, now func() time.Time) *Session {
	if now == nil {
		now = time.Now
	}
	return &Session{planner: p, store: store, now: now}
}

// Plan makes a new plan of the store as it is and replaces the present one.
func (s *Session) Plan(ctx context.Context, progress func(done, total int)) (Plan, error) {
	entries, err := s.store.List(ctx, memstore.ListOptions{})
	if err != nil {
		return Plan{}, fmt.Errorf("reading the %s memory to plan: %w", s.store.Scope(), err)
	}
	p, err := s.planner.Propose(ctx, entries, Options{Scope: s.store.Scope(), Progress: progress, Now: s.now()})
	if err != nil {
		return Plan{}, err
	}
	s.mu.Lock()
	s.plan = &p
	s.mu.Unlock()
	return p, nil
}

// Current is the present plan, expired or not.
func (s *Session) Current() (Plan, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plan == nil {
		return Plan{}, false
	}
	return *s.plan, true
}

// Approve applies the whole plan. Once it expired the answer is an
// [ExpiredError], unless it was approved before: then it is that receipt.
func (s *Session) Approve(ctx context.Context, plan string, by memstore.Writer) (memstore.Receipt, error) {
	return s.decide(ctx, plan, approved, by)
}

// Dismiss records that the whole plan is not wanted. An expired plan may
// still be dismissed.
func (s *Session) Dismiss(ctx context.Context, plan string, by memstore.Writer) (memstore.Receipt, error) {
	return s.decide(ctx, plan, dismissed, by)
}

func (s *Session) decide(ctx context.Context, plan, decision string, by memstore.Writer) (memstore.Receipt, error) {
	s.deciding.Lock()
	defer s.deciding.Unlock()
	if r, err := s.store.Receipt(ctx, plan); err == nil {
		if r.Decision != decision {
			return r, &DecidedError{Plan: plan, Decision: r.Decision}
		}
		return r, nil
	} else if nf := (*memstore.NotFoundError)(nil); !errors.As(err, &nf) {
		return memstore.Receipt{}, fmt.Errorf("looking for a decision on plan %s: %w", plan, err)
	}
	p, ok := s.Current()
	if !ok || p.ID != plan {
		return memstore.Receipt{}, fmt.Errorf("plan %s: %w", plan, ErrNoPlan)
	}
	if decision == dismissed {
		return Dismiss(ctx, s.store, p, by, s.now())
	}
	if p.Expired(s.now()) {
		return memstore.Receipt{}, &ExpiredError{Plan: plan, Expired: p.Expires}
	}
	return Apply(ctx, s.store, p, by, s.now())
}

// Undo takes a receipt back; see [Undo].
func (s *Session) Undo(ctx context.Context, receipt string, by memstore.Writer) (memstore.Receipt, error) {
	s.deciding.Lock()
	defer s.deciding.Unlock()
	return Undo(ctx, s.store, receipt, by)
}

// Receipts lists the newest decisions, the schedule's too.
func (s *Session) Receipts(ctx context.Context, limit int) ([]memstore.Receipt, error) {
	return s.store.ReceiptList(ctx, limit)
}
