package memstore

import "context"

// Apply makes several changes in one transaction; see [Versioned]. The first
// that is refused is the error, with nothing changed.
func (d *DB) Apply(ctx context.Context, changes []Change) ([]Mutation, error) {
	var ms []Mutation
	err := d.change(ctx, func(t *txn) (err error) {
		ms, err = t.apply(changes)
		return err
	})
	if err != nil {
		return nil, err
	}
	return ms, nil
}

func (t *txn) apply(changes []Change) ([]Mutation, error) {
	ms := make([]Mutation, 0, len(changes))
	for _, c := range changes {
		m, err := t.applyOne(c)
		if err != nil {
			return nil, err
		}
		ms = append(ms, m)
	}
	return ms, nil
}

func (t *txn) applyOne(c Change) (Mutation, error) {
	saves := c.Value != "" || c.Description != "" || c.Kind != ""
	if bit(c.Forget)+bit(c.Restore != "")+bit(saves) != 1 {
		return Mutation{}, &InvalidError{What: "change", Rule: "it does exactly one of forgetting, restoring and saving a new state"}
	}
	w, err := wanted(t.db.scope, RememberRequest{
		Key: c.Key, Value: c.Value, Description: c.Description, Kind: c.Kind,
		Expected: c.Expected, Updated: c.Updated, Revive: c.Revive, Provenance: c.Provenance,
	}, t.now)
	if err != nil {
		return Mutation{}, err
	}
	before, _, err := t.current(w.key)
	if err != nil {
		return Mutation{}, err
	}
	if c.Expected == "" || !matches(before, c.Expected) {
		return Mutation{}, conflict(t.db.scope, w.key, c.Expected, before.Entry)
	}
	if saves {
		return t.remember(w)
	}
	if err := admitProvenance(w.p); err != nil {
		return Mutation{}, err
	}
	if before.Version == "" {
		return Mutation{}, &NotFoundError{Scope: t.db.scope, Key: w.key}
	}
	if c.Forget {
		return t.forget(before, w.p)
	}
	return t.restore(before, c.Restore, c.Revive, w.p)
}
