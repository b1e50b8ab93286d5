package agent

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"reverie/agent/model"
)

// maxImport bounds an imported thread, in bytes of JSON.
const maxImport = 256 << 20

// exported is a thread as it goes to another machine. History and state are
// what the format promises; the others are extras that an import may lack.
// State has notes always, under "memory.notes".
type exported struct {
	History []model.Message `json:"history"`
	State   state           `json:"state"`
	ID      string          `json:"id,omitempty"`
	Title   string          `json:"title,omitempty"`
	Created time.Time       `json:"created,omitzero"`
}

// Export writes a thread as JSON:
//
//	{"history":[message…],"state":{"memory.notes":["…"]},"id","title","created"}
//
// A message has "role" (user, assistant or tool), "text", and where they apply
// "reasoning" and "signature", "calls" (each "id", "name" and "arguments", the
// JSON as the model wrote it), of a tool's result "call_id", "name" and
// "failed", "time" (RFC 3339, UTC), "model" (provider/name) and "partial",
// which marks an answer that was broken off. State holds any JSON by name.
func (t *Threads) Export(ctx context.Context, id string, w io.Writer) error {
	s, err := t.load(ctx, id)
	if err != nil {
		return err
	}
	out := exported{History: s.history, State: s.state, ID: s.info.ID, Title: s.info.Title, Created: s.info.Created}
	if out.History == nil {
		out.History = []model.Message{}
	}
	if len(out.State[notesKey]) == 0 {
		out.State[notesKey] = json.RawMessage("[]")
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(out); err != nil {
		return fmt.Errorf("exporting thread %s: %w", id, err)
	}
	return nil
}

// Import takes over what Export wrote, here or on another machine. The thread
// keeps its id unless one of that id is here already, which is left alone. A
// message may have its text as "content" too. Notes are trimmed, and each is
// kept once; one that the guard refuses is a *guard.Refusal, one that is too
// long a *memstore.LimitError, and then nothing is imported.
func (t *Threads) Import(ctx context.Context, r io.Reader) (ThreadInfo, error) {
	in, err := readExported(r)
	if err != nil {
		return ThreadInfo{}, fmt.Errorf("importing a thread: %w", err)
	}
	id, err := t.freeID(ctx, in.ID)
	if err != nil {
		return ThreadInfo{}, err
	}
	title := titleFrom(in.Title)
	preview, by := "", ""
	for _, m := range in.History {
		if title == "" && m.Role == model.User {
			title = titleFrom(m.Text)
		}
		if m.Role != model.Tool && m.Text != "" {
			preview = titleFrom(m.Text)
		}
		if m.Model != "" {
			by = m.Model
		}
	}
	if title == "" {
		title = id
	}
	now := t.now().UnixMilli()
	created := now
	if !in.Created.IsZero() {
		created = in.Created.UnixMilli()
	}
	err = t.db.Write(ctx, func(tx *sql.Tx) error {
		if _, err := tx.ExecContext(ctx, `INSERT INTO threads (id, title, created, updated, preview, model) VALUES (?, ?, ?, ?, ?, ?)`, id, title, created, now, preview, by); err != nil {
			return err
		}
		return insertThread(ctx, tx, id, in)
	})
	if err != nil {
		return ThreadInfo{}, t.failed("importing a thread", err)
	}
	return t.Find(ctx, id)
}

func insertThread(ctx context.Context, tx *sql.Tx, id string, in exported) error {
	turn := 0
	for i, m := range in.History {
		if m.Role == model.User || turn == 0 {
			turn++
		}
		body, err := json.Marshal(m)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO messages (thread, seq, turn, body) VALUES (?, ?, ?, ?)`, id, i+1, turn, string(body)); err != nil {
			return err
		}
	}
	if turn > 0 {
		// A history that ends in the middle of a turn goes on like one that a
		// crash broke off.
		status := turnDone
		if last := in.History[len(in.History)-1]; last.Role != model.Assistant || last.Partial || len(last.Calls) > 0 {
			status = turnRunning
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO turns (thread, turn, status) VALUES (?, ?, ?)`, id, turn, string(status)); err != nil {
			return err
		}
	}
	for key, value := range in.State {
		if _, err := tx.ExecContext(ctx, `INSERT INTO state (thread, key, value) VALUES (?, ?, ?)`, id, key, string(value)); err != nil {
			return err
		}
	}
	return nil
}

