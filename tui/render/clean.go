// Package render makes text fit for a terminal: untrusted text made safe, cut
// and wrapped to a width in cells, Markdown, differences, ages.
//
// Everything that did not come from our own code (what a model, a tool, memory,
// a file or a paste says) goes through here before a terminal sees it. What
// comes out holds no control character but the newline, and no escape sequence
// but the colours and attributes that the theme puts there, each line switching
// off what it switched on. So no text can move the cursor, reach the clipboard
// or leave a mode behind, whatever it holds.
//
// Nothing here makes a link clickable: a terminal finds addresses by itself, and
// then a person sees what they open.
//
// Right-to-left text is put out in its logical order without directional
// controls: those take no cell, so in a grid of cells they would be lost or end
// up in a neighbour's. A terminal that reorders a row by itself can be told not
// to (ECMA-48's CSI 8 l); that is for whoever owns the screen.
//
// It leaves layout, focus and scrolling to the panes, and colours to theme.
package render

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

const (
	// tabStop is how many cells a tab advances to. CommonMark has the same.
	tabStop = 4
	// maxMarks is how many combining marks a character keeps. Vietnamese needs
	// two, Hebrew with cantillation four, Tibetan five.
	maxMarks = 6
	// maxJoins is how many joiners one emoji sequence keeps; the longest
	// recommended ones have four.
	maxJoins = 6
	// maxCluster is how many code points make one character on the screen.
	// Terminals that count code points would give a longer one many cells where
	// others give it two.
	maxCluster = 24
)

// Clean is untrusted text made safe for a terminal. It may have several lines.
//
//   - A colour or attribute sequence (SGR) is dropped. Any other complete escape
//     sequence, be it CSI, OSC, DCS, APC, PM, SOS or a short one, becomes one ␛,
//     so that a reader sees that something was there. An incomplete sequence
//     loses its introducer to a ␛ and its rest is plain text: nothing can hide
//     what follows it. A sequence ends at the latest with its line.
//   - Other C0 controls become their pictures (␀, ␇, ␈ …), DEL becomes ␡; C1
//     controls, non-characters and bytes that are not UTF-8 become U+FFFD, and so
//     do the number signs of Arabic and the like, to which terminals give any
//     width from none to two.
//   - CRLF, a lone CR, and the line and paragraph separators are newlines; tabs
//     are spaces up to the next multiple of four cells.
//   - Directional controls, zero-width spaces, tags, fillers, byte order marks,
//     annotation controls and all other characters that show nothing are dropped.
//     Joiners stay between emoji and in scripts that need them, variation
//     selectors after characters that have variants.
//   - A character keeps up to six combining marks; a mark with nothing before it
//     on its line gets a no-break space to stand on, so that it can't settle in
//     the cell left of it.
//
// Cleaning what is clean changes nothing.
func Clean(s string) string {
	if isPlain(s) {
		return s
	}
	c := cleaner{source: s}
	c.out.Grow(len(s))
	c.run()
	return limitClusters(c.out.String())
}

// Reveal is Clean for text that someone is about to approve: what Clean drops
// or replaces is spelled out, as in ⟨U+202E⟩ or ⟨0xFF⟩ for a byte that is no
// UTF-8, and the text of escape sequences stays readable.
func Reveal(s string) string {
	if isPlain(s) {
		return s
	}
	c := cleaner{source: s, reveal: true}
	c.out.Grow(len(s))
	c.run()
	return limitClusters(c.out.String())
}

// limitClusters cuts up grapheme clusters of more than maxCluster code points.
func limitClusters(s string) string {
	var b strings.Builder
	kept := 0 // how much of s is in b
	for g := graphemes.FromString(s); g.Next(); {
		if len(g.Value()) <= maxCluster || utf8.RuneCountInString(g.Value()) <= maxCluster {
			continue
		}
		n := 0
		for i := range g.Value() {
			// A little less than the limit, so that a part together with its
			// mark is within it.
			if n++; n%(maxCluster-4) == 0 {
				b.WriteString(s[kept:g.Start()+i] + string(utf8.RuneError))
				kept = g.Start() + i
			}
		}
	}
	if kept == 0 {
		return s
	}
	return b.String() + s[kept:]
}

// isPlain tells whether s is only printable ASCII and newlines.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && c != '\n') || c > '~' {
			return false
		}
	}
	return true
}

// cleaner walks once over the source.
type cleaner struct {
	source string
	reveal bool
	out    strings.Builder

	previous rune // the last rune written; a newline at the start
	marks    int  // combining marks written since the last base
	joins    int  // joiners written in the current emoji sequence

	column     int // cells of the current line up to columnEnd
	columnFrom int // where in out the part begins that column does not count yet
}

