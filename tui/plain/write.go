package plain

import (
	"fmt"
	"strings"

	"reverie/tui/render"
)

// say writes whole lines of text that is clean already.
func (s *session) say(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintln(s.cfg.Out, text)
}

func (s *session) printf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.cfg.Out, format, args...)
}

func (s *session) errf(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	fmt.Fprintf(s.cfg.Err, "reverie: "+format+"\n", args...)
}

// stream writes a piece of the answer where a person reads along. A piece may
// end inside a character or an escape sequence, so only whole lines go out.
func (s *session) stream(text string) {
	if !s.cfg.Interactive {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streamed = true
	s.partial += text
	i := strings.LastIndexByte(s.partial, '\n')
	if i < 0 {
		return
	}
	fmt.Fprintln(s.cfg.Out, render.Clean(s.partial[:i]))
	s.partial = s.partial[i+1:]
}

// answer writes the whole answer, where it was not streamed.
func (s *session) answer(text string) {
	s.endAnswer()
	s.mu.Lock()
	streamed := s.streamed
	s.streamed = false
	s.mu.Unlock()
	if !streamed && strings.TrimSpace(text) != "" {
		s.say(strings.TrimRight(render.Clean(text), "\n"))
	}
}

// endAnswer writes what was held back of a streamed answer.
func (s *session) endAnswer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.partial != "" {
		fmt.Fprintln(s.cfg.Out, render.Clean(s.partial))
		s.partial = ""
	}
}

func indent(text string) string {
	return "  " + strings.ReplaceAll(text, "\n", "\n  ")
}
