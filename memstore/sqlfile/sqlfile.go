package sqlfile

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	lib "modernc.org/sqlite/lib"
)

// BusyTimeout is how long a write waits for other processes before it gives
// up with reason [Busy].
const BusyTimeout = 30 * time.Second

// readers bounds the connections that read at the same time. Each has a page
// cache of its own, of up to 2 MiB.
const readers = 4

// Options say what a database holds and whom to tell about it.
type Options struct {
	// Migrations are SQL scripts; the i-th brings the schema from version i to
	// i+1. Released ones are never changed. They must not begin or end
	// transactions.
	Migrations []string
	// Warn is told, in one sentence, what was mended. It may be nil.
	Warn func(string)
}

// DB is an open database file. Its methods may be called from several
// goroutines at once.
type DB struct {
	path   string
	schema int // the newest version this caller knows
	file   os.FileInfo
	write  *sql.DB // one connection; nil where the file can only be read
	read   *sql.DB
	have   *sql.Stmt   // asks the writer for the schema's version
	frozen *StateError // why it can't be written, nil where it can
}

// Open opens the database at path, making it and its folder where they are
// missing, and brings its schema forward. Errors about the file are
// [StateError]s. A file that can only be read, or whose schema is newer, is
// opened for reading; [DB.Writable] says why.
func Open(ctx context.Context, path string, o Options) (*DB, error) {
	warn := o.Warn
	if warn == nil {
		warn = func(string) {}
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("finding the database %s: %w", path, err)
	}
	if err := place(ctx, path, o.Migrations, warn); err != nil {
		return nil, err
	}
	d := &DB{path: path, schema: len(o.Migrations)}
	if d.file, err = os.Stat(path); err != nil {
		return nil, classify(path, err)
	}
	if d.file.Size() == 0 && len(o.Migrations) > 0 {
		return nil, empty(path)
	}
	if d.file.Mode().Perm()&0o200 != 0 {
		err = d.openWriter(ctx, o.Migrations)
	} else {
		err = state(path, ReadOnly, nil)
	}
	// A disk that is read-only shows as a log that can't be opened.
	var se *StateError
	if errors.As(err, &se) && (se.Reason == ReadOnly || se.Reason == Unreadable) {
		if e := d.openFrozen(ctx); e == nil || se.Reason == ReadOnly {
			err = e
		}
		if d.frozen == nil {
			d.frozen = state(path, ReadOnly, se.Err)
		}
	}
	if err != nil {
		d.Close()
		return nil, classify(path, err)
	}
	if d.read == nil {
		d.read = open(d.dsn("_query_only", "1"), readers)
	}
	return d, nil
}

func open(dsn string, conns int) *sql.DB {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		// The driver is registered by our own import and takes any name.
		panic(err)
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db
}

// dsn names the file for the driver, with more parameters as given.
func (d *DB) dsn(more ...string) string {
	q := url.Values{"_busy_timeout": {fmt.Sprint(BusyTimeout.Milliseconds())}}
	q.Add("_pragma", "secure_delete(1)")
	q.Add("_pragma", "trusted_schema(0)")
	for i := 0; i+1 < len(more); i += 2 {
		q.Add(more[i], more[i+1])
	}
	u := url.URL{Scheme: "file", Path: filepath.ToSlash(d.path), RawQuery: q.Encode()}
	return u.String()
}

// openWriter opens the one writing connection and migrates.
func (d *DB) openWriter(ctx context.Context, migrations []string) error {
	d.write = open(d.dsn(
		"_txlock", "immediate",
		"_journal_mode", "WAL",
		"_synchronous", "FULL",
		"_pragma", "fullfsync(1)",
		"_pragma", "checkpoint_fullfsync(1)",
		"_pragma", "journal_size_limit(16777216)",
	), 1)
	var have int
	err := retry(ctx, func() error {
		return d.write.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have)
	})
	if err == nil && have < d.schema {
		err = d.migrate(ctx, migrations)
	}
	if err == nil && have > d.schema {
		d.frozen = d.newer(have)
	}
	if err == nil {
		d.have, err = d.write.PrepareContext(ctx, "PRAGMA user_version")
	}
	return classify(d.path, err)
}

