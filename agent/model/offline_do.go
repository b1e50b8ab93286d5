package model

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// offlineTurn is a turn in which the offline model is about to act: what the
// user said, and what tools have answered to it so far. Every method looks at
// these steps to see how far it has come, and returns what to do next.
type offlineTurn struct {
	tools   toolset
	request Request
	past    []round
	text    string
	steps   []step
	now     time.Time
}

func (t *offlineTurn) act() action {
	in := parse(t.text)
	switch in.kind {
	case intentThanks:
		return say(sayThanks)
	case intentHello:
		return say(sayHello)
	case intentHelp:
		return say(sayCan)
	case intentDismiss:
		return say(sayDismiss)
	case intentDontSave:
		return say(sayDontSave)
	case intentNothing:
		return say(sayNothing)
	case intentUnknown:
		return say(sayUnknown)
	}
	if t.tools.none() {
		return say(sayNoMemory)
	}
	switch in.kind {
	case intentSave:
		return t.save(in)
	case intentFix:
		return t.fix(in)
	case intentAsk:
		return t.ask(in)
	case intentWhy:
		return t.why()
	case intentForget:
		return t.forget(in)
	case intentPick:
		return t.pick(in)
	case intentUndo:
		return t.undo(in)
	case intentList:
		return t.list(in)
	case intentChanges:
		return t.changes()
	}
	return say(sayUnknown)
}

// last is the newest step of this turn that did one of these.
func (t *offlineTurn) last(ops ...op) *step {
	for i := len(t.steps) - 1; i >= 0; i-- {
		if isTool(t.steps[i].call.Name, ops...) {
			return &t.steps[i]
		}
	}
	return nil
}

// ask searches every scope and quotes what was found.
func (t *offlineTurn) ask(in intent) action {
	if len(t.steps) == 0 {
		if t.tools.find(opSearch, "project") == "" && t.tools.find(opSearch, "user") == "" {
			if t.tools.find(opRecall, "thread") == "" {
				return cannot("search", "project")
			}
			return call(t.tools.make(opRecall, "thread", map[string]any{}))
		}
		return call(t.searches(in.text, 6)...)
	}
	for _, s := range t.steps {
		if !s.result.ok && s.result.kind != "not_found" {
			return failed("I could not search", s.result)
		}
	}
	found := quoted(in.text, t.steps)
	if t.tools.notes() {
		found = notesAbout(in.text, t.steps)
	}
	if len(found) == 0 {
		return say("Nothing that I have saved is about " + quote(excerpt(in.text, 120)) + ".")
	}
	var lines []string
	if want := stems(in.text); !t.tools.notes() && len(want) > 0 && !found[0].has(want) {
		lines = append(lines, "Nothing that I have saved has these words. What comes nearest:")
	}
	for _, m := range found {
		lines = append(lines, cite(m, t.now))
	}
	return say(strings.Join(lines, "\n\n"))
}

// searches are the calls that search all scopes; one where a tool covers both.
func (t *offlineTurn) searches(query string, limit int) []ToolCall {
	var calls []ToolCall
	for _, scope := range t.tools.scopes(opSearch) {
		c := t.tools.make(opSearch, scope, map[string]any{"query": searchWords(query), "limit": limit})
		if len(calls) == 0 || calls[0].Name != c.Name {
			calls = append(calls, c)
		}
	}
	return calls
}

// why explains the last entry that was quoted or saved.
func (t *offlineTurn) why() action {
	focus := lastTouched(t.past)
	if len(focus) == 0 {
		return say(sayNoWhy)
	}
	m := focus[0]
	if m.key == "" || m.scope == "thread" {
		return say("It is a note of this conversation; notes keep no history.")
	}
	s := t.last(opInspect, opRecall)
	if s == nil {
		look := opInspect
		if t.tools.find(look, m.scope) == "" {
			look = opRecall
		}
		if t.tools.find(look, m.scope) == "" {
			return cannot("look that up", m.scope)
		}
		return call(t.tools.make(look, m.scope, map[string]any{"key": m.key}))
	}
	if !s.result.ok {
		return failed("I can't explain "+m.name(), s.result)
	}
	return say(explain(s.result, t.now))
}

