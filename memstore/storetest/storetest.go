// Package storetest is the conformance suite of memory stores: what it checks
// is what a store promises, and a store's own test calls it with a function
// that makes an empty one:
//
//	func TestTheStoreKeepsItsPromises(t *testing.T) {
//		storetest.Run(t, func(t *testing.T) memstore.Store { … })
//	}
//
// What every store promises:
//
//   - Keys are folded on the way in and compared in that form; what is no key,
//     is over a limit or breaks a rule of form is refused with a typed error,
//     and changes nothing.
//   - Remember without a version overwrites, with one it is a compare-and-swap,
//     with none it only creates. A version is checked before anything else, and
//     one that is stale or from another key is a conflict that carries the
//     current state. Saving word for word what is there writes nothing.
//   - Forget needs the exact version; a forgotten key is in no list, count,
//     recall or search.
//   - Search sees everything that was saved before it, and answers with the
//     present text.
//   - Several goroutines may use a store at once; of several that swap the same
//     version, one wins.
//   - Watch tells of changes and ends with its context or the store. After
//     Close every call answers memstore.ErrClosed.
//
// What a store whose capabilities say History promises too:
//
//   - Every state stays in History, newest first, with provenance and times;
//     the stream of Changes has them all, numbered from 1 without holes.
//   - A person's tombstone is brought back by others only with consent.
//   - Undo walks back through the states, to a tombstone, and then to nothing;
//     Restore brings any state back; both as new revisions.
//   - Apply is all or none. Receipts say what became of each operation, and an
//     operation and its line are one transaction.
//
// Last, random sequences of operations are compared, answer by answer, with a
// model of a store that fits on a page (model.go).
package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"reverie/memstore"
)

// Run checks a store that was made empty by each call of open, in the project
// scope. A store is closed by the suite.
func Run(t *testing.T, open func(t *testing.T) memstore.Store) {
	t.Helper()
	run := func(name string, tests []test) {
		t.Run(name, func(t *testing.T) {
			for _, c := range tests {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					s := open(t)
					t.Cleanup(func() { s.Close() })
					c.run(fixture{t, s})
				})
			}
		})
	}
	run("store", storeTests)
	s := open(t)
	history := s.Capabilities().History
	_, versioned := s.(memstore.Versioned)
	s.Close()
	if history != versioned {
		t.Errorf("capabilities say history %t, but that the store is versioned is %t", history, versioned)
	}
	if history && versioned {
		run("history", historyTests)
		run("receipts", receiptTests)
	}
	t.Run("random operations answer as the model does", func(t *testing.T) {
		t.Parallel()
		random(t, open)
	})
}

// test is one promise, named as a sentence.
type test struct {
	name string
	run  func(f fixture)
}

// fixture is a test and its store, with the calls that most tests make.
type fixture struct {
	*testing.T
	s memstore.Store
}

var (
	person = memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}
	model  = memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Learned, Thread: "planning", Turn: 3, Tool: "Remember", Model: "vendor/name"}
	file   = memstore.Provenance{Writer: memstore.ByFile, Origin: memstore.Edited, Source: "a/file.md"}
)

func (f fixture) ctx() context.Context { return f.Context() }

func (f fixture) versioned() memstore.Versioned {
	f.Helper()
	v, ok := f.s.(memstore.Versioned)
	if !ok {
		f.Fatal("the store is not versioned")
	}
	return v
}

// must fails the test when a step that only prepares it fails.
func (f fixture) must(err error) {
	f.Helper()
	if err != nil {
		f.Fatal(err)
	}
}

func (f fixture) save(key, value string) memstore.Entry {
	f.Helper()
	return f.saveBy(model, key, value)
}

func (f fixture) saveBy(p memstore.Provenance, key, value string) memstore.Entry {
	f.Helper()
	m, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: key, Value: value, Provenance: p})
	f.must(err)
	return m.Entry
}

func (f fixture) forgetBy(p memstore.Provenance, key string, v memstore.Version) memstore.Entry {
	f.Helper()
	m, err := f.s.Forget(f.ctx(), memstore.ForgetRequest{Key: key, Expected: v, Provenance: p})
	f.must(err)
	return m.Entry
}

func (f fixture) undo(key string, v memstore.Version) memstore.Entry {
	f.Helper()
	m, err := f.versioned().Undo(f.ctx(), memstore.UndoRequest{Key: key, Expected: v, Provenance: person})
	f.must(err)
	return m.Entry
}

func (f fixture) recall(key string) memstore.Entry {
	f.Helper()
	e, err := f.s.Recall(f.ctx(), key)
	f.must(err)
	return e
}

func (f fixture) keys(o memstore.ListOptions) []string {
	f.Helper()
	es, err := f.s.List(f.ctx(), o)
	f.must(err)
	keys := []string{}
	for _, e := range es {
		keys = append(keys, e.Key)
	}
	return keys
}

// is fails the test when err is not a T, and returns it as one.
func is[T error](f fixture, err error) T {
	f.Helper()
	var want T
	if !errors.As(err, &want) {
		f.Fatalf("the error is %v (%T), want a %T", err, err, want)
	}
	return want
}

func eq[T comparable](f fixture, what string, got, want T) {
	f.Helper()
	if got != want {
		f.Errorf("%s is %v, want %v", what, got, want)
	}
}

// hears fails the test when no value arrives.
func hears(f fixture, ch <-chan struct{}) {
	f.Helper()
	select {
	case _, ok := <-ch:
		if !ok {
			f.Error("the channel was closed")
		}
	case <-time.After(10 * time.Second):
		f.Error("nothing was heard of the change")
	}
}
