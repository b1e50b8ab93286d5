package model

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"reverie/memstore/guard"
)

// refusedKey is that of a text which the guard will refuse.
const refusedKey = "note"

// save stores a text under its key. It never replaces what it has not seen: a
// key that may be taken is read first, and any other is only created. A fact
// with a name of its own, or one that says the same of another day, replaces
// what is there at the version that was read; anything else gets another key.
func (t *offlineTurn) save(in intent) action {
	scope := "project"
	if in.user {
		scope = "user"
	}
	if t.tools.notes() {
		return t.note(in)
	}
	if t.tools.find(opSave, scope) == "" {
		return cannot("save that", scope)
	}
	key := in.key
	switch {
	case !in.named && len(in.text) <= maxFixed && guard.Check(guard.Input{Value: in.text}) != nil:
		key = refusedKey // a key made from it would tell it
	case key == "":
		key = keyOf(in.text)
	}
	if s := t.last(opSave); s != nil {
		if s.result.ok {
			return saved(s.result)
		}
		created := expected(s.call) == "none"
		if s.result.kind != "conflict" || !created {
			return failed("Not saved", s.result)
		}
		return t.over(in, scope, s.result.current)
	}
	if s := t.last(opRecall); s != nil {
		if s.result.ok {
			return t.over(in, scope, s.result.entry)
		}
		if s.result.kind != "not_found" {
			return failed("Not saved", s.result)
		}
	} else if t.mayExist(key) && t.tools.find(opRecall, scope) != "" {
		return call(t.tools.make(opRecall, scope, map[string]any{"key": key}))
	}
	return t.put(scope, key, in.text, "none")
}

// over decides what to do where an entry is under the key already.
func (t *offlineTurn) over(in intent, scope string, have memory) action {
	key := have.key
	switch {
	case have.value == in.text && t.last(opSave) != nil:
		return say(memory{scope: scope, key: key}.name() + " says that already. Nothing was changed.")
	case have.value == in.text, in.key != "", sameFrame(have.value, in.text):
		return t.put(scope, key, in.text, have.version)
	}
	base, next := keyOf(in.text), 2
	for _, s := range t.steps {
		if isTool(s.call.Name, opSave) && s.result.entry.key != base {
			next++
		}
	}
	return t.put(scope, fmt.Sprintf("%s-%d", base, next), in.text, "none")
}

// put calls the tool that saves.
func (t *offlineTurn) put(scope, key, value, version string) action {
	tool := t.tools.find(opSave, scope)
	args := map[string]any{"key": key, "value": value}
	if version != "" {
		args["expected_version"] = version
	}
	if scope == "project" && t.tools.takes(tool, "kind") {
		if k := kindOf(beginning(value, maxRead)); k != "" {
			args["kind"] = k
		}
	}
	if strings.HasPrefix(tool, "memory_") {
		first, _, _ := strings.Cut(value, "\n")
		args["description"] = excerpt(first, 200)
	}
	return call(t.tools.make(opSave, scope, args))
}

// note saves a note of the thread, which has neither key nor version.
func (t *offlineTurn) note(in intent) action {
	text := in.text
	if in.named {
		text = in.key + ": " + in.text
	}
	s := t.last(opSave)
	switch {
	case s == nil:
		return call(t.tools.make(opSave, "thread", map[string]any{"note": text}))
	case !s.result.ok:
		return failed("Not noted", s.result)
	case s.result.action == "unchanged":
		return say("That note is there already. Nothing was changed.")
	}
	return say("Noted for this conversation: " + quote(text))
}

// mayExist says whether a key is in the index, in the facts, or was seen in
// this conversation.
func (t *offlineTurn) mayExist(key string) bool {
	quoted := strconv.Quote(key)
	for _, text := range []string{t.request.Stable, t.request.Volatile} {
		if strings.Contains(text, "] "+key+": ") || strings.Contains(text, quoted) {
			return true
		}
	}
	for _, r := range t.past {
		for _, s := range r.steps {
			if strings.Contains(s.call.Arguments, quoted) || strings.Contains(s.result.raw.Raw, quoted) {
				return true
			}
		}
	}
	return false
}

