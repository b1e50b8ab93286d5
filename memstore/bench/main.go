// Command bench measures Reverie's search beside the engines that one would
// otherwise embed, on the same entries and queries, in one run:
//
//	go run . -sizes 10000,100000 -queries 1000
//
// It is a module of its own, so that its peers stay out of what Reverie
// depends on. Entries have about 30 words, distributed as in a language;
// queries one to six. Figures depend on the machine and on what else it does;
// the ratios are what counts.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	sizes := flag.String("sizes", "10000,100000", "numbers of entries, with commas between")
	queries := flag.Int("queries", 1000, "number of queries")
	peers := flag.Bool("peers", true, "measure the peers too")
	whole := flag.Bool("store", true, "measure the whole store too: opening, and how soon a new entry is found")
	dir := flag.String("dir", "", "where to put what is built (default: a temporary folder)")
	flag.Parse()
	if err := run(*sizes, *queries, *peers, *whole, *dir); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(sizes string, queries int, peers, whole bool, dir string) error {
	for s := range strings.SplitSeq(sizes, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil {
			return fmt.Errorf("size %q is no number", s)
		}
		tmp, err := os.MkdirTemp(dir, "reverie-bench-")
		if err != nil {
			return err
		}
		err = measureSize(n, queries, peers, whole, tmp)
		os.RemoveAll(tmp)
		if err != nil {
			return err
		}
	}
	return nil
}

func measureSize(n, queries int, peers, whole bool, dir string) error {
	engines := []engine{&reverie{}}
	if peers {
		engines = append(engines, &fts5{}, &bleveEngine{})
	}
	c := newCorpus(n)
	var results []result
	for _, e := range engines {
		r, err := measure(e, c, queries, dir)
		if err != nil {
			return fmt.Errorf("%s with %d entries: %w", e.name(), n, err)
		}
		results = append(results, r)
	}
	var fresh freshness
	if whole {
		var err error
		if fresh, err = measureStore(c, dir, &results[0]); err != nil {
			return fmt.Errorf("the store with %d entries: %w", n, err)
		}
	}
	report(results, fresh)
	return nil
}

// measure builds, searches, adds, and opens again.
func measure(e engine, c *corpus, queries int, dir string) (r result, err error) {
	r = result{engine: e.name(), entries: c.size}
	before := heap()
	start := time.Now()
	if err := e.build(dir, c); err != nil {
		return r, err
	}
	r.build = time.Since(start)
	if after := heap(); after > before {
		r.heap = after - before
	}
	r.disk = diskUse(dir)
	qs := c.queries(queries)
	for _, q := range qs[:min(len(qs), 20)] { // warm
		if _, err := e.search(q); err != nil {
			return r, err
		}
	}
	var times []time.Duration
	for _, q := range qs {
		start := time.Now()
		n, err := e.search(q)
		times = append(times, time.Since(start))
		if err != nil {
			return r, err
		}
		r.found += n
	}
	r.median, r.p99 = quantiles(times)
	times = times[:0]
	for d := range newCorpus(200).entries {
		d.Key = "new/" + d.Key
		start := time.Now()
		if err := e.add(d); err != nil {
			return r, err
		}
		times = append(times, time.Since(start))
	}
	r.add, r.addP99 = quantiles(times)
	if err := e.close(); err != nil {
		return r, err
	}
	if _, ok := e.(*reverie); ok {
		return r, nil // the store does it
	}
	r.open, r.openCPU, err = opening(e, dir, qs[0])
	return r, err
}

// opening is the median of five times from opening to the first answer, and of
// the processor time that they took, which the machine's other work lengthens
// less.
func opening(e interface {
	open(string) error
	search(string) (int, error)
	close() error
}, dir, query string) (open, cpu time.Duration, err error) {
	var times, cpus []time.Duration
	for range 5 {
		start, used := time.Now(), processor()
		if err := e.open(dir); err != nil {
			return 0, 0, err
		}
		if _, err := e.search(query); err != nil {
			return 0, 0, err
		}
		times, cpus = append(times, time.Since(start)), append(cpus, processor()-used)
		if err := e.close(); err != nil {
			return 0, 0, err
		}
	}
	open, _ = quantiles(times)
	cpu, _ = quantiles(cpus)
	return open, cpu, nil
}

// freshness is how soon after its commit a new entry is found.
type freshness struct {
	median, p99 time.Duration
	found, of   int
}

func measureStore(c *corpus, dir string, r *result) (f freshness, err error) {
	s := &store{}
	if err := s.fill(dir, c); err != nil {
		return f, err
	}
	if err := s.close(); err != nil {
		return f, err
	}
	if r.open, r.openCPU, err = opening(s, dir, c.queries(1)[0]); err != nil {
		return f, err
	}
	if err := s.open(dir); err != nil {
		return f, err
	}
	defer s.close()
	if _, err := s.search("warm"); err != nil {
		return f, err
	}
	var times []time.Duration
	for d := range newCorpus(200).entries {
		d.Key = "new/" + d.Key
		took, found, err := s.fresh(d, "fresh"+strconv.Itoa(f.of))
		if err != nil {
			return f, err
		}
		f.of++
		if found {
			f.found++
		}
		times = append(times, took)
	}
	f.median, f.p99 = quantiles(times)
	return f, nil
}

func quantiles(times []time.Duration) (median, p99 time.Duration) {
	slices.Sort(times)
	return times[len(times)/2], times[len(times)*99/100]
}

func report(results []result, f freshness) {
	first := results[0]
	fmt.Printf("\n%d entries\n\n", first.entries)
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "engine\tmedian\t×\tp99\t×\tbuild\theap\tdisk\topen to first answer\tprocessor\tadd median\tadd p99\tfound")
	for _, r := range results {
		fmt.Fprintf(w, "%s\t%v\t%.1f\t%v\t%.1f\t%v\t%.0f MB\t%.0f MB\t%v\t%v\t%v\t%v\t%d\n", r.engine,
			r.median.Round(time.Microsecond), ratio(r.median, first.median), r.p99.Round(time.Microsecond), ratio(r.p99, first.p99),
			r.build.Round(time.Millisecond), float64(r.heap)/1e6, float64(r.disk)/1e6, r.open.Round(time.Millisecond), r.openCPU.Round(time.Millisecond),
			r.add.Round(time.Microsecond), r.addP99.Round(time.Microsecond), r.found)
	}
	w.Flush()
	if f.of == 0 {
		return
	}
	fmt.Printf("\nThe store finds a new entry %v after its commit (median; 99th percentile %v; %d of %d first).\n",
		f.median.Round(time.Microsecond), f.p99.Round(time.Microsecond), f.found, f.of)
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(max(b, 1)) }
