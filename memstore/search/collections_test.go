package search

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// A collection is one memory with questions whose answers are known.
type collection struct {
	name    string
	docs    []Document
	queries []judged
}

type judged struct {
	text string
	// relevant documents by key, each with what it answers the question by: a
	// fact with the turns that it was drawn from, any other with itself.
	// Recall is the share of these that were found.
	relevant map[string][]string
}

// figures are means over queries.
type figures struct {
	queries                       int
	ndcg10, recall5, recall10, ap float64
}

// folder returns where the collections lie, and skips the test where they
// are not.
func folder(t testing.TB) string {
	dir := cmp.Or(os.Getenv("REVERIE_RETRIEVAL"), filepath.Join("..", "..", "..", "shared", "retrieval"))
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("the collections to measure on are not here: %v", err)
	}
	return dir
}

func lines[T any](t testing.TB, path string) []T {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	for s.Scan() {
		var v T
		if err := json.Unmarshal(s.Bytes(), &v); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		out = append(out, v)
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

type row struct {
	ID, Title, Text, Date string
	Evidence              []string
}

type asked struct {
	Query    string
	Relevant []string
}

// locomo reads the conversations, as turns or as facts, one memory each.
func locomo(t testing.TB, kind string) []collection {
	dir := filepath.Join(folder(t), "locomo")
	paths, err := filepath.Glob(filepath.Join(dir, "*."+kind+".jsonl"))
	if err != nil || len(paths) == 0 {
		t.Skip("no conversations to measure on")
	}
	var out []collection
	for _, path := range paths {
		name := filepath.Base(path)
		name = name[:len(name)-len("."+kind+".jsonl")]
		c := collection{name: name}
		holds := map[string][]string{}
		for _, r := range lines[row](t, path) {
			d := Document{Key: r.ID, Value: r.Text}
			if r.Date != "" {
				if d.Updated, err = time.Parse("3:04 pm on 2 January, 2006", r.Date); err != nil {
					t.Fatal(err)
				}
			}
			c.docs = append(c.docs, d)
			if kind == "turns" {
				holds[r.ID] = append(holds[r.ID], r.ID)
			}
			for _, e := range r.Evidence {
				holds[e] = append(holds[e], r.ID)
			}
		}
		for _, q := range lines[asked](t, filepath.Join(dir, name+".queries.jsonl")) {
			j := judged{q.Query, map[string][]string{}}
			for _, turn := range q.Relevant {
				for _, key := range holds[turn] {
					j.relevant[key] = append(j.relevant[key], turn)
				}
			}
			if len(j.relevant) > 0 {
				c.queries = append(c.queries, j)
			}
		}
		out = append(out, c)
	}
	return out
}

func cranfield(t testing.TB) []collection {
	dir := filepath.Join(folder(t), "cranfield")
	c := collection{name: "cranfield"}
	for _, r := range lines[row](t, filepath.Join(dir, "docs.jsonl")) {
		c.docs = append(c.docs, Document{Key: r.ID, Description: "", Value: r.Text})
	}
	for _, q := range lines[asked](t, filepath.Join(dir, "queries.jsonl")) {
		j := judged{q.Query, map[string][]string{}}
		for _, id := range q.Relevant {
			j.relevant[id] = []string{id}
		}
		c.queries = append(c.queries, j)
	}
	return []collection{c}
}

func (c collection) index() *Index {
	x := New()
	x.Load(func(yield func(Document) bool) {
		for _, d := range c.docs {
			if !yield(d) {
				return
			}
		}
	})
	return x
}

// measure runs every query and takes the means, with binary gains.
func measure(cs []collection) figures {
	var f figures
	for _, c := range cs {
		x := c.index()
		for _, q := range c.queries {
			f.add(x.Search(q.text, 100), q.relevant)
		}
	}
	return f.mean()
}

func (f *figures) add(hits []Hit, relevant map[string][]string) {
	all := map[string]bool{}
	for _, answers := range relevant {
		for _, a := range answers {
			all[a] = true
		}
	}
	got := map[string]bool{}
	var dcg, ideal, found, ap float64
	for i, h := range hits {
		answers, ok := relevant[h.Key]
		if !ok {
			continue
		}
		found++
		ap += found / float64(i+1)
		if i < 10 {
			dcg += 1 / math.Log2(float64(i+2))
			for _, a := range answers {
				if got[a] {
					continue
				}
				got[a] = true
				f.recall10 += 1 / float64(len(all))
				if i < 5 {
					f.recall5 += 1 / float64(len(all))
				}
			}
		}
	}
	for i := range min(10, len(relevant)) {
		ideal += 1 / math.Log2(float64(i+2))
	}
	f.queries++
	f.ndcg10 += dcg / ideal
	f.ap += ap / float64(len(relevant))
}

func (f figures) mean() figures {
	n := max(float64(f.queries), 1)
	return figures{f.queries, f.ndcg10 / n, f.recall5 / n, f.recall10 / n, f.ap / n}
}

func (f figures) String() string {
	return fmt.Sprintf("%.3f    %.3f     %.3f      %.3f", f.ndcg10, f.recall5, f.recall10, f.ap)
}