// readExported reads and checks a thread from elsewhere.
func readExported(r io.Reader) (exported, error) {
	var in struct {
		exported
		History []importedMessage `json:"history"`
	}
	limited := &io.LimitedReader{R: r, N: maxImport + 1}
	d := json.NewDecoder(limited)
	if err := d.Decode(&in); err != nil {
		if limited.N <= 0 {
			return in.exported, fmt.Errorf("it is larger than %d MiB", maxImport>>20)
		}
		return in.exported, fmt.Errorf("it is no thread in JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return in.exported, errors.New("there is more after the thread; import one at a time")
	}
	if in.History == nil && in.State == nil {
		return in.exported, errors.New(`it has neither "history" nor "state"`)
	}
	out := in.exported
	for i, m := range in.History {
		text, err := m.text()
		if err != nil {
			return out, fmt.Errorf("message %d: %w", i+1, err)
		}
		m.Text = text
		out.History = append(out.History, m.Message)
	}
	if err := out.State.checkNotes(); err != nil {
		return out, err
	}
	return out, checkHistory(out.History)
}

// importedMessage is a message as other programs write it too: with its text
// as "content".
type importedMessage struct {
	model.Message
	Content json.RawMessage `json:"content"`
}

func (m importedMessage) text() (string, error) {
	var content *string
	if len(m.Content) > 0 && json.Unmarshal(m.Content, &content) != nil {
		return "", errors.New(`its "content" is no text`)
	}
	switch {
	case content == nil || *content == m.Text:
		return m.Text, nil
	case m.Text != "":
		return "", errors.New(`it has a "text" and another "content"`)
	}
	return *content, nil
}

// checkNotes makes the notes of an imported state what rememberNote would have
// made of them.
func (s state) checkNotes() error {
	raw, ok := s[notesKey]
	if !ok {
		return nil
	}
	var notes []string
	if json.Unmarshal(raw, &notes) != nil {
		return fmt.Errorf("%q is no list of texts", notesKey)
	}
	delete(s, notesKey)
	for i, note := range notes {
		if err := admitNote(strings.TrimSpace(note)); err != nil {
			return fmt.Errorf("note %d: %w", i+1, err)
		}
		s.addNote(note)
	}
	return nil
}

// checkHistory sees to it that a history can be sent to a model: known roles,
// something in every message but the mark of a broken answer, and for every
// result the call that it belongs to.
func checkHistory(history []model.Message) error {
	open := map[string]bool{}
	for i, m := range history {
		switch m.Role {
		case model.User:
			clear(open)
		case model.Assistant:
			clear(open)
			for _, c := range m.Calls {
				if c.ID == "" || c.Name == "" {
					return fmt.Errorf("message %d calls a tool without an id or a name", i+1)
				}
				open[c.ID] = true
			}
		case model.Tool:
			if !open[m.CallID] {
				return fmt.Errorf("message %d is the result of a call that is not before it", i+1)
			}
			delete(open, m.CallID)
			continue
		default:
			return fmt.Errorf("message %d has the role %q; user, assistant and tool are known", i+1, m.Role)
		}
		answers := m.Role == model.Assistant && (len(m.Calls) > 0 || m.Partial)
		if strings.TrimSpace(m.Text) == "" && !answers {
			return fmt.Errorf("message %d is empty: it has no text, no call and no result", i+1)
		}
	}
	return nil
}

// freeID is id where it looks like one of ours and is not taken, else a new one.
func (t *Threads) freeID(ctx context.Context, id string) (string, error) {
	if len(id) < 8 || len(id) > 64 || !isWord(id) {
		return newID("t", 10), nil
	}
	var n int
	if err := t.db.Reader().QueryRowContext(ctx, `SELECT count(*) FROM threads WHERE id = ?`, id).Scan(&n); err != nil {
		return "", t.failed("importing a thread", err)
	}
	if n > 0 {
		return newID("t", 10), nil
	}
	return id, nil
}

func isWord(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9') {
			return false
		}
	}
	return true
}
