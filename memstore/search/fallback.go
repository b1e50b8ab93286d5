package search

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"
)

// A word that no document has may be the beginning of one, or misspelt. The
// vocabulary is looked through for words like it. Signatures tell without
// reading a term that it can't be: the walk takes about a nanosecond a term.

// A signature says which characters a term has.
type signature uint64

func sign(s string) signature {
	var g signature
	for _, r := range s {
		g |= 1 << (uint32(r) % 61)
	}
	return g
}

const (
	maxSubstitutes = 8
	prefixWeight   = .7
	typoWeight     = .5 // for each edit
)

// A substitute is a term that stands for a missing one.
type substitute struct {
	id     uint32
	weight float64
	df     int
}

// substitute adds terms for the words of a query that are nowhere. They count
// less than what the query says, and no rarer than all of them together.
func (p *parser) substitute() {
	looked := 0
	for _, word := range p.missing {
		if r := firstRune(word.term); !isGram(r) && looked < maxLookedFor {
			looked++
			subs := p.x.similar(word.term)
			if single := undoubled(word.term); len(subs) == 0 && single != "" {
				subs = p.x.instead(single)
			}
			p.standIns(subs)
		}
	}
	if len(p.q.terms) > 0 {
		return
	}
	// Nothing so far: characters of scripts without spaces, one by one.
	for _, word := range p.missing[:min(len(p.missing), maxTerms)] {
		if !isGram(firstRune(word.term)) {
			continue
		}
		var subs []substitute
		for _, r := range word.term {
			if id, ok := p.x.vocab.find(string(r)); ok {
				subs = append(subs, substitute{id, typoWeight, len(p.x.vocab.terms[id].posts)})
			}
		}
		p.standIns(subs)
	}
}

// undoubled is a word without the second of two equal letters at its end, or
// "". The stem of postgress is farther from that of postgres than the words are
// from each other.
func undoubled(word string) string {
	if n := len(word); n > 4 && word[n-1] == word[n-2] && word[n-1] < utf8.RuneSelf {
		return word[:n-1]
	}
	return ""
}

// instead is what stands for another spelling of a missing word.
func (x *Index) instead(word string) []substitute {
	if id, ok := x.vocab.find(stem(word)); ok {
		return []substitute{{id, typoWeight, len(x.vocab.terms[id].posts)}}
	}
	return x.similar(stem(word))
}

func (p *parser) standIns(subs []substitute) {
	together := 0
	for _, s := range subs {
		together += s.df
	}
	n := p.x.docs.count()
	rarity := idf(float64(n), float64(min(together, n)))
	for _, s := range subs {
		if slices.ContainsFunc(p.q.terms, func(t queryTerm) bool { return t.id == s.id }) {
			continue
		}
		t := &p.x.vocab.terms[s.id]
		p.q.terms = append(p.q.terms, queryTerm{id: s.id, posts: t.posts, weight: s.weight, idf: rarity, most: t.most})
		p.meaning = true
	}
}

// similar returns the terms that begin with a word, or else those that become
// it by one edit, or two if it is long.
func (x *Index) similar(word string) []substitute {
	runes := []rune(word)
	edits := tolerated(len(runes))
	want := sign(word)
	var prefixes, typos []substitute
	for id := range x.vocab.terms {
		t := &x.vocab.terms[id]
		lacking := bits.OnesCount64(uint64(want &^ t.sig))
		if lacking > edits || len(t.posts) == 0 || x.vocab.traits[id]&function != 0 {
			continue
		}
		if lacking == 0 && len(runes) > 1 && strings.HasPrefix(t.text, word) {
			share := float64(len(word)) / float64(len(t.text))
			prefixes = append(prefixes, substitute{uint32(id), prefixWeight * (.5 + .5*share), len(t.posts)})
			continue
		}
		if edits == 0 || len(prefixes) > 0 || bits.OnesCount64(uint64(t.sig&^want)) > edits {
			continue
		}
		if d := distance(runes, []rune(t.text), edits); d <= edits {
			w := typoWeight
			if d == 2 {
				w *= typoWeight
			}
			typos = append(typos, substitute{uint32(id), w, len(t.posts)})
		}
	}
	subs := prefixes
	if len(subs) == 0 {
		subs = typos
	}
	slices.SortFunc(subs, func(a, b substitute) int {
		if c := cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.df, a.df)); c != 0 {
			return c
		}
		return strings.Compare(x.vocab.text(a.id), x.vocab.text(b.id))
	})
	if len(subs) > 0 && subs[0].weight == typoWeight {
		// Where one edit does, two are not looked at.
		subs = slices.DeleteFunc(subs, func(s substitute) bool { return s.weight < typoWeight })
	}
	return subs[:min(len(subs), maxSubstitutes)]
}

// tolerated is how many edits a word of n characters may be away from another.
func tolerated(n int) int {
	switch {
	case n >= 8:
		return 2
	case n >= 4:
		return 1
	}
	return 0
}

// resembles says whether a term may stand for a word that is missing.
func resembles(term, word string) bool {
	w := []rune(word)
	if len(w) > 1 && strings.HasPrefix(term, word) {
		return true
	}
	edits := tolerated(len(w))
	return edits > 0 && distance(w, []rune(term), edits) <= edits
}

// distance is the number of edits (a character put in, left out or replaced,
// or two neighbours swapped) between two words, or most+1 when there are more
// than most: the optimal string alignment distance, computed row by row.
func distance(a, b []rune, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	row := make([]int, 3*(len(b)+1))
	before, prev, cur := row[:len(b)+1], row[len(b)+1:2*len(b)+2], row[2*len(b)+2:]
	for j := range prev {
		prev[j] = j
	}
	for i := range a {
		cur[0] = i + 1
		least := cur[0]
		for j := range b {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			d := min(prev[j]+cost, prev[j+1]+1, cur[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			cur[j+1] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}
