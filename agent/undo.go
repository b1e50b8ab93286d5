package agent

import (
	"context"
	"errors"
	"fmt"

	"reverie/memstore"
)

// UndoByUser takes the last change of an entry back. An empty key is the last
// memory that was written in this thread, whatever the scope; where someone
// else has changed it since, nothing is taken back and the line that is
// emitted says who did. What was undone is undone one step further by the
// next undo.
func (c *Conversation) UndoByUser(ctx context.Context, scope memstore.Scope, key string, emit func(Event)) error {
	var expected memstore.Version
	ours := key == ""
	if ours {
		w, ok := c.lastWrite()
		if !ok {
			return fmt.Errorf("no memory was written in this thread: %w", memstore.ErrNothingToUndo)
		}
		scope, key, expected = w.Scope, w.Key, w.version
	}
	s, l, err := c.personal(scope)
	if err != nil {
		return err
	}
	v, ok := versioned(s)
	if !ok {
		return fmt.Errorf("undo in the %s memory: %w", scope, memstore.ErrUnsupported)
	}
	key = l.undoable(ctx, v, key)
	now, err := current(ctx, s, key)
	if err != nil {
		return err
	}
	if now.Version == "" {
		return &memstore.NotFoundError{Scope: scope, Key: key}
	}
	switch {
	case !ours:
		expected = now.Version
	case expected == "":
		if expected, err = c.writtenHere(ctx, v, key); err != nil {
			return err
		}
	}
	m, err := v.Undo(context.WithoutCancel(ctx), memstore.UndoRequest{Key: key, Expected: expected, Provenance: c.byUser("/undo", memstore.Undone)})
	var conflict *memstore.ConflictError
	if errors.As(err, &conflict) {
		o := refused(err, scope, key, l.names)
		o.memory.Problem = c.changedBy(conflict.Current) + "; nothing was taken back. Undo it by its key to take that change back."
		emit(ToolFinished{Call: personCall("/undo", key), Result: o.text(), Error: o.err, Memory: o.memory})
		return nil
	}
	if err != nil {
		return err
	}
	o := undid(ctx, m, v)
	emit(ToolFinished{Call: personCall("/undo", m.Entry.Key), Result: o.text(), Memory: o.memory})
	return c.noteWrite(ctx, o)
}

// lastWrite is the newest change of memory that this thread made.
func (c *Conversation) lastWrite() (write, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.writes) == 0 {
		return write{}, false
	}
	return c.writes[len(c.writes)-1], true
}

// writtenHere finds the version that this thread left last, for a thread from
// before that was kept. No version at all matches none that is current.
func (c *Conversation) writtenHere(ctx context.Context, v memstore.Versioned, key string) (memstore.Version, error) {
	h, err := v.History(ctx, key)
	if err != nil {
		return "", err
	}
	for _, r := range h {
		if r.Provenance.Thread == c.log.id {
			return r.Version, nil
		}
	}
	return memstore.None, nil
}

// changedBy says who made a change that was not expected, and where.
func (c *Conversation) changedBy(e memstore.Entry) string {
	p := e.Provenance
	s := fmt.Sprintf("changed since by %s", p.Writer)
	switch {
	case p.Thread != "" && p.Thread != c.log.id:
		s += " in another conversation"
	case p.Tool != "":
		s += " with " + oneLine(p.Tool)
	case p.Source != "":
		s += " from " + oneLine(p.Source)
	}
	return s + " (" + string(p.Origin) + ", " + e.Updated.UTC().Format("2006-01-02 15:04") + " UTC)"
}

// undid is an undo that was carried out. It says whether there is a further
// step, so that nobody is promised one that is not there.
func undid(ctx context.Context, m memstore.Mutation, v memstore.Versioned) outcome {
	o := wrote("undid", m, v)
	h, err := v.History(context.WithoutCancel(ctx), m.Entry.Key)
	more := err == nil && undoStep(h)
	if w, ok := o.result.(written); ok {
		w.Further = &more
		o.result = w
	}
	o.memory.Undo = o.memory.Undo && more
	return o
}

// undoStep says whether the newest of these revisions, newest first, can be
// undone. Undoing a revision restores its predecessor, and undoing an undo
// whatever undoing the restored one would restore; the state before the first
// revision is a tombstone, beyond which there is nothing.
func undoStep(h []memstore.Revision) bool {
	const before, nothing = -1, -2 // the state before the first, and what is beyond that
	n := len(h)
	at := make(map[memstore.Version]int, n) // places, counted from the oldest
	restores := make([]int, n)
	for i := range n {
		r := h[n-1-i]
		at[r.Version] = i
		restores[i] = i - 1 // before for the first
		if undone, ok := at[r.Undoes]; ok && r.Op == memstore.OpUndo {
			restores[i] = nothing
			if back := restores[undone]; back >= 0 {
				restores[i] = restores[back]
			}
		}
	}
	if n == 0 || restores[n-1] == nothing {
		return false
	}
	return restores[n-1] == before || !h[n-1-restores[n-1]].Purged || h[n-1-restores[n-1]].Forgotten
}
