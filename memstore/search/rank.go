package search

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// How candidates are ranked. Each is a share of, or a factor on, the BM25
// score; docs/benchmarks-search.md has what each is worth on the collections.
const (
	leadBonus    = 1. // to the frequency of a term at the very beginning of a text
	leadDecay    = 5. // after so many words it is down to 1/e
	nearWeight   = 1. // of pairs of query words near each other
	nearWidth    = 12 // how many words apart
	dateBonus    = .15
	numberBonus  = .15
	askingMalus  = .15 // a question is seldom an answer to one
	prevShare    = .3  // of the score of the document saved before
	nextShare    = .2  // and of the one saved after
	secondShare  = .5  // of that, for those one further
	answerShare  = .3  // more where the one before is a question
	lookBeside   = 64  // how many candidates' neighbours are looked at
	guestShare   = .3  // of the best score is what a neighbour needs that has no word of the query
	feedbackFrom = 8   // documents
	feedbackSize = 30  // terms
	feedbackPart = .3  // of the whole query
	smoothing    = 10. // of a term's share in a short document
)

// A ranked document with what is known of it during one search.
type ranked struct {
	doc   uint32
	refs  [2]int  // its refs in ranking.refs, key aside
	own   float64 // by its text
	guest bool    // it has no word of the query, and is here as a neighbour
	score float64 // with what its neighbours lend it
}

// ranking is the state of one search after the candidates are found.
type ranking struct {
	x        *Index
	q        *query
	pool     []ranked
	refs     []ref
	terms    lookup      // the query's
	typed    lookup      // of feedback
	typicals []queryTerm // of feedback
	order    []weighted  // of feedback
	matches  []match
	near     [nearTerms * nearTerms]float64
	pairs    []int // places set in near
	norm0    float64
	norm1    float64
}

// A match is how one document has one term of the query.
type match struct {
	frequency float64
	first     int // position in the value, or -1
	last      int
}

// nearTerms is how many terms of a query are looked at for being near.
const nearTerms = 16

// Search returns up to limit documents, best first; of equally good ones the
// newer, then by key. The query is plain words: no character in it has a
// meaning of its own.
func (x *Index) Search(text string, limit int) []Hit {
	if limit <= 0 {
		return nil
	}
	x.mu.RLock()
	defer x.mu.RUnlock()
	q := x.parse(text)
	if len(q.terms) == 0 {
		return nil
	}
	w := works.Get().(*work)
	defer works.Put(w)
	found := w.finder.find(x, &q, max(candidates, limit))
	if len(found) == 0 {
		return nil
	}
	pool := w.ranking.rank(x, &q, found[:min(len(found), candidates)])
	hits := make([]Hit, 0, min(limit, max(len(pool), len(found))))
	for _, d := range pool[:min(limit, len(pool))] {
		hits = append(hits, Hit{x.docs.key(d.doc), d.score})
	}
	return w.rest(hits, found, limit)
}

// work is the memory that searches use again.
type work struct {
	finder  finder
	ranking ranking
}

var works = sync.Pool{New: func() any { return &work{} }}

// rest appends candidates that were not ranked closely, in the order in which
// they were found, so that someone who asks for many gets all that match.
func (w *work) rest(hits []Hit, found []candidate, limit int) []Hit {
	if len(hits) >= limit || len(found) <= candidates {
		return hits
	}
	x := w.ranking.x
	there := map[uint32]bool{}
	for _, d := range w.ranking.pool {
		there[d.doc] = true
	}
	last := hits[len(hits)-1].Score
	for _, c := range found[candidates:] {
		if len(hits) == limit {
			break
		}
		if !there[c.doc] {
			last = min(last, float64(c.score)/unit)
			hits = append(hits, Hit{x.docs.key(c.doc), last})
		}
	}
	return hits
}

// rank orders candidates, and their neighbours, by all that is known of them.
func (r *ranking) rank(x *Index, q *query, found []candidate) []ranked {
	avg := float64(max(x.docs.total, 1)) / float64(x.docs.count())
	r.x, r.q, r.norm0, r.norm1 = x, q, k1*(1-b), k1*b/avg
	r.pool, r.refs, r.pairs = r.pool[:0], r.refs[:0], r.pairs[:0]
	r.matches = slices.Grow(r.matches[:0], len(q.terms))[:len(q.terms)]
	r.terms.reset(len(q.terms))
	for i, t := range q.terms {
		if t.id != none {
			r.terms.put(t.id, i)
		}
	}
	for _, c := range found {
		r.add(c.doc)
	}
	bond := x.bond()
	var place map[uint32]int
	if bond > 0 {
		place = r.gather()
	}
	r.feedback()
	r.fit()
	for i := range r.pool {
		d := &r.pool[i]
		d.score = d.own
		if bond > 0 {
			d.score += bond * r.lent(d.doc, place)
		}
	}
	slices.SortFunc(r.pool, r.compare)
	least := guestShare * r.pool[0].score
	r.pool = slices.DeleteFunc(r.pool, func(d ranked) bool { return d.guest && d.score < least })
	return r.pool
}

