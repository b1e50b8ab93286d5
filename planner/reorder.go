package planner

import "strings"

// Where the order of words means nothing, though all of them do.

// samePart compares in order, but lets "lines of changes" be "changed lines",
// the kind of a thing stand before or after its name, and a verb before or
// behind what it is done to.
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
	if p.prep == "" && movedVerb(p, q) {
		return true
	}
	return movedKind(p.toks, q.toks) || movedKind(q.toks, p.toks)
}

// movedVerb: "Keep X" and "X should be kept", "We keep X" and "X is kept",
// "The API returns errors" and "API errors are returned".
func movedVerb(x, y part) bool {
	a, b := x.toks, y.toks
	for i, t := range a {
		for j, u := range b {
			if !t.equal(u) || !isVerb(t.norm) && !t.done && !u.done && t.norm != "allergic" {
				continue
			}
			p, q := without(a, i), without(b, j)
			if i > 0 && j > 0 && a[i-1].norm == "not" && b[j-1].norm == "not" {
				p, q = without(p, i-1), without(q, j-1)
			}
			if !equalTokens(p, q) {
				continue
			}
			if t.norm == "allergic" || x.order && y.order || doneBy(x, t, u) || doneBy(y, u, t) ||
				itsOwn(a, i, t, u) && j == len(b)-1 || itsOwn(b, j, u, t) && i == len(a)-1 {
				return true
			}
		}
	}
	return false
}

// doneBy says whether the verb t of p is what we do or are asked to do, and u
// tells that it is done.
func doneBy(p part, t, u token) bool {
	return u.done && !t.done && (p.order || t.opens)
}

// itsOwn says whether the verb t of a is what a machine does: what "the API
// returns" are "API errors". What a person does to something makes it no
// thing of theirs.
func itsOwn(a clause, i int, t, u token) bool {
	s := a[0].text
	return i == 1 && u.done && !t.done && (machines[a[0].norm] || len(s) > 1 && s == strings.ToUpper(s) && ascii(s))
}

var machines = stems("server service backend frontend application gateway database client worker endpoint pipeline build")

// kinds name what a name is the name of, before it or behind it.
var kinds = stems("bucket branch namespace region database table topic queue channel port team library framework package command cluster environment server account room street flag file directory tool plan")

// movedKind: "the bucket acme-assets" and "the acme-assets bucket".
func movedKind(a, b clause) bool {
	n := len(a)
	for i := 1; i < n; i++ {
		// "the team lead" is not "the lead team".
		if t := a[i]; !t.cap && t.class == word && !t.code && !t.glued && !(i+1 < n && a[i+1].glued) {
			return false
		}
	}
	return n > 1 && n == len(b) && kinds[a[0].norm] && a[0].equal(b[n-1]) && equalTokens(a[1:], b[:n-1])
}

// fronted says whether b is a with its opening phrase at the end: "On flights
// X", "X on flights".
func fronted(a, b clause) bool {
	if len(a) == 0 {
		return false
	}
	if n := when(a); n > 0 && n < len(a) {
		return equalTokens(a[n:], b[:len(b)-n]) && equalTokens(a[:n], b[len(b)-n:])
	}
	if !prepositions[a[0].norm] || a[0].class != word || joining[a[0].norm] {
		return false
	}
	for k := 2; k < len(a); k++ {
		if a[k].equal(b[0]) && equalTokens(a[k:], b[:len(b)-k]) && equalTokens(a[:k], b[len(b)-k:]) {
			return true
		}
	}
	return false
}

// joining words need what stands before them.
var joining = set("and or but so then than instead rather like because")

// turned says whether b is a turned around its "is": "Our X is Y", "Y is our
// X". What counts, denies or limits stays where it is.
func turned(a, b clause) bool {
	p, q, ok := around(a)
	r, s, also := around(b)
	return ok && also && equalTokens(p, s) && equalTokens(q, r)
}

func around(c clause) (left, right clause, ok bool) {
	at := -1
	for i, t := range c {
		switch {
		case t.drop && (t.norm == "a" || t.norm == "an" || t.norm == "are"):
			return nil, nil, false
		case t.drop && t.norm == "is", t.colon:
			if at >= 0 {
				return nil, nil, false
			}
			at = i
		case t.drop:
		case t.marker() && t.norm != "!", t.class != word && t.class != path, prepositions[t.norm], limits[t.norm], t.done, weighty[t.norm]:
			return nil, nil, false
		}
	}
	if at <= 0 {
		return nil, nil, false
	}
	left, right = unordered(c[:at].kept()), unordered(c[at:].kept())
	return left, right, len(left) > 0 && len(right) > 0
}

// oneTime are verbs that ask for something to be done one time: that it is so is
// another thing than the wish that it become so.
var oneTime = stems("enable disable upgrade downgrade migrate move switch add remove delete create fix rename replace update install stop open close buy call book cancel renew send pay ask tell contact finish implement introduce drop increase decrease raise lower reduce improve investigate consider explore try visit order plan check delay prepare")

// usual are verbs that ask for a way to do things, whatever they are done to.
var usual = stems("use prefer keep store run write name follow put format lint build manage host log track test avoid")

// habit says whether what an order asks for is a way to do things, with a
// usual verb or for more than one thing: "Deploy the fix" wants it done once.
func habit(c clause) bool {
	often, many := false, false
	for _, t := range c {
		if t.drop || t.class != word {
			continue
		}
		if oneTime[t.norm] && isVerb(t.norm) && !hasNorm(c, "with") {
			return false
		}
		often = often || usual[t.norm] || t.norm == "with" || t.norm == "always" || t.norm == "never" || t.norm == "not"
		many = many || strings.HasSuffix(t.text, "s") && !strings.HasSuffix(t.text, "ss")
	}
	return often || many
}

func hasOrder(c clause) bool {
	for _, t := range c {
		if t.order() {
			return true
		}
	}
	return false
}

// unordered is a clause without the mark of an order.
func unordered(c clause) clause {
	if !hasOrder(c) {
		return c
	}
	out := make(clause, 0, len(c))
	for _, t := range c {
		if !t.order() {
			out = append(out, t)
		}
	}
	return out
}

func without(c clause, i int) clause {
	out := make(clause, 0, len(c)-1)
	return append(append(out, c[:i]...), c[i+1:]...)
}
