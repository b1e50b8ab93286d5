package tui

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/memstore"
	"reverie/tui/scripted"
)

// shelf is a store with fixed revisions, so that tokens and times are the same
// every time. It keeps only what screens ask for.
type shelf struct {
	memstore.Store // nothing else is called
	scope          memstore.Scope

	mu      sync.Mutex
	history map[string][]memstore.Revision // newest first
	watch   chan struct{}
}

func newShelf(scope memstore.Scope, revisions ...memstore.Revision) *shelf {
	s := &shelf{scope: scope, history: map[string][]memstore.Revision{}, watch: make(chan struct{}, 1)}
	for _, r := range revisions {
		s.put(r)
	}
	return s
}

func (s *shelf) put(r memstore.Revision) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Scope = s.scope
	r.Recorded = r.Updated
	s.history[r.Key] = append([]memstore.Revision{r}, s.history[r.Key]...)
	select {
	case s.watch <- struct{}{}:
	default:
	}
}

func (s *shelf) Scope() memstore.Scope { return s.scope }

func (s *shelf) List(_ context.Context, o memstore.ListOptions) ([]memstore.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var out []memstore.Entry
	for _, h := range s.history {
		if !h[0].Forgotten || o.Forgotten {
			out = append(out, h[0].Entry)
		}
	}
	slices.SortFunc(out, func(a, b memstore.Entry) int { return strings.Compare(a.Key, b.Key) })
	return out, nil
}

func (s *shelf) Count(ctx context.Context) (int, error) {
	all, err := s.List(ctx, memstore.ListOptions{})
	return len(all), err
}

func (s *shelf) Recall(_ context.Context, key string) (memstore.Entry, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.history[key]; len(h) > 0 && !h[0].Forgotten {
		return h[0].Entry, nil
	}
	return memstore.Entry{}, &memstore.NotFoundError{Scope: s.scope, Key: key}
}

func (s *shelf) History(_ context.Context, key string) ([]memstore.Revision, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.history[key]), nil
}

func (s *shelf) Search(ctx context.Context, query string, limit int) ([]memstore.Hit, error) {
	all, err := s.List(ctx, memstore.ListOptions{})
	var out []memstore.Hit
	for _, e := range all {
		if strings.Contains(e.Key+" "+e.Value, query) && len(out) < limit {
			out = append(out, memstore.Hit{Entry: e})
		}
	}
	return out, err
}

func (s *shelf) Watch(context.Context) (<-chan struct{}, error) { return s.watch, nil }

func revision(key, value, version string, kind memstore.Kind, days int, p memstore.Provenance) memstore.Revision {
	return memstore.Revision{
		Entry: memstore.Entry{
			Key: key, Value: value, Kind: kind, Version: memstore.Version(version),
			Updated: clock().Add(-time.Duration(days) * 24 * time.Hour).Add(-19 * time.Minute), Provenance: p,
		},
		Op: memstore.OpRemember,
	}
}

// gateway is the memory of the project in the screens.
func gateway() *shelf {
	user := memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Edited}
	said := memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Explicit, Thread: "release-plan", Turn: 7, Tool: "Remember"}
	learned := memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Learned, Thread: "start", Turn: 2, Tool: "Remember"}
	file := memstore.Provenance{Writer: memstore.ByFile, Origin: memstore.Imported, Source: "deploy-day.md"}
	gone := revision("deploy/old-api", "Old API lives at /v1; keep until March.", "r_51d1", memstore.Note, 2, user)
	gone.Forgotten, gone.Op = true, memstore.OpForget
	const day = "We only tag releases on %, after the 14:00 standup, so support is around on @."
	on := func(a, b string) string { return strings.NewReplacer("%", a, "@", b).Replace(day) }
	return newShelf(memstore.Project,
		revision("deploy/day", "We tag releases on Fridays.", "r_1aa0", memstore.Convention, 60, learned),
		revision("deploy/day", on("Friday", "Monday"), "r_2bb1", memstore.Convention, 5, file),
		revision("deploy/day", on("Friday", "Monday"), "r_3cc2", memstore.Convention, 3, user),
		revision("deploy/day", on("Thursday", "Friday"), "r_9f3c", memstore.Convention, 0, said),
		revision("deploy/freeze", "No deploys before holidays", "r_7a01", memstore.Convention, 30, user),
		revision("deploy/old-api", "Old API lives at /v1; keep until March.", "r_51d0", memstore.Note, 31, user),
		gone,
		revision("ci/runner", "CI runs on arm64; this replaces amd64.", "r_9a04", memstore.Decision, 0, said),
		revision("build/command", "make all", "r_4b44", memstore.Command, 12, file),
		revision("team/standup", "The standup is at 14:00.", "r_8c10", memstore.Note, 9, said),
	)
}

