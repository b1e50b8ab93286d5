package files

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"reverie/memstore"
)

// many is how many files the benchmarks have.
const many = 5000

func layMany(b *testing.B, dir string) {
	b.Helper()
	then := time.Now().Add(-time.Hour)
	for i := range many {
		p := filepath.Join(dir, fmt.Sprintf("area%02d/fact-%04d.md", i%50, i))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			b.Fatal(err)
		}
		text := fmt.Sprintf("---\nname: area%02d/fact-%04d\ndescription: What is known about part %d\nkind: note\nupdated: 2026-01-02T10:00:00+00:00\n---\n\nPart %d of the service is built every night and deployed on Fridays by the team that owns area %d.\n", i%50, i, i, i, i%50)
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
		if err := os.Chtimes(p, then, then); err != nil {
			b.Fatal(err)
		}
	}
}

// scene is a store and a mirror of a folder.
func scene(b *testing.B) (*memstore.DB, *Mirror) {
	b.Helper()
	dir := filepath.Join(b.TempDir(), ".reverie", "memory")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		b.Fatal(err)
	}
	db, err := memstore.Open(b.Context(), memstore.Options{Dir: b.TempDir(), Scope: memstore.Project})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	m, err := NewMirror(b.Context(), MirrorOptions{Store: db, Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { m.Close() })
	return db, m
}

func syncOnce(b *testing.B, m *Mirror, imported, written int) {
	b.Helper()
	r, err := m.Sync(b.Context(), SyncOptions{})
	if err != nil || len(r.Imported) != imported || len(r.Written) != written || len(r.Refused) > 0 {
		b.Fatalf("%d imported, %d written, %d refused, %v", len(r.Imported), len(r.Written), len(r.Refused), err)
	}
}

// The first sync of a folder with 5,000 files and an empty store.
func BenchmarkFirstSyncOfFiles(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		_, m := scene(b)
		layMany(b, m.dir)
		b.StartTimer()
		syncOnce(b, m, many, 0)
	}
}

// The first sync of a store with 5,000 entries and an empty folder.
func BenchmarkFirstSyncOfEntries(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		db, m := scene(b)
		saveMany(b, db)
		b.StartTimer()
		syncOnce(b, m, 0, many)
	}
}

func saveMany(b *testing.B, db *memstore.DB) {
	b.Helper()
	rs := make([]memstore.RememberRequest, many)
	for i := range rs {
		rs[i] = memstore.RememberRequest{
			Key: fmt.Sprintf("area%02d/fact-%04d", i%50, i), Description: fmt.Sprintf("What is known about part %d", i),
			Value: fmt.Sprintf("Part %d of the service is built every night.", i), Provenance: model,
		}
	}
	if _, err := db.RememberAll(b.Context(), rs, nil); err != nil {
		b.Fatal(err)
	}
}

// A later sync by the same process, with nothing new.
func BenchmarkNextSync(b *testing.B) {
	_, m := scene(b)
	layMany(b, m.dir)
	syncOnce(b, m, many, 0)
	for b.Loop() {
		syncOnce(b, m, 0, 0)
	}
}

// A sync by a new process, with nothing new: opening the base included.
func BenchmarkNextSyncOfANewProcess(b *testing.B) {
	db, m := scene(b)
	layMany(b, m.dir)
	syncOnce(b, m, many, 0)
	for b.Loop() {
		next, err := NewMirror(b.Context(), MirrorOptions{Store: db, Dir: m.dir})
		if err != nil {
			b.Fatal(err)
		}
		syncOnce(b, next, 0, 0)
		next.Close()
	}
}

// A sync right after all files were written, when their times say nothing yet.
func BenchmarkNextSyncOfYoungFiles(b *testing.B) {
	db, m := scene(b)
	saveMany(b, db)
	syncOnce(b, m, 0, many)
	for b.Loop() {
		b.StopTimer()
		b.StartTimer()
		syncOnce(b, m, 0, 0)
	}
}

// The first call to a store of 5,000 files, and a later one.
func BenchmarkOpenFilesStore(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "memory")
	layMany(b, dir)
	for b.Loop() {
		s, err := Open(b.Context(), StoreOptions{Dir: dir, Scope: memstore.Project})
		if err != nil {
			b.Fatal(err)
		}
		if n, err := s.Count(b.Context()); err != nil || n != many {
			b.Fatal(n, err)
		}
		s.Close()
	}
}

func BenchmarkSearchFilesStore(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "memory")
	layMany(b, dir)
	s, err := Open(b.Context(), StoreOptions{Dir: dir, Scope: memstore.Project})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	for b.Loop() {
		if hits, err := s.Search(b.Context(), "fact 0042", 5); err != nil || len(hits) == 0 {
			b.Fatal(hits, err)
		}
	}
}
