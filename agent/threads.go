package agent

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"reverie/agent/model"
	"reverie/memstore/sqlfile"
)

// threadSchema is the schema of threads.db, version by version. Messages are
// appended and, but for an answer that is tried again and for what a person
// purges, never changed. A turn's row says how it ended; one that still says
// "running" while no process holds the thread was broken off by a crash.
var threadSchema = []string{`
CREATE TABLE threads (
	id TEXT PRIMARY KEY,
	title TEXT NOT NULL,
	created INTEGER NOT NULL, -- unix milliseconds
	updated INTEGER NOT NULL,
	preview TEXT NOT NULL DEFAULT '',
	model TEXT NOT NULL DEFAULT '',
	summary TEXT NOT NULL DEFAULT '', -- of the messages up to summary_upto
	summary_upto INTEGER NOT NULL DEFAULT 0,
	epoch INTEGER NOT NULL DEFAULT 0 -- grows when stored messages are changed
) STRICT;
CREATE INDEX threads_by_update ON threads (updated);
CREATE TABLE messages (
	thread TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
	seq INTEGER NOT NULL, -- from 1
	turn INTEGER NOT NULL,
	body TEXT NOT NULL, -- model.Message as JSON
	PRIMARY KEY (thread, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE turns (
	thread TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
	turn INTEGER NOT NULL,
	status TEXT NOT NULL, -- running, done, stopped, failed
	PRIMARY KEY (thread, turn)
) STRICT, WITHOUT ROWID;
CREATE TABLE state (
	thread TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
	key TEXT NOT NULL,
	value TEXT NOT NULL, -- JSON
	PRIMARY KEY (thread, key)
) STRICT, WITHOUT ROWID;
CREATE TABLE writes (
	thread TEXT NOT NULL REFERENCES threads (id) ON DELETE CASCADE,
	n INTEGER NOT NULL,
	scope TEXT NOT NULL,
	key TEXT NOT NULL,
	PRIMARY KEY (thread, n)
) STRICT, WITHOUT ROWID;
`, `
ALTER TABLE writes ADD COLUMN version TEXT NOT NULL DEFAULT ''; -- that the write left
`}

// ThreadsOptions say whom to tell about what was mended. Both may be nil.
type ThreadsOptions struct {
	Now  func() time.Time
	Warn func(string)
}

// Threads keeps the conversations of one project in the file threads.db of a
// folder. Several processes may use it at once; a thread is written by one.
type Threads struct {
	db  *sqlfile.DB
	dir string
	now func() time.Time
}

// ThreadInfo describes a thread in a list.
type ThreadInfo struct {
	ID      string    `json:"id"`
	Title   string    `json:"title"`
	Created time.Time `json:"created"`
	Updated time.Time `json:"updated"`
	Turns   int       `json:"turns"`
	Preview string    `json:"preview"` // the last message, cut to a line
	Model   string    `json:"model,omitempty"`
}

// ThreadNotFoundError says that no thread, or more than one, goes by a name.
type ThreadNotFoundError struct {
	Ref     string
	Matches []ThreadInfo // where several do
}

func (e *ThreadNotFoundError) Error() string {
	if len(e.Matches) > 1 {
		ids := make([]string, len(e.Matches))
		for i, t := range e.Matches {
			ids[i] = t.ID
		}
		return fmt.Sprintf("several threads match %q: %s; give the whole id", e.Ref, strings.Join(ids, ", "))
	}
	if e.Ref == "" {
		return "there is no thread yet"
	}
	return fmt.Sprintf("no thread %q", e.Ref)
}

// OpenThreads opens threads.db in dir, making both where they are missing.
// Errors about the file are *sqlfile.StateError.
func OpenThreads(ctx context.Context, dir string, o ThreadsOptions) (*Threads, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	db, err := sqlfile.Open(ctx, filepath.Join(dir, "threads.db"), sqlfile.Options{Migrations: threadSchema, Warn: o.Warn})
	if err != nil {
		return nil, fmt.Errorf("opening the threads in %s: %w", dir, err)
	}
	return &Threads{db: db, dir: dir, now: o.Now}, nil
}