// retry repeats f while another process has the file locked in a way that
// SQLite doesn't wait for by itself, as when two processes make it at once.
func retry(ctx context.Context, f func() error) error {
	deadline := time.Now().Add(BusyTimeout)
	for {
		err := f()
		if c := code(err); c != lib.SQLITE_BUSY && c != lib.SQLITE_PROTOCOL || time.Now().After(deadline) {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
}

func (d *DB) migrate(ctx context.Context, migrations []string) error {
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	// Another process may have migrated while this one waited.
	var have, tables int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if have == 0 && tables > 0 {
		return state(d.path, Foreign, nil)
	}
	for v := have; v < d.schema; v++ {
		if _, err := tx.ExecContext(ctx, migrations[v]); err != nil {
			return fmt.Errorf("bringing %s from schema %d to %d: %w", d.path, v, v+1, err)
		}
	}
	if have < d.schema {
		if _, err := tx.ExecContext(ctx, fmt.Sprintf("PRAGMA user_version = %d", d.schema)); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// openFrozen opens a file that can only be read. Where its folder can't hold
// what SQLite needs beside it, the file is read as it is.
func (d *DB) openFrozen(ctx context.Context) error {
	if d.write != nil {
		d.write.Close()
		d.write = nil
	}
	var have int
	var err error
	for _, more := range [][]string{{"mode", "ro"}, {"mode", "ro", "immutable", "1"}} {
		if len(more) > 2 {
			if _, e := os.Lstat(d.path + "-wal"); e == nil {
				// Ignoring a log would show an old state as the present one.
				break
			}
		}
		d.read = open(d.dsn(more...), readers)
		if err = d.read.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err == nil {
			break
		}
		d.read.Close()
		d.read = nil
	}
	if err != nil {
		return err
	}
	switch {
	case have > d.schema:
		d.frozen = d.newer(have)
	case have < d.schema:
		return state(d.path, ReadOnly, fmt.Errorf("its schema %d must be brought to %d first", have, d.schema))
	}
	return nil
}

func (d *DB) newer(have int) *StateError {
	return state(d.path, Newer, fmt.Errorf("it has schema %d, this program knows %d", have, d.schema))
}

// Path is the absolute path of the file.
func (d *DB) Path() string { return d.path }

// Reader is for queries, several at a time; it can't change anything.
func (d *DB) Reader() *sql.DB { return d.read }

// Writer is the one connection that [DB.Write] uses, for preparing statements
// that run in its transactions. It is nil where [DB.Writable] is not.
func (d *DB) Writer() *sql.DB { return d.write }

// Writable is nil where the file can be written, else the [StateError] that
// says why not.
func (d *DB) Writable() error {
	if d.frozen != nil {
		return d.frozen
	}
	return nil
}

// Write runs f in a transaction that has the write lock from its start, and
// commits it when f returns nil. When Write returns nil, all of it is durable
// in the file that path names; otherwise nothing of it is. f must use tx
// alone.
func (d *DB) Write(ctx context.Context, f func(tx *sql.Tx) error) error {
	if err := d.Writable(); err != nil {
		return err
	}
	if err := d.Present(); err != nil {
		return err
	}
	tx, err := d.write.BeginTx(ctx, nil)
	if err != nil {
		return d.Explain(err)
	}
	defer tx.Rollback()
	var have int
	if err := tx.StmtContext(ctx, d.have).QueryRowContext(ctx).Scan(&have); err != nil {
		return d.explain(ctx, err)
	}
	if have > d.schema {
		return d.newer(have)
	}
	if err := f(tx); err != nil {
		return d.explain(ctx, err)
	}
	if err := tx.Commit(); err != nil {
		return d.explain(ctx, err)
	}
	// A file that was deleted under the connection takes writes and loses them.
	return d.Present()
}

// Present is nil while path still names the file that was opened.
func (d *DB) Present() error {
	fi, err := os.Lstat(d.path)
	if err != nil {
		return classify(d.path, err)
	}
	if !os.SameFile(fi, d.file) {
		return state(d.path, Missing, errors.New("another file has taken its place"))
	}
	return nil
}

// Explain turns an error that is about the file into a [StateError]; others
// stay as they are.
func (d *DB) Explain(err error) error { return classify(d.path, err) }

// explain is Explain for a transaction, which the end of ctx rolls back.
func (d *DB) explain(ctx context.Context, err error) error {
	if errors.Is(err, sql.ErrTxDone) && ctx.Err() != nil {
		return ctx.Err()
	}
	return d.Explain(err)
}

// Checkpoint moves the write-ahead log into the file and empties it. It is
// false when others kept old pages in use for longer than wait.
func (d *DB) Checkpoint(ctx context.Context, wait time.Duration) (done bool, err error) {
	if err := d.Writable(); err != nil {
		return false, err
	}
	conn, err := d.write.Conn(ctx)
	if err != nil {
		return false, d.Explain(err)
	}
	defer conn.Close()
	set := func(t time.Duration) error {
		_, err := conn.ExecContext(context.WithoutCancel(ctx), fmt.Sprintf("PRAGMA busy_timeout = %d", t.Milliseconds()))
		return err
	}
	if err := set(wait); err != nil {
		return false, d.Explain(err)
	}
	var busy, pages, moved int
	err = conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &pages, &moved)
	if e := set(BusyTimeout); err == nil {
		err = e
	}
	if code(err) == lib.SQLITE_BUSY {
		return false, nil
	}
	return err == nil && busy == 0, d.Explain(err)
}

// Close closes all connections. The last one to a file, of any process, also
// empties the write-ahead log.
func (d *DB) Close() error {
	var errs []error
	if d.read != nil {
		errs = append(errs, d.read.Close())
	}
	if d.write != nil {
		errs = append(errs, d.write.Close())
	}
	return errors.Join(errs...)
}
