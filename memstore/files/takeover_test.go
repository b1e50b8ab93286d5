package files

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reverie/memstore"
)

// lay writes files into a new folder.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for rel, text := range files {
		p := filepath.Join(dir, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func read(t *testing.T, dir string) Takeover {
	t.Helper()
	got, err := ReadFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func rowsByKey(got Takeover) map[string]Row {
	rows := map[string]Row{}
	for _, r := range got.Rows {
		rows[r.Key] = r
	}
	return rows
}

func TestMalacsMemoriesAreTakenWithTimesAndKinds(t *testing.T) {
	t.Parallel()
	dir := lay(t, map[string]string{
		".malac/memory/release-day.md": "---\nname: release-day\ndescription: Releases go out on Fridays\nkind: convention\nupdated: 2026-10-25T12:00:00+00:00\n---\n\nWe tag on Fridays.\n",
		".malac/memory/MEMORY.md":      "- a list\n",
		".malac/MALAC.md":              "# a list\n",
		"CONTRIBUTING.md":              "no memory\n",
	})
	for _, from := range []string{dir, filepath.Join(dir, ".malac"), filepath.Join(dir, ".malac", "memory")} {
		got := read(t, from)
		eq(t, "the program", got.From, "malac")
		eq(t, "skipped", len(got.Skipped), 0)
		if len(got.Rows) != 1 {
			t.Fatalf("from %s the rows are %+v", from, got.Rows)
		}
		want := Row{Key: "release-day", Value: "We tag on Fridays.", Description: "Releases go out on Fridays", Kind: memstore.Convention,
			Updated: time.Date(2026, 10, 25, 12, 0, 0, 0, time.UTC), Source: "release-day.md"}
		eq(t, "the row", got.Rows[0], want)
	}
}

func TestMemoriesInClaudesStyleAreTaken(t *testing.T) {
	t.Parallel()
	dir := lay(t, map[string]string{
		"MEMORY.md":          "- [Short tests](feedback_tests.md)\n",
		"feedback_tests.md":  "---\nname: Prefers short tests\ndescription: Tests: one behaviour each\ntype: feedback\n---\n\nOne behaviour a test.\n",
		"project_freeze.md":  "---\nname: project-freeze\ndescription: Code freeze\nmetadata:\n  type: project\n---\nFrom Thursday on.\n",
		"decision_db.md":     "---\nname: decision-db\ntype: decision\n---\n\nSQLite.\n",
		"topic notes.md":     "a plain note\n",
		"broken.md":          "---\nname: [\n---\n\nx\n",
		"nothing.md":         "---\nname: nothing\n---\n",
		"sub/feedback.md":    "---\nname: x\ntype: feedback\n---\n\ny\n",
		"topic-notes.md":     "the same key\n",
		".obsidian/notes.md": "hidden\n",
	})
	got := read(t, dir)
	eq(t, "the program", got.From, "claude")
	rows := rowsByKey(got)
	eq(t, "the kind of feedback", rows["feedback_tests"].Kind, memstore.Convention)
	eq(t, "the description", rows["feedback_tests"].Description, "Tests: one behaviour each")
	eq(t, "a type under metadata", rows["project-freeze"].Value, "From Thursday on.")
	eq(t, "a type that is a kind", rows["decision-db"].Kind, memstore.Decision)
	eq(t, "a folder", rows["sub/feedback"].Value, "y")
	eq(t, "the number of rows", len(got.Rows), 5)
	for rel, reason := range map[string]string{"broken.md": "YAML", "nothing.md": "no text", "topic-notes.md": "topic notes.md makes the same key"} {
		if r := reasonFor(got.Skipped, rel); !strings.Contains(r, reason) {
			t.Errorf("%s is skipped with %q", rel, r)
		}
	}
	rs := got.Requests(memstore.User)
	if rs[0].Kind != "" || rs[0].Provenance.Origin != memstore.Imported || rs[0].Provenance.Writer != memstore.ByFile {
		t.Errorf("the request is %+v", rs[0])
	}
}

const mecatlJSON = `{
  "entries": {
    "deploy/day": {"value": "Fridays", "description": "When we deploy", "updated_at": "2026-03-03T10:00:00Z"},
    "Old Name": {"value": "kept", "updated_at": "2026-01-01T00:00:00Z"}
  },
  "history": {
    "deploy/day": [
      {"key": "deploy/day", "value": "Mondays", "version": "local-1", "status": "superseded", "writer": "model", "origin": "learning", "source": {"SessionID": "s1"}, "updated_at": "2026-03-01T10:00:00Z"},
      {"key": "deploy/day", "value": "Tuesdays", "version": "local-2", "status": "superseded", "writer": "user", "origin": "explicit", "updated_at": "2026-03-02T10:00:00Z"},
      {"key": "deploy/day", "value": "Fridays", "description": "When we deploy", "version": "local-3", "status": "active", "writer": "user", "origin": "explicit", "updated_at": "2026-03-03T10:00:00Z"}
    ],
    "undone": [
      {"key": "undone", "value": "x", "version": "local-4", "status": "superseded", "writer": "model", "origin": "explicit", "updated_at": "2026-03-01T10:00:00Z"},
      {"key": "undone", "version": "local-5", "status": "deleted", "origin": "undo", "undo_of": "local-4", "updated_at": "2026-03-02T10:00:00Z"}
    ]
  }
}`

func TestMecatlsMemoryIsTakenWithItsHistory(t *testing.T) {
	t.Parallel()
	dir := lay(t, map[string]string{"memory.json": mecatlJSON, "memory.lock": ""})
	got := read(t, dir)
	eq(t, "the program", got.From, "mecatl")
	rows := rowsByKey(got)
	eq(t, "the value", rows["deploy/day"].Value, "Fridays")
	eq(t, "the revisions", len(rows["deploy/day"].History), 3)
	eq(t, "a name that is no key", rows["old-name"].Value, "kept")
	eq(t, "forgotten keys", len(got.Forgotten), 1)

	db, err := memstore.Open(t.Context(), memstore.Options{Dir: t.TempDir(), Scope: memstore.Project})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, want := range []memstore.HistoryReport{{Saved: 6}, {Unchanged: 6}} {
		var lines bytes.Buffer
		if err := got.WriteHistory(&lines, memstore.Project); err != nil {
			t.Fatal(err)
		}
		report, err := db.ImportHistory(t.Context(), &lines)
		if err != nil {
			t.Fatal(err)
		}
		eq(t, "the import", report, want)
	}
	past, err := db.History(t.Context(), "deploy/day")
	if err != nil {
		t.Fatal(err)
	}
	eq(t, "the newest", past[0].Value, "Fridays")
	eq(t, "the oldest's writer", past[2].Provenance, memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Learned, Thread: "s1", Source: "memory.json"})
	eq(t, "the oldest's time", past[2].Updated, time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC))
	m, err := db.Undo(t.Context(), memstore.UndoRequest{Key: "deploy/day", Expected: past[0].Version, Provenance: person})
	if err != nil || m.Entry.Value != "Tuesdays" {
		t.Errorf("undone to %q, %v", m.Entry.Value, err)
	}
	gone, err := db.History(t.Context(), "undone")
	if err != nil || gone[0].Op != memstore.OpUndo || !gone[0].Forgotten {
		t.Errorf("the forgotten key's newest is %+v, %v", gone, err)
	}
}

