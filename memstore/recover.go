package memstore

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// recover copies what is sound into a new store beside the damaged one.
func (s *survey) recover(ctx context.Context, from *sql.DB, beside string, o Options) (*Recovered, error) {
	path, err := freeName(beside)
	if err != nil {
		return nil, err
	}
	to, err := openFile(ctx, path, o)
	if err != nil {
		return nil, fmt.Errorf("making a new store for what can be recovered: %w", err)
	}
	defer to.Close()
	tx, err := from.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, fmt.Errorf("reading the damaged store: %w", err)
	}
	defer tx.Rollback()
	got := &Recovered{Path: path, Lost: []string{}, Older: []string{}}
	err = to.change(ctx, func(t *txn) error { return s.copyTo(t, tx, got) })
	if err != nil {
		return nil, fmt.Errorf("recovering into %s: %w", path, err)
	}
	if got.Entries, err = to.Count(ctx); err != nil {
		return nil, err
	}
	got.Advice = fmt.Sprintf("to go on with it, close every chat, move %s and the files beside it away and name the new file %s", beside, filepath.Base(beside))
	return got, nil
}

// freeName is the first name beside path that is not taken.
func freeName(path string) (string, error) {
	base := strings.TrimSuffix(path, filepath.Ext(path))
	for i := 1; i < 1000; i++ {
		name := fmt.Sprintf("%s.recovered-%d.db", base, i)
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, nil
		}
	}
	return "", fmt.Errorf("there are too many recovered stores beside %s; move some away", path)
}

// copyTo writes the sound revisions in order. The stream closes over what is
// lost: places are numbered anew. An undo that would go back to a lost
// revision goes nowhere.
func (s *survey) copyTo(t *txn, from querier, got *Recovered) error {
	places := map[int64]int64{undoToAbsence: undoToAbsence, undoNothing: undoNothing}
	copied := map[int64]*row{} // the newest of each entry that was copied
	fresh := &survey{scope: s.scope, entries: s.entries, last: s.last, bad: map[int64]bool{}}
	var failed error
	fresh.eachRevision(t.ctx, from, func(r *row) {
		if failed != nil || s.bad[r.Seq] || s.places[r.Seq] == 0 {
			return
		}
		e := s.entries[r.entry]
		old, there := r.Seq, r.entry
		r.Key = e.key
		r.entry, r.created = 0, micros(r.Updated)
		if before := copied[there]; before != nil {
			r.entry, r.created = before.entry, before.created
		}
		undo, ok := places[r.undo]
		if !ok {
			undo = undoNothing
		}
		r.undo = undo
		failed = t.insert(r)
		places[old], copied[there] = r.Seq, r
		got.Revisions++
	})
	if failed != nil {
		return failed
	}
	for id, e := range s.entries {
		switch newest := copied[id]; {
		case newest == nil:
			got.Lost = append(got.Lost, e.key)
		case s.bad[e.head]:
			got.Older = append(got.Older, e.key)
			if newest.Purged && !newest.Forgotten {
				if err := t.markPurged(newest); err != nil {
					return err
				}
			}
		}
	}
	slices.Sort(got.Lost)
	slices.Sort(got.Older)
	return s.copyRest(t, from, got)
}

// markPurged closes the history of a key that was purged and lost its marker.
func (t *txn) markPurged(before *row) error {
	r := t.revision(*before, before.Key, OpPurge, t.tombstone(*before), Provenance{Writer: ByUser, Origin: Explicit})
	r.Purged, r.undo = true, undoNothing
	return t.insert(&r)
}

func (s *survey) copyRest(t *txn, from querier, got *Recovered) error {
	// What can't be read is in the report already.
	receipts, err := s.soundReceipts(t.ctx, from)
	if err == nil {
		for _, r := range receipts {
			if err := t.addReceipt(r); err != nil {
				return err
			}
			got.Receipts++
		}
	}
	marks, err := s.soundMarks(t.ctx, from)
	if err == nil {
		for name, value := range marks {
			if err := t.setMark(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// salvage recovers from a file that can't be opened. It works on a copy; where
// the first page is what is damaged, it is replaced there by that of a fresh
// store, which says the same about where the tables are.
func salvage(ctx context.Context, path string, o Options, report *Report) error {
	tmp, err := os.MkdirTemp(filepath.Dir(path), ".recover-*")
	if err != nil {
		return fmt.Errorf("copying the damaged memory: %w", err)
	}
	defer os.RemoveAll(tmp)
	copied := filepath.Join(tmp, FileName)
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(path+suffix, copied+suffix); err != nil && !(suffix != "" && errors.Is(err, fs.ErrNotExist)) {
			return fmt.Errorf("copying the damaged memory: %w", err)
		}
	}
	s, db, err := surveyCopy(ctx, copied, o.Scope)
	if err != nil || s.sound == 0 {
		if db != nil {
			db.Close()
		}
		if err := freshFirstPage(ctx, copied, o.Scope, filepath.Join(tmp, "fresh")); err != nil {
			return err
		}
		if s, db, err = surveyCopy(ctx, copied, o.Scope); err != nil {
			if db != nil {
				db.Close()
			}
			report.Problems = append(report.Problems, "nothing in it can be read: "+err.Error())
			return nil
		}
	}
	defer db.Close()
	found := s.report(path)
	found.OK = false
	found.Problems = append(report.Problems, found.Problems...)
	if found.Recovered, err = s.recover(ctx, db, path, o); err != nil {
		return err
	}
	*report = found
	return nil
}

func surveyCopy(ctx context.Context, path string, scope Scope) (*survey, *sql.DB, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path)+"?_pragma=cell_size_check(1)")
	if err != nil {
		return nil, nil, err
	}
	s, err := surveyOf(ctx, db, scope)
	return s, db, err
}

// pageSize is SQLite's default, in which stores are made.
const pageSize = 4096

// freshFirstPage puts the first page of a fresh store in place of a copy's.
func freshFirstPage(ctx context.Context, path string, scope Scope, tmp string) error {
	fresh, err := Open(ctx, Options{Dir: tmp, Scope: scope})
	if err != nil {
		return fmt.Errorf("making a first page: %w", err)
	}
	if err := fresh.Close(); err != nil {
		return fmt.Errorf("making a first page: %w", err)
	}
	f, err := os.Open(filepath.Join(tmp, FileName))
	if err != nil {
		return fmt.Errorf("making a first page: %w", err)
	}
	defer f.Close()
	page := make([]byte, pageSize)
	if _, err := io.ReadFull(f, page); err != nil {
		return fmt.Errorf("making a first page: %w", err)
	}
	out, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return fmt.Errorf("mending the copy: %w", err)
	}
	defer out.Close()
	fi, err := out.Stat()
	if err != nil {
		return fmt.Errorf("mending the copy: %w", err)
	}
	// The file format (https://www.sqlite.org/fileformat.html, 1.3) has the
	// size in pages at byte 28, and the free list, which is given up, at 32.
	pages := (fi.Size() + pageSize - 1) / pageSize
	binary.BigEndian.PutUint32(page[28:], uint32(pages))
	clear(page[32:40])
	if _, err := out.WriteAt(page, 0); err != nil {
		return fmt.Errorf("mending the copy: %w", err)
	}
	if err := out.Truncate(pages * pageSize); err != nil {
		return fmt.Errorf("mending the copy: %w", err)
	}
	return nil
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// exists is nil where there is something at path.
func exists(path string) error {
	if _, err := os.Lstat(path); err != nil {
		return &StateError{Path: path, Reason: "missing", Err: err, Advice: "there is no memory in this folder"}
	}
	return nil
}
