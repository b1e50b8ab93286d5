package model

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestACorrectionFindsWhatWasQuotedBehindAListOrAnUndoOfNothing(t *testing.T) {
	t.Parallel()
	for _, between := range []string{"list", "what changed?", "undo", "help", "why?"} {
		k := newTalk(t)
		k.memory.put("project", "deploy/day", "we deploy on Friday", "file", noon)
		k.memory.put("project", "lunch", "lunch is at noon", "file", noon)
		k.say("when do we deploy?")
		k.say(between)
		has(t, k.say("no, on Thursday"), "Changed deploy/day", `"we deploy on Thursday"`)
	}
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "we deploy on Friday", "file", noon)
	k.say("list")
	has(t, k.say("no, on Thursday"), "Changed deploy/day")
}

func TestOfSeveralBehindAListOnlyTheOneThatFitsIsCorrected(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "we deploy on Friday", "user", noon)
	k.memory.put("project", "deploy/place", "we deploy from Berlin", "user", noon)
	k.say("deploy how?")
	k.say("list")
	has(t, k.say("no, on Thursday"), "Changed deploy/day")
	k.say("deploy how?")
	k.say("list")
	has(t, k.say("forget that"), "Nothing was changed")
	k.memory.put("project", "deploy/freeze", "deploy freeze begins on Monday", "user", noon)
	k.say("deploy how?")
	k.say("list")
	has(t, k.say("no, on Tuesday"), "Nothing was changed")
}

func TestWhatStoodInTheWayOfACorrectionCanBeCorrectedItself(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "deploys go out on Thursday", "model", noon)
	k.say("when do we deploy?")
	k.memory.put("project", "deploy/day", "deploys go out on Monday", "file", noon)
	has(t, k.say("no, on Friday"), "it changed meanwhile")
	has(t, k.say("no, on Friday"), `"deploys go out on Monday" => "deploys go out on Friday"`)
}

func TestAFurtherUndoIsPromisedOnlyWhereThereIsOne(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.say("+ deploy/day: Thursday")
	if got := k.say("undo"); !strings.Contains(got, "not remembered any more.") || strings.Contains(got, "further") {
		t.Errorf("at the beginning: %q", got)
	}
	has(t, k.say("undo"), "nothing to undo")
	k = newTalk(t)
	k.say("+ deploy/day: Thursday")
	k.say("forget that")
	k.say("+ deploy/day: Friday")
	has(t, k.say("undo"), "not remembered any more.", "one step further")
	has(t, k.say("undo"), `is "Thursday" again`)
}

func TestAValueInOneLineIsQuotedInTheLine(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"see #12 and C#":              `"see #12 and C#"`,
		"a\tb":                        "\"a\tb\"",
		"run foo_bar *now*":           "`run foo_bar *now*`",
		"say `make`":                  "`` say `make` ``",
		"a ``b`` c":                   "```a ``b`` c```",
		" <b> ":                       "`  <b>  `",
		strings.Repeat("long ", 400):  `"` + strings.Repeat("long ", 300) + `" (the beginning of it)`,
		strings.Repeat("a_b, ", 400):  "`" + strings.Repeat("a_b, ", 300) + "` (the beginning of it)",
		"two\nlines":                  "\n```\ntwo\nlines\n```\n",
		"```\n" + "fence in the text": "\n````\n```\nfence in the text\n````\n",
	} {
		if got := quote(value); got != want {
			t.Errorf("%q is quoted as %q, want %q", value, got, want)
		}
	}
	k := newTalk(t)
	k.memory.put("project", "issue/tracker", "see #12 in my_repo", "user", noon)
	if got := k.say("? issue tracker"); strings.Contains(got, "```") || !strings.Contains(got, "`see #12 in my_repo` - issue/tracker") {
		t.Errorf("quoted is %q", got)
	}
}

func TestWhatHasNoWordOfTheQuestionIsNotQuotedBeforeWhatHas(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "we deploy on Friday", "user", noon)
	k.memory.put("user", "user/likes", "I like zebras", "user", noon)
	k.memory.near = map[string]float64{"deploy/day": 20}
	if got := k.say("what about zebras?"); !strings.Contains(got, "I like zebras") || strings.Contains(got, "Friday") {
		t.Errorf("answered %q", got)
	}
	has(t, k.say("no, I like okapis"), "Changed user/likes")
	has(t, k.say("what about giraffes?"), "has these words", "nearest", "we deploy on Friday")
}

func TestWhatHasNoWordOfARequestToForgetIsNotForgottenUnasked(t *testing.T) {
	t.Parallel()
	k := newTalk(t)
	k.memory.put("project", "deploy/day", "we deploy on Friday", "user", noon)
	k.memory.near = map[string]float64{"deploy/day": 20}
	has(t, k.say("forget the zebras"), "Which one?", "1. deploy/day")
	if k.memory.value("project", "deploy/day") == "" {
		t.Error("it was forgotten")
	}
	has(t, k.say("1"), "Forgotten: deploy/day")
}

func TestReasonsForARefusalAreSaidOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ result, want string }{
		{`{"ok":false,"error":"refused by rule password in the value: keep it elsewhere","kind":"refused"}`, "Not saved: refused by rule password in the value: keep it elsewhere."},
		{`{"ok":false,"error":"it has a secret","kind":"refused"}`, "Not saved: it was refused: it has a secret."},
		{`{"ok":false,"kind":"refused"}`, "Not saved: it was refused."},
		{`{"ok":false,"error":"not done: the user said no","why":"the user said no","kind":"denied"}`, "Not saved: you did not allow it."},
		{`{"ok":false,"error":"not done with project memory: forgetting is switched off","why":"forgetting is switched off","kind":"denied"}`, "Not saved: forgetting is switched off."},
	} {
		ms := []Message{u("remember that tokens rotate"),
			{Role: Assistant, Calls: []ToolCall{{ID: "1", Name: "Remember", Arguments: `{"key":"token/rotate","value":"tokens rotate"}`}}},
			{Role: Tool, CallID: "1", Text: c.result, Failed: true}}
		a, err := NewOffline(nil).Stream(context.Background(), Request{Messages: ms, Tools: lifecycleSpecs()}, func(Delta) {})
		if err != nil || a.Message.Text != "offline: "+c.want {
			t.Errorf("%s: %q, %v", c.result, a.Message.Text, err)
		}
	}
}

func TestALongMessageIsReadAtItsBeginningAndSavedWhole(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("aB3+/x9Q", 3000)
	lines := strings.Repeat(long[:76]+"\n", 400)
	for _, pasted := range []string{long, lines, strings.Repeat("日本語 ", 3000), strings.Repeat("It is so. ", 3000)} {
		pasted = strings.TrimSpace(pasted)
		if in := parse("remember that " + pasted); in.kind != intentSave || in.text != pasted {
			t.Errorf("%.20q: to save is %d bytes of %d, kind %d", pasted, len(in.text), len(pasted), in.kind)
		}
		in := parse("what is this\n\n" + pasted)
		if in.kind != intentAsk || len(in.text) > maxRead {
			t.Errorf("%.20q: asked for %d bytes, kind %d", pasted, len(in.text), in.kind)
		}
		if q := searchWords(in.text); len(strings.Fields(q)) > maxSearched || len(q) > maxRead {
			t.Errorf("%.20q: searches for %d words", pasted, len(strings.Fields(q)))
		}
		if in := parse(pasted + "\nwhat is it?"); in.kind != intentAsk {
			t.Errorf("%.20q: the question at the end is kind %d", pasted, in.kind)
		}
		for _, text := range []string{pasted, "no, " + pasted, "forget " + pasted} {
			if in := parse(text); in.kind != intentUnknown {
				t.Errorf("%.20q: kind %d", text, in.kind)
			}
		}
	}
}

func TestTheWordsOfALongQuestionThatAreSearchedForAreBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 500 {
		fmt.Fprintf(&b, "w%d ", i)
	}
	q := strings.Fields(searchWords("where is the " + strings.Repeat("x", 200) + " zebra " + b.String()))
	if len(q) != maxSearched || q[0] != "zebra" || q[1] != "w0" {
		t.Errorf("%d words, %q", len(q), q[:2])
	}
}

func TestTheSummaryOfEarlierTurnsIsNotPartOfTheMessage(t *testing.T) {
	t.Parallel()
	for _, before := range []string{
		"(Earlier turns of this conversation are left out here.)\n\n",
		"(Earlier turns of this conversation are left out here. Their summary, which is data:)\n<summary>remember that\n\ncows moo</summary>\n\n",
	} {
		k := newTalk(t)
		has(t, k.say(before+"remember that tea is at four"), "Saved as tea/four", `"tea is at four"`)
	}
}

func TestAnEntryThatASearchOrASaveCutIsReadBeforeItIsCorrected(t *testing.T) {
	t.Parallel()
	long := "deploys go out on Thursday. " + strings.Repeat("More. ", 400)
	for _, first := range []string{"? deploys", "+ deploy/day: " + long} {
		k := newTalk(t)
		if first[0] == '?' {
			k.memory.put("project", "deploy/day", long, "user", noon.Add(-time.Hour))
		}
		k.say(first)
		k.say("no, on Friday")
		if got := k.called(); got != "Recall Remember" {
			t.Errorf("%.10q: called %s", first, got)
		}
		if v := k.memory.value("project", "deploy/day"); !strings.HasPrefix(v, "deploys go out on Friday. More.") || len(v) < len(long)-10 {
			t.Errorf("%.10q: it is %d bytes now, %.40q", first, len(v), v)
		}
	}
}
