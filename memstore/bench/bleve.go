package main

import (
	"path/filepath"

	"github.com/blevesearch/bleve/v2"
	_ "github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/mapping"

	"reverie/memstore/search"
)

// bleveEngine is bleve with its scorch index, BM25 and the English analyser.
type bleveEngine struct{ index bleve.Index }

type bleveEntry struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

func (e *bleveEngine) name() string { return "bleve (scorch)" }

func (e *bleveEngine) mapping() mapping.IndexMapping {
	text := bleve.NewTextFieldMapping()
	text.Analyzer, text.Store, text.IncludeTermVectors, text.DocValues = "en", false, false, false
	doc := bleve.NewDocumentStaticMapping()
	doc.AddFieldMappingsAt("key", text)
	doc.AddFieldMappingsAt("value", text)
	m := bleve.NewIndexMapping()
	m.DefaultMapping, m.DefaultAnalyzer, m.ScoringModel = doc, "en", "bm25"
	return m
}

func (e *bleveEngine) build(dir string, c *corpus) error {
	var err error
	if e.index, err = bleve.New(filepath.Join(dir, "bleve"), e.mapping()); err != nil {
		return err
	}
	batch := e.index.NewBatch()
	for d := range c.entries {
		if err := batch.Index(d.Key, bleveEntry{d.Key, d.Value}); err != nil {
			return err
		}
		if batch.Size() == 5000 {
			if err := e.index.Batch(batch); err != nil {
				return err
			}
			batch = e.index.NewBatch()
		}
	}
	return e.index.Batch(batch)
}

func (e *bleveEngine) open(dir string) (err error) {
	e.index, err = bleve.Open(filepath.Join(dir, "bleve"))
	return err
}

func (e *bleveEngine) search(query string) (int, error) {
	q := bleve.NewMatchQuery(query)
	r, err := e.index.Search(bleve.NewSearchRequestOptions(q, 10, 0, false))
	if err != nil {
		return 0, err
	}
	return len(r.Hits), nil
}

func (e *bleveEngine) add(d search.Document) error {
	return e.index.Index(d.Key, bleveEntry{d.Key, d.Value})
}

func (e *bleveEngine) close() error { return e.index.Close() }
