package model

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// maxQuotes is how many entries an answer quotes, maxChoices how many it
// numbers, maxListed how many of a scope it lists.
const (
	maxQuotes  = 3
	maxChoices = 6
	maxListed  = 40
)

// found are the results of all searches of a turn, best first.
func found(steps []step) []memory {
	var all []memory
	for _, s := range steps {
		if isTool(s.call.Name, opSearch) && s.result.ok {
			all = append(all, s.result.found...)
		}
	}
	slices.SortStableFunc(all, func(a, b memory) int { return cmp.Compare(b.score, a.score) })
	return all
}

// quoted are the results that an answer quotes: the best, and others that are
// not far behind. A search also finds what goes with an entry, or was of use
// before; that is quoted only where nothing has a word of the question.
func quoted(question string, steps []step) []memory {
	all := found(steps)
	if those := having(stems(question), all); len(those) > 0 {
		all = those
	}
	for i, m := range all {
		if i == maxQuotes || m.score < all[0].score*0.4 {
			return all[:i]
		}
	}
	return all
}

// having are the entries that have one of some words.
func having(want map[string]bool, all []memory) []memory {
	var out []memory
	for _, m := range all {
		if m.has(want) {
			out = append(out, m)
		}
	}
	return out
}

// has says whether an entry has one of some words, whole or, where it is long
// enough to be sure, as a part of another.
func (m memory) has(want map[string]bool) bool {
	text := m.key + " " + m.value + " " + m.description + " " + m.snippet
	if covers(stems(text), want) > 0 {
		return true
	}
	text = strings.ToLower(text)
	for w := range want {
		if len(w) > 3 && strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// candidates finds the entry that a request to forget means: the one whose key
// it is, the only one found, or the only one that has all its words. Where it
// stays open, it returns those to choose from.
func candidates(text string, steps []step) (one memory, several []memory) {
	all := found(steps)
	key, want := foldKey(text), stems(text)
	var whole []memory
	for _, m := range all {
		if m.key == key || m.key == "user/"+key {
			return m, nil
		}
		if covers(stems(m.key+" "+m.value+" "+m.description+" "+m.snippet), want) == 1 {
			whole = append(whole, m)
		}
	}
	switch {
	case len(whole) == 1:
		return whole[0], nil
	case len(whole) > 1:
		return memory{}, whole[:min(len(whole), maxChoices)]
	}
	those := having(want, all)
	if len(those) == 1 {
		return those[0], nil
	}
	if len(those) > 1 {
		all = those
	}
	return memory{}, all[:min(len(all), maxChoices)]
}

// notesAbout are the notes that share words with a question.
func notesAbout(question string, steps []step) []memory {
	want := stems(question)
	var notes []memory
	for _, s := range steps {
		for _, m := range s.result.found {
			if m.score = covers(stems(m.value), want); m.score > 0 {
				notes = append(notes, m)
			}
		}
	}
	slices.SortStableFunc(notes, func(a, b memory) int { return cmp.Compare(b.score, a.score) })
	return notes[:min(len(notes), maxQuotes)]
}

// explain says in words who wrote an entry, why and when, and what it was
// before.
func explain(o outcome, now time.Time) string {
	m := o.entry
	var b strings.Builder
	entry := o.raw
	if e := o.raw.Get("entry"); e.IsObject() {
		entry = e
	}
	p, deed := entry.Get("provenance"), "saved"
	if entry.Get("forgotten").Bool() {
		deed = "forgotten"
		b.WriteString(m.name() + " is forgotten; its history is kept.")
	} else {
		fmt.Fprintf(&b, "%s says %s", m.name(), quote(m.value))
	}
	fmt.Fprintf(&b, "\n\nIt was %s %s, %s", deed, by(m.writer), age(now, m.updated))
	if !m.updated.IsZero() {
		fmt.Fprintf(&b, " (%s)", m.updated.UTC().Format("2006-01-02 15:04 UTC"))
	}
	if w := reasons[p.Get("origin").String()]; w != "" {
		b.WriteString(", " + w)
	}
	for _, f := range []struct{ field, before string }{
		{"thread", ", in thread "}, {"turn", ", turn "}, {"tool", ", with "}, {"model", ", through "}, {"plan", ", plan "}, {"source", ", from "},
	} {
		if v := text(p.Get(f.field)); v != "" && v != "0" {
			b.WriteString(f.before + v)
		}
	}
	b.WriteString(".")
	if len(o.history) == 0 {
		return b.String()
	}
	b.WriteString("\n\nHistory, newest first:\n")
	for i, r := range o.history {
		if i == 10 {
			fmt.Fprintf(&b, "\n- and %d earlier", len(o.history)-i)
			break
		}
		b.WriteString("\n- " + r.line(now, false))
	}
	return b.String()
}

// line is a revision in one line.
func (r revision) line(now time.Time, named bool) string {
	what := deeds[r.op]
	if what == "" {
		what = "written"
	}
	when := r.recorded
	if when.IsZero() {
		when = r.updated
	}
	s := age(now, when) + ", " + by(r.writer) + ", " + what
	if named {
		s = r.name() + ": " + s
	}
	if r.purged || r.forgotten || r.op == "forget" {
		return s
	}
	return s + ": " + strings.TrimSpace(quote(excerpt(r.value, 160)))
}

// list prints the index of every scope, or of the user model alone.
func (t *offlineTurn) list(in intent) action {
	if len(t.steps) == 0 {
		var calls []ToolCall
		for _, scope := range t.tools.scopes(opRecall) {
			if in.user && scope != "user" || t.tools.find(opRecall, scope) == "memory_read" {
				continue
			}
			args := map[string]any{"prefix": ""}
			if scope == "thread" {
				args = map[string]any{}
			}
			calls = append(calls, t.tools.make(opRecall, scope, args))
		}
		if len(calls) == 0 {
			return say("These tools can't list memories; `reverie memory list` does.")
		}
		return call(calls...)
	}
	var lines []string
	for _, s := range t.steps {
		scope := scopeOfTool(s.call)
		switch {
		case !s.result.ok && s.result.kind != "not_found":
			return failed("I could not list the "+scope+" memory", s.result)
		case len(s.result.found) == 0:
			lines = append(lines, "Nothing in the "+scope+" memory.")
			continue
		}
		lines = append(lines, fmt.Sprintf("In the %s memory, %d:\n", scope, s.result.total))
		shown := s.result.found[:min(len(s.result.found), maxListed)]
		for _, m := range shown {
			label := m.key + ": "
			if m.key == "" {
				label = ""
			}
			lines = append(lines, "- "+label+strings.TrimSpace(quote(excerpt(m.summary(), 120))))
		}
		if more := s.result.total - len(shown); more > 0 {
			lines = append(lines, fmt.Sprintf("- and %d more; a question finds them", more))
		}
		lines = append(lines, "")
	}
	return say(strings.TrimSpace(strings.Join(lines, "\n")))
}

// maxInspected is how many entries are looked at for what changed.
const maxInspected = 8

// changes lists the latest revisions: it takes the index, looks at the
// histories of what this conversation wrote and of the first entries, and
// prints the newest revisions of those.
func (t *offlineTurn) changes() action {
	if len(t.steps) == 0 {
		return t.list(intent{})
	}
	var index []memory
	var revisions []revision
	inspected := 0
	for _, s := range t.steps {
		switch {
		case isTool(s.call.Name, opInspect):
			inspected++
			for _, r := range s.result.history {
				if r.key == "" {
					r.key = s.result.entry.key
				}
				revisions = append(revisions, r)
			}
		case s.result.ok:
			index = append(index, s.result.found...)
		}
	}
	if inspected == 0 {
		calls := t.inspections(index)
		if len(calls) == 0 {
			return say("I have no history to look at, so I can't say what changed.")
		}
		return call(calls...)
	}
	if len(revisions) == 0 {
		return say("I found no history, so I can't say what changed.")
	}
	slices.SortStableFunc(revisions, func(a, b revision) int { return b.recorded.Compare(a.recorded) })
	lines := []string{"The latest changes, newest first:\n"}
	for _, r := range revisions[:min(len(revisions), 6)] {
		lines = append(lines, "- "+r.line(t.now, true))
	}
	if len(index) > inspected {
		lines = append(lines, fmt.Sprintf("\nI looked at %d of %d memories; `reverie memory list` shows the rest.", inspected, len(index)))
	}
	return say(strings.Join(lines, "\n"))
}

// inspections look at what this conversation wrote, newest first, then at the
// index in its order.
func (t *offlineTurn) inspections(index []memory) []ToolCall {
	var calls []ToolCall
	seen := map[string]bool{}
	add := func(m memory) {
		id := m.scope + " " + m.key
		if m.key != "" && !seen[id] && len(calls) < maxInspected && t.tools.find(opInspect, m.scope) != "" {
			seen[id] = true
			calls = append(calls, t.tools.make(opInspect, m.scope, map[string]any{"key": m.key}))
		}
	}
	for i := len(t.past) - 1; i >= 0; i-- {
		for j := len(t.past[i].steps) - 1; j >= 0; j-- {
			if s := t.past[i].steps[j]; s.wrote() {
				add(s.result.entry)
			}
		}
	}
	slices.SortStableFunc(index, func(a, b memory) int { return b.updated.Compare(a.updated) })
	for _, m := range index {
		add(m)
	}
	return calls
}
