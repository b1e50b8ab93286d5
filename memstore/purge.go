package memstore

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// purgePending is the mark that says that erased text may still be in the
// write-ahead log.
const purgePending = "purge.pending"

// purgeWait is how long a purge waits for others to let go of old pages, and
// finishWait how long a later write does so on its behalf.
const (
	purgeWait  = 2 * time.Second
	finishWait = 20 * time.Millisecond
)

// PurgeRequest names what to erase. Only a person may ask for it.
type PurgeRequest struct {
	Key        string
	Provenance Provenance
}

// Purged says what a purge erased.
type Purged struct {
	Key       string   `json:"key"`
	Marker    Version  `json:"marker"`    // the revision that remains
	Revisions int      `json:"revisions"` // whose text is gone
	Receipts  []string `json:"receipts"`  // ids of those whose plan lost texts
	// Threads are the conversations whose messages carried the text to a tool;
	// they are kept elsewhere, and are the caller's to clean.
	Threads []string `json:"threads"`
	// Elsewhere are other keys whose present text contains a text that was
	// erased here. They were left alone.
	Elsewhere []string `json:"elsewhere"`
	// Pending: another connection still holds old pages, so that erased text
	// may yet be in the write-ahead log. It is removed by the next write or
	// opening that finds them free.
	Pending bool `json:"pending"`
}

// Purge erases an entry's texts for good: values, descriptions and provenance
// of all its revisions, what receipts quote of it, and, as secure_delete is on
// and the write-ahead log is emptied, the pages that held them. What remains
// of each revision is that it was: its place, version, times, kind, writer and
// origin. A tombstone with [OpPurge] is added, which keeps others from bringing
// the key back (see [ForgottenError]). Nothing can be undone or restored beyond
// it.
//
// The erasing is one transaction. Purging again what was purged is allowed and
// finishes what is pending. Out of reach are copies that the disk, a backup or
// another program made.
//
// A request by anybody but a person is an [InvalidError], a key that never was
// a [NotFoundError].
func (d *DB) Purge(ctx context.Context, r PurgeRequest) (Purged, error) {
	key, err := Key(r.Key)
	if err != nil {
		return Purged{}, err
	}
	p := r.Provenance.withOrigin(Explicit)
	if err := admitProvenance(p); err != nil {
		return Purged{}, err
	}
	if p.Writer != ByUser {
		return Purged{}, &InvalidError{What: "writer", Rule: "only a person can purge", Got: string(p.Writer)}
	}
	done := Purged{Key: key, Receipts: []string{}, Threads: []string{}, Elsewhere: []string{}}
	err = d.change(ctx, func(t *txn) error { return t.purge(&done, p) })
	if err != nil {
		return Purged{}, err
	}
	emptied, err := d.emptyLog(ctx, purgeWait)
	if err != nil {
		return Purged{}, err
	}
	done.Pending = !emptied
	return done, nil
}

func (t *txn) purge(done *Purged, p Provenance) error {
	head, ok, err := t.current(done.Key)
	if err != nil {
		return err
	}
	if !ok {
		return &NotFoundError{Scope: t.db.scope, Key: done.Key}
	}
	texts, err := t.eraseRevisions(head, done)
	if err != nil {
		return err
	}
	if err := t.eraseReceipts(done); err != nil {
		return err
	}
	if done.Elsewhere, err = t.mentions(texts, done.Key); err != nil {
		return err
	}
	r := row{undo: undoNothing, entry: head.entry, created: head.created}
	r.Entry = Entry{
		Scope: t.db.scope, Key: done.Key, Kind: head.Kind, Version: newVersion(),
		Updated: fromMicros(micros(t.now)), Forgotten: true, Provenance: p,
	}
	r.Op, r.Recorded, r.Purged = OpPurge, r.Updated, true
	if err := t.insert(&r); err != nil {
		return err
	}
	done.Marker = r.Version
	return t.setMark(purgePending, fmt.Sprint(r.Seq))
}

