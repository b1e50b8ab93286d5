package files

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"reverie/memstore"
)

// world is a store, a project with a memory folder, and their mirror.
type world struct {
	*testing.T
	db   *memstore.DB
	home string // the store's folder
	root string // the project's
	dir  string // of the memory files
	m    *Mirror
}

var (
	model  = memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Learned}
	person = memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}
)

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldOf(t, memstore.Project)
}

func newWorldOf(t *testing.T, scope memstore.Scope) *world {
	t.Helper()
	w := &world{T: t, home: t.TempDir(), root: t.TempDir()}
	w.dir = filepath.Join(w.root, ".reverie", "memory")
	w.must(os.MkdirAll(w.dir, 0o755))
	w.openStore(scope)
	w.openMirror()
	return w
}

func (w *world) openStore(scope memstore.Scope) {
	w.Helper()
	db, err := memstore.Open(w.Context(), memstore.Options{Dir: filepath.Join(w.home, "store"), Scope: scope})
	w.must(err)
	w.db = db
	w.Cleanup(func() { db.Close() })
}

func (w *world) openMirror() {
	w.Helper()
	m, err := NewMirror(w.Context(), MirrorOptions{Store: w.db, Dir: w.dir, GitRoot: w.root})
	w.must(err)
	w.m = m
	w.Cleanup(func() { m.Close() })
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) sync() SyncReport {
	w.Helper()
	r, err := w.m.Sync(w.Context(), SyncOptions{})
	w.must(err)
	return r
}

// put writes a file that counts as left alone for a while.
func (w *world) put(rel, content string) {
	w.Helper()
	p := filepath.Join(w.dir, filepath.FromSlash(rel))
	w.must(os.MkdirAll(filepath.Dir(p), 0o755))
	w.must(os.WriteFile(p, []byte(content), 0o644))
	settled(w.T, p)
}

// settled gives a file a time that needs no waiting.
func settled(t testing.TB, p string) {
	t.Helper()
	then := time.Now().Add(-time.Second)
	if err := os.Chtimes(p, then, then); err != nil {
		t.Fatal(err)
	}
}

func (w *world) delete(rel string) {
	w.Helper()
	w.must(os.Remove(filepath.Join(w.dir, filepath.FromSlash(rel))))
}

func (w *world) file(rel string) string {
	w.Helper()
	b, err := os.ReadFile(filepath.Join(w.dir, filepath.FromSlash(rel)))
	if err != nil {
		return "(none)"
	}
	return string(b)
}

func (w *world) save(key, value string) memstore.Entry {
	w.Helper()
	m, err := w.db.Remember(w.Context(), memstore.RememberRequest{Key: key, Value: value, Provenance: model})
	w.must(err)
	return m.Entry
}

func (w *world) forget(key string, by memstore.Provenance) {
	w.Helper()
	e, err := w.db.Recall(w.Context(), key)
	w.must(err)
	_, err = w.db.Forget(w.Context(), memstore.ForgetRequest{Key: key, Expected: e.Version, Provenance: by})
	w.must(err)
}

// value is the entry's, or says that there is none.
func (w *world) value(key string) string {
	w.Helper()
	e, err := w.db.Recall(w.Context(), key)
	if err != nil {
		return "(none)"
	}
	return e.Value
}

func (w *world) history(key string) []string {
	w.Helper()
	past, err := w.db.History(w.Context(), key)
	w.must(err)
	var all []string
	for _, r := range past {
		s := fmt.Sprintf("%s %q", r.Provenance.Writer, r.Value)
		if r.Forgotten {
			s = fmt.Sprintf("%s forgot", r.Provenance.Writer)
		}
		all = append(all, s)
	}
	return all
}

func eq[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}

// quiet fails where another sync does anything.
func (w *world) quiet() {
	w.Helper()
	if r := w.sync(); r.Changed() {
		w.Errorf("a second sync did %+v", r)
	}
}

func reasonFor(refused []Refused, rel string) string {
	for _, r := range refused {
		if r.Path == rel {
			return r.Reason
		}
	}
	return ""
}

func TestAFileBecomesAnEntryByFileAndIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	text := "---\nname: deploy/day\ndescription: When deploys go out\nkind: convention\nupdated: 2026-10-25T14:00:00+02:00\n---\n\nOn Fridays.\n"
	w.put("deploy/day.md", text)
	r := w.sync()
	eq(t, "imported", r.Imported, []string{"deploy/day"})
	e, err := w.db.Recall(t.Context(), "deploy/day")
	w.must(err)
	eq(t, "the value", e.Value, "On Fridays.")
	eq(t, "the description", e.Description, "When deploys go out")
	eq(t, "the kind", e.Kind, memstore.Convention)
	eq(t, "the time", e.Updated, time.Date(2026, 10, 25, 12, 0, 0, 0, time.UTC))
	eq(t, "the writer", e.Provenance.Writer, memstore.ByFile)
	eq(t, "the source", e.Provenance.Source, ".reverie/memory/deploy/day.md")
	eq(t, "the file", w.file("deploy/day.md"), text)
	w.quiet()
}