func (c *cleaner) run() {
	c.previous = '\n'
	for i := 0; i < len(c.source); {
		b := c.source[i]
		switch {
		case b >= ' ' && b <= '~':
			j := i + 1
			for j < len(c.source) && c.source[j] >= ' ' && c.source[j] <= '~' {
				j++
			}
			c.out.WriteString(c.source[i:j])
			c.previous, c.marks, c.joins = rune(c.source[j-1]), 0, 0
			i = j
		case b < ' ' || b == 0x7f:
			i += c.control(i)
		default:
			r, n := utf8.DecodeRuneInString(c.source[i:])
			if r == utf8.RuneError && n == 1 {
				c.badByte(b)
				i++
				continue
			}
			i += c.rune(r, i, n)
		}
	}
}

// control takes the C0 control at i and says how many bytes it took.
func (c *cleaner) control(i int) int {
	switch b := c.source[i]; b {
	case '\n':
		c.newline()
	case '\r':
		// A CR of CRLF leaves the newline to its LF.
		if i+1 >= len(c.source) || c.source[i+1] != '\n' {
			c.newline()
		}
	case '\t':
		c.tab()
	case 0x1b:
		if c.reveal {
			c.spell(0x1b)
			return 1
		}
		return c.sequence(i, 1)
	case 0x7f:
		c.replace(0x7f, '␡')
	default:
		c.replace(rune(b), '␀'+rune(b))
	}
	return 1
}

// rune takes the rune r of n bytes at i and says how many bytes it took.
func (c *cleaner) rune(r rune, i, n int) int {
	switch {
	case r <= 0x9f:
		if !c.reveal && introduces(r) != 0 {
			return c.sequence(i, n)
		}
		c.replace(r, utf8.RuneError)
	case r == '\u2028' || r == '\u2029':
		if c.reveal {
			c.spell(r)
		}
		c.newline()
	case hidden(r):
		if c.reveal {
			c.spell(r)
		}
	case r == zwj || r == zwnj || unicode.Is(unicode.Variation_Selector, r):
		next, _ := utf8.DecodeRuneInString(c.source[i+n:])
		switch {
		case c.keepsInvisible(r, next):
			c.write(r)
		case c.reveal:
			c.spell(r)
		}
	case unicode.Is(unicode.M, r):
		c.mark(r)
	case nonCharacter(r) || unicode.Is(unicode.Cf, r):
		c.replace(r, utf8.RuneError)
	default:
		if c.previous != zwj {
			c.joins = 0
		}
		c.write(r)
		c.marks = 0
	}
	return n
}

func (c *cleaner) write(r rune) {
	c.out.WriteRune(r)
	c.previous = r
}

// replace writes what stands for r, or spells r out.
func (c *cleaner) replace(r, by rune) {
	if c.reveal {
		c.spell(r)
		return
	}
	c.write(by)
	c.marks, c.joins = 0, 0
}

// spell writes the number of r between brackets that no text needs.
func (c *cleaner) spell(r rune) {
	c.out.WriteString("⟨U+")
	c.hex(uint32(r), 4)
	c.write('⟩')
	c.marks, c.joins = 0, 0
}

func (c *cleaner) badByte(b byte) {
	c.marks, c.joins = 0, 0
	if !c.reveal {
		c.write(utf8.RuneError)
		return
	}
	c.out.WriteString("⟨0x")
	c.hex(uint32(b), 2)
	c.write('⟩')
}

func (c *cleaner) hex(n uint32, least int) {
	const digits = "0123456789ABCDEF"
	length := least
	for n>>(4*length) != 0 {
		length++
	}
	for length--; length >= 0; length-- {
		c.out.WriteByte(digits[n>>(4*length)&15])
	}
}

func (c *cleaner) newline() {
	c.write('\n')
	c.marks, c.joins = 0, 0
	c.column, c.columnFrom = 0, c.out.Len()
}

func (c *cleaner) tab() {
	c.column += Width(c.out.String()[c.columnFrom:])
	spaces := tabStop - c.column%tabStop
	for range spaces {
		c.write(' ')
	}
	c.column += spaces
	c.columnFrom = c.out.Len()
	c.marks, c.joins = 0, 0
}

// mark writes a combining mark unless its base has enough of them.
func (c *cleaner) mark(r rune) {
	if c.previous == '\n' {
		c.write('\u00a0')
	}
	if c.marks++; c.marks > maxMarks {
		if c.reveal {
			c.spell(r)
		}
		return
	}
	c.write(r)
}

// keepsInvisible tells whether a joiner or variation selector does something
// between what was written last and next.
func (c *cleaner) keepsInvisible(r, next rune) bool {
	switch {
	case r == zwj && pictographic(next) && (pictographic(c.previous) || c.previous == vs16 || skinTone(c.previous)):
		c.joins++
		return c.joins <= maxJoins
	case r == zwj || r == zwnj:
		return joining(c.previous) && joining(next)
	case r == vs15 || r == vs16:
		return pictographic(c.previous) || keycap(c.previous)
	case r >= 0xe0100:
		return unicode.Is(unicode.Han, c.previous)
	case r >= 0xfe00:
		return c.previous > 0x7f && unicode.In(c.previous, unicode.S, unicode.Lo, unicode.P)
	default: // Mongolian's own selectors
		return unicode.Is(unicode.Mongolian, c.previous) && unicode.IsLetter(c.previous)
	}
}
