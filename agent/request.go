package agent

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"reverie/agent/model"
)

const (
	// recallTime bounds how long a turn waits for auto recall.
	recallTime = 3 * time.Second
	// recallFrom is how many characters a prompt needs for auto recall.
	recallFrom = 8
	// recallUpTo is how much of a prompt it is given, in bytes.
	recallUpTo = 8 << 10
)

// request builds what the model gets and notes what that was. Memory that
// can't be read is said and left out; it stops no turn.
func (t *turn) request(ctx context.Context) model.Request {
	c := t.c
	if err := c.followMemory(ctx); err != nil {
		t.emit(Notice{Text: "Memory could not be read in full: " + err.Error()})
	}
	stable := c.stable(t)
	volatile, err := c.volatileParts(ctx, t.model)
	if err != nil {
		t.emit(Notice{Text: "Memory could not be read in full: " + err.Error()})
	}
	if t.shape.add != "" {
		volatile = append(volatile, newPart("volatile", "dynamic", "added by the agent folder's scripts for this turn", "\n# For this turn\n"+t.shape.add+"\n"))
	}
	specs := make([]model.ToolSpec, len(t.tools))
	for i, tl := range t.tools {
		specs[i] = tl.spec()
	}
	r := model.Request{
		Stable:   joinParts(stable, "stable"),
		Volatile: joinParts(volatile, "volatile"),
		Tools:    specs,
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r.Messages = c.sent.with(t.recall.Text)
	c.context = slices.Concat(stable, volatile)
	if len(specs) > 0 {
		c.context = append(c.context, toolPart(specs))
	}
	c.context = append(c.context, c.sent.parts()...)
	if t.recall.Text != "" {
		c.context = append(c.context, t.recall)
	}
	c.used = usedRefs(t.read, t.recall.Refs, volatile)
	return r
}

// usedRefs are the memories whose text a request carries, each once.
func usedRefs(read, recalled []Ref, volatile []Part) []Ref {
	var out []Ref
	seen := map[Ref]bool{}
	add := func(refs []Ref) {
		for _, r := range refs {
			if !seen[r] {
				seen[r] = true
				out = append(out, r)
			}
		}
	}
	add(read)
	add(recalled)
	for _, p := range volatile {
		add(p.Refs)
	}
	return out
}

// followMemory takes in what changed in the stores. Where a person forgot or
// purged something, the stable part is made again.
func (c *Conversation) followMemory(ctx context.Context) error {
	again, err := c.memory.follow(ctx)
	if err == nil && again {
		err = c.memory.begin(ctx)
	}
	return err
}

// stable is the stable part: the one of the session, unless a script replaces
// its prompt for this turn, or a smaller model came that needs a smaller index.
func (c *Conversation) stable(t *turn) []Part {
	index := indexBudget(t.model)
	if t.shape.replace != "" {
		return c.stableParts(t.shape.replace, index)
	}
	c.memory.mu.Lock()
	rebuilt := c.memory.rebuilt
	c.memory.rebuilt = false
	c.memory.mu.Unlock()
	if rebuilt || c.stableCache == nil || c.stableIndex != index {
		c.stableCache, c.stableIndex = c.stableParts("", index), index
	}
	return c.stableCache
}

// attach looks for memories that come close to the prompt.
func (t *turn) attach(ctx context.Context) {
	r := t.c.cfg.AutoRecall
	if r == nil || utf8.RuneCountInString(strings.TrimSpace(t.prompt)) < recallFrom {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, recallTime)
	defer cancel()
	matches, err := r.Recall(ctx, beginning(t.prompt, recallUpTo), t.c.cfg.RecallLimit)
	if err != nil {
		t.c.mu.Lock()
		said := t.c.failedOne
		t.c.failedOne = true
		t.c.mu.Unlock()
		if !said {
			t.emit(Notice{Text: "Auto recall does not work at the moment, and the chat goes on without it: " + err.Error()})
		}
		return
	}
	t.recall = recallPart(matches, t.c.cfg.RecallLimit, pieceBudget(t.model))
}
