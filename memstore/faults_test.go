package memstore_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reverie/memstore"
)

// reason fails the test unless err is a StateError with this reason that names
// the file.
func reason(t *testing.T, err error, want, path string) {
	t.Helper()
	var state *memstore.StateError
	if !errors.As(err, &state) || state.Reason != want {
		t.Errorf("the error is %v, want a state error: %s", err, want)
		return
	}
	if !strings.Contains(err.Error(), path) || state.Advice == "" {
		t.Errorf("the error %q does not name %s or says not what to do", err, path)
	}
}

func tryOpen(t *testing.T, dir string) (*memstore.DB, []string, error) {
	t.Helper()
	var warnings []string
	db, err := memstore.Open(t.Context(), memstore.Options{Dir: dir, Scope: memstore.Project, Warn: func(s string) { warnings = append(warnings, s) }})
	if err == nil {
		t.Cleanup(func() { db.Close() })
	}
	return db, warnings, err
}

// made makes a store with something in it and closes it.
func made(t *testing.T, dir string) {
	t.Helper()
	db := open(t, dir)
	remember(t, db, "a", "the value of a")
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestAFullDiskIsSaidAndLosesNothing(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	remember(t, db, "kept", "what was there before")
	if err := memstore.Exec(t.Context(), db, "PRAGMA max_page_count = 40"); err != nil {
		t.Fatal(err)
	}
	var err error
	saved := 0
	for i := 0; err == nil && i < 100; i++ {
		_, err = db.Remember(t.Context(), memstore.RememberRequest{Key: fmt.Sprint("k", i), Value: words(20_000), Provenance: model})
		if err == nil {
			saved++
		}
	}
	reason(t, err, "full", db.Location())
	if n := len(stream(t, db)); n != saved+1 {
		t.Errorf("there are %d revisions, %d were acknowledged", n, saved+1)
	}
	if e, err := db.Recall(t.Context(), "kept"); err != nil || e.Value != "what was there before" {
		t.Errorf("the entry is %+v, %v", e, err)
	}
	if err := memstore.Exec(t.Context(), db, "PRAGMA max_page_count = 100000"); err != nil {
		t.Fatal(err)
	}
	remember(t, db, "after", "there is space again")
	sound(t, db)
}

func words(n int) string { return strings.Repeat("word ", n/5) }

func TestAFileThatIsReadOnlyCanBeReadAndSaysWhyItIsNotWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	made(t, dir)
	if err := os.Chmod(filepath.Join(dir, memstore.FileName), 0o400); err != nil {
		t.Fatal(err)
	}
	db, _, err := tryOpen(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := db.Recall(t.Context(), "a"); err != nil || e.Value != "the value of a" {
		t.Errorf("the entry is %+v, %v", e, err)
	}
	if hits, err := db.Search(t.Context(), "value", 3); err != nil || len(hits) != 1 {
		t.Errorf("the search finds %v, %v", hits, err)
	}
	_, err = db.Remember(t.Context(), memstore.RememberRequest{Key: "b", Value: "1", Provenance: model})
	reason(t, err, "read-only", dir)
	reason(t, db.Writable(), "read-only", dir)
}

func TestAStoreThatIsDeletedWhileOpenSaysSo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	remember(t, db, "a", "1")
	for _, f := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(dir, memstore.FileName+f)); err != nil {
			t.Fatal(err)
		}
	}
	_, err := db.Remember(t.Context(), memstore.RememberRequest{Key: "b", Value: "1", Provenance: model})
	reason(t, err, "missing", dir)
	_, err = db.Recall(t.Context(), "a")
	reason(t, err, "missing", dir)
	// Another one in its place is not written to either.
	made(t, dir)
	_, err = db.Remember(t.Context(), memstore.RememberRequest{Key: "b", Value: "1", Provenance: model})
	reason(t, err, "missing", dir)
}

