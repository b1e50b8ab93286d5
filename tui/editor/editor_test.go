package editor

import (
	"math/rand/v2"
	"strings"
	"testing"

	"reverie/tui/keys"
	"reverie/tui/render"
)

func edited(text string, acts ...keys.Action) *Editor {
	var e Editor
	e.Insert(text)
	for _, a := range acts {
		e.Do(a)
	}
	return &e
}

func TestEditingKeysDoWhatReadlineDoes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		acts       []keys.Action
		typed      string
		want       string
	}{
		{"typing goes on at the cursor", "ac", []keys.Action{keys.Left}, "b", "abc"},
		{"a word back", "one two", []keys.Action{keys.WordLeft}, "x", "one xtwo"},
		{"two words back", "one two", []keys.Action{keys.WordLeft, keys.WordLeft}, "x", "xone two"},
		{"a word on", "one two", []keys.Action{keys.LineStart, keys.WordRight}, "x", "onex two"},
		{"the start of the line", "one\ntwo", []keys.Action{keys.LineStart}, "x", "one\nxtwo"},
		{"the end of the line", "one\ntwo", []keys.Action{keys.LineStart, keys.Left, keys.LineStart, keys.LineEnd}, "x", "onex\ntwo"},
		{"cut a word", "cut a/b.c", []keys.Action{keys.DeleteWordL}, "", "cut "},
		{"cut a word and put it back twice", "ab cd", []keys.Action{keys.DeleteWordL, keys.Yank, keys.Yank}, "", "ab cdcd"},
		{"cut to the start", "one two", []keys.Action{keys.WordLeft, keys.DeleteToHead}, "", "two"},
		{"cut to the end", "one two", []keys.Action{keys.WordLeft, keys.DeleteToEnd}, "", "one "},
		{"cut the newline at the end of a line", "a\nb", []keys.Action{keys.Left, keys.Left, keys.DeleteToEnd}, "", "ab"},
		{"cut the next word", "one two", []keys.Action{keys.LineStart, keys.DeleteWordR}, "", " two"},
		{"swap at the end", "teh", []keys.Action{keys.Transpose}, "", "the"},
		{"swap in the middle", "hte", []keys.Action{keys.LineStart, keys.Right, keys.Transpose}, "", "the"},
		{"delete a whole cluster", "ae\u0301", []keys.Action{keys.DeleteBack}, "", "a"},
		{"delete a whole emoji", "a👩‍👩‍👧‍👦", []keys.Action{keys.DeleteBack}, "", "a"},
		{"undo takes typing back as one", "abc", []keys.Action{keys.UndoEdit}, "", ""},
		{"undo a cut", "one two", []keys.Action{keys.DeleteWordL, keys.UndoEdit}, "", "one two"},
		{"a new line", "ab", []keys.Action{keys.Left, keys.Newline}, "", "a\nb"},
	} {
		e := edited(c.text, c.acts...)
		e.Insert(c.typed)
		if got := e.Text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestALargePasteIsOneItemThatCanBeOpened(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("\tif x { return }\n", 5_000)
	var e Editor
	e.Insert("look: ")
	e.Paste(strings.ReplaceAll(text, "\n", "\r"))
	e.Insert(" end")
	lines, _, _ := e.View(80, 10, nil)
	if len(lines) != 1 || !strings.Contains(lines[0], "[paste 1: 5000 lines, 83 KiB]") {
		t.Fatalf("shown as %q", lines)
	}
	if got := e.Text(); got != "look: "+text+" end" {
		t.Fatal("the text is not what was pasted")
	}
	if !e.OpenPaste() || e.Text() != "look: "+text+" end" {
		t.Fatal("opening it changed the text")
	}
	if n := e.Rows(80); n != 5_001 {
		t.Errorf("opened, it has %d rows", n)
	}
	e.Undo()
	if e.Rows(80) != 1 {
		t.Error("undo does not fold it again")
	}
	e.Backspace()
	e.Backspace()
	e.Backspace()
	e.Backspace()
	e.Backspace()
	if e.Text() != "look: " {
		t.Errorf("deleting the item leaves %q", e.Text())
	}
}

func TestControlCharactersOfAPasteDoNotReachTheText(t *testing.T) {
	t.Parallel()
	var e Editor
	e.Paste("a\x1b[31mb\x00\r\nc\td\xff")
	if got := e.Text(); got != "a[31mb\nc\td" {
		t.Errorf("%q", got)
	}
}

func TestUpAndDownKeepTheColumnAndStopAtTheEnds(t *testing.T) {
	t.Parallel()
	var e Editor
	e.Insert("a long first line\nb\nanother long line")
	for range 2 {
		if !e.Up(80) {
			t.Fatal("there are rows above")
		}
	}
	if e.Up(80) {
		t.Fatal("there is none above the first")
	}
	if got := e.Before(); got != "a long first line" {
		t.Errorf("the column is lost: %q", got)
	}
	e.Down(80)
	e.Down(80)
	if e.Down(80) || !e.AtEnd() {
		t.Error("the last row is not the end")
	}
}

// Whatever is done, the rows shown fit, the cursor is within them, and no text
// appears or vanishes.
func TestWhatIsShownAlwaysFits(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", "word ", "\n", "漢字", "👩‍👩‍👧‍👦", "e\u0301", "\t", "שלום", " ", "averyveryverylongwordindeed", "\u0301"}
	acts := []keys.Action{keys.Left, keys.Right, keys.WordLeft, keys.WordRight, keys.LineStart, keys.LineEnd, keys.DeleteBack,
		keys.Delete, keys.DeleteWordL, keys.DeleteWordR, keys.DeleteToEnd, keys.DeleteToHead, keys.Yank, keys.Transpose, keys.UndoEdit, keys.OpenPaste}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		var e Editor
		for range 120 {
			switch r.IntN(4) {
			case 0, 1:
				e.Insert(pieces[r.IntN(len(pieces))])
			case 2:
				e.Do(acts[r.IntN(len(acts))])
			default:
				if r.IntN(4) == 0 {
					e.Paste(strings.Repeat("line\n", 1+r.IntN(30)))
				} else if r.IntN(2) == 0 {
					e.Up(20)
				} else {
					e.Down(20)
				}
			}
			width, limit := 3+r.IntN(40), 1+r.IntN(6)
			lines, x, y := e.View(width, limit, nil)
			if len(lines) > limit || y < 0 || y >= len(lines) || x < 0 || x >= width {
				t.Fatalf("seed %d: %d lines of %d, cursor %d,%d of width %d", seed, len(lines), limit, x, y, width)
			}
			for _, l := range lines {
				if render.Width(l) > width {
					t.Fatalf("seed %d: %q is wider than %d", seed, l, width)
				}
			}
			if e.Before()+join(e.cells[e.at:]) != e.Text() {
				t.Fatalf("seed %d: the cursor is not in the text", seed)
			}
		}
	}
}
