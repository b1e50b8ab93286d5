package dream

import (
	"encoding/json"
	"fmt"
	"strings"

	"reverie/memstore"
	"reverie/planner"
	"reverie/tui/pane"
)

// target is one memory with its plan, its receipts and where the reader is.
type target struct {
	Target
	opened bool

	plan   *planner.Plan   // not decided on
	viewed map[string]bool // operations whose detail was shown to its end

	receipts []receipt // newest first
	loading  bool
	again    bool // load the receipts once more when they are there

	job     *job   // what is being done, or nil
	message string // what came of it, where there is more to say

	list    pane.List
	detail  detail
	reading bool // the detail has the keyboard
}

// receipt is a decision with the operations it was about, by their number, as
// far as they are kept.
type receipt struct {
	memstore.Receipt
	planned map[string]planner.Operation
	brief   string // what became of it, without what became of nothing
	state   string // tells it from the same receipt after more was done
}

// unpack reads the plans that receipts hold. One that can't be read is shown
// without: the lines of the receipt say what was done.
func unpack(rs []memstore.Receipt) []receipt {
	out := make([]receipt, len(rs))
	for i, r := range rs {
		out[i] = receipt{Receipt: r, planned: map[string]planner.Operation{}, brief: brief(r), state: state(r)}
		var p planner.Plan
		if len(r.Plan) > 0 && json.Unmarshal(r.Plan, &p) == nil {
			for _, o := range p.Operations {
				if len(o.Before) > 0 {
					out[i].planned[o.ID] = o
				}
			}
		}
		out[i].Plan = nil
	}
	return out
}

func state(r memstore.Receipt) string {
	var b strings.Builder
	b.WriteString(r.ID)
	for _, o := range r.Operations {
		fmt.Fprintf(&b, " %s %s", o.Result, o.Undo)
	}
	return b.String()
}

// sort of a row in the list.
type sort int

const (
	none sort = iota
	ofOperation
	ofUnsure
	ofPurge
	ofDropped
	ofReceipt
)

// rows is how many rows the list has: what the plan does, what it only says,
// and the receipts.
func (t *target) rows() int {
	n := len(t.receipts)
	if p := t.plan; p != nil {
		n += len(p.Operations) + len(p.Unsure) + len(p.Purge) + len(p.Dropped)
	}
	return n
}

// row says what stands at a place of the list, and the how manieth of its sort.
func (t *target) row(i int) (sort, int) {
	if i < 0 {
		return none, 0
	}
	if p := t.plan; p != nil {
		for _, part := range []struct {
			is sort
			n  int
		}{{ofOperation, len(p.Operations)}, {ofUnsure, len(p.Unsure)}, {ofPurge, len(p.Purge)}, {ofDropped, len(p.Dropped)}} {
			if i < part.n {
				return part.is, i
			}
			i -= part.n
		}
	}
	if i < len(t.receipts) {
		return ofReceipt, i
	}
	return none, 0
}

// marked is the receipt under the mark.
func (t *target) marked() (receipt, bool) {
	if is, i := t.row(t.list.At); is == ofReceipt {
		return t.receipts[i], true
	}
	return receipt{}, false
}

// show replaces the plan and begins at the top of the list.
func (t *target) show(p *planner.Plan) {
	t.plan, t.viewed = p, map[string]bool{}
	t.list, t.reading = pane.List{}, false
	t.detail = detail{}
}

// setReceipts replaces the receipts and leaves the mark on what it was on.
func (t *target) setReceipts(rs []receipt) {
	was, on := t.marked()
	t.receipts = rs
	if !on {
		return
	}
	t.markReceipt(was.ID)
}

// markReceipt moves the mark to a receipt.
func (t *target) markReceipt(id string) {
	for i := range t.rows() {
		if is, n := t.row(i); is == ofReceipt && t.receipts[n].ID == id {
			t.list.At = i
			return
		}
	}
}

// unviewed is how many operations were not shown to their end.
func (t *target) unviewed() int {
	if t.plan == nil {
		return 0
	}
	return len(t.plan.Operations) - len(t.viewed)
}
