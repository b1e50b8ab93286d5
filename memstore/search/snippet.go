package search

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Snippet returns a passage of at most max runes of text, in one line, around
// the best cluster of words that the query finds, and the byte ranges of
// these words in it. Where text was cut stands "…".
func Snippet(query, text string, max int) (snippet string, marks [][2]int) {
	if max <= 0 {
		return "", nil
	}
	line := oneLine(text)
	found := matches(query, line)
	lo, hi := window(line, found, max)
	var b strings.Builder
	if lo > 0 {
		b.WriteString("…")
	}
	shift := b.Len() - lo
	b.WriteString(line[lo:hi])
	if hi < len(line) {
		b.WriteString("…")
	}
	for _, m := range found {
		if m[0] >= lo && m[1] <= hi {
			marks = append(marks, [2]int{m[0] + shift, m[1] + shift})
		}
	}
	return b.String(), marks
}

// oneLine makes every run of white space one space, and drops what is no
// valid text.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " ")
}

// matches returns the byte ranges of text that the query's words find, in
// order, not overlapping. Where none is there as it is, words that begin with
// one of the query's, or are a typo away, stand in; and function words where
// the query has no others.
func matches(query, text string) [][2]int {
	content, all := map[string]bool{}, map[string]bool{}
	for _, p := range pieces(query) {
		all[p.term] = true
		if t := traitsOf(p.term); t&function == 0 {
			content[p.term] = true
		}
	}
	ps := pieces(text)
	meaning := false
	for term := range content {
		meaning = meaning || traitsOf(term)&negation == 0
	}
	if !meaning {
		content = all
	}
	found := ranges(ps, func(term string) bool { return content[term] })
	if len(found) > 0 {
		return found
	}
	like := map[string]bool{}
	return ranges(ps, func(term string) bool {
		is, known := like[term]
		if !known {
			for word := range content {
				is = is || resembles(term, word)
			}
			like[term] = is
		}
		return is
	})
}

// ranges merges the bytes of the pieces whose terms are wanted.
func ranges(ps []piece, wanted func(term string) bool) [][2]int {
	var out [][2]int
	for _, p := range ps {
		if wanted(p.term) {
			out = append(out, [2]int{p.lo, p.hi})
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(b[1], a[1])) })
	merged := out[:0]
	for _, m := range out {
		if n := len(merged); n > 0 && m[0] < merged[n-1][1] {
			merged[n-1][1] = max(merged[n-1][1], m[1])
			continue
		}
		merged = append(merged, m)
	}
	return merged
}

// window chooses the bytes of line to show.
func window(line string, found [][2]int, max int) (lo, hi int) {
	total := utf8.RuneCountInString(line)
	if total <= max {
		return 0, len(line)
	}
	room := max - 2
	if room < 1 {
		return 0, 0
	}
	best, at := 0, 0
	for i := range found {
		n, j := 0, i
		for j < len(found) && utf8.RuneCountInString(line[found[i][0]:found[j][1]]) <= room {
			n++
			j++
		}
		if n > best {
			best, at = n, i
		}
	}
	if best > 0 {
		width := utf8.RuneCountInString(line[found[at][0]:found[at+best-1][1]])
		lo = found[at][0]
		for before := (room - width) / 2; before > 0 && lo > 0; before-- {
			_, n := utf8.DecodeLastRuneInString(line[:lo])
			lo -= n
		}
		if lo > 0 {
			if i := strings.IndexByte(line[lo:found[at][0]], ' '); i >= 0 {
				lo += i + 1
			} else {
				lo = found[at][0]
			}
		}
	}
	hi = lo
	for n := 0; n < room && hi < len(line); n++ {
		_, k := utf8.DecodeRuneInString(line[hi:])
		hi += k
	}
	if hi < len(line) {
		floor := lo
		if best > 0 {
			floor = found[at+best-1][1]
		}
		if i := strings.LastIndexFunc(line[floor:hi], unicode.IsSpace); i > 0 {
			hi = floor + i
		}
	}
	return lo, hi
}
