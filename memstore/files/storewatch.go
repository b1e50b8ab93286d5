package files

import (
	"context"
	"sync"
	"time"

	"reverie/memstore"
)

// watchers are those who want to hear of a store's changes. While there are
// any, one goroutine follows the folder.
type watchers struct {
	mu     sync.Mutex
	chans  map[chan struct{}]bool
	stop   context.CancelFunc
	wg     sync.WaitGroup
	closed bool
}

// Watch returns a channel on which a value arrives after changes by anybody;
// see memstore.Store.
func (s *Store) Watch(ctx context.Context) (<-chan struct{}, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	s.mu.Unlock()
	w := &s.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, memstore.ErrClosed
	}
	ch := make(chan struct{}, 1)
	if w.chans == nil {
		w.chans = map[chan struct{}]bool{}
	}
	w.chans[ch] = true
	if len(w.chans) == 1 {
		follow, cancel := context.WithCancel(context.Background())
		w.stop = cancel
		fs := newFolderWatch(s.dir)
		blind := fs.follow()
		w.wg.Go(func() { s.follow(follow, fs, blind) })
	}
	context.AfterFunc(ctx, func() { w.drop(ch) })
	return ch, nil
}

// drop closes one channel, and ends the goroutine after the last.
func (w *watchers) drop(ch chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.chans[ch] {
		return
	}
	delete(w.chans, ch)
	close(ch)
	if len(w.chans) == 0 {
		w.stop()
	}
}

func (w *watchers) close() {
	w.mu.Lock()
	w.closed = true
	for ch := range w.chans {
		delete(w.chans, ch)
		close(ch)
	}
	if w.stop != nil {
		w.stop()
	}
	w.mu.Unlock()
	w.wg.Wait()
}

func (w *watchers) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for ch := range w.chans {
		select {
		case ch <- struct{}{}:
		default: // a value waits already and stands for this change too
		}
	}
}

// follow looks at the folder when the system says that it changed, or from time
// to time where it can't say, until ctx ends.
func (s *Store) follow(ctx context.Context, w *folderWatch, blind bool) {
	defer w.close()
	var signs, poll <-chan time.Time
	for {
		if poll == nil && blind {
			poll = time.After(pollEvery)
		}
		ok, sign := true, true
		select {
		case <-ctx.Done():
			return
		case _, ok = <-w.events():
		case _, ok = <-w.errors():
		case <-signs:
			signs, sign = nil, false
		case <-poll:
			poll, sign = nil, false
		}
		if !ok {
			w.fs = nil // no more will come
		}
		if sign {
			if signs == nil {
				signs = time.After(debounce)
			}
			continue
		}
		blind = w.follow()
		// An error is found by the next call, which has somebody to tell.
		if s.begin(ctx) == nil {
			s.mu.Unlock()
		}
	}
}
