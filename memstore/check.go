package memstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"reverie/memstore/sqlfile"
)

// Report is what a check of a store found.
type Report struct {
	Path     string   `json:"path"`
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"` // each a sentence
	Keys     []string `json:"keys"`     // that the problems affect
	// Entries, Revisions and Receipts are how many are there and sound.
	Entries   int `json:"entries"`
	Revisions int `json:"revisions"`
	Receipts  int `json:"receipts"`
	// Rebuilt: only what can be derived was wrong (indexes, heads of entries),
	// and it was rebuilt in place.
	Rebuilt   bool       `json:"rebuilt"`
	Recovered *Recovered `json:"recovered,omitempty"`
}

// Recovered says what could be saved from a damaged file into a new one.
type Recovered struct {
	Path      string   `json:"path"` // the new file; the damaged one is as it was
	Entries   int      `json:"entries"`
	Revisions int      `json:"revisions"`
	Receipts  int      `json:"receipts"`
	Lost      []string `json:"lost"`   // keys of which nothing could be saved
	Older     []string `json:"older"`  // keys that lost their newest revision
	Advice    string   `json:"advice"` // how to go on with the new file
}

// Check verifies everything: the structure of the file, the checksum of every
// revision, receipt and mark, that the stream has no holes and no version is
// there twice, that undo goes back to revisions that exist, and that each entry
// shows its newest revision.
//
// With repair, what is derived is rebuilt in place, if nothing else is wrong.
// Otherwise everything that is sound is copied into a new store beside this
// one, which stays as it is. The error is for what kept the check from being
// made; what it found is in the report.
//
// See [CheckDir] for files that can't even be opened.
func (d *DB) Check(ctx context.Context, repair bool) (Report, error) {
	if err := d.usable(); err != nil {
		return Report{}, err
	}
	var se *StateError
	if err := d.Writable(); errors.As(err, &se) && se.Reason == sqlfile.Newer {
		return Report{}, err
	}
	s, err := surveyOf(ctx, d.file.Reader(), d.scope)
	if err != nil {
		return Report{}, d.explain(err)
	}
	report := s.report(d.file.Path())
	if report.OK || !repair {
		return report, nil
	}
	if s.onlyDerived() && d.Writable() == nil {
		if err := d.rebuild(ctx); err != nil {
			return report, fmt.Errorf("rebuilding what is derived: %w", err)
		}
		s, err = surveyOf(ctx, d.file.Reader(), d.scope)
		if err != nil {
			return report, d.explain(err)
		}
		if len(s.problems) == 0 && len(s.derived) == 0 {
			report.Rebuilt = true
			return report, nil
		}
	}
	report.Recovered, err = s.recover(ctx, d.file.Reader(), d.file.Path(), Options{Scope: d.scope, Now: d.now, Warn: d.warn})
	return report, err
}

// CheckDir checks the store in a folder as [DB.Check] does, also where it
// can't be opened because it is damaged. No store in that folder may be open
// in this process. A log with a damaged part, of which SQLite would drop what
// follows, is found too and a copy of it kept.
func CheckDir(ctx context.Context, o Options, repair bool) (Report, error) {
	path, err := filepath.Abs(filepath.Join(o.Dir, FileName))
	if err != nil {
		return Report{}, fmt.Errorf("finding the memory in %s: %w", o.Dir, err)
	}
	if err := exists(path); err != nil {
		return Report{}, err
	}
	if fi, err := os.Stat(path); err == nil && fi.Size() == 0 && exists(path+"-wal") != nil {
		return Report{Path: path, Problems: []string{"the file is empty"}, Keys: []string{}}, nil
	}
	logged, err := checkLog(path)
	if err != nil {
		return Report{}, err
	}
	var report Report
	d, err := Open(ctx, o)
	switch {
	case err == nil:
		defer d.Close()
		report, err = d.Check(ctx, repair)
	case looksDamaged(err):
		report = Report{Path: path, Problems: []string{err.Error()}, Keys: []string{}}
		err = nil
		if repair {
			err = salvage(ctx, path, o, &report)
		}
	}
	if logged != "" {
		report.OK = false
		report.Problems = append(report.Problems, logged)
	}
	return report, err
}

// looksDamaged says whether an error of opening may come from a damaged file.
func looksDamaged(err error) bool {
	var se *StateError
	if !errors.As(err, &se) {
		// SQL that fails although it is right: the schema is not what it was.
		return !errors.Is(err, context.Canceled) && !errors.Is(err, context.DeadlineExceeded)
	}
	switch se.Reason {
	case sqlfile.Symlink, sqlfile.Directory, sqlfile.Full, sqlfile.Busy, sqlfile.Missing, sqlfile.Newer:
		return false
	}
	return true
}

// report puts a survey into its public form.
func (s *survey) report(path string) Report {
	r := Report{Path: path, Problems: slices.Concat(s.problems, s.derived), Keys: []string{}, Revisions: s.sound, Receipts: s.receipts}
	r.OK = len(r.Problems) == 0
	for k := range s.affected {
		r.Keys = append(r.Keys, k)
	}
	slices.Sort(r.Keys)
	if r.Problems == nil {
		r.Problems = []string{}
	}
	for _, e := range s.entries {
		if e.newest > 0 && !e.gone {
			r.Entries++
		}
	}
	return r
}

// onlyDerived says whether all that is wrong can be derived anew.
func (s *survey) onlyDerived() bool { return len(s.problems) == 0 }

// rebuild makes indexes and the heads of entries anew from the revisions.
func (d *DB) rebuild(ctx context.Context) error {
	// What was read from them is made anew too, the next time it is asked for.
	defer func() {
		d.search.mu.Lock()
		d.search.index = nil
		d.search.mu.Unlock()
		d.counted.Lock()
		d.counted.seq = -1
		d.counted.Unlock()
	}()
	return d.change(ctx, func(t *txn) error {
		for _, q := range []string{
			"REINDEX",
			`UPDATE entries SET head = (SELECT max(seq) FROM revisions WHERE entry = entries.id),
				created = (SELECT updated FROM revisions WHERE entry = entries.id ORDER BY seq LIMIT 1)
				WHERE EXISTS (SELECT 1 FROM revisions WHERE entry = entries.id)`,
			"DELETE FROM entries WHERE NOT EXISTS (SELECT 1 FROM revisions WHERE entry = entries.id)",
			fmt.Sprintf("UPDATE entries SET live = (SELECT NOT (flags & %d) FROM revisions WHERE seq = entries.head)", flagForgotten),
		} {
			if _, err := t.tx.ExecContext(t.ctx, q); err != nil {
				return err
			}
		}
		return nil
	})
}

// wantSchema is the schema of a fresh store.
func wantSchema(ctx context.Context) ([]string, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, m := range migrations {
		if _, err := db.ExecContext(ctx, m); err != nil {
			return nil, err
		}
	}
	return schemaOf(ctx, db)
}

func schemaOf(ctx context.Context, q querier) ([]string, error) {
	rows, err := q.QueryContext(ctx, "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY type, name")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}
