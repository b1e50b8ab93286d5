package memstore_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"reverie/memstore"
)

func save(t testing.TB, db *memstore.DB, key, value string) {
	t.Helper()
	if _, err := db.Remember(t.Context(), memstore.RememberRequest{Key: key, Value: value, Provenance: model}); err != nil {
		t.Error(err)
	}
}

func search(t testing.TB, db *memstore.DB, query string, limit int) []memstore.Hit {
	t.Helper()
	hits, err := db.Search(t.Context(), query, limit)
	if err != nil {
		t.Error(err)
	}
	return hits
}

func TestASearchSeesEveryWriteThatEndedBeforeIt(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	var ended atomic.Int64
	var wg sync.WaitGroup
	const writes = 60
	wg.Go(func() {
		for i := 1; i <= writes; i++ {
			save(t, db, fmt.Sprintf("n/%d", i), fmt.Sprintf("a note with word%d in it", i))
			ended.Store(int64(i))
		}
	})
	for range 2 {
		wg.Go(func() {
			for n := int64(0); n < writes; {
				if n = ended.Load(); n == 0 {
					continue
				}
				hits := search(t, db, fmt.Sprintf("word%d", n), 1)
				if len(hits) != 1 || hits[0].Entry.Key != fmt.Sprintf("n/%d", n) {
					t.Errorf("word%d finds %v", n, hits)
				}
			}
		})
	}
	wg.Wait()
}

func TestManyHitsComeBestFirstAndComplete(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	var rs []memstore.RememberRequest
	const n = 700
	for i := range n {
		rs = append(rs, memstore.RememberRequest{Key: fmt.Sprintf("n/%d", i), Provenance: model,
			Value: strings.Repeat("filler ", i%7) + "common"})
	}
	if _, err := db.RememberAll(t.Context(), rs, nil); err != nil {
		t.Fatal(err)
	}
	hits := search(t, db, "common", 0)
	if len(hits) != n {
		t.Fatalf("%d hits, want %d", len(hits), n)
	}
	seen := map[string]bool{}
	for i, h := range hits {
		if seen[h.Entry.Key] || i > 0 && h.Score > hits[i-1].Score {
			t.Errorf("hit %d, %s with score %v, comes twice or too late", i, h.Entry.Key, h.Score)
		}
		seen[h.Entry.Key] = true
	}
}

func TestAReopenedStoreFindsTheSame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	search(t, db, "the index is made here, and follows", 1)
	in := func(thread string) memstore.Provenance {
		p := model
		p.Thread, p.Turn = thread, 3
		return p
	}
	for i, thread := range []string{"", "a", `b"c\d`, "a", "ü"} {
		for j := range 4 {
			_, err := db.Remember(t.Context(), memstore.RememberRequest{Key: fmt.Sprintf("t%d/%d", i, j),
				Value: fmt.Sprintf("alpha%d beta%d gamma", i, j), Provenance: in(thread)})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	save(t, db, "t0/0", "alpha0 anew gamma")
	m, err := db.Recall(t.Context(), "t1/1")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Forget(t.Context(), memstore.ForgetRequest{Key: m.Key, Expected: m.Version, Provenance: model}); err != nil {
		t.Fatal(err)
	}
	queries := []string{"gamma", "alpha1 beta1", "anew", "beta2", "t1"}
	followed := make([][]memstore.Hit, len(queries))
	for i, q := range queries {
		followed[i] = search(t, db, q, 0)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	for i, q := range queries {
		loaded := search(t, db, q, 0)
		if len(loaded) != len(followed[i]) || len(loaded) == 0 {
			t.Fatalf("%q finds %d entries, before %d", q, len(loaded), len(followed[i]))
		}
		for k, h := range loaded {
			if was := followed[i][k]; h.Entry.Key != was.Entry.Key || h.Score != was.Score {
				t.Errorf("%q: hit %d is %s with %v, before %s with %v", q, k, h.Entry.Key, h.Score, was.Entry.Key, was.Score)
			}
		}
	}
}
