package memstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// row is a revision as it is stored.
type row struct {
	Revision
	entry   int64 // the entry's id
	undo    int64 // what undoing it restores, see schema.go
	summed  int64 // the checksum that was stored
	created int64 // the entry's, in microseconds
}

const columns = `e.key, e.created, r.seq, r.entry, r.version, r.op, r.undoes, r.undo, r.flags,
	r.updated, r.recorded, r.kind, r.writer, r.origin, r.source, r.description, r.value, r.sum`

// scan reads columns into r. The entry's scope is not in the row.
func (r *row) scan(s interface{ Scan(...any) error }, scope Scope) error {
	var updated, recorded, flags int64
	var source string
	p := &r.Provenance
	err := s.Scan(&r.Key, &r.created, &r.Seq, &r.entry, &r.Version, &r.Op, &r.Undoes, &r.undo, &flags,
		&updated, &recorded, &r.Kind, &p.Writer, &p.Origin, &source, &r.Description, &r.Value, &r.summed)
	if err != nil {
		return err
	}
	if err := p.setSource(source); err != nil {
		return fmt.Errorf("reading the provenance of revision %d: %w", r.Seq, err)
	}
	r.Forgotten, r.Purged = flags&flagForgotten != 0, flags&flagPurged != 0
	r.Scope = scope
	r.Created, r.Updated, r.Recorded = fromMicros(r.created), fromMicros(updated), fromMicros(recorded)
	return nil
}

// queries are the prepared statements. The same are prepared for readers and
// for the writer.
type queries struct {
	current  *sql.Stmt // the newest revision of a key
	bySeq    *sql.Stmt
	byToken  *sql.Stmt // a revision of an entry by its version
	history  *sql.Stmt
	changes  *sql.Stmt
	list     *sql.Stmt
	last     *sql.Stmt
	count    *sql.Stmt
	addEntry *sql.Stmt
	setHead  *sql.Stmt
	addRow   *sql.Stmt
	mark     *sql.Stmt
}