func TestAnEntryReachesItsFileAndAnEditComesBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("deploy/day", "On Fridays.")
	eq(t, "written", w.sync().Written, []string{"deploy/day"})
	w.put("deploy/day.md", strings.Replace(w.file("deploy/day.md"), "Fridays", "Thursdays", 1))
	eq(t, "imported", w.sync().Imported, []string{"deploy/day"})
	eq(t, "the history", w.history("deploy/day"), []string{`file "On Thursdays."`, `model "On Fridays."`})
	w.quiet()
}

func TestADeletedFileForgetsAndAForgottenEntryLosesItsFile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("a", "one")
	w.save("b/c", "two")
	w.sync()
	w.delete("a.md")
	w.forget("b/c", model)
	r := w.sync()
	eq(t, "forgotten", r.Forgotten, []string{"a"})
	eq(t, "removed", r.Removed, []string{"b/c"})
	eq(t, "a", w.history("a"), []string{"file forgot", `model "one"`})
	if exists(filepath.Join(w.dir, "b")) {
		t.Error("the empty folder is still there")
	}
	w.quiet()
}

func TestWhereBothSidesChangedTheFileWinsAndTheOtherStateIsTheRevisionBefore(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("a", "one")
	w.sync()
	w.put("a.md", "by hand\n")
	w.save("a", "two")
	w.sync()
	eq(t, "the history", w.history("a"), []string{`file "by hand"`, `model "two"`, `model "one"`})
	w.quiet()
}

func TestForeignFrontmatterStaysWhenAFileIsRewritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put("a.md", "---\ntags: [x, 'y']   # mine\nname: a\n# a comment\nowner:\n  team: infra\n---\n\none\n")
	w.sync()
	w.save("a", "two")
	w.sync()
	got := w.file("a.md")
	for _, want := range []string{"tags: [x, 'y']   # mine\n", "# a comment\nowner:\n  team: infra\n", "\n---\n\ntwo\n", "kind: note\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("the file lacks %q:\n%s", want, got)
		}
	}
	w.quiet()
}

func TestAPersonWhoWritesAFileByHandBringsBackWhatWasForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("a", "one")
	w.sync()
	w.forget("a", person)
	w.sync()
	w.put("a.md", "new words\n")
	eq(t, "imported", w.sync().Imported, []string{"a"})
	eq(t, "the value", w.value("a"), "new words")
}

func TestAnOldCopyDoesNotBringBackWhatWasForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("a", "one")
	w.sync()
	old := w.file("a.md")
	w.forget("a", person)
	w.sync()
	w.put("a.md", old)
	r := w.sync()
	eq(t, "the value", w.value("a"), "(none)")
	if len(r.Held) != 1 || !strings.Contains(r.Held[0].Reason, "old copy") {
		t.Errorf("held back is %v", r.Held)
	}
}

func TestAFileThatComesBackTakesItsDeletionBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("a", "one")
	w.sync()
	old := w.file("a.md")
	w.delete("a.md")
	w.sync()
	w.put("a.md", old)
	eq(t, "imported", w.sync().Imported, []string{"a"})
	eq(t, "the history", w.history("a"), []string{`file "one"`, "file forgot", `model "one"`})
	w.quiet()
}

func TestAFileOfAPurgedKeyIsDeletedAndACopyDoesNotComeBack(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("a", "one")
	w.sync()
	old := w.file("a.md")
	_, err := w.db.Purge(t.Context(), memstore.PurgeRequest{Key: "a", Provenance: person})
	w.must(err)
	eq(t, "removed", w.sync().Removed, []string{"a"})
	w.put("a.md", old)
	r := w.sync()
	eq(t, "the value", w.value("a"), "(none)")
	if len(r.Held) != 1 || !strings.Contains(r.Held[0].Reason, "purged") {
		t.Errorf("held back is %v", r.Held)
	}
	for _, name := range []string{BaseName, BaseName + "-wal"} {
		b, err := os.ReadFile(filepath.Join(w.home, "store", name))
		w.must(err)
		if strings.Contains(string(b), "a.md") {
			t.Errorf("%s still knows the file", name)
		}
	}
}

