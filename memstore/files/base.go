package files

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"reverie/memstore"
	"reverie/memstore/sqlfile"
)

// BaseName is the file, beside a store's, in which mirrors remember what they
// last agreed on. Without it nothing is lost: files and store are compared
// anew, and no deletion is taken for a forget.
const BaseName = "mirror.db"

var baseMigrations = []string{`
CREATE TABLE folders (
	id      INTEGER PRIMARY KEY,
	path    TEXT NOT NULL UNIQUE,
	gen     INTEGER NOT NULL, -- grows with every change to the folder's rows
	seq     INTEGER NOT NULL, -- every revision up to here is in the rows
	version TEXT NOT NULL,    -- of that revision, to know the store again
	head    TEXT NOT NULL,    -- what git had checked out
	scanned INTEGER NOT NULL, -- when all rows were last compared, in ns
	list    TEXT NOT NULL     -- the generated list as it was written
) STRICT;
CREATE TABLE files (
	folder  INTEGER NOT NULL REFERENCES folders (id),
	key     TEXT NOT NULL,
	path    TEXT NOT NULL,    -- '' where the entry can have no file
	version TEXT NOT NULL,    -- the revision that was agreed on
	hash    BLOB NOT NULL,    -- SHA-256 of the file
	size    INTEGER NOT NULL,
	mtime   INTEGER NOT NULL,
	inode   INTEGER NOT NULL,
	ctime   INTEGER NOT NULL,
	held    TEXT NOT NULL,    -- why the missing file is no forget; '' where it is there
	PRIMARY KEY (folder, key)
) STRICT, WITHOUT ROWID;
`, `
-- When the folder was made, in ns; 0 where it is not known. Another time means
-- that it was deleted and made anew.
ALTER TABLE folders ADD COLUMN born INTEGER NOT NULL DEFAULT 0;
`}

// hash identifies a file's content.
type hash [32]byte

// row is what was last agreed on for a key: this revision and this content say
// the same.
type row struct {
	path    string
	version memstore.Version
	hash    hash
	stat    stat
	held    string
}

// base is what was last agreed on for a folder.
type base struct {
	id      int64
	gen     int64
	seq     int64
	version memstore.Version
	head    string
	born    int64
	scanned int64
	list    string
	rows    map[string]row
}

// baseFile is the database of bases.
type baseFile struct {
	db   *sqlfile.DB
	last *base // as this process knows it, while gen is the same
}

func openBase(ctx context.Context, path string, warn func(string)) (*baseFile, error) {
	o := sqlfile.Options{Migrations: baseMigrations, Warn: warn}
	db, err := sqlfile.Open(ctx, path, o)
	var se *sqlfile.StateError
	if errors.As(err, &se) && se.Reason == sqlfile.Damaged {
		// It only says what was compared last. Without it nothing counts as
		// forgotten, and both sides are compared anew.
		for _, s := range []string{"", "-wal", "-shm"} {
			if rerr := os.Remove(path + s); rerr != nil && !errors.Is(rerr, fs.ErrNotExist) {
				return nil, fmt.Errorf("making anew what the memory files were last compared with: %w", rerr)
			}
		}
		warn("what the memory files were last compared with was damaged and is made anew: " + path)
		db, err = sqlfile.Open(ctx, path, o)
	}
	if err != nil {
		return nil, fmt.Errorf("opening what the memory files were last compared with: %w", err)
	}
	return &baseFile{db: db}, nil
}

func (f *baseFile) close() error { return f.db.Close() }

// load reads the base of a folder; a new one has seq 0 and no rows. What it
// returns is changed by save alone.
func (f *baseFile) load(ctx context.Context, folder string) (*base, error) {
	b := &base{rows: map[string]row{}}
	err := f.db.Reader().QueryRowContext(ctx, "SELECT id, gen, seq, version, head, born, scanned, list FROM folders WHERE path = ?", folder).
		Scan(&b.id, &b.gen, &b.seq, &b.version, &b.head, &b.born, &b.scanned, &b.list)
	if errors.Is(err, sql.ErrNoRows) {
		return b, nil
	}
	if err != nil {
		return nil, f.db.Explain(err)
	}
	if f.last != nil && f.last.id == b.id && f.last.gen == b.gen {
		return f.last, nil
	}
	rows, err := f.db.Reader().QueryContext(ctx, "SELECT key, path, version, hash, size, mtime, inode, ctime, held FROM files WHERE folder = ?", b.id)
	if err != nil {
		return nil, f.db.Explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var key string
		var r row
		var h []byte
		if err := rows.Scan(&key, &r.path, &r.version, &h, &r.stat.size, &r.stat.mtime, &r.stat.inode, &r.stat.ctime, &r.held); err != nil {
			return nil, f.db.Explain(err)
		}
		copy(r.hash[:], h)
		b.rows[key] = r
	}
	if err := rows.Err(); err != nil {
		return nil, f.db.Explain(err)
	}
	f.last = b
	return b, nil
}

// change is what a sync adds to a base.
type change struct {
	set  map[string]row
	drop map[string]bool
}

// save makes b, whose fields but id, gen and rows may have been changed, and c
// the base of the folder, all or nothing.
func (f *baseFile) save(ctx context.Context, folder string, b base, c change) (*base, error) {
	err := f.db.Write(ctx, func(tx *sql.Tx) error {
		b.gen++
		err := tx.QueryRowContext(ctx, `INSERT INTO folders (path, gen, seq, version, head, born, scanned, list) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (path) DO UPDATE SET gen = gen + 1, seq = excluded.seq, version = excluded.version, head = excluded.head,
			born = excluded.born, scanned = excluded.scanned, list = excluded.list RETURNING id, gen`,
			folder, b.gen, b.seq, string(b.version), b.head, b.born, b.scanned, b.list).Scan(&b.id, &b.gen)
		if err != nil {
			return err
		}
		return saveRows(ctx, tx, b.id, c)
	})
	if err != nil {
		f.last = nil
		return nil, fmt.Errorf("recording what files and memory agree on: %w", err)
	}
	for k, r := range c.set {
		b.rows[k] = r
	}
	for k := range c.drop {
		delete(b.rows, k)
	}
	f.last = &b
	return f.last, nil
}

func saveRows(ctx context.Context, tx *sql.Tx, folder int64, c change) error {
	put, err := tx.PrepareContext(ctx, `INSERT INTO files (folder, key, path, version, hash, size, mtime, inode, ctime, held)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET path = excluded.path, version = excluded.version,
		hash = excluded.hash, size = excluded.size, mtime = excluded.mtime, inode = excluded.inode, ctime = excluded.ctime, held = excluded.held`)
	if err != nil {
		return err
	}
	defer put.Close()
	for k, r := range c.set {
		if _, err := put.ExecContext(ctx, folder, k, r.path, string(r.version), r.hash[:], r.stat.size, r.stat.mtime, r.stat.inode, r.stat.ctime, r.held); err != nil {
			return err
		}
	}
	for k := range c.drop {
		if _, err := tx.ExecContext(ctx, "DELETE FROM files WHERE folder = ? AND key = ?", folder, k); err != nil {
			return err
		}
	}
	return nil
}
