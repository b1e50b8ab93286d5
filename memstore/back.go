package memstore

import (
	"context"
	"fmt"
)

// Undo takes the current revision back; see [Versioned]. Where a person forgot
// the key, bringing it back by anybody else is a [ForgottenError] unless
// Revive is set. The new revision's origin is [Undone] whatever the request
// says.
func (d *DB) Undo(ctx context.Context, r UndoRequest) (Mutation, error) {
	var m Mutation
	key, err := Key(r.Key)
	if err != nil {
		return m, err
	}
	r.Provenance.Origin = Undone
	if err := admitProvenance(r.Provenance); err != nil {
		return m, err
	}
	err = d.change(ctx, func(t *txn) error {
		before, err := t.exact(key, r.Expected)
		if err != nil {
			return err
		}
		m, err = t.undo(before, r.Revive, r.Provenance)
		return err
	})
	return m, err
}

// undo writes the state that undoing before restores. What undoing the new
// revision would restore is then what undoing the restored one would.
func (t *txn) undo(before row, revive bool, p Provenance) (Mutation, error) {
	x, next := t.tombstone(before), int64(undoNothing)
	switch {
	case before.undo == undoNothing:
		return Mutation{}, fmt.Errorf("%s memory %q: %w", t.db.scope, before.Key, ErrNothingToUndo)
	case before.undo > 0:
		back, ok, err := t.bySeq(before.undo)
		if err != nil {
			return Mutation{}, err
		}
		if !ok || back.entry != before.entry {
			return Mutation{}, t.db.damaged(fmt.Sprintf("revision %d undoes to %d, which is not of the same key", before.Seq, before.undo))
		}
		if back.Purged && !back.Forgotten {
			return Mutation{}, fmt.Errorf("%s memory %q: %w", t.db.scope, before.Key, ErrNothingToUndo)
		}
		next = back.undo
		if !back.Forgotten {
			x = back.text()
		}
	}
	if err := t.admitBack(before, x, revive, p); err != nil {
		return Mutation{}, err
	}
	after, err := t.append(before, before.Key, OpUndo, x, before.Version, next, p)
	if err != nil {
		return Mutation{}, err
	}
	return Mutation{Entry: after.Entry, Previous: before.Entry, Op: OpUndo, Changed: true}, nil
}

// admitBack checks a state that comes back from history: rules may have grown
// stricter since, and another writer may be allowed less.
func (t *txn) admitBack(before row, x text, revive bool, p Provenance) error {
	if x.forgotten {
		return nil
	}
	if !revive && !mayRevive(before, p) {
		return &ForgottenError{Scope: t.db.scope, Key: before.Key, By: ByUser}
	}
	return admit(t.db.scope, before.Key, x, p)
}

// text is the state that a revision left.
func (r *row) text() text {
	return text{value: r.Value, description: r.Description, kind: r.Kind, updated: r.Updated, forgotten: r.Forgotten}
}

// Restore brings the state of a revision back as a new one; see [Versioned].
// A version that no revision of the key has is a [NotFoundError], one whose
// text was purged an [InvalidError]. Restoring what is there changes nothing.
// The new revision's origin is [Restored] whatever the request says.
func (d *DB) Restore(ctx context.Context, r RestoreRequest) (Mutation, error) {
	var m Mutation
	key, err := Key(r.Key)
	if err != nil {
		return m, err
	}
	r.Provenance.Origin = Restored
	if err := admitProvenance(r.Provenance); err != nil {
		return m, err
	}
	err = d.change(ctx, func(t *txn) error {
		before, ok, err := t.current(key)
		switch {
		case err != nil:
			return err
		case !ok:
			return &NotFoundError{Scope: d.scope, Key: key}
		case r.Expected != "" && !matches(before, r.Expected):
			return conflict(d.scope, key, r.Expected, before.Entry)
		}
		m, err = t.restore(before, r.To, r.Revive, r.Provenance)
		return err
	})
	return m, err
}

func (t *txn) restore(before row, to Version, revive bool, p Provenance) (Mutation, error) {
	back, ok, err := t.byVersion(before.entry, to)
	if err != nil {
		return Mutation{}, err
	}
	if !ok {
		return Mutation{}, &NotFoundError{Scope: t.db.scope, Key: before.Key, Version: to}
	}
	if back.Purged {
		return Mutation{}, &InvalidError{What: "version", Rule: "its text was purged", Got: string(to)}
	}
	x := back.text()
	if x.forgotten {
		x = t.tombstone(before)
	}
	if err := t.admitBack(before, x, revive, p); err != nil {
		return Mutation{}, err
	}
	if same(before, x) {
		return unchanged(before, OpRestore), nil
	}
	return t.put(before, before.Key, OpRestore, x, before.Seq, p)
}