func TestOtherShapesOfAMemoryJSONAreUnderstood(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a list":             `[{"key":"a","value":"one"},{"value":"no key"}]`,
		"a list of entries":  `{"entries":[{"key":"a","value":"one"}]}`,
		"texts":              `{"a":"one"}`,
		"entries of texts":   `{"entries":{"a":"one"}}`,
		"a byte order mark":  byteOrderMark + `{"entries":{"a":{"value":"one"}}}`,
		"a broken history":   `{"entries":{"a":{"value":"one"}},"history":{"a":"?"}}`,
		"a history too new":  `{"entries":{"a":{"value":"one"}},"history":{"a":[{"value":"two","version":"1","status":"active"}]}}`,
		"an unknown history": `{"entries":{"a":{"value":"one"}},"history":7}`,
	} {
		got := read(t, lay(t, map[string]string{"memory.json": text}))
		if len(got.Rows) != 1 || got.Rows[0].Key != "a" || got.Rows[0].Value != "one" {
			t.Errorf("%s: the rows are %+v", name, got.Rows)
		}
	}
}

func TestTheWordsAroundMecatlsEntriesAreNoEntries(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"entries":{"a":{"value":"one"}}}`,
		`{"entries":{"a":{"value":"one"}},"history":{"a":[{"value":"one","version":"1","status":"active"}]}}`,
	} {
		got := read(t, lay(t, map[string]string{"memory.json": text}))
		if len(got.Rows) != 1 || got.Rows[0].Key != "a" || len(got.Skipped) != 0 {
			t.Errorf("%s: the rows are %+v, skipped %+v", text, got.Rows, got.Skipped)
		}
	}
}

func TestMaidensNotesBecomeEntriesBelowNotes(t *testing.T) {
	t.Parallel()
	dir := lay(t, map[string]string{
		"thread.json": `{"history":[{"role":"user"}],"state":{"memory.notes":["I don't care about Dependabot PRs", " I don't care about Dependabot PRs ", "I don't care about Dependabot PRs at all", "日本語のメモ", ""],"other":1}}`,
		"other.json":  `{"unrelated":true}`,
	})
	for _, from := range []string{dir, filepath.Join(dir, "thread.json")} {
		got := read(t, from)
		eq(t, "the program", got.From, "maiden")
		rows := rowsByKey(got)
		eq(t, "a note", rows["notes/i-don-t-care-about-dependabot-prs"].Value, "I don't care about Dependabot PRs")
		eq(t, "one that begins alike", rows["notes/i-don-t-care-about-dependabot-prs-2"].Value, "I don't care about Dependabot PRs at all")
		eq(t, "another script", rows["notes/日本語のメモ"].Value, "日本語のメモ")
		eq(t, "the number of rows", len(got.Rows), 3)
	}
}

func TestWhatCanNotBeTakenOverIsSaid(t *testing.T) {
	t.Parallel()
	if _, err := ReadFolder(t.TempDir()); !errors.Is(err, ErrNothingToTake) {
		t.Errorf("of an empty folder the error is %v", err)
	}
	if _, err := ReadFolder(filepath.Join(t.TempDir(), "missing")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("of a missing folder the error is %v", err)
	}
	got := read(t, lay(t, map[string]string{"memory.json": "{", "state.json": `{"state":{}}`, "thread.json": `{"state":{"memory.notes":7}}`}))
	eq(t, "skipped", len(got.Skipped), 3)
	eq(t, "rows", len(got.Rows), 0)
}

func TestNothingIsChangedByLooking(t *testing.T) {
	t.Parallel()
	text := "---\nname: a\n---\n\none\n"
	dir := lay(t, map[string]string{"a.md": text})
	read(t, dir)
	b, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if err != nil || string(b) != text {
		t.Errorf("the file is %q, %v", b, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}

func FuzzWhateverAMemoryJSONHoldsIsReadOrSaid(f *testing.F) {
	f.Add(mecatlJSON)
	f.Add(`{"state":{"memory.notes":["a"]}}`)
	f.Add(`[{"key":"a","value":"one"}]`)
	f.Fuzz(func(t *testing.T, text string) {
		got := &taking{keys: map[string]string{}}
		if err := got.document("memory.json", []byte(text), time.Time{}); err != nil && !errors.Is(err, ErrNothingToTake) {
			t.Fatal(err)
		}
		for _, r := range got.Rows {
			if k, err := memstore.Key(r.Key); err != nil || k != r.Key || strings.TrimSpace(r.Value) == "" {
				t.Errorf("a row is %+v", r)
			}
		}
	})
}
