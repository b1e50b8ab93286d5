package render

import (
	"strings"
	"unicode/utf8"
)

// Bounds of what one block may hold, so that the work for a piece of a growing
// text does not grow with it. A longer block goes on in a next one.
const (
	maxBlock     = 4 << 10 // bytes of prose
	maxCode      = 2 << 10 // bytes of code
	maxCodeLines = 32
	maxLine      = 4 << 10 // bytes of a line
	maxNesting   = 32      // quotes and lists that one line opens
)

// blockKind is what the scanner took a block for. Goldmark decides what it is in
// the end: a paragraph may turn out to be a heading, a table or definitions.
type blockKind uint8

const (
	paragraph blockKind = iota // text, setext headings, tables, definitions
	heading                    // a line that begins with #
	rule                       // a thematic break
	quote                      // lines that begin with >
	item                       // an item of a list, with all that is in it
	fence                      // code between fences
	indented                   // code by indentation
)

// block is a part of a Markdown text that can be rendered on its own.
type block struct {
	kind  blockKind
	lines []string // clean; of a fence the code without the fences
	size  int      // bytes of lines

	follows bool // goes on with the block before, without a space between
	tight   bool // an item that comes right after another of its list

	mark   listMark // of an item
	number int      // of an item in an ordered list
	inner  fenceMark
	fence  fenceMark
	lang   string
	// lead are lines that a block which goes on needs to be understood: the head
	// of a table, the fence around code in an item.
	lead []string
	// context is the code before a part of a long fence, so that highlighting
	// knows what it is in.
	context []string
}

// listMark is what a list item begins with.
type listMark struct {
	sign    byte // - + * . or ), 0 for none
	number  int  // of an ordered item
	indent  int  // cells before the mark
	content int  // cells before the item's text
}

// ordered tells whether the item is of a numbered list.
func (m listMark) ordered() bool { return m.sign == '.' || m.sign == ')' }

// fenceMark is what opened a fence.
type fenceMark struct {
	sign   byte // ` or ~, 0 for none
	length int
	indent int
	info   string
}

// scanner cuts a Markdown text into blocks, line by line. What it decides about
// a line depends on the lines before alone, so that a text gives the same blocks
// however it was cut on its way.
//
// It knows CommonMark's blocks as far as it needs to know where one ends. HTML
// is text like any other.
type scanner struct {
	done  []block // closed: nothing that follows changes them
	open  block
	live  bool // open is a block
	blank bool // the line before was empty
	count int  // items of the current ordered list so far
}

