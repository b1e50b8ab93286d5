package memstore

import (
	"context"
	"errors"
	"fmt"

	"reverie/memstore/guard"
)

// ApplyOperation makes the changes of one operation and writes its line; see
// [Receipts]. Refusals of every kind (a conflict, a limit, the guard) are in
// the line; the error is for what kept the line from being written.
func (d *DB) ApplyOperation(ctx context.Context, receipt, operation string, changes []Change) (ReceiptOperation, error) {
	var op ReceiptOperation
	err := d.change(ctx, func(t *txn) error {
		n, i, line, err := t.line(receipt, operation)
		op = line
		if err != nil || op.Result != Skipped {
			return err
		}
		refused, err := t.attempt(func() error {
			ms, err := t.apply(changes)
			for _, m := range ms {
				if m.Changed {
					op.Touched = append(op.Touched, Touched{Key: m.Entry.Key, Before: m.Previous.Version, After: m.Entry.Version})
				}
			}
			return err
		})
		if err != nil {
			return err
		}
		op.Result = resultOf(refused)
		if refused != nil {
			op.Error, op.Touched = refused.Error(), nil
		}
		return t.setLine(receipt, n, i, op)
	})
	return op, err
}

func resultOf(refused error) Result {
	var conflict *ConflictError
	switch {
	case refused == nil:
		return Applied
	case errors.As(refused, &conflict):
		return Conflicted
	}
	return Failed
}

// attempt runs f so that, where it is refused, nothing of it remains and the
// transaction goes on. err is what must end the transaction.
func (t *txn) attempt(f func() error) (refused, err error) {
	if _, err := t.tx.ExecContext(t.ctx, "SAVEPOINT attempt"); err != nil {
		return nil, err
	}
	last, wrote := t.last, t.wrote
	if err := f(); err != nil {
		if !isRefusal(err) {
			return nil, err
		}
		if _, e := t.tx.ExecContext(t.ctx, "ROLLBACK TO attempt"); e != nil {
			return nil, e
		}
		t.last, t.wrote, refused = last, wrote, err
	}
	_, err = t.tx.ExecContext(t.ctx, "RELEASE attempt")
	return refused, err
}

// isRefusal tells an answer about the request from a failure of the store.
func isRefusal(err error) bool {
	var (
		conflict  *ConflictError
		missing   *NotFoundError
		forgotten *ForgottenError
		limit     *LimitError
		invalid   *InvalidError
		guarded   *guard.Refusal
	)
	return errors.As(err, &conflict) || errors.As(err, &missing) || errors.As(err, &forgotten) ||
		errors.As(err, &limit) || errors.As(err, &invalid) || errors.As(err, &guarded) ||
		errors.Is(err, ErrNothingToUndo)
}

func isNotFound(err error) bool {
	var missing *NotFoundError
	return errors.As(err, &missing)
}

// UndoOperation takes an applied operation back; see [Receipts]. One that was
// not applied, or whose undoing was tried already, is returned unchanged.
func (d *DB) UndoOperation(ctx context.Context, receipt, operation string, p Provenance) (ReceiptOperation, error) {
	p.Origin = Undone
	if err := admitProvenance(p); err != nil {
		return ReceiptOperation{}, err
	}
	var op ReceiptOperation
	err := d.change(ctx, func(t *txn) error {
		n, i, line, err := t.line(receipt, operation)
		op = line
		if err != nil || op.Result != Applied || op.Undo != "" {
			return err
		}
		refused, err := t.attempt(func() error { return t.undoTouched(op.Touched, p) })
		if err != nil {
			return err
		}
		op.Undo = "undone"
		if refused != nil {
			op.Undo, op.UndoError = "left alone", refused.Error()
		}
		if err := t.setLine(receipt, n, i, op); err != nil {
			return err
		}
		return t.setUndone(receipt)
	})
	return op, err
}

// undoTouched undoes, last first, what one operation did.
func (t *txn) undoTouched(touched []Touched, p Provenance) error {
	for i := len(touched) - 1; i >= 0; i-- {
		before, err := t.exact(touched[i].Key, touched[i].After)
		if err != nil {
			return fmt.Errorf("changed since: %w", err)
		}
		if _, err := t.undo(before, false, p); err != nil {
			return err
		}
	}
	return nil
}

// setUndone notes when a receipt's undoing began.
func (t *txn) setUndone(id string) error {
	r, n, err := t.receipt(id)
	if err != nil || !r.Undone.IsZero() {
		return err
	}
	r.Undone = t.now
	_, err = t.tx.ExecContext(t.ctx, "UPDATE receipts SET undone = ?, sum = ? WHERE n = ?", micros(r.Undone), receiptSum(r), n)
	return err
}