// Close closes the file. Conversations over it are closed before.
func (t *Threads) Close() error { return t.db.Close() }

// Path is the file that holds the threads.
func (t *Threads) Path() string { return t.db.Path() }

const threadColumns = `id, title, created, updated, preview, model,
	(SELECT coalesce(max(turn), 0) FROM turns WHERE thread = id)`

func scanThread(row interface{ Scan(...any) error }) (ThreadInfo, error) {
	var i ThreadInfo
	var created, updated int64
	err := row.Scan(&i.ID, &i.Title, &created, &updated, &i.Preview, &i.Model, &i.Turns)
	i.Created, i.Updated = time.UnixMilli(created).UTC(), time.UnixMilli(updated).UTC()
	return i, err
}

// List returns the threads, the last used first; limit 0 is all.
func (t *Threads) List(ctx context.Context, limit int) ([]ThreadInfo, error) {
	if limit <= 0 {
		limit = -1
	}
	return t.query(ctx, `SELECT `+threadColumns+` FROM threads ORDER BY updated DESC, id LIMIT ?`, limit)
}

func (t *Threads) query(ctx context.Context, q string, args ...any) ([]ThreadInfo, error) {
	rows, err := t.db.Reader().QueryContext(ctx, q, args...)
	if err != nil {
		return nil, t.failed("listing threads", err)
	}
	defer rows.Close()
	var out []ThreadInfo
	for rows.Next() {
		i, err := scanThread(rows)
		if err != nil {
			return nil, t.failed("listing threads", err)
		}
		out = append(out, i)
	}
	return out, t.failed("listing threads", rows.Err())
}

func (t *Threads) failed(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s in %s: %w", doing, t.db.Path(), t.db.Explain(err))
}

// Latest is the thread that was used last, or a [ThreadNotFoundError].
func (t *Threads) Latest(ctx context.Context) (ThreadInfo, error) {
	list, err := t.List(ctx, 1)
	if err == nil && len(list) == 0 {
		err = &ThreadNotFoundError{}
	}
	if err != nil {
		return ThreadInfo{}, err
	}
	return list[0], nil
}

// Find returns the thread with this id, else the only one whose id begins with
// ref or whose title is ref; otherwise a [ThreadNotFoundError].
func (t *Threads) Find(ctx context.Context, ref string) (ThreadInfo, error) {
	list, err := t.query(ctx, `SELECT `+threadColumns+` FROM threads
		WHERE id = ?1 OR substr(id, 1, length(?1)) = ?1 OR lower(title) = lower(?1)
		ORDER BY id = ?1 DESC, updated DESC LIMIT 10`, ref)
	if err != nil {
		return ThreadInfo{}, err
	}
	if ref == "" || len(list) == 0 || len(list) > 1 && list[0].ID != ref {
		if ref == "" {
			list = nil
		}
		return ThreadInfo{}, &ThreadNotFoundError{Ref: ref, Matches: list}
	}
	return list[0], nil
}

// Rename gives a thread another title.
func (t *Threads) Rename(ctx context.Context, id, title string) error {
	if title = titleFrom(title); title == "" {
		return errors.New("a title needs at least one visible character")
	}
	return t.change(ctx, "renaming", id, `UPDATE threads SET title = ?2 WHERE id = ?1`, title)
}

// Delete removes a thread and all that it holds. A thread that another process
// has open is left alone with an [InUseError].
func (t *Threads) Delete(ctx context.Context, id string) error {
	lock, err := t.lock(id)
	if err != nil {
		return err
	}
	defer lock.remove()
	if err := t.change(ctx, "deleting", id, `DELETE FROM threads WHERE id = ?1`); err != nil {
		return err
	}
	_, err = t.db.Checkpoint(ctx, time.Second)
	return err
}

