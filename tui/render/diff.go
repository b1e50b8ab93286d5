package render

import (
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"
	"github.com/clipperhouse/uax29/v2/words"

	"reverie/theme"
)

// maxDiff is how many bytes of each side are compared; a memory's value has at
// most as many. What is longer is shown as taken away and brought as a whole.
const maxDiff = 64 << 10

// Diff shows how before became after, word by word, as lines of at most width
// cells: [-what went-] and {+what came+}, coloured besides. Both are untrusted;
// hidden characters in them are made visible, as Reveal does.
func Diff(before, after string, width int, t theme.Theme) []string {
	var b strings.Builder
	for _, c := range wordChanges(Reveal(before), Reveal(after)) {
		switch c.kind {
		case 0:
			markEach(&b, c.text, "", "", t.Paint("text"))
		case '-':
			markEach(&b, c.text, "[-", "-]", t.Paint("removed"))
		case '+':
			markEach(&b, c.text, "{+", "+}", t.Paint("added"))
		}
	}
	return wrapStyled(b.String(), width)
}

// DiffLines shows how before became after, line by line: "-" before what went,
// "+" before what came, a space before what stays. Both are untrusted; hidden
// characters in them are made visible.
func DiffLines(before, after string, width int, t theme.Theme) []string {
	var lines []string
	add := func(sign, text string, p theme.Paint) {
		for _, row := range Wrap(text, width-1) {
			lines = append(lines, paint(p, strings.TrimRight(cut(sign+row, width, ""), " ")))
		}
	}
	from, to := splitLines(Reveal(before)), splitLines(Reveal(after))
	at := 0
	for _, d := range lcs.DiffLines(from, to) {
		for _, line := range from[at:d.Start] {
			add(" ", line, t.Paint("text"))
		}
		for _, line := range from[d.Start:d.End] {
			add("-", line, t.Paint("removed"))
		}
		for _, line := range to[d.ReplStart:d.ReplEnd] {
			add("+", line, t.Paint("added"))
		}
		at = d.End
	}
	for _, line := range from[at:] {
		add(" ", line, t.Paint("text"))
	}
	return lines
}

// change is a stretch of text that went ('-'), came ('+') or stayed (0).
type change struct {
	kind byte
	text string
}

// wordChanges compares two texts word by word.
func wordChanges(before, after string) []change {
	if len(before) > maxDiff || len(after) > maxDiff {
		return []change{{'-', before}, {'+', after}}
	}
	from, to := splitWords(before), splitWords(after)
	var out []change
	at := 0
	for _, d := range joinClose(lcs.DiffLines(from, to), from) {
		d = slide(d, from, to)
		out = appendChange(out, 0, from[at:d.Start])
		out = appendChange(out, '-', from[d.Start:d.End])
		out = appendChange(out, '+', to[d.ReplStart:d.ReplEnd])
		at = d.End
	}
	return appendChange(out, 0, from[at:])
}

func appendChange(out []change, kind byte, words []string) []change {
	if len(words) == 0 {
		return out
	}
	return append(out, change{kind, strings.Join(words, "")})
}

// splitWords cuts a text into words, by Unicode's rules; spaces and punctuation
// are words of their own.
func splitWords(s string) []string {
	var out []string
	for w := words.FromString(s); w.Next(); {
		out = append(out, w.Value())
	}
	return out
}

// splitLines cuts a text into lines. A newline at the end begins no line.
func splitLines(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(s, "\n"), "\n")
}

// joinClose makes one change of two with only spaces between them: a reader
// takes in a phrase more easily than its words one by one.
func joinClose(changes []lcs.Diff, from []string) []lcs.Diff {
	var out []lcs.Diff
	for _, d := range changes {
		if n := len(out) - 1; n >= 0 && blankWords(from[out[n].End:d.Start]) {
			out[n].End, out[n].ReplEnd = d.End, d.ReplEnd
			continue
		}
		out = append(out, d)
	}
	return out
}

// slide moves a change that only takes or only brings over the space after it,
// where the same space comes before: "a [-b -]c" reads better than "a[- b-] c".
func slide(d lcs.Diff, from, to []string) lcs.Diff {
	taken := d.ReplStart == d.ReplEnd && d.Start < d.End && d.End < len(from) && from[d.Start] == " " && from[d.End] == " "
	brought := d.Start == d.End && d.ReplStart < d.ReplEnd && d.ReplEnd < len(to) && to[d.ReplStart] == " " && to[d.ReplEnd] == " "
	if taken || brought {
		d.Start, d.End, d.ReplStart, d.ReplEnd = d.Start+1, d.End+1, d.ReplStart+1, d.ReplEnd+1
	}
	return d
}

func blankWords(words []string) bool {
	text := strings.Join(words, "")
	return strings.Trim(text, " ") == ""
}

// markEach writes a text between marks, line by line, so that a mark never
// stands alone at the end of another line.
func markEach(b *strings.Builder, text, opening, closing string, look theme.Paint) {
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		if line != "" {
			b.WriteString(paint(look, opening+line+closing))
		}
	}
}
