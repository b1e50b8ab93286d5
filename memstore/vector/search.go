package vector

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"reverie/memstore"
	"reverie/memstore/guard"
)

const (
	// SearchTime is how long a search waits for the servers.
	SearchTime = 2 * time.Second

	// What recall attaches to a prompt: from prompts of this many characters,
	// matches of this similarity.
	MinPrompt     = 8
	MinSimilarity = 0.4
	MaxRecall     = 5

	spare = 10 // rows asked for beyond the limit, in place of those whose entry is gone
)

// A Match is an entry that came close to a text, as the store has it now.
type Match struct {
	Entry      memstore.Entry
	Similarity float64 // the cosine, up to 1; of Lexical the share of the prompt's weight
}

// Search returns up to limit entries of the user scope and of this project, the
// closest to the query first. It takes up to [SearchTime]. While a server is
// down, which Warn is told of once, its error is returned at once.
func (x *Index) Search(ctx context.Context, query string, limit int) ([]Match, error) {
	if limit <= 0 || strings.TrimSpace(query) == "" {
		return nil, nil
	}
	if err := x.outage.resting(); err != nil {
		return nil, err
	}
	found, err := x.nearest(ctx, query, limit+spare)
	if err != nil {
		return nil, x.failed(ctx, err)
	}
	matches, err := x.current(ctx, found)
	return matches[:min(limit, len(matches))], err
}

// nearest asks the servers. A secret in a query is masked like everywhere.
func (x *Index) nearest(ctx context.Context, query string, limit int) ([]Found, error) {
	ctx, cancel := context.WithTimeout(ctx, x.searchTime)
	defer cancel()
	c, exists, err := x.collection(ctx)
	if err != nil || !exists {
		return nil, err
	}
	vectors, refused, err := x.embed(ctx, c, exists, []string{guard.Mask(query)})
	if err != nil {
		return nil, err
	}
	if err := refused[0]; err != nil {
		return nil, &refusedError{err}
	}
	if err := c.fits(x.o.Collection, x.o.Embedder.Model(), len(vectors[0])); err != nil {
		return nil, err
	}
	found, err := x.o.Milvus.Search(ctx, x.o.Collection, vectors[0], x.visible(), min(limit, MaxQuery))
	switch {
	case hasCode(err, codeNotFound):
		// Somebody dropped the collection; it is made anew from the stores.
		x.learn(nil)
		x.wake()
		return nil, nil
	case err == nil:
		x.outage.end()
	}
	return found, err
}

// own matches the rows of one store that the model made.
func (x *Index) own(s tagged) string {
	return inScope(s.Scope(), s.root) + ` and model == ` + quote(x.o.Embedder.Model())
}

// visible matches what a search may see. Vectors of another model can't be
// compared.
func (x *Index) visible() string {
	var scopes []string
	for _, s := range x.stores {
		scopes = append(scopes, inScope(s.Scope(), s.root))
	}
	return "(" + strings.Join(scopes, " or ") + `) and model == ` + quote(x.o.Embedder.Model())
}

// current reads the entries of rows. A row whose entry is gone is no match,
// and one whose entry was forgotten is noted for deletion.
func (x *Index) current(ctx context.Context, found []Found) ([]Match, error) {
	var matches []Match
	for _, f := range found {
		s, ok := x.store(f.Row)
		if !ok {
			continue
		}
		e, err := s.Recall(ctx, f.Key)
		switch {
		case isGone(err):
			x.noteGhost(s, f.Key, err)
		case err != nil:
			return nil, err
		default:
			matches = append(matches, Match{e, f.Similarity})
		}
	}
	return matches, nil
}

// store is the store that a row is of. The filter has said so already, but what
// a server answers is not ours.
func (x *Index) store(r Row) (tagged, bool) {
	for _, s := range x.stores {
		if s.Scope() == r.Scope && s.root == r.Root {
			return s, true
		}
	}
	return tagged{}, false
}

// Recall returns up to limit (at most [MaxRecall]) entries of a similarity of
// [MinSimilarity] or more to a prompt of at least [MinPrompt] characters, the
// closest first. While a server is down it returns none; only the stores'
// errors are returned.
func (x *Index) Recall(ctx context.Context, prompt string, limit int) ([]Match, error) {
	if utf8.RuneCountInString(strings.TrimSpace(prompt)) < MinPrompt || x.outage.resting() != nil {
		return nil, nil
	}
	limit = min(limit, MaxRecall)
	found, err := x.nearest(ctx, prompt, limit+spare)
	if err != nil {
		x.failed(ctx, err)
		return nil, nil
	}
	close := found[:0]
	for _, f := range found {
		if f.Similarity >= MinSimilarity {
			close = append(close, f)
		}
	}
	matches, err := x.current(ctx, close)
	return matches[:max(min(limit, len(matches)), 0)], err
}