func expected(c ToolCall) string { return gjson.Get(c.Arguments, "expected_version").String() }

// saved reports a save that the tool confirmed.
func saved(o outcome) action {
	m := o.entry
	switch {
	case o.action == "unchanged":
		return say(m.name() + " says that already. Nothing was changed.")
	case o.hadValue && o.previous != m.value:
		return say("Changed " + m.name() + ": " + quote(o.previous) + " => " + quote(m.value))
	}
	return say("Saved as " + m.name() + ": " + quote(m.value))
}

// fix puts a correction in the place of the entry in focus, at the version
// that was quoted.
func (t *offlineTurn) fix(in intent) action {
	focus, far := inFocus(t.past)
	if in.user && (len(focus) == 0 || !aboutSame(focus[0], in)) {
		return t.save(intent{kind: intentSave, user: true, key: in.key, text: in.whole})
	}
	if len(focus) == 0 {
		return say(sayNoFocus)
	}
	m, clear := corrects(focus, in.text)
	if far && !clear {
		return say(sayNoFocus)
	}
	if m.key == "" || m.scope == "thread" {
		return say("Notes of this conversation can't be changed; \"+ text\" adds one. Nothing was changed.")
	}
	if t.tools.find(opSave, m.scope) == "" {
		return cannot("change that", m.scope)
	}
	if s := t.last(opSave); s != nil {
		if !s.result.ok {
			return failed(m.name()+" was not changed", s.result)
		}
		if !s.result.hadValue {
			s.result.previous, s.result.hadValue = m.value, m.value != ""
		}
		return saved(s.result)
	}
	if m.value == "" || m.version == "" || m.cut {
		s := t.last(opRecall, opInspect)
		switch {
		case s == nil && t.tools.find(opRecall, m.scope) != "":
			return call(t.tools.make(opRecall, m.scope, map[string]any{"key": m.key}))
		case s == nil:
			return cannot("read it", m.scope)
		case !s.result.ok:
			return failed(m.name()+" was not changed", s.result)
		}
		m.value, m.version = s.result.entry.value, s.result.entry.version
	}
	value, _ := corrected(m.value, in.text)
	if in.user {
		value = in.whole
	}
	return t.put(m.scope, m.key, value, m.version)
}

// corrects finds the entry that a correction is about: the first of those in
// focus that it fits, else the first of all. clear says that there was no
// choice.
func corrects(focus []memory, fix string) (m memory, clear bool) {
	var fit []memory
	for _, f := range focus {
		if _, fits := corrected(f.value, fix); fits {
			fit = append(fit, f)
		}
	}
	if len(fit) > 0 {
		return fit[0], len(fit) == 1
	}
	return focus[0], len(focus) == 1
}

// aboutSame says whether a statement about the user is about the same as an
// entry: the same key, or the same beginning up to its verb.
func aboutSame(m memory, in intent) bool {
	if m.scope != "user" {
		return false
	}
	if m.key == in.key {
		return true
	}
	return strings.HasPrefix(m.key, "user/prefers/") && strings.HasPrefix(in.key, "user/prefers/")
}

// kindOf sorts an entry of the project where its words say what it is.
func kindOf(text string) string {
	low := " " + strings.ToLower(text) + " "
	for _, k := range []struct{ kind, words string }{
		{"decision", "decided|decision|we chose|we choose|we agreed"},
		{"gotcha", "careful|beware|watch out|gotcha|pitfall"},
		{"convention", " always | never | must | only |convention|we don't "},
		{"command", "run `|run the command|go test|go run|make |npm |docker "},
	} {
		for _, w := range strings.Split(k.words, "|") {
			if strings.Contains(low, w) {
				return k.kind
			}
		}
	}
	return ""
}
