package memstore

import (
	"context"
	"time"
)

// Remember saves an entry; see [Store].
func (d *DB) Remember(ctx context.Context, r RememberRequest) (Mutation, error) {
	var m Mutation
	w, err := wanted(d.scope, r, d.now())
	if err != nil {
		return m, err
	}
	// A text that can't be saved is refused without waiting for the lock,
	// unless there is a version to be checked before it.
	if w.refused != nil && r.Expected == "" {
		return m, w.refused
	}
	err = d.change(ctx, func(t *txn) (err error) {
		m, err = t.remember(w)
		return err
	})
	return m, err
}

// want is a request to remember, checked as far as that needs no store.
type want struct {
	key      string
	expected Version
	text     text
	revive   bool
	p        Provenance
	refused  error // why the text may not be saved
}

// wanted checks a request. Without a valid key there is nothing to compare
// versions of, so that error comes first of all; any other waits in refused.
func wanted(scope Scope, r RememberRequest, now time.Time) (want, error) {
	key, err := Key(r.Key)
	if err != nil {
		return want{}, err
	}
	w := want{key: key, expected: r.Expected, revive: r.Revive, p: r.Provenance.withOrigin(Explicit)}
	w.text = text{value: r.Value, description: r.Description, kind: r.Kind, updated: r.Updated}
	if w.text.updated.IsZero() {
		w.text.updated = now
	}
	w.refused = admit(scope, r.Key, w.text, w.p)
	return w, nil
}

func (t *txn) remember(w want) (Mutation, error) {
	if t.mostlyNew && w.refused == nil && (w.expected == "" || w.expected == None) {
		if m, ok, err := t.create(w); ok || err != nil {
			return m, err
		}
	}
	before, ok, err := t.current(w.key)
	if err != nil {
		return Mutation{}, err
	}
	t.mostlyNew = !ok
	if w.expected != "" && !matches(before, w.expected) {
		return Mutation{}, conflict(t.db.scope, w.key, w.expected, before.Entry)
	}
	if w.refused != nil {
		return Mutation{}, w.refused
	}
	if !w.revive && !mayRevive(before, w.p) {
		return Mutation{}, &ForgottenError{Scope: t.db.scope, Key: w.key, By: ByUser}
	}
	w.text.kind = kindAfter(t.db.scope, w.text.kind, before.Entry)
	if same(before, w.text) {
		return unchanged(before, OpRemember), nil
	}
	return t.put(before, w.key, OpRemember, w.text, before.Seq, w.p)
}

// create saves a key that never was; ok is false where it was. It does in one
// look what asking first does in two.
func (t *txn) create(w want) (m Mutation, ok bool, err error) {
	last, err := t.newest()
	if err != nil {
		return m, false, err
	}
	w.text.kind = kindAfter(t.db.scope, w.text.kind, Entry{})
	r := t.revision(row{}, w.key, OpRemember, w.text, w.p)
	r.Seq, r.undo = last+1, undoToAbsence
	if ok, err = t.addEntry(&r); err != nil || !ok {
		return m, false, err
	}
	return Mutation{Entry: r.Entry, Op: OpRemember, Changed: true}, true, t.addRow(&r)
}

// put appends a revision that undoing takes back to its predecessor (seq 0 is
// undoToAbsence).
func (t *txn) put(before row, key string, op Op, x text, undo int64, p Provenance) (Mutation, error) {
	after, err := t.append(before, key, op, x, "", undo, p)
	if err != nil {
		return Mutation{}, err
	}
	return Mutation{Entry: after.Entry, Previous: before.Entry, Op: op, Changed: true}, nil
}

func unchanged(r row, op Op) Mutation {
	return Mutation{Entry: r.Entry, Previous: r.Entry, Op: op}
}

// matches says whether expected, which is not empty, holds.
func matches(r row, expected Version) bool {
	if expected == None {
		return r.Version == "" || r.Forgotten
	}
	return r.Version == expected
}

func conflict(s Scope, key string, expected Version, current Entry) error {
	return &ConflictError{Scope: s, Key: key, Expected: expected, Current: current}
}

// mayRevive is false where a person forgot the key and somebody else writes.
func mayRevive(before row, p Provenance) bool {
	return !before.Forgotten || before.Provenance.Writer != ByUser || p.Writer == ByUser
}

// same says whether a state is word for word what is there.
func same(r row, x text) bool {
	if r.Version == "" || r.Forgotten || x.forgotten {
		return r.Version != "" && r.Forgotten && x.forgotten
	}
	return r.Value == x.value && r.Description == x.description && r.Kind == x.kind
}

// Forget hides an entry behind a tombstone; see [Store].
func (d *DB) Forget(ctx context.Context, r ForgetRequest) (Mutation, error) {
	var m Mutation
	key, err := Key(r.Key)
	if err != nil {
		return m, err
	}
	p := r.Provenance.withOrigin(Explicit)
	if err := admitProvenance(p); err != nil {
		return m, err
	}
	err = d.change(ctx, func(t *txn) error {
		before, err := t.exact(key, r.Expected)
		if err != nil {
			return err
		}
		m, err = t.forget(before, p)
		return err
	})
	return m, err
}

// exact is the current revision of a key that must exist, and must be at the
// expected version.
func (t *txn) exact(key string, expected Version) (row, error) {
	before, ok, err := t.current(key)
	switch {
	case err != nil:
		return row{}, err
	case !ok:
		return row{}, &NotFoundError{Scope: t.db.scope, Key: key}
	case before.Version != expected:
		return row{}, conflict(t.db.scope, key, expected, before.Entry)
	}
	return before, nil
}

func (t *txn) forget(before row, p Provenance) (Mutation, error) {
	if before.Forgotten {
		return Mutation{}, &NotFoundError{Scope: t.db.scope, Key: before.Key, Forgotten: true}
	}
	return t.put(before, before.Key, OpForget, t.tombstone(before), before.Seq, p)
}

// tombstone is the state of being forgotten. It keeps the kind, for a
// Remember that names none.
func (t *txn) tombstone(before row) text {
	return text{forgotten: true, kind: before.Kind, updated: t.now}
}