// feed takes the next line, clean and without its end.
func (s *scanner) feed(line string) {
	if i := tooDeep(line); i >= 0 {
		line = line[:i] + `\` + line[i:]
	}
	if strings.TrimLeft(line, " ") == "" {
		s.empty(line)
		return
	}
	if !s.live || !s.continues(line) {
		s.close()
		s.begin(line)
	}
	s.blank = false
}

// close ends the open block.
func (s *scanner) close() {
	if !s.live {
		return
	}
	for n := len(s.open.lines); s.open.kind != fence && n > 0 && s.open.lines[n-1] == ""; n-- {
		s.open.lines = s.open.lines[:n-1]
	}
	s.done = append(s.done, s.open)
	s.live = false
}

// empty takes an empty line.
func (s *scanner) empty(line string) {
	switch {
	case !s.live:
	case s.open.kind == fence:
		s.code(line)
	case s.open.kind == item || s.open.kind == indented:
		s.add("")
	default:
		s.close()
	}
	s.blank = true
}

// continues adds the line to the open block if it belongs there.
func (s *scanner) continues(line string) bool {
	b := &s.open
	switch b.kind {
	case fence:
		if b.fence.closes(line) {
			s.close()
		} else {
			s.code(line)
		}
	case item:
		return s.itemLine(line)
	case indented:
		if indentOf(line) < 4 {
			return false
		}
		s.add(line)
	case quote:
		last := b.lines[len(b.lines)-1]
		if !quoted(line) && (starts(line) || !lazyAfter(innermost(last))) {
			return false
		}
		s.add(line)
	case paragraph:
		if underlines(line) {
			s.add(line)
			s.close()
			return true
		}
		if starts(line) {
			return false
		}
		s.add(line)
	default:
		return false
	}
	return true
}

// itemLine adds a line to the open item if it belongs there.
func (s *scanner) itemLine(line string) bool {
	b := &s.open
	switch {
	case indentOf(line) >= b.mark.content:
		if b.inner.sign == 0 {
			b.inner = fenceAt(innermost(line))
		} else if b.inner.closes(innermost(line)) {
			b.inner = fenceMark{}
		}
	case s.blank || b.inner.sign != 0 || starts(line) || listAt(line).sign != 0 || !lazyAfter(innermost(b.lines[len(b.lines)-1])):
		return false
	}
	s.add(line)
	return true
}

// begin opens a block with its first line.
func (s *scanner) begin(line string) {
	before := block{kind: rule}
	if len(s.done) > 0 {
		before = s.done[len(s.done)-1]
	}
	s.open = block{}
	s.live = true
	b := &s.open
	if f := fenceAt(line); f.sign != 0 {
		b.kind, b.fence, b.lang = fence, f, language(f.info)
		return
	}
	switch mark := listAt(line); {
	case indentOf(line) >= 4:
		b.kind = indented
	case thematic(line):
		b.kind = rule
	case mark.sign != 0:
		s.beginItem(mark, before, line)
	case quoted(line):
		b.kind = quote
	case atx(line):
		b.kind = heading
	}
	s.add(line)
	if b.kind == rule || b.kind == heading {
		s.close()
	}
}

func (s *scanner) beginItem(mark listMark, before block, line string) {
	b := &s.open
	b.kind, b.mark = item, mark
	if before.kind == item && before.mark.sign == mark.sign {
		b.tight = !s.blank
		s.count++
	} else {
		s.count = mark.number
	}
	b.number = s.count
	b.inner = fenceAt(innermost(line))
}

// add puts a line into the open block, and goes on in a next block where this
// one is full.
func (s *scanner) add(line string) {
	b := &s.open
	if b.size+len(line) > maxBlock && b.size > 0 {
		s.split()
		b = &s.open
	}
	b.lines = append(b.lines, line)
	b.size += len(line) + 1
}

// split closes a full block and opens the one in which it goes on.
func (s *scanner) split() {
	next := block{kind: s.open.kind, follows: true, mark: s.open.mark, number: s.open.number, inner: s.open.inner}
	switch {
	case next.kind == item && next.inner.sign != 0:
		next.lead = []string{strings.Repeat(" ", next.mark.content) +
			strings.Repeat(string(next.inner.sign), next.inner.length) + next.inner.info}
	case next.kind == paragraph && len(s.open.lead) > 0:
		next.lead = s.open.lead
	case next.kind == paragraph && len(s.open.lines) > 1 && delimiterRow(s.open.lines[1]):
		next.lead = s.open.lines[:2:2]
	}
	blank := s.blank
	s.close()
	s.open, s.live, s.blank = next, true, blank
}

// code adds a line to the open fence.
func (s *scanner) code(line string) {
	b := &s.open
	if len(b.lines) >= maxCodeLines || b.size > 0 && b.size+len(line) > maxCode {
		next := block{kind: fence, follows: true, fence: b.fence, lang: b.lang, context: b.lines}
		s.close()
		s.open, s.live = next, true
		b = &s.open
	}
	line = line[min(b.fence.indent, indentOf(line)):]
	b.lines = append(b.lines, line)
	b.size += len(line) + 1
}

// cutLine is how much of a line that is longer than maxLine makes a line of its
// own: up to the last space of it, else up to a whole character.
func cutLine(line string) int {
	if i := strings.LastIndexByte(line[maxLine/2:maxLine], ' '); i >= 0 {
		return maxLine/2 + i + 1
	}
	n := maxLine
	for n > maxLine-utf8.UTFMax && !utf8.RuneStart(line[n]) {
		n--
	}
	return n
}
