package memstore

import (
	"context"
	"encoding/json"
	"time"
)

// Result is what became of one operation of an approved plan.
type Result string

const (
	Applied    Result = "applied"
	Conflicted Result = "conflicted" // a version no longer held
	Failed     Result = "failed"
	Skipped    Result = "skipped" // not begun
)

// Receipt records a decision on a plan and what applying it did. It is
// written when the decision is made, with every operation still Skipped, so
// that after a crash it says the truth.
type Receipt struct {
	ID         string             `json:"id"` // the plan's id
	Scope      Scope              `json:"scope"`
	Planner    string             `json:"planner"`
	Decision   string             `json:"decision"` // "approved" or "dismissed"
	By         Writer             `json:"by"`       // user, or system for a schedule
	Decided    time.Time          `json:"decided"`
	Undone     time.Time          `json:"undone,omitzero"`
	Plan       json.RawMessage    `json:"plan,omitempty"` // as shown when it was decided on
	Operations []ReceiptOperation `json:"operations"`
}

// ReceiptOperation is one line of a receipt.
type ReceiptOperation struct {
	ID      string    `json:"id"`
	Kind    string    `json:"kind"`
	Result  Result    `json:"result"`
	Error   string    `json:"error,omitempty"`
	Touched []Touched `json:"touched,omitempty"`
	// Undo is empty until the receipt was undone, then "undone" or
	// "left alone", with the reason in UndoError.
	Undo      string `json:"undo,omitempty"`
	UndoError string `json:"undo_error,omitempty"`
}

// Touched names an entry that an operation changed, with the versions before
// and after.
type Touched struct {
	Key    string  `json:"key"`
	Before Version `json:"before"`
	After  Version `json:"after"`
}

// Receipts keeps decisions on plans beside the memory they changed.
type Receipts interface {
	// OpenReceipt records a decision. Where one is recorded under this id
	// already, it is returned as it is, with existed true, and nothing is
	// written.
	OpenReceipt(ctx context.Context, r Receipt) (got Receipt, existed bool, err error)
	// ApplyOperation makes the changes of one operation and writes its line,
	// in one transaction: Applied, or, where a version no longer holds or a
	// change is refused, nothing but the line that says so. An operation that
	// has a result other than Skipped is returned unchanged.
	ApplyOperation(ctx context.Context, receipt, operation string, changes []Change) (ReceiptOperation, error)
	// UndoOperation takes an applied operation back in one transaction, only
	// if every entry it touched is still at the version it left.
	UndoOperation(ctx context.Context, receipt, operation string, p Provenance) (ReceiptOperation, error)
	// Receipt returns one, or a [NotFoundError]; ReceiptList the newest first.
	Receipt(ctx context.Context, id string) (Receipt, error)
	ReceiptList(ctx context.Context, limit int) ([]Receipt, error)
	// Mark and SetMark keep a small named value, such as the time of a
	// schedule's last run. A name never set is "".
	Mark(ctx context.Context, name string) (string, error)
	// SetMark sets it if it is still old, and says whether it did: of several
	// processes one wins.
	SetMark(ctx context.Context, name, old, value string) (bool, error)
}
