package planner

import "strings"

// equal says whether two canonical tokens claim the same.
func (t token) equal(u token) bool {
	if t.norm != u.norm || t.class == path != (u.class == path) && !(t.code || u.code) {
		return false
	}
	if t.code && u.code && t.text != u.text {
		return false
	}
	// Two capitalised spellings that only an inflection tells apart may be
	// two names, Adam and Adams.
	if t.cap && u.cap && t.class == word && !strings.EqualFold(t.text, u.text) && isName(t) && isName(u) {
		return false
	}
	return true
}

// isName guesses that a capitalised word is a name: it is in no table.
func isName(t token) bool {
	return t.cap && !isVerb(t.norm) && phrases[strings.ToLower(t.text)] == nil && !evidence[t.norm] && numerals[t.norm] == ""
}

// marker says whether a token stands for no word of the text but for what the
// whole clause is: an order, or a tale of the past.
func (t token) marker() bool { return t.text == "" && t.class == sign }

func equalTokens(a, b clause) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !a[i].equal(b[i]) {
			return false
		}
	}
	return true
}

// sameBag says whether two lists hold equal tokens in any order.
func sameBag(a, b clause) bool {
	if len(a) != len(b) {
		return false
	}
	used := make([]bool, len(b))
next:
	for _, t := range a {
		for j, u := range b {
			if !used[j] && t.equal(u) {
				used[j] = true
				continue next
			}
		}
		return false
	}
	return true
}

// sameClause says whether two clauses claim the same: their tokens are equal
// in order, or differ in order only where order means nothing.
func sameClause(a, b clause) bool {
	ka, kb := a.kept(), b.kept()
	if equalTokens(ka, kb) {
		return true
	}
	if len(ka) != len(kb) || len(ka) > 40 || !sameBag(ka, kb) {
		return false
	}
	pa, pb := parts(a), parts(b)
	return pa != nil && pb != nil && sameParts(pa, pb)
}

// part is the head of a clause (no preposition) or a prepositional phrase.
type part struct {
	prep string
	toks clause
	of   bool // an "of" was dropped inside
}

// parts splits an English clause at its prepositions: the head, then the
// phrases. It gives up, with nil, where a clause begins with a phrase whose
// end can't be seen.
func parts(c clause) []part {
	head := part{}
	var phrases []part
	cur := &head
	opening := false
	for _, t := range c {
		if t.marker() {
			head.toks = append(head.toks, t)
			continue
		}
		if t.class == word && prepositions[t.norm] && !t.drop {
			opening = opening || len(head.toks) == 0
			phrases = append(phrases, part{prep: t.norm})
			cur = &phrases[len(phrases)-1]
			continue
		}
		if (t.class == weekday || t.class == date || t.class == clock) && (cur == &head || len(cur.toks) > 0) {
			// A time stands where it likes.
			phrases = append(phrases, part{prep: "when", toks: clause{t}})
			if cur != &head {
				cur = &phrases[len(phrases)-2]
			}
			continue
		}
		if opening && (t.pause || t.opens) && len(cur.toks) > 0 {
			opening = false
			cur = &head
		}
		if t.drop {
			cur.of = cur.of || t.norm == "of"
			continue
		}
		cur.toks = append(cur.toks, t)
	}
	if opening {
		return nil
	}
	return append([]part{head}, phrases...)
}

func sameParts(a, b []part) bool {
	if len(a) != len(b) || !samePart(a[0], b[0]) {
		return false
	}
	used := make([]bool, len(b))
next:
	for _, p := range a[1:] {
		for j := 1; j < len(b); j++ {
			if !used[j] && p.prep == b[j].prep && samePart(p, b[j]) {
				used[j] = true
				continue next
			}
		}
		return false
	}
	return true
}

// samePart compares in order, but lets "lines of changes" be "changed lines",
// and the verb of an order stand before or after what it is about.
func samePart(p, q part) bool {
	if equalTokens(p.toks, q.toks) {
		return true
	}
	if !sameBag(p.toks, q.toks) {
		return false
	}
	if p.of != q.of {
		return true
	}
	return p.prep == "" && movedVerb(p.toks, q.toks)
}

func movedVerb(a, b clause) bool {
	order := hasOrder(a) && hasOrder(b)
	for i, t := range a {
		if !(order && isVerb(t.norm) || t.norm == "allergic") {
			continue
		}
		for j, u := range b {
			if t.equal(u) && equalTokens(without(a, i), without(b, j)) {
				return true
			}
		}
	}
	return false
}

func hasOrder(c clause) bool {
	for _, t := range c {
		if t.marker() && t.norm == "!" {
			return true
		}
	}
	return false
}

func without(c clause, i int) clause {
	out := make(clause, 0, len(c)-1)
	return append(append(out, c[:i]...), c[i+1:]...)
}

// sameDoc says whether two texts claim the same, clause by clause.
func sameDoc(a, b doc) bool {
	if equalTokens(a.kept(), b.kept()) {
		return len(a.kept()) > 0
	}
	if len(a.clauses) != len(b.clauses) {
		return false
	}
	for i := range a.clauses {
		if !sameClause(a.clauses[i], b.clauses[i]) {
			return false
		}
	}
	return len(a.clauses) > 0
}
