package memstore

import (
	"context"
	"database/sql"
	"iter"
	"sync"

	"reverie/memstore/search"
)

// snippetBytes is about how long a hit's snippet is.
const snippetBytes = 240

// searching is the index of a store's live entries. It is made at the first
// search and follows the stream from there.
type searching struct {
	mu    sync.Mutex
	index *search.Index
	upTo  int64 // the index has every revision up to here
}

// Search returns up to limit entries, best first; all that match where limit
// is 0. What any process committed before the call is seen: the index follows
// the stream first, and texts come from the store.
func (d *DB) Search(ctx context.Context, query string, limit int) ([]Hit, error) {
	index, err := d.caughtUp(ctx)
	if err != nil {
		return nil, err
	}
	if limit <= 0 {
		limit = index.Len()
	}
	found := index.Search(query, limit)
	hits := make([]Hit, 0, len(found))
	for _, f := range found {
		e, err := d.Recall(ctx, f.Key)
		switch {
		case isNotFound(err): // forgotten in this moment
			continue
		case err != nil:
			return nil, err
		}
		hits = append(hits, hit(query, e, f.Score))
	}
	return hits, nil
}

func hit(query string, e Entry, score float64) Hit {
	h := Hit{Entry: e, Score: score}
	h.Snippet, h.Marks = search.Snippet(query, e.Value, snippetBytes)
	return h
}

// caughtUp is the index with everything that is committed now.
func (d *DB) caughtUp(ctx context.Context) (*search.Index, error) {
	s := &d.search
	s.mu.Lock()
	defer s.mu.Unlock()
	last, err := d.lastSeq(ctx)
	if err != nil {
		return nil, err
	}
	if s.index == nil {
		index := search.New()
		if err := d.load(ctx, index); err != nil {
			return nil, err
		}
		// What was committed while loading may be in the index already; going
		// over it again ends at the same.
		s.index, s.upTo = index, last
	}
	for s.upTo < last {
		next, err := d.Changes(ctx, s.upTo, 1000)
		if err != nil {
			return nil, err
		}
		for _, r := range next {
			if r.Forgotten {
				s.index.Delete(r.Key)
			} else {
				s.index.Put(document(r.Entry))
			}
			s.upTo = r.Seq
		}
		if len(next) == 0 {
			break
		}
	}
	return s.index, nil
}

func document(e Entry) search.Document {
	return search.Document{
		Key: e.Key, Description: e.Description, Value: e.Value,
		Thread: e.Provenance.Thread, Updated: e.Updated,
	}
}

// load puts all live entries into an empty index, in the order in which they
// were saved.
func (d *DB) load(ctx context.Context, index *search.Index) error {
	rows, err := d.file.Reader().QueryContext(ctx, `SELECT e.key, r.description, r.value, r.source, r.updated
		FROM entries e JOIN revisions r ON r.seq = e.head WHERE e.live ORDER BY e.head`)
	if err != nil {
		return d.explain(err)
	}
	defer rows.Close()
	var failed error
	index.Load(documents(rows, &failed))
	return d.explain(failed)
}

func documents(rows *sql.Rows, failed *error) iter.Seq[search.Document] {
	return func(yield func(search.Document) bool) {
		for rows.Next() {
			var doc search.Document
			var p Provenance
			var updated int64
			var source string
			if *failed = rows.Scan(&doc.Key, &doc.Description, &doc.Value, &source, &updated); *failed != nil {
				return
			}
			if *failed = p.setSource(source); *failed != nil {
				return
			}
			doc.Thread, doc.Updated = p.Thread, fromMicros(updated)
			if !yield(doc) {
				return
			}
		}
		*failed = rows.Err()
	}
}
