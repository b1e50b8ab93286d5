package memstore_test

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"reverie/memstore"
	"reverie/memstore/guard"
)

// The benchmarks compare the store with a raw SQLite transaction that does
// only the inserts: the same tables and settings, no checks. Both run in turn
// within one benchmark, and their times and ratio are its metrics.

// rawDB writes to a file of its own with the store's schema.
type rawDB struct {
	db              *sql.DB
	entry, revision *sql.Stmt
	n               int
}

func newRaw(b *testing.B) *rawDB {
	b.Helper()
	dir := b.TempDir()
	s := open(b, dir)
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	q := url.Values{"_txlock": {"immediate"}, "_synchronous": {"FULL"}, "_journal_mode": {"WAL"}, "_pragma": {"secure_delete(1)", "journal_size_limit(16777216)"}}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(dir, memstore.FileName)), RawQuery: q.Encode()}).String())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	r := &rawDB{db: db}
	if r.entry, err = db.Prepare("INSERT INTO entries (key, head, live, created) VALUES (?, ?, 1, ?)"); err != nil {
		b.Fatal(err)
	}
	r.revision, err = db.Prepare(`INSERT INTO revisions (seq, entry, version, op, undoes, undo, flags, updated, recorded,
		kind, writer, origin, source, description, value, sum)
		VALUES (?, ?, ?, 'remember', '', 0, 0, ?, ?, 'note', 'model', 'learned', '', '', ?, 0)`)
	if err != nil {
		b.Fatal(err)
	}
	return r
}

// insert writes entries and revisions in one transaction.
func (r *rawDB) insert(b *testing.B, keys, values []string) {
	tx, err := r.db.BeginTx(context.Background(), nil)
	if err != nil {
		b.Fatal(err)
	}
	entry, revision := tx.Stmt(r.entry), tx.Stmt(r.revision)
	now := time.Now().UnixMicro()
	for i := range keys {
		r.n++
		if _, err := entry.Exec(keys[i], r.n, now); err != nil {
			b.Fatal(err)
		}
		if _, err := revision.Exec(r.n, r.n, fmt.Sprintf("r_%012d", r.n), now, now, values[i]); err != nil {
			b.Fatal(err)
		}
	}
	if err := tx.Commit(); err != nil {
		b.Fatal(err)
	}
}

// clock adds up the time of the two sides.
type clock struct{ store, raw time.Duration }

func (c *clock) report(b *testing.B, n int) {
	b.ReportMetric(float64(c.store.Microseconds())/float64(n), "store-µs")
	b.ReportMetric(float64(c.raw.Microseconds())/float64(n), "raw-µs")
	b.ReportMetric(float64(c.store)/float64(c.raw), "ratio")
	b.ReportMetric(0, "ns/op")
}

func timed(d *time.Duration, f func()) {
	start := time.Now()
	f()
	*d += time.Since(start)
}

// fact is a text as people save them, of about 100 bytes.
func fact(i int) string {
	return fmt.Sprintf("Service %d of the gateway is deployed on Thursdays after the stand-up, with a rollback window of %d minutes.", i, i%90)
}

// warm makes what is made once in a process, such as the guard's rules.
func warm() {
	_ = guard.Check(guard.Input{Key: "a", Value: fact(1)})
}

func BenchmarkRememberOne(b *testing.B) {
	warm()
	db, raw := open(b, b.TempDir()), newRaw(b)
	var c clock
	for i := range b.N {
		key, value := fmt.Sprint("service/", i, "/deploy"), fact(i)
		timed(&c.raw, func() { raw.insert(b, []string{key}, []string{value}) })
		timed(&c.store, func() { remember(b, db, key, value) })
	}
	c.report(b, b.N)
}

