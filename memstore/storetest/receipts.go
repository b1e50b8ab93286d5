package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"reverie/memstore"
)

var receiptTests = []test{
	{"a receipt is opened once, with every operation skipped", func(f fixture) {
		r := memstore.Receipt{
			ID: "plan-1", Planner: "local", Decision: "approved", By: memstore.ByUser, Plan: json.RawMessage(`{"id":"plan-1"}`),
			Operations: []memstore.ReceiptOperation{{ID: "1", Kind: "retire"}, {ID: "2", Kind: "merge"}},
		}
		got, existed, err := f.versioned().OpenReceipt(f.ctx(), r)
		f.must(err)
		eq(f, "existed", existed, false)
		for _, op := range got.Operations {
			eq(f, "the result of "+op.ID, op.Result, memstore.Skipped)
		}
		eq(f, "the scope", got.Scope, f.s.Scope())
		r.Decision = "dismissed"
		got, existed, err = f.versioned().OpenReceipt(f.ctx(), r)
		f.must(err)
		eq(f, "existed", existed, true)
		eq(f, "the decision", got.Decision, "approved")
		got, err = f.versioned().Receipt(f.ctx(), "plan-1")
		f.must(err)
		eq(f, "the plan", string(got.Plan), `{"id":"plan-1"}`)
		eq(f, "the operations", len(got.Operations), 2)
	}},
	{"a receipt that never was is not found", func(f fixture) {
		_, err := f.versioned().Receipt(f.ctx(), "plan-1")
		is[*memstore.NotFoundError](f, err)
		_, err = f.versioned().ApplyOperation(f.ctx(), "plan-1", "1", nil)
		is[*memstore.NotFoundError](f, err)
	}},
	{"receipts are listed newest first", func(f fixture) {
		for i := range 3 {
			f.receipt(fmt.Sprint("plan-", i), "1")
		}
		all, err := f.versioned().ReceiptList(f.ctx(), 2)
		f.must(err)
		if len(all) != 2 || all[0].ID != "plan-2" || all[1].ID != "plan-1" {
			f.Errorf("the receipts are %v", all)
		}
	}},
	{"an operation is applied once and names what it touched", func(f fixture) {
		a := f.save("a", "1")
		f.receipt("plan", "1")
		changes := []memstore.Change{{Key: "a", Expected: a.Version, Forget: true, Provenance: person}}
		op, err := f.versioned().ApplyOperation(f.ctx(), "plan", "1", changes)
		f.must(err)
		eq(f, "the result", op.Result, memstore.Applied)
		if len(op.Touched) != 1 || op.Touched[0].Key != "a" || op.Touched[0].Before != a.Version || op.Touched[0].After != f.head("a").Version {
			f.Errorf("it touched %v", op.Touched)
		}
		again, err := f.versioned().ApplyOperation(f.ctx(), "plan", "1", changes)
		f.must(err)
		eq(f, "the result of a second time", again.Result, memstore.Applied)
		eq(f, "the revisions", len(f.history("a")), 2)
	}},
	{"an operation whose versions do not hold is conflicted and changes nothing", func(f fixture) {
		a, b := f.save("a", "1"), f.save("b", "1")
		f.save("b", "2")
		f.receipt("plan", "1")
		op, err := f.versioned().ApplyOperation(f.ctx(), "plan", "1", []memstore.Change{
			{Key: "a", Expected: a.Version, Forget: true, Provenance: person},
			{Key: "b", Expected: b.Version, Forget: true, Provenance: person},
		})
		f.must(err)
		eq(f, "the result", op.Result, memstore.Conflicted)
		eq(f, "what it touched", len(op.Touched), 0)
		if op.Error == "" {
			f.Error("it does not say why")
		}
		eq(f, "the list", fmt.Sprint(f.keys(memstore.ListOptions{})), "[a b]")
		r, err := f.versioned().Receipt(f.ctx(), "plan")
		f.must(err)
		eq(f, "the stored result", r.Operations[0].Result, memstore.Conflicted)
	}},
	{"an operation that is refused has failed, and its line does not repeat the text", func(f fixture) {
		a := f.save("a", "1")
		secret := "gh" + "p_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
		plan := json.RawMessage(fmt.Sprintf(`{"operations":[{"after":{"key":"a","value":"it is %s"}}]}`, secret))
		_, _, err := f.versioned().OpenReceipt(f.ctx(), memstore.Receipt{
			ID: "plan", Decision: "approved", By: memstore.ByUser, Plan: plan, Operations: []memstore.ReceiptOperation{{ID: "1"}},
		})
		f.must(err)
		op, err := f.versioned().ApplyOperation(f.ctx(), "plan", "1", []memstore.Change{{Key: "a", Expected: a.Version, Value: "it is " + secret, Provenance: person}})
		f.must(err)
		eq(f, "the result", op.Result, memstore.Failed)
		r, err := f.versioned().Receipt(f.ctx(), "plan")
		f.must(err)
		whole, err := json.Marshal(r)
		f.must(err)
		if strings.Contains(string(whole), secret) {
			f.Errorf("the receipt has the secret: %s", whole)
		}
	}},
	{"an applied operation can be undone", func(f fixture) {
		a, b := f.save("a", "1"), f.save("b", "1")
		f.receipt("plan", "1")
		_, err := f.versioned().ApplyOperation(f.ctx(), "plan", "1", []memstore.Change{
			{Key: "a", Expected: a.Version, Value: "merged", Provenance: person},
			{Key: "b", Expected: b.Version, Forget: true, Provenance: person},
			{Key: "c", Expected: memstore.None, Value: "new", Provenance: person},
		})
		f.must(err)
		op, err := f.versioned().UndoOperation(f.ctx(), "plan", "1", person)
		f.must(err)
		eq(f, "the undo", op.Undo, "undone")
		eq(f, "the list", fmt.Sprint(f.keys(memstore.ListOptions{})), "[a b]")
		eq(f, "the value", f.recall("a").Value, "1")
		r, err := f.versioned().Receipt(f.ctx(), "plan")
		f.must(err)
		eq(f, "the receipt says when", r.Undone.IsZero(), false)
		n := len(f.history("a"))
		_, err = f.versioned().UndoOperation(f.ctx(), "plan", "1", person)
		f.must(err)
		eq(f, "the revisions after a second undo", len(f.history("a")), n)
	}},
	{"an operation whose entries changed since is left alone", func(f fixture) {
		a, b := f.save("a", "1"), f.save("b", "1")
		f.receipt("plan", "1")
		_, err := f.versioned().ApplyOperation(f.ctx(), "plan", "1", []memstore.Change{
			{Key: "a", Expected: a.Version, Value: "merged", Provenance: person},
			{Key: "b", Expected: b.Version, Forget: true, Provenance: person},
		})
		f.must(err)
		f.save("a", "later")
		op, err := f.versioned().UndoOperation(f.ctx(), "plan", "1", person)
		f.must(err)
		eq(f, "the undo", op.Undo, "left alone")
		eq(f, "the list", fmt.Sprint(f.keys(memstore.ListOptions{})), "[a]")
		eq(f, "the value", f.recall("a").Value, "later")
	}},
	{"an operation that was not applied is not undone", func(f fixture) {
		f.receipt("plan", "1")
		op, err := f.versioned().UndoOperation(f.ctx(), "plan", "1", person)
		f.must(err)
		eq(f, "the undo", op.Undo, "")
		eq(f, "the result", op.Result, memstore.Skipped)
	}},
	{"of several that set a mark one wins", func(f fixture) {
		v, err := f.versioned().Mark(f.ctx(), "schedule")
		f.must(err)
		eq(f, "a mark never set", v, "")
		var wg sync.WaitGroup
		var mu sync.Mutex
		won := 0
		for i := range 8 {
			wg.Go(func() {
				ok, err := f.versioned().SetMark(f.ctx(), "schedule", "", fmt.Sprint("run ", i))
				if err != nil {
					f.Error(err)
				}
				if ok {
					mu.Lock()
					won++
					mu.Unlock()
				}
			})
		}
		wg.Wait()
		eq(f, "the winners", won, 1)
		v, err = f.versioned().Mark(f.ctx(), "schedule")
		f.must(err)
		if !strings.HasPrefix(v, "run ") {
			f.Errorf("the mark is %q", v)
		}
	}},
}

// receipt opens an approved receipt with the given operations.
func (f fixture) receipt(id string, operations ...string) {
	f.Helper()
	r := memstore.Receipt{ID: id, Planner: "local", Decision: "approved", By: memstore.ByUser}
	for _, op := range operations {
		r.Operations = append(r.Operations, memstore.ReceiptOperation{ID: op, Kind: "retire"})
	}
	_, _, err := f.versioned().OpenReceipt(f.ctx(), r)
	f.must(err)
}
