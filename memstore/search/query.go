package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A queryTerm is one term that a query asks for.
type queryTerm struct {
	id     uint32 // none where no document has it in its text
	posts  []posting
	weight float64 // how much it counts beside the other terms
	idf    float64
	most   uint8 // twice the highest frequency
	minor  bool  // a function word beside others: it ranks, but finds nothing
}

// A query is what was understood of the words that someone typed.
type query struct {
	terms []queryTerm
	trait trait // question, date or number: what kind of answer it wants
}

const (
	extraWeight    = .3  // a compound beside its parts
	functionWeight = .15 // a function word beside others
	nameWeight     = 1.5 // a word with a capital, not at the beginning
	// maxTerms bounds the work for very long queries: the rarest terms count.
	maxTerms = 48
)

// parse reads a query. Which terms it has depends on the vocabulary: a word
// that is nowhere is replaced by words like it.
func (x *Index) parse(text string) query {
	text = strings.ToValidUTF8(text, " ")
	var q query
	var missing []piece
	at := map[string]int{} // place in q.terms, or -1
	add := func(id uint32, weight float64) {
		t := &x.vocab.terms[id]
		q.terms = append(q.terms, queryTerm{id: id, posts: t.posts, weight: weight, most: t.most,
			idf: idf(float64(x.docs.count()), float64(len(t.posts)))})
	}
	meaning := false
	chunks := map[string]bool{}
	var ps []piece
	for i := 0; ; {
		lo, hi := nextChunk(text, i)
		if lo >= hi {
			break
		}
		i = skipTrimmed(text, hi)
		if chunks[text[lo:hi]] {
			continue
		}
		chunks[text[lo:hi]] = true
		ps = analyse(ps[:0], text[lo:hi])
		absent, present := x.lookUp(ps)
		for _, p := range ps {
			weight := 1.0
			if p.extra && !absent {
				weight = extraWeight
			}
			if lo > 0 && unicode.IsUpper(firstRune(text[lo+p.lo:])) {
				weight *= nameWeight
			}
			if j, ok := at[p.term]; ok {
				if j >= 0 {
					q.terms[j].weight = max(q.terms[j].weight, weight)
				}
				continue
			}
			at[p.term] = -1
			inKeys := !p.extra && isLongNumber(p.term) && x.inKeys(&q, p.term)
			meaning = meaning || inKeys
			id, ok := x.vocab.find(p.term)
			if !ok {
				if !p.extra && !present && !inKeys {
					missing = append(missing, p)
				}
				continue
			}
			at[p.term] = len(q.terms)
			add(id, weight)
			switch tr := x.vocab.terms[id].trait; {
			case tr&function != 0:
				q.terms[len(q.terms)-1].minor = true
			case tr&negation == 0:
				meaning = true
			}
		}
	}
	x.substitute(&q, missing, &meaning)
	for i := range q.terms {
		t := &q.terms[i]
		if !meaning {
			t.minor = false
		} else if t.minor {
			t.weight *= functionWeight
		}
	}
	q.bound()
	q.trait = wants(text)
	return q
}

// lookUp says whether a plain piece of a chunk is in no document, so that
// another form must stand for it, and whether a compound form is in one.
func (x *Index) lookUp(ps []piece) (absent, present bool) {
	for _, p := range ps {
		_, ok := x.vocab.find(p.term)
		absent = absent || !p.extra && !ok
		present = present || p.extra && ok
	}
	return absent, present
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// inKeys looks for a number in all keys, and adds it to the query with the
// documents that have it there. Such numbers are not in the vocabulary: see
// keyPieces.
func (x *Index) inKeys(q *query, number string) bool {
	var posts []posting
	for n := range x.docs.all {
		if d := &x.docs.all[n]; d.data != "" && strings.Contains(d.key(), number) {
			posts = append(posts, newPosting(uint32(n), counts{inKey: 1}))
		}
	}
	if len(posts) == 0 {
		return false
	}
	q.terms = append(q.terms, queryTerm{id: none, posts: posts, weight: 1, most: uint8(2 * keyWeight),
		idf: idf(float64(x.docs.count()), float64(len(posts)))})
	return true
}

// bound keeps the terms that say most.
func (q *query) bound() {
	if len(q.terms) <= maxTerms {
		return
	}
	slices.SortStableFunc(q.terms, func(a, b queryTerm) int {
		return cmp.Or(compareBool(a.minor, b.minor), cmp.Compare(b.weight*b.idf, a.weight*a.idf))
	})
	q.terms = q.terms[:maxTerms]
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// wants says what kind of answer a question wants: a date, a number, or any.
func wants(text string) trait {
	text = strings.ToLower(strings.TrimSpace(text))
	t := asks(text)
	words := strings.Fields(text)
	if len(words) == 0 {
		return t
	}
	second := ""
	if len(words) > 1 {
		second = strings.Trim(words[1], "?,.")
	}
	switch strings.Trim(words[0], "?,.") {
	case "when":
		t |= date
	case "what", "which":
		switch second {
		case "year", "date", "day", "month", "time":
			t |= date
		}
	case "how":
		switch second {
		case "long":
			t |= date
		case "many", "much", "often", "old", "far":
			t |= number
		}
	}
	return t
}

// idf is BM25's inverse document frequency in the form that is never negative
// (Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and
// Beyond", 2009; with the 1 added under the logarithm as Lucene does).
func idf(n, df float64) float64 {
	return math.Log(1 + (n-df+.5)/(df+.5))
}
