package files

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"time"

	"reverie/memstore"
)

// writeTries bounds how often a write begins anew because somebody changed the
// file in this moment.
const writeTries = 5

// write runs f on the folder as it is, while no other process writes, and
// again where f finds a file changed.
func (s *Store) write(ctx context.Context, f func() error) error {
	if err := s.take(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	ok, err := s.lock.TryLockContext(ctx, 2*time.Millisecond)
	if err != nil || !ok {
		return fmt.Errorf("waiting for another process that writes to %s: %w", s.dir, err)
	}
	defer s.lock.Unlock()
	for range writeTries {
		if err := s.refresh(ctx); err != nil {
			return err
		}
		if err = f(); !errors.Is(err, errChanged) {
			break
		}
	}
	return err
}

// Remember saves an entry; see memstore.Store.
func (s *Store) Remember(ctx context.Context, r memstore.RememberRequest) (memstore.Mutation, error) {
	var m memstore.Mutation
	key, err := memstore.Key(r.Key)
	if err != nil {
		return m, err
	}
	r.Key = key
	err = s.write(ctx, func() (err error) {
		m, err = s.remember(ctx, r)
		return err
	})
	return m, err
}

func (s *Store) remember(ctx context.Context, r memstore.RememberRequest) (memstore.Mutation, error) {
	before := memstore.Entry{}
	rel, old, was := pathOf(r.Key), (*File)(nil), hash{}
	if c := s.cache[r.Key]; c != nil {
		before, rel, old, was = c.entry, c.rel, &c.file, c.hash
	}
	if r.Expected == memstore.None && before.Version != "" || r.Expected != "" && r.Expected != memstore.None && r.Expected != before.Version {
		return memstore.Mutation{}, &memstore.ConflictError{Scope: s.scope, Key: r.Key, Expected: r.Expected, Current: before}
	}
	if r.Kind == "" {
		r.Kind = before.Kind
	}
	if r.Updated.IsZero() {
		r.Updated = s.now()
	}
	e, err := admit(ctx, s.scope, r)
	if err != nil {
		return memstore.Mutation{}, err
	}
	if before.Version != "" && before.Value == e.Value && before.Description == e.Description && before.Kind == e.Kind {
		return memstore.Mutation{Entry: before, Previous: before, Op: memstore.OpRemember}, nil
	}
	if isGenerated(rel) || s.scope == memstore.User && isUserIndex(rel) {
		return memstore.Mutation{}, &memstore.InvalidError{What: "key", Rule: "its file would have the name of a generated list", Got: r.Key}
	}
	if before.Version != "" {
		e.Created = before.Created
	}
	b := Render(e, old)
	if err := s.replace(rel, was, func() error { return s.folder.swap(rel, b, was, func() {}) }); err != nil {
		return memstore.Mutation{}, err
	}
	if err := s.folder.sync(rel); err != nil {
		return memstore.Mutation{}, fmt.Errorf("saving %s in %s: %w", rel, s.dir, err)
	}
	return s.wrote(e, before, rel, b)
}

// wrote notes a file that was written.
func (s *Store) wrote(e, before memstore.Entry, rel string, b []byte) (memstore.Mutation, error) {
	file, err := Parse(b)
	if err != nil {
		return memstore.Mutation{}, fmt.Errorf("reading back %s in %s: %w", rel, s.dir, err)
	}
	e.Version = versionOf(s.scope, e.Key, b)
	c := &cached{rel: rel, hash: sha256.Sum256(b), file: file, entry: e}
	// Without a state the file is read again, and found to be the same.
	c.stat, _ = s.folder.lstat(rel)
	s.cache[e.Key] = c
	s.index.Put(document(e))
	s.writeList()
	s.watch.wake()
	return memstore.Mutation{Entry: e, Previous: before, Op: memstore.OpRemember, Changed: true}, nil
}

// replace runs f if a file still has a content; the zero hash stands for no
// file.
func (s *Store) replace(rel string, want hash, f func() error) error {
	b, _, err := s.folder.read(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if want != (hash{}) {
			return errChanged
		}
	case errors.Is(err, errUnsettled):
		return errChanged
	case errors.Is(err, syscall.ENOTDIR), errors.Is(err, errNoFile):
		return &memstore.InvalidError{What: "key", Rule: "in the folder of memory files something else has the name of its file or of a folder of it"}
	case err != nil:
		return fmt.Errorf("looking at %s in %s: %w", rel, s.dir, err)
	case want == hash{}:
		// A file that is no memory is in the way.
		return fmt.Errorf("saving %s in %s: a file of that name is no memory (%s); correct it or move it away", rel, s.dir, s.whyRefused(rel))
	case sha256.Sum256(b) != want:
		return errChanged
	}
	if err := f(); err != nil {
		if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, fs.ErrExist) {
			return &memstore.InvalidError{What: "key", Rule: "in the folder of memory files something else has the name of its file or of a folder of it"}
		}
		return fmt.Errorf("changing %s in %s: %w", rel, s.dir, err)
	}
	return nil
}

func (s *Store) whyRefused(rel string) string {
	for _, r := range s.refused {
		if r.Path == rel {
			return r.Reason
		}
	}
	return "it is being written"
}

// Forget deletes an entry's file; see memstore.Store.
func (s *Store) Forget(ctx context.Context, r memstore.ForgetRequest) (memstore.Mutation, error) {
	var m memstore.Mutation
	key, err := memstore.Key(r.Key)
	if err != nil {
		return m, err
	}
	r.Key = key
	// A provenance that is not valid is refused before anything is looked for.
	var missing *memstore.NotFoundError
	if _, err := memstore.NewPlain(s.scope).Forget(ctx, r); !errors.As(err, &missing) {
		return m, err
	}
	err = s.write(ctx, func() (err error) {
		m, err = s.forget(r)
		return err
	})
	return m, err
}

func (s *Store) forget(r memstore.ForgetRequest) (memstore.Mutation, error) {
	c := s.cache[r.Key]
	switch {
	case c == nil:
		return memstore.Mutation{}, &memstore.NotFoundError{Scope: s.scope, Key: r.Key}
	case c.entry.Version != r.Expected:
		return memstore.Mutation{}, &memstore.ConflictError{Scope: s.scope, Key: r.Key, Expected: r.Expected, Current: c.entry}
	}
	if err := s.replace(c.rel, c.hash, func() error { return s.folder.remove(c.rel) }); err != nil {
		return memstore.Mutation{}, err
	}
	s.drop(r.Key)
	s.writeList()
	s.watch.wake()
	p := r.Provenance
	if p.Origin == "" {
		p.Origin = memstore.Explicit
	}
	after := memstore.Entry{
		Scope: s.scope, Key: r.Key, Kind: c.entry.Kind, Created: c.entry.Created,
		Updated: s.now().UTC().Truncate(time.Microsecond), Forgotten: true, Provenance: p,
	}
	return memstore.Mutation{Entry: after, Previous: c.entry, Op: memstore.OpForget, Changed: true}, nil
}
