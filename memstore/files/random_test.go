package files

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// sides are what happened to a key since a sync that was not killed.
type sides struct {
	stored  string // the last thing the store was told: a text, or "" for a forget
	byStore bool
	byFile  bool
}

// TestRandomEditsSavesAndKillsLoseNothingAndInventNothing compares what a
// mirror made of random work on both sides, killed now and then, with rules
// that hold whatever the order.
func TestRandomEditsSavesAndKillsLoseNothingAndInventNothing(t *testing.T) {
	t.Parallel()
	for range 4 {
		seed := rand.Uint64()
		w := newWorld(t)
		randomWork(w, rand.New(rand.NewPCG(seed, 1)), 80)
		if t.Failed() {
			t.Logf("the seed was %d", seed)
			return
		}
	}
}

func randomWork(w *world, rnd *rand.Rand, steps int) {
	keys := []string{"a", "b", "sub/c"}
	byHand := map[string]bool{} // texts that a person wrote
	since := map[string]*sides{}
	for _, k := range keys {
		since[k] = &sides{}
	}
	for i := range steps {
		key := keys[rnd.IntN(len(keys))]
		text := fmt.Sprintf("text %d of %s", i, key)
		switch rnd.IntN(9) {
		case 0, 1, 2:
			w.save(key, text)
			*since[key] = sides{text, true, since[key].byFile}
		case 3, 4:
			w.put(key+".md", text+"\n")
			byHand[text] = true
			since[key].byFile = true
		case 5:
			if w.file(key+".md") != "(none)" {
				w.delete(key + ".md")
				since[key].byFile = true
			}
		case 6:
			if w.value(key) != "(none)" {
				w.forget(key, model)
				*since[key] = sides{"", true, since[key].byFile}
			}
		case 7:
			w.m.settle = time.Millisecond
			w.syncUntil(1 + rnd.IntN(12))
		case 8:
			w.settledSync(since)
		}
		if w.Failed() {
			return
		}
	}
	w.settledSync(since)
	for _, key := range keys {
		w.checkHistory(key, byHand)
	}
}

// settledSync syncs to the end and checks that both sides agree, and that what
// only the store did stands.
func (w *world) settledSync(since map[string]*sides) {
	w.Helper()
	w.m.settle = time.Millisecond
	r := w.sync()
	w.quiet()
	for key, s := range since {
		if slices.ContainsFunc(r.Held, func(h Held) bool { return h.Key == key }) {
			// Taken by a sync that was killed before it could note it, then
			// forgotten: an old copy that is named and left alone.
			if w.value(key) != "(none)" {
				w.Errorf("%s is held back and there: %v", key, r.Held)
			}
			*s = sides{}
			continue
		}
		if slices.ContainsFunc(r.Deletions, func(h Held) bool { return h.Key == key }) {
			// All files were gone at once.
			if w.value(key) == "(none)" || w.file(key+".md") != "(none)" {
				w.Errorf("the missing file of %s is held back, the entry is %q and the file %q", key, w.value(key), w.file(key+".md"))
			}
			*s = sides{}
			continue
		}
		value, file := w.value(key), w.file(key+".md")
		switch {
		case (value == "(none)") != (file == "(none)"):
			w.Errorf("%s is %q in the store and %q in its file", key, value, file)
		case value != "(none)" && !strings.HasSuffix(file, value+"\n"):
			w.Errorf("%s is %q in the store and %q in its file", key, value, file)
		case s.byStore && !s.byFile && value != s.stored && (s.stored != "" || value != "(none)"):
			w.Errorf("%s is %q, the store was told %q and nobody touched the file", key, value, s.stored)
		}
		*s = sides{}
	}
}

// checkHistory sees to it that the mirror wrote only what a person wrote, each
// text once.
func (w *world) checkHistory(key string, byHand map[string]bool) {
	w.Helper()
	if !w.was(key) {
		return
	}
	times := map[string]int{}
	for _, r := range w.history(key) {
		text, ok := strings.CutPrefix(r, "file ")
		if !ok || text == "forgot" {
			continue
		}
		text = strings.Trim(text, `"`)
		times[text]++
		if !byHand[text] || times[text] > 1 {
			w.Errorf("of %s the mirror wrote %q %d times, a person wrote it: %t", key, text, times[text], byHand[text])
		}
	}
}

func (w *world) was(key string) bool {
	_, err := w.db.History(w.Context(), key)
	return err == nil
}