// eraseRevisions empties every revision of the entry and returns the texts
// that were in them.
func (t *txn) eraseRevisions(head row, done *Purged) (texts []string, err error) {
	all, err := t.revisionsOf(head.Key)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for i := range all {
		r := &all[i]
		if r.Op == OpPurge {
			continue
		}
		for _, s := range []string{r.Value, r.Description} {
			if s != "" && !seen[s] {
				seen[s] = true
				texts = append(texts, s)
			}
		}
		if th := r.Provenance.Thread; th != "" && !seen["thread "+th] {
			seen["thread "+th] = true
			done.Threads = append(done.Threads, th)
		}
		if !r.Purged {
			done.Revisions++
		}
		r.Value, r.Description, r.Purged, r.undo = "", "", true, undoNothing
		r.Provenance = Provenance{Writer: r.Provenance.Writer, Origin: r.Provenance.Origin}
		_, err := t.tx.ExecContext(t.ctx, `UPDATE revisions SET value = '', description = '', source = '',
			flags = flags | ?, undo = ?, sum = ? WHERE seq = ?`, flagPurged, undoNothing, r.sum(), r.Seq)
		if err != nil {
			return nil, err
		}
	}
	return texts, nil
}

// revisionsOf reads all revisions of a key, newest first.
func (t *txn) revisionsOf(key string) ([]row, error) {
	rows, err := t.stmt(t.db.in.history).QueryContext(t.ctx, key)
	if err != nil {
		return nil, err
	}
	return scanAll(rows, t.db.scope)
}

// eraseReceipts empties the texts of every planned operation that names the
// key, in whatever place it does: a merge's result may hold the text as well.
func (t *txn) eraseReceipts(done *Purged) error {
	all, ns, err := readReceipts(t.ctx, t.tx, t.db.scope, "SELECT "+receiptColumns+" FROM receipts ORDER BY n")
	if err != nil {
		return err
	}
	for i, r := range all {
		plan, changed, err := erasePlan(r.Plan, done.Key)
		if err != nil {
			return fmt.Errorf("erasing from receipt %s: %w", r.ID, err)
		}
		if !changed {
			continue
		}
		r.Plan = plan
		if _, err := t.tx.ExecContext(t.ctx, "UPDATE receipts SET plan = ?, sum = ? WHERE n = ?", string(plan), receiptSum(r), ns[i]); err != nil {
			return err
		}
		done.Receipts = append(done.Receipts, r.ID)
	}
	return nil
}

// shortText is too short for its appearance elsewhere to say anything.
const shortText = 8

// mentions finds live entries whose text contains one of texts.
func (t *txn) mentions(texts []string, but string) ([]string, error) {
	keys := []string{}
	for _, s := range texts {
		if len(s) < shortText {
			continue
		}
		rows, err := t.tx.QueryContext(t.ctx, `SELECT e.key FROM entries e JOIN revisions r ON r.seq = e.head
			WHERE e.live AND e.key <> ? AND (instr(r.value, ?) OR instr(r.description, ?)) ORDER BY e.key`, but, s, s)
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			var k string
			if err := rows.Scan(&k); err != nil {
				rows.Close()
				return nil, err
			}
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
		if err := rows.Err(); err != nil {
			return nil, err
		}
	}
	return keys, nil
}

// emptyLog empties the write-ahead log after a purge and takes the mark away
// that asks for it.
func (d *DB) emptyLog(ctx context.Context, wait time.Duration) (bool, error) {
	emptied, err := d.file.Checkpoint(ctx, wait)
	if err != nil || !emptied {
		d.purging.Store(err == nil)
		return false, err
	}
	d.purging.Store(false)
	return true, d.change(ctx, func(t *txn) error {
		_, err := t.tx.ExecContext(t.ctx, "DELETE FROM marks WHERE name = ?", purgePending)
		return err
	})
}

// PurgePending says whether erased text may still be in the write-ahead log,
// after trying once more to remove it.
func (d *DB) PurgePending(ctx context.Context) (bool, error) {
	mark, err := d.Mark(ctx, purgePending)
	if err != nil || mark == "" {
		return false, err
	}
	emptied, err := d.emptyLog(ctx, purgeWait)
	return !emptied, err
}

// finishPurge does what an earlier purge, of any process, had to leave. It
// waits for nobody, and what it can't do the next call will.
func (d *DB) finishPurge(ctx context.Context) error {
	mark, err := d.Mark(ctx, purgePending)
	if err != nil || mark == "" || d.file.Writable() != nil {
		d.purging.Store(false)
		return err
	}
	_, err = d.emptyLog(ctx, finishWait)
	return err
}
