package search

import (
	"encoding/binary"
	"strings"
)

const none = ^uint32(0)

// documents are numbered; the number of a deleted one is given out again.
// They are linked in the order in which they were saved.
type documents struct {
	table       table
	all         []document
	lengths     []uint32 // see sequence.length
	total       uint64   // sum of lengths
	free        []uint32
	first, last uint32
	threads     map[string]uint32
	kin         kinship
}

// A document is 40 bytes, of which there may be a million.
type document struct {
	data       string // its key, then its sequence, encoded
	updated    int64  // Unix seconds
	prev, next uint32 // saved before and after it
	thread     uint32
	keySize    uint16
	trait      trait
}

// maxKeySize is the longest key, in bytes. A document with a longer one is
// not indexed.
const maxKeySize = 1<<16 - 1

func (d *document) key() string   { return d.data[:d.keySize] }
func (d *document) terms() string { return d.data[d.keySize:] }

func (ds *documents) key(n uint32) string { return ds.all[n].key() }

func (ds *documents) count() int { return ds.table.used }

// A sequence is the terms of one document in the order of its text, which is
// how the index can do without the text. A ref is 2·term, plus 1 where the
// piece is an extra.
type sequence [3][]ref

type ref uint32

func newRef(term uint32, extra bool) ref {
	r := ref(term << 1)
	if extra {
		r |= 1
	}
	return r
}

func (r ref) term() uint32 { return uint32(r) >> 1 }
func (r ref) extra() bool  { return r&1 != 0 }

// length is how many words description and value have.
func (s *sequence) length() uint32 {
	var n uint32
	for _, f := range s[inDescription:] {
		for _, r := range f {
			n += 1 - uint32(r&1)
		}
	}
	return n
}

// append writes the sequence to buf as varints: for each field the number of
// refs, then these.
func (s *sequence) append(buf []byte) []byte {
	for _, f := range s {
		buf = binary.AppendUvarint(buf, uint64(len(f)))
		for _, r := range f {
			switch {
			case r < 1<<7:
				buf = append(buf, byte(r))
			case r < 1<<14:
				buf = append(buf, byte(r)|0x80, byte(r>>7))
			case r < 1<<21:
				buf = append(buf, byte(r)|0x80, byte(r>>7)|0x80, byte(r>>14))
			default:
				buf = binary.AppendUvarint(buf, uint64(r))
			}
		}
	}
	return buf
}

// decodeField reads one field of an encoded sequence from byte at on, and
// appends it to refs.
func decodeField(refs []ref, terms string, at int) ([]ref, int) {
	left := -1
	var v uint32
	var shift uint
	for at < len(terms) && left != 0 {
		b := terms[at]
		at++
		v |= uint32(b&0x7f) << shift
		if b >= 0x80 {
			shift += 7
			continue
		}
		if left < 0 {
			left = int(v)
		} else {
			refs = append(refs, ref(v))
			left--
		}
		v, shift = 0, 0
	}
	return refs, at
}

func (s *sequence) decode(terms string) {
	at := 0
	for i := range s {
		s[i], at = decodeField(s[i][:0], terms, at)
	}
}

// insert adds a document whose key, with hash h, is not there. Data is the key
// and then s, encoded.
func (x *Index) insert(h uint32, data string, s *sequence, d *Document) {
	t := asks(d.Value)
	ds := &x.docs
	if ds.count() == maxDocs-1 {
		return
	}
	var n uint32
	if k := len(ds.free); k > 0 {
		n = ds.free[k-1]
		ds.free = ds.free[:k-1]
	} else {
		n = uint32(len(ds.all))
		ds.all = append(ds.all, document{})
		ds.lengths = append(ds.lengths, 0)
	}
	if x.tally.doc != ds.last && ds.last != none {
		x.tally.pretend(x.textOf(ds.last), len(x.vocab.terms))
	}
	shared := x.tally.count(s, x.vocab.traits)
	for i, id := range x.tally.terms {
		t |= x.vocab.traits[id]
		x.vocab.add(id, newPosting(n, x.tally.counts[i]))
	}
	ds.all[n] = document{data: data, keySize: uint16(len(d.Key)), updated: d.Updated.Unix(), prev: ds.last, next: none,
		thread: ds.threadID(d.Thread), trait: t}
	ds.table.add(h, n)
	if ds.last == none {
		ds.first = n
	} else {
		ds.all[ds.last].next = n
	}
	if x.beside(ds.last, n) {
		ds.kin.pairs++
		ds.kin.shared += shared
	}
	ds.last, x.tally.doc = n, n
	ds.lengths[n] = s.length()
	ds.total += uint64(ds.lengths[n])
}

