package chat

import (
	"context"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/memstore"
)

// Conversation is what the chat needs of the agent; *agent.Conversation is
// one. Send, Retry, ForgetByUser and UndoByUser block and are called from a
// turn's own goroutine, never from Update; everything else returns at once.
type Conversation interface {
	// Send runs one turn with the user's text. emit is called from one
	// goroutine at a time, in order, and TurnFinished is its last call. The
	// error is that of TurnFinished.
	Send(ctx context.Context, text string, emit func(agent.Event)) error
	// Retry runs the last turn's message again after it failed.
	Retry(ctx context.Context, emit func(agent.Event)) error
	// Decide answers a waiting approval; false: it does not wait any more.
	Decide(id int, d agent.Decision) bool
	// Pending are the approvals that wait, oldest first.
	Pending() []agent.Approval
	// ForgetByUser and UndoByUser are what /forget KEY and /undo [KEY] do:
	// a person's own act, with the same question where permissions say ask.
	// An empty key of UndoByUser is the last memory written in this thread.
	ForgetByUser(ctx context.Context, scope memstore.Scope, key string, emit func(agent.Event)) error
	UndoByUser(ctx context.Context, scope memstore.Scope, key string, emit func(agent.Event)) error
	// History is the thread so far, oldest first, as it is to be shown.
	History() []model.Message
	// Title names the thread, ID is its id; Model is provider/name.
	Title() string
	ID() string
	Model() string
	// Used are the memories that the last request carried.
	Used() []agent.Ref
}
