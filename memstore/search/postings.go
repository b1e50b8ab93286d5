package search

import "slices"

// vocabulary knows the terms of all documents.
type vocabulary struct {
	table table
	terms []term
	free  []uint32 // numbers of terms that no document has any more
	// pairs is how many ordered pairs of different documents share a term in
	// their texts, summed over all terms that are not function words: Σ m·(m−1).
	pairs   uint64
	loading bool
	orphans []uint32 // terms that lost their last document during a load
}

// A term and the documents that have it, in order of their numbers.
type term struct {
	text  string
	posts []posting
	sig   signature // for the fallback
	texts uint32    // documents that have it elsewhere than in the key
	trait trait
	most  uint8 // twice the highest frequency that the term has had anywhere
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
	t := term{text: text, sig: sign(text), trait: traitsOf(text)}
	var id uint32
	if n := len(v.free); n > 0 {
		id = v.free[n-1]
		v.free = v.free[:n-1]
		v.terms[id] = t
	} else {
		id = uint32(len(v.terms))
		v.terms = append(v.terms, t)
	}
	v.table.add(h, id)
	return id
}

// add writes a posting into a term's list.
func (v *vocabulary) add(id uint32, p posting) {
	t := &v.terms[id]
	if p.inText() {
		if t.trait&function == 0 {
			v.pairs += 2 * uint64(t.texts)
		}
		t.texts++
	}
	t.most = max(t.most, uint8(2*frequencies[uint8(p)]))
	if n := len(t.posts); n == 0 || t.posts[n-1] < p {
		t.posts = append(t.posts, p)
	} else {
		t.posts = slices.Insert(t.posts, seek(t.posts, 0, p.doc()), p)
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
		if t.trait&function == 0 {
			v.pairs -= 2 * uint64(t.texts)
		}
	}
	t.posts = slices.Delete(t.posts, i, i+1)
	if len(t.posts) == 0 {
		if v.loading {
			v.orphans = append(v.orphans, id)
			return
		}
		v.release(id)
	}
}

func (v *vocabulary) release(id uint32) {
	v.table.remove(hashOf(v.terms[id].text), id)
	v.terms[id] = term{}
	v.free = append(v.free, id)
}

// loaded ends a load, during which numbers of terms had to stay as they were.
func (v *vocabulary) loaded() {
	v.loading = false
	for _, id := range v.orphans {
		if t := &v.terms[id]; t.text != "" && len(t.posts) == 0 {
			v.release(id)
		}
	}
	v.orphans = nil
	for i := range v.terms {
		t := &v.terms[i]
		t.posts = clip(t.posts)
	}
	v.terms = clip(v.terms)
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
