package main

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/kljensen/snowball/english"
	"reverie/memstore/search"
)

func TestQuick(t *testing.T) {
	n := 100000
	if os.Getenv("N") != "" {
		fmt.Sscan(os.Getenv("N"), &n)
	}
	c := newCorpus(n)
	var docs []search.Document
	if n <= 100000 && os.Getenv("GEN") == "" {
		for d := range c.entries {
			docs = append(docs, d)
		}
	}
	h0 := heap()
	if p := os.Getenv("CPU"); p != "" {
		f, _ := os.Create(p)
		pprof.StartCPUProfile(f)
	}
	x := search.New()
	t0 := time.Now()
	c0 := cpu()
	if docs != nil {
		x.Load(slices.Values(docs))
	} else {
		x.Load(c.entries)
	}
	load := time.Since(t0)
	fmt.Println("cpu", cpu()-c0)
	pprof.StopCPUProfile()
	fmt.Printf("load %d: %v heap %.1f MB\n", n, load, float64(heap()-h0)/1e6)
	if p := os.Getenv("HEAP"); p != "" {
		f, _ := os.Create(p)
		pprof.WriteHeapProfile(f)
	}
	qs := c.queries(2000)
	if p := os.Getenv("CPUQ"); p != "" {
		f, _ := os.Create(p)
		pprof.StartCPUProfile(f)
	}
	var ts []time.Duration
	c1 := cpu()
	for _, q := range qs {
		t0 := time.Now()
		x.Search(q, 10)
		ts = append(ts, time.Since(t0))
	}
	pprof.StopCPUProfile()
	fmt.Println("cpu per query", (cpu()-c1)/2000)
	slices.Sort(ts)
	fmt.Printf("median %v p90 %v p99 %v max %v\n", ts[len(ts)/2], ts[len(ts)*9/10], ts[len(ts)*99/100], ts[len(ts)-1])
	ts = ts[:0]
	i := 0
	for d := range newCorpus(2000).entries {
		d.Key = fmt.Sprintf("new/x-%d", i%1500)
		i++
		t0 := time.Now()
		x.Put(d)
		ts = append(ts, time.Since(t0))
	}
	slices.Sort(ts)
	fmt.Printf("put median %v p99 %v max %v\n", ts[len(ts)/2], ts[len(ts)*99/100], ts[len(ts)-1])
	t0 = time.Now()
	x.Search("zzzqrwx", 10)
	fmt.Printf("fallback %v\n", time.Since(t0))
	runtime.KeepAlive(x)
}

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(0, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func BenchmarkStem(b *testing.B) {
	c := newCorpus(1)
	for i := 0; b.Loop(); i++ {
		english.Stem(c.words[i%len(c.words)], true)
	}
}
