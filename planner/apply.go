package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"reverie/memstore"
)

// DecidedError says that a plan was decided on already, the other way.
type DecidedError struct {
	Plan     string
	Decision string // the decision that holds
}

func (e *DecidedError) Error() string {
	return fmt.Sprintf("plan %s was %s already; make a new plan", e.Plan, e.Decision)
}

const (
	approved  = "approved"
	dismissed = "dismissed"
)

// Apply approves a plan and carries it out, operation by operation. The same
// plan again finishes nothing twice and returns the same receipt; one that
// was dismissed is a [DecidedError]. A conflict or a refused change is a line
// of the receipt, not an error. An error means that the store could not be
// worked on; the receipt then says what was done before it.
func Apply(ctx context.Context, store memstore.Receipts, p Plan, by memstore.Writer, now time.Time) (memstore.Receipt, error) {
	r, existed, err := open(ctx, store, p, approved, by, now)
	if err != nil || existed {
		return r, err
	}
	return carryOut(ctx, store, p, r, nil)
}

// carryOut applies the operations of an opened receipt until stop, if there is
// one, says so; what had not begun then stays skipped.
func carryOut(ctx context.Context, store memstore.Receipts, p Plan, r memstore.Receipt, stop func() bool) (memstore.Receipt, error) {
	for i, op := range p.Operations {
		if stop != nil && stop() {
			break
		}
		line, err := store.ApplyOperation(ctx, p.ID, op.ID, changes(p, op))
		if err != nil {
			return r, fmt.Errorf("applying operation %s of plan %s: %w", op.ID, p.ID, err)
		}
		r.Operations[i] = line
	}
	return r, nil
}

// Dismiss records that a plan is not wanted. See [Apply] for repeated and for
// opposite decisions.
func Dismiss(ctx context.Context, store memstore.Receipts, p Plan, by memstore.Writer, now time.Time) (memstore.Receipt, error) {
	r, _, err := open(ctx, store, p, dismissed, by, now)
	return r, err
}

// Undo takes an approved plan back, operation by operation in reverse, each
// only if none of its entries changed since. What is left alone says why in
// its line.
func Undo(ctx context.Context, store memstore.Receipts, receipt string, by memstore.Writer) (memstore.Receipt, error) {
	r, err := store.Receipt(ctx, receipt)
	if err != nil {
		return r, err
	}
	if r.Decision != approved {
		return r, fmt.Errorf("receipt %s: %w", receipt, ErrNotApplied)
	}
	prov := memstore.Provenance{Writer: by, Origin: memstore.Undone, Plan: receipt}
	for i := len(r.Operations) - 1; i >= 0; i-- {
		line := r.Operations[i]
		if line.Result != memstore.Applied || line.Undo != "" {
			continue
		}
		if _, err := store.UndoOperation(ctx, receipt, line.ID, prov); err != nil {
			return r, fmt.Errorf("undoing operation %s of receipt %s: %w", line.ID, receipt, err)
		}
	}
	return store.Receipt(ctx, receipt)
}

// ErrNotApplied says that a dismissed plan has nothing to undo.
var ErrNotApplied = errors.New("the plan was dismissed, so there is nothing to undo")

func open(ctx context.Context, store memstore.Receipts, p Plan, decision string, by memstore.Writer, now time.Time) (memstore.Receipt, bool, error) {
	shown, err := json.Marshal(p)
	if err != nil {
		return memstore.Receipt{}, false, fmt.Errorf("recording plan %s: %w", p.ID, err)
	}
	r := memstore.Receipt{
		ID: p.ID, Scope: p.Scope, Planner: p.Planner,
		Decision: decision, By: by, Decided: now.UTC(), Plan: shown,
		Operations: []memstore.ReceiptOperation{},
	}
	for _, op := range p.Operations {
		r.Operations = append(r.Operations, memstore.ReceiptOperation{
			ID: op.ID, Kind: string(op.Kind), Result: memstore.Skipped,
		})
	}
	got, existed, err := store.OpenReceipt(ctx, r)
	if err != nil {
		return got, existed, fmt.Errorf("recording that plan %s was %s: %w", p.ID, decision, err)
	}
	if existed && got.Decision != decision {
		return got, true, &DecidedError{Plan: p.ID, Decision: got.Decision}
	}
	return got, existed, nil
}

// changes pins every entry of the operation. The survivor is written even
// where it stays as it is: saving the same text changes nothing, but its
// version is checked with the others in the same transaction.
func changes(p Plan, op Operation) []memstore.Change {
	prov := memstore.Provenance{Writer: memstore.BySystem, Origin: memstore.Consolidated, Plan: p.ID}
	survivor := prov
	if op.Keeps() {
		// Nothing is written, and what its writer may say stays theirs to say.
		survivor.Writer = op.Before[len(op.Before)-1].Provenance.Writer
	}
	cs := []memstore.Change{{
		Key: op.Survivor.Key, Expected: op.Survivor.Version,
		Value: op.After.Value, Description: op.After.Description, Kind: op.After.Kind,
		Updated: op.After.Updated, Provenance: survivor,
	}}
	for _, s := range op.Sources {
		cs = append(cs, memstore.Change{Key: s.Key, Expected: s.Version, Forget: true, Provenance: prov})
	}
	return cs
}
