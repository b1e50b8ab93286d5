// Package search ranks the entries of one memory for a query of plain words.
// It holds an index in memory and knows nothing of stores or files: its owner
// puts in what was committed and takes out what was forgotten.
//
// An [Index] keeps no texts, only for each term the documents that have it
// (postings.go) and for each document the sequence of its terms (forward.go).
// A search finds the best candidates by BM25 over the postings (score.go),
// ranks these again by what their sequences and neighbours show (rank.go),
// and, where a query word is nowhere, looks for words like it (fallback.go).
package search

import (
	"iter"
	"sync"
	"time"
)

// Document is what is indexed of an entry. Thread and Updated let ranking see
// what was saved together and what is recent.
type Document struct {
	Key, Description, Value string
	Thread                  string
	Updated                 time.Time
}

// Hit is a document that matched.
type Hit struct {
	Key   string
	Score float64
}

// Index is an inverted index over documents. Its methods may be called from
// several goroutines at once; a search sees every Put and Delete that returned
// before it began. It holds up to
// 16,777,215 documents; what is put in beyond is not found.
type Index struct {
	mu    sync.RWMutex
	vocab vocabulary
	docs  documents

	// For writing alone.
	tally tally
	refs  []ref
}

// New returns an empty index.
func New() *Index {
	return &Index{
		vocab: vocabulary{table: newTable()},
		docs:  documents{table: newTable(), threads: map[string]uint32{}, first: none, last: none},
		tally: tally{doc: none},
	}
}

// Len is the number of documents.
func (x *Index) Len() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.docs.count()
}

// Put adds a document, in place of one with the same key. Documents count as
// saved in the order in which they are put, a replaced one anew.
func (x *Index) Put(d Document) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.remove(hashOf(d.Key), d.Key)
	x.put(&d)
}

// Delete takes a document out, from all statistics too. A key that is not
// there is no error.
func (x *Index) Delete(key string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.remove(hashOf(key), key)
}

// Load puts many documents, which is faster than one by one: the texts are
// cut by several processors while seq is being read. As with Put, their order
// is the order in which they were saved. Searches wait until it is done.
func (x *Index) Load(seq iter.Seq[Document]) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.load(seq)
}
