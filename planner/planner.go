package planner

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strconv"
	"time"

	"reverie/memstore"
)

// Writer is what the planner needs of a language model: one answer to one
// prompt. The caller's context bounds it in time.
type Writer interface {
	Complete(ctx context.Context, system, prompt string) (string, error)
}

// Planner proposes plans. The zero value plans locally.
type Planner struct {
	// Model helps to word merges and to judge unsure pairs; nil for none.
	Model Writer
	// ModelName is how plans name it, as provider/name.
	ModelName string
	// ModelTimeout bounds all help for one plan; 0 is one minute.
	ModelTimeout time.Duration
}

// Options of one plan.
type Options struct {
	Scope memstore.Scope
	// Progress is called from the planning goroutine, now and then, with how
	// many of total steps are done; nil for none.
	Progress func(done, total int)
	// Now is when the plan is made; zero is the clock's time.
	Now time.Time
	// ExactOnly plans nothing but retiring exact duplicates, without a model.
	ExactOnly bool
}

// Propose plans on a snapshot of one scope's live entries. Forgotten entries
// among them are left out. It changes nothing; the only error is that of ctx.
func (p *Planner) Propose(ctx context.Context, entries []memstore.Entry, o Options) (Plan, error) {
	if o.Now.IsZero() {
		o.Now = time.Now()
	}
	plan := Plan{
		ID:         newID(),
		Scope:      o.Scope,
		Created:    o.Now.UTC(),
		Expires:    o.Now.UTC().Add(Lifetime),
		Planner:    "local",
		Operations: []Operation{},
	}
	live := make([]memstore.Entry, 0, len(entries))
	for _, e := range entries {
		if !e.Forgotten {
			live = append(live, e)
		}
	}
	plan.Considered = len(live)
	if err := find(ctx, &plan, live, o); err != nil {
		return Plan{}, fmt.Errorf("planning %d memories: %w", len(live), err)
	}
	if p.Model != nil && !o.ExactOnly {
		if err := p.help(ctx, &plan, live); err != nil {
			return Plan{}, err
		}
	}
	for i := range plan.Operations {
		plan.Operations[i].ID = strconv.Itoa(i + 1)
	}
	return plan, nil
}

func newID() string {
	var b [8]byte
	rand.Read(b[:])
	return "p_" + hex.EncodeToString(b[:])
}
