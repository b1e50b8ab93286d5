package planner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"reverie/memstore"
)

func entry(key, value string, at int, w memstore.Writer) memstore.Entry {
	return memstore.Entry{Scope: memstore.Project, Key: key, Value: value, Kind: memstore.Note, Version: memstore.Version("r_" + key),
		Updated: clock0.Add(time.Duration(at) * time.Hour), Provenance: memstore.Provenance{Writer: w, Origin: memstore.Explicit}}
}

func propose(t *testing.T, es ...memstore.Entry) Plan {
	t.Helper()
	p, err := (&Planner{}).Propose(context.Background(), es, Options{Scope: memstore.Project, Now: clock0})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestThousandsOfIdenticalEntriesAreOneOperation(t *testing.T) {
	t.Parallel()
	var es []memstore.Entry
	for i := range 5000 {
		es = append(es, entry(fmt.Sprintf("note/%d", i), "We deploy on Tuesdays only.", i, memstore.ByModel))
	}
	p := propose(t, es...)
	if len(p.Operations) != 1 || len(p.Operations[0].Sources) != 4999 || len(p.Operations[0].Before) != 5000 {
		t.Fatalf("%d operations", len(p.Operations))
	}
	if got := p.Operations[0].Reason; got != "4999 other memories say the same word for word." {
		t.Errorf("the reason is %q", got)
	}
	if got := p.Operations[0].Survivor.Key; got != "note/4999" {
		t.Errorf("the survivor is %s", got)
	}
}

func TestTheSurvivorIsAPersonsThenAFilesThenTheNewest(t *testing.T) {
	t.Parallel()
	const text = "We deploy on Tuesdays only."
	for _, c := range []struct {
		es   []memstore.Entry
		want string
	}{
		{[]memstore.Entry{entry("a", text, 1, memstore.ByUser), entry("b", text, 2, memstore.ByFile)}, "a"},
		{[]memstore.Entry{entry("a", text, 1, memstore.ByFile), entry("b", text, 2, memstore.ByModel)}, "a"},
		{[]memstore.Entry{entry("a", text, 1, memstore.ByModel), entry("b", text, 2, memstore.ByModel)}, "b"},
	} {
		p := propose(t, c.es...)
		if len(p.Operations) != 1 || p.Operations[0].Survivor.Key != c.want {
			t.Errorf("%s and %s: %+v, want %s", c.es[0].Provenance.Writer, c.es[1].Provenance.Writer, p.Operations, c.want)
		}
	}
}

func TestAMemoryByFileNeverSupersedesOneByAPerson(t *testing.T) {
	t.Parallel()
	old, now := "We use npm.", "We use pnpm instead of npm."
	if p := propose(t, entry("a", old, 1, memstore.ByUser), entry("b", now, 2, memstore.ByFile)); !p.Empty() {
		t.Errorf("planned %+v", p.Operations)
	}
	if p := propose(t, entry("a", old, 1, memstore.ByFile), entry("b", now, 2, memstore.ByUser)); len(p.Operations) != 1 {
		t.Errorf("the other way round nothing is planned")
	}
}

func TestAnOlderTextSupersedesNothing(t *testing.T) {
	t.Parallel()
	if p := propose(t, entry("a", "We use npm.", 2, memstore.ByUser), entry("b", "We use pnpm instead of npm.", 1, memstore.ByUser)); !p.Empty() {
		t.Errorf("planned %+v", p.Operations)
	}
}

func TestWhatOnlyARetiredEntrysDescriptionSaysIsKept(t *testing.T) {
	t.Parallel()
	a, b := entry("a", "We deploy on Tuesdays only.", 1, memstore.ByUser), entry("b", "We deploy on Tuesdays only.", 2, memstore.ByUser)
	a.Description, a.Kind = "agreed with support", memstore.Convention
	b.Description = "day of deploys"
	p := propose(t, a, b)
	if len(p.Operations) != 1 {
		t.Fatal("nothing is planned")
	}
	after := p.Operations[0].After
	if !strings.Contains(after.Description, "agreed with support") || !strings.Contains(after.Description, "day of deploys") || after.Kind != memstore.Convention {
		t.Errorf("after: %+v", after)
	}
	b.Description = strings.Repeat("x", memstore.MaxDescription)
	if p := propose(t, a, b); !p.Empty() {
		t.Error("descriptions that are too long together are planned into one")
	}
}

func TestAMergeThatWouldBeTooLargeIsNotProposed(t *testing.T) {
	t.Parallel()
	shared := "The retro is on Thursdays at noon."
	big := strings.Repeat("All notes of it are in the wiki below team pages. ", 700)
	a := entry("retro/a", shared+" "+big+"Mia moderates it.", 1, memstore.ByUser)
	b := entry("retro/b", shared+" "+strings.ReplaceAll(big, "wiki", "archive")+"Kim writes the minutes.", 2, memstore.ByUser)
	if p := propose(t, a, b); !p.Empty() {
		t.Errorf("planned: %s of %d bytes", p.Operations[0].Kind, len(p.Operations[0].After.Value))
	}
}

func TestAMergeKeepsEverySentenceOnce(t *testing.T) {
	t.Parallel()
	p := propose(t,
		entry("retro/a", "The retro is on Thursdays at noon. Notes go into the wiki.", 1, memstore.ByUser),
		entry("retro/b", "The retro is on Thursdays at noon. Mia moderates it.", 2, memstore.ByUser))
	if len(p.Operations) != 1 || p.Operations[0].Kind != Merge {
		t.Fatalf("planned %+v", p.Operations)
	}
	if got, want := p.Operations[0].After.Value, "The retro is on Thursdays at noon. Mia moderates it. Notes go into the wiki."; got != want {
		t.Errorf("after: %q, want %q", got, want)
	}
}

func TestAnEntryThatTheGuardRefusesIsListedMaskedAndInNoOperation(t *testing.T) {
	t.Parallel()
	secret := "ghp" + "_" + strings.Repeat("aB3dE6", 6)
	text := "The token of the bot is " + secret + "."
	p := propose(t, entry("a", text, 1, memstore.ByUser), entry("b", text, 2, memstore.ByUser))
	if !p.Empty() || len(p.Purge) != 2 {
		t.Fatalf("operations %+v, purge %+v", p.Operations, p.Purge)
	}
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), secret) || !strings.Contains(p.Purge[0].Masked, "withheld") {
		t.Errorf("the plan shows it: %s", b)
	}
}

