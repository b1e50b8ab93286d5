package agent

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"reverie/agent/model"
	"reverie/memstore"
)

// turnStatus says how a turn ended.
type turnStatus string

const (
	turnRunning turnStatus = "running"
	turnDone    turnStatus = "done"
	turnStopped turnStatus = "stopped" // by the user
	turnFailed  turnStatus = "failed"
	// turnBroken is a turn that a crash broke off.
	turnBroken turnStatus = "broken"
)

// threadLog writes one thread down. Without Threads it keeps nothing. It is
// used by the goroutine that runs the turn; rename and note may run beside it.
type threadLog struct {
	threads *Threads // nil: nothing is kept
	id      string
	lock    *threadLock
	stored  atomic.Bool // the thread's row exists
	seq     int64       // of the last message
	epoch   int64
	saved   state // as of the last checkpoint
	broken  bool  // a write failed: memory and file may differ
}

func (l *threadLog) close() error {
	err := l.lock.release()
	l.lock = nil
	return err
}

// write is a change of memory that this thread made: which entry, and the
// version that it left there. The version is empty in threads from before it
// was kept.
type write struct {
	Ref
	version memstore.Version
}

// batch is what is written in one transaction.
type batch struct {
	turn     int
	title    string // of a thread that is not stored yet
	messages []model.Message
	status   turnStatus // "" leaves it
	state    state      // nil leaves it
	writes   []write
	preview  string
	model    string
}

// save writes a batch: all of it or nothing.
func (l *threadLog) save(ctx context.Context, b batch) error {
	if l.threads == nil {
		l.seq += int64(len(b.messages))
		l.stored.Store(true)
		return nil
	}
	ctx = context.WithoutCancel(ctx) // what happened is kept, stopped or not
	now := l.threads.now().UnixMilli()
	err := l.threads.db.Write(ctx, func(tx *sql.Tx) error {
		if !l.stored.Load() {
			if _, err := tx.ExecContext(ctx, `INSERT INTO threads (id, title, created, updated) VALUES (?, ?, ?, ?)`, l.id, b.title, now, now); err != nil {
				return err
			}
		}
		for i, m := range b.messages {
			body, err := json.Marshal(m)
			if err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `INSERT INTO messages (thread, seq, turn, body) VALUES (?, ?, ?, ?)`, l.id, l.seq+int64(i)+1, b.turn, string(body)); err != nil {
				return err
			}
		}
		for _, w := range b.writes {
			if err := insertWrite(ctx, tx, l.id, w); err != nil {
				return err
			}
		}
		if err := l.saveState(ctx, tx, b.state); err != nil {
			return err
		}
		if b.status != "" {
			if _, err := tx.ExecContext(ctx, `INSERT INTO turns (thread, turn, status) VALUES (?, ?, ?)
				ON CONFLICT DO UPDATE SET status = excluded.status`, l.id, b.turn, string(b.status)); err != nil {
				return err
			}
		}
		_, err := tx.ExecContext(ctx, `UPDATE threads SET updated = ?2,
			preview = CASE ?3 WHEN '' THEN preview ELSE ?3 END,
			model = CASE ?4 WHEN '' THEN model ELSE ?4 END WHERE id = ?1`, l.id, now, b.preview, b.model)
		return err
	})
	if err != nil {
		l.broken = true
		return fmt.Errorf("keeping thread %s in %s: %w", l.id, l.threads.db.Path(), err)
	}
	l.stored.Store(true)
	l.seq += int64(len(b.messages))
	if b.state != nil {
		l.saved = b.state.clone()
	}
	return nil
}

