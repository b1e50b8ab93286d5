package memstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"reverie/memstore/guard"
)

// OpenReceipt records a decision; see [Receipts]. Texts in the plan that the
// guard refuses are replaced by the name of the rule before they are stored.
func (d *DB) OpenReceipt(ctx context.Context, r Receipt) (Receipt, bool, error) {
	if r.ID == "" {
		return Receipt{}, false, &InvalidError{What: "receipt", Rule: "it needs the plan's id"}
	}
	plan, err := heldBack(r.Plan)
	if err != nil {
		return Receipt{}, false, &InvalidError{What: "receipt", Rule: "its plan is not JSON"}
	}
	if r.Decided.IsZero() {
		r.Decided = d.now()
	}
	r.Plan, r.Scope, r.Decided, r.Undone = plan, d.scope, fromMicros(micros(r.Decided)), time.Time{}
	existed := false
	err = d.change(ctx, func(t *txn) error {
		got, _, err := t.receipt(r.ID)
		if err == nil {
			r, existed = got, true
			return nil
		}
		if !isNotFound(err) {
			return err
		}
		return t.addReceipt(r)
	})
	if err != nil {
		return Receipt{}, false, err
	}
	return r, existed, nil
}

func (t *txn) addReceipt(r Receipt) error {
	sum := receiptSum(r)
	var undone any
	if !r.Undone.IsZero() {
		undone = micros(r.Undone)
	}
	res, err := t.tx.ExecContext(t.ctx,
		"INSERT INTO receipts (id, planner, decision, by, decided, undone, plan, sum) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		r.ID, r.Planner, r.Decision, r.By, micros(r.Decided), undone, string(r.Plan), sum)
	if err != nil {
		return err
	}
	n, err := res.LastInsertId()
	if err != nil {
		return err
	}
	for i, op := range r.Operations {
		if op.Result == "" {
			op.Result = Skipped
		}
		r.Operations[i] = op
		line, err := json.Marshal(op)
		if err != nil {
			return err
		}
		_, err = t.tx.ExecContext(t.ctx, "INSERT INTO receipt_operations (receipt, n, line, sum) VALUES (?, ?, ?, ?)",
			n, i, string(line), checksum(r.ID, string(line)))
		if err != nil {
			return err
		}
	}
	return nil
}

// receiptSum covers a receipt without its lines.
func receiptSum(r Receipt) int64 {
	undone := ""
	if !r.Undone.IsZero() {
		undone = fmt.Sprint(micros(r.Undone))
	}
	return checksum(r.ID, r.Planner, r.Decision, string(r.By), fmt.Sprint(micros(r.Decided)), undone, string(r.Plan))
}

const receiptColumns = "n, id, planner, decision, by, decided, undone, plan"

type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// readReceipts runs a query for receiptColumns and adds the lines. The numbers
// are those of the rows.
func readReceipts(ctx context.Context, q querier, scope Scope, query string, args ...any) ([]Receipt, []int64, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	var all []Receipt
	var ids []int64
	for rows.Next() {
		r := Receipt{Scope: scope}
		var n, decided int64
		var undone sql.NullInt64
		var plan string
		if err := rows.Scan(&n, &r.ID, &r.Planner, &r.Decision, &r.By, &decided, &undone, &plan); err != nil {
			return nil, nil, err
		}
		r.Decided = fromMicros(decided)
		if undone.Valid {
			r.Undone = fromMicros(undone.Int64)
		}
		if plan != "" {
			r.Plan = json.RawMessage(plan)
		}
		all, ids = append(all, r), append(ids, n)
	}
	if err := errors.Join(rows.Err(), rows.Close()); err != nil {
		return nil, nil, err
	}
	for i, n := range ids {
		if all[i].Operations, err = readLines(ctx, q, n); err != nil {
			return nil, nil, err
		}
	}
	return all, ids, nil
}

func readLines(ctx context.Context, q querier, receipt int64) ([]ReceiptOperation, error) {
	rows, err := q.QueryContext(ctx, "SELECT line FROM receipt_operations WHERE receipt = ? ORDER BY n", receipt)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ops []ReceiptOperation
	for rows.Next() {
		var line string
		var op ReceiptOperation
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		if err := json.Unmarshal([]byte(line), &op); err != nil {
			return nil, fmt.Errorf("reading a line of receipt %d: %w", receipt, err)
		}
		ops = append(ops, op)
	}
	return ops, rows.Err()
}

// receipt reads one within the transaction, with its row's number.
func (t *txn) receipt(id string) (Receipt, int64, error) {
	all, ns, err := readReceipts(t.ctx, t.tx, t.db.scope, "SELECT "+receiptColumns+" FROM receipts WHERE id = ?", id)
	if err != nil {
		return Receipt{}, 0, err
	}
	if len(all) == 0 {
		return Receipt{}, 0, noReceipt(t.db.scope, id)
	}
	return all[0], ns[0], nil
}

func noReceipt(s Scope, id string) error { return &NotFoundError{Scope: s, Key: "receipt " + id} }

// line reads one operation of a receipt.
func (t *txn) line(receipt, operation string) (n int64, i int, op ReceiptOperation, err error) {
	r, n, err := t.receipt(receipt)
	if err != nil {
		return 0, 0, op, err
	}
	for i, op := range r.Operations {
		if op.ID == operation {
			return n, i, op, nil
		}
	}
	return 0, 0, op, noReceipt(t.db.scope, receipt+", operation "+operation)
}

func (t *txn) setLine(receipt string, n int64, i int, op ReceiptOperation) error {
	line, err := json.Marshal(op)
	if err != nil {
		return err
	}
	_, err = t.tx.ExecContext(t.ctx, "UPDATE receipt_operations SET line = ?, sum = ? WHERE receipt = ? AND n = ?",
		string(line), checksum(receipt, string(line)), n, i)
	return err
}

// Receipt returns one.
func (d *DB) Receipt(ctx context.Context, id string) (Receipt, error) {
	all, err := d.receipts(ctx, "SELECT "+receiptColumns+" FROM receipts WHERE id = ?", id)
	if err != nil {
		return Receipt{}, err
	}
	if len(all) == 0 {
		return Receipt{}, noReceipt(d.scope, id)
	}
	return all[0], nil
}

// ReceiptList returns the newest first; all where limit is 0.
func (d *DB) ReceiptList(ctx context.Context, limit int) ([]Receipt, error) {
	return d.receipts(ctx, "SELECT "+receiptColumns+" FROM receipts ORDER BY n DESC LIMIT ?", noLimit(limit))
}

func (d *DB) receipts(ctx context.Context, query string, args ...any) ([]Receipt, error) {
	if err := d.usable(); err != nil {
		return nil, err
	}
	tx, err := d.file.Reader().BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, d.explain(err)
	}
	defer tx.Rollback()
	all, _, err := readReceipts(ctx, tx, d.scope, query, args...)
	return all, d.explain(err)
}

// heldBack is a plan without texts that the guard refuses from anybody. A plan
// is stored before its operations are tried, so it must not carry what they
// would not be allowed to save.
func heldBack(plan json.RawMessage) (json.RawMessage, error) {
	if len(plan) == 0 {
		return nil, nil
	}
	return mapStrings(plan, func(s string) string {
		var refused *guard.Refusal
		if err := guard.Check(guard.Input{Value: s, Person: true}); errors.As(err, &refused) {
			return "[held back by rule " + refused.Rule + "]"
		}
		return s
	})
}
