package planner

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"reverie/memstore"
)

// supersede looks, for each text that may say that it replaces something, at
// the entries that share its rarest words.
func (f *finder) supersede() error {
	wanted := map[uint64][]int32{}
	for i, fa := range f.facts {
		if fa.cue && !f.used[i] {
			for _, t := range fa.terms {
				wanted[t] = nil
			}
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	for i, fa := range f.facts {
		for _, t := range fa.terms {
			if p, ok := wanted[t]; ok && len(p) <= maxPostings {
				wanted[t] = append(p, int32(i))
			}
		}
	}
	found, err := f.replacements(wanted)
	if err != nil {
		return err
	}
	for i, olds := range found {
		if len(olds) > 0 && !f.used[i] {
			f.supersedeBy(i, olds)
		}
	}
	return nil
}

// old is an entry that another replaces, and why.
type old struct {
	entry  int
	reason string
}

// replacements finds for each entry what it replaces, if anything, with as
// many workers as there are processors. It changes nothing.
func (f *finder) replacements(postings map[uint64][]int32) ([][]old, error) {
	const chunk = 64
	found := make([][]old, len(f.entries))
	var next atomic.Int64
	var wg sync.WaitGroup
	var mu sync.Mutex
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			w := &seeker{finder: f, postings: postings, counts: make([]uint16, len(f.entries)), docs: map[int]doc{}}
			for f.ctx.Err() == nil {
				from := int(next.Add(chunk)) - chunk
				if from >= len(f.entries) {
					return
				}
				for i := from; i < min(from+chunk, len(f.entries)); i++ {
					if f.facts[i].cue && !f.used[i] {
						found[i] = w.replacedBy(i)
					}
				}
				mu.Lock()
				f.progress(int(f.done.Add(int64(min(chunk, len(f.entries)-from)))))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return found, f.ctx.Err()
}

// seeker is one worker of replacements.
type seeker struct {
	*finder
	postings map[uint64][]int32
	counts   []uint16
	docs     map[int]doc
}

func (w *seeker) text(i int) doc {
	d, ok := w.docs[i]
	if !ok {
		if len(w.docs) > 10000 {
			clear(w.docs)
		}
		d = canonical(w.entries[i].Value)
		w.docs[i] = d
	}
	return d
}

func (w *seeker) replacedBy(b int) []old {
	var olds []old
	var db doc
	var segs []clause
	for _, a := range w.candidates(b) {
		if !w.mayReplace(a, b) {
			continue
		}
		if segs == nil {
			db = canonical(w.entries[b].Value)
			segs = segments(db)
		}
		da := w.text(a)
		if why := replaces(da, db, segs); why != "" && replaceKeys(w.entries[a].Key, w.entries[b].Key, da, db) {
			olds = append(olds, old{a, why})
		}
	}
	return olds
}

func (f *finder) supersedeBy(b int, olds []old) {
	var sources []int
	why := ""
	for _, o := range olds {
		if !f.used[o.entry] {
			sources = append(sources, o.entry)
			why = o.reason
		}
	}
	if len(sources) == 0 {
		return
	}
	slices.Sort(sources)
	f.add(Supersede, b, sources, f.entries[b], fmt.Sprintf("%s, the newer, %s.", f.name(b), why))
}

// mayReplace checks what the texts don't say: age, writers and keys. A memory
// by a file never supersedes one by a person, nor one that a plan may have
// made of a person's words.
func (f *finder) mayReplace(a, b int) bool {
	x, y := f.entries[a], f.entries[b]
	if a == b || f.used[a] || y.Updated.Before(x.Updated) {
		return false
	}
	person := x.Provenance.Writer == memstore.ByUser || x.Provenance.Writer == memstore.BySystem
	if y.Provenance.Writer == memstore.ByFile && person {
		return false
	}
	return f.facts[a].own < 40
}

// replaceKeys blocks keys that name opposed things which the texts don't.
func replaceKeys(a, b string, da, db doc) bool {
	if fragment(da) {
		wa, wb := keyWords(a), keyWords(b)
		if len(minus(wa, wb)) > 0 && !sharesWord(wa, wb) {
			return false
		}
	}
	if (da.implied || subjectless(da) || db.implied || subjectless(db)) && !keysAllow(a, b, topicOf(da)) {
		return false
	}
	said := map[string]bool{}
	for _, t := range da.kept() {
		// "We use X as Y" is replaced by "We switched from X to Z" below a key
		// of the same topic only.
		if t.role && !inBag(db.kept(), t) && !sharesTopic(a, b) {
			return false
		}
	}
	for _, t := range append(da.kept(), db.kept()...) {
		said[t.norm] = true
	}
	for _, x := range minus(keyWords(a), keyWords(b)) {
		for _, y := range minus(keyWords(b), keyWords(a)) {
			if opposed(x, y) && !(x == "old" || x == "new" || y == "old" || y == "new") && !said[x] && !said[y] {
				return false
			}
		}
	}
	return true
}

func sharesWord(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return true
			}
		}
	}
	return false
}

// candidates are the entries that share most words with b, at most
// maxCandidates. Words that are everywhere are looked at only when there are
// no others.
func (w *seeker) candidates(b int) []int {
	var seen []int32
	count := func(list []int32) {
		for _, a := range list {
			if w.counts[a] == 0 {
				seen = append(seen, a)
			}
			w.counts[a]++
		}
	}
	for _, t := range w.facts[b].terms {
		if p := w.postings[t]; len(p) <= maxPostings {
			count(p)
		}
	}
	if len(seen) <= 1 {
		for _, t := range w.facts[b].terms {
			if p := w.postings[t]; len(p) > maxPostings {
				count(p)
			}
		}
	}
	for _, a := range seen {
		w.counts[a] = 0
	}
	type scored struct{ entry, score int }
	var best []scored
	for _, a := range seen {
		mine := w.facts[a].terms
		shared := overlap(mine, w.facts[b].terms)
		// A replaced statement is about what the newer one is about: what it
		// says besides is a value and a verb.
		if int(a) == b || shared == 0 || len(mine)-shared > 6 || shared*3 < len(mine)-1 {
			continue
		}
		best = append(best, scored{int(a), 4*shared - len(mine)})
	}
	slices.SortFunc(best, func(x, y scored) int {
		return cmp.Or(cmp.Compare(y.score, x.score), cmp.Compare(x.entry, y.entry))
	})
	var out []int
	for n, s := range best {
		if n == maxCandidates {
			break
		}
		out = append(out, s.entry)
	}
	return out
}

// overlap counts what two sorted lists have in common.
func overlap(a, b []uint64) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			n++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return n
}
