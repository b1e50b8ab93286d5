package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"reverie/memstore"
	"reverie/memstore/guard"
)

// The notes vocabulary: a flat list that lives in the thread's state and is
// checkpointed with it.

func notesTools() []tool {
	return []tool{
		{name: "remember", run: rememberNote,
			saves: func(a arguments) (memstore.Scope, guard.Input) {
				return memstore.Thread, guard.Input{Value: strings.TrimSpace(a.text("note"))}
			},
			params:      []param{{name: "note", kind: "string", required: true, description: "one short fact, in words that stand alone"}},
			description: "Save a short fact to durable memory. Call it whenever the user says something worth keeping: a preference, a name, a standing instruction."},
		{name: "recall", run: recallNotes, description: "List everything that is currently saved."},
	}
}

func rememberNote(ctx context.Context, t *turn, a arguments) outcome {
	note := strings.TrimSpace(a.text("note"))
	if note == "" {
		return fail(kindInvalid, "the note is empty", "Call remember again with the fact as the note.")
	}
	if err := admitNote(note); err != nil {
		return refused(err, memstore.Thread, notesKey, names{})
	}
	t.c.mu.Lock()
	notes := t.c.state.notes()
	at := slices.Index(notes, note)
	added := t.c.state.addNote(note)
	if added {
		at = len(notes)
	}
	t.c.mu.Unlock()
	action := "remembered"
	if !added {
		action = "unchanged"
	}
	key := fmt.Sprintf("%s/%d", notesKey, at+1)
	now := t.c.cfg.Now().UTC()
	after := memstore.Entry{Scope: memstore.Thread, Key: key, Value: note, Created: now, Updated: now, Provenance: t.provenance("remember")}
	return outcome{
		result: written{OK: true, Action: action, Scope: memstore.Thread, Key: key, Value: note},
		memory: &MemoryEvent{Action: action, Scope: memstore.Thread, Key: key, After: after},
	}
}

// admitNote says why a note may not be kept, or nil. An empty one passes: it
// is nothing to keep.
func admitNote(note string) error {
	if len(note) > memstore.MaxValue {
		return &memstore.LimitError{What: "value", Limit: memstore.MaxValue, Size: len(note)}
	}
	return guard.Check(guard.Input{Value: note})
}

func recallNotes(ctx context.Context, t *turn, a arguments) outcome {
	notes := t.c.Notes()
	if notes == nil {
		notes = []string{}
	}
	return outcome{result: struct {
		OK    bool     `json:"ok"`
		Notes []string `json:"notes"`
	}{true, notes}}
}
