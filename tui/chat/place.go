package chat

import (
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// A place in an item is told by the letters and digits drawn before it: they
// are the same at every width, whatever is broken, indented or ruled between
// them.

func letters(line string) int {
	n := 0
	for _, r := range ansi.Strip(line) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// placeOf turns a row into a place.
func (t *transcript) placeOf(s spot) place {
	p := place{item: s.item}
	for _, line := range t.lines(s.item)[:s.row] {
		n := letters(line)
		p.letters += n
		if n > 0 {
			p.tie = 0
		} else {
			p.tie++
		}
	}
	return p
}

// spotOf finds the row in which a place lies.
func (t *transcript) spotOf(p place) spot {
	if p.item >= len(t.items) {
		return spot{len(t.items), 0}
	}
	count, tie := 0, 0
	lines := t.lines(p.item)
	for row, line := range lines {
		n := letters(line)
		switch {
		case count == p.letters && (tie == p.tie || n > 0):
			return spot{p.item, row}
		case count+n > p.letters:
			return spot{p.item, row}
		}
		count += n
		if n > 0 {
			tie = 0
		} else {
			tie++
		}
	}
	return spot{p.item, max(0, len(lines)-1)}
}