func operator() *shelf {
	p := memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}
	return newShelf(memstore.User,
		revision("user/answers", "I prefer short answers.", "r_u100", "", 20, p),
		revision("user/editor", "My editor is Helix.", "r_u200", "", 19, p),
	)
}

func remembered() *agent.MemoryEvent {
	return &agent.MemoryEvent{
		Action: "remembered", Scope: memstore.Project, Key: "deploy/day", Undo: true,
		Before: memstore.Entry{Version: "r_3cc2", Value: "Deploys go out on Friday"},
		After:  memstore.Entry{Version: "r_9f3c", Value: "Deploys go out on Thursday"},
	}
}

func old() agent.Approval {
	return agent.Approval{
		Tool: "ForgetMemory", Scope: memstore.Project, Key: "deploy/old-api", Effect: "Leaves a tombstone.",
		Entry: memstore.Entry{
			Scope: memstore.Project, Key: "deploy/old-api", Value: "Old API lives at /v1; keep until March.", Version: "r_51d0",
			Updated: clock().Add(-31 * 24 * time.Hour), Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit},
		},
	}
}

const announcement = `# Deploys move to Thursday

From next week we tag releases on *Thursday*, after the
14:00 standup. Nothing else changes:

- hotfixes still go out any day
- the freeze before holidays stays

Run ` + "`make deploy`" + ` or, by hand:

` + "```go\nfunc main() {\n\tdeploy(\"thursday\") // not Friday\n}\n```\n"

func say(emit func(agent.Event), text string) {
	emit(agent.TextDelta{Text: text})
	emit(agent.AnswerDone{Message: model.Message{Role: model.Assistant, Text: text}})
}

// talk is the conversation in the screens: what is said decides what happens.
func talk() *scripted.Conversation {
	return &scripted.Conversation{
		Name: "openai/gpt-x",
		Refs: []agent.Ref{{Scope: memstore.Project, Key: "deploy/day"}, {Scope: memstore.Project, Key: "team/standup"}},
		OnSend: func(ctx context.Context, text string, emit func(agent.Event), ask func(agent.Approval) agent.Decision) error {
			switch {
			case strings.Contains(text, "moved"):
				emit(agent.ToolFinished{Call: model.ToolCall{Name: "Remember"}, Memory: remembered()})
				say(emit, "Noted. Thursday leaves a working day for rollbacks.")
			case strings.Contains(text, "draft"):
				say(emit, announcement)
			case strings.Contains(text, "forget"):
				d := ask(old())
				if d != agent.Approve {
					emit(agent.ToolFinished{Memory: &agent.MemoryEvent{Action: "denied", Scope: memstore.Project, Key: "deploy/old-api", Problem: "you said no"}})
					return ctx.Err()
				}
				emit(agent.ToolFinished{Memory: &agent.MemoryEvent{Action: "forgot", Scope: memstore.Project, Key: "deploy/old-api", Before: old().Entry, Undo: true}})
			case strings.Contains(text, "fail"):
				return &model.Error{Problem: model.Auth, Model: "openai/gpt-x", Where: "https://api.example.com", Status: 401, Advice: "Check OPENAI_API_KEY"}
			case strings.Contains(text, "wait"):
				emit(agent.TextDelta{Text: "One moment"})
				<-ctx.Done()
				return ctx.Err()
			case strings.Contains(text, "panic"):
				panic(errors.New("a fault in a turn"))
			}
			return nil
		},
	}
}

func config() Config {
	return Config{Conversation: talk(), Project: gateway(), User: operator(), ProjectName: "api-gateway", DataDir: "~/.local/share/reverie"}
}
