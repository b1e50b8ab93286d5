package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Wrap is untrusted text as clean lines of at most width cells. Lines break
// after spaces and hyphens, between CJK characters where their punctuation
// allows it, and inside a word only where it is longer than a line; never inside
// a grapheme cluster. Spaces at a break are dropped, those at the start of a
// line stay. It returns at least one line. A width below one is taken as one.
func Wrap(s string, width int) []string { return wrapStyled(Clean(s), width) }

// wrapStyled is Wrap for text that is clean already and may be styled. Each
// line switches off the styles that it switched on; the next begins with those
// that go on.
func wrapStyled(s string, width int) []string {
	w := wrapper{width: max(width, 1)}
	for line := range strings.SplitSeq(s, "\n") {
		w.line(line)
	}
	return w.lines
}

// wrapExact cuts clean text, which may be styled, at width cells and drops
// nothing: for code. A line ends after a space where that leaves no more than half
// of it empty, else inside a word.
func wrapExact(s string, width int) []string {
	w := wrapper{width: max(width, 1), exact: true}
	for line := range strings.SplitSeq(s, "\n") {
		w.line(line)
	}
	return w.lines
}

// piece is one grapheme cluster, or one style sequence of no width.
type piece struct {
	text  string
	width int
	class class
}

// class says what a piece is for the breaking of lines.
type class uint8

const (
	style  class = iota
	space        // a line may break after it
	letter       // letters and digits, which stay together
	hyphen       // a line may break after it, between letters
	joint        // where a word longer than a line is best broken
	ideograph
	opener // CJK: no break after it
	closer // CJK: no break before it
	other
)

type wrapper struct {
	width int
	exact bool // drop no space
	lines []string
	pen   []string // the style sequences in force after the pieces so far
}

// line breaks one line of the text.
func (w *wrapper) line(s string) {
	if len(w.pen) == 0 && len(s) <= w.width && isPlain(s) {
		w.lines = append(w.lines, s)
		return
	}
	pieces := split(s, w.width)
	for {
		end, next := fit(pieces, w.width, w.exact)
		w.emit(pieces[:end])
		for _, p := range pieces[end:next] {
			w.follow(p)
		}
		if pieces = pieces[next:]; len(pieces) == 0 {
			return
		}
	}
}

// fit says how many pieces the first line of ps shows, and with which the next
// line begins.
func fit(ps []piece, width int, exact bool) (end, next int) {
	used, breakAt, jointAt, spaceAt := 0, 0, 0, 0
	previous := -1
	for i, p := range ps {
		if p.class == style {
			continue
		}
		if previous >= 0 {
			if ps[previous].class == space && p.class != space && used*2 >= width {
				spaceAt = i
			}
			switch {
			case breaks(ps, previous, i):
				breakAt = i
			case ps[previous].class == joint && used*2 >= width:
				jointAt = i
			}
		}
		if used+p.width > width && (exact || p.class != space) && previous >= 0 {
			switch {
			case exact && spaceAt > 0 && !isSpace(ps[:spaceAt]):
				return spaceAt, spaceAt
			case exact:
				return i, i
			case breakAt > 0:
				return trimRight(ps, breakAt, width), breakAt
			case jointAt > 0:
				return jointAt, jointAt
			default:
				return trimRight(ps, i, width), i
			}
		}
		used += p.width
		previous = i
	}
	if used > width {
		return trimTo(ps, width), len(ps)
	}
	return len(ps), len(ps)
}

// isSpace tells whether pieces show nothing.
func isSpace(ps []piece) bool {
	for _, p := range ps {
		if p.class != space && p.class != style {
			return false
		}
	}
	return true
}

// breaks tells whether a line may end between the pieces at i and j.
func breaks(ps []piece, i, j int) bool {
	a, b := ps[i].class, ps[j].class
	switch {
	case b == space || a == opener || b == closer:
		return false
	case a == space:
		return true
	case a == hyphen:
		return b == letter && i > 0 && before(ps, i) == letter && !digit(ps[j].text)
	case a == ideograph || b == ideograph || a == closer:
		return true
	}
	return false
}

