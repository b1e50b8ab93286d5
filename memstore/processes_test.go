package memstore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"reverie/memstore"
)

var (
	model  = memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Learned}
	person = memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}
)

func TestTwoProcessesThatSaveAtOnceLoseNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const saves = 500
	a, b := start(t, "save", dir, saves), start(t, "save", dir, saves)
	db := open(t, dir)
	for _, p := range []*process{a, b} {
		mustHave(t, db, p.acks())
		if err := p.Wait(); err != nil {
			t.Fatal(err, p.errs)
		}
	}
	all := stream(t, db)
	if len(all) != 2*saves {
		t.Errorf("there are %d revisions, want %d", len(all), 2*saves)
	}
}

func TestEightProcessesKeepHistoriesLinearAndLoseNoUpdate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	n := 120
	if long() {
		n = 1000
	}
	db := open(t, dir)
	stop := followStream(t, db)
	var wg sync.WaitGroup
	acks := make([][]string, 8)
	for i := range acks {
		p := start(t, "mix", dir, n)
		wg.Go(func() {
			acks[i] = p.acks()
			if err := p.Wait(); err != nil {
				t.Error(err, p.errs)
			}
		})
	}
	wg.Wait()
	stop()
	acked := 0
	for _, a := range acks {
		mustHave(t, db, a)
		acked += len(a)
	}
	all := stream(t, db)
	if len(all) != acked {
		t.Errorf("%d revisions were acknowledged, the stream has %d", acked, len(all))
	}
	// Each increment was made on the one before it.
	count := 0
	for _, r := range all {
		if r.Key == "counter" {
			count++
			if want := fmt.Sprint("count ", count); r.Value != want {
				t.Fatalf("increment %d left %q", count, r.Value)
			}
		}
	}
	if count == 0 {
		t.Error("nothing was counted")
	}
	sound(t, db)
}

// followStream reads the stream while others write it, and fails the test
// where a number is missing.
func followStream(t *testing.T, db *memstore.DB) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		var seen int64
		for ctx.Err() == nil {
			next, err := db.Changes(context.Background(), seen, 50)
			if err != nil {
				t.Error(err)
				return
			}
			for _, r := range next {
				if r.Seq != seen+1 {
					t.Errorf("after %d a reader saw %d", seen, r.Seq)
				}
				seen = r.Seq
			}
			time.Sleep(time.Millisecond)
		}
	})
	return func() { cancel(); wg.Wait() }
}

func TestWhatWasAcknowledgedSurvivesAKilledProcess(t *testing.T) {
	t.Parallel()
	kills := 100
	if long() {
		kills = 300
	}
	dir := t.TempDir()
	const together = 4
	for done := 0; done < kills; done += together {
		var wg sync.WaitGroup
		acks := make([][]string, together)
		for i := range acks {
			// Half of them only save, the others do all there is.
			does, n := "save", 0
			if i%2 == 1 {
				does, n = "mix", 1_000_000
			}
			p := start(t, does, dir, n)
			wg.Go(func() {
				// The child is at work once it has acknowledged something.
				if !p.lines.Scan() {
					t.Errorf("the child wrote nothing: %s", p.errs)
					return
				}
				first := p.lines.Text()
				time.AfterFunc(time.Duration(rand.IntN(15_000))*time.Microsecond, func() { p.Process.Kill() })
				acks[i] = append(p.acks(), first)
				p.Wait()
			})
		}
		wg.Wait()
		db := open(t, dir)
		for _, a := range acks {
			mustHave(t, db, a)
		}
		sound(t, db)
		db.Close()
		if t.Failed() {
			return
		}
	}
}

// mustHave fails the test unless each acknowledged revision is in the store.
func mustHave(t *testing.T, db *memstore.DB, acks []string) {
	t.Helper()
	byKey := map[string]map[string]bool{}
	for _, a := range acks {
		key, version, ok := strings.Cut(a, " ")
		if !ok {
			continue // cut off by a kill
		}
		have := byKey[key]
		if have == nil {
			h, err := db.History(t.Context(), key)
			if err != nil {
				t.Errorf("%s was acknowledged: %v", key, err)
				return
			}
			have = map[string]bool{}
			for _, r := range h {
				have[string(r.Version)] = true
			}
			byKey[key] = have
		}
		if len(version) == len("r_aaaaaaaaaaaa") && !have[version] {
			t.Errorf("%s at %s was acknowledged and is lost", key, version)
		}
	}
}

// stream reads all of it and fails the test where a number is missing.
func stream(t *testing.T, db *memstore.DB) []memstore.Revision {
	t.Helper()
	all, err := db.Changes(t.Context(), 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range all {
		if r.Seq != int64(i+1) {
			t.Fatalf("place %d of the stream has number %d", i+1, r.Seq)
		}
	}
	return all
}

// sound checks all of a store.
func sound(t *testing.T, db *memstore.DB) {
	t.Helper()
	if report, err := db.Check(t.Context(), false); err != nil || !report.OK {
		t.Errorf("the check finds %v, %v", report.Problems, err)
	}
}

func TestAnotherProcessIsHeardBeforeTheNextSearchAnswers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	if _, err := db.Remember(t.Context(), memstore.RememberRequest{Key: "here", Value: "something of ours", Provenance: model}); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Search(t.Context(), "ours", 5); err != nil {
		t.Fatal(err)
	}
	heard, err := db.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, "save", dir, 3)
	p.acks()
	if err := p.Wait(); err != nil {
		t.Fatal(err, p.errs)
	}
	hits, err := db.Search(t.Context(), "process", 5)
	if err != nil {
		t.Fatal(err)
	}
	if len(hits) != 3 {
		t.Errorf("the search finds %d entries of the other process, want 3", len(hits))
	}
	select {
	case <-heard:
	case <-time.After(10 * time.Second):
		t.Error("the watcher heard nothing of another process")
	}
}
