// Package editor is the text being typed: a line editor over several lines with
// readline's moves, one level of cut and paste, undo, and large pastes folded
// into a single item. It knows nothing of keys and screens beyond a width; what
// it shows is plain text made safe.
//
// It is not the textarea of a component library because those turn tabs of
// pasted code into spaces, delete half of a combined character, and can't hold
// a folded paste.
package editor

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// A paste of more than so many lines or bytes is folded.
const (
	foldLines = 12
	foldBytes = 2 << 10
)

// cell is what the cursor moves over: one grapheme cluster, a newline, or a
// folded paste.
type cell struct {
	text string
	fold int // number of the folded paste, 0 for none; text is then all of it
}

// Editor is the text and the cursor. The zero value is empty and ready.
type Editor struct {
	cells []cell
	at    int // the cursor stands before cells[at]
	cut   []cell
	folds int // how many pastes were folded so far
	goal  int // column that moves up and down aim for, plus one; 0 for the present one

	past   []snapshot
	typing bool // the last change was typing, which undo takes back as one
	rev    int

	lay layout
	top int // first row shown
}

type snapshot struct {
	cells []cell
	at    int
}

// Draft is a text with its folded pastes and cursor, to be put back later.
type Draft struct{ s snapshot }

// Empty reports whether there is no text.
func (e *Editor) Empty() bool { return len(e.cells) == 0 }

// Text is the whole text, folded pastes opened.
func (e *Editor) Text() string { return join(e.cells) }

// Before is the text in front of the cursor.
func (e *Editor) Before() string { return join(e.cells[:e.at]) }

// AtEnd reports whether the cursor stands behind everything.
func (e *Editor) AtEnd() bool { return e.at == len(e.cells) }

func join(cells []cell) string {
	var b strings.Builder
	for _, c := range cells {
		b.WriteString(c.text)
	}
	return b.String()
}

// Draft returns the present state, Restore puts one back.
func (e *Editor) Draft() Draft { return Draft{snapshot{slices.Clone(e.cells), e.at}} }

// Restore puts a state back, which undo can take back in turn.
func (e *Editor) Restore(d Draft) {
	e.save(false)
	e.cells, e.at = slices.Clone(d.s.cells), d.s.at
	e.changed()
}

// Set replaces everything and puts the cursor at the end.
func (e *Editor) Set(text string) {
	e.save(false)
	e.cells = split(clean(text))
	e.at = len(e.cells)
	e.changed()
}

// Clear empties the editor and forgets what undo could bring back.
func (e *Editor) Clear() {
	e.cells, e.at, e.past, e.typing = nil, 0, nil, false
	e.changed()
}

func (e *Editor) changed() {
	e.rev++
	e.goal = 0
}

// save keeps the present state for undo. A run of typing is one step.
func (e *Editor) save(typing bool) {
	if typing && e.typing {
		return
	}
	e.typing = typing
	const keep = 100
	total := 0
	for _, s := range e.past {
		total += len(s.cells)
	}
	for len(e.past) > 0 && (len(e.past) >= keep || total > 1<<20) {
		total -= len(e.past[0].cells)
		e.past = e.past[1:]
	}
	e.past = append(e.past, snapshot{slices.Clone(e.cells), e.at})
}

// Undo takes back the last change.
func (e *Editor) Undo() {
	if len(e.past) == 0 {
		return
	}
	last := e.past[len(e.past)-1]
	e.past = e.past[:len(e.past)-1]
	e.cells, e.at, e.typing = last.cells, last.at, false
	e.changed()
}

// Insert puts typed text at the cursor.
func (e *Editor) Insert(text string) {
	text = clean(text)
	if text == "" {
		return
	}
	e.save(text != "\n")
	e.insert(text)
}

// Paste puts pasted text at the cursor, folded where it is large.
func (e *Editor) Paste(text string) {
	text = clean(text)
	if text == "" {
		return
	}
	e.save(false)
	if strings.Count(text, "\n") < foldLines && len(text) <= foldBytes {
		e.insert(text)
		return
	}
	e.folds++
	e.cells = slices.Insert(e.cells, e.at, cell{text: text, fold: e.folds})
	e.at++
	e.changed()
}

// OpenPaste replaces the folded paste at the cursor, or else the last one, by
// its text. It reports whether there was one.
func (e *Editor) OpenPaste() bool {
	i := e.foldNear()
	if i < 0 {
		return false
	}
	e.save(false)
	inner := split(e.cells[i].text)
	e.cells = slices.Replace(e.cells, i, i+1, inner...)
	if e.at > i {
		e.at += len(inner) - 1
	}
	e.changed()
	return true
}

func (e *Editor) foldNear() int {
	for _, i := range []int{e.at, e.at - 1} {
		if i >= 0 && i < len(e.cells) && e.cells[i].fold > 0 {
			return i
		}
	}
	for i := len(e.cells) - 1; i >= 0; i-- {
		if e.cells[i].fold > 0 {
			return i
		}
	}
	return -1
}

// insert joins text with its neighbours where they make one cluster together.
func (e *Editor) insert(text string) {
	from, to := e.at, e.at
	before, after := "", ""
	if from > 0 && joins(e.cells[from-1]) {
		from--
		before = e.cells[from].text
	}
	if to < len(e.cells) && joins(e.cells[to]) {
		after = e.cells[to].text
		to++
	}
	cells := split(before + text + after)
	e.at = from
	for n := 0; e.at-from < len(cells) && n < len(before)+len(text); e.at++ {
		n += len(cells[e.at-from].text)
	}
	e.cells = slices.Replace(e.cells, from, to, cells...)
	e.changed()
}

func joins(c cell) bool { return c.fold == 0 && c.text != "\n" }

func split(text string) []cell {
	cells := make([]cell, 0, len(text))
	for g := graphemes.FromString(text); g.Next(); {
		cells = append(cells, cell{text: g.Value()})
	}
	return cells
}

// clean makes line ends uniform and drops control characters other than
// newline and tab, and bytes that are no UTF-8.
func clean(s string) string {
	s = lineEnds.Replace(s)
	ok := true
	for _, r := range s {
		if drop(r) {
			ok = false
			break
		}
	}
	if ok {
		return s
	}
	return strings.Map(func(r rune) rune {
		if drop(r) {
			return -1
		}
		return r
	}, s)
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n")

func drop(r rune) bool {
	return r == utf8.RuneError || r != '\n' && r != '\t' && unicode.IsControl(r)
}

// label is what a folded paste looks like.
func (c cell) label() string {
	lines := strings.Count(strings.TrimSuffix(c.text, "\n"), "\n") + 1
	size := fmt.Sprintf("%d bytes", len(c.text))
	if len(c.text) >= 1<<10 {
		size = fmt.Sprintf("%d KiB", (len(c.text)+512)>>10)
	}
	return fmt.Sprintf("[paste %d: %d lines, %s]", c.fold, lines, size)
}
