package planner

import (
	"cmp"
	"context"
	"fmt"
	"hash/maphash"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"reverie/memstore"
)

// Bounds that keep planning linear in the number of entries.
const (
	maxPostings   = 200 // entries looked at for one word of a replacing text
	maxCandidates = 12  // older statements compared with one replacing text
	maxVariants   = 32  // ways to say one thing that are told apart in one group
	maxKeys       = 16  // different keys of one group that a further one is checked against
	maxShared     = 64  // entries looked at for one shared sentence
	maxClauses    = 100 // statements of a text that is looked at one by one
	maxTokens     = 200 // words of such a statement
	maxUnsure     = 200 // contradictions listed
)

// facts are what is kept of an entry while planning; texts are analysed again
// where two entries are compared.
type facts struct {
	exact   uint64   // the words in order, punctuation and case aside
	bag     uint64   // the words that carry meaning, in any order
	clauses []uint64 // a bag for each clause and each piece of one
	own     int      // how many of clauses are whole ones, the first ones
	terms   []uint64
	cue     bool // may say that it replaces something
	gaps    []gap
}

// gap is a single statement with one of its words left out.
type gap struct {
	hash  uint64
	entry int32
}

var seed = maphash.MakeSeed()

func hashOf(s string) uint64 { return mix(maphash.String(seed, s)) }

