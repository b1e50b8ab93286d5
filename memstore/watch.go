package memstore

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// looks are when the watcher looks at the stream after a sign of a change in
// the folder. One commit is several signs, so the first look waits a little;
// and the signs come while a commit is written, which shows only once it is
// synced, without a further sign, so that there are later ones until something
// was found.
var looks = []time.Duration{5 * time.Millisecond, 50 * time.Millisecond, 250 * time.Millisecond, time.Second}

const (
	// pollEvery is how often a store is looked at where the system can't say
	// that a folder changed.
	pollEvery = 2 * time.Second
)

// watchers are those who want to hear of changes. While there are any, one
// goroutine follows the folder for the writes of other processes; it does
// nothing while nothing changes.
type watchers struct {
	mu     sync.Mutex
	chans  map[chan struct{}]bool
	told   int64 // the seq that everybody was told of
	stop   context.CancelFunc
	wg     sync.WaitGroup // of the goroutine, and of one that is ending
	closed bool
}

// Watch returns a channel on which a value arrives after changes; see [Store].
func (d *DB) Watch(ctx context.Context) (<-chan struct{}, error) {
	last, err := d.lastSeq(ctx)
	if err != nil {
		return nil, err
	}
	w := &d.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil, ErrClosed
	}
	ch := make(chan struct{}, 1)
	if w.chans == nil {
		w.chans = map[chan struct{}]bool{}
	}
	w.chans[ch] = true
	if len(w.chans) == 1 {
		w.told = last
		follow, cancel := context.WithCancel(context.Background())
		w.stop = cancel
		// The folder is watched from here on, not from when the goroutine
		// happens to run.
		fs := watchFolder(filepath.Dir(d.file.Path()))
		w.wg.Go(func() { d.follow(follow, fs) })
	}
	context.AfterFunc(ctx, func() { w.drop(ch) })
	return ch, nil
}

// watchFolder is nil where the system can't watch.
func watchFolder(dir string) *fsnotify.Watcher {
	fs, err := fsnotify.NewWatcher()
	if err != nil {
		return nil
	}
	if err := fs.Add(dir); err != nil {
		fs.Close()
		return nil
	}
	return fs
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

// close ends all watching and waits for the goroutine.
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

// wake tells everybody that the stream reached last, and says whether that is
// news.
func (w *watchers) wake(last int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if last <= w.told {
		return false
	}
	w.told = last
	for ch := range w.chans {
		select {
		case ch <- struct{}{}:
		default: // a value waits already and stands for this change too
		}
	}
	return true
}

// follow looks at the stream whenever the folder shows that something was
// written, until ctx ends.
func (d *DB) follow(ctx context.Context, fs *fsnotify.Watcher) {
	var events chan fsnotify.Event
	var errs chan error
	var poll <-chan time.Time
	slowly := func() {
		t := time.NewTicker(pollEvery)
		context.AfterFunc(ctx, t.Stop)
		events, errs, poll = nil, nil, t.C
	}
	if fs != nil {
		defer fs.Close()
		events, errs = fs.Events, fs.Errors
	} else {
		slowly()
	}
	name := filepath.Base(d.file.Path())
	var due <-chan time.Time
	next := 0 // of looks
	for {
		select {
		case <-ctx.Done():
			return
		case e, ok := <-events:
			if !ok {
				slowly()
			} else if strings.HasPrefix(filepath.Base(e.Name), name) && (due == nil || next > 0) {
				next, due = 0, time.After(looks[0])
			}
		case _, ok := <-errs:
			// Signs were lost, or no more will come.
			if !ok {
				slowly()
			}
			d.look(ctx)
		case <-due:
			next++
			if due = nil; !d.look(ctx) && next < len(looks) {
				due = time.After(looks[next])
			}
		case <-poll:
			d.look(ctx)
		}
	}
}

// look wakes the watchers where the stream went on, and says whether it did.
// An error here is found by the next call that reads, which has somebody to
// tell.
func (d *DB) look(ctx context.Context) bool {
	last, err := d.lastSeq(ctx)
	return err == nil && d.watch.wake(last)
}
