package memstore

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"
)

func fresh(t *testing.T, dir string) *DB {
	t.Helper()
	d, err := Open(t.Context(), Options{Dir: dir, Scope: Project})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func put(t *testing.T, d *DB, key, value string) {
	t.Helper()
	_, err := d.Remember(t.Context(), RememberRequest{Key: key, Value: value, Provenance: Provenance{Writer: ByModel, Origin: Learned}})
	if err != nil {
		t.Fatal(err)
	}
}

func TestWithoutSignsFromTheSystemAStoreIsPolled(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d, other := fresh(t, dir), fresh(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	ch := make(chan struct{}, 1)
	d.watch.chans = map[chan struct{}]bool{ch: true}
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.follow(ctx, nil)
	}()
	put(t, other, "a", "1")
	select {
	case <-ch:
	case <-time.After(10 * time.Second):
		t.Error("nothing was heard")
	}
	cancel()
	<-done
}

func TestSeveralChangesMayShareOneSign(t *testing.T) {
	t.Parallel()
	d := fresh(t, t.TempDir())
	ch, err := d.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		put(t, d, "a", time.Now().String())
	}
	select {
	case <-ch:
	case <-time.After(10 * time.Second):
		t.Fatal("nothing was heard")
	}
	// Of changes before the sign was taken, no other follows.
	select {
	case <-ch:
		t.Error("a second sign came for changes that the first one stood for")
	case <-time.After(50 * time.Millisecond):
	}
}

func TestAnIdleStoreWakesNobodyAndReadsNothing(t *testing.T) {
	t.Parallel()
	d := fresh(t, t.TempDir())
	put(t, d, "a", "1")
	ch, err := d.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Recall(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Search(t.Context(), "1", 1); err != nil {
		t.Fatal(err)
	}
	select {
	case <-ch:
		t.Error("reading woke a watcher")
	case <-time.After(100 * time.Millisecond):
	}
}

// Not parallel: it looks at all goroutines.
func TestClosingAStoreEndsItsGoroutine(t *testing.T) {
	following := func() int {
		buf := make([]byte, 1<<20)
		return strings.Count(string(buf[:runtime.Stack(buf, true)]), "memstore.(*DB).follow")
	}
	before := following()
	d := fresh(t, t.TempDir())
	if _, err := d.Watch(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Watch(context.Background()); err != nil {
		t.Fatal(err)
	}
	// A goroutine shows up only once it has run, and is gone only a moment after
	// it has ended.
	settles := func(want int) (n int) {
		for range 500 {
			if n = following() - before; n == want {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		return n
	}
	if n := settles(1); n != 1 {
		t.Errorf("two watchers have %d goroutines", n)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if n := settles(0); n != 0 {
		t.Errorf("after closing there are %d", n)
	}
}
