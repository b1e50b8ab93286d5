package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"reverie/memstore/search"
)

// An engine is one way to search the same entries.
type engine interface {
	name() string
	// build makes an index of all entries in dir.
	build(dir string, c *corpus) error
	// search returns how many entries it found, at most 10.
	search(query string) (int, error)
	// add puts one more entry in and returns when a search finds it.
	add(d search.Document) error
	close() error
	// open opens what build left in dir, as a new process would.
	open(dir string) error
}

// heap is the memory in use after a collection.
func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// diskUse is the size of all files under dir.
func diskUse(dir string) (total int64) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := os.Stat(path)
		if err == nil {
			total += info.Size()
		}
		return err
	})
	return total
}

// result is what was measured of one engine at one size.
type result struct {
	engine      string
	entries     int
	build       time.Duration
	heap        uint64 // bytes
	disk        int64  // bytes
	median, p99 time.Duration
	found       int // in all queries together
	add, addP99 time.Duration
	open        time.Duration // from opening to the first answer
	openCPU     time.Duration // processor time of all cores for that
}
