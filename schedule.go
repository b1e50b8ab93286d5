package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	"reverie/memstore"
	"reverie/memstore/files"
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

// keepUp runs what goes on beside a conversation until stop is called, which
// waits for what is under way: schedules, files kept in step, and the servers
// of search by meaning. Their lines come on the channel, which is never closed.
func (s *session) keepUp(ctx context.Context, a *app) (lines <-chan string, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	heard := make(chan string, 8)
	tell := func(line string) {
		select {
		case heard <- line:
		case <-ctx.Done():
		}
	}
	a.tell(tell)
	var running sync.WaitGroup
	for _, x := range s.schedulers(a, tell) {
		running.Go(func() { x.Run(ctx) })
	}
	for _, o := range s.opened {
		if o.mirror != nil {
			running.Go(func() { s.watchFiles(ctx, o, tell) })
		}
	}
	if s.index != nil {
		running.Go(func() {
			if err := s.index.Run(ctx); err != nil && ctx.Err() == nil {
				tell(fmt.Sprintf("Search by meaning stopped: %v.", err))
			}
		})
	}
	return heard, func() {
		a.tell(nil)
		cancel()
		running.Wait()
	}
}

// watchFiles keeps a memory's files in step and says what came from them.
func (s *session) watchFiles(ctx context.Context, o opened, tell func(string)) {
	err := o.mirror.Watch(ctx, func(r files.SyncReport) {
		for _, line := range syncLines(o.Scope(), r) {
			tell(line)
		}
		if n := len(r.Imported); n > len(r.FirstSeen) {
			tell(fmt.Sprintf("From the %s memory's files: %s.", o.Scope(), someOf(r.Imported)))
		}
		if len(r.Forgotten) > 0 {
			tell(fmt.Sprintf("Forgotten with their files in the %s memory: %s. undo brings them back.", o.Scope(), someOf(r.Forgotten)))
		}
	})
	if err != nil && ctx.Err() == nil {
		tell(fmt.Sprintf("The %s memory's files are not watched any more: %v.", o.Scope(), err))
	}
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
