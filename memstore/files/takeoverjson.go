package files

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"reverie/memstore"
)

// mecatlEntry is an entry of mecatl's memory.json, as
// github.com/stacklok/mecatl, internal/adapter/memory/store.go, describes it:
// the live values by key under "entries", and of each key up to 64 revisions,
// oldest first, under "history".
type mecatlEntry struct {
	Key         string    `json:"key"` // in lists alone
	Value       string    `json:"value"`
	Description string    `json:"description"`
	UpdatedAt   time.Time `json:"updated_at"`
}

type mecatlRevision struct {
	mecatlEntry
	Version string `json:"version"`
	Status  string `json:"status"` // active, superseded, deleted
	Writer  string `json:"writer"` // user, model, system
	Origin  string `json:"origin"` // explicit, learning, consolidation, undo
	Source  struct {
		SessionID string
	} `json:"source"`
	UndoOf string `json:"undo_of"`
}

// mecatl takes the entries of a memory.json. Older ones, and those made by
// hand, may have texts alone in place of entries.
func (t *taking) mecatl(name string, top map[string]json.RawMessage) error {
	t.From = "mecatl"
	entries := top
	if top["entries"] != nil {
		// Decoding into the map that is there would add to it.
		entries = nil
		if err := json.Unmarshal(top["entries"], &entries); err != nil {
			var list []json.RawMessage
			if json.Unmarshal(top["entries"], &list) == nil {
				return t.mecatlList(name, list)
			}
			t.skip(name, "", `its "entries" are no object`)
			return nil
		}
	}
	var past map[string]json.RawMessage
	if h := top["history"]; h != nil && json.Unmarshal(h, &past) != nil {
		t.skip(name, "", `its "history" is no object, and was left out`)
	}
	names := make([]string, 0, len(entries)+len(past))
	for k := range entries {
		names = append(names, k)
	}
	for k := range past {
		if _, live := entries[k]; !live {
			names = append(names, k)
		}
	}
	slices.Sort(names)
	for _, k := range names {
		t.mecatlKey(name, k, entries[k], past[k])
	}
	return nil
}

// mecatlList takes entries that are a list.
func (t *taking) mecatlList(name string, list []json.RawMessage) error {
	t.From = "mecatl"
	for i, raw := range list {
		var e mecatlEntry
		if json.Unmarshal(raw, &e) != nil || e.Key == "" {
			t.skip(name, "", fmt.Sprintf("item %d is no entry with a key", i+1))
			continue
		}
		t.mecatlKey(name, e.Key, raw, nil)
	}
	return nil
}

// mecatlKey takes one key with its history.
func (t *taking) mecatlKey(file, name string, live, past json.RawMessage) {
	key, err := memstore.Key(name)
	if err != nil {
		if key = slug(name); key == "" {
			t.skip(file, "", "a name makes no key: "+err.Error())
			return
		}
	}
	var e mecatlEntry
	if live != nil {
		if err := json.Unmarshal(live, &e); err != nil && json.Unmarshal(live, &e.Value) != nil {
			t.skip(file, key, "it is no entry")
			return
		}
	}
	row := Row{Key: key, Value: e.Value, Description: oneLine(e.Description), Updated: e.UpdatedAt.UTC(), Source: file}
	if past != nil {
		var revisions []mecatlRevision
		if err := json.Unmarshal(past, &revisions); err != nil {
			t.skip(file, key, "its history can't be read; the present state was taken")
		} else if row.History = mecatlHistory(key, file, revisions); live != nil && !endsAs(row) {
			row.History = nil
			t.skip(file, key, "its history does not end with its present state; that alone was taken")
		}
	}
	if n := len(row.History); live == nil && n > 0 && !row.History[n-1].Forgotten {
		last := row.History[n-1]
		row.Value, row.Description, row.Updated = last.Value, last.Description, last.Updated
	}
	if live == nil && len(row.History) == 0 || live != nil && strings.TrimSpace(row.Value) == "" {
		t.skip(file, key, "it has no text")
		return
	}
	if row.Updated.IsZero() && len(row.History) > 0 {
		row.Updated = row.History[len(row.History)-1].Updated
	}
	t.add(row)
}

