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
}

func newAnalyser() *analyser {
	return &analyser{ids: newTable(), memo: newMemo()}
}

func (a *analyser) term(id uint32) string { return a.terms[id] }

// text appends the refs of a description or a value.
func (a *analyser) text(refs []ref, text string) []ref {
	for at := 0; ; {
		lo, hi := nextChunk(text, at)
		if lo >= hi {
			return refs
		}
		refs = a.chunk(refs, text[lo:hi], hash64(text[lo:hi]), analyse)
		at = skipTrimmed(text, hi)
	}
}

// key appends the refs of a key.
func (a *analyser) key(refs []ref, key string) []ref {
	for segment := range strings.SplitSeq(key, "/") {
		if strings.ContainsAny(segment, "0123456789") {
			// Seldom seen twice, so not worth remembering.
			refs = a.cutChunk(refs, segment, keyPieces)
		} else {
			refs = a.chunk(refs, segment, hash64(segment)^keyHash, keyPieces)
		}
	}
	return refs
}

// keyPieces cuts a segment of a key into its parts. Numbers, of which each key
// may have its own, would fill the vocabulary: they are left out, and found by
// looking through the keys (see Index.inKeys).
func keyPieces(out []piece, segment string) []piece {
	out = keyParts(out, segment)
	return slices.DeleteFunc(out, func(p piece) bool { return isLongNumber(p.term) })
}

func keyParts(out []piece, segment string) []piece {
	for i := 0; i < len(segment); i++ {
		if segment[i] >= utf8.RuneSelf {
			return analyse(out, segment)
		}
	}
	return parts(out, folded{text: segment}, 0, len(segment))
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

// load puts documents, in order, while several goroutines cut their texts:
// the caller reads, each worker cuts, and one goroutine inserts. All have
// ended when it returns. The lock is held by the caller.
func (x *Index) load(seq iter.Seq[Document]) {
	x.vocab.loading = true
	defer func() {
		x.vocab.loaded()
		x.docs.all, x.docs.lengths = clip(x.docs.all), clip(x.docs.lengths)
	}()
	workers := max(1, runtime.GOMAXPROCS(0)-1)
	jobs := make(chan *batch, workers)
	ordered := make(chan *batch, 4*workers)
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
		}
	})
	defer wg.Wait()
	defer close(ordered)
	defer close(jobs)
	b := &batch{done: make(chan struct{})}
	send := func() {
		ordered <- b
		jobs <- b
		b = &batch{done: make(chan struct{})}
	}
	for d := range seq {
		if len(d.Key) > maxKeySize {
			continue
		}
		if b.docs == nil {
			b.docs = make([]Document, 0, batchSize)
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
	b.ends = make([][3]int, len(b.docs))
	b.refs = make([]ref, 0, 40*len(b.docs))
	for i, d := range b.docs {
		b.refs = a.key(b.refs, d.Key)
		b.ends[i][inKey] = len(b.refs)
		b.refs = a.text(b.refs, d.Description)
		b.ends[i][inDescription] = len(b.refs)
		b.refs = a.text(b.refs, d.Value)
		b.ends[i][inValue] = len(b.refs)
	}
	b.fresh = a.terms[a.taken:len(a.terms):len(a.terms)]
	b.hashes = a.hashes[a.taken:len(a.terms):len(a.terms)]
	a.taken = len(a.terms)
}

// merge inserts a batch. Global maps each analyser's numbers of terms to the
// vocabulary's.
func (x *Index) merge(b *batch, global [][]uint32) {
	for i, term := range b.fresh {
		global[b.by] = append(global[b.by], x.vocab.id(b.hashes[i], term))
	}
	ids := global[b.by]
	for i, r := range b.refs {
		b.refs[i] = newRef(ids[r.term()], r.extra())
	}
	var buf []byte
	ends := make([]int, len(b.docs))
	start := 0
	for i, d := range b.docs {
		s := cutSequence(b.refs, start, b.ends[i])
		start = b.ends[i][inValue]
		buf = s.append(append(buf, d.Key...))
		ends[i] = len(buf)
	}
	// One string for all: the documents hold slices of it.
	data := string(buf)
	start, from := 0, 0
	for i, d := range b.docs {
		s := cutSequence(b.refs, start, b.ends[i])
		x.remove(d.Key)
		x.insert(data[from:ends[i]], &s, d)
		start, from = b.ends[i][inValue], ends[i]
	}
}

func cutSequence(refs []ref, start int, ends [3]int) sequence {
	return sequence{refs[start:ends[0]], refs[ends[0]:ends[1]], refs[ends[1]:ends[2]]}
}

// put inserts one document whose key is not there.
func (x *Index) put(d Document) {
	if len(d.Key) > maxKeySize {
		return
	}
	var s sequence
	for i, text := range [...]string{d.Key, d.Description, d.Value} {
		var ps []piece
		if i == inKey {
			for segment := range strings.SplitSeq(text, "/") {
				ps = append(ps, keyPieces(nil, segment)...)
			}
		} else {
			ps = pieces(text)
		}
		for _, p := range ps {
			s[i] = append(s[i], newRef(x.vocab.id(hashOf(p.term), strings.Clone(p.term)), p.extra))
		}
	}
	x.insert(string(s.append([]byte(d.Key))), &s, d)
}
