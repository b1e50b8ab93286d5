package editor

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Left and Right move by one character.
func (e *Editor) Left() { e.moveTo(e.at - 1) }

// Right moves one character to the right.
func (e *Editor) Right() { e.moveTo(e.at + 1) }

// WordLeft and WordRight move by one word of letters and digits.
func (e *Editor) WordLeft() { e.moveTo(e.wordLeft()) }

// WordRight moves to the end of the word at or after the cursor.
func (e *Editor) WordRight() { e.moveTo(e.wordRight()) }

// Start moves to the start of the line, End to its end.
func (e *Editor) Start() { e.moveTo(e.lineStart()) }

// End moves to the end of the line.
func (e *Editor) End() { e.moveTo(e.lineEnd()) }

// ToEnd moves behind everything.
func (e *Editor) ToEnd() { e.moveTo(len(e.cells)) }

func (e *Editor) moveTo(at int) {
	e.at = min(max(at, 0), len(e.cells))
	e.typing = false
	e.goal = 0
}

// Backspace deletes the character before the cursor, Delete the one after it.
func (e *Editor) Backspace() {
	if e.at > 0 {
		e.remove(e.at-1, e.at, false)
	}
}

// Delete deletes the character after the cursor.
func (e *Editor) Delete() {
	if e.at < len(e.cells) {
		e.remove(e.at, e.at+1, false)
	}
}

// CutWordLeft and the other cuts keep what they take for Yank.
func (e *Editor) CutWordLeft() { e.remove(e.spaceLeft(), e.at, true) }

// CutWordRight cuts to the end of the word.
func (e *Editor) CutWordRight() { e.remove(e.at, e.wordRight(), true) }

// CutToStart cuts to the start of the line.
func (e *Editor) CutToStart() { e.remove(e.lineStart(), e.at, true) }

// CutToEnd cuts to the end of the line, or, standing there, the newline.
func (e *Editor) CutToEnd() {
	end := e.lineEnd()
	if end == e.at && end < len(e.cells) {
		end++
	}
	e.remove(e.at, end, true)
}

// Yank puts back what was cut last.
func (e *Editor) Yank() {
	if len(e.cut) == 0 {
		return
	}
	e.save(false)
	e.cells = slices.Insert(e.cells, e.at, e.cut...)
	e.at += len(e.cut)
	e.changed()
}

// Transpose swaps the characters around the cursor; at the end of a line, the
// last two.
func (e *Editor) Transpose() {
	i := e.at
	if i == e.lineEnd() {
		i--
	}
	if i < 1 || i >= len(e.cells) || !joins(e.cells[i]) || !joins(e.cells[i-1]) {
		return
	}
	e.save(false)
	e.cells[i-1], e.cells[i] = e.cells[i], e.cells[i-1]
	e.at = i + 1
	e.changed()
}

func (e *Editor) remove(from, to int, keep bool) {
	if from >= to {
		return
	}
	e.save(false)
	if keep {
		e.cut = slices.Clone(e.cells[from:to])
	}
	e.cells = slices.Delete(e.cells, from, to)
	e.at = from
	e.changed()
}

func (e *Editor) lineStart() int {
	i := e.at
	for i > 0 && e.cells[i-1].text != "\n" {
		i--
	}
	return i
}

func (e *Editor) lineEnd() int {
	i := e.at
	for i < len(e.cells) && e.cells[i].text != "\n" {
		i++
	}
	return i
}

func (e *Editor) wordLeft() int {
	i := e.at
	for i > 0 && !word(e.cells[i-1]) {
		i--
	}
	for i > 0 && word(e.cells[i-1]) {
		i--
	}
	return i
}

func (e *Editor) wordRight() int {
	i := e.at
	for i < len(e.cells) && !word(e.cells[i]) {
		i++
	}
	for i < len(e.cells) && word(e.cells[i]) {
		i++
	}
	return i
}

// spaceLeft is where the word ends that only white space bounds, as ^W cuts.
func (e *Editor) spaceLeft() int {
	i := e.at
	for i > 0 && space(e.cells[i-1]) {
		i--
	}
	for i > 0 && !space(e.cells[i-1]) {
		i--
	}
	return i
}

func word(c cell) bool {
	r, _ := utf8.DecodeRuneInString(c.text)
	return c.fold == 0 && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}

func space(c cell) bool {
	r, _ := utf8.DecodeRuneInString(c.text)
	return c.fold == 0 && unicode.IsSpace(r)
}
