package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"reverie/memstore"
	"reverie/planner"
	"reverie/tui/dream"
)

// schedulers are those that the settings switch on; tell gets a line for each
// run that changed something or went wrong.
func (s *session) schedulers(a *app, tell func(string)) []*planner.Scheduler {
	var all []*planner.Scheduler
	for _, x := range []struct {
		store memstore.Store
		every time.Duration
	}{
		{s.project, s.st.interval("memory.consolidate_interval")},
		{s.user, s.st.interval("user_model.consolidate_interval")},
	} {
		v, err := planner.Available(x.store)
		if x.every <= 0 || err != nil {
			continue
		}
		all = append(all, &planner.Scheduler{
			Store: v, Every: x.every, Now: a.now,
			Busy: func() bool { return s.talk.current().Busy() },
			Report: func(r memstore.Receipt) {
				if line := dream.Scheduled(r); line != "" {
					tell(line)
				}
			},
			Warn: func(err error) { tell(fmt.Sprintf("The schedule of the %s memory failed: %v.", v.Scope(), err)) },
		})
	}
	return all
}

// keepSchedules runs the schedules until stop is called, which waits for what
// is under way. Their lines come on the channel, which is never closed.
func (s *session) keepSchedules(ctx context.Context, a *app) (lines <-chan string, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	said := make(chan string, 8)
	var running sync.WaitGroup
	for _, x := range s.schedulers(a, func(line string) {
		select {
		case said <- line:
		case <-ctx.Done():
		}
	}) {
		running.Go(func() { x.Run(ctx) })
	}
	return said, func() { cancel(); running.Wait() }
}

// scheduleOnce runs the schedules that are due, for a session of one turn.
func (s *session) scheduleOnce(ctx context.Context, a *app) error {
	for _, x := range s.schedulers(a, func(line string) { a.say("reverie: %s", line) }) {
		if _, err := x.Once(ctx); err != nil {
			return err
		}
	}
	return nil
}
