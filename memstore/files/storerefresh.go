package files

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"sync"
	"time"

	"reverie/memstore"
	"reverie/memstore/search"
)

// refresh looks at the folder and reads what is new. Whoever watches hears of
// it.
func (s *Store) refresh(ctx context.Context) error {
	started := time.Now()
	files, refused, err := s.folder.scan(ctx, func(key string) string {
		if c := s.cache[key]; c != nil {
			return c.rel
		}
		return ""
	})
	if err != nil {
		return err
	}
	var stale []found
	for key, f := range files {
		if c := s.cache[key]; c == nil || c.rel != f.rel || c.stat != f.stat || f.stat.racy(s.seen) {
			stale = append(stale, f)
		}
	}
	changed := false
	for key := range s.cache {
		if _, ok := files[key]; !ok {
			s.drop(key)
			changed = true
		}
	}
	fresh := s.readStale(ctx, stale)
	if err := ctx.Err(); err != nil {
		return err
	}
	var docs []search.Document
	for _, r := range fresh {
		switch {
		case errors.Is(r.err, errUnsettled), errors.Is(r.err, fs.ErrNotExist):
			// What was read before stands until the next look.
		case r.err != nil:
			refused = append(refused, Refused{Path: r.rel, Key: r.key, Reason: reasonOf(r.err)})
			changed = s.drop(r.key) || changed
		case r.cached.entry.Key == "": // as it was
			s.cache[r.key].stat, s.cache[r.key].rel = r.cached.stat, r.rel
		default:
			s.cache[r.key] = r.cached
			docs = append(docs, document(r.cached.entry))
			changed = true
		}
	}
	s.put(docs)
	s.seen, s.refused = started, refused
	for _, r := range refused {
		s.sayOnce("the memory file " + r.Path + " was left out: " + r.Reason)
	}
	if changed {
		s.writeList()
		s.watch.wake()
	}
	return nil
}

// put indexes documents, older ones first.
func (s *Store) put(docs []search.Document) {
	slices.SortStableFunc(docs, func(a, b search.Document) int { return a.Updated.Compare(b.Updated) })
	if s.index.Len() == 0 {
		s.index.Load(slices.Values(docs))
		return
	}
	for _, d := range docs {
		s.index.Put(d)
	}
}

func (s *Store) drop(key string) bool {
	_, ok := s.cache[key]
	delete(s.cache, key)
	s.index.Delete(key)
	return ok
}

func document(e memstore.Entry) search.Document {
	return search.Document{Key: e.Key, Description: e.Description, Value: e.Value, Thread: e.Provenance.Thread, Updated: e.Updated}
}

// freshly is the result of reading one file of a store.
type freshly struct {
	key, rel string
	cached   *cached
	err      error
}

// readStale reads and checks files by several processors.
func (s *Store) readStale(ctx context.Context, stale []found) []freshly {
	results := make([]freshly, len(stale))
	var wg sync.WaitGroup
	workers := min(len(stale), 2*runtime.GOMAXPROCS(0))
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(stale) && ctx.Err() == nil; i += workers {
				results[i] = s.readEntry(ctx, stale[i])
			}
		})
	}
	wg.Wait()
	return results
}

func (s *Store) readEntry(ctx context.Context, f found) freshly {
	r := freshly{key: f.key, rel: f.rel}
	b, st, err := s.folder.read(f.rel)
	if err != nil {
		r.err = err
		return r
	}
	c := &cached{rel: f.rel, stat: st, hash: sha256.Sum256(b)}
	r.cached = c
	if old := s.cache[f.key]; old != nil && old.hash == c.hash {
		return r
	}
	file, kind, reason := memoryOf(s.scope, f.key, b)
	if reason != "" {
		r.err = errors.New(reason)
		return r
	}
	c.file = file
	updated := file.Updated
	if updated.IsZero() {
		updated = time.Unix(0, st.mtime)
	}
	m, err := admit(ctx, s.scope, memstore.RememberRequest{
		Key: f.key, Value: file.Value, Description: file.Description, Kind: kind, Updated: updated,
		Provenance: memstore.Provenance{Writer: memstore.ByFile, Origin: memstore.Edited, Source: f.rel},
	})
	if err != nil {
		r.err = err
		return r
	}
	c.entry = m
	c.entry.Version = versionOf(s.scope, f.key, b)
	return r
}

// admit decides whether an entry may be saved, and returns it as it would be.
// What may be saved is for memstore alone to say: a store in memory is asked.
func admit(ctx context.Context, scope memstore.Scope, r memstore.RememberRequest) (memstore.Entry, error) {
	r.Expected = ""
	m, err := memstore.NewPlain(scope).Remember(ctx, r)
	return m.Entry, err
}

var tokenAlphabet = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// versionOf is the version of a content under a key.
func versionOf(scope memstore.Scope, key string, content []byte) memstore.Version {
	return token([]byte(scope), []byte(key), content)
}

// token makes a version of what it stands for: "r_" and 60 bits of a hash.
func token(parts ...[]byte) memstore.Version {
	h := sha256.New()
	for _, p := range parts {
		h.Write(p)
		h.Write([]byte{0})
	}
	return memstore.Version("r_" + tokenAlphabet.EncodeToString(h.Sum(nil))[:12])
}
