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
		{"We deploy on Friday.", "We deploy on Thursday.", "We deploy on |Friday=>Thursday|."},
		{"my favourite editor is vim", "my favourite editor is emacs", "my favourite editor is |vim=>emacs|"},
		{"CI runs on amd64, since March", "CI runs on arm64, since March", "CI runs on |amd64=>arm64|, since March"},
		{"a b c", "a c", "a |- b| c"},
		{"a c", "a b c", "a |+ b| c"},
		{"one", strings.Repeat("quite another text ", 5), "|" + strings.TrimSpace(strings.Repeat("quite another text ", 5)) + "|"},
		{"same", "same", "|same|"},
		{"", "new", "|+ new|"},
	} {
		lead, change, tail := Change(c[0], c[1])
		got := lead + "|" + change + "|" + tail
		if got != c[2] {
			t.Errorf("Change(%q, %q) is %q, want %q", c[0], c[1], got, c[2])
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
	what, advice := Failure(&model.Error{Problem: model.Auth, Model: "openai/x", Where: "https://h", Status: 401, Advice: "Check OPENAI_API_KEY"}, true)
	if !strings.Contains(what, "401") || strings.Contains(what, "Check") || !strings.HasPrefix(advice, "Check OPENAI_API_KEY. ") || !strings.Contains(advice, "/retry") {
		t.Errorf("%q, %q", what, advice)
	}
	what, advice = Failure(errors.New("disk full"), true)
	if what != "disk full" || !strings.Contains(advice, "/retry") {
		t.Errorf("%q, %q", what, advice)
	}
}

func TestRetryIsAdvisedOnceAndOnlyAfterAMessage(t *testing.T) {
	t.Parallel()
	if _, advice := Failure(errors.New("nothing to undo"), false); advice != "" {
		t.Errorf("what was no message gets the advice %q", advice)
	}
	_, advice := Failure(&model.Error{Problem: model.Unreachable, Model: "openai/x", Where: "http://h", Advice: "Is the server running? /retry asks again"}, true)
	if strings.Count(advice, "/retry") != 1 {
		t.Errorf("the advice is %q", advice)
	}
}

func TestTheLineOfAWriteShowsTheValueAndNotTheDescription(t *testing.T) {
	t.Parallel()
	e := memstore.Entry{Version: "r_1", Value: "make all,\nthen make check", Description: "how to build"}
	if m := OfMemory(agent.MemoryEvent{Action: "remembered", After: e}); m.Detail != "make all, then make check" {
		t.Errorf("the detail is %q", m.Detail)
	}
}
