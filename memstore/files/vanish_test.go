package files

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reverie/memstore"
	"reverie/memstore/sqlfile"
)

// vanish deletes the project's folder with everything in it, and makes an empty
// one.
func (w *world) vanish() {
	w.Helper()
	w.must(os.RemoveAll(filepath.Join(w.root, ".reverie")))
	w.must(os.MkdirAll(w.dir, 0o755))
	w.m.Close()
	w.openMirror()
}

func (w *world) syncWith(o SyncOptions) SyncReport {
	w.Helper()
	r, err := w.m.Sync(w.Context(), o)
	w.must(err)
	return r
}

func TestAFolderThatWasDeletedAndMadeAnewForgetsNothing(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 4; n++ {
		w := newWorld(t)
		for i := range n {
			w.save(fmt.Sprint("k", i), "text")
		}
		w.sync()
		w.vanish()
		r := w.sync()
		eq(t, fmt.Sprintf("forgotten of %d", n), r.Forgotten, []string{})
		eq(t, "held back", len(r.Deletions), n)
		r = w.syncWith(SyncOptions{AcceptDeletions: true})
		eq(t, "accepted", len(r.Forgotten), n)
	}
}

func TestTheOnlyFileOfAFolderMadeAnewIsNoForgetThoughTheListStayed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("a", "one")
	w.sync()
	f, err := openFolder(w.dir, false)
	w.must(err)
	born := f.born()
	w.must(f.close())
	if born == 0 {
		t.Skip("the file system does not say when a folder was made")
	}
	w.must(os.RemoveAll(w.dir))
	w.must(os.MkdirAll(w.dir, 0o755))
	r := w.sync()
	eq(t, "forgotten", r.Forgotten, []string{})
	if len(r.Deletions) != 1 || !strings.Contains(r.Deletions[0].Reason, "made anew") {
		t.Errorf("the deletions are %v", r.Deletions)
	}
}

func TestTheUsersEmptiedFolderForgetsNothing(t *testing.T) {
	t.Parallel()
	w := newWorldOf(t, memstore.User)
	w.save("a", "one")
	w.sync()
	w.delete("a.md")
	w.delete(userIndex)
	r := w.sync()
	eq(t, "forgotten", r.Forgotten, []string{})
	eq(t, "held back", len(r.Deletions), 1)
}

func TestTheOnlyFileOfAFolderThatStayedIsAForget(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("a", "one")
	w.sync()
	w.delete("a.md")
	eq(t, "forgotten", w.sync().Forgotten, []string{"a"})
}

func TestAllFilesVanishingAtOnceIsNoForgetHoweverFewTheyAre(t *testing.T) {
	t.Parallel()
	for n := 2; n <= 3; n++ {
		w := newWorld(t)
		for i := range n {
			w.save(fmt.Sprint("k", i), "text")
		}
		w.sync()
		for i := range n {
			w.delete(fmt.Sprintf("k%d.md", i))
		}
		r := w.sync()
		eq(t, fmt.Sprintf("forgotten of %d", n), r.Forgotten, []string{})
		eq(t, "held back", len(r.Deletions), n)
		eq(t, "later", w.sync().Forgotten, []string{})
	}
}

func TestTwoOfThreeFilesAreForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 3 {
		w.save(fmt.Sprint("k", i), "text")
	}
	w.sync()
	w.delete("k0.md")
	w.delete("k1.md")
	eq(t, "forgotten", w.sync().Forgotten, []string{"k0", "k1"})
}

func TestRestoringWritesMissingFilesAgainAndForgetsNothing(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]SyncOptions{"alone": {Restore: true}, "with deletions accepted": {Restore: true, AcceptDeletions: true}} {
		w := newWorld(t)
		for _, k := range []string{"a", "b", "sub/c"} {
			w.save(k, "text of "+k)
		}
		w.sync()
		w.delete("a.md")
		r := w.syncWith(o)
		eq(t, name+": forgotten", r.Forgotten, []string{})
		eq(t, name+": one is written", r.Written, []string{"a"})
		w.vanish()
		w.sync() // holds them back
		r = w.syncWith(o)
		eq(t, name+": written", r.Written, []string{"a", "b", "sub/c"})
		eq(t, name+": forgotten", r.Forgotten, []string{})
		eq(t, name+": held back", r.Deletions, []Held{})
		if !strings.Contains(w.file("sub/c.md"), "text of sub/c") {
			t.Errorf("%s: the file is %q", name, w.file("sub/c.md"))
		}
		w.quiet()
	}
}

func TestABaseFromBeforeFoldersHadATimeIsTakenOver(t *testing.T) {
	t.Parallel()
	p := filepath.Join(t.TempDir(), BaseName)
	old, err := sqlfile.Open(t.Context(), p, sqlfile.Options{Migrations: baseMigrations[:1]})
	if err != nil {
		t.Fatal(err)
	}
	err = old.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.ExecContext(t.Context(), "INSERT INTO folders (path, gen, seq, version, head, scanned, list) VALUES ('d', 3, 7, 'v', 'h', 1, 'l')")
		return err
	})
	if err = errors.Join(err, old.Close()); err != nil {
		t.Fatal(err)
	}
	f, err := openBase(t.Context(), p, func(s string) { t.Error(s) })
	if err != nil {
		t.Fatal(err)
	}
	defer f.close()
	b, err := f.load(t.Context(), "d")
	if err != nil {
		t.Fatal(err)
	}
	eq(t, "the base", *b, base{id: 1, gen: 3, seq: 7, version: "v", head: "h", scanned: 1, list: "l", rows: map[string]row{}})
}