func TestWithoutItsBaseAnOldFileIsNoNewFact(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("a", "one")
	w.save("b", "same")
	w.sync()
	w.m.Close()
	w.save("a", "two")
	for _, n := range []string{"", "-wal", "-shm"} {
		os.Remove(filepath.Join(w.home, "store", BaseName+n))
	}
	w.openMirror()
	r := w.sync()
	eq(t, "written", r.Written, []string{"a"})
	eq(t, "imported", r.Imported, []string{})
	eq(t, "the value", w.value("a"), "two")
	w.quiet()
}

func TestANewStoreTakesTheFilesAndDeletesNone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 5 {
		w.save(fmt.Sprint("k", i), "text")
	}
	w.sync()
	w.db.Close()
	for _, n := range []string{"", "-wal", "-shm"} {
		os.Remove(filepath.Join(w.home, "store", memstore.FileName+n))
	}
	w.openStore(memstore.Project)
	w.openMirror()
	w.save("k9", "other")
	r := w.sync()
	eq(t, "imported", len(r.Imported), 5)
	eq(t, "removed", r.Removed, []string{})
	eq(t, "the value", w.value("k0"), "text")
}

func TestMemoriesThatCameWithACloneAreAnnouncedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put("a.md", "one\n")
	w.put("b.md", "two\n")
	r := w.sync()
	eq(t, "first seen", r.FirstSeen, []string{"a", "b"})
	eq(t, "first seen again", w.sync().FirstSeen, []string{})
	past, err := w.db.History(t.Context(), "a")
	w.must(err)
	eq(t, "the origin", past[0].Provenance.Origin, memstore.Imported)
	w.put("c.md", "three\n")
	eq(t, "a later file", w.sync().FirstSeen, []string{})
}

func TestASyncWithNothingNewWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("a", "one")
	w.put("b.md", "two\n")
	w.sync()
	past := time.Now().Add(-time.Hour)
	for _, f := range []string{"a.md", "b.md"} {
		w.must(os.Chtimes(filepath.Join(w.dir, f), past, past))
	}
	w.sync()
	before, err := w.m.base.load(t.Context(), w.m.dir)
	w.must(err)
	gen := before.gen
	r := w.sync()
	after, err := w.m.base.load(t.Context(), w.m.dir)
	w.must(err)
	eq(t, "changed", r.Changed(), false)
	eq(t, "the base", after.gen, gen)
}

func TestAnEditOfTheSameSizeAndTimeIsSeen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := filepath.Join(w.dir, "a.md")
	w.put("a.md", "one\n")
	w.sync()
	fi, err := os.Stat(p)
	w.must(err)
	h, err := os.OpenFile(p, os.O_WRONLY, 0)
	w.must(err)
	_, err = h.WriteString("two")
	w.must(err)
	w.must(h.Close())
	w.must(os.Chtimes(p, fi.ModTime(), fi.ModTime()))
	w.sync()
	eq(t, "the value", w.value("a"), "two")
}

func TestTheProjectsListIsByKindAndTheUsersLiesInItsFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("z", "a note\nwith more")
	w.put("deploy.md", "---\nkind: gotcha\ndescription: Mind [this](x)\n---\n\ntext\n")
	w.sync()
	b, err := os.ReadFile(filepath.Join(w.root, ".reverie", "REVERIE.md"))
	w.must(err)
	want := "# What is remembered about this project\n\n" + generatedMark +
		"\n\n## Gotchas\n\n- [deploy](memory/deploy.md): Mind \\[this\\](x)\n\n## Notes\n\n- [z](memory/z.md): a note\n"
	eq(t, "REVERIE.md", string(b), want)

	u := newWorldOf(t, memstore.User)
	u.save("user/editor", "vim")
	u.sync()
	if s := u.file("MEMORY.md"); !strings.Contains(s, "- [user/editor](user/editor.md): vim\n") || !strings.Contains(s, generatedMark) {
		t.Errorf("MEMORY.md is %s", s)
	}
	eq(t, "an import of the list", u.sync().Changed(), false)
	fi, err := os.Stat(filepath.Join(u.dir, "user", "editor.md"))
	u.must(err)
	eq(t, "the mode of the user's files", fi.Mode().Perm(), os.FileMode(0o600))
}

func TestAListThatAPersonWroteIsLeftAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := filepath.Join(w.root, ".reverie", "REVERIE.md")
	w.must(os.WriteFile(p, []byte("mine\n"), 0o644))
	w.save("a", "one")
	r := w.sync()
	b, err := os.ReadFile(p)
	w.must(err)
	eq(t, "the file", string(b), "mine\n")
	if !slices.ContainsFunc(r.Refused, func(x Refused) bool { return x.Path == projectIndex }) {
		t.Errorf("refused is %v", r.Refused)
	}
}
