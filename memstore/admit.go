package memstore

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"reverie/memstore/guard"
)

// text is the state that a write wants to leave: what was checked by admit, or
// a tombstone.
type text struct {
	value, description string
	kind               Kind
	updated            time.Time
	forgotten          bool
}

// maxProvenance limits each text of a provenance, in bytes.
const maxProvenance = 1024

// admit decides whether a text may be saved under a key. Every state that a
// store writes has passed it, whoever wrote it and whatever it came from: it
// is the only caller of the guard. key is as it was given where that is known: a
// token in it is told better before its case was folded.
//
// An empty kind stays empty, for the caller to fill with what is there.
func admit(scope Scope, key string, t text, p Provenance) error {
	if err := admitForm(scope, t); err != nil {
		return err
	}
	if err := admitProvenance(p); err != nil {
		return err
	}
	return guard.Check(guard.Input{
		Key: key, Description: t.description, Value: t.value, Person: typed(p),
	})
}

// Admit says whether a store of this scope would save a request as far as that
// needs no store: its form, its limits and the guard. The error is the one that
// Remember would answer.
func Admit(scope Scope, r RememberRequest) error {
	w, err := wanted(scope, r, time.Now())
	if err == nil {
		err = w.refused
	}
	return err
}

// typed says whether someone at the keyboard wrote this: an import by a person
// is text from elsewhere.
func typed(p Provenance) bool { return p.Writer == ByUser && p.Origin != Imported }

func admitForm(scope Scope, t text) error {
	switch {
	case len(t.value) > MaxValue:
		return &LimitError{What: "value", Limit: MaxValue, Size: len(t.value)}
	case len(t.description) > MaxDescription:
		return &LimitError{What: "description", Limit: MaxDescription, Size: len(t.description)}
	case strings.TrimSpace(t.value) == "":
		return &InvalidError{What: "value", Rule: "it is empty; to remove an entry, forget it"}
	case !utf8.ValidString(t.value):
		return &InvalidError{What: "value", Rule: "it is not UTF-8 text"}
	case strings.ContainsRune(t.value, 0):
		return &InvalidError{What: "value", Rule: "it has a NUL character, so it is no text"}
	case !utf8.ValidString(t.description):
		return &InvalidError{What: "description", Rule: "it is not UTF-8 text"}
	case strings.ContainsFunc(t.description, breaksLine):
		return &InvalidError{What: "description", Rule: "it is one line"}
	}
	if err := admitKind(scope, t.kind); err != nil {
		return err
	}
	// RFC 3339, in which times are shown and exported, has four digits of year.
	if y := t.updated.UTC().Year(); y < 0 || y > 9999 {
		return &InvalidError{What: "time", Rule: "its year is not between 0 and 9999"}
	}
	return nil
}

// breaksLine says whether r ends a line or is a NUL.
func breaksLine(r rune) bool {
	switch r {
	case 0, '\n', '\v', '\f', '\r', '\u0085', '\u2028', '\u2029':
		return true
	}
	return false
}

func admitKind(scope Scope, k Kind) error {
	switch {
	case k == "":
		return nil
	case scope != Project:
		return &InvalidError{What: "kind", Rule: fmt.Sprintf("entries of the %s scope have none", scope)}
	case !slices.Contains(Kinds, k):
		return &InvalidError{What: "kind", Rule: "it is one of command, convention, gotcha, decision, note"}
	}
	return nil
}

func admitProvenance(p Provenance) error {
	switch p.Writer {
	case ByUser, ByModel, BySystem, ByFile:
	default:
		return &InvalidError{What: "writer", Rule: "it is one of user, model, system, file"}
	}
	switch p.Origin {
	case Explicit, Edited, Imported, Learned, Consolidated, Undone, Restored:
	default:
		return &InvalidError{What: "origin", Rule: "it is one of explicit, edited, imported, learned, consolidated, undone, restored"}
	}
	if p.Turn < 0 {
		return &InvalidError{What: "turn", Rule: "turns count from 1"}
	}
	for what, s := range map[string]string{"thread": p.Thread, "tool": p.Tool, "model": p.Model, "plan": p.Plan, "source": p.Source} {
		switch {
		case len(s) > maxProvenance:
			return &LimitError{What: "provenance's " + what, Limit: maxProvenance, Size: len(s)}
		case !utf8.ValidString(s) || strings.ContainsFunc(s, unicode.IsControl):
			return &InvalidError{What: "provenance's " + what, Rule: "it is one line of text"}
		}
	}
	return nil
}

// withOrigin fills in an origin that was left out.
func (p Provenance) withOrigin(o Origin) Provenance {
	if p.Origin == "" {
		p.Origin = o
	}
	return p
}

// kindAfter is the kind of a state that names none: what was there, or Note
// for a new project entry.
func kindAfter(s Scope, named Kind, before Entry) Kind {
	switch {
	case named != "":
		return named
	case before.Kind != "":
		return before.Kind
	case s == Project:
		return Note
	}
	return ""
}

// micros is how a time is stored; what is finer than a microsecond is dropped.
func micros(t time.Time) int64 { return t.UnixMicro() }

func fromMicros(n int64) time.Time { return time.UnixMicro(n).UTC() }
