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
	// maxLookedFor bounds for how many missing words the vocabulary, and for
	// how many numbers the keys, are looked through.
	maxLookedFor = 8
)

// A parser turns words into a query.
type parser struct {
	x       *Index
	q       query
	at      map[string]int // where in q.terms a term is, or -1
	chunks  map[string]bool
	missing []piece // words that are nowhere
	numbers int     // that keys were looked through for
	meaning bool    // there is a word beside function words and negations
}

// parse reads a query. Which terms it has depends on the vocabulary: a word
// that is nowhere is replaced by words like it.
func (x *Index) parse(text string) query {
	text = strings.ToValidUTF8(text, " ")
	p := parser{x: x, at: map[string]int{}, chunks: map[string]bool{}}
	var ps []piece
	for at := 0; ; {
		lo, hi := nextChunk(text, at)
		if lo >= hi {
			break
		}
		at = skipTrimmed(text, hi)
		if chunk := text[lo:hi]; !p.chunks[chunk] {
			p.chunks[chunk] = true
			ps = analyse(ps[:0], chunk)
			p.add(chunk, ps, lo > 0)
		}
	}
	p.substitute()
	for i := range p.q.terms {
		t := &p.q.terms[i]
		if !p.meaning {
			t.minor = false
		} else if t.minor {
			t.weight *= functionWeight
		}
	}
	p.q.bound()
	p.q.trait = wants(text)
	return p.q
}

// add adds the pieces of one chunk. Later says that the chunk is not the
// query's first, where a capital means nothing.
func (p *parser) add(chunk string, ps []piece, later bool) {
	absent, present := p.x.lookUp(ps)
	for _, piece := range ps {
		weight := 1.0
		if piece.extra && !absent {
			weight = extraWeight
		}
		if later && unicode.IsUpper(firstRune(chunk[piece.lo:])) {
			weight *= nameWeight
		}
		if i, ok := p.at[piece.term]; ok {
			if i >= 0 {
				p.q.terms[i].weight = max(p.q.terms[i].weight, weight)
			}
			continue
		}
		p.at[piece.term] = -1
		inKeys := !piece.extra && p.inKeys(piece.term)
		if id, ok := p.x.vocab.find(piece.term); ok {
			p.at[piece.term] = len(p.q.terms)
			p.known(id, weight)
		} else if !piece.extra && !present && !inKeys {
			p.missing = append(p.missing, piece)
			p.meaning = p.meaning || traitsOf(piece.term)&(function|negation) == 0
		}
	}
}

// known adds a term that documents have.
func (p *parser) known(id uint32, weight float64) {
	t, tr := &p.x.vocab.terms[id], p.x.vocab.traits[id]
	p.q.terms = append(p.q.terms, queryTerm{id: id, posts: t.posts, weight: weight, most: t.most,
		idf: idf(float64(p.x.docs.count()), float64(len(t.posts))), minor: tr&function != 0})
	p.meaning = p.meaning || tr&(function|negation) == 0
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

// inKeys looks for a long number in all keys, and adds it to the query with the
// documents that have it there: such numbers are not in the vocabulary.
func (p *parser) inKeys(number string) bool {
	if !isLongNumber(number) || p.numbers == maxLookedFor {
		return false
	}
	p.numbers++
	var posts []posting
	for n := range p.x.docs.all {
		if d := &p.x.docs.all[n]; d.data != "" && strings.Contains(d.key(), number) {
			posts = append(posts, newPosting(uint32(n), counts{inKey: 1}))
		}
	}
	if len(posts) == 0 {
		return false
	}
	p.q.terms = append(p.q.terms, queryTerm{id: none, posts: posts, weight: 1, most: uint8(2 * keyWeight),
		idf: idf(float64(p.x.docs.count()), float64(len(posts)))})
	p.meaning = true
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