func TestContradictionsAreListedAndChangeNothing(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"The standup is at 9:30.", "The standup is at 10:00."},
		{"The user likes coffee.", "The user does not like coffee."},
		{"Invoices are due on Mondays.", "Invoices are due on Fridays."},
	} {
		p := propose(t, entry("a", c[0], 1, memstore.ByUser), entry("b", c[1], 2, memstore.ByUser))
		if !p.Empty() || len(p.Unsure) != 1 {
			t.Errorf("%v: operations %+v, unsure %+v", c, p.Operations, p.Unsure)
		}
	}
}

func TestForgottenEntriesAreInNoPlan(t *testing.T) {
	t.Parallel()
	a, b := entry("a", "We deploy on Tuesdays only.", 1, memstore.ByUser), entry("b", "We deploy on Tuesdays only.", 2, memstore.ByUser)
	a.Forgotten = true
	if p := propose(t, a, b); !p.Empty() || p.Considered != 1 {
		t.Errorf("considered %d, planned %+v", p.Considered, p.Operations)
	}
}

func TestAnEmptyStoreGivesAnEmptyPlan(t *testing.T) {
	t.Parallel()
	if p := propose(t); !p.Empty() || p.Considered != 0 || p.Expires.Sub(p.Created) != 10*time.Minute {
		t.Errorf("%+v", p)
	}
}

func TestPlanningIsTheSameEveryTime(t *testing.T) {
	t.Parallel()
	es := manyEntries(2000)
	var first string
	for range 3 {
		p := propose(t, es...)
		p.ID = ""
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(b)
		} else if first != string(b) {
			t.Fatal("two plans of one store differ")
		}
	}
}

func TestNoEntryIsInTwoOperations(t *testing.T) {
	t.Parallel()
	p := propose(t, manyEntries(3000)...)
	seen := map[string]bool{}
	for _, op := range p.Operations {
		for _, e := range op.Before {
			if seen[e.Key] {
				t.Errorf("%s is in two operations", e.Key)
			}
			seen[e.Key] = true
		}
	}
	if len(seen) == 0 {
		t.Error("nothing was planned")
	}
}

func TestPlanningStopsWhenItIsCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	_, err := (&Planner{}).Propose(ctx, manyEntries(5000), Options{Progress: func(done, total int) {
		if done > 0 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}

func TestProgressEndsAtItsTotal(t *testing.T) {
	t.Parallel()
	last, total := -1, 0
	_, err := (&Planner{}).Propose(context.Background(), manyEntries(3000), Options{Progress: func(d, n int) {
		if d < last {
			t.Errorf("progress went from %d back to %d", last, d)
		}
		last, total = d, n
	}})
	if err != nil || last != total || total == 0 {
		t.Errorf("ended at %d of %d, %v", last, total, err)
	}
}

func TestTheAnswerHasTheDocumentedShape(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(Answer{Reason: "memory is disabled"})
	if err != nil || string(b) != `{"available":false,"reason":"memory is disabled"}` {
		t.Errorf("%s, %v", b, err)
	}
	p := propose(t, entry("a", "We deploy on Tuesdays only.", 1, memstore.ByUser), entry("b", "We deploy on Tuesdays only.", 2, memstore.ByUser))
	p.ID = "p_1"
	b, err = json.Marshal(Answer{Plan: &p, Receipt: &memstore.Receipt{Operations: []memstore.ReceiptOperation{{ID: "1", Kind: "retire", Result: memstore.Applied}}}})
	if err != nil {
		t.Fatal(err)
	}
	want := `{"available":true,"id":"p_1","scope":"project","created":"2026-05-04T10:00:00Z","expires":"2026-05-04T10:10:00Z","planner":"local","considered":2,` +
		`"operations":[{"id":"1","kind":"retire","sources":[{"key":"a","version":"r_a"}],"survivor":{"key":"b","version":"r_b"},"before":[`
	if !strings.HasPrefix(string(b), want) {
		t.Errorf("got  %s\nwant %s", b, want)
	}
	if end := `"receipt":{"planned":1,"applied":1,"conflicted":0,"failed":0,"skipped":0,"operations":[{"id":"1","result":"applied","error":""}]}}`; !strings.HasSuffix(string(b), end) {
		t.Errorf("got %s\nwant at its end %s", b, end)
	}
}

// TestTextsAtTheSizeLimitArePlannedWithoutBeingTakenApart holds for texts that
// look like endless lists, quotes and calls.
func TestTextsAtTheSizeLimitArePlannedWithoutBeingTakenApart(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"now, ", "f(", "“a ", "We no longer use it, but we use it. ", "a. ", "没有，", "\"x, "} {
		text := strings.Repeat(piece, memstore.MaxValue/len(piece))
		p := propose(t, entry("note/1", text, 1, memstore.ByUser), entry("note/2", text, 2, memstore.ByUser), entry("note/3", text+"z", 3, memstore.ByUser))
		if len(p.Operations) != 1 || p.Operations[0].Kind != Retire {
			t.Errorf("%q: %d operations", piece, len(p.Operations))
		}
	}
}

func FuzzPropose(f *testing.F) {
	f.Add("a/b", "We use npm.", "c", "We use pnpm instead of npm, not \"x\".")
	f.Add("名前", "用户从北京搬到了上海。", "k", "ユーザーは東京から大阪に引っ越しました。")
	f.Add("k", "from to from to", "l", "moved from to 5 pm 3 March, at 12:00 am")
	f.Add("k", "no longer not anymore only", "l", "`a` (b) - c – d:e /f/ 1,000.5% 3rd")
	f.Fuzz(func(t *testing.T, ka, a, kb, b string) {
		if ka == kb {
			return
		}
		p, err := (&Planner{}).Propose(context.Background(), []memstore.Entry{entry(ka, a, 1, memstore.ByModel), entry(kb, b, 2, memstore.ByModel)}, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, op := range p.Operations {
			if len(op.Before) != 2 || len(op.Sources) != 1 || op.Sources[0].Key == op.Survivor.Key {
				t.Fatalf("%+v", op)
			}
		}
	})
}
