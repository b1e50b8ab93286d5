package vector_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"reverie/memstore"
	"reverie/memstore/vector"
	"reverie/memstore/vector/milvustest"
)

const (
	collection = "reverie_memory"
	model      = "words-256"
	// forever is a search time for tests in which no server is slow: longer
	// than a loaded machine takes.
	forever = 30 * time.Second
)

// A rig is an index over two stores, with both servers.
type rig struct {
	*vector.Index
	t             testing.TB
	project, user *memstore.DB
	milvus        *milvustest.Milvus
	embeddings    *milvustest.Embeddings
	clock         *clock
	warned        *lines
}

type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// lines are what Warn was told.
type lines struct {
	mu  sync.Mutex
	all []string
}

func (l *lines) add(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, s)
}

func (l *lines) list() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all)
}

func open(t testing.TB, scope memstore.Scope) *memstore.DB {
	t.Helper()
	db, err := memstore.Open(t.Context(), memstore.Options{Dir: t.TempDir(), Scope: scope})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func newRig(t testing.TB) *rig {
	t.Helper()
	r := &rig{t: t, project: open(t, memstore.Project), user: open(t, memstore.User),
		milvus: milvustest.NewMilvus(t), embeddings: milvustest.NewEmbeddings(t),
		clock: &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}, warned: &lines{}}
	r.Index = r.index("/home/ada/app", collection, model)
	return r
}

// index makes a further one over the same stores and servers, as another
// process would.
func (r *rig) index(root, name, model string) *vector.Index {
	r.t.Helper()
	return r.over(r.project, r.user, root, name, model)
}

func (r *rig) over(project, user memstore.Store, root, name, model string) *vector.Index {
	r.t.Helper()
	e, err := vector.NewEmbedder(vector.EmbedderOptions{URL: r.embeddings.Base(), Model: model})
	if err != nil {
		r.t.Fatal(err)
	}
	m, err := vector.NewMilvus(vector.MilvusOptions{URL: r.milvus.URL()})
	if err != nil {
		r.t.Fatal(err)
	}
	x := vector.New(vector.Options{Project: project, User: user, Root: root, Embedder: e, Milvus: m,
		Collection: name, Now: r.clock.Now, Warn: r.warned.add})
	x.Hasten(forever)
	return x
}

func save(t testing.TB, s memstore.Store, key, value string) memstore.Entry {
	t.Helper()
	m, err := s.Remember(t.Context(), memstore.RememberRequest{Key: key, Value: value,
		Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}})
	if err != nil {
		t.Fatal(err)
	}
	return m.Entry
}

func forget(t testing.TB, s memstore.Store, key string) {
	t.Helper()
	e, err := s.Recall(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(t.Context(), memstore.ForgetRequest{Key: key, Expected: e.Version,
		Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}}); err != nil {
		t.Fatal(err)
	}
}

func catchUp(t testing.TB, x *vector.Index) {
	t.Helper()
	if err := x.Catchup(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// keys are those of a search by meaning, with the scope's first letter.
func keys(t testing.TB, x *vector.Index, query string) string {
	t.Helper()
	matches, err := x.Search(t.Context(), query, 3)
	if err != nil {
		t.Fatal(err)
	}
	return names(matches)
}

func names(matches []vector.Match) string {
	var out []string
	for _, m := range matches {
		out = append(out, string(m.Entry.Scope)[:1]+":"+m.Entry.Key)
	}
	return strings.Join(out, " ")
}

func hits(t testing.TB, x *vector.Index, query string) string {
	t.Helper()
	found, err := x.Joined(t.Context(), query, 3)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, h := range found {
		out = append(out, string(h.Entry.Scope)[:1]+":"+h.Entry.Key)
	}
	return strings.Join(out, " ")
}

// running starts Run, which ends before the servers do.
func running(t testing.TB, x *vector.Index) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- x.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Errorf("Run ended with %v", err)
		}
	})
}

// eventually waits for something that another goroutine does.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(forever); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if done() {
			return
		}
	}
	t.Fatalf("did not come to be: %s", what)
}
