// Package plain is the conversation as lines that are only ever appended: no
// escape codes, no cursor movement, no boxes, no spinner. It is what a pipe, a
// dumb terminal or a screen reader gets, and everything can be done in it.
//
// Standard output carries what is said and remembered, standard error what
// concerns the program alone.
package plain

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"reverie/agent"
	"reverie/memstore"
	"reverie/tui/render"
	"reverie/tui/slash"
	"reverie/tui/wording"
)

// Conversation is what plain mode needs of the agent; *agent.Conversation is
// one. Its methods are as package chat describes them.
type Conversation interface {
	Send(ctx context.Context, text string, emit func(agent.Event)) error
	Retry(ctx context.Context, emit func(agent.Event)) error
	Decide(id int, d agent.Decision) bool
	Pending() []agent.Approval
	ForgetByUser(ctx context.Context, scope memstore.Scope, key string, emit func(agent.Event)) error
	UndoByUser(ctx context.Context, scope memstore.Scope, key string, emit func(agent.Event)) error
	Model() string
	Used() []agent.Ref
}

// Config says what plain mode reads, writes and works with.
type Config struct {
	In       io.Reader
	Out, Err io.Writer

	Conversation Conversation
	Project      memstore.Store // nil: no project memory
	User         memstore.Store // nil: no user model
	ProjectName  string
	Offline      bool
	// Interactive says that a person types: they get a prompt mark, and text
	// is written as it streams. Otherwise an answer is written when it is
	// whole.
	Interactive bool
	Now         func() time.Time
	// Notices are lines from outside, such as what a schedule did; they are
	// written between turns. Nil: none.
	Notices <-chan string
	// Commands are those that only the caller can do, by name, such as
	// "dream"; out is for their text.
	Commands map[string]func(ctx context.Context, args string, out io.Writer) error
}

// session is one run.
type session struct {
	cfg   Config
	lines chan string
	later []string // typed while a question waited

	mu       sync.Mutex // guards the writers: events come from a turn's goroutine
	partial  string     // of a streamed answer: what has no line end yet
	streamed bool       // the answer is being streamed
	failed   error      // of the last turn
}

// errQuit ends the session.
var errQuit = errors.New("quit")

