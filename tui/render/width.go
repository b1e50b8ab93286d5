package render

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// ellipsis ends a line that was cut, where no theme says otherwise.
const ellipsis = "…"

// byCodePoint says that the terminal gives each code point cells of its own.
var byCodePoint atomic.Bool

// Graphemes says how the terminal counts cells, which is a property of the one
// terminal that a process has: by grapheme clusters, as those with mode 2027 do
// and as is taken for granted here, or code point by code point, as xterm, tmux
// and screen do, to which an emoji family is eight cells wide and not two. Whoever
// owns the screen asks the terminal, tells it here, and renders again: text that
// was measured the other way would push what stands beside it.
func Graphemes(on bool) { byCodePoint.Store(!on) }

func method() ansi.Method {
	if byCodePoint.Load() {
		return ansi.WcWidth
	}
	return ansi.GraphemeWidth
}

// Width is how many cells s takes; colours take none. A text of several lines is
// measured as if it were one.
func Width(s string) int { return method().StringWidth(s) }

// Line is untrusted text as one clean line of at most width cells. Newlines
// and runs of spaces become one space; what does not fit ends with "…", after a
// whole word where that leaves no more than a third of the line empty.
func Line(s string, width int) string { return LineTail(s, width, ellipsis) }

// LineTail is Line with a mark of its own for what was cut, such as a theme's
// Glyphs.Ellipsis.
func LineTail(s string, width int, tail string) string {
	if width <= 0 {
		return ""
	}
	// No more than this much of a huge text is looked at. Whoever fills it
	// with characters that show nothing has said nothing worth a line.
	more := false
	if limit := 16*width + 4096; len(s) > limit {
		for limit > 0 && !utf8.RuneStart(s[limit]) {
			limit--
		}
		s, more = s[:limit], true
	}
	// A no-break space is none here: it may hold a mark.
	fields := strings.FieldsFunc(Clean(s), func(r rune) bool { return r == ' ' || r == '\n' })
	line := steady(strings.Join(fields, " "))
	if more {
		line += tail
	}
	short := cut(line, width, tail)
	if short == line {
		return line
	}
	kept := strings.TrimSuffix(short, tail)
	if i := strings.LastIndexByte(kept, ' '); i > 0 && Width(kept[:i]) >= width*2/3 && !strings.HasPrefix(line[len(kept):], " ") {
		return kept[:i+1] + tail
	}
	return short
}

// Fit is s at exactly width cells: cut with "…" or padded with spaces. It takes
// text that is clean already and may be styled; the styles end with it.
func Fit(s string, width int) string { return Pad(Truncate(s, width), width) }

// Truncate is s in at most width cells, with "…" where something was cut. It
// takes clean text that may be styled.
func Truncate(s string, width int) string {
	if width <= 0 {
		return ""
	}
	return cut(s, width, ellipsis)
}

// Pad is s with spaces up to width cells. What is wider stays as it is.
func Pad(s string, width int) string {
	if missing := width - Width(s); missing > 0 {
		return s + strings.Repeat(" ", missing)
	}
	return s
}

// cut shortens s to width cells, ending with tail where something was cut.
func cut(s string, width int, tail string) string {
	if Width(s) <= width {
		return s
	}
	if Width(tail) > width {
		tail = ""
	}
	room := width - Width(tail)
	end, on := 0, false
	for end < len(s) {
		p := firstPiece(s[end:])
		if room -= p.width; room < 0 {
			break
		}
		if p.class == style {
			on = p.text != ansi.ResetStyle
		}
		end += len(p.text)
	}
	if on {
		tail += ansi.ResetStyle
	}
	return s[:end] + tail
}

// steady puts something to stand on before a line that begins with a character
// of no width, which a terminal would put into the cell left of it.
func steady(line string) string {
	if line == "" || line[0] < 0x80 {
		return line
	}
	if _, w := ansi.FirstGraphemeCluster(line, method()); w == 0 {
		return "\u00a0" + line
	}
	return line
}
