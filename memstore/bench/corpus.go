package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"reverie/memstore/search"
)

// A corpus makes entries and queries whose words are distributed like those of
// a language: the frequency of the n-th most frequent word falls with n
// (Zipf). The same seed makes the same corpus, so that nothing need be kept.
type corpus struct {
	size  int
	words []string
}

// With these, the most frequent word is one in fifteen, as in English, and
// three million words have about 80,000 different ones, somewhat more than
// English text has.
const (
	vocabularySize = 100_000
	zipfS          = 1.15
	zipfV          = 2.7 // Mandelbrot's shift
)

func newCorpus(size int) *corpus {
	c := &corpus{size: size, words: make([]string, vocabularySize)}
	for i := range c.words {
		c.words[i] = word(i)
	}
	return c
}

// word spells a number in syllables; small numbers are short words.
func word(i int) string {
	const consonants, vowels = "bcdfghjklmnprstvwz", "aeiou"
	var b strings.Builder
	for n := i + 1; n > 0; n /= 90 {
		s := n % 90
		b.WriteByte(consonants[s/5])
		b.WriteByte(vowels[s%5])
	}
	if i%3 == 0 {
		b.WriteByte("nrstl"[i%5])
	}
	return b.String()
}

func (c *corpus) zipf(seed uint64) (*rand.Rand, *rand.Zipf) {
	r := rand.New(rand.NewPCG(seed, 1))
	return r, rand.NewZipf(r, zipfS, zipfV, vocabularySize-1)
}

// entries yields every entry, in order.
func (c *corpus) entries(yield func(search.Document) bool) {
	r, z := c.zipf(7)
	start := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for i := range c.size {
		d := search.Document{
			Key:     fmt.Sprintf("%s/%s-%06d", c.words[r.IntN(50)+20], c.words[r.IntN(2000)], i),
			Value:   c.text(z, 20+r.IntN(21)),
			Updated: start.Add(time.Duration(i) * time.Minute),
		}
		if !yield(d) {
			return
		}
	}
}

func (c *corpus) text(z *rand.Zipf, n int) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(c.words[z.Uint64()])
	}
	b.WriteByte('.')
	return b.String()
}

// queries are one to six words, drawn like those of the entries.
func (c *corpus) queries(n int) []string {
	r, z := c.zipf(11)
	qs := make([]string, n)
	for i := range qs {
		qs[i] = strings.TrimSuffix(c.text(z, 1+r.IntN(6)), ".")
	}
	return qs
}
