package files

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reverie/memstore"
)

// killed is what a step panics with in place of a kill: nothing after it is
// done, and what was done stays.
type killed struct{}

// syncUntil syncs and is killed at the n-th step. It is false where there are
// fewer.
func (w *world) syncUntil(n int) (killedThere bool) {
	w.Helper()
	at := 0
	w.m.hooks.step = func(string) {
		if at++; at == n {
			panic(killed{})
		}
	}
	defer func() {
		switch r := recover(); r.(type) {
		case nil:
		case killed:
			killedThere = true
		default:
			panic(r)
		}
		// The next process has a mirror of its own.
		w.m.Close()
		w.openMirror()
	}()
	w.sync()
	return false
}

// story is a state of files and store from which a sync has something to do.
type story struct {
	name  string
	setUp func(w *world)
	// meanwhile is what somebody does between the kill and the next sync.
	meanwhile func(w *world)
	// want are histories at the end, newest first, and texts of files.
	want  map[string][]string
	files map[string]string
}

var stories = []story{
	{
		name:  "a model's first save",
		setUp: func(w *world) { w.save("a", "one") },
		want:  map[string][]string{"a": {`model "one"`}},
		files: map[string]string{"a.md": "one"},
	},
	{
		name:      "a model's change, and another before the next sync",
		setUp:     func(w *world) { w.save("a", "one"); w.sync(); w.save("a", "two") },
		meanwhile: func(w *world) { w.save("a", "three") },
		want:      map[string][]string{"a": {`model "three"`, `model "two"`, `model "one"`}},
		files:     map[string]string{"a.md": "three"},
	},
	{
		name:      "an edit, and a model's change before the next sync",
		setUp:     func(w *world) { w.save("a", "one"); w.sync(); w.put("a.md", "by hand\n") },
		meanwhile: nil,
		want:      map[string][]string{"a": {`file "by hand"`, `model "one"`}},
		files:     map[string]string{"a.md": "by hand"},
	},
	{
		name:  "an edit and a change of the same key",
		setUp: func(w *world) { w.save("a", "one"); w.sync(); w.put("a.md", "by hand\n"); w.save("a", "two") },
		want:  map[string][]string{"a": {`file "by hand"`, `model "two"`, `model "one"`}},
		files: map[string]string{"a.md": "by hand"},
	},
	{
		name:  "a new file",
		setUp: func(w *world) { w.put("a.md", "by hand\n") },
		want:  map[string][]string{"a": {`file "by hand"`}},
		files: map[string]string{"a.md": "by hand"},
	},
	{
		name:  "a deleted file",
		setUp: func(w *world) { w.save("a", "one"); w.sync(); w.delete("a.md") },
		want:  map[string][]string{"a": {"file forgot", `model "one"`}},
		files: map[string]string{"a.md": "(none)"},
	},
	{
		name:  "a forgotten entry",
		setUp: func(w *world) { w.save("a", "one"); w.sync(); w.forget("a", person) },
		want:  map[string][]string{"a": {"user forgot", `model "one"`}},
		files: map[string]string{"a.md": "(none)"},
	},
	{
		name:  "a forgotten entry that is saved again before the next sync",
		setUp: func(w *world) { w.save("a", "one"); w.sync(); w.forget("a", model) },
		meanwhile: func(w *world) {
			w.save("a", "again")
		},
		want:  map[string][]string{"a": {`model "again"`, "model forgot", `model "one"`}},
		files: map[string]string{"a.md": "again"},
	},
	{
		name: "a purged entry",
		setUp: func(w *world) {
			w.save("a", "one")
			w.sync()
			_, err := w.db.Purge(w.Context(), memstore.PurgeRequest{Key: "a", Provenance: person})
			w.must(err)
		},
		want:  map[string][]string{"a": {"user forgot", `model ""`}},
		files: map[string]string{"a.md": "(none)"},
	},
	{
		name: "several things at once",
		setUp: func(w *world) {
			for _, k := range []string{"a", "b", "c", "d"} {
				w.save(k, "one")
			}
			w.sync()
			w.save("a", "two")
			w.put("b.md", "by hand\n")
			w.delete("c.md")
			w.forget("d", model)
		},
		want: map[string][]string{
			"a": {`model "two"`, `model "one"`}, "b": {`file "by hand"`, `model "one"`},
			"c": {"file forgot", `model "one"`}, "d": {"model forgot", `model "one"`},
		},
		files: map[string]string{"a.md": "two", "b.md": "by hand", "c.md": "(none)", "d.md": "(none)"},
	},
}

func TestAKillAtAnyStepUndoesNoWriteAndMakesNoNewFact(t *testing.T) {
	t.Parallel()
	for _, s := range stories {
		t.Run(s.name, func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				w := newWorld(t)
				s.setUp(w)
				there := w.syncUntil(n)
				if s.meanwhile != nil {
					s.meanwhile(w)
				}
				w.sync()
				w.quiet()
				for key, want := range s.want {
					eq(t, fmt.Sprintf("killed at step %d, the history of %s", n, key), w.history(key), want)
				}
				for rel, want := range s.files {
					if got := w.file(rel); !strings.Contains(got, want) {
						t.Errorf("killed at step %d, %s is %q, want %q", n, rel, got, want)
					}
				}
				if !there || t.Failed() {
					if n < 3 {
						t.Errorf("there were only %d steps", n-1)
					}
					return
				}
			}
		})
	}
}

func TestAKilledProcessLeavesWhatTheNextOneFinishes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 8 {
		w.save(fmt.Sprint("k", i), "one")
	}
	w.sync()
	for i := range 4 {
		w.save(fmt.Sprint("k", i), "two")
		w.put(fmt.Sprintf("k%d.md", i+4), "by hand\n")
	}
	w.m.Close()
	w.db.Close()
	for n := 1; n < 14; n += 3 {
		childSync(t, w, n)
	}
	w.openStore(memstore.Project)
	w.openMirror()
	w.sync()
	w.quiet()
	for i := range 4 {
		eq(t, "a model's change", w.history(fmt.Sprint("k", i)), []string{`model "two"`, `model "one"`})
		eq(t, "an edit", w.history(fmt.Sprint("k", i+4)), []string{`file "by hand"`, `model "one"`})
	}
}

func TestTwoProcessesMirrorOneFolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 20 {
		w.save(fmt.Sprint("store/", i), "text")
		w.put(fmt.Sprintf("files/%d.md", i), "text\n")
	}
	a, b := startChild(t, w, 0), startChild(t, w, 0)
	w.sync()
	for _, c := range []*child{a, b} {
		if err := c.cmd.Wait(); err != nil {
			t.Errorf("%v: %s", err, c.out)
		}
	}
	for i := range 20 {
		eq(t, "an imported file", w.history(fmt.Sprint("files/", i)), []string{`file "text"`})
		eq(t, "a written entry", w.history(fmt.Sprint("store/", i)), []string{`model "text"`})
		if !exists(filepath.Join(w.dir, "store", fmt.Sprintf("%d.md", i))) {
			t.Errorf("store/%d.md is missing", i)
		}
	}
	w.quiet()
}

func TestMain(m *testing.M) {
	if dir := os.Getenv(childRoot); dir != "" {
		os.Exit(childMain(dir))
	}
	os.Exit(m.Run())
}
