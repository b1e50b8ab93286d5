package search

import "math"

// What was saved together often belongs together: the answer follows the
// question. Ranking lets documents profit from their neighbours, but only in
// a memory where neighbours resemble each other.

// kinship counts how alike neighbours are.
type kinship struct {
	pairs  int64 // neighbours that were compared
	shared int64 // terms that they have in common, function words aside
}

// together is how far apart in time neighbours may have been saved, in
// seconds.
const together = 3600

// beside says whether two documents, one saved right after the other, were
// saved together.
func (x *Index) beside(a, b uint32) bool {
	if a == none || b == none {
		return false
	}
	da, db := &x.docs.all[a], &x.docs.all[b]
	gap := db.updated - da.updated
	return da.thread == db.thread && -together <= gap && gap <= together
}

// relate adds a pair of neighbours to the kinship, or takes it out.
func (x *Index) relate(a, b uint32, sign int64) {
	if !x.beside(a, b) {
		return
	}
	k := &x.docs.kin
	k.pairs += sign
	k.shared += sign * x.common(a, b)
}

// common counts the terms in the texts of both, function words aside.
func (x *Index) common(a, b uint32) int64 {
	t := &x.tally
	t.begin(len(x.vocab.terms))
	mark := uint64(t.round) << 32
	for _, r := range x.textOf(a) {
		t.seen[r.term()] = mark
	}
	var n int64
	for _, r := range x.textOf(b) {
		id := r.term()
		if t.seen[id] == mark {
			t.seen[id] = 0
			if x.vocab.traits[id]&function == 0 {
				n++
			}
		}
	}
	return n
}

// textOf returns the refs of description and value, valid until the next call.
func (x *Index) textOf(n uint32) []ref {
	terms := x.docs.all[n].terms()
	var at int
	x.refs, at = decodeField(x.refs[:0], terms, 0)
	x.refs, at = decodeField(x.refs[:0], terms, at)
	x.refs, _ = decodeField(x.refs, terms, at)
	return x.refs
}

// bond is how much neighbours count, from 0 to 1. Two documents drawn at
// random share Σ df·(df−1) / (n·(n−1)) terms. Neighbours that share no more,
// allowing for chance (two standard deviations of a Poisson count), are in no
// order that means anything; those that share half more count in full.
func (x *Index) bond() float64 {
	n := float64(x.docs.count())
	k := x.docs.kin
	if k.pairs == 0 || x.vocab.pairs == 0 {
		return 0
	}
	expected := float64(x.vocab.pairs) / (n * (n - 1)) * float64(k.pairs)
	shared := float64(k.shared)
	ratio := (shared - 2*math.Sqrt(shared)) / expected
	return min(max((ratio-1.1)/.3, 0), 1)
}

// gather adds the neighbours of the best candidates to the pool, and returns
// where in the pool each document is.
func (r *ranking) gather() map[uint32]int {
	place := make(map[uint32]int, 5*len(r.pool))
	for i, d := range r.pool {
		place[d.doc] = i
	}
	for _, d := range r.pool[:min(len(r.pool), lookBeside)] {
		for _, n := range r.x.around(d.doc) {
			if n == none {
				continue
			}
			if _, ok := place[n]; !ok {
				place[n] = len(r.pool)
				r.add(n)
				d := &r.pool[place[n]]
				d.guest = d.own == 0
			}
		}
	}
	return place
}

// around returns the two documents saved before one and the two after it, the
// nearest first, or none where they were not saved together.
func (x *Index) around(doc uint32) (n [4]uint32) {
	n = [4]uint32{none, none, none, none}
	at := doc
	for i := 0; i < 2; i++ {
		prev := x.docs.all[at].prev
		if !x.beside(prev, at) {
			break
		}
		n[i], at = prev, prev
	}
	at = doc
	for i := 2; i < 4; i++ {
		next := x.docs.all[at].next
		if !x.beside(at, next) {
			break
		}
		n[i], at = next, next
	}
	return n
}

// lent is what a document's neighbours add to its score.
func (r *ranking) lent(doc uint32, place map[uint32]int) float64 {
	sum := 0.0
	for i, n := range r.x.around(doc) {
		at, ok := place[n]
		if !ok {
			continue
		}
		share := prevShare
		if i >= 2 {
			share = nextShare
		}
		if i%2 == 1 {
			share *= secondShare
		}
		if i == 0 && r.x.docs.all[n].trait&question != 0 {
			share += answerShare
		}
		sum += share * r.pool[at].own
	}
	return sum
}
