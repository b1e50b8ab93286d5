package memstore_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reverie/memstore"
)

// traces names the files of a store's folder that contain the text. Call it
// only while no store in the folder is open in this process.
func traces(t *testing.T, dir, text string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "memory.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no store in %s: %v", dir, err)
	}
	var with []string
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(b, []byte(text)) {
			with = append(with, filepath.Base(f))
		}
	}
	return with
}

func remember(t testing.TB, s memstore.Store, key, value string) memstore.Entry {
	t.Helper()
	m, err := s.Remember(t.Context(), memstore.RememberRequest{Key: key, Value: value, Provenance: model})
	if err != nil {
		t.Fatal(err)
	}
	return m.Entry
}

func TestPurgeErasesEveryByteOfTheText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	for i := range 30 {
		remember(t, db, fmt.Sprint("other/", i), strings.Repeat("harmless text ", 40))
	}
	p := memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Learned, Thread: "thread-marigold", Source: "source-marigold"}
	var e memstore.Entry
	for i := range 5 {
		m, err := db.Remember(t.Context(), memstore.RememberRequest{
			Key: "private/place", Value: strings.Repeat(fmt.Sprint("value-marigold ", i, " "), 1+i*500), Description: "line-marigold", Provenance: p,
		})
		if err != nil {
			t.Fatal(err)
		}
		e = m.Entry
	}
	plan := fmt.Sprintf(`{"operations":[{"id":"1","sources":[{"key":"private/place"}],"reason":"plan-marigold","before":[{"key":"private/place","value":%q}]},{"id":"2","sources":[{"key":"other/1"}],"reason":"kept"}]}`, e.Value)
	if _, _, err := db.OpenReceipt(t.Context(), memstore.Receipt{ID: "plan", Decision: "dismissed", By: memstore.ByUser, Plan: json.RawMessage(plan)}); err != nil {
		t.Fatal(err)
	}
	done, err := db.Purge(t.Context(), memstore.PurgeRequest{Key: "Private/Place", Provenance: person})
	if err != nil {
		t.Fatal(err)
	}
	if done.Revisions != 5 || done.Pending || len(done.Receipts) != 1 || len(done.Threads) != 1 || done.Threads[0] != "thread-marigold" {
		t.Errorf("the purge says %+v", done)
	}
	hits, err := db.Search(t.Context(), "marigold", 10)
	if err != nil || len(hits) != 0 {
		t.Errorf("a search finds %v, %v", hits, err)
	}
	r, err := db.Receipt(t.Context(), "plan")
	if err != nil || strings.Contains(string(r.Plan), "marigold") || !strings.Contains(string(r.Plan), "kept") {
		t.Errorf("the receipt's plan is %s, %v", r.Plan, err)
	}
	db.Close()
	if with := traces(t, dir, "marigold"); len(with) > 0 {
		t.Errorf("the text is still in %v", with)
	}
}

