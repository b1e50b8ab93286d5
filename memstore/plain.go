package memstore

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"reverie/memstore/search"
)

// plain is a store in memory without history.
type plain struct {
	scope Scope

	mu      sync.Mutex
	entries map[string]Entry
	index   *search.Index
	watch   map[chan struct{}]bool
	closed  bool
}

// NewPlain returns an empty store that lives in memory and keeps no history: a
// change replaces the state before, and forgetting deletes. Versions are made
// for each write, so that compare-and-swap works as in every store. It is for
// what needs no file, such as tests and sessions that leave nothing behind.
func NewPlain(scope Scope) Store {
	return &plain{scope: scope, entries: map[string]Entry{}, index: search.New(), watch: map[chan struct{}]bool{}}
}

func (s *plain) Scope() Scope { return s.scope }

func (s *plain) Capabilities() Capabilities { return Capabilities{} }

func (s *plain) Location() string { return "" }

// lock takes the lock of an open store.
func (s *plain) lock(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return ErrClosed
	}
	return nil
}

func (s *plain) Remember(ctx context.Context, r RememberRequest) (Mutation, error) {
	w, err := wanted(s.scope, r, time.Now())
	if err != nil {
		return Mutation{}, err
	}
	if err := s.lock(ctx); err != nil {
		return Mutation{}, err
	}
	defer s.mu.Unlock()
	before := row{Revision: Revision{Entry: s.entries[w.key]}}
	if w.expected != "" && !matches(before, w.expected) {
		return Mutation{}, conflict(s.scope, w.key, w.expected, before.Entry)
	}
	if w.refused != nil {
		return Mutation{}, w.refused
	}
	w.text.kind = kindAfter(s.scope, w.text.kind, before.Entry)
	if same(before, w.text) {
		return unchanged(before, OpRemember), nil
	}
	e := Entry{
		Scope: s.scope, Key: w.key, Value: w.text.value, Description: w.text.description, Kind: w.text.kind,
		Version: newVersion(), Created: before.Created, Updated: fromMicros(micros(w.text.updated)), Provenance: w.p,
	}
	if before.Version == "" {
		e.Created = e.Updated
	}
	s.entries[w.key] = e
	s.index.Put(document(e))
	s.wake()
	return Mutation{Entry: e, Previous: before.Entry, Op: OpRemember, Changed: true}, nil
}

func (s *plain) Recall(ctx context.Context, key string) (Entry, error) {
	key, err := Key(key)
	if err != nil {
		return Entry{}, err
	}
	if err := s.lock(ctx); err != nil {
		return Entry{}, err
	}
	defer s.mu.Unlock()
	e, ok := s.entries[key]
	if !ok {
		return Entry{}, &NotFoundError{Scope: s.scope, Key: key}
	}
	return e, nil
}

func (s *plain) List(ctx context.Context, o ListOptions) ([]Entry, error) {
	prefix, err := foldPrefix(o.Prefix)
	if err != nil {
		return nil, err
	}
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	var all []Entry
	for k, e := range s.entries {
		if strings.HasPrefix(k, prefix) {
			all = append(all, e)
		}
	}
	slices.SortFunc(all, func(a, b Entry) int { return strings.Compare(a.Key, b.Key) })
	if o.Newest {
		SortNewest(all)
	}
	if o.Limit > 0 && len(all) > o.Limit {
		all = all[:o.Limit]
	}
	return all, nil
}

func (s *plain) Count(ctx context.Context) (int, error) {
	if err := s.lock(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	return len(s.entries), nil
}

func (s *plain) Forget(ctx context.Context, r ForgetRequest) (Mutation, error) {
	key, err := Key(r.Key)
	if err != nil {
		return Mutation{}, err
	}
	p := r.Provenance.withOrigin(Explicit)
	if err := admitProvenance(p); err != nil {
		return Mutation{}, err
	}
	if err := s.lock(ctx); err != nil {
		return Mutation{}, err
	}
	defer s.mu.Unlock()
	before, ok := s.entries[key]
	if !ok {
		return Mutation{}, &NotFoundError{Scope: s.scope, Key: key}
	}
	if before.Version != r.Expected {
		return Mutation{}, conflict(s.scope, key, r.Expected, before)
	}
	delete(s.entries, key)
	s.index.Delete(key)
	s.wake()
	after := Entry{Scope: s.scope, Key: key, Kind: before.Kind, Created: before.Created, Updated: fromMicros(micros(time.Now())), Forgotten: true, Provenance: p}
	return Mutation{Entry: after, Previous: before, Op: OpForget, Changed: true}, nil
}

func (s *plain) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if limit <= 0 {
		limit = s.index.Len()
	}
	var hits []Hit
	for _, f := range s.index.Search(query, limit) {
		hits = append(hits, hit(query, s.entries[f.Key], f.Score))
	}
	return hits, nil
}

func (s *plain) Watch(ctx context.Context) (<-chan struct{}, error) {
	if err := s.lock(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	ch := make(chan struct{}, 1)
	s.watch[ch] = true
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.drop(ch)
	})
	return ch, nil
}

func (s *plain) drop(ch chan struct{}) {
	if s.watch[ch] {
		delete(s.watch, ch)
		close(ch)
	}
}

func (s *plain) wake() {
	for ch := range s.watch {
		select {
		case ch <- struct{}{}:
		default: // a value waits already and stands for this change too
		}
	}
}

func (s *plain) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for ch := range s.watch {
		s.drop(ch)
	}
	return nil
}
