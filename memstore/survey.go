package memstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// survey reads a store that may be damaged: whatever can be read is read, row
// by row where need be, and what can't or is not as it was written is noted.
type survey struct {
	scope    Scope
	entries  map[int64]*surveyed
	places   map[int64]int64 // seq to entry, of sound revisions
	versions map[Version]bool
	affected map[string]bool // keys
	bad      map[int64]bool  // seqs that are unreadable or not as they were
	last     int64           // the highest seq that anything names
	sound    int
	receipts int

	problems []string // what only a copy without the damage can mend
	derived  []string // what can be derived anew
}

type surveyed struct {
	key           string
	head, created int64
	live          bool
	newest, first int64 // seqs of sound revisions
	stated        int64 // when the first was
	gone          bool  // the newest is a tombstone
	unread        bool  // the row could not be read, the key is from the index
}

// maxProblems bounds the list: a file full of damage needs no sentence a row.
const maxProblems = 100

func (s *survey) problem(format string, args ...any) {
	if len(s.problems) < maxProblems {
		s.problems = append(s.problems, fmt.Sprintf(format, args...))
	}
}

func (s *survey) derive(format string, args ...any) {
	if len(s.derived) < maxProblems {
		s.derived = append(s.derived, fmt.Sprintf(format, args...))
	}
}

// surveyOf reads all of db in one transaction, so that writes by others do
// not look like damage.
func surveyOf(ctx context.Context, db *sql.DB, scope Scope) (*survey, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	// It finds more, and costs each page that is read.
	if _, err := conn.ExecContext(ctx, "PRAGMA cell_size_check = 1"); err != nil {
		return nil, err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "PRAGMA cell_size_check = 0")
	tx, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	s := &survey{
		scope: scope, entries: map[int64]*surveyed{}, places: map[int64]int64{}, versions: map[Version]bool{},
		affected: map[string]bool{}, bad: map[int64]bool{},
	}
	s.structure(ctx, tx)
	s.readEntries(ctx, tx)
	s.findLast(ctx, tx)
	s.eachRevision(ctx, tx, s.verify)
	s.compareHeads()
	s.readReceipts(ctx, tx)
	s.readMarks(ctx, tx)
	return s, ctx.Err()
}

// structure asks SQLite, and compares the schema with what it should be.
func (s *survey) structure(ctx context.Context, q querier) {
	want, err := wantSchema(ctx)
	if err != nil {
		s.problem("the schema can't be compared: %v", err)
	}
	have, err := schemaOf(ctx, q)
	if err != nil {
		s.problem("the schema can't be read: %v", err)
	} else if !slices.Equal(have, want) {
		s.problem("the schema is not as it was made")
	}
	rows, err := q.QueryContext(ctx, fmt.Sprintf("PRAGMA integrity_check(%d)", maxProblems))
	if err != nil {
		s.problem("the file's structure can't be checked: %v", err)
		return
	}
	defer rows.Close()
	for rows.Next() {
		var says string
		if err := rows.Scan(&says); err != nil {
			s.problem("the file's structure can't be checked: %v", err)
			return
		}
		for line := range strings.SplitSeq(says, "\n") {
			switch {
			case line == "ok" || strings.HasPrefix(line, "***"):
			case strings.Contains(line, "missing from index"), strings.Contains(line, "entries in index"), strings.Contains(line, "non-unique entry in index"):
				s.derive("an index does not fit its table: %s", line)
			default:
				s.problem("the file's structure is damaged: %s", line)
			}
		}
	}
	if err := rows.Err(); err != nil {
		s.problem("the file's structure can't be checked: %v", err)
	}
}

// readEntries reads keys from the table, and those that it can't from the
// index over them.
func (s *survey) readEntries(ctx context.Context, q querier) {
	var last int64
	scan(ctx, q, "SELECT max(id) FROM entries", func(r *sql.Rows) error { return r.Scan(&last) })
	for id := int64(1); id <= last; {
		err := scan(ctx, q, fmt.Sprintf("SELECT id, key, head, live, created FROM entries WHERE id >= %d ORDER BY id", id), func(r *sql.Rows) error {
			var n int64
			var e surveyed
			if err := r.Scan(&n, &e.key, &e.head, &e.live, &e.created); err != nil {
				return err
			}
			if n < id {
				return errors.New("it is out of order")
			}
			s.entries[n], id = &e, n+1
			return nil
		})
		if err == nil || ctx.Err() != nil {
			break
		}
		s.problem("the row of entry %d can't be read: %v", id, err)
		id++
	}
	err := scan(ctx, q, "SELECT id, key FROM entries INDEXED BY sqlite_autoindex_entries_1 ORDER BY key", func(r *sql.Rows) error {
		var n int64
		var key string
		if err := r.Scan(&n, &key); err != nil {
			return err
		}
		if s.entries[n] == nil {
			s.entries[n] = &surveyed{key: key, unread: true}
			s.affected[key] = true
		}
		return nil
	})
	if err != nil {
		s.problem("the index of keys can't be read: %v", err)
	}
}

