package planner

import (
	"context"
	"fmt"
	"time"

	"reverie/memstore"
)

// lastRun is the mark under which a store keeps when its schedule last ran.
const lastRun = "planner/last-run"

// recheck is how soon a schedule looks again when a run was due and someone
// was at work.
const recheck = 5 * time.Second

// Scheduler retires exact duplicates of one store at an interval: word for
// word the same, without a model, while versions hold. The time of the last
// run is in the store, so that short sessions take turns and of several
// processes one does the work.
type Scheduler struct {
	Store memstore.Versioned
	Every time.Duration // 0 or less: never
	// Busy says that an approval or a turn is in progress; nothing is done
	// then. Nil means never busy.
	Busy func() bool
	// Report gets the receipt of every run that had something to do; nil for
	// none. It is called from Run's goroutine.
	Report func(memstore.Receipt)
	// Warn gets what went wrong; the next run tries again. Nil for none.
	Warn func(error)
	// Now and After are the clock; nil for the system's.
	Now   func() time.Time
	After func(time.Duration) <-chan time.Time
}

// Run keeps the schedule until ctx ends. Its caller owns the goroutine.
func (s *Scheduler) Run(ctx context.Context) {
	if s.Every <= 0 {
		return
	}
	after := s.After
	if after == nil {
		after = time.After
	}
	for {
		wait, err := s.Once(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			if s.Warn != nil {
				s.Warn(err)
			}
			wait = s.Every
		}
		select {
		case <-ctx.Done():
			return
		case <-after(wait):
		}
	}
}

// Once runs if it is due and nobody is busy, and returns how long to wait
// before it may be due again.
func (s *Scheduler) Once(ctx context.Context) (time.Duration, error) {
	if s.Every <= 0 {
		return 0, fmt.Errorf("the interval of a schedule is %s: it must be above zero", s.Every)
	}
	soon := min(recheck, s.Every)
	mark, wait, err := s.due(ctx)
	if err != nil || wait > 0 {
		return wait, err
	}
	if s.busy() {
		return soon, nil
	}
	entries, err := s.Store.List(ctx, memstore.ListOptions{})
	if err != nil {
		return 0, fmt.Errorf("reading the %s memory for its schedule: %w", s.Store.Scope(), err)
	}
	plan, err := (&Planner{}).Propose(ctx, entries, Options{Scope: s.Store.Scope(), Now: s.now(), ExactOnly: true})
	if err != nil {
		return 0, err
	}
	if s.busy() {
		return soon, nil
	}
	won, err := s.Store.SetMark(ctx, lastRun, mark, s.now().UTC().Format(time.RFC3339Nano))
	if err != nil {
		return 0, fmt.Errorf("noting the schedule's run of the %s memory: %w", s.Store.Scope(), err)
	}
	if !won || plan.Empty() {
		return s.Every, nil
	}
	r, _, err := open(ctx, s.Store, plan, approved, memstore.BySystem, s.now())
	if err != nil {
		return 0, err
	}
	r, err = carryOut(ctx, s.Store, plan, r, s.busy)
	if s.Report != nil {
		s.Report(r)
	}
	return s.Every, err
}

// due is the mark that a run has to replace, and how long until one is due. A
// time that can't be read or lies ahead, as after a clock was set back, is no
// reason to wait.
func (s *Scheduler) due(ctx context.Context) (string, time.Duration, error) {
	mark, err := s.Store.Mark(ctx, lastRun)
	if err != nil {
		return "", 0, fmt.Errorf("reading when the schedule of the %s memory last ran: %w", s.Store.Scope(), err)
	}
	last, err := time.Parse(time.RFC3339Nano, mark)
	now := s.now()
	if err != nil || last.After(now) {
		return mark, 0, nil
	}
	return mark, max(0, last.Add(s.Every).Sub(now)), nil
}

func (s *Scheduler) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}

func (s *Scheduler) busy() bool { return s.Busy != nil && s.Busy() }
