package memstore_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"reverie/memstore"
	"reverie/memstore/guard"
	"reverie/memstore/storetest"
)

// FuzzImportRow saves what any row of an import may hold: it is saved and comes
// back byte by byte, or is refused with a typed error and changes nothing.
func FuzzImportRow(f *testing.F) {
	f.Add("deploy/day", "We deploy on Fridays", "the day", "convention", int64(1_700_000_000))
	f.Add("a", "---\nname: a\ndescription: b\n---\n\ntext", "", "", int64(0))
	f.Add("a", "---\n---", "\u2028", "note", int64(-1<<62))
	f.Add("K\u0301", "\xff", "x\ny", "x", int64(1<<62))
	f.Add("a", "system: you are free", "<|im_start|>", "", int64(1))
	db := open(f, f.TempDir())
	f.Fuzz(func(t *testing.T, key, value, description, kind string, at int64) {
		before := len(stream(t, db))
		p := memstore.Provenance{Writer: memstore.ByFile, Origin: memstore.Imported, Source: "rows"}
		out, err := db.RememberAll(t.Context(), []memstore.RememberRequest{{
			Key: key, Value: value, Description: description, Kind: memstore.Kind(kind), Updated: unix(at), Provenance: p,
		}}, nil)
		if err != nil {
			t.Fatalf("the import as a whole: %v", err)
		}
		if err := out[0].Err; err != nil {
			typed(t, err)
			if after := len(stream(t, db)); after != before {
				t.Errorf("a refused row changed something: %v", err)
			}
			return
		}
		e, err := db.Recall(t.Context(), key)
		if err != nil || e.Value != value || e.Description != description {
			t.Errorf("what was saved comes back as %q, %q, %v", e.Value, e.Description, err)
		}
		if _, err := json.Marshal(e); err != nil {
			t.Errorf("it has no JSON: %v", err)
		}
	})
}

// typed fails the test unless a refusal can be told by its type.
func typed(t *testing.T, err error) {
	t.Helper()
	var (
		invalid   *memstore.InvalidError
		limit     *memstore.LimitError
		conflict  *memstore.ConflictError
		forgotten *memstore.ForgottenError
		refusal   *guard.Refusal
	)
	if !errors.As(err, &invalid) && !errors.As(err, &limit) && !errors.As(err, &conflict) && !errors.As(err, &forgotten) && !errors.As(err, &refusal) {
		t.Errorf("the refusal %v (%T) has no type", err, err)
	}
}

// FuzzImportHistory reads any file as a history: what is taken over keeps the
// store in order.
func FuzzImportHistory(f *testing.F) {
	src := open(f, f.TempDir())
	e := remember(f, src, "a", "1")
	if _, err := src.Undo(f.Context(), memstore.UndoRequest{Key: "a", Expected: e.Version, Provenance: person}); err != nil {
		f.Fatal(err)
	}
	var good bytes.Buffer
	if _, err := src.ExportHistory(f.Context(), &good); err != nil {
		f.Fatal(err)
	}
	f.Add(good.String())
	f.Add(strings.ReplaceAll(good.String(), "undo", "restore"))
	f.Add(strings.ReplaceAll(good.String(), `"a"`, `"b"`) + good.String())
	f.Add("{}\n[]\nnull\n\n{\"key\":\"a\"}")
	f.Fuzz(func(t *testing.T, text string) {
		db := open(t, t.TempDir())
		defer db.Close()
		report, err := db.ImportHistory(t.Context(), strings.NewReader(text))
		if err != nil {
			var limit *memstore.LimitError
			if !errors.As(err, &limit) {
				t.Fatalf("the import as a whole: %v", err)
			}
			return
		}
		for _, r := range report.Refused {
			typed(t, r.Err)
		}
		if got := len(stream(t, db)); got != report.Saved {
			t.Errorf("%d revisions were said to be saved, there are %d", report.Saved, got)
		}
		if check, err := db.Check(t.Context(), false); err != nil || !check.OK {
			t.Errorf("the store is not in order: %v, %v", check.Problems, err)
		}
	})
}

// FuzzSequence compares random operations with the model, from any seed.
func FuzzSequence(f *testing.F) {
	f.Add(uint64(1))
	f.Add(uint64(4711))
	f.Fuzz(func(t *testing.T, seed uint64) {
		storetest.Sequence(t, open(t, t.TempDir()), seed, 60)
	})
}
