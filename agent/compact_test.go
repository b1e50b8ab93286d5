package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"reverie/agent/model"
	"reverie/memstore"
)

// summarising answers requests for a summary with text, and others with "ok".
func summarising(text string) step {
	return func(ctx context.Context, r model.Request, emit func(model.Delta)) (model.Answer, error) {
		if r.Stable == summaryOrder {
			return say(text)(ctx, r, emit)
		}
		return say("ok")(ctx, r, emit)
	}
}

func longScript(window, answers int, text string) *scripted {
	m := script()
	m.window = window
	for range answers {
		m.steps = append(m.steps, summarising(text))
	}
	return m
}

func TestALongThreadIsSummarisedBeforeItOverflows(t *testing.T) {
	t.Parallel()
	m := longScript(8<<10, 100, "They counted to many.")
	c := whole(t, m, func(cfg *Config) { remember(t, cfg.User, "user/editor", "Prefers vim.") })
	var notices []Notice
	for i := range 30 {
		r := send(t, c, fmt.Sprintf("message %d %s", i, strings.Repeat("word ", 300)))
		notices = append(notices, eventsOf[Notice](r)...)
	}
	if len(notices) == 0 || !strings.Contains(notices[0].Text, "summarised") || !strings.Contains(notices[0].Text, "keeps them in full") {
		t.Fatalf("notices are %v", notices)
	}
	if len(notices) > 10 {
		t.Errorf("it was summarised %d times in 30 turns", len(notices))
	}
	summaries := 0
	for i, r := range m.sent() {
		size := len(r.Stable) + len(r.Volatile)
		for _, msg := range r.Messages {
			size += len(msg.Text)
		}
		if tokensOf(size) > 8<<10 {
			t.Errorf("request %d has about %d tokens", i, tokensOf(size))
		}
		if r.Stable == summaryOrder {
			summaries++
			if !strings.Contains(r.Volatile, "Prefers vim") || r.MaxTokens == 0 || len(r.Tools) > 0 {
				t.Errorf("the request for a summary is %+v", r)
			}
		}
	}
	if summaries != len(notices) {
		t.Errorf("%d summaries, %d notices", summaries, len(notices))
	}
	last := m.last(t)
	if !strings.Contains(last.Messages[0].Text, "<summary>They counted to many.</summary>") || last.Messages[0].Role != model.User {
		t.Errorf("the last request begins with %.200s", last.Messages[0].Text)
	}
	if h := c.History(); len(h) != 60 || strings.Contains(h[0].Text, "summary") {
		t.Errorf("the thread has %d messages", len(h))
	}
	c = reopen(t, c)
	send(t, c, "short")
	if got := m.last(t).Messages[0].Text; !strings.Contains(got, "They counted to many.") {
		t.Errorf("after a restart the request begins with %.200s", got)
	}
	var names []string
	for _, p := range c.Context() {
		names = append(names, p.Name)
	}
	if !strings.Contains(strings.Join(names, " "), "summary messages") {
		t.Errorf("parts are %v", names)
	}
}

func TestTheOfflineModelLeavesOldTurnsOut(t *testing.T) {
	t.Parallel()
	m := script()
	m.name, m.window = "offline", 8<<10
	c := whole(t, m)
	var said string
	for i := range 20 {
		for _, n := range eventsOf[Notice](send(t, c, fmt.Sprintf("message %d %s", i, strings.Repeat("word ", 300)))) {
			said = n.Text
		}
	}
	if !strings.Contains(said, "left out") {
		t.Errorf("it said %q", said)
	}
	if n := len(m.sent()); n != 20 {
		t.Errorf("the model was asked %d times", n)
	}
	if !strings.HasPrefix(m.last(t).Messages[0].Text, "(Earlier turns of this conversation are left out here.)") {
		t.Errorf("the request begins with %.100s", m.last(t).Messages[0].Text)
	}
}

func TestCompactShortensOnRequest(t *testing.T) {
	t.Parallel()
	m := longScript(0, 20, "All about tea.")
	c := whole(t, m)
	r := &record{}
	send(t, c, "one")
	if err := c.Compact(t.Context(), r.emit); err != nil || !strings.Contains(eventsOf[Notice](r)[0].Text, "nothing to shorten") {
		t.Errorf("with one turn it answers %v, %v", err, eventsOf[Notice](r))
	}
	for _, s := range []string{"two", "three", "four"} {
		send(t, c, s)
	}
	if err := c.Compact(t.Context(), r.emit); err != nil {
		t.Fatal(err)
	}
	send(t, c, "five")
	got := m.last(t).Messages
	if len(got) != 5 || !strings.Contains(got[0].Text, "All about tea.") || !strings.HasSuffix(got[0].Text, "three") {
		t.Errorf("sent were %+v", got)
	}
}

