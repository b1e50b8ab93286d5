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
	Undo   string // the command that takes it back, or ""
	Failed bool
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
		m.Detail = e.Before.Summary()
	default:
		m.Detail = change(e.Before, e.After)
	}
	if e.Undo {
		m.Undo = "/undo"
	}
	return m
}

func change(before, after memstore.Entry) string {
	switch {
	case after.Version == "" || after.Forgotten:
		return "forgotten again"
	case before.Version == "" || before.Forgotten:
		return after.Summary()
	case before.Value == after.Value && before.Description != after.Description:
		return "described as: " + after.Description
	case before.Value == after.Value && before.Kind != after.Kind:
		return fmt.Sprintf("%s=>%s", before.Kind, after.Kind)
	}
	return Change(before.Value, after.Value)
}

// Change shows what differs between two texts as old=>new where that is a few
// words in the middle, and otherwise the new text's first line.
func Change(before, after string) string {
	a, b := strings.Fields(before), strings.Fields(after)
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	was, is := strings.Join(a, " "), strings.Join(b, " ")
	was, is = trimSame(was, is)
	const most = 32
	switch {
	case len(was) > most || len(is) > most || was == "" && is == "":
		return memstore.Entry{Value: after}.Summary()
	case was == "":
		return "+ " + is
	case is == "":
		return "- " + was
	}
	return was + "=>" + is
}

// trimSame drops punctuation that both sides end with, so that "Friday." and
// "Thursday." read as Friday=>Thursday.
func trimSame(a, b string) (string, string) {
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] && strings.ContainsRune(".,;:!?", rune(a[len(a)-1])) {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return a, b
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
	return fmt.Sprintf("%s %s %s", verb, a.Scope, a.Key)
}

// Failure is a failed turn in words: what happened and what to do about it.
func Failure(err error) (what, advice string) {
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
		advice = strings.TrimRight(advice, ". ") + ". "
	}
	return what, advice + "Your message is kept: /retry sends it again."
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
