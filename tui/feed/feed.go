// Package feed brings the events of a running turn to the program: text is
// merged for a short while, because the program draws for every message it
// gets, and everything else arrives at once and in order.
//
// A [Feed] runs the turn in a goroutine of its own, which ends with the turn.
// The program asks for the next batch with [Feed.Next], a command that is armed
// anew after each batch.
package feed

import (
	"context"
	"fmt"
	"sync"
	"time"

	"reverie/agent"
)

// Merge is how long text is gathered before it is delivered.
const Merge = 33 * time.Millisecond

// Feed is one running turn.
type Feed struct {
	cancel context.CancelFunc
	ended  chan struct{} // closed when run has returned

	mu     sync.Mutex // guards what follows
	events []agent.Event
	urgent bool  // something other than text waits
	err    error // of run

	some chan struct{} // holds a value when events wait
	now  chan struct{} // holds a value when urgent was set
}

// Batch is what has happened since the batch before. After one with Done set
// none follows.
type Batch struct {
	Feed   *Feed
	Events []agent.Event
	Done   bool
	Err    error // of run, with Done
}

// Start runs a turn. The context given to run ends with ctx or by [Feed.Stop].
func Start(ctx context.Context, run func(context.Context, func(agent.Event)) error) *Feed {
	ctx, cancel := context.WithCancel(ctx)
	f := &Feed{
		cancel: cancel,
		ended:  make(chan struct{}),
		some:   make(chan struct{}, 1),
		now:    make(chan struct{}, 1),
	}
	go func() {
		defer close(f.ended)
		defer cancel()
		err := safely(func() error { return run(ctx, f.emit) })
		f.mu.Lock()
		f.err = err
		f.mu.Unlock()
	}()
	return f
}

// safely turns a panic into an error: a fault in a turn must not take the
// program with it, which would leave the terminal as it is.
func safely(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("a fault of ours, please report it: %v", r)
		}
	}()
	return do()
}

// Stop asks the turn to end; its last events still arrive.
func (f *Feed) Stop() { f.cancel() }

// Wait returns when the turn has ended.
func (f *Feed) Wait() { <-f.ended }

func (f *Feed) emit(e agent.Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.merge(e) {
		f.events = append(f.events, e)
	}
	signal(f.some)
	if !isText(e) {
		f.urgent = true
		signal(f.now)
	}
}

// merge adds a piece of text to the event before it, where that is text of the
// same sort.
func (f *Feed) merge(e agent.Event) bool {
	if len(f.events) == 0 {
		return false
	}
	last := len(f.events) - 1
	switch e := e.(type) {
	case agent.TextDelta:
		if before, ok := f.events[last].(agent.TextDelta); ok {
			f.events[last] = agent.TextDelta{Text: before.Text + e.Text}
			return true
		}
	case agent.ReasoningDelta:
		if before, ok := f.events[last].(agent.ReasoningDelta); ok {
			f.events[last] = agent.ReasoningDelta{Text: before.Text + e.Text}
			return true
		}
	}
	return false
}

func isText(e agent.Event) bool {
	switch e.(type) {
	case agent.TextDelta, agent.ReasoningDelta:
		return true
	}
	return false
}

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Next waits for the next batch: until something other than text happened, the
// turn ended, or text has been gathered for [Merge].
func (f *Feed) Next() Batch {
	select {
	case <-f.some:
		f.gather()
	case <-f.ended:
	}
	return f.take()
}

func (f *Feed) gather() {
	f.mu.Lock()
	urgent := f.urgent
	f.mu.Unlock()
	if urgent {
		return
	}
	t := time.NewTimer(Merge)
	defer t.Stop()
	select {
	case <-f.now:
	case <-f.ended:
	case <-t.C:
	}
}

func (f *Feed) take() Batch {
	// Whether the turn has ended is read before the events, so that a batch
	// with Done set has all of them.
	done := false
	select {
	case <-f.ended:
		done = true
	default:
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	b := Batch{Feed: f, Events: f.events, Done: done}
	if done {
		b.Err = f.err
	}
	f.events, f.urgent = nil, false
	drain(f.some)
	drain(f.now)
	return b
}

func drain(c chan struct{}) {
	select {
	case <-c:
	default:
	}
}
