package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reverie/memstore"
	"reverie/memstore/storetest"
)

func openFiles(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), StoreOptions{Dir: dir, Scope: memstore.Project})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestTheFilesStoreKeepsItsPromises(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) memstore.Store { return openFiles(t, filepath.Join(t.TempDir(), "memory")) })
}

func TestTheFilesStoreHasNoHistoryAndSaysSo(t *testing.T) {
	t.Parallel()
	s := openFiles(t, filepath.Join(t.TempDir(), "memory"))
	eq(t, "the capabilities", s.Capabilities(), memstore.Capabilities{Durable: true})
	if _, ok := any(s).(memstore.Versioned); ok {
		t.Error("it claims to be versioned")
	}
}

func TestAnEditByHandIsSeenByTheNextCallAndMakesTheVersionStale(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "memory")
	s := openFiles(t, dir)
	m, err := s.Remember(t.Context(), memstore.RememberRequest{Key: "a", Value: "one", Provenance: model})
	if err != nil {
		t.Fatal(err)
	}
	p := filepath.Join(dir, "a.md")
	b, err := os.ReadFile(p)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(strings.Replace(string(b), "one", "two", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := s.Recall(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	eq(t, "the value", e.Value, "two")
	_, err = s.Remember(t.Context(), memstore.RememberRequest{Key: "a", Value: "three", Expected: m.Entry.Version, Provenance: model})
	if err == nil || !strings.Contains(err.Error(), "changed") {
		t.Errorf("the error is %v, want a conflict", err)
	}
	hits, err := s.Search(t.Context(), "two", 5)
	if err != nil || len(hits) != 1 {
		t.Errorf("the hits are %v and %v", hits, err)
	}
}

func TestTwoFilesStoresOnOneFolderSeeEachOther(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "memory")
	a, b := openFiles(t, dir), openFiles(t, dir)
	ch, err := b.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m, err := a.Remember(t.Context(), memstore.RememberRequest{Key: "a", Value: "one", Provenance: model})
	if err != nil {
		t.Fatal(err)
	}
	select {
	case <-ch:
	case <-time.After(10 * time.Second):
		t.Error("nothing was heard")
	}
	e, err := b.Recall(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	eq(t, "the version", e.Version, m.Entry.Version)
}

func TestAFileThatIsNoMemoryIsNamedAndNotOverwritten(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "memory")
	s := openFiles(t, dir)
	secret := "gh" + "p_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	p := filepath.Join(dir, "token.md")
	if err := os.WriteFile(p, []byte("use "+secret+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	refused, err := s.Refused(t.Context())
	if err != nil || len(refused) != 1 {
		t.Fatalf("refused is %v and %v", refused, err)
	}
	if r := refused[0].Reason; !strings.Contains(r, "rule") || strings.Contains(r, secret) {
		t.Errorf("the reason is %q", r)
	}
	if _, err := s.Remember(t.Context(), memstore.RememberRequest{Key: "token", Value: "elsewhere", Provenance: model}); err == nil {
		t.Error("the file was overwritten")
	}
}

func TestTheFilesStoreWritesItsList(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	s := openFiles(t, filepath.Join(root, "memory"))
	if _, err := s.Remember(t.Context(), memstore.RememberRequest{Key: "a/b", Value: "one", Provenance: model}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(root, "REVERIE.md"))
	if err != nil || !strings.Contains(string(b), "- [a/b](memory/a/b.md): one\n") {
		t.Errorf("the list is %s and %v", b, err)
	}
}
