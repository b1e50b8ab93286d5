package agent

import (
	"context"
	"fmt"

	"reverie/memstore"
)

// What a call comes to where a person has to agree: they said no, nobody was
// there, or the question became moot.

// withdrawn answers a call whose question became moot: the turn was stopped,
// or the entry changed while the question waited.
func (l lifecycle) withdrawn(ctx context.Context, q *question) outcome {
	if ctx.Err() != nil {
		o := fail(kindDenied, "not done: the turn was stopped while the question waited", "Do it only if the user asks again.")
		o.memory = &MemoryEvent{Action: "denied", Scope: l.scope, Key: q.Key, Problem: o.err}
		return o
	}
	now, err := current(ctx, l.store, q.Key)
	if err != nil {
		return refused(err, l.scope, q.Key, l.names)
	}
	return refused(&memstore.ConflictError{Scope: l.scope, Key: q.Key, Expected: q.Entry.Version, Current: now}, l.scope, q.Key, l.names)
}

// refusedBy is a call that a person or their setting does not allow.
func refusedBy(scope memstore.Scope, key, why, next string) outcome {
	o := outcome{result: failure{Error: mask(fmt.Sprintf("not done with %s memory %q: %s", scope, key, why)), Kind: kindDenied, Why: why, Next: next}}
	o.err = o.result.(failure).Error
	o.memory = &MemoryEvent{Action: "denied", Scope: scope, Key: key, Problem: why}
	return o
}

// unasked is a call that a person would have to agree to, where there is
// nobody to ask. do is the subcommand by which they can do it themselves.
func unasked(scope memstore.Scope, key, do string) outcome {
	command := "reverie memory " + do
	if scope != memstore.Project {
		command += " --scope " + string(scope)
	}
	if command += " " + key; do == "add" {
		command += " VALUE"
	}
	return refusedBy(scope, key, fmt.Sprintf("it needs the user's approval, and nobody is there to ask: in the chat it is asked for, and %s does it", command),
		"Tell the user so; they can do it themselves.")
}

// consent asks the person who forgot a key whether it may come back. Where they
// do not agree, the outcome is what the call comes to.
func (t *turn) consent(ctx context.Context, l lifecycle, tool, key, effect string) (outcome, bool) {
	entry, err := current(ctx, l.store, key)
	if err != nil {
		return refused(err, l.scope, key, l.names), false
	}
	q := t.round.ask(Approval{Tool: tool, Scope: l.scope, Key: entry.Key, Entry: entry, Turn: t.n, Effect: effect}, l.store)
	switch t.round.wait(ctx, q) {
	case Approve, ApproveSession:
		return outcome{}, true
	case Deny:
		return refusedBy(l.scope, entry.Key, "the user forgot it and does not want it back", "Do not bring it back, under this key or another."), false
	case Unasked:
		return unasked(l.scope, entry.Key, map[bool]string{true: "undo", false: "add"}[tool == l.names.undo]), false
	}
	return l.withdrawn(ctx, q), false
}
