package memstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"iter"
	"slices"
	"strings"
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
	// byKeys asks for the live entries of the keys in a JSON array. It is
	// prepared with the index and closed with the file.
	byKeys *sql.Stmt
}

// fetchSize is for how many hits the store is asked at once.
const fetchSize = 256

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
	for some := range slices.Chunk(found, fetchSize) {
		entries, err := d.entries(ctx, some)
		if err != nil {
			return nil, err
		}
		for _, f := range some {
			// What is missing was forgotten in this moment.
			if e, ok := entries[f.Key]; ok {
				hits = append(hits, hit(query, e, f.Score))
			}
		}
	}
	return hits, nil
}

// entries are the live entries of what was found, by key.
func (d *DB) entries(ctx context.Context, found []search.Hit) (map[string]Entry, error) {
	keys := make([]string, len(found))
	for i, f := range found {
		keys[i] = f.Key
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	rows, err := d.rows(ctx, d.search.byKeys, string(list))
	if err != nil {
		return nil, err
	}
	entries := make(map[string]Entry, len(rows))
	for i := range rows {
		entries[rows[i].Key] = rows[i].Entry
	}
	return entries, nil
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
	if s.byKeys == nil {
		s.byKeys, err = d.file.Reader().PrepareContext(ctx, "SELECT "+columns+` FROM json_each(?) k
			CROSS JOIN entries e ON e.key = k.value CROSS JOIN revisions r ON r.seq = e.head WHERE e.live`)
		if err != nil {
			return nil, d.explain(err)
		}
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

// liveInOrder are the live entries in the order in which they were saved. The
// cross join makes SQLite go through the revisions and look up their entries,
// which lie in about the same order; the other way it would have to sort.
const liveInOrder = `SELECT e.key, r.description, r.value, r.source, r.updated
	FROM revisions r CROSS JOIN entries e
	WHERE e.id = r.entry AND e.head = r.seq AND e.live ORDER BY r.seq`

// load puts all live entries into an empty index, in the order in which they
// were saved.
func (d *DB) load(ctx context.Context, index *search.Index) error {
	rows, err := d.file.Reader().QueryContext(ctx, liveInOrder)
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
		var doc search.Document
		var updated int64
		var source string
		into := []any{&doc.Key, &doc.Description, &doc.Value, &source, &updated}
		for rows.Next() {
			if *failed = rows.Scan(into...); *failed != nil {
				return
			}
			if doc.Thread, *failed = threadOf(source); *failed != nil {
				return
			}
			doc.Updated = fromMicros(updated)
			if !yield(doc) {
				return
			}
		}
		*failed = rows.Err()
	}
}

// threadOf is the thread in a provenance's details as they are stored. They
// begin with it if they have one, and are decoded only where it is written in
// an unusual way: for a large memory that is what takes longest otherwise.
func threadOf(source string) (string, error) {
	const first = `{"thread":"`
	if !strings.Contains(source, `"thread"`) {
		return "", nil
	}
	if rest, ok := strings.CutPrefix(source, first); ok {
		if end := strings.IndexAny(rest, `"\\`); end >= 0 && rest[end] == '"' {
			return rest[:end], nil
		}
	}
	var p Provenance
	err := p.setSource(source)
	return p.Thread, err
}
