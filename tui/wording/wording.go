// Package wording says in words what happened to the memory and in a turn, the
// same for the screen and for plain lines. It returns text as it came; making
// it safe for a terminal is the caller's.
package wording

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/memstore"
)

// Memory is one memory write as a line in the conversation.
type Memory struct {
	Verb   string // "remembered", "refused", …
	Scope  memstore.Scope
	Key    string
	Detail string // what changed, or why not
	// Lead and Tail are the words of the value around a change with the space
	// between, so that lead, detail and tail together are a sentence.
	Lead, Tail string
	Undo       string // the command that takes it back, or ""
	Failed     bool
}

// OfMemory puts a memory write into words.
func OfMemory(e agent.MemoryEvent) Memory {
	m := Memory{Verb: e.Action, Scope: e.Scope, Key: e.Key, Detail: e.Problem}
	switch e.Action {
	case "refused", "conflict", "denied":
		m.Failed = true
	case "unchanged":
		if m.Detail == "" {
			m.Detail = "the same was there already"
		}
	case "forgot":
		m.Detail = value(e.Before)
	default:
		m.change(e.Before, e.After)
	}
	if e.Undo {
		m.Undo = "/undo"
	}
	return m
}

// value is an entry's value as one line, since that is what will be answered
// with; a description only tells what it is about.
func value(e memstore.Entry) string {
	if text := strings.Join(strings.Fields(e.Value), " "); text != "" {
		return text
	}
	return e.Description
}

func (m *Memory) change(before, after memstore.Entry) {
	switch {
	case after.Version == "" || after.Forgotten:
		m.Detail = "forgotten again"
	case before.Version == "" || before.Forgotten:
		m.Detail = value(after)
	case before.Value == after.Value && before.Description != after.Description:
		m.Detail = "described as: " + after.Description
	case before.Value == after.Value && before.Kind != after.Kind:
		m.Detail = fmt.Sprintf("%s=>%s", before.Kind, after.Kind)
	default:
		m.Lead, m.Detail, m.Tail = Change(before.Value, after.Value)
	}
}

// Whole is the detail with the words around it.
func (m Memory) Whole() string {
	return m.Lead + m.Detail + m.Tail
}

// Change shows what differs between two texts as old=>new, with the words
// before and after it, where that is a few words in one place, and otherwise
// the whole new text.
func Change(before, after string) (lead, change, tail string) {
	a, b := strings.Fields(before), strings.Fields(after)
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	end := 0
	for end < len(a)-n && end < len(b)-n && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	was, is := strings.Join(a[n:len(a)-end], " "), strings.Join(b[n:len(b)-end], " ")
	was, is, mark := trimSame(was, is)
	const most = 32
	switch {
	case len(was) > most || len(is) > most || was == "" && is == "":
		return "", value(memstore.Entry{Value: after}), ""
	case was == "":
		change = "+ " + is
	case is == "":
		change = "- " + was
	default:
		change = was + "=>" + is
	}
	if n > 0 {
		lead = strings.Join(b[:n], " ") + " "
	}
	if end > 0 {
		tail = " " + strings.Join(b[len(b)-end:], " ")
	}
	return lead, change, mark + tail
}

// trimSame drops punctuation that both sides end with, so that "Friday." and
// "Thursday." read as Friday=>Thursday, and returns what was dropped.
func trimSame(a, b string) (was, is, mark string) {
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] && strings.ContainsRune(".,;:!?", rune(a[len(a)-1])) {
		mark = a[len(a)-1:] + mark
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b, mark
}

// Decision says how a question ended.
func Decision(d agent.Decision, reason string) string {
	s := map[agent.Decision]string{
		agent.Approve:        "approved",
		agent.ApproveSession: "approved for this session",
		agent.Deny:           "denied",
		agent.Withdrawn:      "withdrawn",
	}[d]
	if s == "" {
		s = string(d)
	}
	if reason != "" {
		s += ": " + reason
	}
	return s
}

// Question is a question's title: what will be done to which entry.
func Question(a agent.Approval) string {
	verb := strings.TrimPrefix(a.Tool, "/")
	for _, tail := range []string{"UserMemory", "Memory", "User"} {
		verb = strings.TrimSuffix(verb, tail)
	}
	verb = strings.ToUpper(strings.TrimPrefix(verb, "memory_"))
	if verb == "" {
		verb = "CHANGE"
	}
	return verb + " " + Where(a.Scope, a.Key)
}

// Where names an entry: its scope and key, and only the key where that says
// the scope already, as user/editor does.
func Where(s memstore.Scope, key string) string {
	if s == "" || strings.HasPrefix(key, string(s)+"/") {
		return key
	}
	return strings.TrimSpace(string(s) + " " + key)
}

// Failure is what failed in words: what happened and what to do about it. sent
// says that a message was being sent; only then is there one to send again.
func Failure(err error, sent bool) (what, advice string) {
	var m *model.Error
	switch {
	case errors.As(err, &m):
		plain := *m
		plain.Advice = ""
		what, advice = plain.Error(), m.Advice
	case errors.Is(err, context.DeadlineExceeded):
		what = "the model took too long"
	default:
		what = err.Error()
	}
	if advice != "" {
		advice = strings.TrimRight(advice, ". ") + "."
	}
	if sent && !strings.Contains(advice, "/retry") {
		advice = strings.TrimSpace(advice + " Your message is kept: /retry sends it again.")
	}
	return what, advice
}

// By is who wrote something and why.
func By(p memstore.Provenance) string {
	if p.Origin == "" {
		return string(p.Writer)
	}
	return string(p.Writer) + ", " + string(p.Origin)
}

// ScopeAndKey reads the argument of /forget and /undo. A key under user/
// belongs to the user model, any other to the project; the scope may be said
// before the key.
func ScopeAndKey(args string) (memstore.Scope, string) {
	first, rest, _ := strings.Cut(args, " ")
	switch s := memstore.Scope(first); s {
	case memstore.Project, memstore.User, memstore.Thread:
		if rest = strings.TrimSpace(rest); rest != "" {
			return s, rest
		}
	}
	if strings.HasPrefix(args, "user/") {
		return memstore.User, args
	}
	return memstore.Project, args
}