func (l *threadLog) saveState(ctx context.Context, tx *sql.Tx, s state) error {
	if s == nil {
		return nil
	}
	for _, key := range s.changedFrom(l.saved) {
		v, ok := s[key]
		var err error
		if ok {
			_, err = tx.ExecContext(ctx, `INSERT INTO state (thread, key, value) VALUES (?, ?, ?)
				ON CONFLICT DO UPDATE SET value = excluded.value`, l.id, key, string(v))
		} else {
			_, err = tx.ExecContext(ctx, `DELETE FROM state WHERE thread = ? AND key = ?`, l.id, key)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// dropLast takes the last message away: an answer that is tried again.
func (l *threadLog) dropLast(ctx context.Context) error {
	if l.threads != nil {
		err := l.threads.db.Write(ctx, func(tx *sql.Tx) error {
			_, err := tx.ExecContext(ctx, `DELETE FROM messages WHERE thread = ? AND seq = ?`, l.id, l.seq)
			return err
		})
		if err != nil {
			return l.threads.failed("trying the last turn of thread "+l.id+" again", err)
		}
	}
	l.seq--
	return nil
}

// saveSummary keeps what stands in for the messages up to upto.
func (l *threadLog) saveSummary(ctx context.Context, text string, upto int) error {
	if l.threads == nil || !l.stored.Load() {
		return nil
	}
	return l.threads.change(context.WithoutCancel(ctx), "summarising", l.id, `UPDATE threads SET summary = ?2, summary_upto = ?3 WHERE id = ?1`, text, upto)
}

func (l *threadLog) rename(ctx context.Context, title string) error {
	if l.threads == nil || !l.stored.Load() {
		return nil
	}
	return l.threads.Rename(ctx, l.id, title)
}

// stale says whether stored messages were changed by someone else since they
// were read, which a purge does.
func (l *threadLog) stale(ctx context.Context) (bool, error) {
	if l.threads == nil || !l.stored.Load() {
		return false, nil
	}
	var epoch int64
	err := l.threads.db.Reader().QueryRowContext(ctx, `SELECT epoch FROM threads WHERE id = ?`, l.id).Scan(&epoch)
	if errors.Is(err, sql.ErrNoRows) {
		return false, &ThreadNotFoundError{Ref: l.id}
	}
	return epoch != l.epoch, l.threads.failed("reading thread "+l.id, err)
}

// stored is a thread as it lies in the file.
type storedThread struct {
	info        ThreadInfo
	history     []model.Message
	state       state
	status      turnStatus // of the last turn
	turn        int
	writes      []write
	summary     string
	summaryUpto int
	seq         int64
	epoch       int64
}

// load reads a whole thread. What is written by another process between two
// of its queries is noticed by the epoch or read on the next occasion.
func (t *Threads) load(ctx context.Context, id string) (s storedThread, err error) {
	if s.info, err = t.Find(ctx, id); err != nil {
		return s, err
	}
	id = s.info.ID
	db := t.db.Reader()
	err = db.QueryRowContext(ctx, `SELECT epoch, summary, summary_upto,
		(SELECT coalesce(max(seq), 0) FROM messages WHERE thread = id) FROM threads WHERE id = ?`, id).
		Scan(&s.epoch, &s.summary, &s.summaryUpto, &s.seq)
	if err != nil {
		return s, t.failed("reading thread "+id, err)
	}
	s.status = turnDone
	err = db.QueryRowContext(ctx, `SELECT turn, status FROM turns WHERE thread = ? ORDER BY turn DESC LIMIT 1`, id).Scan(&s.turn, &s.status)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return s, t.failed("reading thread "+id, err)
	}
	if s.state, err = t.state(ctx, id); err != nil {
		return s, err
	}
	if s.writes, err = t.writes(ctx, id); err != nil {
		return s, t.failed("reading thread "+id, err)
	}
	s.history, err = t.Messages(ctx, id)
	return s, err
}

// writes reads what a thread changed, oldest first. A file that can only be
// read may be of the version that kept no versions of them.
func (t *Threads) writes(ctx context.Context, id string) ([]write, error) {
	var kept bool
	db := t.db.Reader()
	if err := db.QueryRowContext(ctx, `SELECT count(*) FROM pragma_table_info('writes') WHERE name = 'version'`).Scan(&kept); err != nil {
		return nil, err
	}
	version := "version"
	if !kept {
		version = "''"
	}
	rows, err := db.QueryContext(ctx, `SELECT scope, key, `+version+` FROM writes WHERE thread = ? ORDER BY n`, id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []write
	for rows.Next() {
		var w write
		if err := rows.Scan(&w.Scope, &w.Key, &w.version); err != nil {
			return nil, err
		}
		out = append(out, w)
	}
	return out, rows.Err()
}

func insertWrite(ctx context.Context, tx *sql.Tx, thread string, w write) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO writes (thread, n, scope, key, version)
		VALUES (?1, (SELECT coalesce(max(n), 0) + 1 FROM writes WHERE thread = ?1), ?2, ?3, ?4)`, thread, string(w.Scope), w.Key, string(w.version))
	return err
}

// note keeps which memory a person changed last.
func (l *threadLog) note(ctx context.Context, ws []write) error {
	if l.threads == nil || !l.stored.Load() {
		return nil
	}
	ctx = context.WithoutCancel(ctx)
	err := l.threads.db.Write(ctx, func(tx *sql.Tx) error {
		for _, w := range ws {
			if err := insertWrite(ctx, tx, l.id, w); err != nil {
				return err
			}
		}
		return nil
	})
	return l.threads.failed("keeping a change in thread "+l.id, err)
}
