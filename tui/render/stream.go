package render

import (
	"strings"
	"unicode/utf8"

	"reverie/theme"
)

// Markdown is untrusted Markdown as styled lines of at most width cells. It has
// no empty line at the start or the end; a text of nothing has no lines.
func Markdown(src string, width int, t theme.Theme) []string {
	s := NewStream(width, t)
	s.Write(src)
	s.Finish()
	return s.Lines()
}

// Stream renders Markdown while it arrives. What can't change any more is
// rendered once; only the block that is still open is rendered again. Whatever
// the cuts, what it has rendered in the end equals Markdown of the whole text. It
// is for one goroutine at a time.
type Stream struct {
	painter *painter
	source  strings.Builder
	rest    string // of source, what is no whole line yet
	scanner scanner
	over    bool

	settled []part   // the blocks of scanner.done that are rendered
	lines   []string // of settled, then of the open end
	fixed   int      // how many of lines belong to settled
	stale   bool     // the open end changed since it was rendered
}

// part is a rendered block.
type part struct {
	block block
	lines []string
}

// NewStream makes a stream that renders at a width in cells.
func NewStream(width int, t theme.Theme) *Stream {
	return &Stream{painter: newPainter(width, t)}
}

// Write appends text. It may be cut anywhere, inside a character too. After
// Finish it does nothing.
func (s *Stream) Write(text string) {
	if s.over || text == "" {
		return
	}
	s.source.WriteString(text)
	s.rest += text
	s.stale = true
	s.takeLines()
}

// Finish says that nothing more comes.
func (s *Stream) Finish() {
	if s.over {
		return
	}
	s.feed(s.rest)
	s.rest = ""
	s.scanner.close()
	s.over, s.stale = true, true
}

// Source is everything written so far, byte for byte.
func (s *Stream) Source() string { return s.source.String() }

// SetWidth changes the width. Everything is rendered again at the next Lines.
func (s *Stream) SetWidth(width int) {
	if max(width, 1) == s.painter.width {
		return
	}
	s.restyle(width, s.painter.theme)
}

// SetTheme changes the theme. Everything is rendered again at the next Lines, as
// is also due after Graphemes.
func (s *Stream) SetTheme(t theme.Theme) { s.restyle(s.painter.width, t) }

func (s *Stream) restyle(width int, t theme.Theme) {
	s.painter = newPainter(width, t)
	s.settled, s.lines, s.fixed, s.stale = nil, nil, 0, true
}

// Lines are the lines so far. The slice is valid until the next call of a
// method, and is not to be changed.
func (s *Stream) Lines() []string {
	if !s.stale {
		return s.lines
	}
	s.stale = false
	s.lines = s.lines[:s.fixed]
	for _, b := range s.scanner.done[len(s.settled):] {
		s.settle(b)
	}
	s.fixed = len(s.lines)
	if s.over {
		clear(s.painter.drawers) // nothing more will be drawn at this width
	} else {
		s.openEnd()
	}
	return s.lines
}

// takeLines moves the whole lines of rest to the scanner.
func (s *Stream) takeLines() {
	for {
		end := strings.IndexByte(s.rest, '\n')
		if (end > maxLine) || (end < 0 && len(s.rest) > maxLine) {
			n := cutLine(s.rest)
			s.feed(s.rest[:n])
			s.rest = s.rest[n:]
			continue
		}
		if end < 0 {
			return
		}
		s.scanner.feedRaw(s.rest[:end])
		s.rest = s.rest[end+1:]
	}
}

// feed takes a line that did not end with a newline.
func (s *Stream) feed(line string) {
	if line != "" {
		s.scanner.feedRaw(line)
	}
}

// feedRaw takes an untrusted line without its newline. Cleaning may find several
// lines in it.
func (s *scanner) feedRaw(raw string) {
	for line := range strings.SplitSeq(Clean(wideIndent(strings.TrimSuffix(raw, "\r"))), "\n") {
		s.feed(line)
	}
}

// wideIndent makes each tab that a line begins with four spaces, whatever comes
// before it, so that code which is indented with tabs keeps its steps inside a
// list, too.
func wideIndent(line string) string {
	n := len(line) - len(strings.TrimLeft(line, " \t"))
	return strings.ReplaceAll(line[:n], "\t", "    ") + line[n:]
}

// settle renders a closed block. Where it defines the target of links, the
// blocks before that name it are rendered again.
func (s *Stream) settle(b block) {
	lines, defined := s.painter.settle(b)
	s.settled = append(s.settled, part{b, lines})
	again := false
	for i := range s.settled {
		if len(defined) == 0 || i == len(s.settled)-1 {
			break
		}
		if p := &s.settled[i]; names(p.block, defined) {
			p.lines, _ = s.painter.settle(p.block)
			again = true
		}
	}
	if !again {
		s.lines = join(s.lines, b, lines)
		return
	}
	s.lines = s.lines[:0]
	for _, p := range s.settled {
		s.lines = join(s.lines, p.block, p.lines)
	}
}

// openEnd renders what may still change, as if the text ended here.
func (s *Stream) openEnd() {
	end := s.scanner
	if rest := undecided(s.rest); rest != "" {
		end.feedRaw(rest)
	}
	end.close()
	for _, b := range end.done[len(s.scanner.done):] {
		s.lines = join(s.lines, b, s.painter.block(b))
	}
}

// join appends a block's lines, after an empty line where one belongs.
func join(lines []string, b block, more []string) []string {
	if len(lines) > 0 && len(more) > 0 && !b.follows && !b.tight {
		lines = append(lines, "")
	}
	return append(lines, more...)
}

// undecided is the beginning of a line without what would be shown as something
// that it most likely does not become: half a character, or the marks of a block
// that may still become those of another (a hyphen after a text would make it a
// heading).
func undecided(rest string) string {
	for i := 1; i <= min(utf8.UTFMax, len(rest)); i++ {
		if c := rest[len(rest)-i]; utf8.RuneStart(c) {
			if !utf8.FullRuneInString(rest[len(rest)-i:]) {
				rest = rest[:len(rest)-i]
			}
			break
		}
	}
	rest = strings.TrimSuffix(rest, "\r")
	if strings.Trim(rest, " -=*+_#`~>|:") == "" {
		return ""
	}
	if digits := strings.TrimLeft(rest, " "); strings.Trim(digits, "0123456789") == "." {
		return ""
	}
	return rest
}
