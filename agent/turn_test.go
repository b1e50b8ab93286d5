package agent

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"reverie/agent/model"
	"reverie/memstore"
)

func kinds(events []Event) string {
	var out []string
	for _, e := range events {
		name := reflect.TypeOf(e).Name()
		if len(out) == 0 || out[len(out)-1] != name {
			out = append(out, name)
		}
	}
	return strings.Join(out, " ")
}

func TestATurnWithTwoToolCallsRunsBothInOrder(t *testing.T) {
	t.Parallel()
	m := script(
		calls(call("Remember", `{"key":"deploy/day","value":"We deploy on Fridays only."}`),
			call("RememberUser", `{"key":"editor","value":"Prefers vim."}`)),
		say("Saved both."),
	)
	c := whole(t, m)
	r := send(t, c, "remember that we deploy on Fridays only, and that I prefer vim")
	want := "TurnStarted AnswerDone ToolStarted ToolFinished ToolStarted ToolFinished TextDelta AnswerDone TurnFinished"
	if got := kinds(r.all()); got != want {
		t.Errorf("events are\n%s, want\n%s", got, want)
	}
	e, err := c.cfg.Project.Recall(t.Context(), "deploy/day")
	if err != nil {
		t.Fatal(err)
	}
	p := e.Provenance
	if p.Writer != memstore.ByModel || p.Origin != memstore.Explicit || p.Tool != "Remember" || p.Model != "test/scripted" || p.Turn != 1 || p.Thread != c.ID() {
		t.Errorf("provenance is %+v", p)
	}
	if _, err := c.cfg.User.Recall(t.Context(), "user/editor"); err != nil {
		t.Errorf("the user fact has no user/ before it: %v", err)
	}
	second := m.last(t)
	if n := len(second.Messages); n != 4 || second.Messages[2].Role != model.Tool || second.Messages[3].Name != "RememberUser" {
		t.Errorf("the second request has %d messages: %+v", n, second.Messages)
	}
	got := results(t, r)[0]
	if got["ok"] != true || got["action"] != "remembered" || got["scope"] != "project" || got["key"] != "deploy/day" || got["version"] != string(e.Version) {
		t.Errorf("result is %v", got)
	}
}

func TestAFailedRequestKeepsTheMessageAndRetryAnswersIt(t *testing.T) {
	t.Parallel()
	down := &model.Error{Problem: model.Unreachable, Model: "test/scripted", Where: "http://localhost:1", Advice: "start the server, then /retry"}
	m := script(failing(down), say("Thursday."))
	c := whole(t, m)
	r := &record{}
	err := c.Send(t.Context(), "when do we deploy?", r.emit)
	if !model.IsProblem(err, model.Unreachable) || !strings.Contains(err.Error(), "start the server") {
		t.Fatalf("the error is %v", err)
	}
	end := eventsOf[TurnFinished](r)
	if len(end) != 1 || !errors.Is(end[0].Err, down) || end[0].Stopped {
		t.Fatalf("the turn ended with %+v", end)
	}
	h := c.History()
	if len(h) != 2 || h[0].Text != "when do we deploy?" || !h[1].Partial {
		t.Fatalf("the history is %+v", h)
	}
	if !c.Unfinished() {
		t.Error("the turn does not count as unfinished")
	}
	again := &record{}
	if err := c.Retry(t.Context(), again.emit); err != nil {
		t.Fatal(err)
	}
	if s := eventsOf[TurnStarted](again); len(s) != 1 || s[0].Turn != 1 || s[0].Text != "when do we deploy?" {
		t.Errorf("the second try started as %+v", s)
	}
	h = c.History()
	if len(h) != 2 || h[1].Text != "Thursday." || h[1].Partial {
		t.Errorf("after the second try the history is %+v", h)
	}
	if err := c.Retry(t.Context(), again.emit); !errors.Is(err, ErrNothingToRetry) {
		t.Errorf("a third try answers %v", err)
	}
}

