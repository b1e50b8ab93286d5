package memstore

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"reverie/memstore/sqlfile"
)

// ErrNotEmpty says that something is kept here already, so that another memory
// can't be taken over in its place.
var ErrNotEmpty = errors.New("this memory is not empty")

// Adopted counts what [DB.Adopt] took over.
type Adopted struct {
	Entries   int `json:"entries"` // live ones
	Revisions int `json:"revisions"`
	Receipts  int `json:"receipts"`
}

// Adopt takes over all of another store's folder, such as the one of a project
// that was moved: entries with their history, receipts and marks, versions and
// places in the stream as they are. The other store stays as it is.
//
// It is only done while this one is empty, otherwise the answer is
// [ErrNotEmpty]. What is wrong with the other file is a [StateError]; a
// revision in it that its checksum does not fit is one too, and then nothing
// is taken over.
func (d *DB) Adopt(ctx context.Context, dir string) (Adopted, error) {
	path, err := filepath.Abs(filepath.Join(dir, FileName))
	if err != nil {
		return Adopted{}, fmt.Errorf("finding the memory in %s: %w", dir, err)
	}
	if path == d.file.Path() {
		return Adopted{}, &InvalidError{What: "folder", Rule: "it is this memory's own"}
	}
	// Opening would make what is missing.
	if _, err := os.Lstat(path); err != nil {
		return Adopted{}, &StateError{Path: path, Reason: sqlfile.Missing, Err: err, Advice: "name the folder that holds the old memory"}
	}
	old, err := Open(ctx, Options{Dir: dir, Scope: d.scope, Warn: d.warn})
	if err != nil {
		return Adopted{}, err
	}
	defer old.Close()
	var a Adopted
	err = d.change(ctx, func(t *txn) error {
		a = Adopted{}
		return t.adopt(old, &a)
	})
	if err != nil {
		return Adopted{}, err
	}
	a.Entries, err = d.Count(ctx)
	return a, err
}

func (t *txn) adopt(old *DB, a *Adopted) error {
	last, err := t.newest()
	if err != nil {
		return err
	}
	var receipts int
	if err := t.tx.QueryRowContext(t.ctx, "SELECT count(*) FROM receipts").Scan(&receipts); err != nil {
		return err
	}
	if last > 0 || receipts > 0 {
		return ErrNotEmpty
	}
	if a.Revisions, err = t.adoptRevisions(old); err != nil {
		return err
	}
	rs, err := old.ReceiptList(t.ctx, 0)
	if err != nil {
		return err
	}
	for i := len(rs) - 1; i >= 0; i-- {
		if err := t.addReceipt(rs[i]); err != nil {
			return err
		}
		a.Receipts++
	}
	return t.adoptMarks(old)
}

// adoptRevisions copies the stream. As this one begins at 1 too, every seq
// stays, and with them what undo goes back to.
func (t *txn) adoptRevisions(old *DB) (int, error) {
	entries := map[int64]int64{} // ids there to ids here
	for n := int64(0); ; {
		rows, err := old.rows(t.ctx, old.read.changes, n, 1000)
		if err != nil {
			return 0, err
		}
		if len(rows) == 0 {
			return int(n), nil
		}
		for i := range rows {
			r := &rows[i]
			n++
			if r.sum() != r.summed || r.Seq != n {
				return 0, old.damaged(fmt.Sprintf("revision %d of %q is not as it was written", r.Seq, r.Key))
			}
			there := r.entry
			r.entry = entries[there]
			if err := t.insert(r); err != nil {
				return 0, err
			}
			entries[there] = r.entry
		}
	}
}

func (t *txn) adoptMarks(old *DB) error {
	rows, err := old.file.Reader().QueryContext(t.ctx, "SELECT name, value FROM marks WHERE name <> ?", purgePending)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var name, value string
		if err := rows.Scan(&name, &value); err != nil {
			return err
		}
		if err := t.setMark(name, value); err != nil {
			return err
		}
	}
	return rows.Err()
}