func BenchmarkImport100000(b *testing.B) {
	warm()
	const n = 100_000
	keys, values := make([]string, n), make([]string, n)
	rows := make([]memstore.RememberRequest, n)
	for i := range n {
		keys[i], values[i] = fmt.Sprint("service/", i, "/deploy"), fact(i)
		rows[i] = memstore.RememberRequest{Key: keys[i], Value: values[i], Provenance: model}
	}
	var c clock
	for range b.N {
		db, raw := open(b, b.TempDir()), newRaw(b)
		timed(&c.raw, func() { raw.insert(b, keys, values) })
		timed(&c.store, func() {
			if _, err := db.RememberAll(b.Context(), rows, nil); err != nil {
				b.Fatal(err)
			}
		})
		db.Close()
		raw.db.Close()
	}
	c.report(b, b.N)
}

// large makes a store of entries with revisions each, on disk.
func large(b *testing.B, entries, revisions int) string {
	b.Helper()
	dir := b.TempDir()
	db := open(b, dir)
	for rev := range revisions {
		rows := make([]memstore.RememberRequest, entries)
		for i := range rows {
			rows[i] = memstore.RememberRequest{Key: fmt.Sprint("service/", i, "/deploy"), Value: fact(i + rev), Provenance: model}
		}
		if _, err := db.RememberAll(b.Context(), rows, nil); err != nil {
			b.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		b.Fatal(err)
	}
	return dir
}

func BenchmarkLargeStore(b *testing.B) {
	const entries = 100_000
	dir := large(b, entries, 3)
	b.Run("recall", func(b *testing.B) {
		db := open(b, dir)
		for i := 0; b.Loop(); i++ {
			if _, err := db.Recall(b.Context(), fmt.Sprint("service/", (i*7919)%entries, "/deploy")); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("open to the first recall", func(b *testing.B) {
		for b.Loop() {
			db, err := memstore.Open(b.Context(), memstore.Options{Dir: dir, Scope: memstore.Project})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := db.Recall(b.Context(), "service/4711/deploy"); err != nil {
				b.Fatal(err)
			}
			db.Close()
		}
	})
	b.Run("memory without a search index", func(b *testing.B) {
		b.ReportMetric(residentOf(b, dir), "MiB")
		b.ReportMetric(residentOf(b, b.TempDir()), "MiB-when-empty")
		b.ReportMetric(0, "ns/op")
	})
	b.Run("count", func(b *testing.B) {
		db := open(b, dir)
		for b.Loop() {
			if _, err := db.Count(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// residentOf is the memory of a process of its own that has the store open and
// has read from it.
func residentOf(b *testing.B, dir string) float64 {
	b.Helper()
	p := start(b, "read", dir, 2000)
	said := p.acks()
	if err := p.Wait(); err != nil || len(said) != 1 {
		b.Fatal(said, err, p.errs)
	}
	mib, err := strconv.ParseFloat(said[0], 64)
	if err != nil {
		b.Fatal(err)
	}
	return mib
}

// BenchmarkHistoryGrows writes one key of 10 revisions and one of 10,000 in
// turn.
func BenchmarkHistoryGrows(b *testing.B) {
	warm()
	db := open(b, b.TempDir())
	const deep = 10_000
	rows := make([]memstore.RememberRequest, deep)
	for i := range rows {
		rows[i] = memstore.RememberRequest{Key: "deep", Value: fact(i), Provenance: model}
	}
	if _, err := db.RememberAll(b.Context(), rows, nil); err != nil {
		b.Fatal(err)
	}
	var shallow, grown time.Duration
	for i := range b.N {
		// A new key every ten revisions keeps its history short.
		timed(&shallow, func() { remember(b, db, fmt.Sprint("shallow/", i/10), fact(i)) })
		timed(&grown, func() { remember(b, db, "deep", fact(i+deep)) })
	}
	b.ReportMetric(float64(shallow.Microseconds())/float64(b.N), "short-µs")
	b.ReportMetric(float64(grown.Microseconds())/float64(b.N), "long-µs")
	b.ReportMetric(float64(grown)/float64(shallow), "ratio")
	b.ReportMetric(0, "ns/op")
}
