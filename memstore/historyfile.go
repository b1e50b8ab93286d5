package memstore

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// maxHistoryLine bounds a line of an exported history: JSON writes a byte of
// text in up to six.
const maxHistoryLine = 6*(MaxValue+MaxDescription) + 64<<10

// ExportHistory writes every revision of every key as a line of JSON, a
// [Revision], in the order of the stream, and says how many. Tombstones and
// what purges left are among them; [DB.ImportHistory] takes them.
func (d *DB) ExportHistory(ctx context.Context, w io.Writer) (int, error) {
	out := bufio.NewWriter(w)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	n, after := 0, int64(0)
	for {
		rs, err := d.Changes(ctx, after, 1000)
		if err != nil {
			return n, err
		}
		if len(rs) == 0 {
			if err := out.Flush(); err != nil {
				return n, fmt.Errorf("writing the history: %w", err)
			}
			return n, nil
		}
		for _, r := range rs {
			if err := enc.Encode(r); err != nil {
				return n, fmt.Errorf("writing the history: %w", err)
			}
			n, after = n+1, r.Seq
		}
	}
}

// HistoryReport says what [DB.ImportHistory] did.
type HistoryReport struct {
	Saved     int // revisions that were added
	Unchanged int // revisions that were there already
	Refused   []RefusedLine
}

// RefusedLine is a line that could not be taken over. Without one of its
// revisions a history is none, so that all lines of its key were left out.
type RefusedLine struct {
	Line int // from 1
	Key  string
	Err  error
}

// ImportHistory takes over what [DB.ExportHistory] wrote, from a store of the
// same scope: tokens, times, provenance, operations and what undo goes back to
// are kept, and only the places in the stream are new.
//
// It is done key by key, all in one transaction. A key that has no history
// here gets the whole; one whose history here is the beginning of the imported
// one gets the rest; one that has all of it is left as it is. Any other has
// grown apart, and is refused with a [ConflictError]. A key with a line that is
// malformed, over a limit or refused by the guard is refused as a whole. The
// error is for what ended the whole import: then nothing was taken over.
//
// Provenance is believed: import the history of stores that you trust.
func (d *DB) ImportHistory(ctx context.Context, r io.Reader) (HistoryReport, error) {
	in, err := d.readHistory(r)
	if err != nil {
		return HistoryReport{}, err
	}
	var report HistoryReport
	err = d.change(ctx, func(t *txn) error {
		report = HistoryReport{Refused: in.refused}
		return t.importHistory(in, &report)
	})
	if err != nil {
		return HistoryReport{}, err
	}
	return report, nil
}

// incoming is a history that was read: the sound lines in order, and those
// refused. A key with a refused line is in bad.
type incoming struct {
	lines   []line
	refused []RefusedLine
	bad     map[string]bool
	seen    map[Version]bool
}

type line struct {
	n int
	Revision
}

func (in *incoming) refuse(n int, key string, err error) {
	if !in.bad[key] {
		in.refused = append(in.refused, RefusedLine{Line: n, Key: key, Err: err})
	}
	if key != "" {
		in.bad[key] = true
	}
}

func (d *DB) readHistory(r io.Reader) (*incoming, error) {
	in := &incoming{bad: map[string]bool{}, seen: map[Version]bool{}}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxHistoryLine)
	n := 0
	for lines.Scan() {
		n++
		if len(lines.Bytes()) == 0 {
			continue
		}
		var rev Revision
		if err := json.Unmarshal(lines.Bytes(), &rev); err != nil {
			// What the decoder says may quote the line.
			in.refuse(n, "", &InvalidError{What: "line", Rule: "it is no revision in JSON"})
			continue
		}
		key, err := Key(rev.Key)
		if err != nil {
			in.refuse(n, "", err)
			continue
		}
		rev.Key = key
		if err := d.admitRevision(rev, in.seen); err != nil {
			in.refuse(n, key, err)
			continue
		}
		in.seen[rev.Version] = true
		in.lines = append(in.lines, line{n, rev})
	}
	if err := lines.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, &LimitError{What: fmt.Sprintf("line %d", n+1), Limit: maxHistoryLine, Size: maxHistoryLine + 1}
	} else if err != nil {
		return nil, fmt.Errorf("reading the history: %w", err)
	}
	return in, nil
}

// admitRevision checks one line as far as that needs no other line.
func (d *DB) admitRevision(r Revision, seen map[Version]bool) error {
	switch {
	case r.Scope != d.scope:
		return &InvalidError{What: "scope", Rule: fmt.Sprintf("the line is of another scope than this memory, %s", d.scope)}
	case !looksLikeVersion(r.Version):
		return &InvalidError{What: "version", Rule: "it is no token of a revision"}
	case seen[r.Version]:
		return &InvalidError{What: "version", Rule: "an earlier line has it too"}
	case (r.Op == OpUndo) != (r.Undoes != ""):
		return &InvalidError{What: "undoes", Rule: "an undo, and nothing else, names what it undoes"}
	}
	switch r.Op {
	case OpRemember, OpForget, OpUndo, OpRestore, OpPurge:
	default:
		return &InvalidError{What: "op", Rule: "it is one of remember, forget, undo, restore, purge"}
	}
	if r.Forgotten || r.Purged {
		if r.Value != "" || r.Description != "" {
			return &InvalidError{What: "value", Rule: "what is forgotten or purged has no text"}
		}
		if err := admitKind(d.scope, r.Kind); err != nil {
			return err
		}
		return admitProvenance(r.Provenance)
	}
	return admit(d.scope, r.Key, text{value: r.Value, description: r.Description, kind: r.Kind, updated: r.Updated}, r.Provenance)
}

// importHistory adds what is new of each key.
func (t *txn) importHistory(in *incoming, report *HistoryReport) error {
	keys := map[string]*lineage{}
	for _, l := range in.lines {
		if in.bad[l.Key] {
			continue
		}
		k := keys[l.Key]
		if k == nil {
			have, err := t.revisionsOf(l.Key)
			if err != nil {
				return err
			}
			k = newLineage(have)
			keys[l.Key] = k
		}
		k.incoming = append(k.incoming, l)
	}
	for key, k := range keys {
		if n, err := k.fits(t.db.scope, key); err != nil {
			in.refuse(n, key, err)
		}
	}
	report.Refused = in.refused
	for _, l := range in.lines {
		if in.bad[l.Key] {
			continue
		}
		k := keys[l.Key]
		if k.skip > 0 {
			k.skip--
			report.Unchanged++
			continue
		}
		if err := t.importRevision(k, l.Revision); err != nil {
			return err
		}
		report.Saved++
	}
	return nil
}

func (t *txn) importRevision(k *lineage, rev Revision) error {
	r := row{Revision: rev, undo: k.undoOf(rev)}
	r.Updated, r.Recorded = fromMicros(micros(r.Updated)), fromMicros(micros(r.Recorded))
	if n := len(k.rows); n > 0 {
		r.entry, r.created = k.rows[n-1].entry, k.rows[n-1].created
	} else {
		r.created = micros(r.Updated)
	}
	if err := t.insert(&r); err != nil {
		return err
	}
	k.rows = append(k.rows, r)
	return nil
}