// change runs one statement on one thread. Foreign keys are not enforced by
// the file's connections, so a deletion names the tables itself.
func (t *Threads) change(ctx context.Context, doing, id, statement string, args ...any) error {
	err := t.db.Write(ctx, func(tx *sql.Tx) error {
		if strings.HasPrefix(statement, "DELETE") {
			for _, table := range []string{"messages", "turns", "state", "writes"} {
				if _, err := tx.ExecContext(ctx, `DELETE FROM `+table+` WHERE thread = ?`, id); err != nil {
					return err
				}
			}
		}
		r, err := tx.ExecContext(ctx, statement, append([]any{id}, args...)...)
		if err != nil {
			return err
		}
		if n, err := r.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, &ThreadNotFoundError{Ref: id})
		}
		return nil
	})
	var missing *ThreadNotFoundError
	if errors.As(err, &missing) {
		return missing
	}
	return t.failed(doing+" thread "+id, err)
}

// Messages returns a thread's history, oldest first.
func (t *Threads) Messages(ctx context.Context, id string) ([]model.Message, error) {
	rows, err := t.db.Reader().QueryContext(ctx, `SELECT body FROM messages WHERE thread = ? ORDER BY seq`, id)
	if err != nil {
		return nil, t.failed("reading thread "+id, err)
	}
	defer rows.Close()
	var out []model.Message
	for rows.Next() {
		var body string
		var m model.Message
		if err := rows.Scan(&body); err != nil {
			return nil, t.failed("reading thread "+id, err)
		}
		if err := json.Unmarshal([]byte(body), &m); err != nil {
			return nil, fmt.Errorf("reading thread %s in %s: a message is damaged: %w", id, t.db.Path(), err)
		}
		out = append(out, m)
	}
	return out, t.failed("reading thread "+id, rows.Err())
}

// promptThreads and maxPrompt bound what Prompts looks at: conversations, and
// bytes of one prompt.
const (
	promptThreads = 20
	maxPrompt     = 16 << 10
)

// Prompts returns up to limit of what the user said in the latest
// conversations, oldest first, for the prompt's history.
func (t *Threads) Prompts(ctx context.Context, limit int) ([]string, error) {
	rows, err := t.db.Reader().QueryContext(ctx, `
		SELECT body ->> '$.text'
		FROM (SELECT id, updated FROM threads ORDER BY updated DESC LIMIT ?) JOIN messages ON thread = id
		WHERE body ->> '$.role' = 'user' AND length(body) <= ?
		ORDER BY updated DESC, seq DESC LIMIT ?`, promptThreads, maxPrompt, limit)
	if err != nil {
		return nil, t.failed("reading earlier prompts", err)
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var text sql.NullString
		if err := rows.Scan(&text); err != nil {
			return nil, t.failed("reading earlier prompts", err)
		}
		if text.String != "" {
			all = append(all, text.String)
		}
	}
	slices.Reverse(all)
	return all, t.failed("reading earlier prompts", rows.Err())
}

// Notes returns a thread's own notes, oldest first.
func (t *Threads) Notes(ctx context.Context, id string) ([]string, error) {
	s, err := t.state(ctx, id)
	return s.notes(), err
}

func (t *Threads) state(ctx context.Context, id string) (state, error) {
	rows, err := t.db.Reader().QueryContext(ctx, `SELECT key, value FROM state WHERE thread = ?`, id)
	if err != nil {
		return nil, t.failed("reading the state of thread "+id, err)
	}
	defer rows.Close()
	s := state{}
	for rows.Next() {
		var key, value string
		if err := rows.Scan(&key, &value); err != nil {
			return nil, t.failed("reading the state of thread "+id, err)
		}
		s[key] = json.RawMessage(value)
	}
	return s, t.failed("reading the state of thread "+id, rows.Err())
}

// newID makes an id that no other thread has: n random bytes in small letters
// and digits.
func newID(prefix string, n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return prefix + strings.ToLower(base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(b))
}

// titleFrom makes a title of a message: its first line with a visible
// character, cut to 60 bytes.
func titleFrom(text string) string {
	for l := range strings.Lines(text) {
		l = beginning(l, 4<<10)
		if l = strings.Join(strings.Fields(neutral(l)), " "); l != "" {
			return cut(strings.ReplaceAll(l, "&lt;", "<"), 60)
		}
	}
	return ""
}
