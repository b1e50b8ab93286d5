package planner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"reverie/memstore"
)

// retire finds groups of entries that say the same and keeps one of each: a
// person's before a file's before a model's, of those the one with a
// description, of those the newest, then the first by key. Nothing is lost: a
// description that only a retired entry had goes to the survivor.
func (f *finder) retire() error {
	buckets := map[uint64][]int{}
	for i, fa := range f.facts {
		if f.used[i] {
			continue
		}
		h := fa.bag
		if f.o.ExactOnly {
			h = fa.exact
		}
		if h != 0 {
			buckets[h] = append(buckets[h], i)
		}
	}
	var groups []*group
	for i, fa := range f.facts {
		if err := f.step(i, 2); err != nil {
			return err
		}
		h := fa.bag
		if f.o.ExactOnly {
			h = fa.exact
		}
		b := buckets[h]
		if len(b) < 2 || b[0] != i {
			continue
		}
		gs, err := f.groups(b)
		if err != nil {
			return err
		}
		groups = append(groups, gs...)
	}
	for _, g := range groups {
		if len(g.members) > 1 {
			f.retireGroup(g)
		}
	}
	return nil
}

// group is entries that say the same, and the different keys it has.
type group struct {
	doc     doc
	topic   topic
	value   string
	members []int
	keys    map[string]string // an example key for each list of key words
}

func (f *finder) groups(bucket []int) ([]*group, error) {
	var gs []*group
next:
	for n, i := range bucket {
		if n%512 == 511 && f.ctx.Err() != nil {
			return nil, f.ctx.Err()
		}
		e := f.entries[i]
		var d doc
		for _, g := range gs {
			if e.Value != g.value {
				d = f.doc(i)
				if f.o.ExactOnly && !sameWords(e.Value, g.value) || !f.o.ExactOnly && !sameDoc(d, g.doc) {
					continue
				}
			}
			if g.topic.fragment && e.Value != g.value && !fragment(d) {
				// It says the same, and what it is about as well.
				g.doc, g.topic = d, topicOf(d)
			}
			if g.take(i, e.Key) {
				continue next
			}
		}
		if len(gs) < maxVariants {
			g := &group{doc: f.doc(i), topic: topicOf(f.doc(i)), value: e.Value, keys: map[string]string{}}
			g.take(i, e.Key)
			gs = append(gs, g)
		}
	}
	return gs, nil
}

// take adds an entry if its key may name the same fact as all keys so far.
func (g *group) take(i int, key string) bool {
	sig := strings.Join(keyWords(key), " ")
	if _, ok := g.keys[sig]; !ok || g.topic.fragment {
		for _, k := range g.keys {
			if !keysAllow(k, key, g.topic) {
				return false
			}
		}
		if len(g.keys) < maxKeys {
			g.keys[sig] = key
		}
	}
	g.members = append(g.members, i)
	return true
}

// sameWords compares two texts as written: case, spacing and punctuation
// aside, but not in quoted or otherwise exact text.
func sameWords(a, b string) bool {
	if a == b {
		return true
	}
	flat := func(s string) clause {
		var out clause
		for _, c := range scan(s) {
			out = append(out, c...)
		}
		return out
	}
	return equalTokens(flat(a), flat(b))
}

func (f *finder) better(a, b int) int {
	x, y := f.entries[a], f.entries[b]
	return cmp.Or(
		cmp.Compare(rank(y), rank(x)),
		cmp.Compare(b2i(y.Description != ""), b2i(x.Description != "")),
		y.Updated.Compare(x.Updated),
		cmp.Compare(x.Key, y.Key),
	)
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (f *finder) retireGroup(g *group) {
	slices.SortStableFunc(g.members, f.better)
	survivor := g.members[0]
	after := f.entries[survivor]
	var sources []int
	exact, close := true, true
	for _, s := range g.members[1:] {
		next, ok := absorb(after, f.entries[s])
		if !ok {
			continue
		}
		after = next
		sources = append(sources, s)
		exact = exact && f.entries[s].Value == after.Value
		close = close && sameWords(f.entries[s].Value, after.Value)
	}
	if len(sources) == 0 {
		return
	}
	slices.Sort(sources)
	how := "word for word"
	switch {
	case !close:
		how = "in other words"
	case !exact:
		how = "but for capitals, spaces or punctuation"
	}
	reason := fmt.Sprintf("%s says the same %s.", f.name(sources[0]), how)
	if len(sources) > 1 {
		reason = fmt.Sprintf("%d other memories say the same %s.", len(sources), how)
	}
	f.add(Retire, survivor, sources, after, reason)
}

// absorb keeps what only the source's description and kind say. It fails
// where the description would become too long.
func absorb(after, source memstore.Entry) (memstore.Entry, bool) {
	if after.Kind == memstore.Note && source.Kind != "" {
		after.Kind = source.Kind
	}
	if d := source.Description; d != "" && !says(after, d) {
		if after.Description != "" {
			d = strings.TrimRight(after.Description, ". ") + "; " + d
		}
		next := after
		next.Description = d
		if len(d) > memstore.MaxDescription || refused(next) != nil {
			return after, false
		}
		after = next
	}
	return after, true
}

// says whether an entry has a description's words in its value or its own.
func says(e memstore.Entry, description string) bool {
	return sameWords(e.Value, description) || strings.Contains(e.Value, description) ||
		sameWords(e.Description, description) || strings.Contains(e.Description, description)
}
