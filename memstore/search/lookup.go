package search

import "slices"

// lookup is a small hash table from terms to places, for the few terms of one
// query: open addressing, at most a quarter full.
type lookup struct {
	slots []place
}

// A place belongs to a term; at is one more, so that 0 is an empty slot.
type place struct {
	term uint32
	at   int32
}

func (l *lookup) reset(n int) {
	size := 64
	for size < 4*n {
		size *= 2
	}
	l.slots = slices.Grow(l.slots[:0], size)[:size]
	clear(l.slots)
}

func (l *lookup) slot(term uint32) *place {
	mask := uint32(len(l.slots) - 1)
	for i := (term * 2654435761) >> 7 & mask; ; i = (i + 1) & mask {
		if p := &l.slots[i]; p.at == 0 || p.term == term {
			return p
		}
	}
}

func (l *lookup) put(term uint32, at int) { *l.slot(term) = place{term, int32(at) + 1} }

// get returns the place of a term, or -1.
func (l *lookup) get(term uint32) int { return int(l.slot(term).at) - 1 }
