package search

import (
	"cmp"
	"slices"
	"strings"
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
	var words, all []string
	meaning := false
	for _, p := range pieces(query) {
		all = append(all, p.term)
		if t := traitsOf(p.term); t&function == 0 {
			words = append(words, p.term)
			meaning = meaning || t&negation == 0
		}
	}
	if !meaning {
		words = all
	}
	wanted := map[string]bool{}
	for _, w := range words {
		wanted[w] = true
	}
	ps := pieces(text)
	found := ranges(ps, func(term string) bool { return wanted[term] })
	if len(found) > 0 {
		return found
	}
	words = words[:min(len(words), maxTerms)]
	like := map[string]bool{}
	return ranges(ps, func(term string) bool {
		is, known := like[term]
		if !known {
			is = slices.ContainsFunc(words, func(word string) bool { return resembles(term, word) })
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

// window chooses the bytes of line to show: around the stretch, no longer than
// there is room, with the most different words that were found.
func window(line string, found [][2]int, size int) (lo, hi int) {
	if utf8.RuneCountInString(line) <= size {
		return 0, len(line)
	}
	room := size - 2 // for … at both ends
	if room < 1 {
		return 0, 0
	}
	first, last := 0, 0 // bytes of the cluster
	if i, j := cluster(line, found, room); j > i {
		first, last = found[i][0], found[j-1][1]
		lo = first
		for before := (room - utf8.RuneCountInString(line[first:last])) / 2; before > 0 && lo > 0; before-- {
			_, n := utf8.DecodeLastRuneInString(line[:lo])
			lo -= n
		}
		if lo > 0 && line[lo-1] != ' ' {
			if i := strings.IndexByte(line[lo:first], ' '); i >= 0 {
				lo += i + 1
			}
		}
	}
	hi = lo
	for n := 0; n < room && hi < len(line); n++ {
		_, k := utf8.DecodeRuneInString(line[hi:])
		hi += k
	}
	if from := max(lo, last); hi < len(line) && line[hi] != ' ' {
		if i := strings.LastIndexByte(line[from:hi], ' '); i >= 0 && from+i > lo {
			hi = from + i
		}
	}
	return lo, hi
}

// cluster returns the run i to j of found that fits into room and has the
// most different words; the first such run.
func cluster(line string, found [][2]int, room int) (i, j int) {
	there := map[string]int{}
	best, runes, start := 0, 0, 0
	for end, m := range found {
		if end == 0 {
			runes = utf8.RuneCountInString(line[m[0]:m[1]])
		} else {
			runes += utf8.RuneCountInString(line[found[end-1][1]:m[1]])
		}
		there[lower(line[m[0]:m[1]])]++
		for start < end && runes > room {
			gone := lower(line[found[start][0]:found[start][1]])
			if there[gone]--; there[gone] == 0 {
				delete(there, gone)
			}
			runes -= utf8.RuneCountInString(line[found[start][0]:found[start+1][0]])
			start++
		}
		if runes <= room && len(there) > best {
			best, i, j = len(there), start, end+1
		}
	}
	return i, j
}
