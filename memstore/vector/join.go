package vector

import (
	"cmp"
	"context"
	"slices"

	"reverie/memstore"
	"reverie/memstore/search"
)

const (
	// rankConstant is k of reciprocal rank fusion: a hit scores the sum of
	// 1/(k + rank) over the rankings it is in. The formula and k = 60 are from
	// G. V. Cormack, C. L. A. Clarke, S. Büttcher: Reciprocal Rank Fusion
	// Outperforms Condorcet and Individual Rank Learning Methods, SIGIR 2009.
	rankConstant = 60

	snippetRunes = 240
	atLeast      = 50 // hits of each ranking that are joined
)

// Joined returns up to limit entries of both stores, best first: hits of the
// search by words and of the search by meaning, joined by reciprocal rank. It
// is the search by words alone while a server is down; only the stores' errors
// are returned.
func (x *Index) Joined(ctx context.Context, query string, limit int) ([]memstore.Hit, error) {
	type answer struct {
		matches []Match
		err     error
	}
	depth := max(limit, atLeast)
	meaning := make(chan answer, 1)
	go func() {
		m, err := x.Search(ctx, query, depth)
		meaning <- answer{m, err}
	}()
	var rankings [][]memstore.Hit
	var failed error
	for _, s := range x.stores {
		hits, err := s.Search(ctx, query, depth)
		if err != nil {
			failed = err
			break
		}
		rankings = append(rankings, hits)
	}
	// Search ends by itself in bounded time, and the goroutine with it.
	near := <-meaning
	if failed != nil {
		return nil, failed
	}
	if near.err == nil {
		var hits []memstore.Hit
		for _, m := range near.matches {
			if m.Similarity > 0 {
				h := memstore.Hit{Entry: m.Entry}
				h.Snippet, h.Marks = search.Snippet(query, m.Entry.Value, snippetRunes)
				hits = append(hits, h)
			}
		}
		rankings = append(rankings, hits)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return join(rankings, limit), nil
}

// join is reciprocal rank fusion. Of equal hits the one that was saved last
// comes first, then the order is by scope and key.
func join(rankings [][]memstore.Hit, limit int) []memstore.Hit {
	type place struct {
		scope memstore.Scope
		key   string
	}
	at := map[place]int{}
	var joined []memstore.Hit
	for _, hits := range rankings {
		for i, h := range hits {
			p := place{h.Entry.Scope, h.Entry.Key}
			n, ok := at[p]
			if !ok {
				n = len(joined)
				at[p] = n
				h.Score = 0
				joined = append(joined, h)
			}
			joined[n].Score += 1 / float64(rankConstant+i+1)
		}
	}
	slices.SortStableFunc(joined, func(a, b memstore.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.Entry.Updated.Compare(a.Entry.Updated),
			cmp.Compare(a.Entry.Scope, b.Entry.Scope), cmp.Compare(a.Entry.Key, b.Entry.Key))
	})
	if limit > 0 && len(joined) > limit {
		joined = joined[:limit]
	}
	return joined
}
