package search

import (
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// An analyser turns documents into sequences over a vocabulary of its own,
// and remembers what it made of the chunks that it has seen: most chunks of a
// text are words that occurred before.
type analyser struct {
	ids    table
	terms  []string
	hashes []uint32 // of the terms
	taken  int      // terms that were handed on already
	memo   memo
	pieces []piece
	spans  []span
}

// A span is a chunk of a text, with its hash and what the memo has in the
// place for that.
type span struct {
	hash   uint64
	lo, hi int
	there  remembered
}

func newAnalyser() *analyser {
	return &analyser{ids: newTable(), memo: newMemo()}
}

func (a *analyser) term(id uint32) string { return a.terms[id] }

// text appends the refs of a description or a value. The memo is asked for all
// chunks at once, because a processor then fetches the distant places of memory
// where they are at the same time, which makes it twice as fast.
func (a *analyser) text(refs []ref, text string) []ref {
	a.spans = a.spans[:0]
	for at := 0; ; {
		lo, hi := nextChunk(text, at)
		if lo >= hi {
			break
		}
		a.spans = append(a.spans, span{hash: hash64(text[lo:hi]), lo: lo, hi: hi})
		at = skipTrimmed(text, hi)
	}
	for i := range a.spans {
		s := &a.spans[i]
		s.there = a.memo.first(s.hash)
	}
	for i := range a.spans {
		if s := &a.spans[i]; s.there.hash == s.hash {
			refs = a.memo.append(refs, s.there)
		} else {
			refs = a.chunk(refs, text[s.lo:s.hi], s.hash, analyse)
		}
	}
	return refs
}

// key appends the refs of a key: its parts.
func (a *analyser) key(refs []ref, key string) []ref {
	for part := range keyParts(key) {
		refs = a.chunk(refs, part, hash64(part)^keyHash, keyPieces)
	}
	return refs
}

// keyParts yields the stretches of letters and digits of a key, or, where it
// has letters beyond ASCII, its segments. Long numbers, of which each key may
// have its own, would fill the vocabulary: they are left out, and found by
// looking through the keys (see Index.inKeys).
func keyParts(key string) iter.Seq[string] {
	return func(yield func(string) bool) {
		plain := true
		for i := 0; i < len(key) && plain; i++ {
			plain = key[i] < utf8.RuneSelf
		}
		start := 0
		for i := 0; i <= len(key); i++ {
			if i < len(key) && (plain && isWordRune(rune(key[i])) || !plain && key[i] != '/') {
				continue
			}
			if start < i && !isLongNumber(key[start:i]) && !yield(key[start:i]) {
				return
			}
			start = i + 1
		}
	}
}

// keyPieces cuts a part of a key.
func keyPieces(out []piece, part string) []piece {
	for i := 0; i < len(part); i++ {
		if part[i] >= utf8.RuneSelf {
			return analyse(out, part)
		}
	}
	return parts(out, folded{text: part}, 0, len(part))
}

// isLongNumber says whether a term has five digits or more.
func isLongNumber(term string) bool {
	n := 0
	for i := 0; i < len(term); i++ {
		if '0' <= term[i] && term[i] <= '9' {
			n++
		}
	}
	return n >= 5
}

// keyHash tells the segments of keys, which are cut in another way, from
// chunks of texts.
const keyHash = 1 << 63

func (a *analyser) chunk(refs []ref, chunk string, hash uint64, cut func([]piece, string) []piece) []ref {
	if refs, ok := a.memo.recall(refs, hash); ok {
		return refs
	}
	n := len(refs)
	refs = a.cutChunk(refs, chunk, cut)
	a.memo.keep(hash, refs[n:])
	return refs
}

func (a *analyser) cutChunk(refs []ref, chunk string, cut func([]piece, string) []piece) []ref {
	a.pieces = cut(a.pieces[:0], chunk)
	for _, p := range a.pieces {
		refs = append(refs, newRef(a.id(p.term), p.extra))
	}
	return refs
}

func (a *analyser) id(term string) uint32 {
	h := hashOf(term)
	id, ok := a.ids.find(h, term, a.term)
	if !ok {
		id = uint32(len(a.terms))
		a.terms, a.hashes = room(a.terms, 1), room(a.hashes, 1)
		a.terms = append(a.terms, strings.Clone(term))
		a.hashes = append(a.hashes, h)
		a.ids.add(h, id)
	}
	return id
}

// A batch is some documents of a load: first as they came, then as refs of
// the analyser that cut them.
type batch struct {
	docs   []Document
	refs   []ref
	ends   [][3]int // where each document's fields end in refs
	fresh  []string // terms that were new to the analyser
	hashes []uint32 // of these
	by     int      // which analyser
	done   chan struct{}
}

const batchSize = 256

func newBatch() *batch {
	return &batch{
		docs: make([]Document, 0, batchSize), refs: make([]ref, 0, 48*batchSize),
		ends: make([][3]int, 0, batchSize), done: make(chan struct{}),
	}
}

// begin makes a batch ready for the next documents. Its memory is used again.
func (b *batch) begin() {
	clear(b.docs)
	b.docs, b.refs, b.ends = b.docs[:0], b.refs[:0], b.ends[:0]
	b.done = make(chan struct{})
}

// load puts documents, in order, while several goroutines cut their texts:
// the caller reads, each worker cuts, and one goroutine inserts. All have
// ended when it returns. The lock is held by the caller.
func (x *Index) load(seq iter.Seq[Document]) {
	x.vocab.load = &loading{}
	defer func() {
		x.vocab.loaded()
		x.docs.all, x.docs.lengths = clip(x.docs.all), clip(x.docs.lengths)
	}()
	workers := max(1, runtime.GOMAXPROCS(0)-1)
	jobs := make(chan *batch, workers)
	ordered := make(chan *batch, 4*workers)
	used := make(chan *batch, 4*workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			a := newAnalyser()
			for b := range jobs {
				a.cut(b)
				b.by = w
				close(b.done)
			}
		})
	}
	wg.Go(func() {
		global := make([][]uint32, workers)
		for b := range ordered {
			<-b.done
			x.merge(b, global)
			select {
			case used <- b:
			default:
			}
		}
	})
	defer wg.Wait()
	defer close(ordered)
	defer close(jobs)
	b := newBatch()
	send := func() {
		ordered <- b
		jobs <- b
		select {
		case b = <-used:
			b.begin()
		default:
			b = newBatch()
		}
	}
	for d := range seq {
		if len(d.Key) > maxKeySize {
			continue
		}
		b.docs = append(b.docs, d)
		if len(b.docs) == batchSize {
			send()
		}
	}
	if len(b.docs) > 0 {
		send()
	}
}

