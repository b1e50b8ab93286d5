package vector_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reverie/memstore"
	"reverie/memstore/vector"
)

// A conversation is one memory: facts, and questions with the keys of the facts
// that answer them, which may be none.
type conversation struct {
	name      string
	store     memstore.Store
	questions []question
}

type question struct {
	text    string
	answers map[string]bool
}

func readLines[T any](t testing.TB, path string) []T {
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

// conversations reads those to measure on, and skips where they are not.
func conversations(t testing.TB) []conversation {
	t.Helper()
	dir := cmp.Or(os.Getenv("REVERIE_RETRIEVAL"), filepath.Join("..", "..", "..", "shared", "retrieval"))
	paths, err := filepath.Glob(filepath.Join(dir, "locomo", "*.facts.jsonl"))
	if err != nil || len(paths) < 4 {
		t.Skipf("the conversations to measure on are not in %s", dir)
	}
	slices.Sort(paths)
	var all []conversation
	for _, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".facts.jsonl")
		c := conversation{name: name, store: memstore.NewPlain(memstore.Project)}
		from := map[string][]string{}
		for _, f := range readLines[struct {
			ID, Text string
			Evidence []string
		}](t, path) {
			save(t, c.store, f.ID, f.Text)
			for _, e := range f.Evidence {
				from[e] = append(from[e], f.ID)
			}
		}
		for _, q := range readLines[struct {
			Query    string
			Relevant []string
		}](t, filepath.Join(dir, "locomo", name+".queries.jsonl")) {
			asked := question{q.Query, map[string]bool{}}
			for _, turn := range q.Relevant {
				for _, key := range from[turn] {
					asked.answers[key] = true
				}
			}
			c.questions = append(c.questions, asked)
		}
		all = append(all, c)
	}
	return all
}

// quiet counts what recall does with prompts.
type quiet struct {
	answerable, answered, attached int
	unanswered, noise              int // no fact of this memory answers it
	foreign, foreignNoise          int // it is about another memory
}

func (q quiet) String() string {
	share := func(a, b int) float64 { return 100 * float64(a) / float64(max(b, 1)) }
	return fmt.Sprintf("%4.1f %% of %d  %5.2f      %4.1f %% of %d        %4.1f %% of %d",
		share(q.answered, q.answerable), q.answerable, float64(q.attached)/float64(max(q.answerable, 1)),
		share(q.noise, q.unanswered), q.unanswered, share(q.foreignNoise, q.foreign), q.foreign)
}

// recallAll asks every nth question of a memory, and of the others more seldom.
func recallAll(t testing.TB, own, others []conversation, bar float64, nth int) quiet {
	t.Helper()
	var sum quiet
	for _, c := range own {
		l := vector.NewLexical(c.store).At(bar)
		ask := func(text string) []vector.Match {
			m, err := l.Recall(t.Context(), text, vector.MaxRecall)
			if err != nil {
				t.Fatal(err)
			}
			return m
		}
		for i := 0; i < len(c.questions); i += nth {
			q := c.questions[i]
			m := ask(q.text)
			if len(q.answers) == 0 {
				sum.unanswered++
				sum.noise += min(len(m), 1)
				continue
			}
			sum.answerable++
			sum.attached += len(m)
			if slices.ContainsFunc(m, func(m vector.Match) bool { return q.answers[m.Entry.Key] }) {
				sum.answered++
			}
		}
		for _, o := range others {
			for i := 0; o.name != c.name && i < len(o.questions); i += 4 * nth {
				sum.foreign++
				sum.foreignNoise += min(len(ask(o.questions[i].text)), 1)
			}
		}
	}
	return sum
}

// The bar was chosen on the first three conversations; the figures that count
// are those of the others.
func TestTheBarIsQuiet(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures on collections")
	}
	t.Parallel()
	all := conversations(t)
	chosenOn, others := all[:3], all[3:]
	t.Log("bar    answered       attached   noise, no fact answers  noise, about something else")
	for _, bar := range []float64{0.3, vector.LexicalBar, 0.5} {
		t.Logf("%.2f   %v", bar, recallAll(t, others, all, bar, 2))
	}
	t.Logf("%.2f   %v (the conversations that it was chosen on)", vector.LexicalBar, recallAll(t, chosenOn, all, vector.LexicalBar, 4))
	got := recallAll(t, others, all, vector.LexicalBar, 2)
	if got.answered*100 < got.answerable*30 {
		t.Errorf("%d of %d prompts that have an answer get it, want 30 %% or more", got.answered, got.answerable)
	}
	if got.foreignNoise*100 > got.foreign*4 {
		t.Errorf("%d of %d prompts about something else get noise, want 4 %% or less", got.foreignNoise, got.foreign)
	}
}
