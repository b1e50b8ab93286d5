package plain

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/memstore"
	"reverie/tui/scripted"
)

// talk runs a session over lines and returns what was written.
func talk(t *testing.T, c *scripted.Conversation, change func(*Config), lines ...string) (out, errs string, err error) {
	t.Helper()
	var o, e strings.Builder
	cfg := Config{
		In: strings.NewReader(strings.Join(lines, "\n") + "\n"), Out: &o, Err: &e, Conversation: c, ProjectName: "api-gateway",
		Now: func() time.Time { return time.Date(2026, 3, 5, 10, 31, 0, 0, time.UTC) },
	}
	if change != nil {
		change(&cfg)
	}
	err = Run(t.Context(), cfg)
	return o.String(), e.String(), err
}

func entry(value, version string) memstore.Entry {
	return memstore.Entry{Scope: memstore.Project, Key: "deploy/day", Value: value, Version: memstore.Version(version)}
}

func TestAnswersAndMemoryLinesAreAppendedAsPlainLines(t *testing.T) {
	t.Parallel()
	c := &scripted.Conversation{OnSend: func(_ context.Context, text string, emit func(agent.Event), _ func(agent.Approval) agent.Decision) error {
		emit(agent.ToolFinished{Memory: &agent.MemoryEvent{Action: "remembered", Scope: memstore.Project, Key: "deploy/day", Undo: true,
			Before: entry("on Friday", "r_1"), After: entry("on Thursday", "r_2")}})
		emit(agent.TextDelta{Text: "No"})
		emit(agent.TextDelta{Text: "ted."})
		emit(agent.AnswerDone{Message: model.Message{Text: "Noted."}})
		return nil
	}}
	for _, interactive := range []bool{false, true} {
		out, errs, err := talk(t, c, func(c *Config) { c.Interactive = interactive }, "we deploy on Thursday")
		if err != nil || errs != "" {
			t.Fatalf("error %v, %q", err, errs)
		}
		want := "* remembered  project deploy/day  on Friday=>Thursday  /undo\nNoted.\n"
		if interactive {
			want = "api-gateway, scripted. /help lists the commands.\n> " + want + "> "
		}
		if out != want {
			t.Errorf("interactive %v: %q, want %q", interactive, out, want)
		}
	}
}

func TestNothingFromOutsideReachesTheTerminalAsAControl(t *testing.T) {
	t.Parallel()
	const hostile = "\x1b]52;c;aGk=\x07\x1b[2J\u202eevil\u009b31m\r\x00"
	c := &scripted.Conversation{Name: hostile, OnSend: func(_ context.Context, text string, emit func(agent.Event), ask func(agent.Approval) agent.Decision) error {
		for _, r := range hostile { // cut anywhere
			emit(agent.TextDelta{Text: string(r)})
		}
		emit(agent.AnswerDone{Message: model.Message{Text: hostile}})
		emit(agent.Notice{Text: hostile})
		emit(agent.ToolFinished{Call: model.ToolCall{Name: hostile}, Error: hostile})
		ask(agent.Approval{Tool: hostile, Key: hostile, Effect: hostile, Entry: entry(hostile, hostile)})
		return errors.New(hostile)
	}}
	for _, interactive := range []bool{false, true} {
		out, errs, _ := talk(t, c, func(c *Config) { c.Interactive, c.ProjectName = interactive, hostile }, "go", "/deny 1")
		for _, r := range out + errs {
			if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r == '\u202e' {
				t.Fatalf("interactive %v: %U in %q", interactive, r, out+errs)
			}
		}
	}
}

func TestAQuestionIsAnsweredInWords(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]agent.Decision{
		"/approve 1": agent.Approve, "/deny 1": agent.Deny, "/approve 1 session": agent.ApproveSession,
	} {
		got := agent.Decision("")
		c := &scripted.Conversation{OnSend: func(_ context.Context, _ string, _ func(agent.Event), ask func(agent.Approval) agent.Decision) error {
			if got != "" {
				return nil // what was typed meanwhile comes as a message of its own
			}
			got = ask(agent.Approval{Tool: "ForgetMemory", Scope: memstore.Project, Key: "deploy/day", Effect: "Leaves a tombstone.", Entry: entry("on Friday", "r_1")})
			return nil
		}}
		out, _, err := talk(t, c, nil, "forget the day", "yes", "/approve 9", answer)
		if err != nil || got != want {
			t.Errorf("%s: decided %q, error %v", answer, got, err)
		}
		for _, text := range []string{"? FORGET project deploy/day", `"on Friday"`, "Leaves a tombstone.", "/approve 1 or /deny 1"} {
			if !strings.Contains(out, text) {
				t.Errorf("%q is not in %q", text, out)
			}
		}
	}
}

