package agent

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"reverie/agent/model"
	"reverie/memstore"
)

const (
	erased = "[purged]"
	// certainText is how long a purged text must be, in bytes, to be erased
	// wherever it stands; a shorter one could be any word, and is erased in
	// the turns that touched the memory only.
	certainText = 8
	// redactWait is how long Redact waits for readers of old pages.
	redactWait = 2 * time.Second
)

// Redacted says what a redaction did.
type Redacted struct {
	Messages int // that were changed
	Threads  int // that they lie in
	// Pending: another process still reads old pages, so that the text may
	// still lie in the file's log. Call [Threads.Checkpoint] later.
	Pending bool
}

// Redact erases a purged memory from all threads: the tool calls about it, their
// results, and its texts wherever they were quoted, in titles, notes and
// summaries too. Nothing of it is left in the file, its free pages or its log.
// A conversation that has such a thread open reads it anew before its next turn.
func (t *Threads) Redact(ctx context.Context, scope memstore.Scope, key string, texts []string) (Redacted, error) {
	var done Redacted
	e, err := newEraser(scope, key, texts)
	if err != nil {
		return done, err
	}
	err = t.db.Write(ctx, func(tx *sql.Tx) error {
		ids, err := column(ctx, tx, `SELECT id FROM threads`)
		if err != nil {
			return err
		}
		for _, id := range ids {
			n, err := e.thread(ctx, tx, id)
			if err != nil {
				return err
			}
			if n > 0 {
				done.Threads++
				done.Messages += n
			}
		}
		return nil
	})
	if err != nil {
		return Redacted{}, t.failed(fmt.Sprintf("erasing %s memory %q from the threads", scope, key), err)
	}
	ok, err := t.db.Checkpoint(ctx, redactWait)
	done.Pending = !ok
	return done, t.failed("emptying the log", err)
}

// Checkpoint finishes what a redaction left pending. It is false where another
// process still reads old pages.
func (t *Threads) Checkpoint(ctx context.Context) (bool, error) {
	ok, err := t.db.Checkpoint(ctx, redactWait)
	return ok, t.failed("emptying the log", err)
}

