package plain

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/memstore"
	"reverie/tui/chat"
	"reverie/tui/render"
	"reverie/tui/slash"
	"reverie/tui/wording"
)

func (s *session) command(ctx context.Context, line string) error {
	c, args, err := slash.Parse(line)
	if err != nil {
		s.errf("%s", err)
		return nil
	}
	switch c.Name {
	case "quit":
		return errQuit
	case "help":
		s.help()
	case "export":
		s.export(args)
	case "memory":
		s.memory(ctx, args)
	case "approve", "deny":
		s.decide(c.Name, args)
	case "retry":
		return s.turn(ctx, true, s.cfg.Conversation.Retry)
	case "undo", "forget":
		scope, key := wording.ScopeAndKey(args)
		if c.Name == "undo" {
			return s.turn(ctx, false, func(ctx context.Context, emit func(agent.Event)) error {
				return s.cfg.Conversation.UndoByUser(ctx, scope, key, emit)
			})
		}
		if key == "" {
			s.errf("say which memory: /forget KEY; /memory lists them")
			return nil
		}
		return s.turn(ctx, false, func(ctx context.Context, emit func(agent.Event)) error {
			return s.cfg.Conversation.ForgetByUser(ctx, scope, key, emit)
		})
	default:
		if do := s.cfg.Commands[c.Name]; do != nil {
			if err := do(ctx, args, s.cfg.Out); err != nil {
				s.errf("%s", render.Clean(err.Error()))
			}
			return nil
		}
		s.errf("/%s needs the full screen, or is not available in this session", c.Name)
	}
	return nil
}

// own are the commands that need nothing of the caller.
var own = map[string]bool{
	"memory": true, "undo": true, "forget": true, "approve": true, "deny": true,
	"retry": true, "export": true, "help": true, "quit": true,
}

// help lists the commands that can be given here.
func (s *session) help() {
	for _, c := range slash.Commands {
		if !own[c.Name] && s.cfg.Commands[c.Name] == nil {
			continue
		}
		usage := strings.TrimSpace("/" + c.Name + " " + c.Args)
		s.say(fmt.Sprintf("%-18s %s.", usage, c.Help))
		if c.Name == "dream" {
			s.say("                   " + DreamUsage)
		}
	}
	s.say(`A line that ends in \ goes on with the next one.`)
}

// told is a conversation that can be written down.
type told interface {
	Title() string
	History() []model.Message
}

func (s *session) export(path string) {
	c, ok := s.cfg.Conversation.(told)
	if !ok {
		s.errf("this conversation can't be exported")
		return
	}
	path, err := chat.WriteFile(path, s.cfg.Now(), chat.Markdown(c.Title(), c.History()))
	if err != nil {
		s.errf("the conversation was not exported: %s; give /export another file", render.Clean(err.Error()))
		return
	}
	s.say("The conversation is in " + render.Line(path, 400) + ".")
}

// decide answers a question and reports whether one was.
func (s *session) decide(name, args string) bool {
	d := agent.Approve
	if name == "deny" {
		d = agent.Deny
	}
	number, more, _ := strings.Cut(args, " ")
	pending := s.cfg.Conversation.Pending()
	id, err := strconv.Atoi(number)
	if args == "" && len(pending) == 1 {
		id, err = pending[0].ID, nil
	}
	if len(pending) == 0 {
		s.errf("no question waits%s", s.elsewhere(name))
		return false
	}
	if err != nil {
		s.errf("say which question: /%s N", name)
		return false
	}
	if d == agent.Approve && strings.TrimSpace(more) == "session" {
		d = agent.ApproveSession
	}
	if !s.cfg.Conversation.Decide(id, d) {
		s.errf("question %d does not wait", id)
		return false
	}
	return true
}

// elsewhere points to the other thing that is decided on in words.
func (s *session) elsewhere(name string) string {
	if s.cfg.Commands["dream"] == nil {
		return ""
	}
	verb := map[string]string{"approve": "approve", "deny": "dismiss"}[name]
	return "; a plan that /dream has shown is decided on with /dream " + verb
}

// memory lists what is remembered, or, where the words are exactly a key,
// shows the entry with its history, or else searches.
func (s *session) memory(ctx context.Context, words string) {
	for _, store := range []memstore.Store{s.cfg.Project, s.cfg.User} {
		if store == nil {
			continue
		}
		if err := s.list(ctx, store, words); err != nil && ctx.Err() == nil {
			s.errf("the %s memory can't be read: %s", store.Scope(), render.Clean(err.Error()))
		}
	}
}

func (s *session) list(ctx context.Context, store memstore.Store, words string) error {
	if words == "" {
		entries, err := store.List(ctx, memstore.ListOptions{})
		if err != nil {
			return err
		}
		s.say(fmt.Sprintf("%s memory: %s", store.Scope(), render.Count(len(entries), "entry", "entries")))
		for _, e := range entries {
			s.entryLine(e)
		}
		return nil
	}
	e, err := store.Recall(ctx, words)
	if err == nil {
		return s.show(ctx, store, e)
	}
	var absent *memstore.NotFoundError
	var invalid *memstore.InvalidError
	if !errors.As(err, &absent) && !errors.As(err, &invalid) {
		return err
	}
	hits, err := store.Search(ctx, words, 20)
	if err != nil {
		return err
	}
	s.say(fmt.Sprintf("%s memory: %s", store.Scope(), render.Count(len(hits), "match", "matches")))
	for _, h := range hits {
		s.entryLine(h.Entry)
	}
	return nil
}

func (s *session) entryLine(e memstore.Entry) {
	s.say(fmt.Sprintf("  %s  %s", render.Line(e.Key, 130), render.Line(e.Summary(), 200)))
}

func (s *session) show(ctx context.Context, store memstore.Store, e memstore.Entry) error {
	now := s.cfg.Now()
	s.say(fmt.Sprintf("%s %s", e.Scope, render.Line(e.Key, 130)))
	s.say(indent(render.Reveal(e.Value)))
	s.say(fmt.Sprintf("  by %s, %s", wording.By(e.Provenance), render.Ago(e.Updated, now)))
	s.say("  token " + render.Line(string(e.Version), 60))
	v, ok := store.(memstore.Versioned)
	if !ok {
		s.say("  this memory keeps no history")
		return nil
	}
	revisions, err := v.History(ctx, e.Key)
	if err != nil {
		return err
	}
	s.say("  history, newest first:")
	for i, r := range revisions {
		text := render.Line(r.Summary(), 160)
		switch {
		case r.Purged:
			text = "(purged)"
		case r.Forgotten:
			text = "(forgotten)"
		}
		s.say(fmt.Sprintf("    %d  %s  %s  %s", len(revisions)-i, render.Ago(r.Recorded, now), wording.By(r.Provenance), text))
	}
	return nil
}
