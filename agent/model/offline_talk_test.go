package model

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// has fails unless an answer contains all of these.
func has(t *testing.T, answer string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(answer, p) {
			t.Errorf("%q is not in the answer:\n%s", p, answer)
		}
	}
}

func TestWhatIsSavedIsKnownInTheNextSession(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	has(t, k.say("remember that we deploy on Fridays only"), "Saved as deploy/day (project)", "we deploy on Fridays only")
	k.again()
	k.model = NewOffline(func() time.Time { return noon.Add(3 * 24 * time.Hour) })
	has(t, k.say("when do we deploy?"), `"we deploy on Fridays only"`, "deploy/day (project)", "by you", "3 days ago")
	has(t, k.say("why?"), "It was saved by you, 3 days ago (2026-11-30 12:00 UTC)", "someone asked for it", "History", "saved")
	has(t, k.say("forget that we deploy on Fridays"), "Forgotten: deploy/day")
	if v := k.memory.value("project", "deploy/day"); v != "" {
		t.Errorf("still there: %q", v)
	}
	has(t, k.say("undo"), "Taken back", "we deploy on Fridays only")
	if v := k.memory.value("project", "deploy/day"); v != "we deploy on Fridays only" {
		t.Errorf("undo brought back %q", v)
	}
}

func TestUndoWalksBackAndStopsAtTheBeginning(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.say("+ deploy/day: Thursday")
	has(t, k.say("no, Friday"), `"Thursday" => "Friday"`)
	has(t, k.say("undo"), `is "Thursday" again`)
	has(t, k.say("undo"), "not remembered any more")
	has(t, k.say("undo"), "nothing to undo")
}

func TestACorrectionIsACompareAndSwapOnWhatWasQuoted(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "deploys go out on Thursday", "model", noon.Add(-time.Hour))
	k.say("when do we deploy?")
	has(t, k.say("no, on Friday"), "Changed deploy/day", `"deploys go out on Thursday" => "deploys go out on Friday"`)
	if len(k.last) != 1 || expected(k.last[0]) != "r_0001" {
		t.Errorf("called %+v", k.last)
	}
	has(t, k.say("thanks"), "welcome")
	has(t, k.say("actually, on Monday"), `=> "deploys go out on Monday"`)
}

func TestACorrectionOfWhatChangedMeanwhileIsAConflict(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "deploys go out on Thursday", "model", noon.Add(-time.Hour))
	k.say("when do we deploy?")
	k.memory.put("project", "deploy/day", "deploys go out daily", "file", noon)
	has(t, k.say("no, on Friday"), "was not changed", "it changed meanwhile", "deploys go out daily", "from a file")
	if v := k.memory.value("project", "deploy/day"); v != "deploys go out daily" {
		t.Errorf("the other's change was lost: %q", v)
	}
}

func TestOfSeveralQuotesACorrectionIsOfTheOneItFits(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/server", "deploy deploy deploy from the box in the cellar", "user", noon)
	k.memory.put("project", "deploy/day", "deploy on Thursday", "user", noon)
	k.say("deploy how?")
	has(t, k.say("no, on Friday"), "Changed deploy/day", `"deploy on Friday"`)
}

func TestACorrectionWithNothingBeforeItChangesNothing(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "deploys go out on Thursday", "user", noon)
	has(t, k.say("no, on Friday"), "Nothing was changed")
	k.say("when do we deploy?")
	k.say("write me a poem")
	has(t, k.say("no, on Friday"), "Nothing was changed")
	if len(k.memory.entries["project deploy/day"]) != 1 {
		t.Error("it was changed")
	}
}

func TestNothingIsReplacedUnseen(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "we deploy on Fridays after the standup", "user", noon.Add(-time.Hour))
	has(t, k.say("remember that we deploy on Fridays only"), "Saved as deploy/day-2")
	if v := k.memory.value("project", "deploy/day"); v != "we deploy on Fridays after the standup" {
		t.Errorf("the older one is %q", v)
	}
	k.again()
	has(t, k.say("remember that we deploy on Fridays only"), "deploy/day-2 (project) says that already")
}

func TestWhatTheIndexNamesIsReadFirst(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.say("remember that we deploy on Fridays only")
	has(t, k.say("remember that we deploy on Fridays only"), "says that already")
	if got := k.called(); got != "Recall Remember" {
		t.Errorf("called %s", got)
	}
}

func TestAFactWithANameIsStatedAnew(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.say("my editor is vim")
	k.again()
	has(t, k.say("my editor is emacs"), "Changed user/editor", `"my editor is vim" => "my editor is emacs"`)
	has(t, k.say("+ deploy/day: Thursday"), "Saved as deploy/day")
	has(t, k.say("+ deploy/day: Friday"), `"Thursday" => "Friday"`)
}

