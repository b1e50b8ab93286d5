package search

import "slices"

// vocabulary knows the terms of all documents.
type vocabulary struct {
	table  table
	terms  []term
	traits []trait  // by term
	free   []uint32 // numbers of terms that no document has any more
	// pairs is how many ordered pairs of different documents share a term in
	// their texts, summed over all terms that are not function words: Σ m·(m−1).
	pairs uint64
	load  *loading // during a load
}

// A term and the documents that have it, in order of their numbers.
type term struct {
	text  string
	posts []posting
	sig   signature // for the fallback
	texts uint32    // documents that have it elsewhere than in the key
	most  uint8     // twice the highest frequency that the term has had anywhere
}

// A posting is one document that has a term: its number in the upper 24 bits,
// and how often it has the term in each field in the lower eight.
type posting uint32

const (
	maxDocs        = 1 << 24
	maxValue       = 15 // counts above are cut: BM25 hardly tells them apart
	maxDescription = 3
	maxKey         = 3
)

func newPosting(doc uint32, c counts) posting {
	return posting(doc<<8 | min(c[inKey], maxKey)<<6 | min(c[inDescription], maxDescription)<<4 | min(c[inValue], maxValue))
}

func (p posting) doc() uint32  { return uint32(p) >> 8 }
func (p posting) inText() bool { return p&0x3f != 0 }

// counts are how often a document has a term in each field.
type counts [3]uint32

const (
	inKey = iota
	inDescription
	inValue
)

func (v *vocabulary) text(id uint32) string { return v.terms[id].text }

func (v *vocabulary) find(text string) (uint32, bool) {
	return v.table.find(hashOf(text), text, v.text)
}

// id returns the number of a term with hash h, a new one where it is new. It
// keeps the string.
func (v *vocabulary) id(h uint32, text string) uint32 {
	if id, ok := v.table.find(h, text, v.text); ok {
		return id
	}
	t := term{text: text, sig: sign(text)}
	var id uint32
	if n := len(v.free); n > 0 {
		id = v.free[n-1]
		v.free = v.free[:n-1]
		v.terms[id], v.traits[id] = t, traitsOf(text)
	} else {
		id = uint32(len(v.terms))
		v.terms, v.traits = append(v.terms, t), append(v.traits, traitsOf(text))
	}
	v.table.add(h, id)
	return id
}

// add writes a posting into a term's list.
func (v *vocabulary) add(id uint32, p posting) {
	if v.load != nil {
		v.load.add(id, p)
		return
	}
	v.count(id, p)
	t := &v.terms[id]
	if n := len(t.posts); n == 0 || t.posts[n-1] < p {
		t.posts = append(t.posts, p)
	} else {
		t.posts = slices.Insert(t.posts, seek(t.posts, 0, p.doc()), p)
	}
}

// count brings a new posting into the statistics.
func (v *vocabulary) count(id uint32, p posting) {
	t := &v.terms[id]
	t.most = max(t.most, uint8(2*frequencies[uint8(p)]))
	if p.inText() {
		if v.traits[id]&function == 0 {
			v.pairs += 2 * uint64(t.texts)
		}
		t.texts++
	}
}

// drop takes a document out of a term's list, and the term out of the
// vocabulary with its last one.
func (v *vocabulary) drop(id, doc uint32) {
	t := &v.terms[id]
	i := seek(t.posts, 0, doc)
	if i == len(t.posts) || t.posts[i].doc() != doc {
		return
	}
	if t.posts[i].inText() {
		t.texts--
		if v.traits[id]&function == 0 {
			v.pairs -= 2 * uint64(t.texts)
		}
	}
	t.posts = slices.Delete(t.posts, i, i+1)
	if len(t.posts) > 0 {
		return
	}
	if v.load != nil {
		v.load.orphans = append(v.load.orphans, id)
		return
	}
	v.release(id)
}

func (v *vocabulary) release(id uint32) {
	v.table.remove(hashOf(v.terms[id].text), id)
	v.terms[id], v.traits[id] = term{}, 0
	v.free = append(v.free, id)
}

