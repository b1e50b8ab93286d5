package guard

// A gate tells which of several groups of words occur in a text, in one pass,
// without regard to the case of ASCII letters. Expressions run only where the
// gate found a word they cannot match without, so that ordinary text costs
// about a nanosecond a byte.
type gate struct {
	pairs [1 << 16 / 64]uint64 // the first two bytes of every word
	words map[uint16][]gateWord
}

type gateWord struct {
	text  string
	group int
}

// groupSet is a set of group numbers.
type groupSet []uint64

func (s groupSet) has(group int) bool {
	return group/64 < len(s) && s[group/64]&(1<<(group%64)) != 0
}

func (s groupSet) empty() bool {
	for _, w := range s {
		if w != 0 {
			return false
		}
	}
	return true
}

func (s groupSet) add(group int) groupSet {
	for len(s) <= group/64 {
		s = append(s, 0)
	}
	s[group/64] |= 1 << (group % 64)
	return s
}

// newGate makes a gate for groups of words. Words are given in lower case and
// have two bytes or more.
func newGate(groups [][]string) *gate {
	g := &gate{words: make(map[uint16][]gateWord)}
	for group, words := range groups {
		for _, w := range words {
			pair := uint16(w[0])<<8 | uint16(w[1])
			g.pairs[pair/64] |= 1 << (pair % 64)
			g.words[pair] = append(g.words[pair], gateWord{w, group})
		}
	}
	return g
}

// find returns the groups of which at least one word occurs in text.
func (g *gate) find(text string) groupSet {
	var found groupSet
	g.each(text, func(_ int, w gateWord) { found = found.add(w.group) })
	return found
}

// each calls yield for every word in text, with its offset.
func (g *gate) each(text string, yield func(at int, w gateWord)) {
	if len(text) == 0 {
		return
	}
	prev := lowerByte(text[0])
	for i := 1; i < len(text); i++ {
		c := lowerByte(text[i])
		pair := uint16(prev)<<8 | uint16(c)
		prev = c
		if g.pairs[pair/64]&(1<<(pair%64)) == 0 {
			continue
		}
		for _, w := range g.words[pair] {
			if hasLowerPrefix(text[i-1:], w.text) {
				yield(i-1, w)
			}
		}
	}
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c | 0x20
	}
	return c
}

func hasLowerPrefix(text, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		if lowerByte(text[i]) != word[i] {
			return false
		}
	}
	return true
}