func TestPurgeLeavesAMarkerThatKeepsOthersFromBringingTheKeyBack(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	first := remember(t, db, "a", "the text")
	done, err := db.Purge(t.Context(), memstore.PurgeRequest{Key: "a", Provenance: person})
	if err != nil {
		t.Fatal(err)
	}
	h, err := db.History(t.Context(), "a")
	if err != nil || len(h) != 2 || h[0].Op != memstore.OpPurge || h[0].Version != done.Marker || !h[0].Forgotten || !h[1].Purged || h[1].Value != "" {
		t.Fatalf("the history is %+v, %v", h, err)
	}
	var forgotten *memstore.ForgottenError
	if _, err := db.Remember(t.Context(), memstore.RememberRequest{Key: "a", Value: "the text", Provenance: memstore.Provenance{Writer: memstore.ByFile, Origin: memstore.Edited}}); !errors.As(err, &forgotten) {
		t.Errorf("a file's save answers %v", err)
	}
	if _, err := db.Undo(t.Context(), memstore.UndoRequest{Key: "a", Expected: done.Marker, Provenance: person}); !errors.Is(err, memstore.ErrNothingToUndo) {
		t.Errorf("undo answers %v", err)
	}
	var invalid *memstore.InvalidError
	if _, err := db.Restore(t.Context(), memstore.RestoreRequest{Key: "a", To: first.Version, Provenance: person}); !errors.As(err, &invalid) {
		t.Errorf("restore answers %v", err)
	}
	// The person may begin anew, and undo goes back to the marker at most.
	m, err := db.Remember(t.Context(), memstore.RememberRequest{Key: "a", Value: "new", Provenance: person})
	if err != nil {
		t.Fatal(err)
	}
	m, err = db.Undo(t.Context(), memstore.UndoRequest{Key: "a", Expected: m.Entry.Version, Provenance: person})
	if err != nil || !m.Entry.Forgotten {
		t.Errorf("undo leaves %+v, %v", m.Entry, err)
	}
	if _, err := db.Undo(t.Context(), memstore.UndoRequest{Key: "a", Expected: m.Entry.Version, Provenance: person}); !errors.Is(err, memstore.ErrNothingToUndo) {
		t.Errorf("a second undo answers %v", err)
	}
}

func TestOnlyAPersonCanPurgeAndOnlyWhatThereIs(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	remember(t, db, "a", "1")
	var invalid *memstore.InvalidError
	if _, err := db.Purge(t.Context(), memstore.PurgeRequest{Key: "a", Provenance: model}); !errors.As(err, &invalid) {
		t.Errorf("a model's purge answers %v", err)
	}
	var missing *memstore.NotFoundError
	if _, err := db.Purge(t.Context(), memstore.PurgeRequest{Key: "b", Provenance: person}); !errors.As(err, &missing) {
		t.Errorf("purging what never was answers %v", err)
	}
	if e, err := db.Recall(t.Context(), "a"); err != nil || e.Value != "1" {
		t.Errorf("the entry is %+v, %v", e, err)
	}
}

func TestPurgeNamesOtherEntriesThatHoldTheText(t *testing.T) {
	t.Parallel()
	db := open(t, t.TempDir())
	remember(t, db, "a", "lives at Elm Street")
	remember(t, db, "b", "Note: the customer lives at Elm Street, it seems")
	remember(t, db, "c", "something else")
	done, err := db.Purge(t.Context(), memstore.PurgeRequest{Key: "a", Provenance: person})
	if err != nil || len(done.Elsewhere) != 1 || done.Elsewhere[0] != "b" {
		t.Errorf("the purge says %+v, %v", done, err)
	}
}

func TestPurgeIsPendingWhileAnotherProcessHoldsOldPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := open(t, dir)
	remember(t, db, "a", "text-marigold")
	holder := start(t, "hold", dir, 0)
	if !holder.lines.Scan() {
		t.Fatal(holder.errs)
	}
	done, err := db.Purge(t.Context(), memstore.PurgeRequest{Key: "a", Provenance: person})
	if err != nil || !done.Pending {
		t.Fatalf("the purge says %+v, %v; want that it is pending", done, err)
	}
	if pending, err := db.PurgePending(t.Context()); err != nil || !pending {
		t.Errorf("pending is %t, %v", pending, err)
	}
	holder.in.Close()
	holder.acks()
	if err := holder.Wait(); err != nil {
		t.Fatal(err, holder.errs)
	}
	// The next write finishes it; while the store stays open the log is what
	// held the text.
	remember(t, db, "b", "later")
	wal, err := os.ReadFile(filepath.Join(dir, "memory.db-wal"))
	if err != nil || bytes.Contains(wal, []byte("marigold")) {
		t.Errorf("the log still has the text, or %v", err)
	}
	if pending, err := db.PurgePending(t.Context()); err != nil || pending {
		t.Errorf("pending is %t, %v", pending, err)
	}
	db.Close()
	if with := traces(t, dir, "marigold"); len(with) > 0 {
		t.Errorf("the text is still in %v", with)
	}
}
