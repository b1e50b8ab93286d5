package memstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
)

// Recall returns the current entry of a key.
func (d *DB) Recall(ctx context.Context, key string) (Entry, error) {
	key, err := Key(key)
	if err != nil {
		return Entry{}, err
	}
	if err := d.usable(); err != nil {
		return Entry{}, err
	}
	var r row
	switch err := r.scan(d.read.current.QueryRowContext(ctx, key), d.scope); {
	case errors.Is(err, sql.ErrNoRows):
		return Entry{}, &NotFoundError{Scope: d.scope, Key: key}
	case err != nil:
		return Entry{}, d.explain(err)
	case r.Forgotten:
		return Entry{}, &NotFoundError{Scope: d.scope, Key: key, Forgotten: true}
	}
	return r.Entry, nil
}

// List returns the entries whose key begins with a prefix, by key.
func (d *DB) List(ctx context.Context, o ListOptions) ([]Entry, error) {
	prefix, err := foldPrefix(o.Prefix)
	if err != nil {
		return nil, err
	}
	limit := noLimit(o.Limit)
	if o.Newest {
		limit = -1
	}
	rows, err := d.rows(ctx, d.read.list, prefix, prefixEnd(prefix), o.Forgotten, limit)
	if err != nil {
		return nil, err
	}
	if o.Newest {
		slices.SortFunc(rows, func(a, b row) int { return cmp.Compare(b.Seq, a.Seq) })
		if o.Limit > 0 && len(rows) > o.Limit {
			rows = rows[:o.Limit]
		}
	}
	entries := make([]Entry, len(rows))
	for i := range rows {
		entries[i] = rows[i].Entry
	}
	return entries, nil
}

// noLimit makes SQLite's "all" of a limit that is not positive.
func noLimit(n int) int {
	if n <= 0 {
		return -1
	}
	return n
}

// Count is how many live entries there are.
func (d *DB) Count(ctx context.Context) (int, error) {
	last, err := d.lastSeq(ctx)
	if err != nil {
		return 0, err
	}
	d.counted.Lock()
	defer d.counted.Unlock()
	if d.counted.seq != last || last == 0 {
		// A write that comes between the two queries is in the count already
		// and makes the next call count again.
		if err := d.read.count.QueryRowContext(ctx).Scan(&d.counted.n); err != nil {
			return 0, d.explain(err)
		}
		d.counted.seq = last
	}
	return d.counted.n, nil
}

// History returns all revisions of a key, newest first.
func (d *DB) History(ctx context.Context, key string) ([]Revision, error) {
	key, err := Key(key)
	if err != nil {
		return nil, err
	}
	rows, err := d.rows(ctx, d.read.history, key)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, &NotFoundError{Scope: d.scope, Key: key}
	}
	return revisions(rows), nil
}

// Changes returns up to limit revisions after a place in the stream; all where
// limit is 0.
func (d *DB) Changes(ctx context.Context, after int64, limit int) ([]Revision, error) {
	rows, err := d.rows(ctx, d.read.changes, after, noLimit(limit))
	return revisions(rows), err
}

func revisions(rows []row) []Revision {
	rs := make([]Revision, len(rows))
	for i := range rows {
		rs[i] = rows[i].Revision
	}
	return rs
}

// rows runs a query for whole revisions.
func (d *DB) rows(ctx context.Context, q *sql.Stmt, args ...any) ([]row, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	found, err := q.QueryContext(ctx, args...)
	if err != nil {
		return nil, d.explain(err)
	}
	all, err := scanAll(found, d.scope)
	return all, d.explain(err)
}

func scanAll(found *sql.Rows, scope Scope) ([]row, error) {
	defer found.Close()
	var all []row
	for found.Next() {
		var r row
		if err := r.scan(found, scope); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, found.Err()
}

// lastSeq is the newest place in the stream, of any process.
func (d *DB) lastSeq(ctx context.Context) (int64, error) {
	if err := d.usable(); err != nil {
		return 0, err
	}
	var n int64
	err := d.read.last.QueryRowContext(ctx).Scan(&n)
	return n, d.explain(err)
}
