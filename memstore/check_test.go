package memstore_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reverie/memstore"
)

// shape is a store on disk, and what it held.
type shape struct {
	files map[string][]byte
	held  map[memstore.Version]memstore.Revision
	marks string
	lines string
}

// shaped makes a store of some pages with all kinds of rows. With log, it is
// as a killed process leaves it: most of it only in the write-ahead log.
func shaped(t *testing.T, log bool) shape {
	t.Helper()
	dir := t.TempDir()
	db := grown(t, dir)
	for i := range 5 {
		remember(t, db, fmt.Sprint("large/", i), words(9000+i*3000))
	}
	r := memstore.Receipt{ID: "plan", Planner: "local", Decision: "approved", By: memstore.ByUser, Plan: []byte(`{"operations":[]}`), Operations: []memstore.ReceiptOperation{{ID: "1", Kind: "retire"}}}
	if _, _, err := db.OpenReceipt(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	if _, err := db.SetMark(t.Context(), "schedule", "", "yesterday"); err != nil {
		t.Fatal(err)
	}
	s := shape{files: map[string][]byte{}, held: map[memstore.Version]memstore.Revision{}}
	for _, r := range stream(t, db) {
		s.held[r.Version] = r
	}
	s.marks, s.lines = rest(t, db)
	if !log {
		db.Close()
	}
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(filepath.Join(dir, memstore.FileName+suffix))
		if err == nil {
			s.files[memstore.FileName+suffix] = b
		}
	}
	return s
}

// rest is what a store holds beside revisions.
func rest(t *testing.T, db *memstore.DB) (marks, receipts string) {
	t.Helper()
	marks, err := db.Mark(t.Context(), "schedule")
	if err != nil {
		return err.Error(), ""
	}
	rs, err := db.ReceiptList(t.Context(), 0)
	if err != nil {
		return marks, err.Error()
	}
	return marks, fmt.Sprintf("%+v", rs)
}