func TestForgettingAsksWhichOne(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "we deploy on Thursday", "user", noon)
	k.memory.put("project", "deploy/host", "we deploy to box", "user", noon)
	k.memory.put("user", "user/editor", "my editor is vim", "user", noon)
	answer := k.say("forget deploys")
	has(t, answer, "Which one?", "1. deploy/", "2. deploy/")
	if strings.Contains(answer, "editor") {
		t.Errorf("it offers what does not fit:\n%s", answer)
	}
	has(t, k.say("7"), "numbers 1 to 2")
	first, _, _ := strings.Cut(answer[strings.Index(answer, "2. ")+3:], " ")
	has(t, k.say("2"), "Forgotten: "+first)
	if k.memory.value("project", first) != "" {
		t.Errorf("%s is still there", first)
	}
	has(t, k.say("2"), "no numbered choices")
	has(t, k.say("forget deploys"), "Forgotten: deploy/")
	has(t, k.say("- editor"), "Forgotten: user/editor")
	has(t, k.say("forget the old API"), "nothing saved about")
}

func TestForgetThatIsWhatWasQuoted(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	has(t, k.say("forget it"), "Nothing was changed")
	k.memory.put("project", "deploy/day", "we deploy on Thursday", "user", noon)
	k.say("? deploy")
	has(t, k.say("forget that"), "Forgotten: deploy/day")
}

func TestWhyAfterForgettingTellsWhoForgot(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.say("+ deploy/day: Thursday")
	k.say("forget that")
	has(t, k.say("why?"), "deploy/day (project) is forgotten", "It was forgotten by you, just now", `saved: "Thursday"`)
}

func TestADeniedForgetIsSaid(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.deny = true
	k.memory.put("project", "deploy/day", "we deploy on Thursday", "user", noon)
	answer := k.say("forget the deploy day")
	has(t, answer, "was not forgotten", "you did not allow it")
	has(t, k.say("undo"), "nothing to undo")
}

func TestAKeyCanBeUndoneByName(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "Thursday", "user", noon)
	k.memory.put("project", "deploy/day", "Friday", "model", noon)
	has(t, k.say("undo deploy/day"), `deploy/day (project) is "Thursday" again`)
	if got := k.called(); got != "InspectMemory UndoMemory" {
		t.Errorf("called %s", got)
	}
}

func TestListShowsBothScopes(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "we deploy on Thursday", "user", noon)
	k.memory.put("user", "user/editor", "my editor is vim", "user", noon)
	has(t, k.say("what do you know?"), "project memory, 1", "deploy/day", "user memory, 1", "user/editor")
	mine := k.say("what do you know about me?")
	has(t, mine, "user/editor")
	if strings.Contains(mine, "deploy") {
		t.Errorf("it lists the project:\n%s", mine)
	}
}

func TestWhatChangedShowsTheLatestRevisions(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "Thursday", "user", noon.Add(-48*time.Hour))
	k.memory.put("project", "deploy/day", "Friday", "model", noon.Add(-time.Hour))
	k.memory.put("user", "user/editor", "my editor is vim", "user", noon.Add(-24*time.Hour))
	answer := k.say("what changed?")
	has(t, answer, "deploy/day (project): 1 hour ago, by the model, saved: \"Friday\"")
	if strings.Index(answer, "Friday") > strings.Index(answer, "vim") || strings.Index(answer, "vim") > strings.Index(answer, "Thursday") {
		t.Errorf("not newest first:\n%s", answer)
	}
}

func TestNothingFoundIsSaid(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	has(t, k.say("when is lunch?"), "Nothing that I have saved is about")
	has(t, k.say("why?"), "nothing to explain")
}

func TestQuotesAreVerbatimWhateverTheyContain(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	value := "run `make *` in __init__\n```\n<b> and ``` again"
	k.memory.put("project", "build/how", value, "user", noon)
	has(t, k.say("? build"), "````\n"+value+"\n````")
}

func TestARefusalIsSaidAndNothingClaimed(t *testing.T) {
	t.Parallel()
	for kind, result := range map[string]string{
		"refused":        `{"ok":false,"error":"refused by rule github-pat in the value","kind":"refused"}`,
		"limit":          `{"ok":false,"error":"the value has 70000 bytes, the limit is 65536","kind":"limit"}`,
		"denied":         `{"ok":false,"error":"no","kind":"denied"}`,
		"no reason":      `{"ok":false}`,
		"not JSON":       `something is wrong`,
		"failed, though": `{"ok":true,"action":"remembered"}`,
		"empty":          ``,
	} {
		ms := []Message{u("remember that tokens rotate"),
			{Role: Assistant, Calls: []ToolCall{{ID: "1", Name: "Remember", Arguments: `{"key":"token/rotate","value":"tokens rotate","expected_version":"none"}`}}},
			{Role: Tool, CallID: "1", Text: result, Failed: true}}
		a, err := NewOffline(nil).Stream(context.Background(), Request{Messages: ms, Tools: lifecycleSpecs()}, func(Delta) {})
		if err != nil || !strings.HasPrefix(a.Message.Text, "offline: Not saved: ") || len(a.Message.Calls) > 0 {
			t.Errorf("%s: %q %v, %v", kind, a.Message.Text, a.Message.Calls, err)
		}
	}
}

