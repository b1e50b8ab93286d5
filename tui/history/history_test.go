package history

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestPromptsComeBackInOrder(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "prompts")
	f := At(path)
	if got, err := f.Load(); err != nil || got != nil {
		t.Fatalf("a missing file: %v, %v", got, err)
	}
	for _, p := range []string{"one", "two\nlines", "two\nlines", "", "three", strings.Repeat("x", largest+1)} {
		if err := f.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	got, err := At(path).Load()
	if want := []string{"one", "two\nlines", "three"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v", got, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v", info.Mode(), err)
	}
}

func TestABrokenLineCostsOnlyItself(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "prompts")
	if err := os.WriteFile(path, []byte("\"one\"\n\"cut off\nnot json\n\"two\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := At(path).Load()
	if err != nil || !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("got %q, %v", got, err)
	}
}

func TestAFileGrownTooLargeIsShortened(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "prompts")
	var b strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&b, "\"prompt %d %s\"\n", i, strings.Repeat("x", 2_000))
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := At(path).Load()
	if err != nil || len(got) != keep || !strings.HasPrefix(got[keep-1], "prompt 4999 ") {
		t.Fatalf("%d prompts, %v", len(got), err)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > trimAt {
		t.Errorf("the file has %d bytes, %v", info.Size(), err)
	}
}
