package files

import (
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// swapping is a folder with one file, on a file system that can exchange names.
func swapping(t *testing.T) *folder {
	t.Helper()
	f, err := openFolder(t.TempDir(), false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.close() })
	for _, n := range []string{"x", "y"} {
		lay1(t, f, n, n)
	}
	if err := f.exchange("x", "y"); errors.Is(err, errors.ErrUnsupported) {
		t.Skip("names can't be exchanged here")
	} else if err != nil {
		t.Fatal(err)
	}
	lay1(t, f, "a.md", "one")
	return f
}

func lay1(t *testing.T, f *folder, rel, text string) {
	t.Helper()
	// As most editors save: under another name, then renamed.
	p := filepath.Join(f.path, rel)
	if err := errors.Join(os.WriteFile(p+"~", []byte(text), 0o644), os.Rename(p+"~", p)); err != nil {
		t.Fatal(err)
	}
}

func TestASaveBetweenTheLastLookAndTheExchangeStays(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		rel  string
		want hash
		save func(t *testing.T, f *folder)
		err  error
		text string
	}{
		"nobody saves":       {"a.md", sha256.Sum256([]byte("one")), func(*testing.T, *folder) {}, nil, "ours"},
		"an editor saves":    {"a.md", sha256.Sum256([]byte("one")), func(t *testing.T, f *folder) { lay1(t, f, "a.md", "by hand") }, errChanged, "by hand"},
		"somebody deletes":   {"a.md", sha256.Sum256([]byte("one")), func(t *testing.T, f *folder) { os.Remove(filepath.Join(f.path, "a.md")) }, errChanged, "(none)"},
		"a new file is new":  {"b.md", hash{}, func(*testing.T, *folder) {}, nil, "ours"},
		"a new file is made": {"b.md", hash{}, func(t *testing.T, f *folder) { lay1(t, f, "b.md", "by hand") }, errChanged, "by hand"},
		"another before":     {"a.md", sha256.Sum256([]byte("else")), func(t *testing.T, _ *folder) { t.Error("it went on") }, errChanged, "one"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := swapping(t)
			err := f.swap(c.rel, []byte("ours"), c.want, func() { c.save(t, f) })
			if !errors.Is(err, c.err) {
				t.Errorf("the error is %v, want %v", err, c.err)
			}
			b, err := os.ReadFile(filepath.Join(f.path, c.rel))
			if err != nil {
				b = []byte("(none)")
			}
			eq(t, "the file", string(b), c.text)
			left, err := filepath.Glob(filepath.Join(f.path, ".*"))
			eq(t, "left behind", left, nil)
			eq(t, "the error", err, nil)
		})
	}
}

func TestAnEditWhileAFileIsWrittenIsImported(t *testing.T) {
	t.Parallel()
	swapping(t)
	w := newWorld(t)
	w.save("a", "one")
	w.sync()
	w.save("a", "two")
	w.m.hooks.step = func(name string) {
		if name == "before an exchange" {
			w.m.hooks.step = func(string) {}
			w.put("a.md", "by hand\n")
		}
	}
	w.sync()
	eq(t, "the history", w.history("a"), []string{`file "by hand"`, `model "two"`, `model "one"`})
	eq(t, "the file", w.file("a.md"), "by hand\n")
	w.quiet()
}