func TestAServerThatSaysTooLongLeadsToAShorterRequestOnce(t *testing.T) {
	t.Parallel()
	long := &model.Error{Problem: model.TooLong, Model: "test/scripted"}
	m := longScript(0, 6, "s")
	c := whole(t, m)
	for _, s := range []string{"one", "two", "three"} {
		send(t, c, s)
	}
	m.steps = []step{failing(long), say("a summary"), say("it fits now")}
	r := send(t, c, "four")
	if got := eventsOf[AnswerDone](r); len(got) != 1 || got[0].Message.Text != "it fits now" {
		t.Errorf("the answer is %+v", got)
	}
	m.steps = []step{failing(long), say("a summary"), failing(long)}
	if err := c.Send(t.Context(), "five", func(Event) {}); !errors.Is(err, long) {
		t.Errorf("the second time it answers %v", err)
	}
	m.steps = nil
	send(t, c, "six") // the thread is not dead
}

func TestOneTurnThatIsTooLongHasItsResultsShortened(t *testing.T) {
	t.Parallel()
	m := script(
		calls(call("Recall", `{"key":"big"}`)), calls(call("Recall", `{"key":"big"}`)), calls(call("Recall", `{"key":"big"}`)),
		failing(&model.Error{Problem: model.TooLong}), say("ok"),
	)
	m.window = 1 << 20
	c := whole(t, m, func(cfg *Config) { remember(t, cfg.Project, "big", strings.Repeat("word ", 2000)) })
	send(t, c, "read it")
	got := m.last(t).Messages
	if len(got) != 7 || len(got[2].Text) > 2000 || len(got[6].Text) < 9000 {
		t.Errorf("results have %d and %d bytes", len(got[2].Text), len(got[6].Text))
	}
	if h := c.History(); len(h[2].Text) < 9000 {
		t.Error("the thread lost what was shortened")
	}
}

func TestASummaryThatFailsLeavesTheTurnsOutAndSaysSo(t *testing.T) {
	t.Parallel()
	m := script(say("1"), say("2"), say("3"), failing(errors.New("no summary today")))
	c := whole(t, m)
	for _, s := range []string{"one", "two", "three"} {
		send(t, c, s)
	}
	r := &record{}
	if err := c.Compact(t.Context(), r.emit); err != nil {
		t.Fatal(err)
	}
	if n := eventsOf[Notice](r); len(n) != 1 || !strings.Contains(n[0].Text, "no summary today") {
		t.Errorf("it said %v", n)
	}
}

// A turn's own overhead: what it costs besides the model, which answers at
// once. It must not grow with the thread's length.
func BenchmarkTurn(b *testing.B) {
	for _, length := range []int{10, 2000} {
		b.Run(fmt.Sprintf("after%dturns", length), func(b *testing.B) {
			m := script()
			m.window = 2 << 20 // all of the thread is sent
			c := whole(b, discarding{m})
			remember(b, c.cfg.Project, "deploy/day", "Thursday")
			history := make([]model.Message, 0, 2*length)
			for i := range length {
				history = append(history,
					model.Message{Role: model.User, Text: fmt.Sprintf("question %d about deploys", i)},
					model.Message{Role: model.Assistant, Text: strings.Repeat("an answer of some length ", 10)})
			}
			fill(b, c, history)
			b.ResetTimer()
			for range b.N {
				if err := c.Send(b.Context(), "when do we deploy?", func(Event) {}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// discarding is a scripted model that keeps no requests.
type discarding struct{ *scripted }

func (d discarding) Stream(ctx context.Context, r model.Request, emit func(model.Delta)) (model.Answer, error) {
	return say("On Thursday.")(ctx, r, emit)
}

// fill puts a history into a conversation's thread and reads it from there.
func fill(b testing.TB, c *Conversation, history []model.Message) {
	b.Helper()
	if err := c.log.save(b.Context(), batch{turn: len(history) / 2, title: "filled", messages: history, status: turnDone}); err != nil {
		b.Fatal(err)
	}
	if err := c.holdThread(); err != nil {
		b.Fatal(err)
	}
	if err := c.reload(b.Context()); err != nil {
		b.Fatal(err)
	}
}

func TestAChangeOfTheMemoryIsToldWhileTheThreadIsLong(t *testing.T) {
	t.Parallel()
	m := longScript(8<<10, 60, "s")
	c := whole(t, m)
	for i := range 12 {
		send(t, c, fmt.Sprintf("message %d %s", i, strings.Repeat("word ", 300)))
	}
	remember(t, c.cfg.Project, "new/fact", "told at once")
	send(t, c, "short")
	if !strings.Contains(m.last(t).Volatile, "[project] new/fact (saved by user): told at once") {
		t.Errorf("the suffix is %s", m.last(t).Volatile)
	}
	if e, err := c.cfg.Project.Recall(t.Context(), "new/fact"); err != nil || e.Scope != memstore.Project {
		t.Errorf("it is %+v, %v", e, err)
	}
}
