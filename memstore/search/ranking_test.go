package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// The best figures that plain engines reach on the same rows, from the
// README that comes with the collections.
var plainEngines = []struct {
	set, engine string
	figures     figures
}{
	{"LoCoMo turns", "BM25 1.5/.75, plain words", figures{1018, .386, .456, .532, .344}},
	{"LoCoMo turns", "BM25 0.9/.4, stems, stop words", figures{1018, .500, .562, .634, .454}},
	{"LoCoMo turns", "SQLite FTS5, porter", figures{1018, .428, .490, .569, .387}},
	{"LoCoMo turns", "bleve (scorch, BM25, en)", figures{1018, .486, .559, .629, .439}},
	{"LoCoMo facts", "BM25 1.5/.75, plain words", figures{853, .494, .575, .636, .450}},
	{"LoCoMo facts", "BM25 0.9/.4, stems, stop words", figures{853, .585, .658, .722, .541}},
	{"LoCoMo facts", "SQLite FTS5, porter", figures{853, .550, .639, .699, .504}},
	{"LoCoMo facts", "bleve (scorch, BM25, en)", figures{853, .579, .648, .722, .534}},
	{"Cranfield", "BM25 1.5/.75, plain words", figures{225, .366, .280, .388, .282}},
	{"Cranfield", "BM25 0.9/.4, stems, stop words", figures{225, .376, .296, .391, .300}},
	{"Cranfield", "SQLite FTS5, porter", figures{225, .379, .297, .395, .301}},
	{"Cranfield", "bleve (scorch, BM25, en)", figures{225, .374, .279, .394, .298}},
}

// TestRankingOnTheCollections prints, with -v, what search reaches beside what
// plain engines do, in the order in which the collections come and shuffled,
// and fails where it does not beat all of them by a margin.
func TestRankingOnTheCollections(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	fmt.Fprintf(&b, "\n%-14s %-34s %s\n", "collection", "engine", "nDCG@10  recall@5  recall@10  MAP")
	for _, set := range []struct {
		name           string
		cs             []collection
		ndcg, recall   float64 // floors in order
		ndcg2, recall2 float64 // and shuffled
	}{
		{"LoCoMo turns", locomo(t, "turns"), .58, .75, .52, .65},
		{"LoCoMo facts", locomo(t, "facts"), .62, .77, .595, .735},
		{"Cranfield", cranfield(t), .44, .45, .39, .41},
	} {
		for _, p := range plainEngines {
			if p.set == set.name {
				fmt.Fprintf(&b, "%-14s %-34s %v\n", set.name, p.engine, p.figures)
			}
		}
		f := measure(set.cs)
		fmt.Fprintf(&b, "%-14s %-34s %v\n", set.name, "Reverie", f)
		shuffled := measure(shuffle(set.cs))
		fmt.Fprintf(&b, "%-14s %-34s %v\n", set.name, "Reverie, entries in random order", shuffled)
		if f.ndcg10 < set.ndcg || f.recall10 < set.recall {
			t.Errorf("%s: nDCG@10 %.3f and recall@10 %.3f, want at least %.3f and %.3f", set.name, f.ndcg10, f.recall10, set.ndcg, set.recall)
		}
		if shuffled.ndcg10 < set.ndcg2 || shuffled.recall10 < set.recall2 {
			t.Errorf("%s shuffled: nDCG@10 %.3f and recall@10 %.3f, want at least %.3f and %.3f", set.name, shuffled.ndcg10, shuffled.recall10, set.ndcg2, set.recall2)
		}
	}
	t.Log(b.String())
}

// shuffle puts the documents of each collection in a random order, so that
// neighbours mean nothing.
func shuffle(cs []collection) []collection {
	var out []collection
	for _, c := range cs {
		s := collection{name: c.name, queries: c.queries}
		for _, i := range rand.New(rand.NewPCG(17, 17)).Perm(len(c.docs)) {
			s.docs = append(s.docs, c.docs[i])
		}
		out = append(out, s)
	}
	return out
}
