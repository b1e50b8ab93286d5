package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"

	"reverie/agent"
	"reverie/memstore"
	"reverie/planner"
	"reverie/theme"
	"reverie/tui"
	"reverie/tui/dream"
	"reverie/tui/plain"
	"reverie/tui/render"
)

// talk is the conversation in use; another thread can take its place.
type talk struct {
	mu  sync.Mutex
	cfg agent.Config
	now *agent.Conversation
}

func (t *talk) current() *agent.Conversation {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.now
}

// open goes on with another thread, or begins a new one. The present one is
// closed when the new one is there, and stays when it is not.
func (t *talk) open(ctx context.Context, id string) (*agent.Conversation, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	cfg := t.cfg
	cfg.Thread = id
	next, err := agent.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	old := t.now
	t.now = next
	return next, old.Close()
}

func (t *talk) close() error { return t.current().Close() }

// screens is what the full-screen interface shows and works with.
func (s *session) screens(ctx context.Context, a *app) (tui.Config, error) {
	c := s.talk.current()
	history, err := s.threads.Prompts(ctx, 500)
	if err != nil {
		return tui.Config{}, err
	}
	return tui.Config{
		Choose: s.resume, Dream: s.dream(a), History: history, LoadTheme: loadTheme,
		Conversation: c, Project: s.project, User: s.user,
		ProjectName: s.talk.cfg.ProjectName, Offline: c.Model() == "offline", DataDir: s.tilde(a),
		Theme: s.st.text("theme"), Keys: s.st.keys(), Input: a.in, Output: a.terminal(), Now: a.now,
		Threads: s.listThreads,
		Open: func(ctx context.Context, id string) (tui.Conversation, error) {
			return s.talk.open(ctx, id)
		},
		Models: s.models.offered,
		SetModel: func(ctx context.Context, name string) (bool, error) {
			m, err := s.models.make(ctx, name)
			if err != nil {
				return false, err
			}
			s.talk.current().SetModel(m)
			return name == "offline", nil
		},
		Context: s.context,
		Compact: func(ctx context.Context, emit func(agent.Event)) error {
			return s.talk.current().Compact(ctx, emit)
		},
	}, nil
}

// loadTheme is a built-in theme, or one in a file of the user's.
func loadTheme(name string) (theme.Theme, error) {
	if isPath(name) {
		return theme.Load(name)
	}
	return theme.Named(name)
}

// isPath says whether a theme is named by its file.
func isPath(name string) bool {
	return strings.ContainsAny(name, `/\`) || strings.HasSuffix(name, ".toml")
}

func (s *session) listThreads(ctx context.Context) ([]tui.Thread, error) {
	all, err := s.threads.List(ctx, 200)
	if err != nil {
		return nil, err
	}
	out := make([]tui.Thread, len(all))
	for i, t := range all {
		out[i] = tui.Thread{ID: t.ID, Title: t.Title, Preview: t.Preview, Updated: t.Updated, Turns: t.Turns}
	}
	return out, nil
}

func (s *session) context() []tui.Part {
	parts := s.talk.current().Context()
	out := make([]tui.Part, len(parts))
	for i, p := range parts {
		out[i] = tui.Part{Name: p.Where + " / " + p.Name, Reason: p.Reason, Size: p.Bytes, Text: p.Text}
	}
	return out
}

// keys are the keys that the settings change, by action. Commas separate keys;
// a key may be two strokes with a space between.
func (st *settings) keys() map[string][]string {
	changed := map[string][]string{}
	for _, action := range st.under("keys") {
		for key := range strings.SplitSeq(st.text("keys."+action), ",") {
			if key = strings.TrimSpace(key); key != "" {
				changed[action] = append(changed[action], key)
			}
		}
	}
	return changed
}

// tilde is where memory stays, as a person writes it.
func (s *session) tilde(a *app) string {
	if home := a.getenv("HOME"); home != "" {
		if rest, ok := strings.CutPrefix(s.place.data, home+"/"); ok {
			return "~/" + rest
		}
	}
	return s.place.data
}

// plain is what plain mode reads and writes.
func (s *session) plain(a *app) plain.Config {
	c := s.talk.current()
	return plain.Config{
		In: a.in, Out: a.out, Err: a.err, Conversation: c, Project: s.project, User: s.user,
		ProjectName: s.talk.cfg.ProjectName, Offline: c.Model() == "offline",
		Interactive: terminal(a.in), Now: a.now,
		Commands: map[string]func(context.Context, string, io.Writer) error{
			"dream":   plain.Dream(s.dream(a), a.now),
			"context": s.plainContext,
			"threads": s.plainThreads,
			"model":   s.plainModel,
		},
	}
}

// dream is what can be dreamt about: each memory, or why it can't.
func (s *session) dream(a *app) []dream.Target {
	p := &planner.Planner{}
	if s.dreamModel != nil {
		p.Model, p.ModelName = dreamModel{s.talk.current().Informed(s.dreamModel)}, s.dreamModel.Name()
	}
	return []dream.Target{
		dream.NewTarget(memstore.Project, s.project, p, a.now),
		dream.NewTarget(memstore.User, s.user, p, a.now),
	}
}

// plainContext writes what the last request carried.
func (s *session) plainContext(_ context.Context, _ string, out io.Writer) error {
	parts := s.talk.current().Context()
	if len(parts) == 0 {
		_, err := fmt.Fprintln(out, "No request was made yet.")
		return err
	}
	for _, p := range parts {
		if _, err := fmt.Fprintf(out, "%s / %s, %s: %s\n%s\n", p.Where, p.Name, render.Bytes(int64(p.Bytes)), p.Reason, render.Clean(p.Text)); err != nil {
			return err
		}
	}
	return nil
}

// plainThreads lists the conversations.
func (s *session) plainThreads(ctx context.Context, _ string, out io.Writer) error {
	all, err := s.threads.List(ctx, 20)
	if err != nil {
		return err
	}
	for _, t := range all {
		if _, err := fmt.Fprintf(out, "%s  %s  %s\n", t.ID, t.Updated.Local().Format("2006-01-02 15:04"), render.Line(t.Title, 80)); err != nil {
			return err
		}
	}
	_, err = fmt.Fprintln(out, "reverie --plain --resume=THREAD goes on with one.")
	return err
}

// plainModel lists the models, or changes to one.
func (s *session) plainModel(ctx context.Context, name string, out io.Writer) error {
	if name = strings.TrimSpace(name); name != "" {
		m, err := s.models.make(ctx, name)
		if err != nil {
			return err
		}
		s.talk.current().SetModel(m)
		_, err = fmt.Fprintf(out, "From now on %s answers.\n", render.Line(m.Name(), 80))
		return err
	}
	all, err := s.models.offered(ctx)
	for _, m := range all {
		if _, werr := fmt.Fprintln(out, render.Line(m, 120)); werr != nil {
			return werr
		}
	}
	return err
}