func TestWhatIsTypedWhileAQuestionWaitsIsKeptAndSentAfterwards(t *testing.T) {
	t.Parallel()
	c := &scripted.Conversation{OnSend: func(_ context.Context, text string, emit func(agent.Event), ask func(agent.Approval) agent.Decision) error {
		if strings.HasPrefix(text, "forget") {
			ask(agent.Approval{Tool: "ForgetMemory", Scope: memstore.Project, Key: "deploy/day", Entry: entry("on Friday", "r_1")})
		}
		emit(agent.AnswerDone{Message: model.Message{Text: "heard " + text}})
		return nil
	}}
	out, _, err := talk(t, c, nil, "forget the day", "and then this", "/help", "/deny 1", "at last")
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(c.Sent(), "|"); got != "forget the day|and then this|at last" {
		t.Errorf("sent %s", got)
	}
	for _, want := range []string{"kept until the question is answered: and then this", "> and then this\nheard and then this", "/memory [WORDS]"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
}

func TestQuittingWhileAQuestionWaitsDeniesItAndEnds(t *testing.T) {
	t.Parallel()
	got := agent.Decision("")
	c := &scripted.Conversation{OnSend: func(_ context.Context, _ string, _ func(agent.Event), ask func(agent.Approval) agent.Decision) error {
		got = ask(agent.Approval{Tool: "ForgetMemory", Entry: entry("x", "r")})
		return nil
	}}
	_, _, err := talk(t, c, nil, "forget it", "never sent", "/quit", "nor this")
	if err != nil || got != agent.Deny || len(c.Sent()) != 1 {
		t.Errorf("decided %q, error %v, sent %q", got, err, c.Sent())
	}
}

func TestHelpListsOnlyWhatCanBeDoneHere(t *testing.T) {
	t.Parallel()
	out, _, err := talk(t, &scripted.Conversation{}, func(c *Config) {
		c.Commands = map[string]func(context.Context, string, io.Writer) error{"threads": nil, "model": func(context.Context, string, io.Writer) error { return nil }}
	}, "/help")
	if err != nil || !strings.Contains(out, "/model") || !strings.Contains(out, "/export") || strings.Contains(out, "/threads") || strings.Contains(out, "/mouse") || strings.Contains(out, "/dream") {
		t.Errorf("error %v, out %s", err, out)
	}
}

func TestApprovingWithoutAQuestionPointsToThePlan(t *testing.T) {
	t.Parallel()
	_, errs, _ := talk(t, &scripted.Conversation{}, func(c *Config) {
		c.Commands = map[string]func(context.Context, string, io.Writer) error{"dream": func(context.Context, string, io.Writer) error { return nil }}
	}, "/approve", "/deny")
	if !strings.Contains(errs, "/dream approve") || !strings.Contains(errs, "/dream dismiss") {
		t.Errorf("said %q", errs)
	}
}

func TestTheConversationIsExportedInPlainModeToo(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/talk.md"
	c := &scripted.Conversation{Past: []model.Message{{Role: model.User, Text: "when do we deploy?"}, {Role: model.Assistant, Text: "On Thursday."}}}
	out, errs, err := talk(t, c, nil, "/export "+path, "/export "+path)
	data, readErr := os.ReadFile(path)
	if err != nil || readErr != nil || !strings.Contains(out, "The conversation is in") || !strings.Contains(errs, "was not exported") {
		t.Fatalf("%v, %v, %q, %q", err, readErr, out, errs)
	}
	if !strings.Contains(string(data), "**You:**\n\nwhen do we deploy?") || !strings.Contains(string(data), "On Thursday.") {
		t.Errorf("written was %s", data)
	}
}

func TestAQuestionThatNobodyCanAnswerIsDenied(t *testing.T) {
	t.Parallel()
	got := agent.Decision("")
	c := &scripted.Conversation{OnSend: func(_ context.Context, _ string, _ func(agent.Event), ask func(agent.Approval) agent.Decision) error {
		got = ask(agent.Approval{Tool: "ForgetMemory", Entry: entry("x", "r")})
		return nil
	}}
	if _, _, err := talk(t, c, nil, "forget it"); err != nil || got != agent.Deny {
		t.Errorf("decided %q, error %v", got, err)
	}
}

func TestAScriptHearsOfAFailedTurn(t *testing.T) {
	t.Parallel()
	broken := errors.New("the server is down")
	c := &scripted.Conversation{OnSend: func(context.Context, string, func(agent.Event), func(agent.Approval) agent.Decision) error {
		return broken
	}}
	_, errs, err := talk(t, c, nil, "hello")
	if !errors.Is(err, broken) || !strings.Contains(errs, "/retry") {
		t.Errorf("error %v, %q", err, errs)
	}
}

func TestMemoryIsShownAsText(t *testing.T) {
	t.Parallel()
	store := memstore.NewPlain(memstore.Project)
	for _, k := range []string{"deploy/day", "deploy/freeze"} {
		_, err := store.Remember(t.Context(), memstore.RememberRequest{Key: k, Value: "about " + k, Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}})
		if err != nil {
			t.Fatal(err)
		}
	}
	out, errs, err := talk(t, &scripted.Conversation{}, func(c *Config) { c.Project = store }, "/memory", "/memory deploy/day", "/memory freeze", "/memroy", "/quit", "not read")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"project memory: 2 entries\n  deploy/day  about deploy/day\n  deploy/freeze  about deploy/freeze\n",
		"project deploy/day\n  about deploy/day\n  by user, explicit, ", "this memory keeps no history", "project memory: 1 match\n  deploy/freeze",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is not in\n%s", want, out)
		}
	}
	if !strings.Contains(errs, "did you mean /memory?") {
		t.Errorf("errors: %q", errs)
	}
}

func TestALineThatEndsInABackslashGoesOn(t *testing.T) {
	t.Parallel()
	c := &scripted.Conversation{}
	if _, _, err := talk(t, c, nil, `first\`, "second"); err != nil {
		t.Fatal(err)
	}
	if sent := c.Sent(); len(sent) != 1 || sent[0] != "first\nsecond" {
		t.Errorf("sent %q", sent)
	}
}

func TestTheEndOfTheContextEndsARunningTurnAndTheSession(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	in, w := io.Pipe()
	defer w.Close()
	c := &scripted.Conversation{OnSend: func(ctx context.Context, _ string, _ func(agent.Event), _ func(agent.Approval) agent.Decision) error {
		cancel()
		<-ctx.Done()
		return ctx.Err()
	}}
	go func() { _, _ = io.WriteString(w, "hello\n") }()
	err := Run(ctx, Config{In: in, Out: io.Discard, Err: io.Discard, Conversation: c})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
