package tuitest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

func uvWidth(s string) int { return ansi.StringWidth(s) }

// Limit is how long a sentence of a story waits for what it says. It bounds
// a hang and measures nothing.
const Limit = 30 * time.Second

// Story is a program and the person in front of it. Each method is a
// sentence; the first one that does not come true ends the test with the
// screen as it was.
type Story struct {
	T    testing.TB
	Term *Terminal
}

// Begin starts the program; it is killed at the test's end if it still runs.
func Begin(t testing.TB, o Options) *Story {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	term, err := Open(ctx, o)
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); term.Kill() })
	return &Story{T: t, Term: term}
}

// Type types text key by key, without Enter.
func (s *Story) Type(text string) *Story {
	s.T.Helper()
	if err := s.Term.Send(text); err != nil {
		s.T.Fatalf("type %q: %v", text, err)
	}
	return s
}

// Say types a line and presses Enter once the text is on the screen.
func (s *Story) Say(line string) *Story {
	s.T.Helper()
	s.Type(line)
	tail := []rune(line)
	if len(tail) > 12 {
		tail = tail[len(tail)-12:]
	}
	return s.See(strings.TrimSpace(string(tail))).Press("enter")
}

// Paste pastes text as a terminal does, in brackets.
func (s *Story) Paste(text string) *Story {
	s.T.Helper()
	return s.Type("\x1b[200~" + text + "\x1b[201~")
}

var keys = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "shift+tab": "\x1b[Z", "space": " ", "backspace": "\x7f",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdown": "\x1b[6~", "delete": "\x1b[3~",
	"f1": "\x1bOP", "alt+enter": "\x1b\r", "shift+enter": "\x1b[13;2u",
}

// Press presses keys by name: "enter", "esc", "ctrl+c", "pgup", "A", …
func (s *Story) Press(names ...string) *Story {
	s.T.Helper()
	for _, name := range names {
		seq, ok := keys[name]
		if rest, is := strings.CutPrefix(name, "ctrl+"); !ok && is && len(rest) == 1 {
			seq, ok = string(rune(rest[0]&0x1f)), true
		}
		if !ok && len([]rune(name)) == 1 {
			seq, ok = name, true
		}
		if !ok {
			s.T.Fatalf("no key is called %q", name)
		}
		s.Type(seq)
	}
	return s
}

// See waits until every text is on the screen.
func (s *Story) See(texts ...string) *Story {
	s.T.Helper()
	for _, text := range texts {
		s.WaitFor(fmt.Sprintf("to see %q", text), func(sc Screen) bool { return sc.Has(text) })
	}
	return s
}

// NotSee waits until none of the texts is on the screen.
func (s *Story) NotSee(texts ...string) *Story {
	s.T.Helper()
	for _, text := range texts {
		s.WaitFor(fmt.Sprintf("not to see %q", text), func(sc Screen) bool { return !sc.Has(text) })
	}
	return s
}

// WaitFor waits until ok holds for the screen; what completes "waited …".
func (s *Story) WaitFor(what string, ok func(Screen) bool) *Story {
	s.T.Helper()
	if err := s.Term.Wait(Limit, ok); err != nil {
		s.T.Fatalf("waited %s: %v; the screen was\n%s", what, err, frame(s.Term.Screen()))
	}
	return s
}

// Quiet waits until the program has written nothing for d.
func (s *Story) Quiet(d time.Duration) *Story {
	s.T.Helper()
	deadline := time.Now().Add(Limit)
	for {
		_, last := s.Term.Written()
		rest := d - time.Since(last)
		if rest <= 0 {
			return s
		}
		if time.Now().After(deadline) {
			s.T.Fatalf("waited for the screen to be quiet for %s; it was\n%s", d, frame(s.Term.Screen()))
		}
		time.Sleep(rest)
	}
}

// Resize changes the terminal's size.
func (s *Story) Resize(cols, rows int) *Story {
	s.T.Helper()
	if err := s.Term.Resize(cols, rows); err != nil {
		s.T.Fatalf("resize to %dx%d: %v", cols, rows, err)
	}
	return s
}

// Ends waits for the program to end and checks its exit code.
func (s *Story) Ends(code int) {
	s.T.Helper()
	got, err := s.Term.Exited(Limit)
	if err != nil {
		s.T.Fatalf("waited for the end: %v; the screen was\n%s", err, frame(s.Term.Screen()))
	}
	if got != code {
		s.T.Fatalf("exit code %d, want %d; the last screens were\n%s\n%s", got, code, frame(s.Term.LastFull()), frame(s.Term.Screen()))
	}
}

func frame(s Screen) string {
	rule := strings.Repeat("=", s.Cols)
	return rule + "\n" + s.String() + "\n" + rule
}