func (r *ranking) compare(a, b ranked) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return r.x.newer(a.doc, b.doc)
}

// saturate is BM25's term frequency factor.
func (r *ranking) saturate(tf float64, doc uint32) float64 {
	return tf / (tf + r.norm0 + r.norm1*float64(r.x.docs.lengths[doc]))
}

// add scores a document by its text and puts it into the pool.
func (r *ranking) add(doc uint32) {
	terms := r.x.docs.all[doc].terms()
	for i := range r.matches {
		r.matches[i] = match{first: -1, last: -1}
	}
	for i := range r.q.terms {
		if t := &r.q.terms[i]; t.id == none {
			if at := seek(t.posts, 0, doc); at < len(t.posts) && t.posts[at].doc() == doc {
				r.matches[i].frequency = keyWeight
			}
		}
	}
	start := len(r.refs)
	refs, at := decodeField(r.refs, terms, 0)
	for _, k := range refs[start:] {
		if i := r.terms.get(k.term()); i >= 0 {
			r.matches[i].frequency += keyWeight
		}
	}
	refs, at = decodeField(refs[:start], terms, at)
	for _, k := range refs[start:] {
		if i := r.terms.get(k.term()); i >= 0 {
			r.matches[i].frequency += descWeight
		}
	}
	value := len(refs)
	refs, _ = decodeField(refs, terms, at)
	position := 0
	for _, k := range refs[value:] {
		if i := r.terms.get(k.term()); i >= 0 {
			r.meet(i, position, !k.extra())
		}
		if !k.extra() {
			position++
		}
	}
	r.refs = refs
	r.pool = append(r.pool, ranked{doc: doc, refs: [2]int{start, len(refs)}, own: r.text(doc)})
}

// meet notes that term i of the query stands at a position of the value.
func (r *ranking) meet(i, position int, main bool) {
	m := &r.matches[i]
	m.frequency++
	if m.first < 0 {
		m.first = position
	}
	if !main || i >= nearTerms {
		return
	}
	for j := range min(len(r.matches), nearTerms) {
		o := &r.matches[j]
		if j == i || o.last < 0 || position-o.last > nearWidth || position == o.last {
			continue
		}
		cell := min(i, j)*nearTerms + max(i, j)
		v := min(r.q.terms[i].idf, r.q.terms[j].idf) / math.Sqrt(float64(position-o.last))
		if r.near[cell] == 0 {
			r.pairs = append(r.pairs, cell)
		}
		r.near[cell] = max(r.near[cell], v)
	}
	m.last = position
}

// text is the score of a document by its text: BM25, in which terms at the
// beginning count more, plus what pairs of terms near each other add. A pair
// adds the lesser idf of both over the square root of their distance.
func (r *ranking) text(doc uint32) float64 {
	score := 0.0
	for i, m := range r.matches {
		if m.frequency == 0 {
			continue
		}
		tf := m.frequency
		if m.first >= 0 {
			tf += leadBonus * math.Exp(-float64(m.first)/leadDecay)
		}
		score += r.q.terms[i].weight * r.q.terms[i].idf * r.saturate(tf, doc)
	}
	pairs := 0.0
	slices.Sort(r.pairs)
	for _, cell := range r.pairs {
		pairs += r.near[cell]
		r.near[cell] = 0
	}
	r.pairs = r.pairs[:0]
	if pairs > 0 {
		score += nearWeight * pairs / float64(len(r.matches)-1)
	}
	return score
}

// fit favours documents that have the kind of thing that a question asks for.
func (r *ranking) fit() {
	for i := range r.pool {
		d := &r.pool[i]
		has := r.x.docs.all[d.doc].trait
		if r.q.trait&has&date != 0 {
			d.own *= 1 + dateBonus
		}
		if r.q.trait&has&number != 0 {
			d.own *= 1 + numberBonus
		}
		if r.q.trait&has&question != 0 {
			d.own *= 1 - askingMalus
		}
	}
}
