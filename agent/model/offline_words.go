package model

import (
	"fmt"
	"strings"
	"time"
)

// Answers that need nothing filled in.
const (
	sayCan = "I follow rules and have no model: I can save, find, quote, correct and forget, and nothing else.\n\n" +
		"Try:\n\n- remember that deploys go out on Thursday\n- when do we deploy?\n- why?\n- no, on Friday\n- forget that\n- undo, list, what changed?\n\n" +
		"In any language: \"+ text\" saves, \"? text\" finds, \"- text\" forgets."
	sayUnknown = "I can't do that: I follow rules and have no model. Nothing was saved.\n\n" +
		"To save something, begin with \"remember\" or \"+\"; to find something, ask, or begin with \"?\". \"help\" says what else I can do. A model that you connect (--model, or the setting model) can do more."
	sayNothing  = "Remember what? Write it in the same message, as in \"remember that deploys go out on Thursday\". Nothing was saved."
	sayDontSave = "All right. Nothing was saved."
	sayDismiss  = "All right. Nothing was changed."
	sayThanks   = "You're welcome."
	sayHello    = "Hello. I follow rules and have no model; \"help\" says what I can do."
	sayNoMemory = "Memory is off in this session, so I can neither save nor find anything. Start without --no-memory, or set memory.enabled = true."
	sayAllGone  = "I forget one memory at a time, so that you see what goes: \"list\" shows them, \"forget\" and a key or a few words names one. Nothing was forgotten."
	sayNoFocus  = "I don't know which memory you mean: I quoted or saved none just now. Nothing was changed."
	sayNoWhy    = "I have quoted or saved nothing in this conversation yet, so there is nothing to explain."
	sayNoUndo   = "Nothing was written in this conversation, so there is nothing to undo here. \"undo KEY\" takes back the last change of one memory."
	sayNoPick   = "I have no numbered choices waiting. Nothing was changed."
)

// cannot says that a tool is missing.
func cannot(what, scope string) action {
	switch {
	case scope == "user":
		return say("I can't " + what + ": the user model is not available in this session. Nothing was changed.")
	case scope == "thread":
		return say("I can't " + what + " notes of this conversation: there is no tool for it. Nothing was changed.")
	}
	return say("I can't " + what + ": this session's memory has no tool for it. Nothing was changed.")
}

// name is an entry's key with its scope.
func (m memory) name() string {
	if m.key == "" {
		return "a note of this conversation"
	}
	return m.key + " (" + m.scope + ")"
}

// quoteLimit is how much of a value is quoted, in bytes.
const quoteLimit = 1500

// quote gives a text verbatim, so that Markdown leaves it as it is: one line in
// quotation marks, or as code where Markdown would read something into it, and
// several lines as a block of code.
func quote(s string) string {
	cut := ""
	if len(s) > quoteLimit {
		s, cut = beginning(s, quoteLimit), "(the beginning of it)"
	}
	if strings.ContainsAny(s, "\n\r") {
		fence := backticks(s, 3)
		if cut != "" {
			cut = "\n" + cut
		}
		return "\n" + fence + "\n" + s + "\n" + fence + cut + "\n"
	}
	q := `"` + s + `"`
	if strings.ContainsAny(s, "`*_<>[]|\\~&") {
		fence, space := backticks(s, 1), ""
		// Markdown takes one space off either end of code.
		if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") || strings.HasPrefix(s, " ") && strings.HasSuffix(s, " ") {
			space = " "
		}
		q = fence + space + s + space + fence
	}
	if cut != "" {
		q += " " + cut
	}
	return q
}

// backticks are at least n, and more than stand together in a text.
func backticks(s string, n int) string {
	fence := strings.Repeat("`", n)
	for strings.Contains(s, fence) {
		fence += "`"
	}
	return fence
}

// by names a writer.
func by(writer string) string {
	switch writer {
	case "user":
		return "by you"
	case "model":
		return "by the model"
	case "system":
		return "by the system"
	case "file":
		return "from a file"
	case "":
		return "writer not known"
	}
	return "by " + writer
}

// reasons says in words why a revision was written.
var reasons = map[string]string{
	"explicit": "because someone asked for it", "edited": "edited by a person", "imported": "imported",
	"learned": "saved unasked", "consolidated": "by a consolidation", "undone": "by an undo", "restored": "restored",
}

// deeds says in words what a revision did.
var deeds = map[string]string{
	"remember": "saved", "forget": "forgotten", "undo": "taken back", "restore": "restored", "purge": "purged",
}

// age is how long ago t was.
func age(now, t time.Time) string {
	if t.IsZero() {
		return "at an unknown time"
	}
	d := now.Sub(t)
	switch {
	case d < 0:
		return "on " + t.UTC().Format("2 Jan 2006")
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return ago(int(d/time.Minute), "minute")
	case d < 24*time.Hour:
		return ago(int(d/time.Hour), "hour")
	case d < 14*24*time.Hour:
		return ago(int(d/(24*time.Hour)), "day")
	case d < 60*24*time.Hour:
		return ago(int(d/(7*24*time.Hour)), "week")
	case d < 730*24*time.Hour:
		return ago(int(d/(30*24*time.Hour)), "month")
	}
	return ago(int(d/(365*24*time.Hour)), "year")
}

func ago(n int, unit string) string {
	if n == 1 {
		return "1 " + unit + " ago"
	}
	return fmt.Sprintf("%d %ss ago", n, unit)
}

// cite is an entry as an answer quotes it: the words, then where they are
// from.
func cite(m memory, now time.Time) string {
	words := m.value
	if words == "" {
		words = m.snippet
	}
	if words == "" {
		words = m.description
	}
	if m.key == "" {
		return quote(words) + " - " + m.name()
	}
	return quote(words) + " - " + m.name() + ", " + by(m.writer) + ", " + age(now, m.updated)
}

// failed reports a tool's failure in the user's terms.
func failed(what string, o outcome) action {
	reason := strings.TrimRight(o.err, ". ")
	switch o.kind {
	case "denied":
		switch o.why {
		case "", "the user said no":
			reason = "you did not allow it"
		default:
			reason = strings.TrimRight(o.why, ". ")
		}
	case "conflict":
		reason = "it changed meanwhile"
		if o.current.value != "" {
			reason += "; now it says " + quote(o.current.value) + ", " + by(o.current.writer)
		}
	case "not_found":
		reason = "there is no such memory now"
	case "refused":
		if !strings.HasPrefix(reason, "refused") {
			reason = strings.TrimSuffix("it was refused: "+reason, ": ")
		}
	}
	if reason == "" {
		reason = "the tool gave no reason"
	}
	return say(what + ": " + strings.TrimSpace(reason) + ".")
}