func column(ctx context.Context, tx *sql.Tx, q string, args ...any) ([]string, error) {
	rows, err := tx.QueryContext(ctx, q, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, rows.Err()
}

// thread erases from one thread and says how many of its messages changed.
func (e *eraser) thread(ctx context.Context, tx *sql.Tx, id string) (changed int, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT seq, turn, body FROM messages WHERE thread = ? ORDER BY seq`, id)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	type stored struct {
		seq, turn, answer int
		body              string
		m                 model.Message
	}
	var all []stored
	touched := map[int]bool{} // turns with a call about the memory
	about := map[callOf]bool{}
	answer := 0 // seq of the last answer: servers use the ids of calls again
	for rows.Next() {
		var s stored
		if err := rows.Scan(&s.seq, &s.turn, &s.body); err != nil {
			return 0, err
		}
		if err := json.Unmarshal([]byte(s.body), &s.m); err != nil {
			return 0, fmt.Errorf("message %d of thread %s is damaged: %w", s.seq, id, err)
		}
		if s.m.Role == model.Assistant {
			answer = s.seq
		}
		s.answer = answer
		for _, c := range s.m.Calls {
			if e.isAbout(c) {
				about[callOf{answer, c.ID}], touched[s.turn] = true, true
			}
		}
		if s.m.Role == model.Tool && e.mentions(s.m.Text) {
			about[callOf{answer, s.m.CallID}], touched[s.turn] = true, true
		}
		all = append(all, s)
	}
	if err := rows.Err(); err != nil {
		return 0, err
	}
	h, err := readHead(ctx, tx, id)
	if err != nil {
		return 0, err
	}
	for _, s := range all {
		before := titleFrom(s.m.Text)
		e.message(&s.m, s.answer, about, touched[s.turn])
		body, err := json.Marshal(s.m)
		if err != nil {
			return changed, err
		}
		if string(body) == s.body {
			continue
		}
		changed++
		h.follow(before, titleFrom(s.m.Text))
		if _, err := tx.ExecContext(ctx, `UPDATE messages SET body = ? WHERE thread = ? AND seq = ?`, string(body), id, s.seq); err != nil {
			return changed, err
		}
	}
	return changed, e.rest(ctx, tx, id, h, changed > 0)
}

// callOf names a tool call: by the answer that made it, and its id in there.
type callOf struct {
	answer int
	id     string
}

// message erases from one message. What the model said around a call about the
// memory goes as a whole: it may put the text in other words.
func (e *eraser) message(m *model.Message, answer int, about map[callOf]bool, touched bool) {
	if m.Role == model.Tool && about[callOf{answer, m.CallID}] {
		m.Text = string(mustJSON(failure{Error: "this memory was purged", Kind: kindNotFound, Next: "It is gone for good; do not bring it back."}))
		return
	}
	carries := false
	for i, c := range m.Calls {
		if about[callOf{answer, c.ID}] {
			m.Calls[i].Arguments, carries = "{}", true
			continue
		}
		m.Calls[i].Arguments = e.erase(c.Arguments, touched)
	}
	if carries && m.Text != "" {
		m.Text = erased
	}
	if touched && m.Reasoning != "" {
		m.Reasoning, m.Signature = "", ""
	}
	m.Text = e.erase(m.Text, touched)
	if r := e.erase(m.Reasoning, touched); r != m.Reasoning {
		m.Reasoning, m.Signature = "", ""
	}
}

// head is what a thread's own row shows of its messages.
type head struct{ title, preview, summary string }

func readHead(ctx context.Context, tx *sql.Tx, id string) (h head, err error) {
	err = tx.QueryRowContext(ctx, `SELECT title, preview, summary FROM threads WHERE id = ?`, id).Scan(&h.title, &h.preview, &h.summary)
	return h, err
}

// follow takes over a change of the message that title or preview come from:
// they may hold only the beginning of what was erased.
func (h *head) follow(before, after string) {
	if h.title == before {
		h.title = after
	}
	if h.preview == before {
		h.preview = after
	}
}

// rest erases from what else a thread holds.
func (e *eraser) rest(ctx context.Context, tx *sql.Tx, id string, h head, touched bool) error {
	old, err := readHead(ctx, tx, id)
	if err != nil {
		return err
	}
	h.title, h.preview, h.summary = e.erase(h.title, touched), e.erase(h.preview, touched), e.erase(h.summary, touched)
	if touched && h.summary != "" {
		h.summary = erased // it may put the text in other words
	}
	if touched || h != old {
		if _, err := tx.ExecContext(ctx, `UPDATE threads SET title = ?, preview = ?, summary = ?, epoch = epoch + 1 WHERE id = ?`, h.title, h.preview, h.summary, id); err != nil {
			return err
		}
	}
	keys, err := column(ctx, tx, `SELECT key FROM state WHERE thread = ?`, id)
	if err != nil {
		return err
	}
	for _, key := range keys {
		var value string
		if err := tx.QueryRowContext(ctx, `SELECT value FROM state WHERE thread = ? AND key = ?`, id, key).Scan(&value); err != nil {
			return err
		}
		if v := e.erase(value, touched); v != value && json.Valid([]byte(v)) {
			if _, err := tx.ExecContext(ctx, `UPDATE state SET value = ? WHERE thread = ? AND key = ?`, v, id, key); err != nil {
				return err
			}
			if _, err := tx.ExecContext(ctx, `UPDATE threads SET epoch = epoch + 1 WHERE id = ?`, id); err != nil {
				return err
			}
		}
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM writes WHERE thread = ? AND scope = ? AND key = ?`, id, string(e.scope), e.key)
	return err
}
