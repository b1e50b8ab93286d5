package search

import (
	"cmp"
	"slices"
	"strings"
)

// feedback adds to each document what it has of the terms that are typical
// for the best ones: pseudo-relevance feedback, in the form of RM3
// (Abdul-Jaleel et al., "UMass at TREC 2004: Novelty and HARD"). Only the
// documents found so far are scored again, which costs no second search.
func (r *ranking) feedback() {
	best := slices.Clone(r.pool)
	slices.SortFunc(best, func(a, b ranked) int {
		if a.own != b.own {
			return cmp.Compare(b.own, a.own)
		}
		return r.x.newer(a.doc, b.doc)
	})
	best = best[:min(len(best), feedbackFrom)]
	typical := r.typical(best)
	if len(typical) == 0 {
		return
	}
	known := &r.typed
	known.reset(len(typical))
	for i, t := range typical {
		known.put(t.id, i)
	}
	counts := make([]float64, len(typical))
	var seen []int
	for i := range r.pool {
		d := &r.pool[i]
		seen = seen[:0]
		for _, k := range r.refs[d.refs[0]:d.refs[1]] {
			if j := known.get(k.term()); j >= 0 {
				if counts[j] == 0 {
					seen = append(seen, j)
				}
				counts[j]++
			}
		}
		for _, j := range seen {
			d.own += typical[j].weight * typical[j].idf * r.saturate(counts[j], d.doc)
			counts[j] = 0
		}
	}
}

// typical returns the terms that stand for some documents, weighted so that
// together they make up feedbackPart of the whole query. A term's weight is
// its share in each document, weighted by the document's score, times idf.
func (r *ranking) typical(best []ranked) []queryTerm {
	size, sum := 0, 0.0
	for _, d := range best {
		size += d.refs[1] - d.refs[0]
		sum += d.own
	}
	places := &r.typed
	places.reset(size)
	terms := r.typicals[:0]
	n := float64(r.x.docs.count())
	for _, d := range best {
		each := d.own / sum / (float64(r.x.docs.lengths[d.doc]) + smoothing)
		for _, k := range r.refs[d.refs[0]:d.refs[1]] {
			id := k.term()
			i := places.get(id)
			if i < 0 {
				t := &r.x.vocab.terms[id]
				i = len(terms)
				places.put(id, i)
				q := queryTerm{id: id, idf: idf(n, float64(len(t.posts)))}
				q.minor = r.x.vocab.traits[id]&function != 0
				terms = append(terms, q)
			}
			terms[i].weight += each * terms[i].idf
		}
	}
	order := r.order[:0]
	for i, t := range terms {
		if !t.minor {
			order = append(order, weighted{t.weight, t.id, int32(i)})
		}
	}
	r.order = order
	slices.SortFunc(order, func(a, b weighted) int {
		if a.weight != b.weight {
			return cmp.Compare(b.weight, a.weight)
		}
		return strings.Compare(r.x.vocab.text(a.id), r.x.vocab.text(b.id))
	})
	chosen := make([]queryTerm, 0, feedbackSize)
	for _, o := range order[:min(len(order), feedbackSize)] {
		chosen = append(chosen, terms[o.at])
	}
	terms, r.typicals = chosen, terms[:0]
	total, asked := 0.0, 0.0
	for _, t := range terms {
		total += t.weight
	}
	for _, t := range r.q.terms {
		asked += t.weight
	}
	for i := range terms {
		terms[i].weight *= feedbackPart / (1 - feedbackPart) * asked / total
	}
	return terms
}

// weighted is a term of typical while the heaviest are chosen.
type weighted struct {
	weight float64
	id     uint32
	at     int32
}