func mix(h uint64) uint64 {
	h ^= h >> 31
	h *= 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// finder is one run over one snapshot.
type finder struct {
	ctx     context.Context
	plan    *Plan
	entries []memstore.Entry
	facts   []facts
	used    []bool // in an operation, or to be purged
	docs    map[int]doc
	o       Options
	done    atomic.Int64
	total   int
}

func find(ctx context.Context, plan *Plan, live []memstore.Entry, o Options) error {
	slices.SortFunc(live, func(a, b memstore.Entry) int { return cmp.Compare(a.Key, b.Key) })
	f := &finder{ctx: ctx, plan: plan, entries: live, o: o,
		facts: make([]facts, len(live)), used: make([]bool, len(live)), docs: map[int]doc{}, total: 4 * len(live)}
	if err := f.analyse(); err != nil {
		return err
	}
	steps := []func() error{f.supersede, f.retire, f.merge, f.contradictions}
	if o.ExactOnly {
		steps = []func() error{f.retire}
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	f.progress(f.total)
	return nil
}

func (f *finder) progress(done int) {
	if f.o.Progress != nil {
		f.o.Progress(done, f.total)
	}
}

// analyse fills facts with as many workers as there are processors.
func (f *finder) analyse() error {
	const chunk = 256
	var next atomic.Int64
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for f.ctx.Err() == nil {
				from := int(next.Add(chunk)) - chunk
				if from >= len(f.entries) {
					return
				}
				to := min(from+chunk, len(f.entries))
				var bad []Purge
				for i := from; i < to; i++ {
					if p, refused := refusal(f.entries[i]); refused {
						f.used[i] = true
						bad = append(bad, p)
						continue
					}
					f.facts[i] = analyse(f.entries[i], i, f.o.ExactOnly)
				}
				mu.Lock()
				f.plan.Purge = append(f.plan.Purge, bad...)
				f.progress(int(f.done.Add(int64(to - from))))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	slices.SortFunc(f.plan.Purge, func(a, b Purge) int { return cmp.Compare(a.Key, b.Key) })
	return f.ctx.Err()
}

func analyse(e memstore.Entry, at int, exactOnly bool) facts {
	var fa facts
	raw := scan(e.Value)
	for _, c := range raw {
		for _, t := range c {
			fa.exact = mix(fa.exact*31 + hashOf(t.norm))
		}
	}
	if exactOnly {
		return fa
	}
	d := canonicalOf(raw)
	for _, c := range d.clauses {
		h := bagOf(c.kept())
		fa.bag += h
		fa.clauses = append(fa.clauses, h)
		for _, t := range c {
			fa.cue = fa.cue || cueWords[t.norm] || cueRunes[t.norm]
		}
	}
	if longText(d) {
		// Such a text is compared as a whole only.
		fa.cue, fa.clauses = false, nil
		return fa
	}
	fa.own = len(fa.clauses)
	for _, p := range append(pieces(d), asides(d)...) {
		fa.clauses = append(fa.clauses, bagOf(p.kept()))
	}
	seen := map[string]bool{}
	for _, t := range d.kept() {
		if !t.marker() && !prepositions[t.norm] && !seen[t.norm] && len(fa.terms) < 64 {
			seen[t.norm] = true
			fa.terms = append(fa.terms, hashOf(t.norm))
		}
	}
	slices.Sort(fa.terms)
	if len(d.clauses) == 1 {
		fa.gaps = gapsOf(d.clauses[0], at)
	}
	return fa
}

// longText says whether a text is too long to be looked at statement by
// statement.
func longText(d doc) bool {
	for _, c := range d.clauses {
		if len(c) > maxTokens {
			return true
		}
	}
	return len(d.clauses) > maxClauses
}

func bagOf(c clause) uint64 {
	var h uint64
	for _, t := range c {
		if !t.order() {
			h += hashOf(t.norm)
		}
	}
	return h
}

func gapsOf(c clause, at int) []gap {
	k := c.kept()
	if len(k) < 2 || len(k) > 16 {
		return nil
	}
	var gs []gap
	// The last round leaves nothing out: another statement may be this one
	// and a "not" more.
	for i := range len(k) + 1 {
		var h uint64
		for j, t := range k {
			if j != i {
				h = mix(h*31 + hashOf(t.norm))
			} else if t.norm != "not" && t.norm != "never" {
				h = mix(h*31 + 1)
			}
		}
		gs = append(gs, gap{h, int32(at)})
	}
	return gs
}

// cueWords are the words without which no rule finds a replacement.
var cueWords = func() map[string]bool {
	m := set("no-longer anymore used stop formerly previously was were instead rather now nowadays henceforth since as from effective starting start to replac replace supersed supersede succeed take took")
	for w := range moves {
		m[w] = true
	}
	for w := range gone {
		m[w] = true
	}
	for w := range changeVerbs {
		m[w] = true
	}
	for _, cues := range [][][]string{endCues, insteadCues, nowCues} {
		for _, c := range cues {
			m[c[0]] = true
		}
	}
	return m
}()

var cueRunes = set("再 现 今 从 改 か")

// doc analyses an entry's text, and remembers it.
func (f *finder) doc(i int) doc {
	d, ok := f.docs[i]
	if !ok {
		if len(f.docs) > 20000 {
			clear(f.docs)
		}
		d = canonical(f.entries[i].Value)
		f.docs[i] = d
	}
	return d
}

// step reports progress and looks whether planning is still wanted.
func (f *finder) step(i, stage int) error {
	if i%1024 == 0 {
		f.progress(stage*len(f.entries) + i)
		return f.ctx.Err()
	}
	return nil
}

// rank says whose word counts more.
func rank(e memstore.Entry) int {
	switch e.Provenance.Writer {
	case memstore.ByUser:
		return 3
	case memstore.ByFile:
		return 2
	case memstore.ByModel:
		return 1
	}
	return 0
}

// add makes an operation of a survivor and its sources, all unused so far.
func (f *finder) add(kind Kind, survivor int, sources []int, after memstore.Entry, reason string) {
	op := Operation{Kind: kind, Survivor: f.ref(survivor), Reason: reason, After: after}
	for _, s := range sources {
		op.Sources = append(op.Sources, f.ref(s))
		op.Before = append(op.Before, f.entries[s])
		f.used[s] = true
	}
	op.Before = append(op.Before, f.entries[survivor])
	f.used[survivor] = true
	f.plan.Operations = append(f.plan.Operations, op)
}

func (f *finder) ref(i int) Ref { return Ref{f.entries[i].Key, f.entries[i].Version} }

func (f *finder) name(i int) string { return fmt.Sprintf("%q", f.entries[i].Key) }
