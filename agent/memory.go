package agent

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"reverie/memstore"
)

// memory is what a conversation knows of the stores: their state as of the
// session's start, which the stable part of the prompt shows, and what changed
// since.
type memory struct {
	project, user memstore.Store
	vocabulary    string
	filePath      func(memstore.Scope, string) string
	now           func() time.Time

	mu      sync.Mutex
	rebuilt bool // the stable part has to be made again
	start   map[memstore.Scope]*since
	known   knownFacts
}

// knownFacts are the rendered user facts as of a place in the user model's
// stream, so that they are read again only when something changed.
type knownFacts struct {
	seq   int64
	made  bool
	lines []line
}

// since follows one store from the moment the index was made.
type since struct {
	store   memstore.Store
	entries []memstore.Entry // as of the start, by key
	before  map[string]memstore.Version
	seq     int64 // of a versioned store: read up to here
	changed map[string]change
}

// change is the latest state of an entry that changed since the start.
type change struct {
	entry memstore.Entry
	gone  bool
	at    time.Time
}

func newMemory(cfg Config) *memory {
	return &memory{
		project: cfg.Project, user: cfg.User,
		vocabulary: cfg.Vocabulary,
		filePath:   cfg.FilePath,
		now:        cfg.Now,
	}
}

// scoped returns the store of a scope, or nil.
func (m *memory) scoped(scope memstore.Scope) memstore.Store {
	switch scope {
	case memstore.Project:
		return m.project
	case memstore.User:
		return m.user
	}
	return nil
}

// indexed are the stores that the index covers: the project's, and in the
// files vocabulary the user's as well.
func (m *memory) indexed() []memstore.Store {
	var out []memstore.Store
	if m.project != nil {
		out = append(out, m.project)
	}
	if m.user != nil && m.vocabulary == Files {
		out = append(out, m.user)
	}
	return out
}

// begin reads the state that the index shows.
func (m *memory) begin(ctx context.Context) error {
	start := map[memstore.Scope]*since{}
	for _, s := range m.indexed() {
		d := &since{store: s, before: map[string]memstore.Version{}, changed: map[string]change{}}
		if v, ok := versioned(s); ok {
			// The sequence number is read first: what is written between the
			// two reads is then shown twice, and never lost.
			seq, err := lastSeq(ctx, v)
			if err != nil {
				return fmt.Errorf("reading the %s memory: %w", s.Scope(), err)
			}
			d.seq = seq
		}
		entries, err := s.List(ctx, memstore.ListOptions{Newest: true})
		if err != nil {
			return fmt.Errorf("reading the %s memory: %w", s.Scope(), err)
		}
		d.entries = entries
		for _, e := range entries {
			d.before[e.Key] = e.Version
		}
		start[s.Scope()] = d
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.start = start
	m.rebuilt = true
	return nil
}

// follow brings what changed up to date. It answers true where a person
// forgot or purged something, so that the stable part must be made again.
func (m *memory) follow(ctx context.Context) (again bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, d := range m.start {
		var a bool
		if v, ok := versioned(d.store); ok {
			a, err = d.readStream(ctx, v)
		} else {
			a, err = d.compare(ctx)
		}
		if err != nil {
			return false, fmt.Errorf("reading the %s memory: %w", d.store.Scope(), err)
		}
		again = again || a
	}
	return again, nil
}

const streamPage = 500

func (d *since) readStream(ctx context.Context, v memstore.Versioned) (again bool, err error) {
	for {
		revisions, err := v.Changes(ctx, d.seq, streamPage)
		if err != nil {
			return false, err
		}
		for _, r := range revisions {
			d.seq = r.Seq
			gone := r.Forgotten || r.Op == memstore.OpPurge
			if gone && byPerson(r) {
				again = true
			}
			if _, was := d.before[r.Key]; gone && !was {
				delete(d.changed, r.Key)
				continue
			}
			d.changed[r.Key] = change{entry: r.Entry, gone: gone, at: r.Recorded}
		}
		if len(revisions) < streamPage {
			return again, nil
		}
	}
}

// byPerson says whether a person took the entry away: by a purge, by their own
// hand or file, or by approving a tool's question.
func byPerson(r memstore.Revision) bool {
	w := r.Provenance.Writer
	return r.Op == memstore.OpPurge || w == memstore.ByUser || w == memstore.ByFile ||
		r.Op == memstore.OpForget && r.Provenance.Origin == memstore.Explicit
}

// compare does for a store without history what readStream does for others.
// Nothing says who deleted an entry there, so it counts as a person's act.
func (d *since) compare(ctx context.Context) (again bool, err error) {
	entries, err := d.store.List(ctx, memstore.ListOptions{})
	if err != nil {
		return false, err
	}
	changed := map[string]change{}
	seen := make(map[string]bool, len(entries))
	for _, e := range entries {
		seen[e.Key] = true
		if d.before[e.Key] != e.Version {
			changed[e.Key] = change{entry: e, at: e.Updated}
		}
	}
	for key := range d.before {
		if !seen[key] {
			again = true
		}
	}
	d.changed = changed
	return again, nil
}

// factLines renders the user facts, newest first.
func (m *memory) factLines(ctx context.Context) ([]line, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	v, ok := versioned(m.user)
	if ok && m.known.made {
		news, err := v.Changes(ctx, m.known.seq, 1)
		if err != nil {
			return nil, err
		}
		if len(news) == 0 {
			return m.known.lines, nil
		}
	}
	known := knownFacts{made: true}
	var err error
	if ok {
		if known.seq, err = lastSeq(ctx, v); err != nil {
			return nil, err
		}
	}
	entries, err := m.user.List(ctx, memstore.ListOptions{Newest: true})
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		known.lines = append(known.lines, line{Ref{e.Scope, e.Key}, mark(e.Scope, e.Key, e.Value, attribute{"updated", e.Updated.UTC().Format("2006-01-02")})})
	}
	m.known = known
	return known.lines, nil
}

// versioned returns the store's history where it is complete.
func versioned(s memstore.Store) (memstore.Versioned, bool) {
	if s == nil || !s.Capabilities().History {
		return nil, false
	}
	v, ok := s.(memstore.Versioned)
	return v, ok
}

// lastSeq finds the end of a store's stream, whose numbers have no holes, in a
// number of reads that grows with its logarithm.
func lastSeq(ctx context.Context, v memstore.Versioned) (int64, error) {
	beyond := func(n int64) (bool, error) {
		r, err := v.Changes(ctx, n, 1)
		return len(r) > 0, err
	}
	low, high := int64(0), int64(1) // the end is at least low
	for {
		more, err := beyond(high)
		if err != nil {
			return 0, err
		}
		if !more {
			break
		}
		low, high = high, high*2
	}
	for low < high {
		mid := low + (high-low)/2
		more, err := beyond(mid)
		if err != nil {
			return 0, err
		}
		if more {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low, nil
}

// current is the state of a key: the live entry, the tombstone where the store
// keeps history, or a zero Entry where there is nothing.
func current(ctx context.Context, s memstore.Store, key string) (memstore.Entry, error) {
	e, err := s.Recall(ctx, key)
	var missing *memstore.NotFoundError
	if err == nil || !errors.As(err, &missing) {
		return e, err
	}
	v, ok := versioned(s)
	if !ok || !missing.Forgotten {
		return memstore.Entry{}, nil
	}
	h, err := v.History(ctx, key)
	if errors.As(err, &missing) || err == nil && len(h) == 0 {
		return memstore.Entry{}, nil
	}
	if err != nil {
		return memstore.Entry{}, err
	}
	return h[0].Entry, nil
}
