package memstore

import (
	"errors"
	"fmt"

	"reverie/memstore/sqlfile"
)

var (
	ErrClosed        = errors.New("the memory is closed")
	ErrNothingToUndo = errors.New("nothing to undo")
	ErrUnsupported   = errors.New("this memory keeps no history")
)

// NotFoundError says that a key has no live entry (or never had one), or no
// revision of the version that was asked for.
type NotFoundError struct {
	Scope     Scope
	Key       string
	Version   Version // the revision that was asked for; "" for the entry
	Forgotten bool    // there is history, but it is forgotten
}

func (e *NotFoundError) Error() string {
	if e.Version != "" {
		return fmt.Sprintf("%s memory %q has no revision %s", e.Scope, e.Key, e.Version)
	}
	if e.Forgotten {
		return fmt.Sprintf("%s memory %q is forgotten; its history is kept", e.Scope, e.Key)
	}
	return fmt.Sprintf("no %s memory %q", e.Scope, e.Key)
}

// ConflictError says that a version no longer holds. Current is the state
// that does; its Version is empty where the key never was.
type ConflictError struct {
	Scope    Scope
	Key      string
	Expected Version
	Current  Entry
}

func (e *ConflictError) Error() string {
	switch {
	case e.Expected == "":
		return fmt.Sprintf("%s memory %q: the current version is needed", e.Scope, e.Key)
	case e.Current.Version == "":
		return fmt.Sprintf("%s memory %q does not exist, so version %s is not its current one", e.Scope, e.Key, e.Expected)
	case e.Expected == None:
		return fmt.Sprintf("%s memory %q exists already, version %s by %s", e.Scope, e.Key, e.Current.Version, e.Current.Provenance.Writer)
	}
	return fmt.Sprintf("%s memory %q changed: version %s is not current, %s by %s is", e.Scope, e.Key, e.Expected, e.Current.Version, e.Current.Provenance.Writer)
}

// ForgottenError says that a person forgot this key, so that someone else's
// write needs their consent.
type ForgottenError struct {
	Scope Scope
	Key   string
	By    Writer
}

func (e *ForgottenError) Error() string {
	return fmt.Sprintf("%s memory %q was forgotten by a person; saving it again needs their consent", e.Scope, e.Key)
}

// LimitError says that something is larger than it may be; in bytes.
type LimitError struct {
	What  string // "key", "value", "description"
	Limit int
	Size  int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("the %s has %d bytes, the limit is %d; shorten it or split it over several keys", e.What, e.Size, e.Limit)
}

// InvalidError says that something breaks a rule of form.
type InvalidError struct {
	What string // "key", "kind", "description", …
	Rule string // the rule, in words
	Got  string // what was given, where it is safe to show
}

func (e *InvalidError) Error() string {
	if e.Got == "" {
		return fmt.Sprintf("the %s is not valid: %s", e.What, e.Rule)
	}
	return fmt.Sprintf("the %s %q is not valid: %s", e.What, e.Got, e.Rule)
}

// A StateError says that the store's file can't be used, why, and what to do.
// Its reasons are the constants of package sqlfile.
type StateError = sqlfile.StateError
