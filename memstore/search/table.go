package search

import "hash/maphash"

// A table finds numbers by the strings that belong to them, which are kept
// elsewhere. It is a hash table with linear probing. A slot holds a hash in
// its upper half and a number plus one in its lower, or is 0. A Go map would
// take several times the room.
type table struct {
	slots []uint64
	used  int
}

// seed makes hashes differ from process to process, so that nobody can choose
// strings that collide.
var seed = maphash.MakeSeed()

func hashOf(s string) uint32 { return uint32(maphash.String(seed, s)) }

func newTable() table { return table{slots: make([]uint64, 16)} }

// find returns the number of s, whose hash is h. The string of number n is
// text(n).
func (t *table) find(h uint32, s string, text func(uint32) string) (uint32, bool) {
	mask := uint32(len(t.slots) - 1)
	for i := h & mask; t.slots[i] != 0; i = (i + 1) & mask {
		if v := t.slots[i]; uint32(v>>32) == h && text(uint32(v)-1) == s {
			return uint32(v) - 1, true
		}
	}
	return 0, false
}

// add enters a number whose string, with hash h, is not there.
func (t *table) add(h, n uint32) {
	if (t.used+1)*3 > len(t.slots)*2 {
		old := t.slots
		t.slots = make([]uint64, 2*len(old))
		for _, v := range old {
			if v != 0 {
				t.place(v)
			}
		}
	}
	t.place(uint64(h)<<32 | uint64(n+1))
	t.used++
}

func (t *table) place(v uint64) {
	mask := uint32(len(t.slots) - 1)
	i := uint32(v>>32) & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = v
}

// remove takes a number out and closes the gap: what follows it moves up as
// far as its own hash allows.
func (t *table) remove(h, n uint32) {
	mask := uint32(len(t.slots) - 1)
	i := h & mask
	for uint32(t.slots[i]) != n+1 {
		if t.slots[i] == 0 {
			return
		}
		i = (i + 1) & mask
	}
	t.used--
	t.slots[i] = 0
	for j := (i + 1) & mask; t.slots[j] != 0; j = (j + 1) & mask {
		home := uint32(t.slots[j]>>32) & mask
		if (j-home)&mask >= (j-i)&mask {
			t.slots[i], t.slots[j] = t.slots[j], 0
			i = j
		}
	}
}
