package agent

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// notesKey is where a thread's state keeps its notes.
const notesKey = "memory.notes"

// state is a thread's durable state: values in JSON by name.
type state map[string]json.RawMessage

func (s state) clone() state { return maps.Clone(s) }

// notes are the thread's notes, oldest first. What is no list of texts counts
// as none.
func (s state) notes() []string {
	var out []string
	if json.Unmarshal(s[notesKey], &out) != nil {
		return nil
	}
	return out
}

// addNote saves a note, trimmed, and says whether it was new.
func (s state) addNote(note string) bool {
	note = strings.TrimSpace(note)
	notes := s.notes()
	if note == "" || slices.Contains(notes, note) {
		return false
	}
	b, err := json.Marshal(append(notes, note))
	if err != nil {
		return false // texts always can be written as JSON
	}
	s[notesKey] = b
	return true
}

// changedFrom lists the names whose values differ from those of old.
func (s state) changedFrom(old state) []string {
	var out []string
	for k, v := range s {
		if o, ok := old[k]; !ok || string(o) != string(v) {
			out = append(out, k)
		}
	}
	for k := range old {
		if _, ok := s[k]; !ok {
			out = append(out, k)
		}
	}
	return out
}
