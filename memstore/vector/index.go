package vector

import (
	"context"
	"errors"
	"sync"
	"time"

	"reverie/memstore"
)

// Options say what an Index ties together.
type Options struct {
	Project, User memstore.Store // either may be nil
	Root          string         // the project's root, which its rows are tagged with
	Embedder      *Embedder
	Milvus        *Milvus
	Collection    string           // its name in Milvus
	Now           func() time.Time // nil: time.Now
	Warn          func(string)     // told a sentence, once an outage; may be nil
}

// An Index keeps the embeddings of two stores' entries in a collection and
// searches there. Its methods may be called from several goroutines at once,
// and several processes may work on one collection: what they write is the
// same.
//
// A collection belongs to one person: user memories of different people under
// the same key would replace each other's rows.
type Index struct {
	o      Options
	stores []tagged
	outage outage

	// Times that tests shorten.
	firstRetry, searchTime time.Duration

	// catching is held by whoever writes to the collection.
	catching chan struct{}
	// again has a value where Run should catch up though no store changed.
	again chan struct{}

	mu    sync.Mutex
	known *Collection // what is known of the collection; nil: ask
	size  int         // numbers in the model's vectors; 0: not known
	// absent is until when it is taken for true that there is no collection.
	absent time.Time
	// ghosts are keys whose rows a search found and whose entry is forgotten.
	ghosts map[memstore.Scope]map[string]bool
	// told has the entries that were left out and that Warn heard of.
	told map[string]bool
}

// A tagged store is one with the root that its rows have.
type tagged struct {
	memstore.Store
	root      string
	versioned memstore.Versioned // nil: it has no history
}

func (t tagged) rowID(key string) string { return rowID(t.Scope(), t.root, key) }

// New returns an index; it sends nothing.
func New(o Options) *Index {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Warn == nil {
		o.Warn = func(string) {}
	}
	x := &Index{o: o, firstRetry: firstRetry, searchTime: SearchTime, catching: make(chan struct{}, 1),
		again: make(chan struct{}, 1), ghosts: map[memstore.Scope]map[string]bool{}, told: map[string]bool{}}
	x.outage.warn, x.outage.now = o.Warn, o.Now
	for _, s := range []memstore.Store{o.Project, o.User} {
		if s == nil {
			continue
		}
		t := tagged{Store: s, root: rootOf(s.Scope(), o.Root)}
		if v, ok := s.(memstore.Versioned); ok && s.Capabilities().History {
			t.versioned = v
		}
		x.stores = append(x.stores, t)
	}
	return x
}

// enter waits for the right to write to the collection; the function it
// returns gives it back.
func (x *Index) enter(ctx context.Context) (leave func(), err error) {
	select {
	case x.catching <- struct{}{}:
		return func() { <-x.catching }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// collection is what is known of the collection, which may not exist.
func (x *Index) collection(ctx context.Context) (c Collection, exists bool, err error) {
	x.mu.Lock()
	known, absent := x.known, x.absent
	x.mu.Unlock()
	switch {
	case known != nil:
		return *known, true, nil
	case x.o.Now().Before(absent):
		return Collection{}, false, nil
	}
	has, err := x.o.Milvus.Has(ctx, x.o.Collection)
	if err != nil {
		return Collection{}, false, err
	}
	if !has {
		x.mu.Lock()
		x.absent = x.o.Now().Add(absentTime)
		x.mu.Unlock()
		return Collection{}, false, nil
	}
	if c, err = x.o.Milvus.Describe(ctx, x.o.Collection); err != nil {
		return c, false, err
	}
	x.learn(&c)
	return c, true, nil
}

// ready is the collection, made and loaded, for vectors of this size.
func (x *Index) ready(ctx context.Context, dimension int) (Collection, error) {
	x.mu.Lock()
	known := x.known
	x.mu.Unlock()
	model := x.o.Embedder.Model()
	if known != nil && known.Loaded {
		return *known, known.fits(x.o.Collection, model, dimension)
	}
	c, err := x.o.Milvus.Ensure(ctx, x.o.Collection, model, dimension)
	if err == nil {
		x.learn(&c)
	}
	return c, err
}

// embed embeds texts, unless it is known beforehand that the vectors don't fit
// the collection: nothing should be paid for them.
func (x *Index) embed(ctx context.Context, c Collection, exists bool, texts []string) ([][]float32, map[int]error, error) {
	x.mu.Lock()
	size := x.size
	x.mu.Unlock()
	if exists && size > 0 {
		if err := c.fits(x.o.Collection, x.o.Embedder.Model(), size); err != nil {
			return nil, nil, err
		}
	}
	vectors, refused, err := x.o.Embedder.embedEach(ctx, texts)
	if err != nil {
		return nil, nil, err
	}
	for _, v := range vectors {
		if v != nil {
			x.mu.Lock()
			x.size = len(v)
			x.mu.Unlock()
			break
		}
	}
	return vectors, refused, nil
}

// learn keeps what is known of the collection, or forgets it.
func (x *Index) learn(c *Collection) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.known, x.absent = c, time.Time{}
}

// absentTime is how long a missing collection is not asked for again, so that a
// session without memories leaves the server alone.
const absentTime = 30 * time.Second

// failed is called with every error of a server: what was known of the
// collection may no longer be true.
func (x *Index) failed(ctx context.Context, err error) error {
	x.learn(nil)
	var refused *refusedError // one query, and not all
	if ctx.Err() == nil && !errors.Is(err, memstore.ErrClosed) && !errors.As(err, &refused) {
		x.outage.begin(err)
	}
	return err
}

// wake has Run catch up.
func (x *Index) wake() {
	select {
	case x.again <- struct{}{}:
	default: // a value waits already
	}
}
