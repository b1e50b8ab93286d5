package agent

import (
	"context"
	"fmt"

	"reverie/agent/model"
)

// runCalls runs the tool calls of one answer in order. Each has a result in
// the thread when it returns, and each finished one is durable before the next
// begins. The questions of all of them are asked when the first one needs an
// answer, so that a person sees them together.
func (t *turn) runCalls(ctx context.Context, calls []model.ToolCall) error {
	t.round = newRound(t.c.asks, t.emit)
	defer func() {
		t.round.end("the turn ended")
		t.round = nil
	}()
	questions := make([]*question, len(calls))
	asked := false
	for i, call := range calls {
		shown := t.screened.calls[i]
		t.emit(ToolStarted{Call: shown})
		if !asked && ctx.Err() == nil {
			asked = t.askFor(ctx, calls, i, questions)
		}
		t.asked = questions[i]
		o := t.runCall(ctx, call, t.screened.refused[i])
		t.asked = nil
		if err := t.keepResult(ctx, shown, o); err != nil {
			return err // the thread is read anew, and mended, before the next turn
		}
	}
	return nil
}

// askFor puts the questions of the calls from i on before the person, if call
// i has one, and says whether it did.
func (t *turn) askFor(ctx context.Context, calls []model.ToolCall, i int, questions []*question) bool {
	for j := i; j < len(calls); j++ {
		tl, ok := findTool(t.tools, calls[j].Name)
		if !ok || tl.question == nil {
			if j == i {
				return false
			}
			continue
		}
		a, err := tl.parse(calls[j].Arguments)
		if err == nil {
			if p, store, ok := tl.question(ctx, t, a); ok {
				questions[j] = t.round.ask(p, store)
				continue
			}
		}
		if j == i {
			return false
		}
	}
	return true
}

// runCall runs one call. Nothing that a model writes makes it fail otherwise
// than with a result that says what to do. refusal is what it comes to
// where the guard refuses what it would save.
func (t *turn) runCall(ctx context.Context, call model.ToolCall, refusal *outcome) outcome {
	if ctx.Err() != nil && t.asked == nil {
		return fail(kindDenied, "not run: the turn was stopped", "Do it only if the user asks again.")
	}
	if refusal != nil {
		return *refusal
	}
	tl, ok := findTool(t.tools, call.Name)
	if !ok {
		return fail(kindInvalid, fmt.Sprintf("there is no tool %q", cut(oneLine(call.Name), 64)), "Use one of: "+toolNames(t.tools)+".")
	}
	a, err := tl.parse(call.Arguments)
	if err != nil {
		return fail(kindInvalid, mask(err.Error()), "Correct the arguments and call it again.")
	}
	return tl.run(ctx, t, a)
}

// keepResult stores what a call came to and tells of it.
func (t *turn) keepResult(ctx context.Context, call model.ToolCall, o outcome) error {
	c := t.c
	m := c.toolMessage(call, o)
	c.mu.Lock()
	// A note lives in the state: it is as durable as the call that saved it.
	b := batch{turn: t.n, messages: []model.Message{m}, state: c.state.clone()}
	c.mu.Unlock()
	b.writes = o.wrote
	err := c.log.save(ctx, b)
	c.mu.Lock()
	c.append(m)
	c.writes = append(c.writes, b.writes...)
	c.mu.Unlock()
	t.read = append(t.read, o.read...)
	t.emit(ToolFinished{Call: call, Result: m.Text, Error: o.err, Memory: o.memory})
	return err
}

func (c *Conversation) toolMessage(call model.ToolCall, o outcome) model.Message {
	return model.Message{Role: model.Tool, Text: o.text(), CallID: call.ID, Name: call.Name, Failed: o.err != "", Time: c.cfg.Now().UTC()}
}