// Run reads a line, answers it, and goes on until the input ends, /quit, or
// ctx ends. Where the input was not a person's, the error of the last turn
// that failed is returned, so that a script hears of it.
func Run(ctx context.Context, cfg Config) error {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{cfg: cfg, lines: make(chan string)}
	go s.read(ctx)
	s.greet()
	for {
		line, ok := s.kept()
		if !ok {
			line, ok = s.next(ctx)
		}
		if !ok {
			break
		}
		err := s.do(ctx, line)
		switch {
		case errors.Is(err, errQuit):
			return nil
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if !cfg.Interactive {
		return s.failed
	}
	return nil
}

// read delivers lines until the input ends or ctx does. A read that blocks
// forever keeps its goroutine until the process ends; there is no way to end
// it that works for every input.
func (s *session) read(ctx context.Context) {
	defer close(s.lines)
	r := bufio.NewReader(s.cfg.In)
	for {
		line, err := r.ReadString('\n')
		if line != "" {
			select {
			case s.lines <- strings.TrimRight(line, "\r\n"):
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			if !errors.Is(err, io.EOF) {
				s.errf("reading the input failed: %s", err)
			}
			return
		}
	}
}

// next is the next line of input; a line that ends in a backslash goes on with
// the one after it.
func (s *session) next(ctx context.Context) (string, bool) {
	if s.cfg.Interactive {
		s.printf("> ")
	}
	var all []string
	for {
		select {
		case <-ctx.Done():
			return "", false
		case note := <-s.cfg.Notices:
			s.say(note)
		case line, ok := <-s.lines:
			if !ok {
				return strings.Join(all, "\n"), len(all) > 0
			}
			rest, more := strings.CutSuffix(line, `\`)
			all = append(all, rest)
			if !more {
				return strings.Join(all, "\n"), true
			}
		}
	}
}

// kept is the oldest line that was typed while a question waited.
func (s *session) kept() (string, bool) {
	if len(s.later) == 0 {
		return "", false
	}
	line := s.later[0]
	s.later = s.later[1:]
	s.say("> " + render.Line(line, 200))
	return line, true
}

func (s *session) greet() {
	if !s.cfg.Interactive {
		return
	}
	who := render.Line(s.cfg.Conversation.Model(), 60)
	if s.cfg.Offline {
		who = "OFFLINE: rules only"
	}
	s.say(fmt.Sprintf("%s, %s. /help lists the commands.", render.Line(s.cfg.ProjectName, 60), who))
}

func (s *session) do(ctx context.Context, line string) error {
	switch {
	case strings.TrimSpace(line) == "":
		return nil
	case slash.Is(line):
		return s.command(ctx, line)
	}
	return s.turn(ctx, true, func(ctx context.Context, emit func(agent.Event)) error {
		return s.cfg.Conversation.Send(ctx, line, emit)
	})
}

// turn runs something of the agent's, which sends a message or not, and answers its questions meanwhile.
func (s *session) turn(ctx context.Context, sent bool, run func(context.Context, func(agent.Event)) error) error {
	asked := make(chan agent.Approval, 64)
	done := make(chan error, 1)
	finished := false
	go func() {
		done <- run(ctx, func(e agent.Event) {
			if f, ok := e.(agent.TurnFinished); ok {
				finished = true
				s.finish(f, sent)
			}
			s.event(e)
			if a, ok := e.(agent.ApprovalAsked); ok {
				asked <- a.Approval
			}
		})
	}()
	for {
		select {
		case a := <-asked:
			s.ask(ctx, a)
		case err := <-done:
			s.endAnswer()
			if err != nil && !finished {
				s.fail(err, sent)
			}
			return err
		}
	}
}

// ask puts a question in words and waits for yes or no. Where nobody can
// answer, the answer is no. What else is typed meanwhile is kept for afterwards.
func (s *session) ask(ctx context.Context, a agent.Approval) {
	s.endAnswer()
	s.say("? " + render.Line(wording.Question(a), 200))
	s.say(indent(`"` + render.Reveal(a.Entry.Value) + `"`))
	if a.Effect != "" {
		s.say("  " + render.Line(a.Effect, 400))
	}
	for {
		s.say(fmt.Sprintf("  /approve %d or /deny %d", a.ID, a.ID))
		line, ok := s.next(ctx)
		if !ok {
			s.say("  nobody answered, so it is denied")
			s.cfg.Conversation.Decide(a.ID, agent.Deny)
			return
		}
		if answered := s.meanwhile(ctx, a, line); answered || !s.waits(a.ID) {
			return
		}
	}
}

// meanwhile takes a line while a question waits and reports whether that
// answered it.
func (s *session) meanwhile(ctx context.Context, a agent.Approval, line string) bool {
	c, args, err := slash.Parse(line)
	if !slash.Is(line) || err != nil {
		c.Name = ""
	}
	switch c.Name {
	case "approve", "deny":
		return s.decide(c.Name, args)
	case "help", "memory": // they only read
		_ = s.command(ctx, line)
		return false
	case "quit":
		s.say("  not answered, so it is denied")
		s.cfg.Conversation.Decide(a.ID, agent.Deny)
		s.later = []string{line}
		return true
	}
	if strings.TrimSpace(line) != "" {
		s.later = append(s.later, line)
		s.say("  kept until the question is answered: " + render.Line(line, 120))
	}
	return false
}

func (s *session) waits(id int) bool {
	for _, a := range s.cfg.Conversation.Pending() {
		if a.ID == id {
			return true
		}
	}
	return false
}

func (s *session) event(e agent.Event) {
	switch e := e.(type) {
	case agent.TextDelta:
		s.stream(e.Text)
	case agent.AnswerDone:
		s.answer(e.Message.Text)
	case agent.ToolFinished:
		s.tool(e)
	case agent.ApprovalDone:
		s.say("  " + render.Line(wording.Decision(e.Decision, e.Reason), 400))
	case agent.Notice:
		s.endAnswer()
		s.say(render.Clean(e.Text))
	case agent.Waiting:
		s.errf("waiting %s before trying again: %s", e.For.Round(time.Second), render.Line(e.Reason, 200))
	}
}

func (s *session) tool(e agent.ToolFinished) {
	s.endAnswer()
	if e.Memory == nil {
		if e.Error != "" {
			s.say(fmt.Sprintf("! %s: %s", render.Line(e.Call.Name, 60), render.Line(e.Error, 400)))
		}
		return
	}
	m := wording.OfMemory(*e.Memory)
	line := fmt.Sprintf("* %s  %s", m.Verb, render.Line(wording.Where(m.Scope, m.Key), 140))
	if m.Detail != "" {
		line += "  " + render.Line(m.Whole(), 400)
	}
	if m.Undo != "" {
		line += "  " + m.Undo
	}
	s.say(line)
}

func (s *session) finish(f agent.TurnFinished, sent bool) {
	s.endAnswer()
	switch {
	case f.Stopped:
		s.say("(stopped)")
	case f.Err != nil:
		s.fail(f.Err, sent)
	default:
		s.failed = nil
	}
}

func (s *session) fail(err error, sent bool) {
	s.failed = err
	what, advice := wording.Failure(err, sent)
	s.errf("%s", render.Clean(what))
	if advice != "" {
		s.errf("%s", render.Clean(advice))
	}
}
