package vector

import (
	"context"
	"errors"
	"sync"
	"time"

	"reverie/memstore"
)

// Run follows the stores until ctx ends: it catches up at once, after every
// change by this or another process, and, when a server fails, again and again
// with growing pauses up to a minute. It returns nil when ctx ended, and the
// stores' error when they can't be followed.
func (x *Index) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var watching sync.WaitGroup
	defer watching.Wait()
	defer cancel()
	changed := make(chan struct{}, 1)
	for _, s := range x.stores {
		ch, err := s.Watch(ctx)
		if err != nil {
			return err
		}
		watching.Go(func() {
			for range ch {
				select {
				case changed <- struct{}{}:
				default: // a value waits already and stands for this change too
				}
			}
			if ctx.Err() == nil {
				cancel() // the store was closed
			}
		})
	}
	// Not every file system tells of another process's writes. Where nothing
	// changed, a look costs two reads of the store.
	look := time.NewTicker(lookEvery)
	defer look.Stop()
	pause := x.firstRetry
	for {
		var retry <-chan time.Time
		switch err := x.Catchup(ctx); {
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, memstore.ErrClosed):
			return err
		case err != nil:
			retry = time.After(pause)
			pause = min(2*pause, longestRetry)
		default:
			pause = x.firstRetry
		}
		// While a server is down, changes wait for the next try.
		wake, again, tick := changed, x.again, look.C
		if retry != nil {
			wake, again, tick = nil, nil, nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-retry:
		case <-wake:
		case <-again:
		case <-tick:
		}
	}
}

const (
	firstRetry   = time.Second
	longestRetry = time.Minute
	lookEvery    = 5 * time.Second
)
