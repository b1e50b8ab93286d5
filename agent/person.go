package agent

import (
	"context"
	"errors"
	"fmt"

	"reverie/agent/model"
	"reverie/memstore"
)

// ForgetByUser is a person's own wish to forget an entry. Where permissions say
// so it asks first, naming what will be forgotten, and waits for the answer.
// It may run beside a turn. emit gets the question and a [ToolFinished] with
// the line to show; a denied or moot wish is no error.
func (c *Conversation) ForgetByUser(ctx context.Context, scope memstore.Scope, key string, emit func(Event)) error {
	s, l, err := c.personal(scope)
	if err != nil {
		return err
	}
	e, err := s.Recall(ctx, l.existing(ctx, key))
	if err != nil {
		return err
	}
	scope = e.Scope
	const name = "/forget"
	done := func(o outcome) {
		emit(ToolFinished{Call: personCall(name, e.Key), Result: o.text(), Error: o.err, Memory: o.memory})
	}
	permission := c.cfg.Permissions.Forget
	if permission == Ask && c.asks.allowed(name) {
		permission = Allow
	}
	switch permission {
	case Never:
		done(refusedBy(scope, e.Key, "forgetting is switched off by the setting permissions.forget", ""))
		return nil
	case Ask:
		r := newRound(c.asks, emit)
		defer r.end("the wish was dropped")
		q := r.ask(Approval{Tool: name, Scope: scope, Key: e.Key, Entry: e, Turn: c.Turn(), Effect: forgetEffect}, s)
		switch r.wait(ctx, q) {
		case Approve, ApproveSession:
		case Deny:
			done(refusedBy(scope, e.Key, "you said no", ""))
			return nil
		case Unasked:
			done(unasked(scope, e.Key, "forget"))
			return nil
		default:
			done(l.withdrawn(ctx, q))
			return ctx.Err()
		}
	}
	m, err := s.Forget(context.WithoutCancel(ctx), memstore.ForgetRequest{Key: e.Key, Expected: e.Version, Provenance: c.byUser(name, memstore.Explicit)})
	var conflict *memstore.ConflictError
	if errors.As(err, &conflict) {
		done(refused(err, scope, e.Key, l.names)) // it changed after the answer
		return nil
	}
	if err != nil {
		return err
	}
	o := wrote("forgot", m, s)
	done(o)
	return c.noteWrite(ctx, o)
}

// personal is the store of a scope, as a person names it.
func (c *Conversation) personal(scope memstore.Scope) (memstore.Store, lifecycle, error) {
	s := c.memory.scoped(scope)
	if s == nil {
		if scope == memstore.Thread {
			return nil, lifecycle{}, errors.New("notes of a thread can't be forgotten one by one; delete the thread to forget them all")
		}
		return nil, lifecycle{}, fmt.Errorf("the %s memory is switched off in this conversation", scope)
	}
	n := projectNames
	if scope == memstore.User {
		n = userNames
	}
	return s, lifecycle{store: s, scope: scope, names: n}, nil
}

// noteWrite remembers what was changed last in this thread, for an undo
// without a key.
func (c *Conversation) noteWrite(ctx context.Context, o outcome) error {
	if len(o.wrote) == 0 {
		return nil
	}
	c.mu.Lock()
	c.writes = append(c.writes, o.wrote...)
	c.mu.Unlock()
	if c.ReadOnly() != "" {
		return nil // the thread is another's to write
	}
	return c.log.note(ctx, o.wrote)
}

func (c *Conversation) byUser(tool string, o memstore.Origin) memstore.Provenance {
	return memstore.Provenance{Writer: memstore.ByUser, Origin: o, Thread: c.log.id, Turn: c.Turn(), Tool: tool}
}

func personCall(name, key string) model.ToolCall {
	return model.ToolCall{ID: name + " " + key, Name: name, Arguments: string(mustJSON(map[string]string{"key": key}))}
}
