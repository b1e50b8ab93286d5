package search

import "hash/maphash"

// A memo remembers the refs of chunks by the chunks' hashes alone. Two chunks
// with one 64-bit hash would be taken for each other; with a random seed and
// the number of chunks kept, that happens once in a hundred million loads.
type memo struct {
	slots []remembered
	used  int
	refs  []ref
}

// remembered is one chunk: n refs from at on, or, where n is 1, the ref at.
type remembered struct {
	hash  uint64
	at, n uint32
}

// memoSize bounds the memory that a memo takes: 16 bytes a slot.
const memoSize = 1 << 18

func newMemo() memo {
	return memo{slots: make([]remembered, 1<<10)}
}

// hash64 is never 0, which marks an empty slot.
func hash64(chunk string) uint64 { return maphash.String(seed, chunk) | 1 }

// first is what is in the first place for a hash: mostly its own.
func (m *memo) first(hash uint64) remembered {
	return m.slots[int(hash>>32)&(len(m.slots)-1)]
}

func (m *memo) slot(hash uint64) *remembered {
	mask := len(m.slots) - 1
	for i := int(hash>>32) & mask; ; i = (i + 1) & mask {
		if s := &m.slots[i]; s.hash == hash || s.hash == 0 {
			return s
		}
	}
}

func (m *memo) recall(refs []ref, hash uint64) ([]ref, bool) {
	s := m.slot(hash)
	if s.hash == 0 {
		return refs, false
	}
	return m.append(refs, *s), true
}

func (m *memo) append(refs []ref, s remembered) []ref {
	if s.n == 1 {
		return append(refs, ref(s.at))
	}
	return append(refs, m.refs[s.at:s.at+s.n]...)
}

func (m *memo) keep(hash uint64, refs []ref) {
	if m.used >= memoSize/2 {
		return
	}
	if m.used*2 >= len(m.slots) {
		old := m.slots
		m.slots = make([]remembered, 2*len(old))
		for _, s := range old {
			if s.hash != 0 {
				*m.slot(s.hash) = s
			}
		}
	}
	m.used++
	s := remembered{hash: hash, at: uint32(len(m.refs)), n: uint32(len(refs))}
	if len(refs) == 1 {
		s.at = uint32(refs[0])
	} else {
		m.refs = append(m.refs, refs...)
	}
	*m.slot(hash) = s
}
