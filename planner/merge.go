package planner

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"reverie/memstore"
)

// merge folds an entry into another that says all of it and more, and entries
// that share a statement of one subject and complete each other.
func (f *finder) merge() error {
	type posting struct {
		hash  uint64
		entry int32
	}
	var ps []posting
	for i, fa := range f.facts {
		if f.used[i] {
			continue
		}
		for _, h := range fa.clauses {
			ps = append(ps, posting{h, int32(i)})
		}
	}
	slices.SortFunc(ps, func(a, b posting) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.entry, b.entry))
	})
	list := func(h uint64) []posting {
		i, _ := slices.BinarySearchFunc(ps, h, func(p posting, h uint64) int { return cmp.Compare(p.hash, h) })
		j := i
		for j < len(ps) && ps[j].hash == h && j-i < maxShared {
			j++
		}
		return ps[i:j]
	}
	into := map[int][]int{} // fuller entry: what it contains
	for i, fa := range f.facts {
		if err := f.step(i, 3); err != nil {
			return err
		}
		if f.used[i] || fa.own == 0 {
			continue
		}
		for _, p := range list(fa.clauses[0]) {
			if b := int(p.entry); b != i && !f.used[b] && len(f.facts[b].clauses) > 1 && f.contained(i, b) {
				into[b] = append(into[b], i)
				break
			}
		}
	}
	f.fold(into)
	f.labelled()
	for i, fa := range f.facts {
		if f.used[i] || fa.own < 2 {
			continue
		}
		for _, h := range fa.clauses[:fa.own] {
			ps := list(h)
			for _, p := range ps {
				if b := int(p.entry); len(ps) <= 4 && b > i && !f.used[b] && !f.used[i] && f.facts[b].own > 1 && f.complete(i, b) {
					f.join(i, b)
				}
			}
		}
	}
	return f.ctx.Err()
}

func (f *finder) fold(into map[int][]int) {
	fuller := make([]int, 0, len(into))
	for b := range into {
		fuller = append(fuller, b)
	}
	slices.SortFunc(fuller, func(a, b int) int {
		return cmp.Or(cmp.Compare(len(f.entries[b].Value), len(f.entries[a].Value)), cmp.Compare(a, b))
	})
	for _, b := range fuller {
		if f.used[b] {
			continue
		}
		members := []int{b}
		for _, a := range into[b] {
			if !f.used[a] {
				members = append(members, a)
			}
		}
		if len(members) > 1 {
			f.mergeInto(members, f.entries[b].Value, fmt.Sprintf("%s says all of it and more.", f.name(b)))
		}
	}
}

// mergeInto makes the operation of a merge. The survivor is the first of
// members, unless another is by someone whose word counts more.
func (f *finder) mergeInto(members []int, text, reason string) {
	survivor := members[0]
	for _, m := range members[1:] {
		if rank(f.entries[m]) > rank(f.entries[survivor]) {
			survivor = m
		}
	}
	after := f.entries[survivor]
	after.Value = text
	if len(text) > memstore.MaxValue {
		return
	}
	var sources []int
	for _, m := range members {
		if m == survivor {
			continue
		}
		next, ok := absorb(after, f.entries[m])
		if !ok {
			return
		}
		after = next
		if f.entries[m].Updated.After(after.Updated) {
			after.Updated = f.entries[m].Updated
		}
		sources = append(sources, m)
	}
	if text != f.entries[survivor].Value && refused(after) != nil {
		return
	}
	slices.Sort(sources)
	f.add(Merge, survivor, sources, after, reason)
}

// contained says whether b says all that a says. A statement of a that does
// not name its own subject counts only where b begins with it: elsewhere b's
// context could narrow it.
func (f *finder) contained(a, b int) bool {
	da, db := f.doc(a), f.doc(b)
	if !mergeKeys(f.entries[a].Key, f.entries[b].Key, da) {
		return false
	}
	whole := resolvedClauses(db)
	parts := pieces(db)
	if sharesTopic(f.entries[a].Key, f.entries[b].Key) {
		parts = append(parts, asides(db)...)
	}
	for i, c := range resolvedClauses(da) {
		found := i < len(whole) && i == 0 && sameClause(c, whole[0])
		for j, p := range whole {
			found = found || sameClause(c, p) && (j == 0 || explicit(c))
		}
		for _, p := range parts {
			found = found || sameClause(c, p) && !limited(c)
		}
		if !found {
			return false
		}
	}
	return true
}