// endsAs says whether a row's history ends with the row's state.
func endsAs(r Row) bool {
	if len(r.History) == 0 {
		return true
	}
	last := r.History[len(r.History)-1]
	return !last.Forgotten && last.Value == r.Value && last.Description == r.Description
}

// mecatlHistory puts mecatl's revisions into our words. What an undo takes back
// has to be among them; where it was cut off, the undo is a plain save.
func mecatlHistory(key, file string, revisions []mecatlRevision) []memstore.Revision {
	versions := map[string]memstore.Version{}
	var all []memstore.Revision
	for i, m := range revisions {
		forgotten := m.Status == "deleted"
		if !forgotten && strings.TrimSpace(m.Value) == "" {
			continue
		}
		r := memstore.Revision{
			Entry: memstore.Entry{
				Key: key, Updated: m.UpdatedAt.UTC(), Forgotten: forgotten,
				Version:    token([]byte("mecatl"), []byte(key), []byte(m.Version), fmt.Append(nil, i)),
				Provenance: mecatlProvenance(m, file),
			},
			Op: memstore.OpRemember, Recorded: m.UpdatedAt.UTC(),
		}
		if !forgotten {
			r.Value, r.Description = m.Value, oneLine(m.Description)
		}
		undone, known := versions[m.UndoOf]
		switch {
		case m.UndoOf != "" && known:
			r.Op, r.Undoes = memstore.OpUndo, undone
		case forgotten:
			r.Op = memstore.OpForget
		}
		versions[m.Version] = r.Version
		all = append(all, r)
	}
	return all
}

func mecatlProvenance(m mecatlRevision, file string) memstore.Provenance {
	p := memstore.Provenance{Writer: memstore.BySystem, Origin: memstore.Imported, Source: file}
	if w := memstore.Writer(m.Writer); w == memstore.ByUser || w == memstore.ByModel {
		p.Writer = w
	}
	switch m.Origin {
	case "explicit":
		p.Origin = memstore.Explicit
	case "learning":
		p.Origin = memstore.Learned
	case "consolidation":
		p.Origin = memstore.Consolidated
	case "undo":
		p.Origin = memstore.Undone
	}
	if id := oneLine(m.Source.SessionID); len(id) <= 512 {
		p.Thread = id
	}
	return p
}

// maiden takes the notes of a thread.
func (t *taking) maiden(name string, top map[string]json.RawMessage, saved time.Time) error {
	var state map[string]json.RawMessage
	if err := json.Unmarshal(top["state"], &state); err != nil {
		t.skip(name, "", `its "state" is no object`)
		return nil
	}
	t.From = "maiden"
	var notes []string
	raw, ok := state["memory.notes"]
	if !ok {
		t.skip(name, "", `its state has no "memory.notes"`)
		return nil
	}
	if err := json.Unmarshal(raw, &notes); err != nil {
		t.skip(name, "", `its "memory.notes" are no list of texts`)
		return nil
	}
	seen := map[string]bool{}
	for _, n := range notes {
		n = strings.TrimSpace(n)
		if n == "" || seen[n] {
			continue
		}
		seen[n] = true
		t.add(Row{Key: t.noteKey(n), Value: n, Updated: saved, Source: name})
	}
	return nil
}

// noteWords is how many words of a note make its key.
const noteWords = 6

// noteKey is a free key for a note, made of its first words.
func (t *taking) noteKey(note string) string {
	words := strings.Fields(note)
	stem := slug(strings.ReplaceAll(strings.Join(words[:min(len(words), noteWords)], " "), "/", " "))
	if stem == "" || len(stem) > 64 {
		stem = "note"
	}
	key := "notes/" + stem
	for i := 2; t.keys[key] != ""; i++ {
		key = fmt.Sprintf("notes/%s-%d", stem, i)
	}
	return key
}
