package main

import (
	"fmt"
	"os"
	"runtime/pprof"
	"testing"
	"time"
)

func TestOpen(t *testing.T) {
	c := newCorpus(100000)
	s := &store{}
	dir := "/tmp/search/opendb"
	if _, err := os.Stat(dir); err != nil {
		os.MkdirAll(dir, 0o755)
		if err := s.fill(dir, c); err != nil {
			t.Fatal(err)
		}
		s.close()
	}
	f, _ := os.Create("/tmp/search/open.prof")
	pprof.StartCPUProfile(f)
	for range 3 {
		c0 := cpu()
		t0 := time.Now()
		s.open(dir)
		t1 := time.Now()
		s.search("foo")
		fmt.Println(t1.Sub(t0), time.Since(t1), "cpu", cpu()-c0)
		s.close()
	}
	pprof.StopCPUProfile()
}