// findLast finds the end of the stream in whatever still knows it.
func (s *survey) findLast(ctx context.Context, q querier) {
	for _, query := range []string{
		"SELECT coalesce(max(seq), 0) FROM revisions",
		"SELECT coalesce(max(seq), 0) FROM revisions INDEXED BY revisions_entry",
	} {
		err := scan(ctx, q, query, func(r *sql.Rows) error {
			var n int64
			err := r.Scan(&n)
			s.last = max(s.last, n)
			return err
		})
		if err != nil {
			s.problem("the end of the stream can't be found: %v", err)
		}
	}
	for _, e := range s.entries {
		s.last = max(s.last, e.head)
	}
	// What is damaged may name any number.
	s.last = min(s.last, 1<<32)
}

// scan runs f for each row and stops at its first error.
func scan(ctx context.Context, q querier, query string, f func(r *sql.Rows) error) error {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// maxHoles ends a search through places at which nothing can be read.
const maxHoles = 100_000

// eachRevision runs f for every revision that can be read, in order, and
// notes the places of others in s.bad.
func (s *survey) eachRevision(ctx context.Context, q querier, f func(r *row)) {
	const what = "SELECT '', 0, r.seq, r.entry, r.version, r.op, r.undoes, r.undo, r.flags, r.updated, r.recorded, r.kind, r.writer, r.origin, r.source, r.description, r.value, r.sum FROM revisions r"
	holes := 0
	for seq := int64(1); seq <= s.last && holes < maxHoles && ctx.Err() == nil; {
		err := scan(ctx, q, fmt.Sprintf("%s WHERE r.seq >= %d ORDER BY r.seq", what, seq), func(rows *sql.Rows) error {
			var r row
			if err := r.scan(rows, s.scope); err != nil {
				return err
			}
			if r.Seq < seq {
				return errors.New("it is out of order")
			}
			for ; seq < r.Seq && holes < maxHoles; seq++ {
				holes++
				s.bad[seq] = true
			}
			seq = r.Seq + 1
			f(&r)
			return nil
		})
		if err == nil {
			for ; seq <= s.last && holes < maxHoles; seq++ {
				holes++
				s.bad[seq] = true
			}
			return
		}
		holes++
		s.bad[seq] = true
		s.problem("revision %d can't be read: %v", seq, err)
		seq++
	}
}

// verify checks one revision, and takes its key from its entry.
func (s *survey) verify(r *row) {
	e := s.entries[r.entry]
	if e == nil {
		s.bad[r.Seq] = true
		s.problem("revision %d is of an entry whose key is lost", r.Seq)
		return
	}
	r.Key = e.key
	if r.sum() != r.summed {
		s.bad[r.Seq] = true
		s.affected[e.key] = true
		s.problem("revision %d, of %q, is not as it was written", r.Seq, e.key)
		return
	}
	if s.versions[r.Version] {
		s.affected[e.key] = true
		s.problem("revision %d, of %q, has the version of another one", r.Seq, e.key)
	}
	if r.undo > 0 && (r.undo >= r.Seq || s.places[r.undo] != r.entry) && !s.bad[r.undo] {
		s.affected[e.key] = true
		s.problem("revision %d, of %q, undoes to %d, which is not of the same key", r.Seq, e.key, r.undo)
	}
	if err := s.withinRules(r); err != nil {
		s.affected[e.key] = true
		s.problem("revision %d, of %q, breaks a rule: %v", r.Seq, e.key, err)
	}
	s.versions[r.Version] = true
	s.places[r.Seq] = r.entry
	s.sound++
	if e.first == 0 {
		e.first, e.stated = r.Seq, micros(r.Updated)
	}
	e.newest, e.gone = r.Seq, r.Forgotten
}

// withinRules checks form and limits; what the guard says now may differ from
// what it said when the revision was written.
func (s *survey) withinRules(r *row) error {
	if r.Forgotten || r.Purged {
		if r.Value != "" || r.Description != "" {
			return errors.New("what is forgotten or purged has a text")
		}
		return admitKind(s.scope, r.Kind)
	}
	return admitForm(s.scope, r.text())
}

// compareHeads compares what entries say with their revisions.
func (s *survey) compareHeads() {
	for seq := range s.bad {
		s.blame(seq)
	}
	if n := len(s.bad); n > 0 {
		s.problem("%d of %d revisions are missing or damaged", n, s.last)
	}
	for id, e := range s.entries {
		if folded, err := Key(e.key); err != nil || folded != e.key {
			s.affected[e.key] = true
			s.problem("entry %d has a key that is none", id)
		}
		switch {
		case e.unread || s.bad[e.head]:
		case e.newest == 0:
			s.affected[e.key] = true
			s.derive("entry %q has no revision", e.key)
		case e.head != e.newest || e.live == e.gone || e.created != e.stated:
			s.affected[e.key] = true
			s.derive("entry %q does not show its newest revision", e.key)
		}
	}
}

// blame notes whose newest revision a bad place was.
func (s *survey) blame(seq int64) {
	for _, e := range s.entries {
		if e.head == seq {
			s.affected[e.key] = true
		}
	}
}

func (s *survey) readReceipts(ctx context.Context, q querier) {
	all, err := s.soundReceipts(ctx, q)
	if err != nil {
		s.problem("the receipts can't be read: %v", err)
	}
	s.receipts = len(all)
}

// soundReceipts are the receipts that are as they were written.
func (s *survey) soundReceipts(ctx context.Context, q querier) ([]Receipt, error) {
	sums := map[int64]int64{}
	if err := scan(ctx, q, "SELECT n, sum FROM receipts ORDER BY n", func(r *sql.Rows) error {
		var n, sum int64
		err := r.Scan(&n, &sum)
		sums[n] = sum
		return err
	}); err != nil {
		return nil, err
	}
	lines := map[int64][][2]string{} // text and sum
	if err := scan(ctx, q, "SELECT receipt, line, sum FROM receipt_operations ORDER BY receipt, n", func(r *sql.Rows) error {
		var n int64
		var l [2]string
		err := r.Scan(&n, &l[0], &l[1])
		lines[n] = append(lines[n], l)
		return err
	}); err != nil {
		return nil, err
	}
	rs, ns, err := readReceipts(ctx, q, s.scope, "SELECT "+receiptColumns+" FROM receipts ORDER BY n")
	if err != nil {
		return nil, err
	}
	var sound []Receipt
	for i, r := range rs {
		ok := receiptSum(r) == sums[ns[i]]
		for _, l := range lines[ns[i]] {
			ok = ok && fmt.Sprint(checksum(r.ID, l[0])) == l[1]
		}
		delete(lines, ns[i])
		if !ok {
			s.problem("receipt %q is not as it was written", r.ID)
			continue
		}
		sound = append(sound, r)
	}
	if len(lines) > 0 {
		s.problem("there are lines of %d receipts that are lost", len(lines))
	}
	return sound, nil
}

func (s *survey) readMarks(ctx context.Context, q querier) {
	if _, err := s.soundMarks(ctx, q); err != nil {
		s.problem("the marks can't be read: %v", err)
	}
	var scope Scope
	if err := scan(ctx, q, "SELECT scope FROM store", func(r *sql.Rows) error { return r.Scan(&scope) }); err != nil || scope != s.scope {
		s.problem("whose memory this is can't be read")
	}
}

// soundMarks are the marks that are as they were written.
func (s *survey) soundMarks(ctx context.Context, q querier) (map[string]string, error) {
	marks := map[string]string{}
	err := scan(ctx, q, "SELECT name, value, sum FROM marks", func(r *sql.Rows) error {
		var name, value string
		var sum int64
		if err := r.Scan(&name, &value, &sum); err != nil {
			return err
		}
		if checksum(name, value) != sum {
			s.problem("mark %q is not as it was written", name)
			return nil
		}
		marks[name] = value
		return nil
	})
	return marks, err
}
