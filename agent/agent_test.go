package agent

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"reverie/agent/model"
	"reverie/memstore"
)

// scripted is a model that answers from a list and keeps what it was sent.
type scripted struct {
	name   string
	window int

	mu       sync.Mutex
	steps    []step
	requests []model.Request
}

// step is one answer: given the request, what comes.
type step func(ctx context.Context, r model.Request, emit func(model.Delta)) (model.Answer, error)

func script(steps ...step) *scripted { return &scripted{name: "test/scripted", steps: steps} }

func (s *scripted) Name() string { return s.name }
func (s *scripted) Window() int  { return s.window }

func (s *scripted) Stream(ctx context.Context, r model.Request, emit func(model.Delta)) (model.Answer, error) {
	s.mu.Lock()
	r.Messages = slices.Clone(r.Messages)
	s.requests = append(s.requests, r)
	next := say("Done.")
	if len(s.steps) > 0 {
		next, s.steps = s.steps[0], s.steps[1:]
	}
	s.mu.Unlock()
	return next(ctx, r, emit)
}

func (s *scripted) sent() []model.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func (s *scripted) last(t *testing.T) model.Request {
	t.Helper()
	sent := s.sent()
	if len(sent) == 0 {
		t.Fatal("the model was not asked")
	}
	return sent[len(sent)-1]
}

func say(text string) step {
	return func(_ context.Context, _ model.Request, emit func(model.Delta)) (model.Answer, error) {
		for _, w := range strings.SplitAfter(text, " ") {
			emit(model.Delta{Text: w})
		}
		return model.Answer{Message: model.Message{Role: model.Assistant, Text: text}, Usage: model.Usage{Input: 10, Output: 2}, Stop: "end"}, nil
	}
}

func call(name, arguments string) model.ToolCall {
	return model.ToolCall{ID: "call-" + name + "-" + newID("", 3), Name: name, Arguments: arguments}
}

func calls(cs ...model.ToolCall) step {
	return func(context.Context, model.Request, func(model.Delta)) (model.Answer, error) {
		return model.Answer{Message: model.Message{Role: model.Assistant, Calls: cs}, Stop: "tools"}, nil
	}
}

func failing(err error) step {
	return func(context.Context, model.Request, func(model.Delta)) (model.Answer, error) {
		return model.Answer{}, err
	}
}

// clock is a time that moves by a second with each look.
func clock() func() time.Time {
	var mu sync.Mutex
	now := time.Date(2026, 3, 3, 10, 0, 0, 0, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		now = now.Add(time.Second)
		return now
	}
}

func openStore(t testing.TB, scope memstore.Scope) *memstore.DB {
	t.Helper()
	s, err := memstore.Open(t.Context(), memstore.Options{Dir: t.TempDir(), Scope: scope, Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func openThreads(t testing.TB, dir string) *Threads {
	t.Helper()
	th, err := OpenThreads(t.Context(), dir, ThreadsOptions{Now: clock()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { th.Close() })
	return th
}

// whole is a conversation over real stores.
func whole(t testing.TB, m model.Model, change ...func(*Config)) *Conversation {
	t.Helper()
	cfg := Config{
		Model: m, Project: openStore(t, memstore.Project), User: openStore(t, memstore.User),
		Threads: openThreads(t, t.TempDir()), ProjectName: "api-gateway", ProjectRoot: "/src/api-gateway", Now: clock(),
	}
	for _, f := range change {
		f(&cfg)
	}
	return open(t, cfg)
}

func open(t testing.TB, cfg Config) *Conversation {
	t.Helper()
	c, err := New(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// record collects events.
type record struct {
	mu     sync.Mutex
	events []Event
	on     func(Event)
}

func (r *record) emit(e Event) {
	r.mu.Lock()
	r.events = append(r.events, e)
	r.mu.Unlock()
	if r.on != nil {
		r.on(e)
	}
}

func (r *record) all() []Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.events)
}

func eventsOf[E Event](r *record) []E {
	var out []E
	for _, e := range r.all() {
		if e, ok := e.(E); ok {
			out = append(out, e)
		}
	}
	return out
}

func send(t testing.TB, c *Conversation, text string) *record {
	t.Helper()
	r := &record{}
	if err := c.Send(t.Context(), text, r.emit); err != nil {
		t.Fatalf("sending %q: %v", text, err)
	}
	return r
}

// results decodes the results of the tools that ran.
func results(t testing.TB, r *record) []map[string]any {
	t.Helper()
	var out []map[string]any
	for _, f := range eventsOf[ToolFinished](r) {
		var m map[string]any
		if err := json.Unmarshal([]byte(f.Result), &m); err != nil {
			t.Fatalf("the result %q is no JSON: %v", f.Result, err)
		}
		out = append(out, m)
	}
	return out
}

func remember(t testing.TB, s memstore.Store, key, value string) memstore.Entry {
	t.Helper()
	m, err := s.Remember(t.Context(), memstore.RememberRequest{Key: key, Value: value,
		Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}})
	if err != nil {
		t.Fatal(err)
	}
	return m.Entry
}
