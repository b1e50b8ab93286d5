package memstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"reverie/memstore/sqlfile"
)

// FileName is the name of a store's database within its folder.
const FileName = "memory.db"

// Options say which store to open.
type Options struct {
	Dir   string           // the folder that holds [FileName]; made where missing
	Scope Scope            // whose memory it is; fixed when the file is made
	Now   func() time.Time // nil: time.Now
	Warn  func(string)     // told in a sentence what was mended; may be nil
}

// DB is the versioned store in a SQLite file. It is a [Versioned] that is
// durable: what a call acknowledged survives a killed process and power loss.
//
// Several processes may work on one file. Each change of one, of any, has the
// next number of one stream.
//
// Order is that of the stream. Times are what the clocks said; a clock that
// jumps changes no answer but the times themselves. They are kept to the
// microsecond.
type DB struct {
	scope Scope
	file  *sqlfile.DB
	now   func() time.Time
	warn  func(string)
	read  queries // on the file's readers
	in    queries // on the file's writer, for transactions

	closed  atomic.Bool
	purging atomic.Bool // a purge waits for the log to be emptied
	watch   watchers
	search  searching
	counted struct { // what Count last found, and when in the stream
		sync.Mutex
		seq int64
		n   int
	}
}

var _ Versioned = (*DB)(nil)

// Open opens a store, making it where it is missing. What is wrong with the
// file is a [StateError]. A store that can only be read, because the file is
// protected or was written by a newer version, opens all the same; every write
// then answers with that StateError, as [DB.Writable] does at once.
func Open(ctx context.Context, o Options) (*DB, error) {
	switch o.Scope {
	case Project, User, Thread:
	default:
		return nil, &InvalidError{What: "scope", Rule: "it is one of project, user, thread", Got: string(o.Scope)}
	}
	return openFile(ctx, filepath.Join(o.Dir, FileName), o)
}

func openFile(ctx context.Context, path string, o Options) (*DB, error) {
	d := &DB{scope: o.Scope, now: o.Now, warn: o.Warn}
	if d.now == nil {
		d.now = time.Now
	}
	if d.warn == nil {
		d.warn = func(string) {}
	}
	file, err := sqlfile.Open(ctx, path, sqlfile.Options{Migrations: migrations, Warn: d.warn})
	if err != nil {
		return nil, err
	}
	d.file = file
	if err := d.begin(ctx); err != nil {
		file.Close()
		// What a newer version changed may be what this one asks for.
		if frozen := file.Writable(); frozen != nil {
			return nil, frozen
		}
		return nil, file.Explain(err)
	}
	return d, nil
}

// begin prepares the statements, checks whose memory the file is, and finishes
// a purge that an earlier process could not.
func (d *DB) begin(ctx context.Context) error {
	if err := d.read.prepare(ctx, d.file.Reader()); err != nil {
		return err
	}
	if d.file.Writable() == nil {
		if err := d.in.prepare(ctx, d.file.Writer()); err != nil {
			return err
		}
		if err := d.claim(ctx); err != nil {
			return err
		}
	}
	var scope Scope
	err := d.file.Reader().QueryRowContext(ctx, "SELECT scope FROM store").Scan(&scope)
	if err != nil {
		return err
	}
	if scope != d.scope {
		return &StateError{
			Path: d.file.Path(), Reason: fmt.Sprintf("the memory of another scope, %s, and not of %s", scope, d.scope),
			Advice: "name the folder of the right one",
		}
	}
	return d.finishPurge(ctx)
}

// claim writes the scope into a new file.
func (d *DB) claim(ctx context.Context) error {
	var n int
	if err := d.file.Reader().QueryRowContext(ctx, "SELECT count(*) FROM store").Scan(&n); err != nil || n > 0 {
		return err
	}
	return d.file.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "INSERT INTO store (id, scope) VALUES (1, ?) ON CONFLICT DO NOTHING", d.scope)
		return err
	})
}

// Scope is whose memory this is.
func (d *DB) Scope() Scope { return d.scope }

// Capabilities are all there are.
func (d *DB) Capabilities() Capabilities { return Capabilities{History: true, Durable: true} }

// Location is the path of the database file.
func (d *DB) Location() string { return d.file.Path() }

// Writable is nil where the store can be written, else the [StateError] that
// every write would answer with.
func (d *DB) Writable() error { return d.file.Writable() }

// Close ends all watching and closes the file. Calls after it answer
// [ErrClosed]; calling it again does nothing.
func (d *DB) Close() error {
	if d.closed.Swap(true) {
		return nil
	}
	d.watch.close()
	return errors.Join(d.read.close(), d.in.close(), d.file.Close())
}

// usable is nil while the store is open and its file in place.
func (d *DB) usable() error {
	if d.closed.Load() {
		return ErrClosed
	}
	return d.file.Present()
}

// explain makes an error of the database one of the store's.
func (d *DB) explain(err error) error {
	if err != nil && d.closed.Load() {
		return ErrClosed
	}
	return d.file.Explain(err)
}

// change runs f in a write transaction and, when that is committed, wakes who
// watches. It is the one way to change a store.
func (d *DB) change(ctx context.Context, f func(t *txn) error) error {
	if d.closed.Load() {
		return ErrClosed
	}
	var t txn
	err := d.file.Write(ctx, func(tx *sql.Tx) error {
		// The statements themselves are short; waiting for their end is cheaper
		// than watching for the caller's.
		t = txn{db: d, ctx: context.WithoutCancel(ctx), tx: tx, now: d.now().UTC(), stmts: map[*sql.Stmt]*sql.Stmt{}}
		return f(&t)
	})
	if err != nil {
		// The driver closes what a cancelled call was using and may speak of
		// that alone.
		if cause := ctx.Err(); cause != nil && !errors.Is(err, cause) {
			err = fmt.Errorf("%w (%v)", cause, err)
		}
		return d.explain(err)
	}
	if t.wrote {
		d.watch.wake(t.last)
		if d.purging.Load() {
			// What the write was asked for is committed, whatever comes of this.
			_ = d.finishPurge(ctx)
		}
	}
	return nil
}

// damaged says what is wrong within the file.
func (d *DB) damaged(what string) error {
	return &StateError{Path: d.file.Path(), Reason: sqlfile.Damaged, Err: errors.New(what), Advice: "check it and repair it"}
}
