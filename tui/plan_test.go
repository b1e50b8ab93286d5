package tui

import (
	"context"
	"errors"
	"time"

	"reverie/memstore"
	"reverie/planner"
	"reverie/tui/dream"
)

// fixed is a planner whose plan is always the same; nothing is decided on it.
type fixed struct{ plan planner.Plan }

func (f fixed) Plan(context.Context, func(int, int)) (planner.Plan, error) { return f.plan, nil }
func (f fixed) Current() (planner.Plan, bool)                              { return f.plan, true }
func (f fixed) Approve(context.Context, string, memstore.Writer) (memstore.Receipt, error) {
	return memstore.Receipt{}, errors.New("nothing is decided here")
}
func (f fixed) Dismiss(context.Context, string, memstore.Writer) (memstore.Receipt, error) {
	return memstore.Receipt{}, errors.New("nothing is decided here")
}
func (f fixed) Undo(context.Context, string, memstore.Writer) (memstore.Receipt, error) {
	return memstore.Receipt{}, errors.New("nothing is decided here")
}
func (f fixed) Receipts(context.Context, int) ([]memstore.Receipt, error) { return nil, nil }

// plan is one of a single operation, on texts that a test may choose.
func plan(key, text, reason string) planner.Plan {
	entry := func(key, text, version string) memstore.Entry {
		return memstore.Entry{
			Scope: memstore.Project, Key: key, Value: text, Version: memstore.Version(version), Updated: clock().Add(-48 * time.Hour),
			Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit},
		}
	}
	ref := func(e memstore.Entry) planner.Ref { return planner.Ref{Key: e.Key, Version: e.Version} }
	source, survivor := entry(key, text, "r_11ab"), entry("ci/runner", "CI runs on arm64; this replaces amd64.", "r_9a04")
	return planner.Plan{
		ID: "p_1", Scope: memstore.Project, Planner: "local", Considered: 42, Created: clock(), Expires: clock().Add(8 * time.Minute),
		Operations: []planner.Operation{{
			ID: "1", Kind: planner.Supersede, Reason: reason, Before: []memstore.Entry{source, survivor},
			Survivor: ref(survivor), Sources: []planner.Ref{ref(source)}, After: survivor,
		}},
	}
}

func dreams(p planner.Plan) []dream.Target {
	return []dream.Target{{Scope: memstore.Project, Session: fixed{p}, Count: 42}, {Scope: memstore.User, Session: fixed{p}, Count: 9}}
}