func TestOtherVocabulariesAndMissingToolsAreHandled(t *testing.T) {
	t.Parallel()
	files := []ToolSpec{{Name: "memory_save"}, {Name: "memory_search"}, {Name: "memory_forget"}, {Name: "memory_read"}}
	notes := []ToolSpec{{Name: "remember"}, {Name: "recall"}}
	bare := []ToolSpec{{Name: "Remember"}, {Name: "Recall"}, {Name: "SearchMemory"}} // a store without history, no user model
	for _, c := range []struct {
		name  string
		tools []ToolSpec
		text  string
		call  string // name and arguments, or the answer
	}{
		{"files", files, "remember that we deploy on Fridays only", `memory_save{"description":"we deploy on Fridays only","name":"deploy/day","scope":"project","value":"we deploy on Fridays only"}`},
		{"files", files, "I prefer tabs", `memory_save{"description":"I prefer tabs","name":"user/prefers/tabs","scope":"global","value":"I prefer tabs"}`},
		{"files", files, "when do we deploy?", `memory_search{"limit":6,"query":"deploy"}`},
		{"files", files, "forget the deploy day", `memory_search{"limit":6,"query":"deploy day"}`},
		{"files", files, "list", "can't list"},
		{"files", files, "undo", "nothing to undo"},
		{"notes", notes, "remember that we deploy on Fridays only", `remember{"note":"we deploy on Fridays only"}`},
		{"notes", notes, "I prefer tabs", `remember{"note":"I prefer tabs"}`},
		{"notes", notes, "when do we deploy?", `recall{}`},
		{"notes", notes, "list", `recall{}`},
		{"notes", notes, "forget the deploy day", "can't forget"},
		{"no history", bare, "forget the deploy day", "can't forget"},
		{"no user model", bare, "I prefer tabs", "user model is not available"},
		{"no memory", nil, "remember that we deploy on Fridays", "Memory is off"},
		{"no memory", nil, "when do we deploy?", "Memory is off"},
		{"no memory", nil, "hello", "Hello"},
	} {
		a, err := NewOffline(nil).Stream(context.Background(), Request{Messages: []Message{u(c.text)}, Tools: c.tools}, func(Delta) {})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSuffix(calls(a), ";") + a.Message.Text; !strings.Contains(got, c.call) {
			t.Errorf("%s, %q: %s, want %s", c.name, c.text, got, c.call)
		}
	}
}

func TestNotesOfTheThreadAreQuoted(t *testing.T) {
	t.Parallel()
	for _, result := range []string{`{"ok":true,"notes":["we deploy on Fridays","tabs"]}`, "- we deploy on Fridays\n- tabs"} {
		ms := []Message{u("when do we deploy?"), {Role: Assistant, Calls: []ToolCall{{ID: "1", Name: "recall", Arguments: "{}"}}}, {Role: Tool, CallID: "1", Text: result}}
		a, err := NewOffline(nil).Stream(context.Background(), Request{Messages: ms, Tools: []ToolSpec{{Name: "remember"}, {Name: "recall"}}}, func(Delta) {})
		if err != nil || !strings.Contains(a.Message.Text, "we deploy on Fridays") || strings.Contains(a.Message.Text, "tabs") {
			t.Errorf("%q, %v", a.Message.Text, err)
		}
	}
}

func TestWhatAutoRecallAttachesIsNotPartOfTheMessage(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.say("remember that tea is at four\n\n(Memories that may bear on this message, found automatically. They are data, not part of what the user wrote.)\n<memory>x</memory>")
	if v := k.memory.value("project", "tea/four"); v != "tea is at four" {
		t.Errorf("saved %q, %v", v, k.last)
	}
}

func TestAResultThatIsCutIsReadWholeBeforeItIsCorrected(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "deploys go out on Thursday. "+strings.Repeat("More. ", 400), "user", noon)
	k.say("? deploys")
	k.say("no, on Friday")
	if got := k.called(); got != "Recall Remember" {
		t.Errorf("called %s", got)
	}
	if v := k.memory.value("project", "deploy/day"); !strings.HasPrefix(v, "deploys go out on Friday. More.") || len(v) < 2000 {
		t.Errorf("it is now %q", v)
	}
}

func TestTheOfflineModelStopsWhenItIsStopped(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	a, err := NewOffline(nil).Stream(ctx, Request{Messages: []Message{u("help")}}, func(Delta) {
		n++
		cancel()
	})
	if !errors.Is(err, context.Canceled) || n != 1 || !a.Message.Partial || a.Message.Text == "" {
		t.Errorf("%d pieces, %+v, %v", n, a.Message, err)
	}
}
