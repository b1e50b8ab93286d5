package planner

import (
	"strings"
	"unicode/utf8"
)

// equal says whether two canonical tokens claim the same.
func (t token) equal(u token) bool {
	if t.norm != u.norm || t.class == path != (u.class == path) && !(t.code || u.code) {
		return false
	}
	if t.code && u.code && t.text != u.text || spelledApart(t, u) {
		return false
	}
	// Two capitalised spellings that only an inflection tells apart may be
	// two names, Adam and Adams.
	if t.cap && u.cap && t.class == word && !strings.EqualFold(t.text, u.text) && isName(t) && isName(u) {
		return false
	}
	return true
}

// spelledApart says whether two spellings of a word are two things: PATH, Path
// and path may be. A capital at the beginning says nothing, and neither do
// capitals of a word that everybody knows, such as API or NOT.
func spelledApart(t, u token) bool {
	if t.text == u.text || t.class != word || u.class != word || !strings.EqualFold(t.text, u.text) {
		return false
	}
	tail := func(s string) string {
		_, n := utf8.DecodeRuneInString(s)
		return s[n:]
	}
	known := strings.ToLower(t.text)
	return tail(t.text) != tail(u.text) && !anyCase[known] && !isVerb(t.norm) && !weighty[known] && !prepositions[known] && phrases[known] == nil
}

// anyCase are words that are written in capitals or not, and mean the same.
var anyCase = set("api ci cd ui ux url uri json xml yaml toml html css csv pdf sql http https tcp udp ip dns tls ssl ssh vpn cdn aws gcp cpu gpu ram ssd os id ids db qa pr prs utc cet gmt am pm it hr ceo cto faq rpc grpc rest sdk cli ide orm jwt oauth sso mfa iam k8s eu us uk usa ok")

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

// order is the mark of a clause that asks for something.
func (t token) order() bool { return t.marker() && t.norm == "!" }

// sameClause says whether two clauses claim the same: their tokens are equal
// in order, or differ in order only where order means nothing. That something
// is done so and the order to do it so are the same where it is a habit.
func sameClause(a, b clause) bool {
	asks, says := a, b
	if !hasOrder(a) {
		asks, says = b, a
	}
	if hasOrder(asks) && !hasOrder(says) && !(imperative(asks) && (habit(asks) || byHabit(says))) {
		return false
	}
	ka, kb := unordered(a.kept()), unordered(b.kept())
	if equalTokens(ka, kb) {
		return true
	}
	if len(ka) != len(kb) || len(ka) > 40 || !sameBag(ka, kb) {
		return false
	}
	if fronted(ka, kb) || fronted(kb, ka) || turned(a, b) {
		return true
	}
	pa, pb := parts(a), parts(b)
	return pa != nil && pb != nil && sameParts(pa, pb)
}

// imperative says whether a clause is an order; "X should be so" is none.
func imperative(c clause) bool {
	for _, t := range c {
		if t.order() {
			return t.opens
		}
	}
	return false
}

// byHabit: "We ship on Fridays" tells what is done every time.
func byHabit(c clause) bool {
	i := firstKept(c)
	return i >= 0 && c[i].opens && !hasMarker(c, "past") && !hasMarker(c, "ongoing")
}

// part is the head of a clause (no preposition) or a prepositional phrase.
type part struct {
	prep string
	toks clause
	of   bool // an "of" was dropped inside
	// order is set for the head of what asks for something.
	order bool
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
			head.order = head.order || t.order()
			if !t.order() {
				head.toks = append(head.toks, t)
			}
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
			if cur != &head && (t.norm == "is" || t.norm == "are") && len(cur.toks) > 0 && len(head.toks) > 0 {
				cur = &head // "Dates in the API are X"
			}
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
