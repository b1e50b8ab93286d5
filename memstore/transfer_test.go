package memstore_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"reverie/memstore"
	"reverie/memstore/guard"
)

func TestAnImportSavesWhatItCanAndNamesWhatIsRefused(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	remember(t, db, "there", "as it is")
	stated := time.Date(2019, 5, 4, 3, 2, 1, 0, time.UTC)
	p := memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Imported, Source: "rows.jsonl"}
	secret := "gh" + "p_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
	var progress []int
	out, err := db.RememberAll(t.Context(), []memstore.RememberRequest{
		{Key: "a", Value: "1", Updated: stated, Provenance: p},
		{Key: "no key", Value: "2", Provenance: p},
		{Key: "there", Value: "as it is", Provenance: p},
		{Key: "b", Value: strings.Repeat("x", memstore.MaxValue+1), Provenance: p},
		{Key: "c", Value: "token " + secret, Provenance: p},
		{Key: "d", Value: "4", Kind: "opinion", Provenance: p},
		{Key: "A", Value: "5", Expected: memstore.None, Provenance: p},
		{Key: "e", Value: "6", Provenance: p},
	}, func(n int) { progress = append(progress, n) })
	if err != nil {
		t.Fatal(err)
	}
	var (
		invalid  *memstore.InvalidError
		limit    *memstore.LimitError
		refusal  *guard.Refusal
		conflict *memstore.ConflictError
	)
	for i, want := range []any{nil, &invalid, nil, &limit, &refusal, &invalid, &conflict, nil} {
		if want == nil && out[i].Err != nil || want != nil && !errors.As(out[i].Err, want) {
			t.Errorf("row %d answers %v, want a %T", i+1, out[i].Err, want)
		}
		if out[i].Err != nil && strings.Contains(out[i].Err.Error(), secret) {
			t.Errorf("row %d repeats the secret", i+1)
		}
	}
	if !out[0].Mutation.Changed || out[2].Mutation.Changed || !out[7].Mutation.Changed {
		t.Error("what changed is not what was new")
	}
	e, err := db.Recall(t.Context(), "a")
	if err != nil || !e.Updated.Equal(stated) || e.Provenance != p {
		t.Errorf("the imported entry is %+v, %v", e, err)
	}
	if len(progress) != 1 || progress[0] != 8 {
		t.Errorf("the progress was %v", progress)
	}
	if n := len(stream(t, db)); n != 3 {
		t.Errorf("the stream has %d revisions, want 3", n)
	}
}

