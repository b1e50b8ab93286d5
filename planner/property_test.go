package planner

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"reverie/memstore"
)

// TestApplyingLosesNothingAndUndoRestoresWhatNobodyTouched: on random stores
// with random changes between planning, approving and undoing, every sentence
// that ever was is in a live entry or in the history, a live entry's text is
// lost by no operation that does not say so, and undoing a receipt brings every
// entry back that nobody else touched, exactly.
func TestApplyingLosesNothingAndUndoRestoresWhatNobodyTouched(t *testing.T) {
	t.Parallel()
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(7, seed))
			db := openStore(t, t.TempDir())
			ctx := context.Background()
			sentences := map[string]bool{}
			var keys []string
			for i := range 30 {
				k, v := fmt.Sprintf("k%c/%d", 'a'+i%5, i), randomText(r)
				keys = append(keys, k)
				remember(t, db, k, v)
				note(sentences, v)
			}
			s := NewSession(&Planner{}, db, nil)
			p, err := s.Plan(ctx, nil)
			if err != nil {
				t.Fatal(err)
			}
			once(t, p)
			touched := map[string]bool{}
			meddle := func() {
				for range r.IntN(5) {
					k := keys[r.IntN(len(keys))]
					touched[k] = true
					if e, err := db.Recall(ctx, k); err == nil && r.IntN(3) == 0 {
						if _, err := db.Forget(ctx, memstore.ForgetRequest{Key: k, Expected: e.Version, Provenance: memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Explicit}}); err != nil {
							t.Fatal(err)
						}
						continue
					}
					v := randomText(r)
					remember(t, db, k, v)
					note(sentences, v)
				}
			}
			meddle()
			before := states(t, db)
			rec, err := s.Approve(ctx, p.ID, memstore.ByUser)
			if err != nil {
				t.Fatal(err)
			}
			if sum := Summarize(rec); sum.Applied+sum.Conflicted+sum.Failed+sum.Skipped != sum.Planned || sum.Failed+sum.Skipped > 0 {
				t.Errorf("summary %+v", sum)
			}
			kept(t, db, keys, sentences)
			mid := states(t, db)
			touched = map[string]bool{}
			meddle()
			after := states(t, db)
			if _, err := s.Undo(ctx, p.ID, memstore.ByUser); err != nil {
				t.Fatal(err)
			}
			kept(t, db, keys, sentences)
			end := states(t, db)
			alone := leftAlone(t, db, p, touched)
			for _, k := range keys {
				switch {
				case touched[k] || alone[k]:
					if end[k] != after[k] {
						t.Errorf("%s was touched, and undo changed it from %q to %q", k, after[k], end[k])
					}
				case end[k] != before[k]:
					t.Errorf("%s: before %q, applied %q, after undo %q", k, before[k], mid[k], end[k])
				}
			}
		})
	}
}

// leftAlone are the keys of operations one of whose entries was touched.
func leftAlone(t *testing.T, db *memstore.DB, p Plan, touched map[string]bool) map[string]bool {
	t.Helper()
	r, err := db.Receipt(context.Background(), p.ID)
	if err != nil {
		t.Fatal(err)
	}
	alone := map[string]bool{}
	for _, line := range r.Operations {
		any := false
		for _, x := range line.Touched {
			any = any || touched[x.Key]
		}
		if line.Result == memstore.Applied && any != (line.Undo == "left alone") {
			t.Errorf("operation %s is %q, touched %t", line.ID, line.Undo, any)
		}
		for _, x := range line.Touched {
			alone[x.Key] = alone[x.Key] || any
		}
	}
	return alone
}

func randomText(r *rand.Rand) string {
	pick := func(s ...string) string { return s[r.IntN(len(s))] }
	shapes := []func() string{
		func() string { return "We deploy on " + pick("Mondays", "Tuesdays") + "." },
		func() string { return "we deploy on " + pick("Mondays", "Tuesdays") },
		func() string { return "We no longer deploy on " + pick("Mondays", "Tuesdays") + "." },
		func() string { return "The service listens on port " + pick("80", "81", "82") + "." },
		func() string { return "The service now listens on port " + pick("80", "81", "82") + "." },
		func() string { return "Logs go to stdout. They are kept for " + pick("7", "30") + " days." },
		func() string { return "Logs go to stdout." },
		func() string { return "Retry failed jobs " + pick("three", "3", "4") + " times." },
		func() string { return "用户喜欢" + pick("深色", "浅色") + "主题。" },
	}
	s := shapes[r.IntN(len(shapes))]()
	if r.IntN(4) == 0 {
		s += " " + shapes[r.IntN(len(shapes))]()
	}
	return s
}

func note(m map[string]bool, text string) {
	for _, s := range sentences(text) {
		m[s] = true
	}
}

// states are the values by key, with a forgotten entry as "".
func states(t *testing.T, db *memstore.DB) map[string]string { return live(t, db) }

// kept says that every sentence is in a live entry or an earlier revision.
func kept(t *testing.T, db *memstore.DB, keys []string, want map[string]bool) {
	t.Helper()
	have := map[string]bool{}
	for _, k := range keys {
		h, err := db.History(context.Background(), k)
		if err != nil {
			t.Fatal(err)
		}
		for _, rev := range h {
			note(have, rev.Value)
		}
	}
	for s := range want {
		if !have[s] {
			t.Errorf("%q is nowhere any more", s)
		}
	}
}

// once checks that no entry is in two operations and that no operation loses
// a word that is said nowhere else, unless it supersedes.
func once(t *testing.T, p Plan) {
	t.Helper()
	seen := map[string]string{}
	for _, op := range p.Operations {
		for _, e := range op.Before {
			if o := seen[e.Key]; o != "" {
				t.Errorf("%s is in operations %s and %s", e.Key, o, op.ID)
			}
			seen[e.Key] = op.ID
			if op.Kind == Supersede {
				continue
			}
			have := map[string]bool{}
			for _, tok := range canonical(op.After.Value).kept() {
				have[tok.norm] = true
			}
			for _, tok := range canonical(e.Value).kept() {
				if !have[tok.norm] && tok.norm != "they" && tok.norm != "it" {
					t.Errorf("%s loses %q of %q: %q", op.Kind, tok.norm, e.Value, op.After.Value)
				}
			}
		}
	}
}
