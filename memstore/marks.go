package memstore

import (
	"context"
	"database/sql"
	"errors"
)

// Mark returns a named value; "" where it was never set.
func (d *DB) Mark(ctx context.Context, name string) (string, error) {
	if err := d.usable(); err != nil {
		return "", err
	}
	v, err := scanMark(d.read.mark.QueryRowContext(ctx, name))
	return v, d.explain(err)
}

// SetMark sets a named value if it is still old; see [Receipts].
func (d *DB) SetMark(ctx context.Context, name, old, value string) (bool, error) {
	set := false
	err := d.change(ctx, func(t *txn) error {
		now, err := scanMark(t.stmt(d.in.mark).QueryRowContext(ctx, name))
		if err != nil || now != old {
			return err
		}
		set = true
		return t.setMark(name, value)
	})
	return set && err == nil, err
}

func scanMark(row *sql.Row) (string, error) {
	var v string
	err := row.Scan(&v)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return v, err
}

func (t *txn) setMark(name, value string) error {
	_, err := t.tx.ExecContext(t.ctx, `INSERT INTO marks (name, value, sum) VALUES (?, ?, ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value, sum = excluded.sum`,
		name, value, checksum(name, value))
	return err
}