// forget finds the entry that is meant and forgets it; the tool asks.
func (t *offlineTurn) forget(in intent) action {
	if in.text == "*" {
		return say(sayAllGone)
	}
	if len(t.tools.scopes(opForget)) == 0 {
		return cannot("forget", "project")
	}
	if in.text == "" {
		focus, far := inFocus(t.past)
		if len(focus) == 0 || far && len(focus) > 1 {
			return say(sayNoFocus)
		}
		return t.forgetOne(focus[0])
	}
	if s := t.last(opForget); s != nil {
		return t.forgetOne(s.result.entry)
	}
	if t.last(opSearch) == nil {
		return call(t.searches(in.text, 6)...)
	}
	for _, s := range t.steps {
		if !s.result.ok && s.result.kind != "not_found" {
			return failed("I could not look for it", s.result)
		}
	}
	one, several := candidates(in.text, t.steps)
	switch {
	case !one.empty():
		return t.forgetOne(one)
	case len(several) == 0:
		return say("I have nothing saved about " + quote(excerpt(in.text, 120)) + ", so nothing was forgotten.")
	}
	lines := []string{"Which one? Answer with its number.\n"}
	for i, m := range several {
		lines = append(lines, fmt.Sprintf("%d. %s: %s", i+1, m.name(), strings.TrimSpace(quote(excerpt(m.summary(), 120)))))
	}
	return say(strings.Join(lines, "\n"))
}

// forgetOne forgets an entry at the version it was seen at.
func (t *offlineTurn) forgetOne(m memory) action {
	if s := t.last(opForget); s != nil {
		if !s.result.ok {
			return failed(m.name()+" was not forgotten", s.result)
		}
		return say("Forgotten: " + m.name() + ". \"undo\" brings it back.")
	}
	if t.tools.find(opForget, m.scope) == "" {
		return cannot("forget", m.scope)
	}
	if m.version == "" && t.tools.find(opForget, m.scope) != "memory_forget" {
		s := t.last(opInspect, opRecall)
		switch {
		case s == nil && t.tools.find(opInspect, m.scope) != "":
			return call(t.tools.make(opInspect, m.scope, map[string]any{"key": m.key}))
		case s == nil:
			return cannot("find its version", m.scope)
		case !s.result.ok:
			return failed(m.name()+" was not forgotten", s.result)
		}
		m.version = s.result.entry.version
	}
	return call(t.tools.make(opForget, m.scope, map[string]any{"key": m.key, "expected_version": m.version}))
}

var ordinals = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}

// pick takes the choice with a number.
func (t *offlineTurn) pick(in intent) action {
	choices := pending(t.past)
	if len(choices) == 0 {
		return say(sayNoPick)
	}
	n := ordinals[strings.ToLower(in.text)]
	if n == 0 {
		n, _ = strconv.Atoi(in.text)
	}
	if n < 1 || n > len(choices) {
		return say(fmt.Sprintf("There are the numbers 1 to %d. Nothing was forgotten.", len(choices)))
	}
	return t.forgetOne(choices[n-1])
}

// undo takes the last write back, or that of a named key.
func (t *offlineTurn) undo(in intent) action {
	m, ok := lastWritten(t.past)
	if in.key != "" {
		m, ok = memory{scope: "project", key: in.key}, true
		if strings.HasPrefix(in.key, "user/") {
			m.scope = "user"
		}
	}
	if !ok {
		return say(sayNoUndo)
	}
	if m.scope == "thread" {
		return cannot("take back", "thread")
	}
	if t.tools.find(opUndo, m.scope) == "" {
		return cannot("undo", m.scope)
	}
	if s := t.last(opUndo); s != nil {
		return undone(m, s.result)
	}
	if m.version == "" {
		s := t.last(opInspect)
		switch {
		case s == nil && t.tools.find(opInspect, m.scope) != "":
			return call(t.tools.make(opInspect, m.scope, map[string]any{"key": m.key}))
		case s == nil:
			return cannot("find its version", m.scope)
		case !s.result.ok:
			return failed("I took nothing back of "+m.name(), s.result)
		}
		m.version = s.result.entry.version
	}
	return call(t.tools.make(opUndo, m.scope, map[string]any{"key": m.key, "expected_version": m.version}))
}

func undone(m memory, o outcome) action {
	switch {
	case !o.ok:
		return failed("I took nothing back of "+m.name(), o)
	case o.action == "unchanged":
		return say("There is nothing more to undo for " + m.name() + ".")
	case o.entry.value == "" || o.raw.Get("forgotten").Bool() || o.raw.Get("entry.forgotten").Bool():
		further := ""
		if o.raw.Get("further").Bool() {
			further = " \"undo\" again goes one step further."
		}
		return say("Taken back: " + m.name() + " is not remembered any more." + further)
	}
	return say("Taken back: " + m.name() + " is " + quote(o.entry.value) + " again.")
}
