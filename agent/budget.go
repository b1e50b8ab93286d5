package agent

import (
	"cmp"
	"slices"

	"reverie/agent/model"
)

// Budgets of what a request carries of the memory, in bytes of the rendered
// lines and marks; headings and the closing line that counts what is left out
// come on top. A model whose window is known to be small gets less, so that the
// memory leaves room for the conversation.
const (
	maxIndexLines = 200
	maxIndexBytes = 32 << 10
	indexFrame    = 160     // bytes of its heading and of the line that says what is left out
	maxFactBytes  = 8 << 10 // of user facts, of notes, and of matches
	maxRecall     = 5
	maxChanges    = 50
	maxChangeText = 8 << 10
)

// indexBudget is how many bytes of index a model gets: at most one for each
// token of its window, which is about a third of it.
func indexBudget(m model.Model) int { return within(m, maxIndexBytes, 1) }

// pieceBudget is the same for each of the user facts, the notes and the matches
// of auto recall, of which each may have about a twelfth.
func pieceBudget(m model.Model) int { return within(m, maxFactBytes, 4) }

func within(m model.Model, most, share int) int {
	if m == nil || m.Window() <= 0 {
		return most
	}
	return min(most, m.Window()/share)
}

// line is one rendered piece of memory.
type line struct {
	ref  Ref
	text string
}

// fitNewest keeps, of lines given newest first, the longest run from the
// start that has at most count lines and size bytes.
func fitNewest(lines []line, count, size int) (kept []line, left int) {
	total := 0
	for i, l := range lines {
		total += len(l.text)
		if i == count || total > size {
			return lines[:i], len(lines) - i
		}
	}
	return lines, 0
}

// fitWhole keeps, in the order given, at most count whole lines within size
// bytes, skipping those that do not fit.
func fitWhole(lines []line, count, size int) (kept []line, left int) {
	for _, l := range lines {
		if len(kept) < count && len(l.text) <= size {
			kept = append(kept, l)
			size -= len(l.text)
		} else {
			left++
		}
	}
	return kept, left
}

// byKey orders lines by scope and key.
func byKey(lines []line) []line {
	out := slices.Clone(lines)
	slices.SortStableFunc(out, func(a, b line) int {
		if c := cmp.Compare(a.ref.Scope, b.ref.Scope); c != 0 {
			return c
		}
		return cmp.Compare(a.ref.Key, b.ref.Key)
	})
	return out
}

// refsOf names the memories of lines; textOf joins their texts.
func refsOf(lines []line) []Ref {
	out := make([]Ref, len(lines))
	for i, l := range lines {
		out[i] = l.ref
	}
	return out
}

func textOf(lines []line) string {
	n := 0
	for _, l := range lines {
		n += len(l.text)
	}
	b := make([]byte, 0, n)
	for _, l := range lines {
		b = append(b, l.text...)
	}
	return string(b)
}