// remove takes a document out of everything. H is the hash of its key.
func (x *Index) remove(h uint32, key string) {
	ds := &x.docs
	n, ok := ds.table.find(h, key, ds.key)
	if !ok {
		return
	}
	x.vocab.settle()
	d := ds.all[n]
	x.relate(d.prev, n, -1)
	x.relate(n, d.next, -1)
	x.relate(d.prev, d.next, +1)
	if d.prev == none {
		ds.first = d.next
	} else {
		ds.all[d.prev].next = d.next
	}
	if d.next == none {
		ds.last = d.prev
	} else {
		ds.all[d.next].prev = d.prev
	}
	var s sequence
	s.decode(d.terms())
	x.tally.count(&s, x.vocab.traits)
	for _, id := range x.tally.terms {
		x.vocab.drop(id, n)
	}
	ds.total -= uint64(ds.lengths[n])
	ds.lengths[n] = 0
	ds.table.remove(h, n)
	ds.all[n] = document{prev: none, next: none}
	ds.free = append(ds.free, n)
}

// threadID numbers threads; 0 is none.
func (ds *documents) threadID(name string) uint32 {
	if name == "" {
		return 0
	}
	id, ok := ds.threads[name]
	if !ok {
		id = uint32(len(ds.threads) + 1)
		ds.threads[strings.Clone(name)] = id
	}
	return id
}

// A tally counts the terms of a document. It is used again for each, so that
// counting allocates nothing, and what it saw of the document before tells
// what that shares with this one.
type tally struct {
	terms  []uint32 // those of description and value first
	counts []counts
	seen   []uint64 // by term: the round in which it was seen last, and where
	round  uint32
	texts  int    // how many terms are in description or value
	before int    // as many of the round before
	doc    uint32 // the document that was counted, or none
}

// count counts the terms of s. It returns how many terms in its texts were in
// the texts that were counted before, function words aside.
func (t *tally) count(s *sequence, traits []trait) (shared int64) {
	t.begin(len(traits))
	for _, f := range [...]int{inDescription, inValue, inKey} {
		for _, r := range s[f] {
			id := r.term()
			seen := t.seen[id]
			at := uint32(seen)
			if round := uint32(seen >> 32); round != t.round {
				if f != inKey && round == t.round-1 && int(at) < t.before && traits[id]&function == 0 {
					shared++
				}
				at = uint32(len(t.terms))
				t.seen[id] = uint64(t.round)<<32 | uint64(at)
				t.terms, t.counts = append(t.terms, id), append(t.counts, counts{})
			}
			t.counts[at][f]++
		}
		if f == inValue {
			t.texts = len(t.terms)
		}
	}
	return shared
}

// pretend makes a text the one that was counted last.
func (t *tally) pretend(text []ref, vocabulary int) {
	t.begin(vocabulary)
	for _, r := range text {
		t.seen[r.term()] = uint64(t.round) << 32
	}
	t.texts = 1
}

func (t *tally) begin(vocabulary int) {
	if len(t.seen) < vocabulary {
		t.seen = append(t.seen, make([]uint64, vocabulary-len(t.seen))...)
	}
	t.round++
	t.before, t.texts, t.doc = t.texts, 0, none
	if t.round == 0 {
		clear(t.seen)
		t.round, t.before = 1, 0
	}
	t.terms, t.counts = t.terms[:0], t.counts[:0]
}