// resolvedClauses are a text's clauses with pronouns replaced by the subject
// of the first.
func resolvedClauses(d doc) []clause {
	var out []clause
	var subj clause
	for i, c := range d.clauses {
		if i == 0 {
			subj = subjectOf(c)
			out = append(out, c)
			continue
		}
		out = append(out, resolved(c, subj))
	}
	return out
}

// explicit says whether a clause names what it is about.
func explicit(c clause) bool {
	v := verbAt(c)
	k := firstKept(c)
	if v > 0 && k == v && c[v-1].norm == "we" {
		return true
	}
	return v > 0 && k >= 0 && k < v && c[k].norm != "it" && c[k].norm != "they" && c[k].norm != "this"
}

// limits are words whose reach the rest of a sentence decides.
var limits = set("not no never only all every any must always none nobody except unless if when")

var narrows = set("except unless but if only when while until")

func narrowed(c clause) bool {
	for _, t := range c {
		if narrows[t.norm] {
			return true
		}
	}
	return false
}

func limited(c clause) bool {
	for i, t := range c {
		if t.norm == "every" && i+1 < len(c) && lengths[c[i+1].norm] {
			continue
		}
		if limits[t.norm] || denials[t.norm] && !(t.cap && !t.first) || foreignNarrows[t.norm] {
			return true
		}
	}
	return false
}

// complete says whether two texts share a statement and name one subject, so
// that together they are one entry.
func (f *finder) complete(a, b int) bool {
	x, y := f.entries[a], f.entries[b]
	if !sharesTopic(x.Key, y.Key) || !mergeKeys(x.Key, y.Key, f.doc(a)) {
		return false
	}
	shared := false
	da, db := f.doc(a), f.doc(b)
	for _, c := range da.clauses {
		for _, d := range db.clauses {
			if sameClause(c, d) {
				shared = shared || len(plain(c)) >= 3 && explicit(c)
				continue
			}
			if alike(plain(c), plain(d)) {
				return false
			}
		}
	}
	return shared
}

// alike statements have so much in common that they may contradict each
// other.
func alike(a, b clause) bool {
	common := 0
	for _, t := range a {
		if inBag(b, t) {
			common++
		}
	}
	return common*2 >= min(len(a), len(b))
}

func sharesTopic(a, b string) bool {
	for _, w := range keyWords(a) {
		for _, v := range keyWords(b) {
			if w == v && !general[w] {
				return true
			}
		}
	}
	return false
}

func (f *finder) join(a, b int) {
	if rank(f.entries[b]) > rank(f.entries[a]) || rank(f.entries[b]) == rank(f.entries[a]) && f.entries[b].Updated.After(f.entries[a].Updated) {
		a, b = b, a
	}
	f.mergeInto([]int{a, b}, union(f.entries[a].Value, f.entries[b].Value), "They complete each other on one subject.")
}

// union is a's text and behind it the sentences of b that a does not have.
func union(a, b string) string {
	have := canonical(a)
	var missing []string
next:
	for _, s := range sentences(b) {
		d := canonical(s)
		for _, c := range d.clauses {
			found := false
			for _, h := range have.clauses {
				found = found || sameClause(c, h)
			}
			if !found {
				missing = append(missing, s)
				continue next
			}
		}
	}
	if len(missing) == 0 {
		return a
	}
	sep := " "
	if strings.Contains(a, "\n") || strings.Contains(b, "\n") {
		sep = "\n"
	}
	a = strings.TrimRight(a, " \t\r\n")
	if sep == " " && !strings.ContainsAny(a[max(0, len(a)-1):], ".!?") && !strings.HasSuffix(a, "。") {
		a += "."
	}
	return a + sep + strings.Join(missing, sep)
}

// sentences splits a text as written at lines and at full stops that a space
// and no lower-case letter follows.
func sentences(s string) []string {
	var out []string
	for _, line := range strings.Split(s, "\n") {
		start := 0
		for i := 0; i+1 < len(line); i++ {
			end := i + 1
			switch {
			case strings.HasPrefix(line[i:], "。"):
				end = i + len("。")
			case line[i] != '.' && line[i] != '!' && line[i] != '?' || line[end] != ' ':
				continue
			case end+1 < len(line) && line[end+1] >= 'a' && line[end+1] <= 'z':
				continue
			}
			if p := strings.TrimSpace(line[start:end]); p != "" {
				out = append(out, p)
			}
			start = end
		}
		if p := strings.TrimSpace(line[start:]); p != "" {
			out = append(out, p)
		}
	}
	return out
}
