package memstore

import "context"

// HoldPages keeps a read transaction open, as a process that reads for a long
// time would.
func HoldPages(ctx context.Context, d *DB) (release func() error, err error) {
	tx, err := d.file.Reader().BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	var n int
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM revisions").Scan(&n); err != nil {
		return nil, err
	}
	return tx.Rollback, nil
}

// Exec runs SQL on the store's file, for tests that need it changed in ways
// that the package never would.
func Exec(ctx context.Context, d *DB, query string, args ...any) error {
	_, err := d.file.Writer().ExecContext(ctx, query, args...)
	return err
}
