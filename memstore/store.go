package memstore

import (
	"context"
	"time"
)

// Limits of what an entry may hold, in bytes of UTF-8. What is over a limit is
// refused with a [LimitError]; nothing is ever cut.
const (
	MaxKey         = 128
	MaxValue       = 64 << 10
	MaxDescription = 512
)

// Capabilities say what a store can do beyond [Store]. A caller that offers
// tools or screens looks here first.
type Capabilities struct {
	// History: the store implements [Versioned], keeps every revision, and
	// can undo and restore.
	History bool `json:"history"`
	// Durable: what a call acknowledged survives a crash and power loss.
	Durable bool `json:"durable"`
}

// Store is the memory of one scope. All methods may be called from several
// goroutines at once, and several processes may work on one store.
//
// Keys are folded on the way in (see [Key]); an invalid key is an
// [InvalidError]. A method that changes something changes all of it or
// nothing. After Close every method returns [ErrClosed].
type Store interface {
	Scope() Scope
	Capabilities() Capabilities
	// Location is the file or folder that holds the store; "" for memory.
	Location() string

	// Remember saves an entry. Without Expected it overwrites; with a version
	// it is a compare-and-swap; with [None] it only creates. A version that
	// is not current is a [ConflictError], checked before anything else.
	// Saving word for word what is there answers Changed false and writes
	// nothing. Where a person forgot the key and the writer is not that
	// person, the answer is a [ForgottenError] unless Revive is set.
	Remember(ctx context.Context, r RememberRequest) (Mutation, error)
	// Recall returns the current entry, or a [NotFoundError] where there is
	// none or it is forgotten.
	Recall(ctx context.Context, key string) (Entry, error)
	// List returns the entries whose key is Prefix or lies below it, or, where
	// Prefix ends in the middle of a segment, begins with it; by key.
	List(ctx context.Context, o ListOptions) ([]Entry, error)
	// Count is how many live entries there are.
	Count(ctx context.Context) (int, error)
	// Forget hides the entry behind a tombstone (in a store without history:
	// deletes it). Expected must be the exact current version.
	Forget(ctx context.Context, r ForgetRequest) (Mutation, error)
	// Search returns up to limit entries, best first. The query is plain
	// words. Everything committed before the call, by any process, is seen.
	Search(ctx context.Context, query string, limit int) ([]Hit, error)
	// Watch returns a channel on which a value arrives after changes by this
	// or another process; several changes may share one value. The channel is
	// closed when ctx ends or the store is closed.
	Watch(ctx context.Context) (<-chan struct{}, error)
	Close() error
}

// Versioned is a store with complete history.
type Versioned interface {
	Store

	// History returns all revisions of a key, newest first, forgotten ones
	// too; a [NotFoundError] where the key never was.
	History(ctx context.Context, key string) ([]Revision, error)
	// Undo writes a new revision with the state that undoing the current one
	// restores: its predecessor or, for an undo, whatever undoing the
	// restored one would restore. Undoing the first revision leaves a
	// tombstone; beyond it the answer is [ErrNothingToUndo]. Expected must be
	// the exact current version. Where a person forgot the key, bringing it
	// back by anybody else is a [ForgottenError] unless Revive is set.
	Undo(ctx context.Context, r UndoRequest) (Mutation, error)
	// Restore brings the state of an earlier revision back as a new one; a
	// version that no revision of the key has is a [NotFoundError]. A person's
	// tombstone is guarded as in Undo.
	Restore(ctx context.Context, r RestoreRequest) (Mutation, error)
	// Changes returns up to limit revisions of all keys with Seq > after, in
	// order of Seq. A reader that has seen n has seen all up to n.
	Changes(ctx context.Context, after int64, limit int) ([]Revision, error)
	// Apply makes several changes in one transaction, in order: all or none.
	// Each pins the version that it changes, [None] for a key to be made; a
	// change whose version does not hold is a [ConflictError].
	Apply(ctx context.Context, changes []Change) ([]Mutation, error)
	// Receipts is where decisions on plans are kept.
	Receipts
}

// RememberRequest is what Remember saves.
type RememberRequest struct {
	Key         string
	Value       string
	Description string    // one line, may be empty
	Kind        Kind      // project scope only; empty keeps the present kind, or is Note
	Expected    Version   // "", None or a version
	Updated     time.Time // when the fact was stated; zero is now
	Revive      bool      // a person agreed to bring a forgotten key back
	Provenance  Provenance
}

type ListOptions struct {
	Prefix    string
	Limit     int  // 0: all
	Forgotten bool // tombstones too
	// Newest puts the most recently saved first instead of going by key, and
	// Limit then keeps those. A store without history goes by when they were
	// stated.
	Newest bool
}

type ForgetRequest struct {
	Key        string
	Expected   Version
	Provenance Provenance
}

type UndoRequest struct {
	Key        string
	Expected   Version
	Revive     bool // a person agreed to bring back what a person forgot
	Provenance Provenance
}

type RestoreRequest struct {
	Key        string
	To         Version // the revision whose state comes back
	Expected   Version // "" for whatever is current
	Revive     bool    // a person agreed to bring back what a person forgot
	Provenance Provenance
}

// Change is one step of [Versioned.Apply]. Expected is required; exactly one
// of Forget, Restore or a new state (Value, Description, Kind) is done.
type Change struct {
	Key         string
	Expected    Version
	Forget      bool
	Restore     Version
	Value       string
	Description string
	Kind        Kind
	Updated     time.Time
	Revive      bool // a person agreed to bring back what a person forgot
	Provenance  Provenance
}
