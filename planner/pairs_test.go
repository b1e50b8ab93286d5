package planner

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reverie/memstore"
)

// pair is two memories and what a plan may do about them.
type pair struct {
	Label string
	A, B  struct {
		Key     string
		Value   string
		Updated time.Time
	}
}

var operationFor = map[string]Kind{"duplicate": Retire, "supersede": Supersede, "merge": Merge}

func (p pair) plan(t *testing.T) Plan {
	t.Helper()
	var es []memstore.Entry
	for _, x := range []struct {
		Key, Value string
		Updated    time.Time
	}{{p.A.Key, p.A.Value, p.A.Updated}, {p.B.Key, p.B.Value, p.B.Updated}} {
		es = append(es, memstore.Entry{Scope: memstore.Project, Key: x.Key, Value: x.Value, Updated: x.Updated, Kind: memstore.Note,
			Version: memstore.Version("r_" + x.Key), Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Imported}})
	}
	plan, err := (&Planner{}).Propose(context.Background(), es, Options{Scope: memstore.Project})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// right says whether the plan does what the label asks for: the newer survives
// a replacement, either of two that say the same.
func (p pair) right(plan Plan) bool {
	if p.Label == "distinct" {
		return plan.Empty()
	}
	if len(plan.Operations) != 1 || plan.Operations[0].Kind != operationFor[p.Label] {
		return false
	}
	return p.Label != "supersede" || plan.Operations[0].Survivor.Key == p.B.Key
}

func describe(plan Plan) string {
	if plan.Empty() {
		return "nothing"
	}
	o := plan.Operations[0]
	return string(o.Kind) + " into " + o.Survivor.Key + ": " + o.After.Value
}

// TestTheSharesOfPairsProposed prints how much of each label is found on the
// collection beside the project, and holds the shares that are promised.
func TestTheSharesOfPairsProposed(t *testing.T) {
	t.Parallel()
	path := os.Getenv("REVERIE_DREAM")
	if path == "" {
		path = filepath.Join("..", "..", "shared", "dream")
	}
	if !strings.HasSuffix(path, ".jsonl") {
		path = filepath.Join(path, "pairs.jsonl")
	}
	f, err := os.Open(path)
	if err != nil {
		t.Skipf("no collection of pairs to measure on (REVERIE_DREAM names its folder or file): %v", err)
	}
	defer f.Close()
	var pairs []pair
	for sc := bufio.NewScanner(f); sc.Scan(); {
		var p pair
		if err := json.Unmarshal(sc.Bytes(), &p); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		pairs = append(pairs, p)
	}
	check(t, path, pairs)
}

// TestTheSharesOfOurOwnPairs does so for the tables in testdata, by who wrote
// them.
func TestTheSharesOfOurOwnPairs(t *testing.T) {
	t.Parallel()
	for name, tables := range map[string][]string{
		"the first": {"distinct.txt", "distinct2.txt", "distinct3.txt", "distinct4.txt", "positive.txt", "positive2.txt", "positive3.txt"},
		"the second": {"distinct5.txt", "distinct6.txt", "distinct7.txt", "distinct8.txt", "distinct9.txt", "distinct10.txt", "distinct11.txt",
			"positive4.txt", "positive5.txt", "positive6.txt", "positive7.txt", "positive8.txt", "positive9.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var pairs []pair
			for _, table := range tables {
				pairs = append(pairs, readPairs(t, table)...)
			}
			check(t, name, pairs)
		})
	}
}

func check(t *testing.T, name string, pairs []pair) {
	t.Helper()
	promised := map[string]float64{"distinct": 1, "duplicate": .9, "supersede": .7, "merge": .6}
	total, ok := map[string]int{}, map[string]int{}
	for _, p := range pairs {
		plan := p.plan(t)
		total[p.Label]++
		if p.right(plan) {
			ok[p.Label]++
			continue
		}
		if p.Label == "distinct" {
			t.Errorf("distinct, but: %s\n a %s: %s\n b %s: %s", describe(plan), p.A.Key, p.A.Value, p.B.Key, p.B.Value)
		} else {
			t.Logf("%s not proposed: %s\n a %s: %s\n b %s: %s", p.Label, describe(plan), p.A.Key, p.A.Value, p.B.Key, p.B.Value)
		}
	}
	t.Logf("%-10s %8s %8s %7s %9s   (%s)", "label", "pairs", "right", "share", "promised", name)
	for _, l := range []string{"distinct", "duplicate", "supersede", "merge"} {
		if total[l] == 0 {
			continue
		}
		share := float64(ok[l]) / float64(total[l])
		t.Logf("%-10s %8d %8d %6.1f%% %8.0f%%", l, total[l], ok[l], 100*share, 100*promised[l])
		if share < promised[l] {
			t.Errorf("%s: %.1f%% of %s, %.0f%% are promised", name, 100*share, l, 100*promised[l])
		}
	}
}

// readPairs reads a table of testdata: fields between " | ", with a label in
// front where there are five. Distinct pairs count in both orders.
func readPairs(t *testing.T, name string) []pair {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	early, late := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	var pairs []pair
	for _, line := range strings.Split(string(b), "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		f := strings.Split(line, " | ")
		if len(f) == 4 {
			f = append([]string{"distinct"}, f...)
		}
		if len(f) != 5 {
			t.Fatalf("%s: %q has %d fields", name, line, len(f))
		}
		var p pair
		p.Label = f[0]
		p.A.Key, p.A.Value, p.A.Updated = f[1], f[2], early
		p.B.Key, p.B.Value, p.B.Updated = f[3], f[4], late
		pairs = append(pairs, p)
		if p.Label == "distinct" {
			p.A, p.B = p.B, p.A
			p.A.Updated, p.B.Updated = early, late
			pairs = append(pairs, p)
		}
	}
	return pairs
}
