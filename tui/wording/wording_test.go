package wording

import (
	"errors"
	"strings"
	"testing"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/memstore"
)

func TestAChangeOfAFewWordsIsShownAsOldAndNew(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"We deploy on Friday.", "We deploy on Thursday.", "Friday=>Thursday"},
		{"a b c", "a c", "- b"},
		{"a c", "a b c", "+ b"},
		{"one", strings.Repeat("quite another text ", 5), strings.TrimSpace(strings.Repeat("quite another text ", 5))},
		{"same", "same", "same"},
		{"", "new", "+ new"},
	} {
		if got := Change(c[0], c[1]); got != c[2] {
			t.Errorf("Change(%q, %q) = %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestEveryMemoryWriteHasALineThatSaysWhatBecameOfIt(t *testing.T) {
	t.Parallel()
	entry := memstore.Entry{Version: "r_1", Value: "Deploys go out on Friday"}
	later := memstore.Entry{Version: "r_2", Value: "Deploys go out on Thursday"}
	for _, c := range []struct {
		e      agent.MemoryEvent
		detail string
		undo   string
		failed bool
	}{
		{agent.MemoryEvent{Action: "remembered", After: entry, Undo: true}, "Deploys go out on Friday", "/undo", false},
		{agent.MemoryEvent{Action: "remembered", Before: entry, After: later, Undo: true}, "Friday=>Thursday", "/undo", false},
		{agent.MemoryEvent{Action: "forgot", Before: entry, Undo: true}, "Deploys go out on Friday", "/undo", false},
		{agent.MemoryEvent{Action: "undid", Before: later, After: entry}, "Thursday=>Friday", "", false},
		{agent.MemoryEvent{Action: "undid", Before: later}, "forgotten again", "", false},
		{agent.MemoryEvent{Action: "unchanged", Before: entry, After: entry}, "the same", "", false},
		{agent.MemoryEvent{Action: "refused", Problem: "it looks like a credential"}, "it looks like a credential", "", true},
		{agent.MemoryEvent{Action: "conflict", Problem: "r_2 by user is current"}, "r_2 by user", "", true},
		{agent.MemoryEvent{Action: "denied", Problem: "you said no"}, "you said no", "", true},
	} {
		m := OfMemory(c.e)
		if m.Verb != c.e.Action || !strings.Contains(m.Detail, c.detail) || m.Undo != c.undo || m.Failed != c.failed {
			t.Errorf("%s: %+v", c.e.Action, m)
		}
	}
}

func TestAFailureSaysWhatHappenedAndWhatToDo(t *testing.T) {
	t.Parallel()
	what, advice := Failure(&model.Error{Problem: model.Auth, Model: "openai/x", Where: "https://h", Status: 401, Advice: "Check OPENAI_API_KEY"})
	if !strings.Contains(what, "401") || strings.Contains(what, "Check") || !strings.HasPrefix(advice, "Check OPENAI_API_KEY. ") || !strings.Contains(advice, "/retry") {
		t.Errorf("%q, %q", what, advice)
	}
	what, advice = Failure(errors.New("disk full"))
	if what != "disk full" || !strings.Contains(advice, "/retry") {
		t.Errorf("%q, %q", what, advice)
	}
}