func (q *queries) prepare(ctx context.Context, db *sql.DB) error {
	const from = "SELECT " + columns + " FROM entries e JOIN revisions r ON "
	for _, s := range []struct {
		to    **sql.Stmt
		query string
	}{
		{&q.current, from + "r.seq = e.head WHERE e.key = ?"},
		{&q.bySeq, from + "r.entry = e.id WHERE r.seq = ?"},
		{&q.byToken, from + "r.entry = e.id WHERE e.id = ? AND r.version = ?"},
		{&q.history, from + "r.entry = e.id WHERE e.key = ? ORDER BY r.seq DESC"},
		{&q.changes, "SELECT " + columns + " FROM revisions r JOIN entries e ON e.id = r.entry WHERE r.seq > ? ORDER BY r.seq LIMIT ?"},
		{&q.list, from + "r.seq = e.head WHERE e.key >= ? AND e.key < ? AND (e.live OR ?) ORDER BY e.key LIMIT ?"},
		{&q.last, "SELECT coalesce(max(seq), 0) FROM revisions"},
		{&q.count, "SELECT count(*) FROM entries WHERE live"},
		{&q.addEntry, "INSERT INTO entries (key, head, live, created) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"},
		{&q.setHead, "UPDATE entries SET head = ?, live = ? WHERE id = ?"},
		{&q.addRow, `INSERT INTO revisions (seq, entry, version, op, undoes, undo, flags, updated, recorded,
			kind, writer, origin, source, description, value, sum)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
		{&q.mark, "SELECT value FROM marks WHERE name = ?"},
	} {
		stmt, err := db.PrepareContext(ctx, s.query)
		if err != nil {
			return err
		}
		*s.to = stmt
	}
	return nil
}

func (q *queries) close() error {
	var errs []error
	for _, s := range []*sql.Stmt{q.current, q.bySeq, q.byToken, q.history, q.changes, q.list, q.last, q.count, q.addEntry, q.setHead, q.addRow, q.mark} {
		if s != nil {
			errs = append(errs, s.Close())
		}
	}
	return errors.Join(errs...)
}

// txn is a write transaction.
type txn struct {
	db    *DB
	ctx   context.Context // without an end: the transaction has the caller's
	tx    *sql.Tx
	now   time.Time
	last  int64 // the newest seq, once it was asked for
	wrote bool
	// mostlyNew: the last key that was looked at had not been there, so that of
	// many saves the next is probably new as well.
	mostlyNew bool
	stmts     map[*sql.Stmt]*sql.Stmt // of this transaction, by those of the writer
}

// stmt is a prepared statement within the transaction.
func (t *txn) stmt(s *sql.Stmt) *sql.Stmt {
	in := t.stmts[s]
	if in == nil {
		in = t.tx.StmtContext(t.ctx, s)
		t.stmts[s] = in
	}
	return in
}

// current is the newest revision of a folded key; ok is false where the key
// never was.
func (t *txn) current(key string) (r row, ok bool, err error) {
	err = r.scan(t.stmt(t.db.in.current).QueryRowContext(t.ctx, key), t.db.scope)
	return found(r, err)
}

func (t *txn) bySeq(seq int64) (r row, ok bool, err error) {
	err = r.scan(t.stmt(t.db.in.bySeq).QueryRowContext(t.ctx, seq), t.db.scope)
	return found(r, err)
}

func (t *txn) byVersion(entry int64, v Version) (r row, ok bool, err error) {
	err = r.scan(t.stmt(t.db.in.byToken).QueryRowContext(t.ctx, entry, v), t.db.scope)
	return found(r, err)
}

func found(r row, err error) (row, bool, error) {
	if errors.Is(err, sql.ErrNoRows) {
		return row{}, false, nil
	}
	return r, err == nil, err
}

// newest is the last seq of the stream; the transaction has the write lock, so
// nobody else adds to it.
func (t *txn) newest() (int64, error) {
	if t.last == 0 {
		if err := t.stmt(t.db.in.last).QueryRowContext(t.ctx).Scan(&t.last); err != nil {
			return 0, err
		}
	}
	return t.last, nil
}

// append writes a revision after before, which is the zero row for a new key.
// The text was admitted, or is a tombstone.
func (t *txn) append(before row, key string, op Op, x text, undoes Version, undo int64, p Provenance) (row, error) {
	r := t.revision(before, key, op, x, p)
	r.Undoes, r.undo = undoes, undo
	return r, t.insert(&r)
}

// revision makes a revision that follows before and has no place in the stream
// yet.
func (t *txn) revision(before row, key string, op Op, x text, p Provenance) row {
	r := row{entry: before.entry, created: before.created}
	r.Entry = Entry{
		Scope: t.db.scope, Key: key, Value: x.value, Description: x.description, Kind: x.kind,
		Version: newVersion(), Updated: fromMicros(micros(x.updated)), Forgotten: x.forgotten, Provenance: p,
	}
	r.Op, r.Recorded = op, fromMicros(micros(t.now))
	if before.Version == "" {
		r.created = micros(r.Updated)
	}
	r.Created = fromMicros(r.created)
	return r
}

// insert gives r the next place in the stream and writes it, making its entry
// where r.entry is 0.
func (t *txn) insert(r *row) error {
	last, err := t.newest()
	if err != nil {
		return err
	}
	r.Seq = last + 1
	if r.entry == 0 {
		switch ok, err := t.addEntry(r); {
		case err != nil:
			return err
		case !ok:
			return t.db.damaged(fmt.Sprintf("the entry %q has no newest revision", r.Key))
		}
	} else if _, err := t.stmt(t.db.in.setHead).ExecContext(t.ctx, r.Seq, !r.Forgotten, r.entry); err != nil {
		return err
	}
	return t.addRow(r)
}

// addEntry makes an entry whose head is r and sets r.entry; it is false where
// there is one.
func (t *txn) addEntry(r *row) (bool, error) {
	res, err := t.stmt(t.db.in.addEntry).ExecContext(t.ctx, r.Key, r.Seq, !r.Forgotten, r.created)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	if err != nil || n == 0 {
		return false, err
	}
	r.entry, err = res.LastInsertId()
	return true, err
}

func (t *txn) addRow(r *row) error {
	p := &r.Provenance
	source, err := p.source()
	if err != nil {
		return err
	}
	flags := bit(r.Forgotten)*flagForgotten + bit(r.Purged)*flagPurged
	_, err = t.stmt(t.db.in.addRow).ExecContext(t.ctx, r.Seq, r.entry, string(r.Version), string(r.Op), string(r.Undoes), r.undo, flags,
		micros(r.Updated), micros(r.Recorded), string(r.Kind), string(p.Writer), string(p.Origin), source,
		r.Description, r.Value, r.sum())
	if err != nil {
		return err
	}
	t.last, t.wrote = r.Seq, true
	return nil
}

// details are what a provenance may say beyond who and why.
type details struct {
	Thread string `json:"thread,omitempty"`
	Turn   int    `json:"turn,omitempty"`
	Tool   string `json:"tool,omitempty"`
	Model  string `json:"model,omitempty"`
	Plan   string `json:"plan,omitempty"`
	Source string `json:"source,omitempty"`
}

// source is a provenance's details as they are stored.
func (p *Provenance) source() (string, error) {
	d := details{p.Thread, p.Turn, p.Tool, p.Model, p.Plan, p.Source}
	if d == (details{}) {
		return "", nil
	}
	b, err := json.Marshal(d)
	return string(b), err
}

func (p *Provenance) setSource(s string) error {
	if s == "" {
		return nil
	}
	var d details
	err := json.Unmarshal([]byte(s), &d)
	p.Thread, p.Turn, p.Tool, p.Model, p.Plan, p.Source = d.Thread, d.Turn, d.Tool, d.Model, d.Plan, d.Source
	return err
}
