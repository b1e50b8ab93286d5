package files

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"reverie/memstore"
	"reverie/memstore/search"
)

// StoreOptions say which folder to open.
type StoreOptions struct {
	Dir   string           // the folder of memory files; made where missing
	Scope memstore.Scope   // whose memory it is: project or user
	Now   func() time.Time // nil: time.Now
	Warn  func(string)     // told in a sentence of files that are no memories; may be nil
}

// Store is a memory whose files are all there is: no database and no history. A
// change replaces the file, forgetting deletes it, and what a person does to a
// file holds from the next call on.
//
// A version stands for the content of one key's file, so that an edit by hand
// makes a version stale as a save does. Who wrote an entry is not in its file:
// it is known for what this process wrote, and memstore.ByFile otherwise.
type Store struct {
	scope memstore.Scope
	dir   string
	now   func() time.Time
	warn  func(string)
	lock  *flock.Flock // on the folder, held while a file is replaced

	mu      sync.Mutex
	folder  *folder
	cache   map[string]*cached
	seen    time.Time // when the folder was last looked at
	refused []Refused
	warned  map[string]bool
	index   *search.Index
	closed  bool

	watch watchers
}

var _ memstore.Store = (*Store)(nil)

// cached is an entry as its file had it.
type cached struct {
	rel   string
	hash  hash
	stat  stat
	file  File
	entry memstore.Entry
}

// Open opens the memory in a folder.
func Open(ctx context.Context, o StoreOptions) (*Store, error) {
	if indexName(o.Scope) == "" {
		return nil, &memstore.InvalidError{What: "scope", Rule: "memory in plain files is of the project or of the user", Got: string(o.Scope)}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	mode := os.FileMode(0o755)
	if o.Scope == memstore.User {
		mode = 0o700
	}
	if err := os.MkdirAll(o.Dir, mode); err != nil {
		return nil, fmt.Errorf("making the folder for memory files: %w", err)
	}
	f, err := openFolder(o.Dir, o.Scope == memstore.User)
	if err != nil {
		return nil, err
	}
	s := &Store{
		scope: o.Scope, dir: f.path, now: o.Now, warn: o.Warn, folder: f,
		lock:  flock.New(f.path, flock.SetFlag(os.O_RDONLY)),
		cache: map[string]*cached{}, warned: map[string]bool{}, index: search.New(),
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.warn == nil {
		s.warn = func(string) {}
	}
	return s, nil
}

// Scope is whose memory this is.
func (s *Store) Scope() memstore.Scope { return s.scope }

// Capabilities say that there is no history. What was saved is on the disk.
func (s *Store) Capabilities() memstore.Capabilities { return memstore.Capabilities{Durable: true} }

// Location is the folder.
func (s *Store) Location() string { return s.dir }

// Refused are the files that are no memories, as of now.
func (s *Store) Refused(ctx context.Context) ([]Refused, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	return slices.Clone(s.refused), nil
}

// Close ends all watching. Calls after it answer memstore.ErrClosed.
func (s *Store) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	err := errors.Join(s.folder.close(), s.lock.Close())
	s.mu.Unlock()
	s.watch.close()
	return err
}

// take takes the lock of an open store.
func (s *Store) take(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return memstore.ErrClosed
	}
	return nil
}

// begin takes the lock and looks at the folder.
func (s *Store) begin(ctx context.Context) error {
	if err := s.take(ctx); err != nil {
		return err
	}
	if err := s.refresh(ctx); err != nil {
		s.mu.Unlock()
		return err
	}
	return nil
}

// Recall returns the entry of a key; see memstore.Store.
func (s *Store) Recall(ctx context.Context, key string) (memstore.Entry, error) {
	key, err := memstore.Key(key)
	if err != nil {
		return memstore.Entry{}, err
	}
	if err := s.begin(ctx); err != nil {
		return memstore.Entry{}, err
	}
	defer s.mu.Unlock()
	c, ok := s.cache[key]
	if !ok {
		return memstore.Entry{}, &memstore.NotFoundError{Scope: s.scope, Key: key}
	}
	return c.entry, nil
}

// List returns entries by key; see memstore.Store. There are no tombstones.
func (s *Store) List(ctx context.Context, o memstore.ListOptions) ([]memstore.Entry, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	prefix, ok := foldPrefix(o.Prefix)
	if !ok {
		return nil, nil
	}
	all := s.list(prefix)
	if o.Newest {
		memstore.SortNewest(all)
	}
	if o.Limit > 0 && len(all) > o.Limit {
		all = all[:o.Limit]
	}
	return all, nil
}

func (s *Store) list(prefix string) []memstore.Entry {
	var all []memstore.Entry
	for k, c := range s.cache {
		if strings.HasPrefix(k, prefix) {
			all = append(all, c.entry)
		}
	}
	slices.SortFunc(all, func(a, b memstore.Entry) int { return strings.Compare(a.Key, b.Key) })
	return all
}

// foldPrefix folds the beginning of a key, which may end anywhere; false means
// that no key begins so.
func foldPrefix(prefix string) (string, bool) {
	if prefix == "" {
		return "", true
	}
	if k, err := memstore.Key(prefix); err == nil {
		return k, true
	}
	k, err := memstore.Key(prefix + "a")
	return strings.TrimSuffix(k, "a"), err == nil
}

// Count is how many entries there are.
func (s *Store) Count(ctx context.Context) (int, error) {
	if err := s.begin(ctx); err != nil {
		return 0, err
	}
	defer s.mu.Unlock()
	return len(s.cache), nil
}

// snippetRunes is about how long a hit's snippet is.
const snippetRunes = 240

// Search returns up to limit entries, best first; all that match where limit
// is 0.
func (s *Store) Search(ctx context.Context, query string, limit int) ([]memstore.Hit, error) {
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	defer s.mu.Unlock()
	if limit <= 0 {
		limit = s.index.Len()
	}
	var hits []memstore.Hit
	for _, found := range s.index.Search(query, limit) {
		h := memstore.Hit{Entry: s.cache[found.Key].entry, Score: found.Score}
		h.Snippet, h.Marks = search.Snippet(query, h.Entry.Value, snippetRunes)
		hits = append(hits, h)
	}
	return hits, nil
}

// listPath is the folder of the generated list and where the files lie from
// there.
func listPath(scope memstore.Scope, dir string) (in, links string) {
	if scope == memstore.Project {
		return filepath.Dir(dir), filepath.Base(dir)
	}
	return dir, ""
}

// writeList brings the generated list up to date. It is made from the files, so
// that a list that can't be written is worth a warning and no error.
func (s *Store) writeList() {
	in, links := listPath(s.scope, s.dir)
	f, err := openFolder(in, s.scope == memstore.User)
	if err != nil {
		s.sayOnce(err.Error())
		return
	}
	defer f.close()
	name := indexName(s.scope)
	_, refused, err := writeIndex(f, name, renderIndex(s.scope, s.list(""), links, func(key string) string { return s.cache[key].rel }))
	switch {
	case err != nil:
		s.sayOnce(fmt.Sprintf("the list %s can't be written: %s", filepath.Join(in, name), reasonOf(err)))
	case refused != nil:
		s.sayOnce(filepath.Join(in, name) + ": " + refused.Reason)
	}
}

func (s *Store) sayOnce(text string) {
	if !s.warned[text] {
		s.warned[text] = true
		s.warn(text)
	}
}
