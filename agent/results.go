package agent

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"reverie/memstore"
	"reverie/memstore/guard"
)

// outcome is what a tool call came to.
type outcome struct {
	result any    // written as JSON for the model
	err    string // empty when it worked
	memory *MemoryEvent
	wrote  []write // what it changed, where that can be undone
	read   []Ref   // memories whose text is in the result
}

// text is the result as the model gets it. The encoder writes <, > and & as
// escapes, so that no memory can form a chat template's token here; tokens in
// square brackets, which JSON can only have inside a text, are escaped too.
func (o outcome) text() string {
	b, err := json.Marshal(o.result)
	if err != nil {
		b = mustJSON(failure{Error: "the result can't be written: " + err.Error(), Kind: kindInvalid})
	}
	return bracketToken.ReplaceAllString(string(b), `\u005b$1`)
}

// The kinds of failure that a model is told.
const (
	kindConflict    = "conflict"
	kindNotFound    = "not_found"
	kindRefused     = "refused"
	kindDenied      = "denied"
	kindLimit       = "limit"
	kindInvalid     = "invalid"
	kindUnsupported = "unsupported"
	kindFailed      = "failed" // the store can't be used at the moment
)

type failure struct {
	OK      bool          `json:"ok"` // false
	Error   string        `json:"error"`
	Kind    string        `json:"kind"`
	Why     string        `json:"why,omitempty"` // of what was denied: the reason alone
	Next    string        `json:"next"`
	Current *currentState `json:"current,omitempty"`
}

type currentState struct {
	Version memstore.Version `json:"version"`
	Writer  memstore.Writer  `json:"writer"`
	Value   string           `json:"value"`
}

type written struct {
	OK       bool             `json:"ok"` // true
	Action   string           `json:"action"`
	Scope    memstore.Scope   `json:"scope"`
	Key      string           `json:"key"`
	Version  memstore.Version `json:"version,omitempty"`
	Value    string           `json:"value,omitempty"`
	Cut      bool             `json:"cut,omitempty"` // the value is longer than shown
	Previous *previousState   `json:"previous,omitempty"`
	Further  *bool            `json:"further,omitempty"` // of an undo: whether another one goes further back
	Note     string           `json:"note,omitempty"`
}

type previousState struct {
	Value   string           `json:"value"`
	Cut     bool             `json:"cut,omitempty"`
	Version memstore.Version `json:"version"`
}

type entryResult struct {
	OK      bool                `json:"ok"` // true
	Entry   memstore.Entry      `json:"entry"`
	History []memstore.Revision `json:"history,omitempty"`
	More    string              `json:"more,omitempty"`
}

type listResult struct {
	OK      bool        `json:"ok"` // true
	Entries []listEntry `json:"entries"`
	Total   int         `json:"total"`
	More    string      `json:"more,omitempty"`
}

type listEntry struct {
	Key         string           `json:"key"`
	Description string           `json:"description"`
	Version     memstore.Version `json:"version"`
}

type searchResult struct {
	OK      bool        `json:"ok"` // true
	Results []searchHit `json:"results"`
	More    string      `json:"more,omitempty"`
}

type searchHit struct {
	Scope       memstore.Scope   `json:"scope"`
	Key         string           `json:"key"`
	Description string           `json:"description"`
	Snippet     string           `json:"snippet"`
	Value       string           `json:"value"`
	Cut         bool             `json:"cut,omitempty"`
	Score       float64          `json:"score"`
	Version     memstore.Version `json:"version"`
	Updated     string           `json:"updated"`
	Writer      memstore.Writer  `json:"writer"`
}

// fail is a failed call, with what to do next.
func fail(kind, problem, next string) outcome {
	f := failure{Error: problem, Kind: kind, Next: next}
	if kind == kindDenied {
		f.Why = problem
	}
	return outcome{result: f, err: problem}
}

// wrote is a change that was carried out in a store, or found to be there
// already.
func wrote(action string, m memstore.Mutation, s memstore.Store) outcome {
	e := m.Entry
	_, undo := versioned(s)
	undo = undo && m.Changed
	r := written{OK: true, Action: action, Scope: e.Scope, Key: e.Key, Version: e.Version, Note: strings.Join(m.Notes, " ")}
	if !m.Changed {
		r.Action = "unchanged"
	}
	if !e.Forgotten {
		r.Value, r.Cut = shown(e.Value)
	}
	if p := m.Previous; m.Changed && p.Version != "" && !p.Forgotten {
		r.Previous = &previousState{Version: p.Version}
		r.Previous.Value, r.Previous.Cut = shown(p.Value)
	}
	o := outcome{result: r, memory: &MemoryEvent{
		Action: r.Action, Scope: e.Scope, Key: e.Key, Before: m.Previous, After: e, Undo: undo,
	}}
	if undo {
		o.wrote = []write{{Ref{e.Scope, e.Key}, e.Version}}
	}
	return o
}

