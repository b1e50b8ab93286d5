package files

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"reverie/memstore"
)

// watched is a running Watch.
type watched struct {
	mu      sync.Mutex
	reports []SyncReport
	stop    func()
}

func (w *world) watch() *watched {
	w.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var x watched
	var wg sync.WaitGroup
	wg.Go(func() {
		err := w.m.Watch(ctx, func(r SyncReport) {
			x.mu.Lock()
			defer x.mu.Unlock()
			x.reports = append(x.reports, r)
		})
		if err != nil {
			w.Error(err)
		}
	})
	x.stop = func() { cancel(); wg.Wait() }
	w.Cleanup(x.stop)
	return &x
}

// until waits for something to hold.
func (w *world) until(what string, holds func() bool) {
	w.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if holds() {
			return
		}
	}
	w.Errorf("after 20 seconds it does not hold that %s", what)
}

func TestARunningMirrorFollowsBothSides(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	x := w.watch()
	w.save("a", "one")
	w.until("the entry is in its file", func() bool { return strings.Contains(w.file("a.md"), "one") })
	w.put("sub/b.md", "two\n")
	w.until("a file in a new folder is an entry", func() bool { return w.value("sub/b") == "two" })
	w.put("sub/b.md", "three\n")
	w.until("an edit there is seen", func() bool { return w.value("sub/b") == "three" })
	w.delete("a.md")
	w.until("a deleted file is forgotten", func() bool { return w.value("a") == "(none)" })
	x.stop()
	w.save("c", "late")
	time.Sleep(2 * debounce)
	if exists(filepath.Join(w.dir, "c.md")) {
		t.Error("it went on after its end")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, r := range x.reports {
		if !r.Changed() {
			t.Errorf("it told of a sync that did nothing: %+v", r)
		}
	}
}

func TestAMirrorThatCanNotWatchLooksFromTimeToTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.must(os.Remove(w.dir))
	w.m.poll = 20 * time.Millisecond
	w.watch()
	time.Sleep(50 * time.Millisecond)
	w.put("a.md", "one\n")
	w.until("the folder that came later is seen", func() bool { return w.value("a") == "one" })
	w.put("b.md", "two\n")
	w.until("and then watched", func() bool { return w.value("b") == "two" })
}

func TestAnIdleMirrorDoesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("a", "one")
	w.sync()
	w.watch()
	time.Sleep(300 * time.Millisecond)
	w.m.mu.Lock()
	syncs := 0
	w.m.hooks.step = func(string) { syncs++ }
	w.m.mu.Unlock()
	time.Sleep(500 * time.Millisecond)
	w.m.mu.Lock()
	defer w.m.mu.Unlock()
	if syncs > 0 {
		t.Errorf("it made %d steps with nothing to do", syncs)
	}
}

func TestWatchingEndsWithTheStore(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, memstore.User)
	done := make(chan error, 1)
	go func() { done <- w.m.Watch(context.Background(), func(SyncReport) {}) }()
	w.until("it synced", func() bool { return exists(filepath.Join(w.dir, "MEMORY.md")) })
	w.must(w.db.Close())
	select {
	case err := <-done:
		w.must(err)
	case <-time.After(10 * time.Second):
		t.Error("it still watches")
	}
}