// put writes the files of a store into a new folder.
func (s shape) put(t *testing.T, damage func(name string, b []byte) []byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, b := range s.files {
		b = damage(name, append([]byte(nil), b...))
		if err := os.WriteFile(filepath.Join(dir, name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func options(dir string) memstore.Options {
	return memstore.Options{Dir: dir, Scope: memstore.Project}
}

// intact says how the store in dir differs from what was held; "" where it
// doesn't.
func (s shape) intact(t *testing.T, dir string) string {
	t.Helper()
	db, err := memstore.Open(t.Context(), options(dir))
	if err != nil {
		return err.Error()
	}
	defer db.Close()
	all, err := db.Changes(t.Context(), 0, 0)
	if err != nil {
		return err.Error()
	}
	if len(all) != len(s.held) {
		return fmt.Sprintf("there are %d revisions, there were %d", len(all), len(s.held))
	}
	for _, r := range all {
		if s.held[r.Version] != r {
			return fmt.Sprintf("revision %d is %+v, was %+v", r.Seq, r, s.held[r.Version])
		}
	}
	if marks, lines := rest(t, db); marks != s.marks || lines != s.lines {
		return "marks or receipts differ"
	}
	return ""
}

// subset fails the test where the recovered store holds what never was.
func (s shape) subset(t *testing.T, path string) int {
	t.Helper()
	dir := t.TempDir()
	if err := os.Rename(path, filepath.Join(dir, memstore.FileName)); err != nil {
		t.Fatal(err)
	}
	db, err := memstore.Open(t.Context(), options(dir))
	if err != nil {
		t.Errorf("the recovered store: %v", err)
		return 0
	}
	defer db.Close()
	all := stream(t, db)
	for _, r := range all {
		was := s.held[r.Version]
		if r.Op == memstore.OpPurge && was.Key == "" {
			continue // a marker in place of a lost one
		}
		if r.Key != was.Key || r.Value != was.Value || r.Forgotten != was.Forgotten || r.Provenance != was.Provenance || !r.Updated.Equal(was.Updated) {
			t.Errorf("the recovered store has %+v, there was %+v", r, was)
		}
	}
	report, err := db.Check(t.Context(), false)
	if err != nil || !report.OK {
		t.Errorf("the recovered store is not in order: %v, %v", report.Problems, err)
	}
	return len(all)
}

func TestASoundStoreIsFoundInOrder(t *testing.T) {
	t.Parallel()
	for _, log := range []bool{false, true} {
		s := shaped(t, log)
		dir := s.put(t, func(_ string, b []byte) []byte { return b })
		report, err := memstore.CheckDir(t.Context(), options(dir), true)
		if err != nil || !report.OK || report.Revisions != len(s.held) || report.Receipts != 1 {
			t.Errorf("the report is %+v, %v", report, err)
		}
		if report.Rebuilt || report.Recovered != nil {
			t.Errorf("something was repaired: %+v", report)
		}
	}
}

func TestAFlippedBitIsFoundOrChangesNothing(t *testing.T) {
	t.Parallel()
	n := 60
	if long() {
		n = 2000
	}
	for _, log := range []bool{false, true} {
		s := shaped(t, log)
		found := 0
		for range n {
			var where string
			dir := s.put(t, func(name string, b []byte) []byte {
				if log == (name == memstore.FileName+"-wal") && len(b) > 0 {
					at := rand.IntN(len(b) * 8)
					b[at/8] ^= 1 << (at % 8)
					where = fmt.Sprintf("byte %d bit %d of %s", at/8, at%8, name)
				}
				return b
			})
			before := contents(t, dir, memstore.FileName)
			report, err := memstore.CheckDir(t.Context(), options(dir), true)
			if err != nil {
				t.Errorf("%s: %v", where, err)
				continue
			}
			if report.OK {
				if differs := s.intact(t, dir); differs != "" {
					t.Errorf("%s: the check found nothing, and %s", where, differs)
				}
				continue
			}
			found++
			if report.Recovered != nil {
				s.subset(t, report.Recovered.Path)
				if !log && contents(t, dir, memstore.FileName) != before {
					t.Errorf("%s: the damaged file was changed", where)
				}
			}
		}
		if found == 0 {
			t.Errorf("of %d flipped bits none was found", n)
		}
	}
}

func contents(t *testing.T, dir, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAFlippedBitInAValueIsFoundAndTheRestRecovered(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	remember(t, db, "good", "untouched")
	remember(t, db, "hurt", "an older value")
	remember(t, db, "hurt", "the value with cinnamon in it")
	db.Close()
	path := filepath.Join(dir, memstore.FileName)
	b := []byte(strings.Replace(contents(t, dir, memstore.FileName), "cinnamon", "cinnamom", 1))
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	report, err := memstore.CheckDir(t.Context(), options(dir), false)
	if err != nil || report.OK || len(report.Keys) != 1 || report.Keys[0] != "hurt" || report.Recovered != nil {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	report, err = memstore.CheckDir(t.Context(), options(dir), true)
	if err != nil || report.Recovered == nil || len(report.Recovered.Older) != 1 || len(report.Recovered.Lost) != 0 {
		t.Fatalf("the report is %+v, %v", report, err)
	}
	if contents(t, dir, memstore.FileName) != string(b) {
		t.Error("the damaged file was changed")
	}
	if err := os.Rename(report.Recovered.Path, path); err != nil {
		t.Fatal(err)
	}
	db = open(t, dir)
	if e, err := db.Recall(t.Context(), "hurt"); err != nil || e.Value != "an older value" {
		t.Errorf("the entry is %+v, %v", e, err)
	}
	if e, err := db.Recall(t.Context(), "good"); err != nil || e.Value != "untouched" {
		t.Errorf("the other is %+v, %v", e, err)
	}
}

func TestATruncatedFileIsFoundAndWhatRemainsRecovered(t *testing.T) {
	t.Parallel()
	s := shaped(t, false)
	size := len(s.files[memstore.FileName])
	for _, keep := range []int{0, 50, 100, 4000, 4096, 4097, size / 4, size / 2, size - 4096, size - 1} {
		dir := s.put(t, func(_ string, b []byte) []byte { return b[:keep] })
		report, err := memstore.CheckDir(t.Context(), options(dir), true)
		if err != nil {
			t.Errorf("%d of %d bytes: %v", keep, size, err)
			continue
		}
		if report.OK {
			t.Errorf("%d of %d bytes: nothing was found", keep, size)
		}
		if report.Recovered != nil {
			n := s.subset(t, report.Recovered.Path)
			if keep > size-5000 && n < len(s.held)/2 {
				t.Errorf("%d of %d bytes: %d of %d revisions were recovered", keep, size, n, len(s.held))
			}
		}
	}
}

func TestAFileWhoseFirstPageIsLostIsRecovered(t *testing.T) {
	t.Parallel()
	s := shaped(t, false)
	for what, damage := range map[string]func(b []byte){
		"the magic":      func(b []byte) { copy(b, "rubbish rubbish!") },
		"the whole page": func(b []byte) { clear(b[:4096]) },
		"the schema":     func(b []byte) { clear(b[100:4096]) },
	} {
		dir := s.put(t, func(_ string, b []byte) []byte { damage(b); return b })
		report, err := memstore.CheckDir(t.Context(), options(dir), true)
		if err != nil || report.OK || report.Recovered == nil {
			t.Errorf("%s: the report is %+v, %v", what, report, err)
			continue
		}
		if n := s.subset(t, report.Recovered.Path); n != len(s.held) {
			t.Errorf("%s: %d of %d revisions were recovered", what, n, len(s.held))
		}
	}
}

func TestWhatIsDerivedIsRebuiltInPlace(t *testing.T) {
	t.Parallel()
	for what, query := range map[string]string{
		"a head":      "UPDATE entries SET head = 1 WHERE key = 'b'",
		"a live flag": "UPDATE entries SET live = 0 WHERE key = 'b'",
		"a time":      "UPDATE entries SET created = 0 WHERE key = 'b'",
	} {
		dir := t.TempDir()
		db := open(t, dir)
		remember(t, db, "a", "1")
		remember(t, db, "b", "1")
		remember(t, db, "b", "2")
		if err := memstore.Exec(t.Context(), db, query); err != nil {
			t.Fatal(err)
		}
		if _, err := db.Count(t.Context()); err != nil {
			t.Fatal(err)
		}
		report, err := db.Check(t.Context(), false)
		if err != nil || report.OK || len(report.Keys) != 1 || report.Keys[0] != "b" {
			t.Errorf("%s: the report is %+v, %v", what, report, err)
		}
		report, err = db.Check(t.Context(), true)
		if err != nil || !report.Rebuilt || report.Recovered != nil {
			t.Errorf("%s: the report is %+v, %v", what, report, err)
		}
		if report, err = db.Check(t.Context(), false); err != nil || !report.OK {
			t.Errorf("%s: after the repair the report is %+v, %v", what, report, err)
		}
		if e, err := db.Recall(t.Context(), "b"); err != nil || e.Value != "2" {
			t.Errorf("%s: the entry is %+v, %v", what, e, err)
		}
		if n, err := db.Count(t.Context()); err != nil || n != 2 {
			t.Errorf("%s: the count is %d, %v", what, n, err)
		}
		db.Close()
	}
}

func TestOurOwnRulesAreChecked(t *testing.T) {
	t.Parallel()
	for what, query := range map[string]string{
		"a hole in the stream":     "DELETE FROM revisions WHERE seq = 2",
		"a version that is double": "UPDATE revisions SET version = (SELECT version FROM revisions WHERE seq = 1) WHERE seq = 2",
		"a changed value":          "UPDATE revisions SET value = 'another' WHERE seq = 2",
		"a changed undo":           "UPDATE revisions SET undo = 3 WHERE seq = 2",
		"a revision of nothing":    "DELETE FROM entries WHERE key = 'b'",
		"a changed key":            "UPDATE entries SET key = 'c' WHERE key = 'b'",
		"a changed mark":           "UPDATE marks SET value = 'x'",
		"another table":            "CREATE TABLE more (x)",
	} {
		db := open(t, t.TempDir())
		remember(t, db, "a", "1")
		remember(t, db, "b", "1")
		remember(t, db, "b", "2")
		if _, err := db.SetMark(t.Context(), "m", "", "v"); err != nil {
			t.Fatal(err)
		}
		if err := memstore.Exec(context.Background(), db, query); err != nil {
			t.Fatal(what, err)
		}
		if report, err := db.Check(t.Context(), false); err != nil || report.OK || len(report.Problems) == 0 {
			t.Errorf("%s: the report is %+v, %v", what, report, err)
		}
		db.Close()
	}
}

func TestAFolderWithoutAMemoryIsNotChecked(t *testing.T) {
	t.Parallel()
	_, err := memstore.CheckDir(t.Context(), options(t.TempDir()), true)
	reason(t, err, "missing", memstore.FileName)
}