// refused turns a store's error into what the model and the user are told. It
// knows the errors by type; what was tried is named by scope and key.
func refused(err error, scope memstore.Scope, key string, n names) outcome {
	o := explain(err, scope, key, n)
	action := "refused"
	if f := o.result.(failure); f.Kind == kindConflict {
		action = "conflict"
	} else if f.Kind == kindDenied {
		action = "denied"
	} else if f.Kind == kindRefused {
		key = "" // it may say what was refused
	}
	o.memory = &MemoryEvent{Action: action, Scope: scope, Key: key, Problem: o.err}
	return o
}

// explain is refused without a line in the conversation, for reading.
func explain(err error, scope memstore.Scope, key string, n names) outcome {
	var (
		conflict  *memstore.ConflictError
		missing   *memstore.NotFoundError
		forgotten *memstore.ForgottenError
		limit     *memstore.LimitError
		invalid   *memstore.InvalidError
		held      *guard.Refusal
	)
	text := mask(err.Error()) // a key may be what should not be shown
	switch {
	case errors.As(err, &conflict):
		return conflicted(conflict, n)
	case errors.As(err, &missing):
		next := fmt.Sprintf("Look for it with %s; do not guess keys.", n.search)
		if missing.Forgotten && n.inspect != "" {
			next = fmt.Sprintf("It was forgotten. %s shows its history; save it anew only if the user wants that.", n.inspect)
		}
		return fail(kindNotFound, text, next)
	case errors.As(err, &forgotten):
		return fail(kindDenied, text, "Ask the user; do not save it under another key instead.")
	case errors.As(err, &limit):
		return fail(kindLimit, text, "Shorten it to what matters, or split it over several keys.")
	case errors.As(err, &invalid):
		return fail(kindInvalid, text, "Correct it and call again."+suggestKey(invalid, key))
	case errors.As(err, &held):
		return fail(kindRefused, text, "Do not try to save it in another form. Tell the user that it was not saved, and why.")
	case errors.Is(err, memstore.ErrNothingToUndo):
		return fail(kindInvalid, text, "There is no earlier state. Tell the user so.")
	case errors.Is(err, memstore.ErrUnsupported):
		return fail(kindUnsupported, text, "Tell the user that this memory keeps no history.")
	}
	return fail(kindFailed, fmt.Sprintf("the %s memory could not be used: %s", scope, text), "Tell the user what went wrong, and go on without it.")
}

func conflicted(c *memstore.ConflictError, n names) outcome {
	next := "It is not there now. Save it with expected_version \"none\", or leave it."
	f := failure{Error: mask(c.Error()), Kind: kindConflict}
	if v := c.Current.Version; v != "" {
		next = fmt.Sprintf("Look at the current value here; if your change still makes sense, call again with expected_version %q.", v)
		if n.inspect != "" {
			next = fmt.Sprintf("Look at the current value here (%s shows its history); if your change still makes sense, call again with expected_version %q.", n.inspect, v)
		}
		f.Current = &currentState{Version: v, Writer: c.Current.Provenance.Writer}
		if !c.Current.Forgotten {
			f.Current.Value = mask(c.Current.Value) // whole: it is what the next try builds on
		}
	}
	f.Next = next
	return outcome{result: f, err: f.Error}
}

// suggestKey offers a valid key near one that is not.
func suggestKey(e *memstore.InvalidError, key string) string {
	if e.What != "key" {
		return ""
	}
	segments := strings.FieldsFunc(strings.ToLower(mask(key)), func(r rune) bool { return r == '/' })
	for i, s := range segments {
		words := strings.FieldsFunc(s, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.", r)
		})
		segments[i] = strings.Trim(strings.Join(words, "-"), "_-.")
	}
	segments = slices.DeleteFunc(segments, func(s string) bool { return s == "" })
	near, err := memstore.Key(strings.Join(segments, "/"))
	if err != nil {
		return ""
	}
	return fmt.Sprintf(" For example with the key %q.", near)
}

// found is one search hit as the model gets it.
func found(h memstore.Hit) searchHit {
	e := h.Entry
	value, short := shown(e.Value)
	return searchHit{
		Scope: e.Scope, Key: e.Key, Description: mask(e.Description), Snippet: mask(h.Snippet),
		Value: value, Cut: short, Score: h.Score, Version: e.Version,
		Updated: e.Updated.UTC().Format("2006-01-02T15:04:05Z07:00"), Writer: e.Provenance.Writer,
	}
}

// maxShown bounds, in bytes, what of a value is shown where several are, or
// where the model wrote it itself.
const maxShown = 4 << 10

// shown is a value as results show it, and whether it is only its beginning,
// which a model must not take for the whole.
func shown(value string) (string, bool) {
	value = mask(value)
	return cut(value, maxShown), len(value) > maxShown
}

func masked(e memstore.Entry) memstore.Entry {
	e.Value, e.Description = mask(e.Value), mask(e.Description)
	return e
}

// mask blanks what the guard would hold back, which a file that people write
// may still contain.
func mask(text string) string { return guard.Mask(text) }