func (a *analyser) cut(b *batch) {
	for i := range b.docs {
		d := &b.docs[i]
		var ends [3]int
		b.refs = a.key(b.refs, d.Key)
		ends[inKey] = len(b.refs)
		b.refs = a.text(b.refs, d.Description)
		ends[inDescription] = len(b.refs)
		b.refs = a.text(b.refs, d.Value)
		ends[inValue] = len(b.refs)
		b.ends = append(b.ends, ends)
	}
	b.fresh = a.terms[a.taken:len(a.terms):len(a.terms)]
	b.hashes = a.hashes[a.taken:len(a.terms):len(a.terms)]
	a.taken = len(a.terms)
}

// merge inserts a batch. Global maps each analyser's numbers of terms to the
// vocabulary's.
func (x *Index) merge(b *batch, global [][]uint32) {
	v, ds := &x.vocab, &x.docs
	v.terms, v.traits = room(v.terms, len(b.fresh)), room(v.traits, len(b.fresh))
	ds.all, ds.lengths = room(ds.all, len(b.docs)), room(ds.lengths, len(b.docs))
	global[b.by] = room(global[b.by], len(b.fresh))
	for i, term := range b.fresh {
		global[b.by] = append(global[b.by], x.vocab.id(b.hashes[i], term))
	}
	ids := global[b.by]
	for i, r := range b.refs {
		b.refs[i] = newRef(ids[r.term()], r.extra())
	}
	buf := v.load.buf[:0]
	ends, hashes := make([]int, len(b.docs)), make([]uint32, len(b.docs))
	start := 0
	for i := range b.docs {
		s := cutSequence(b.refs, start, b.ends[i])
		start = b.ends[i][inValue]
		buf = s.append(append(buf, b.docs[i].Key...))
		ends[i] = len(buf)
		hashes[i] = hashOf(b.docs[i].Key)
	}
	// One string for all: the documents hold slices of it.
	data := string(buf)
	v.load.buf = buf
	start, from := 0, 0
	for i := range b.docs {
		d, h := &b.docs[i], hashes[i]
		s := cutSequence(b.refs, start, b.ends[i])
		x.remove(h, d.Key)
		x.insert(h, data[from:ends[i]], &s, d)
		start, from = b.ends[i][inValue], ends[i]
	}
	if v.load.count() > flushAt {
		v.flush(false)
	}
}

// room makes room for n more, and for as many as are there already: the
// slices of a load are large, and append would copy them more often.
func room[T any](s []T, n int) []T {
	if cap(s)-len(s) >= n {
		return s
	}
	return slices.Grow(s, max(n, len(s)))
}

func cutSequence(refs []ref, start int, ends [3]int) sequence {
	return sequence{refs[start:ends[0]], refs[ends[0]:ends[1]], refs[ends[1]:ends[2]]}
}

// put inserts one document whose key is not there.
func (x *Index) put(d *Document) {
	if len(d.Key) > maxKeySize {
		return
	}
	var s sequence
	for i, text := range [...]string{d.Key, d.Description, d.Value} {
		var ps []piece
		if i == inKey {
			for part := range keyParts(text) {
				ps = append(ps, keyPieces(nil, part)...)
			}
		} else {
			ps = pieces(text)
		}
		for _, p := range ps {
			s[i] = append(s[i], newRef(x.vocab.id(hashOf(p.term), strings.Clone(p.term)), p.extra))
		}
	}
	x.insert(hashOf(d.Key), string(s.append([]byte(d.Key))), &s, d)
}