// loading is what waits during a load. Postings wait so that each list grows
// a few times rather than with every document; numbers of terms wait to be
// given out again because the analysers hold them.
type loading struct {
	waiting [][]waiting // each up to waitingSize long
	orphans []uint32    // terms that lost their last document
	flushed bool
	buf     []byte // for encoding
}

// waiting is a posting that is not in its list yet.
type waiting struct {
	id   uint32
	post posting
}

// flushAt bounds how many postings wait, which take 12 bytes each.
const (
	waitingSize = 1 << 13
	flushAt     = 1 << 22
)

func (l *loading) add(id uint32, p posting) {
	n := len(l.waiting) - 1
	if n < 0 || len(l.waiting[n]) == waitingSize {
		l.waiting = append(l.waiting, make([]waiting, 0, waitingSize))
		n++
	}
	l.waiting[n] = append(l.waiting[n], waiting{id, p})
}

// count is how many postings wait, or a little more.
func (l *loading) count() int { return len(l.waiting) * waitingSize }

// flush writes the postings that wait into their lists. Last says that the
// load ends with it.
func (v *vocabulary) flush(last bool) {
	l := v.load
	// A counting sort by term: ends[id] is where the list of a term ends so far.
	ends := make([]uint32, len(v.terms)+1)
	for _, some := range l.waiting {
		for _, w := range some {
			ends[w.id+1]++
		}
	}
	for i := range v.terms {
		ends[i+1] += ends[i]
	}
	sorted := make([]posting, ends[len(v.terms)])
	for _, some := range l.waiting {
		for _, w := range some {
			sorted[ends[w.id]] = w.post
			ends[w.id]++
		}
	}
	l.waiting = nil
	start := uint32(0)
	for id := range v.terms {
		more := sorted[start:ends[id]:ends[id]]
		start = ends[id]
		if len(more) == 0 {
			continue
		}
		// A slice of sorted keeps all of it alive, which does no harm where it
		// is the only one.
		v.extend(uint32(id), more, !last || l.flushed)
	}
	l.flushed = true
}

// extend appends postings to a term's list. Unless they are to be copied, they
// may become the list.
func (v *vocabulary) extend(id uint32, more []posting, copied bool) {
	t := &v.terms[id]
	var last posting
	if n := len(t.posts); n > 0 {
		last = t.posts[n-1]
	}
	inOrder := true
	for _, p := range more {
		inOrder = inOrder && last <= p
		last = p
		v.count(id, p)
	}
	if t.posts == nil && !copied {
		t.posts = more
	} else {
		t.posts = append(t.posts, more...)
	}
	if !inOrder {
		slices.Sort(t.posts) // numbers of deleted documents were given out again
	}
}

// settle makes the lists complete in the middle of a load, before a document
// is taken out of them.
func (v *vocabulary) settle() {
	l := v.load
	if l == nil || l.count() == 0 {
		return
	}
	if l.count() > max(waitingSize, len(v.terms)/16) {
		v.flush(false)
		return
	}
	v.load = nil
	for _, some := range l.waiting {
		for _, w := range some {
			v.add(w.id, w.post)
		}
	}
	l.waiting = nil
	v.load = l
}

// loaded ends a load.
func (v *vocabulary) loaded() {
	v.flush(true)
	orphans := v.load.orphans
	v.load = nil
	for _, id := range orphans {
		if t := &v.terms[id]; t.text != "" && len(t.posts) == 0 {
			v.release(id)
		}
	}
	for i := range v.terms {
		t := &v.terms[i]
		t.posts = clip(t.posts)
	}
	v.terms, v.traits = clip(v.terms), clip(v.traits)
}

// clip gives back the room that a slice has grown ahead, if it is worth it.
func clip[T any](s []T) []T {
	if cap(s)-len(s) > len(s)/16 {
		return slices.Clip(slices.Clone(s))
	}
	return s
}

// seek returns the index of the first posting from i on whose document is not
// before doc. It gallops, so that short ways are short.
func seek(posts []posting, i int, doc uint32) int {
	want := posting(doc << 8)
	if i >= len(posts) || posts[i] >= want {
		return i
	}
	lo, step := i, 1
	for lo+step < len(posts) && posts[lo+step] < want {
		lo += step
		step *= 2
	}
	hi := min(lo+step, len(posts))
	lo++
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		if posts[mid] < want {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}
