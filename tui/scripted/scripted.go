// Package scripted is a conversation whose answers a test wrote down. It keeps
// to what the interface may rely on, and does nothing of its own.
package scripted

import (
	"context"
	"errors"
	"sync"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/memstore"
)

// Answer plays one turn: it emits events and returns the turn's error. Ask puts
// a question and waits for the decision.
type Answer func(ctx context.Context, text string, emit func(agent.Event), ask func(agent.Approval) agent.Decision) error

// Conversation is a scripted conversation. Its fields are set before use.
type Conversation struct {
	OnSend   Answer // for Send and Retry
	OnForget func(ctx context.Context, scope memstore.Scope, key string, emit func(agent.Event)) error
	OnUndo   func(ctx context.Context, scope memstore.Scope, key string, emit func(agent.Event)) error
	Past     []model.Message
	Name     string
	Refs     []agent.Ref

	mu      sync.Mutex
	sent    []string
	turn    int
	lastID  int
	pending []agent.Approval
	answers map[int]chan agent.Decision
	decided []agent.Decision
}

// Sent is what was sent so far, in order.
func (c *Conversation) Sent() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]string(nil), c.sent...)
}

// Decided is how questions were answered so far, in order.
func (c *Conversation) Decided() []agent.Decision {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]agent.Decision(nil), c.decided...)
}

// Send plays the script.
func (c *Conversation) Send(ctx context.Context, text string, emit func(agent.Event)) error {
	c.mu.Lock()
	c.sent = append(c.sent, text)
	c.turn++
	turn := c.turn
	c.mu.Unlock()
	emit(agent.TurnStarted{Turn: turn, Text: text})
	var err error
	if c.OnSend != nil {
		err = c.OnSend(ctx, text, emit, func(a agent.Approval) agent.Decision { return c.ask(ctx, a, emit) })
	}
	stopped := errors.Is(err, context.Canceled)
	if stopped {
		err = nil
	}
	emit(agent.TurnFinished{Turn: turn, Err: err, Stopped: stopped, Used: c.Refs})
	return err
}

// Retry sends the last text again.
func (c *Conversation) Retry(ctx context.Context, emit func(agent.Event)) error {
	sent := c.Sent()
	if len(sent) == 0 {
		return errors.New("nothing to retry")
	}
	return c.Send(ctx, sent[len(sent)-1], emit)
}

func (c *Conversation) ask(ctx context.Context, a agent.Approval, emit func(agent.Event)) agent.Decision {
	answer := make(chan agent.Decision, 1)
	c.mu.Lock()
	c.lastID++
	a.ID = c.lastID
	c.pending = append(c.pending, a)
	if c.answers == nil {
		c.answers = map[int]chan agent.Decision{}
	}
	c.answers[a.ID] = answer
	c.mu.Unlock()
	emit(agent.ApprovalAsked{Approval: a})
	d := agent.Withdrawn
	select {
	case d = <-answer:
	case <-ctx.Done():
		c.remove(a.ID)
	}
	emit(agent.ApprovalDone{ID: a.ID, Decision: d})
	return d
}

func (c *Conversation) remove(id int) (chan agent.Decision, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, a := range c.pending {
		if a.ID == id {
			c.pending = append(c.pending[:i:i], c.pending[i+1:]...)
			return c.answers[id], true
		}
	}
	return nil, false
}

// Decide answers a waiting question.
func (c *Conversation) Decide(id int, d agent.Decision) bool {
	answer, ok := c.remove(id)
	if ok {
		c.mu.Lock()
		c.decided = append(c.decided, d)
		c.mu.Unlock()
		answer <- d
	}
	return ok
}

// Pending are the questions that wait.
func (c *Conversation) Pending() []agent.Approval {
	c.mu.Lock()
	defer c.mu.Unlock()
	return append([]agent.Approval(nil), c.pending...)
}

// ForgetByUser plays OnForget.
func (c *Conversation) ForgetByUser(ctx context.Context, scope memstore.Scope, key string, emit func(agent.Event)) error {
	if c.OnForget == nil {
		return &memstore.NotFoundError{Scope: scope, Key: key}
	}
	return c.OnForget(ctx, scope, key, emit)
}

// UndoByUser plays OnUndo.
func (c *Conversation) UndoByUser(ctx context.Context, scope memstore.Scope, key string, emit func(agent.Event)) error {
	if c.OnUndo == nil {
		return memstore.ErrNothingToUndo
	}
	return c.OnUndo(ctx, scope, key, emit)
}

// History is Past.
func (c *Conversation) History() []model.Message { return c.Past }

// Title is fixed.
func (c *Conversation) Title() string { return "a scripted conversation" }

// ID is fixed.
func (c *Conversation) ID() string { return "scripted" }

// Model is Name, or "scripted".
func (c *Conversation) Model() string {
	if c.Name != "" {
		return c.Name
	}
	return "scripted"
}

// Used is Refs.
func (c *Conversation) Used() []agent.Ref { return c.Refs }
