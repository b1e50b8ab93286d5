package files

import (
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"testing"
	"time"

	"reverie/memstore"
)

func (w *world) purge(key string) {
	w.Helper()
	_, err := w.db.Purge(w.Context(), memstore.PurgeRequest{Key: key, Provenance: person})
	w.must(err)
}

func TestANewTextUnderAPurgedKeyIsANewFact(t *testing.T) {
	t.Parallel()
	stated := fmt.Sprintf("---\nname: a\nupdated: %s\n---\n\nnew words\n", time.Now().Add(time.Minute).Format(time.RFC3339))
	for name, text := range map[string]string{"without a time, where all files had one": "new words\n", "with a later time": stated} {
		w := newWorld(t)
		w.save("a", "one")
		w.sync()
		w.purge("a")
		w.sync()
		w.put("a.md", text)
		r := w.sync()
		eq(t, name+": imported", r.Imported, []string{"a"})
		eq(t, name+": left over", r.Leftover, []Refused{})
		eq(t, name, w.value("a"), "new words")
		w.quiet()
	}
}

func TestAHandWrittenCopyOfAPurgedKeyDoesNotComeBackAndIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put("a.md", "by hand\n")
	w.sync()
	w.purge("a")
	eq(t, "removed", w.sync().Removed, []string{"a"})
	w.put("a.md", "by hand\n")
	r := w.sync()
	eq(t, "the value", w.value("a"), "(none)")
	if !strings.Contains(reasonFor(r.Leftover, "a.md"), "purged") || len(r.Held) != 1 {
		t.Errorf("left over is %v, held back %v", r.Leftover, r.Held)
	}
	eq(t, "still named", len(w.sync().Leftover), 1)
}

func TestAFileOfAPurgedKeyThatCanNotGoIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.save("a", "one")
	w.save("b", "two")
	w.sync()
	w.purge("a")
	w.purge("b")
	w.put("b.md", "<<<<<<< HEAD\ntwo\n=======\nother\n>>>>>>> other\n")
	w.m.hooks.write = func(rel string) error { return &fs.PathError{Op: "unlinkat", Path: rel, Err: syscall.EACCES} }
	for range 2 {
		r := w.sync()
		eq(t, "left over", len(r.Leftover), 2)
		if !strings.Contains(reasonFor(r.Leftover, "a.md"), "permission") || !strings.Contains(reasonFor(r.Leftover, "b.md"), "merge conflict") {
			t.Errorf("left over is %v", r.Leftover)
		}
	}
	w.m.hooks.write = nil
	w.delete("b.md")
	r := w.sync()
	eq(t, "removed", r.Removed, []string{"a"})
	eq(t, "left over", r.Leftover, []Refused{})
}