func TestAnImportThatIsCancelledSavesNothing(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	var rows []memstore.RememberRequest
	for i := range 2000 {
		rows = append(rows, memstore.RememberRequest{Key: fmt.Sprint("k", i), Value: "v", Provenance: model})
	}
	_, err := db.RememberAll(ctx, rows, func(done int) {
		if done > 500 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if n := len(stream(t, db)); n != 0 {
		t.Errorf("%d rows were saved", n)
	}
}

// grown makes a store with a history of all operations.
func grown(t *testing.T, dir string) *memstore.DB {
	t.Helper()
	db := open(t, dir)
	for i := range 400 {
		key := fmt.Sprint("key/", rand.IntN(12))
		h, _ := db.History(t.Context(), key)
		var err error
		switch op := rand.IntN(6); {
		case len(h) == 0 || op < 2:
			_, err = db.Remember(t.Context(), memstore.RememberRequest{
				Key: key, Value: fmt.Sprint("value ", i), Description: "<of> & 中", Updated: time.Unix(int64(i)*1e6, 123456000), Provenance: person,
			})
		case op == 2:
			_, err = db.Forget(t.Context(), memstore.ForgetRequest{Key: key, Expected: h[0].Version, Provenance: person})
		case op == 3 || op == 4:
			_, err = db.Undo(t.Context(), memstore.UndoRequest{Key: key, Expected: h[0].Version, Provenance: person})
		default:
			_, err = db.Restore(t.Context(), memstore.RestoreRequest{Key: key, To: h[rand.IntN(len(h))].Version, Provenance: person})
		}
		var missing *memstore.NotFoundError
		if err != nil && !errors.As(err, &missing) && !errors.Is(err, memstore.ErrNothingToUndo) {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"key/1", "key/2"} {
		if _, err := db.Purge(t.Context(), memstore.PurgeRequest{Key: key, Provenance: person}); err != nil {
			t.Fatal(err)
		}
		remember2(t, db, key)
	}
	return db
}

func remember2(t *testing.T, db *memstore.DB, key string) {
	t.Helper()
	if _, err := db.Remember(t.Context(), memstore.RememberRequest{Key: key, Value: "anew", Provenance: person}); err != nil {
		t.Fatal(err)
	}
}

// alike fails the test unless both stores hold the same, and undoing goes the
// same way in both.
func alike(t *testing.T, a, b *memstore.DB) {
	t.Helper()
	left, right := stream(t, a), stream(t, b)
	if len(left) != len(right) {
		t.Fatalf("%d and %d revisions", len(left), len(right))
	}
	for i := range left {
		if left[i] != right[i] {
			t.Fatalf("revision %d is\n%+v, the other\n%+v", i+1, left[i], right[i])
		}
	}
	entries, err := a.List(t.Context(), memstore.ListOptions{Forgotten: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		for range 200 {
			var m [2]memstore.Mutation
			var errs [2]error
			for i, db := range []*memstore.DB{a, b} {
				h, err := db.History(t.Context(), e.Key)
				if err != nil {
					t.Fatal(err)
				}
				m[i], errs[i] = db.Undo(t.Context(), memstore.UndoRequest{Key: e.Key, Expected: h[0].Version, Provenance: person})
			}
			if (errs[0] == nil) != (errs[1] == nil) || m[0].Entry.Value != m[1].Entry.Value || m[0].Entry.Forgotten != m[1].Entry.Forgotten {
				t.Fatalf("undoing %s leaves %q, %v and %q, %v", e.Key, m[0].Entry.Value, errs[0], m[1].Entry.Value, errs[1])
			}
			if errs[0] != nil {
				break
			}
		}
	}
}

func TestAnExportedHistoryComesBackWhole(t *testing.T) {
	t.Parallel()
	a, b := grown(t, t.TempDir()), open(t, t.TempDir())
	var file bytes.Buffer
	n, err := a.ExportHistory(t.Context(), &file)
	if err != nil {
		t.Fatal(err)
	}
	report, err := b.ImportHistory(t.Context(), bytes.NewReader(file.Bytes()))
	if err != nil || report.Saved != n || len(report.Refused) > 0 {
		t.Fatalf("%d lines: the import says %+v, %v", n, report, err)
	}
	report, err = b.ImportHistory(t.Context(), bytes.NewReader(file.Bytes()))
	if err != nil || report.Saved != 0 || report.Unchanged != n || len(report.Refused) > 0 {
		t.Errorf("a second import says %+v, %v", report, err)
	}
	alike(t, a, b)
}

func TestAnImportedHistoryContinuesTheOneThatIsThere(t *testing.T) {
	t.Parallel()
	a, b := open(t, t.TempDir()), open(t, t.TempDir())
	remember(t, a, "k", "1")
	var early, late bytes.Buffer
	if _, err := a.ExportHistory(t.Context(), &early); err != nil {
		t.Fatal(err)
	}
	remember(t, a, "k", "2")
	if _, err := a.ExportHistory(t.Context(), &late); err != nil {
		t.Fatal(err)
	}
	if _, err := b.ImportHistory(t.Context(), &early); err != nil {
		t.Fatal(err)
	}
	report, err := b.ImportHistory(t.Context(), bytes.NewReader(late.Bytes()))
	if err != nil || report.Saved != 1 || report.Unchanged != 1 {
		t.Errorf("the import says %+v, %v", report, err)
	}
	alike(t, a, b)
	// Now both have gone their own way.
	c := open(t, t.TempDir())
	remember(t, c, "k", "mine")
	report, err = c.ImportHistory(t.Context(), bytes.NewReader(late.Bytes()))
	var conflict *memstore.ConflictError
	if err != nil || len(report.Refused) != 1 || !errors.As(report.Refused[0].Err, &conflict) || report.Saved != 0 {
		t.Errorf("the import says %+v, %v", report, err)
	}
}

func TestAMalformedHistoryIsRefusedKeyByKey(t *testing.T) {
	t.Parallel()
	a := open(t, t.TempDir())
	remember(t, a, "good", "1")
	remember(t, a, "bad", "1")
	remember(t, a, "bad", "2")
	var file bytes.Buffer
	if _, err := a.ExportHistory(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	good := file.String()
	lines := strings.SplitAfter(good, "\n")
	for what, broken := range map[string]string{
		"a writer that there is not": lines[0] + lines[1] + strings.Replace(lines[2], `"writer":"model"`, `"writer":"nobody"`, 1),
		"a value that is too long":   strings.Replace(good, `"value":"2"`, `"value":"`+strings.Repeat("x", memstore.MaxValue+1)+`"`, 1),
		"an unknown operation":       good + `{"scope":"project","key":"bad","op":"dance","version":"r_aaaaaaaaaaaa"}` + "\n",
		"an undo of nothing":         good + `{"scope":"project","key":"bad","value":"v","op":"undo","undoes":"r_bbbbbbbbbbbb","version":"r_aaaaaaaaaaaa","provenance":{"writer":"user","origin":"undone"}}` + "\n",
		"a version used twice":       good + lines[1],
	} {
		b := open(t, t.TempDir())
		report, err := b.ImportHistory(t.Context(), strings.NewReader(broken))
		if err != nil || len(report.Refused) != 1 || report.Saved != 1 {
			t.Errorf("%s: the import says %+v, %v", what, report, err)
			continue
		}
		if _, err := b.Recall(t.Context(), "good"); err != nil {
			t.Errorf("%s: the other key: %v", what, err)
		}
		b.Close()
	}
}

func TestAMovedProjectsMemoryIsTakenOverWithItsHistory(t *testing.T) {
	t.Parallel()
	old := t.TempDir()
	a := grown(t, old)
	plan := memstore.Receipt{ID: "plan", Decision: "approved", By: memstore.ByUser, Operations: []memstore.ReceiptOperation{{ID: "1", Kind: "retire"}}}
	if _, _, err := a.OpenReceipt(t.Context(), plan); err != nil {
		t.Fatal(err)
	}
	if ok, err := a.SetMark(t.Context(), "schedule", "", "yesterday"); !ok || err != nil {
		t.Fatal(ok, err)
	}
	b := open(t, t.TempDir())
	got, err := b.Adopt(t.Context(), old)
	if err != nil {
		t.Fatal(err)
	}
	if got.Revisions != len(stream(t, a)) || got.Receipts != 1 {
		t.Errorf("it took over %+v", got)
	}
	if v, err := b.Mark(t.Context(), "schedule"); v != "yesterday" || err != nil {
		t.Errorf("the mark is %q, %v", v, err)
	}
	if _, err := b.Adopt(t.Context(), old); !errors.Is(err, memstore.ErrNotEmpty) {
		t.Errorf("a second time answers %v", err)
	}
	alike(t, a, b)
}

func TestWhatIsNotThereCantBeAdopted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	var state *memstore.StateError
	if _, err := db.Adopt(t.Context(), t.TempDir()); !errors.As(err, &state) || state.Reason != "missing" {
		t.Errorf("the error is %v", err)
	}
	if _, err := db.Adopt(t.Context(), dir); err == nil {
		t.Error("a memory took over itself")
	}
}

func unix(s int64) time.Time { return time.Unix(s, 0) }
