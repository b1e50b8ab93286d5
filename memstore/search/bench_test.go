package search

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// zipfian makes n documents of about 30 words, distributed as in a language,
// and as many queries. The module memstore/bench has the same beside peers.
func zipfian(n int) (docs []Document, queries []string) {
	r := rand.New(rand.NewPCG(7, 7))
	z := rand.NewZipf(r, 1.15, 2.7, 99_999)
	text := func(n int) string {
		words := make([]string, n)
		for i := range words {
			words[i] = fmt.Sprintf("w%x", z.Uint64())
		}
		return strings.Join(words, " ")
	}
	for i := range n {
		docs = append(docs, Document{Key: fmt.Sprintf("area/note-%06d", i), Value: text(20 + r.IntN(21)), Updated: time.Unix(int64(1e9+60*i), 0)})
	}
	for range 1000 {
		queries = append(queries, text(1+r.IntN(6)))
	}
	return docs, queries
}

func BenchmarkSearch(b *testing.B) {
	docs, queries := zipfian(100_000)
	x := New()
	x.Load(slices.Values(docs))
	for i := 0; b.Loop(); i++ {
		x.Search(queries[i%len(queries)], 10)
	}
}

func BenchmarkPut(b *testing.B) {
	docs, _ := zipfian(100_000)
	x := New()
	x.Load(slices.Values(docs))
	for i := 0; b.Loop(); i++ {
		x.Put(docs[i*7919%len(docs)])
	}
}

func BenchmarkLoad(b *testing.B) {
	docs, _ := zipfian(100_000)
	for b.Loop() {
		New().Load(slices.Values(docs))
	}
}