func TestAClockThatJumpsBackChangesNoOrder(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	db, err := memstore.Open(t.Context(), memstore.Options{Dir: t.TempDir(), Scope: memstore.Project, Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for i, jump := range []time.Duration{0, -time.Hour, -365 * 24 * time.Hour, 2 * 365 * 24 * time.Hour} {
		now = now.Add(jump)
		e := remember(t, db, "a", fmt.Sprint(i))
		if !e.Updated.Equal(now) {
			t.Errorf("save %d is of %v, want %v", i, e.Updated, now)
		}
	}
	now = now.Add(-10 * 365 * 24 * time.Hour)
	h, err := db.History(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range h {
		if want := fmt.Sprint(len(h) - 1 - i); r.Value != want {
			t.Errorf("place %d of the history is %q, want %q", i, r.Value, want)
		}
	}
	m, err := db.Undo(t.Context(), memstore.UndoRequest{Key: "a", Expected: h[0].Version, Provenance: person})
	if err != nil || m.Entry.Value != "2" {
		t.Errorf("undo leaves %+v, %v", m.Entry, err)
	}
}

func TestASymbolicLinkInPlaceOfTheFileOrItsFolderIsRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"memory.db", "memory.db-wal", "memory.db-shm", "memory.db-journal"} {
		dir := t.TempDir()
		target := filepath.Join(t.TempDir(), "elsewhere")
		if err := os.WriteFile(target, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip("no symbolic links here:", err)
		}
		_, _, err := tryOpen(t, dir)
		reason(t, err, "symlink", filepath.Join(dir, name))
		if b, err := os.ReadFile(target); err != nil || string(b) != "precious" {
			t.Errorf("the target has %q, %v", b, err)
		}
	}
	link := filepath.Join(t.TempDir(), "store")
	if err := os.Symlink(t.TempDir(), link); err != nil {
		t.Fatal(err)
	}
	_, _, err := tryOpen(t, link)
	reason(t, err, "symlink", link)
}

func TestWidePermissionsAreMendedWithAWarning(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "new", "store")
	made(t, dir)
	path := filepath.Join(dir, memstore.FileName)
	for p, want := range map[string]os.FileMode{dir: 0o700, filepath.Dir(dir): 0o700, path: 0o600, filepath.Join(dir, ".gitignore"): 0o600} {
		if fi, err := os.Stat(p); err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v; want %v", p, fi.Mode().Perm(), err, want)
		}
	}
	if err := errors.Join(os.Chmod(dir, 0o755), os.Chmod(path, 0o644)); err != nil {
		t.Fatal(err)
	}
	_, warnings, err := tryOpen(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(warnings) != 2 {
		t.Errorf("the warnings are %q, want two", warnings)
	}
	for p, want := range map[string]os.FileMode{dir: 0o700, path: 0o600} {
		if fi, err := os.Stat(p); err != nil || fi.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v; want %v", p, fi.Mode().Perm(), err, want)
		}
	}
}

func TestADatabaseIsLeftOutOfRepositories(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "store")
	made(t, dir)
	if b, err := os.ReadFile(filepath.Join(dir, ".gitignore")); err != nil || string(b) != "*\n" {
		t.Errorf("the .gitignore has %q, %v", b, err)
	}
	// In a folder that has other things, only the database is left out.
	mixed := t.TempDir()
	if err := os.WriteFile(filepath.Join(mixed, "main.go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	made(t, mixed)
	if b, err := os.ReadFile(filepath.Join(mixed, ".gitignore")); err != nil || string(b) != "/memory.db*\n" {
		t.Errorf("the .gitignore has %q, %v", b, err)
	}
}

func TestADirectoryInPlaceOfTheFileIsSaid(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, memstore.FileName), 0o700); err != nil {
		t.Fatal(err)
	}
	_, _, err := tryOpen(t, dir)
	reason(t, err, "directory", dir)
}

func TestWhatIsNoDatabaseIsDamagedAndLeftAsItIs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, memstore.FileName)
	text := strings.Repeat("this is no database. ", 500)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	_, _, err := tryOpen(t, dir)
	reason(t, err, "damaged", path)
	if b, err := os.ReadFile(path); err != nil || string(b) != text {
		t.Errorf("the file was changed, or %v", err)
	}
}

func TestANewerSchemaIsReadAndNotWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	running := open(t, dir)
	remember(t, running, "a", "1")
	if err := memstore.Exec(t.Context(), running, "PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	// Who has it open stops writing; who opens it now reads.
	_, err := running.Remember(t.Context(), memstore.RememberRequest{Key: "b", Value: "1", Provenance: model})
	reason(t, err, "newer", dir)
	later, _, err := tryOpen(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	if e, err := later.Recall(t.Context(), "a"); err != nil || e.Value != "1" {
		t.Errorf("the entry is %+v, %v", e, err)
	}
	_, err = later.Remember(t.Context(), memstore.RememberRequest{Key: "b", Value: "1", Provenance: model})
	reason(t, err, "newer", dir)
	if n := len(stream(t, later)); n != 1 {
		t.Errorf("there are %d revisions, want 1", n)
	}
}

func TestADatabaseOfAnotherProgramIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	if err := memstore.Exec(t.Context(), db, "PRAGMA user_version = 0"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	_, _, err := tryOpen(t, dir)
	reason(t, err, "of another program", dir)
}

func TestTheMemoryOfAnotherScopeIsNotOpened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	made(t, dir)
	_, err := memstore.Open(t.Context(), memstore.Options{Dir: dir, Scope: memstore.User})
	var state *memstore.StateError
	if !errors.As(err, &state) || !strings.Contains(err.Error(), "another scope") {
		t.Errorf("the error is %v", err)
	}
}
