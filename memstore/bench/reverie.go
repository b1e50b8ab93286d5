package main

import (
	"context"
	"path/filepath"
	"time"

	"reverie/memstore"
	"reverie/memstore/search"
)

// reverie is the index alone, in memory: what a search costs once a store is
// open.
type reverie struct{ index *search.Index }

func (e *reverie) name() string { return "Reverie" }

func (e *reverie) build(_ string, c *corpus) error {
	e.index = search.New()
	e.index.Load(c.entries)
	return nil
}

func (e *reverie) search(query string) (int, error) { return len(e.index.Search(query, 10)), nil }

func (e *reverie) add(d search.Document) error {
	e.index.Put(d)
	return nil
}

func (e *reverie) open(string) error { return nil }

func (e *reverie) close() error {
	e.index = nil
	return nil
}

// store is the whole store, with its history in SQLite; its index is made
// from that when it is opened.
type store struct{ db *memstore.DB }

func (s *store) open(dir string) (err error) {
	s.db, err = memstore.Open(context.Background(), memstore.Options{Dir: filepath.Join(dir, "store"), Scope: memstore.Project})
	return err
}

func (s *store) fill(dir string, c *corpus) error {
	if err := s.open(dir); err != nil {
		return err
	}
	var rs []memstore.RememberRequest
	send := func() error {
		_, err := s.db.RememberAll(context.Background(), rs, nil)
		rs = rs[:0]
		return err
	}
	for d := range c.entries {
		rs = append(rs, request(d))
		if len(rs) == 10_000 {
			if err := send(); err != nil {
				return err
			}
		}
	}
	return send()
}

func request(d search.Document) memstore.RememberRequest {
	return memstore.RememberRequest{Key: d.Key, Value: d.Value, Updated: d.Updated,
		Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Imported}}
}

func (s *store) search(query string) (int, error) {
	hits, err := s.db.Search(context.Background(), query, 10)
	return len(hits), err
}

// fresh saves an entry and returns how long after the commit it was found by
// a word that it alone has.
func (s *store) fresh(d search.Document, word string) (time.Duration, bool, error) {
	d.Value += " " + word
	if _, err := s.db.Remember(context.Background(), request(d)); err != nil {
		return 0, false, err
	}
	start := time.Now()
	hits, err := s.db.Search(context.Background(), word, 1)
	took := time.Since(start)
	return took, len(hits) == 1 && hits[0].Entry.Value == d.Value, err
}

func (s *store) close() error { return s.db.Close() }
