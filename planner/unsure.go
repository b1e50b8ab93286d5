package planner

import (
	"cmp"
	"fmt"
	"slices"
)

// contradictions lists pairs of single statements that differ in one word and
// can hardly both hold: another number, time or weekday behind the same words,
// or a "not" more.
func (f *finder) contradictions() error {
	var gs []gap
	for i, fa := range f.facts {
		if !f.used[i] {
			gs = append(gs, fa.gaps...)
		}
	}
	slices.SortFunc(gs, func(a, b gap) int { return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.entry, b.entry)) })
	listed := map[[2]int32]bool{}
	for i := 0; i < len(gs); {
		j := i + 1
		for j < len(gs) && gs[j].hash == gs[i].hash {
			j++
		}
		if i%4096 == 0 && f.ctx.Err() != nil {
			return f.ctx.Err()
		}
		if j-i <= 8 {
			f.contradict(gs[i:j], listed)
		}
		i = j
	}
	slices.SortFunc(f.plan.Unsure, func(a, b Unsure) int { return slices.Compare(a.Keys, b.Keys) })
	return nil
}

func (f *finder) contradict(gs []gap, listed map[[2]int32]bool) {
	for x, g := range gs {
		for _, h := range gs[x+1:] {
			pair := [2]int32{g.entry, h.entry}
			if g.entry == h.entry || listed[pair] || len(f.plan.Unsure) >= maxUnsure {
				continue
			}
			a, b := int(g.entry), int(h.entry)
			if why := f.contrary(a, b); why != "" {
				listed[pair] = true
				f.plan.Unsure = append(f.plan.Unsure, Unsure{Keys: []string{f.entries[a].Key, f.entries[b].Key}, Reason: why})
			}
		}
	}
}

func (f *finder) contrary(a, b int) string {
	da, db := f.doc(a), f.doc(b)
	if len(da.clauses) != 1 || len(db.clauses) != 1 || !keysAllow(f.entries[a].Key, f.entries[b].Key, topicOf(da)) {
		return ""
	}
	ca, cb := da.clauses[0], db.clauses[0]
	ka, kb := plain(ca), plain(cb)
	if len(ka) == len(kb) {
		was, is, at, ok := align(ka, kb)
		v := verbAt(ca)
		if ok && v >= 0 && at > 0 && len(was) == 1 && typed(was, is) && pastVerb(ca, v, was) {
			return fmt.Sprintf("One says %s and the other %s.", quote(was), quote(is))
		}
		return ""
	}
	if len(ka) > len(kb) {
		ka, kb = kb, ka
	}
	for i, t := range kb {
		if (t.norm == "not" || t.norm == "never") && equalTokens(without(kb, i), ka) {
			return "One denies what the other says."
		}
	}
	return ""
}
