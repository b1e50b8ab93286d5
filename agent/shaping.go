package agent

import (
	"context"
	"fmt"
	"slices"

	"reverie/agent/dynamic"
)

// shaping is what dynamic scripts made of a turn's prompt.
type shaping struct{ add, replace string }

// runScripts lets the agent folder's scripts see the turn before it begins.
// What one of them gets wrong is shown, and the turn goes on without it.
func (t *turn) runScripts(ctx context.Context) {
	c := t.c
	if c.scripts == nil {
		return
	}
	c.mu.Lock()
	in := dynamic.Input{Thread: c.log.id, Message: t.prompt, Turn: t.n, State: c.state.clone()}
	c.mu.Unlock()
	out := c.scripts.Run(ctx, in)
	for _, err := range out.Errors {
		t.emit(Notice{Text: fmt.Sprintf("An agent script failed and is left out: %v", err)})
	}
	c.mu.Lock()
	c.state = out.State
	c.mu.Unlock()
	t.shape = shaping{add: out.Add, replace: out.Replace}
	if out.Model != "" && out.Model != t.model.Name() {
		t.chooseModel(ctx, out.Model)
	}
	if out.Narrow {
		t.tools = slices.DeleteFunc(slices.Clone(t.tools), func(tl tool) bool { return !slices.Contains(out.Tools, tl.name) })
	}
}

// chooseModel uses another model for this turn.
func (t *turn) chooseModel(ctx context.Context, name string) {
	if t.c.cfg.Models == nil {
		t.emit(Notice{Text: fmt.Sprintf("An agent script chose the model %s, which can't be had here; %s answers.", name, t.model.Name())})
		return
	}
	m, err := t.c.cfg.Models(ctx, name)
	if err != nil {
		t.emit(Notice{Text: fmt.Sprintf("An agent script chose the model %s: %v. %s answers.", name, err, t.model.Name())})
		return
	}
	t.model = m
}
