package planner

import "strings"

// labelled folds "Topic: statement" into an entry below the same first key
// segment that begins with the topic and has the statement word for word.
func (f *finder) labelled() {
	byTopic := map[string][]int{}
	for i, e := range f.entries {
		if top, _, ok := strings.Cut(e.Key, "/"); ok && !f.used[i] && f.facts[i].own == 1 {
			byTopic[top] = append(byTopic[top], i)
		}
	}
	for a, e := range f.entries {
		top, _, ok := strings.Cut(e.Key, "/")
		if !ok || f.used[a] || f.facts[a].own != 1 || len(byTopic[top]) > maxShared || len(byTopic[top]) < 2 {
			continue
		}
		label, rest := labelOf(f.doc(a))
		if label == nil || !sameFirst(top, label) {
			continue
		}
		for _, b := range byTopic[top] {
			if b != a && !f.used[b] && hasLabelled(f.doc(b), label, rest) {
				f.mergeInto([]int{b, a}, union(f.entries[b].Value, e.Value), "They complete each other on one subject.")
				break
			}
		}
	}
}

func labelOf(d doc) (label, rest clause) {
	if len(d.clauses) != 1 {
		return nil, nil
	}
	c := d.clauses[0]
	for i := 1; i < len(c) && i <= 3; i++ {
		if c[i].colon {
			label, rest = plain(c[:i]), plain(c[i:])
			if len(label) == 0 || len(rest) < 2 || limited(c) {
				return nil, nil
			}
			return label, rest
		}
	}
	return nil, nil
}

func sameFirst(top string, label clause) bool {
	return len(label) == 1 && stem(top) == label[0].norm
}

func hasLabelled(d doc, label, rest clause) bool {
	if len(d.clauses) == 0 || limited(d.clauses[0]) {
		return false
	}
	c := plain(d.clauses[0])
	if len(c) < len(label)+len(rest)+2 || !inBag(c, label[0]) {
		return false
	}
	_, at, ok := cut(c, rest)
	return ok && at > 1
}
