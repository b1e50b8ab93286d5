package search

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// The parameters of BM25, k1 and b, and what an occurrence in a key or a
// description counts beside one in the value (BM25F with one length for all:
// Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted
// fields", 2004).
const (
	k1          = .9
	b           = .4
	keyWeight   = 1.5
	descWeight  = 1.5
	candidates  = 64      // how many documents are ranked closely
	unit        = 1 << 16 // of the whole numbers in which candidates are scored
	windowWidth = 1 << 13
)

// frequencies are the weighted term frequencies that a posting's lower eight
// bits stand for.
var frequencies = func() (f [256]float32) {
	for i := range f {
		f[i] = float32(i&maxValue) + descWeight*float32(i>>4&maxDescription) + keyWeight*float32(i>>6)
	}
	return f
}()

// A candidate is a document found by its postings. Its score is a sum of
// whole numbers, so that it does not depend on the order of adding.
type candidate struct {
	doc   uint32
	score uint32
}

// A stream is a term's postings while candidates are being found.
type stream struct {
	posts []posting
	at    int
	scale float32 // weight · idf · unit
	most  uint32  // no posting contributes more
}

// A finder goes through the postings of one query. Its sums are all 0 between
// searches.
type finder struct {
	x            *Index
	streams      []stream
	below        []uint32 // below[i] is the most that the streams before i add up to
	best         top
	least        uint32 // known to be reached by the n-th best
	norm0, norm1 float32
	sums         [windowWidth]uint32
	touched      [windowWidth / 64]uint64
}

// find returns the best documents by BM25, at most n, best first. It goes
// through the documents in windows. In each, terms that could lift a document
// over the n-th best so far are summed up; the others, frequent words mostly,
// are looked up only where a document still has a chance with them (MaxScore:
// Turtle and Flood, "Query evaluation: strategies and optimizations", 1995).
func (f *finder) find(x *Index, q *query, n int) []candidate {
	avg := float32(max(x.docs.total, 1)) / float32(max(x.docs.count(), 1))
	f.x, f.norm0, f.norm1 = x, k1*(1-b), k1*b/avg
	f.streams, f.below, f.best = f.streams[:0], append(f.below[:0], 0), top{x: x, n: n, all: f.best.all[:0]}
	for i := range q.terms {
		t := &q.terms[i]
		if t.minor || len(t.posts) == 0 {
			continue
		}
		s := stream{posts: t.posts, scale: float32(t.weight * t.idf * unit)}
		tf := float32(t.most) / 2
		s.most = uint32(s.scale*tf/(tf+f.norm0)) + 1
		f.streams = append(f.streams, s)
	}
	slices.SortFunc(f.streams, func(a, b stream) int { return cmp.Compare(a.most, b.most) })
	for i, s := range f.streams {
		f.below = append(f.below, f.below[i]+s.most)
	}
	f.least = 0
	for i := range f.streams {
		f.least = max(f.least, f.reached(&f.streams[i]))
	}
	for base := uint32(0); base < uint32(len(x.docs.all)); base += windowWidth {
		if !f.window(base) {
			break
		}
	}
	slices.SortFunc(f.best.all, f.best.order)
	return f.best.all
}

// reached is a score that at least n documents reach by one term alone, by
// which others are ruled out from the start. It is worth finding out for terms
// that are not too frequent.
func (f *finder) reached(s *stream) uint32 {
	if len(s.posts) < f.best.n || len(s.posts) > windowWidth {
		return 0
	}
	var steps [256]int // how many contributions are in each 256th of most
	for _, p := range s.posts {
		steps[f.contribution(s, p)*255/s.most]++
	}
	n := 0
	for i := len(steps) - 1; i > 0; i-- {
		if n += steps[i]; n >= f.best.n {
			return (uint32(i)*s.most + 254) / 255
		}
	}
	return 0
}

// floor is the score below which no document is among the best.
func (f *finder) floor() uint32 { return max(f.least, f.best.floor()) }

// contribution is one term's part in a document's score: BM25's saturation of
// the term frequency, normalised by the length of the text.
func (f *finder) contribution(s *stream, p posting) uint32 {
	tf := frequencies[uint8(p)]
	return uint32(s.scale * tf / (tf + f.norm0 + f.norm1*float32(f.x.docs.lengths[p.doc()])))
}

// window handles the documents from base on, and reports whether a later one
// can still be found.
func (f *finder) window(base uint32) bool {
	first := 0 // the first stream that must be summed up
	floor := f.floor()
	for first < len(f.streams) && f.below[first+1] < floor {
		first++
	}
	if first == len(f.streams) {
		return false
	}
	end := posting(uint64(base+windowWidth) << 8)
	if base+windowWidth >= maxDocs {
		end = ^posting(0)
	}
	more := false
	for i := first; i < len(f.streams); i++ {
		s := &f.streams[i]
		s.at = seek(s.posts, s.at, base)
		for ; s.at < len(s.posts) && s.posts[s.at] < end; s.at++ {
			p := s.posts[s.at]
			d := p.doc() - base
			f.sums[d] += f.contribution(s, p)
			f.touched[d>>6] |= 1 << (d & 63)
		}
		more = more || s.at < len(s.posts)
	}
	for w, set := range f.touched {
		if set == 0 {
			continue
		}
		f.touched[w] = 0
		for ; set != 0; set &= set - 1 {
			d := uint32(w<<6 + bits.TrailingZeros64(set))
			sum := f.sums[d]
			f.sums[d] = 0
			if sum+f.below[first] >= f.floor() {
				f.complete(base+d, sum, first)
			}
		}
	}
	return more
}

// complete adds what the streams before first contribute to a document, as
// long as it can still get among the best.
func (f *finder) complete(doc, sum uint32, first int) {
	for i := first - 1; i >= 0; i-- {
		if sum+f.below[i+1] < f.floor() {
			return
		}
		s := &f.streams[i]
		s.at = seek(s.posts, s.at, doc)
		if s.at < len(s.posts) && s.posts[s.at].doc() == doc {
			sum += f.contribution(s, s.posts[s.at])
		}
	}
	f.best.offer(candidate{doc, sum})
}

// top keeps the n best candidates in a heap, the worst of them first.
type top struct {
	x   *Index
	n   int
	all []candidate
}

// floor is the score below which nothing gets in.
func (t *top) floor() uint32 {
	if len(t.all) < t.n {
		return 0
	}
	return t.all[0].score
}

// order is by score, then the newer, then by key.
func (t *top) order(a, b candidate) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return t.x.newer(a.doc, b.doc)
}

func (t *top) offer(c candidate) {
	if len(t.all) < t.n {
		t.all = append(t.all, c)
		for i := len(t.all) - 1; i > 0; {
			up := (i - 1) / 2
			if t.order(t.all[up], t.all[i]) > 0 {
				break
			}
			t.all[up], t.all[i] = t.all[i], t.all[up]
			i = up
		}
		return
	}
	if t.order(c, t.all[0]) > 0 {
		return
	}
	t.all[0] = c
	for i := 0; ; {
		worst := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < len(t.all) && t.order(t.all[worst], t.all[child]) < 0 {
				worst = child
			}
		}
		if worst == i {
			return
		}
		t.all[worst], t.all[i] = t.all[i], t.all[worst]
		i = worst
	}
}

// newer orders documents that are equally good: the one saved last comes
// first, then by key.
func (x *Index) newer(a, b uint32) int {
	da, db := &x.docs.all[a], &x.docs.all[b]
	if da.updated != db.updated {
		return cmp.Compare(db.updated, da.updated)
	}
	return strings.Compare(da.key(), db.key())
}