func TestRetryDoesNotRepeatFinishedToolCalls(t *testing.T) {
	t.Parallel()
	m := script(calls(call("Remember", `{"key":"a","value":"one"}`)), failing(errors.New("broken")), say("Saved."))
	c := whole(t, m)
	if err := c.Send(t.Context(), "remember one", (&record{}).emit); err == nil {
		t.Fatal("the turn did not fail")
	}
	r := &record{}
	if err := c.Retry(t.Context(), r.emit); err != nil {
		t.Fatal(err)
	}
	if n := len(eventsOf[ToolStarted](r)); n > 0 {
		t.Errorf("%d tools ran again", n)
	}
	if got := m.last(t).Messages; len(got) != 3 || got[2].Role != model.Tool {
		t.Errorf("the second try sent %+v", got)
	}
}

func TestStoppingWhileTheAnswerComesKeepsWhatCameAndMarksIt(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	m := script(func(ctx context.Context, _ model.Request, emit func(model.Delta)) (model.Answer, error) {
		emit(model.Delta{Text: "Half an "})
		stop()
		<-ctx.Done()
		return model.Answer{Message: model.Message{Text: "Half an ", Calls: []model.ToolCall{{ID: "x", Name: "Remember", Arguments: `{"ke`}}}}, ctx.Err()
	})
	c := whole(t, m)
	r := &record{}
	if err := c.Send(ctx, "tell me", r.emit); err != nil {
		t.Fatalf("stopping is no error, got %v", err)
	}
	if end := eventsOf[TurnFinished](r); len(end) != 1 || !end[0].Stopped {
		t.Errorf("the turn ended with %+v", end)
	}
	h := c.History()
	if len(h) != 2 || h[1].Text != "Half an " || !h[1].Partial || len(h[1].Calls) > 0 {
		t.Errorf("the history is %+v", h)
	}
	send(t, c, "go on")
	got := m.last(t).Messages
	if len(got) != 3 || !strings.Contains(got[1].Text, "broken off") {
		t.Errorf("the next request has %+v", got)
	}
}

func TestStoppingBetweenToolCallsGivesEveryCallAResult(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	m := script(calls(call("Remember", `{"key":"a","value":"one"}`), call("Remember", `{"key":"b","value":"two"}`), call("Recall", `{}`)))
	c := whole(t, m)
	r := &record{}
	r.on = func(e Event) {
		if _, ok := e.(ToolFinished); ok {
			stop()
		}
	}
	if err := c.Send(ctx, "save both", r.emit); err != nil {
		t.Fatal(err)
	}
	if n := len(eventsOf[ToolFinished](r)); n != 3 {
		t.Errorf("%d calls have a result, want 3", n)
	}
	if _, err := c.cfg.Project.Recall(t.Context(), "a"); err != nil {
		t.Errorf("the finished call is lost: %v", err)
	}
	if _, err := c.cfg.Project.Recall(t.Context(), "b"); err == nil {
		t.Error("a call ran after the turn was stopped")
	}
	if err := checkHistory(c.History()); err != nil {
		t.Error(err)
	}
	if open := openCalls(c.History()[:len(c.History())-1]); len(open) > 0 {
		t.Errorf("calls without results: %+v", open)
	}
}

func TestAModelThatNeverEndsIsStopped(t *testing.T) {
	t.Parallel()
	m := script()
	for range maxRounds + 5 {
		m.steps = append(m.steps, calls(call("Recall", `{}`)))
	}
	c := whole(t, m)
	err := c.Send(t.Context(), "loop", (&record{}).emit)
	if !errors.Is(err, ErrRounds) || !strings.Contains(err.Error(), "25 rounds") {
		t.Errorf("the error is %v", err)
	}
	if n := len(m.sent()); n != maxRounds {
		t.Errorf("the model was asked %d times", n)
	}
}