// before is the class of the piece before the one at i.
func before(ps []piece, i int) class {
	for i--; i >= 0; i-- {
		if ps[i].class != style {
			return ps[i].class
		}
	}
	return style
}

func digit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

// trimRight is the end of the pieces before i without the spaces at their end.
// Where there are only spaces, those stay that fit.
func trimRight(ps []piece, i, width int) int {
	end := i
	for end > 0 && (ps[end-1].class == space || ps[end-1].class == style) {
		end--
	}
	if end == 0 {
		return trimTo(ps[:i], width)
	}
	return end
}

// trimTo is how many pieces fit into width when only spaces at the end don't.
func trimTo(ps []piece, width int) int {
	used := 0
	for i, p := range ps {
		if used+p.width > width {
			return i
		}
		used += p.width
	}
	return len(ps)
}

// emit writes the pieces as a line. A style is written when something visible
// follows it.
func (w *wrapper) emit(ps []piece) {
	var b strings.Builder
	first, on, stale := true, false, len(w.pen) > 0
	for _, p := range ps {
		if p.class == style {
			w.follow(p)
			stale = true
			continue
		}
		if stale {
			if on {
				b.WriteString(ansi.ResetStyle)
			}
			for _, sequence := range w.pen {
				b.WriteString(sequence)
			}
			on, stale = len(w.pen) > 0, false
		}
		if first && p.width == 0 {
			b.WriteString("\u00a0")
		}
		first = false
		b.WriteString(p.text)
	}
	if on {
		b.WriteString(ansi.ResetStyle)
	}
	w.lines = append(w.lines, b.String())
}

// follow keeps account of the styles in force.
func (w *wrapper) follow(p piece) {
	switch {
	case p.class != style:
	case p.text == "\x1b[m" || p.text == "\x1b[0m":
		w.pen = w.pen[:0]
	default:
		w.pen = append(w.pen, p.text)
	}
}

// split cuts a line into pieces. A cluster wider than the whole line becomes a
// replacement character, since no line could hold it.
func split(s string, width int) []piece {
	ps := make([]piece, 0, len(s))
	for s != "" {
		p := firstPiece(s)
		s = s[len(p.text):]
		if p.width > width {
			p = piece{text: "\ufffd", width: 1, class: other}
		}
		ps = append(ps, p)
	}
	return ps
}

// firstPiece is what s begins with.
func firstPiece(s string) piece {
	if s[0] == 0x1b {
		return piece{text: s[:escapeLength(s)], class: style}
	}
	cluster, w := ansi.FirstGraphemeCluster(s, method())
	if cluster == "" {
		cluster = s[:1]
	}
	return piece{text: cluster, width: w, class: classify(cluster, w)}
}

// escapeLength is the length of the escape sequence that s begins with. Clean
// text has none but our own styles.
func escapeLength(s string) int {
	if len(s) > 1 && s[1] == '[' {
		if n, _ := controlSequence(s[1:]); n > 0 {
			return n + 1
		}
	}
	return 1
}

// Punctuation that may not begin or end a line, after JIS X 4051.
const (
	lineClosers = "、。，．・：；？！）］｝」』】〕〉》〙〗〟々ーぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶ…‥｡｣､･"
	lineOpeners = "（［｛「『【〔〈《〘〖〝｢"
)

func classify(cluster string, width int) class {
	if len(cluster) == 1 {
		switch c := cluster[0]; {
		case c == ' ':
			return space
		case c == '-':
			return hyphen
		case c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			return letter
		case strings.IndexByte("/_.,;:&?=|\\@", c) >= 0:
			return joint
		}
		return other
	}
	r, n := utf8.DecodeRuneInString(cluster)
	switch {
	case r == '\u00a0' || r == '\u202f' || unicode.IsSpace(r) && n < len(cluster):
		return other // it holds words together, or it carries a mark
	case unicode.IsSpace(r):
		return space
	case strings.ContainsRune(lineClosers, r):
		return closer
	case strings.ContainsRune(lineOpeners, r):
		return opener
	case width == 2 && !unicode.Is(unicode.Hangul, r):
		return ideograph
	case unicode.IsLetter(r) || unicode.IsDigit(r):
		return letter
	}
	return other
}