func TestWhatAModelWritesWronglyIsAHelpfulFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, arguments, want string }{
		{"Remember", `{"key": "a", "value"`, "no JSON object"},
		{"Remember", `[1]`, "no JSON object"},
		{"Remember", `{"key": 3, "value": "x"}`, "must be a text"},
		{"Remember", `{"key": "a"}`, `needs the argument \"value\"`},
		{"Remember", `{"key": "a", "value": "x", "expectedVersion": "r_1"}`, `no argument \"expectedVersion\"`},
		{"Remember", `{"key": "a", "value": "x", "kind": "poem"}`, "must be one of"},
		{"SearchMemory", `{"query": "a", "limit": "many"}`, "whole number"},
		{"Delete", `{}`, "there is no tool"},
		{"Remember", ``, "needs the argument"},
		{"Remember", `null`, "needs the argument"},
	} {
		m := script(calls(call(c.name, c.arguments)))
		r := send(t, whole(t, m), "go")
		got := eventsOf[ToolFinished](r)
		if len(got) != 1 || !strings.Contains(got[0].Result, c.want) || got[0].Error == "" {
			t.Errorf("%s %s answers %+v, want %q", c.name, c.arguments, got, c.want)
			continue
		}
		if res := results(t, r)[0]; res["ok"] != false || res["kind"] != "invalid" || res["next"] == "" {
			t.Errorf("%s %s answers %v", c.name, c.arguments, res)
		}
	}
}

func TestOnlyOneTurnRunsAtATime(t *testing.T) {
	t.Parallel()
	began, finish := make(chan struct{}), make(chan struct{})
	m := script(func(context.Context, model.Request, func(model.Delta)) (model.Answer, error) {
		close(began)
		<-finish
		return model.Answer{Message: model.Message{Text: "ok"}}, nil
	})
	c := whole(t, m)
	done := make(chan error)
	go func() { done <- c.Send(context.Background(), "first", func(Event) {}) }()
	<-began
	if err := c.Send(t.Context(), "second", func(Event) {}); !errors.Is(err, ErrBusy) {
		t.Errorf("a second turn answers %v", err)
	}
	if n := len(c.History()); n != 1 {
		t.Errorf("the history has %d messages while the first turn runs", n)
	}
	close(finish)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAnEmptyAnswerIsAnErrorThatSaysSo(t *testing.T) {
	t.Parallel()
	m := script(say(""))
	c := whole(t, m)
	if err := c.Send(t.Context(), "hello", func(Event) {}); err == nil || !strings.Contains(err.Error(), "empty answer") {
		t.Errorf("the error is %v", err)
	}
}

func TestWaitingAndReasoningArePassedOn(t *testing.T) {
	t.Parallel()
	m := script(func(_ context.Context, _ model.Request, emit func(model.Delta)) (model.Answer, error) {
		emit(model.Delta{Wait: time.Second, Reason: "busy"})
		emit(model.Delta{Reasoning: "hm"})
		emit(model.Delta{Text: "yes"})
		return model.Answer{Message: model.Message{Text: "yes", Reasoning: "hm"}, Stop: "end"}, nil
	})
	r := send(t, whole(t, m), "hello")
	if got := kinds(r.all()); got != "TurnStarted Waiting ReasoningDelta TextDelta AnswerDone TurnFinished" {
		t.Errorf("events are %s", got)
	}
}

func TestTheModelCanBeChangedInTheMiddleOfAThread(t *testing.T) {
	t.Parallel()
	first, second := script(say("one")), script(say("two"))
	second.name = "test/other"
	c := whole(t, first)
	send(t, c, "a")
	c.SetModel(second)
	send(t, c, "b")
	if got := second.last(t).Messages; len(got) != 3 || c.History()[3].Model != "test/other" || c.Model() != "test/other" {
		t.Errorf("the second model was sent %+v", got)
	}
}
