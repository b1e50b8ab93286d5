package planner

// Replacement by a word that says that something holds now.

// saysNow finds "now", "as of", "since", "from … on" and their like.
func saysNow(s clause) bool {
	for i, t := range s {
		switch t.norm {
		case "now", "nowadays", "henceforth", "nowaday":
			return true
		case "since", "as", "from", "effective", "starting", "start", "effectiv":
			rest := plain(s[i+1:])
			if n := when(rest); n > 0 && (t.norm != "from" || len(rest) > n && (rest[n].norm == "on" || rest[n].norm == "onward") || rest[0].norm == "now") && (t.norm != "start" || t.text == "starting" || t.text == "Starting") {
				return true
			}
		}
	}
	return false
}

// nowIs: the older statement with one other value, and a word that says that
// it holds now.
func nowIs(old, s clause, _ []clause) string {
	if !saysNow(s) {
		return ""
	}
	o := plain(old)
	n := timeless(plain(s), false)
	was, is, at, ok := align(o, n)
	if ok && !negated(o) && !negated(n) && replaceable(old, was, is, at, o) {
		return "says that it is " + quote(is) + " now"
	}
	return ""
}

// changedTo: "SUBJECT changed to NEW", for values of one kind, or where
// someone who lived elsewhere moved.
func changedTo(old, s clause, _ []clause) string {
	c := plain(s)
	for v, t := range c {
		if v == 0 || t.class != word || !moves[t.norm] {
			continue
		}
		for i := v + 1; i+1 < len(c); i++ {
			if c[i].norm != "to" {
				continue
			}
			rest := afterValue(c[i+1:])
			is := c[i+1 : len(c)-len(rest)]
			context := append(append(clause{}, c[:v]...), c[v+1:i]...)
			context = append(context, rest...)
			return changed(old, context, is, t.norm)
		}
	}
	return ""
}

func changed(old, context, is clause, verb string) string {
	o := plain(old)
	if negated(o) || negated(context) || len(o) == 0 || len(is) == 0 {
		return ""
	}
	scope := scopeOf(timeless(context, true))
	left := scopeOf(o)
	for _, t := range scope {
		rest, _, ok := cut(left, clause{t})
		if !ok {
			return ""
		}
		left = rest
	}
	if len(scope) == 0 || len(left) == 0 {
		return ""
	}
	if _, _, ok := cut(o, left); !ok {
		return ""
	}
	lives := verb == "move" || verb == stem("move") || verb == stem("relocate")
	if typed(left, is) || lives && hasNorm(o, stem("live")) && len(left) <= 3 {
		return "says that it changed to " + quote(is)
	}
	return ""
}

func hasNorm(c clause, n string) bool {
	for _, t := range c {
		if t.norm == n {
			return true
		}
	}
	return false
}

// align finds the one stretch in which two statements differ, at a place that
// is not their beginning.
func align(a, b clause) (was, is clause, at int, ok bool) {
	i := 0
	for i < len(a) && i < len(b) && a[i].equal(b[i]) {
		i++
	}
	j := 0
	for j < len(a)-i && j < len(b)-i && a[len(a)-1-j].equal(b[len(b)-1-j]) {
		j++
	}
	was, is = a[i:len(a)-j], b[i:len(b)-j]
	return was, is, i, len(was) > 0 && len(is) > 0 && len(was) <= 5 && len(is) <= 5
}

// typed says whether two values are of one measurable kind: they differ in
// one number, time, version, weekday or path and in nothing else.
func typed(was, is clause) bool {
	if len(was) != len(is) {
		return false
	}
	diff := 0
	for i := range was {
		if was[i].equal(is[i]) {
			continue
		}
		diff++
		if !measurable(was[i], is[i]) {
			return false
		}
	}
	return diff > 0
}

func measurable(t, u token) bool {
	num := func(c class) bool { return c == number || c == version }
	switch {
	case t.class == word || u.class == word || t.class == sign || u.class == sign:
		return false
	case num(t.class) && num(u.class):
		return true
	}
	return t.class == u.class
}

// single verbs take one value at a time.
var single = stems("live run host listen cost sit sleep park meet start end last call")

// replaceable says whether a statement can only hold for one value at a time.
func replaceable(old, was, is clause, at int, o clause) bool {
	v := verbAt(old)
	if v < 0 || at == 0 || !pastVerb(old, v, was) || !value(was) || !value(is) {
		return false
	}
	if typed(was, is) {
		// "on call in May" is one of several months; "due in May" is the one.
		return was[0].class != month && was[0].class != date || pastVerbBy(old, v, was) <= 1
	}
	for i := range was {
		for j := range is {
			if opposed(was[i].norm, is[j].norm) && was[i].class == word {
				return false
			}
		}
	}
	t := old[v]
	atWork := t.norm == "work" && pastVerbBy(old, v, was) == 0
	return beForms[t.norm] && t.drop && definite(old, v) || single[t.norm] || atWork || howDone(old, v, was)
}

// howDone says whether a statement tells with what, where or by whom
// something is done: "is built with X".
func howDone(old clause, v int, was clause) bool {
	if v+2 >= len(old) || !beForms[old[v].norm] {
		return false
	}
	rest := plain(old[v+1:])
	return len(rest) == 2+len(was) && isVerb(rest[0].norm) && participle(rest[0].text) && prepositions[rest[1].norm] && equalTokens(rest[2:], was)
}

// definite says whether the subject before a form of "be" names one thing with
// one such value: "the X is Y", "X's Y is Z".
func definite(c clause, v int) bool {
	n := 0
	for _, t := range c[:v] {
		if t.norm == "the" || t.norm == "user" || len(t.text) > 2 && (t.text[len(t.text)-2:] == "'s") || t.norm == "our" {
			n++
		}
	}
	return n > 0 && c[v].norm == "is"
}

// pastVerb says whether the value stands after the verb.
func pastVerb(old clause, v int, was clause) bool { return pastVerbBy(old, v, was) >= 0 }

// pastVerbBy is how many words stand between the verb and the value; below
// zero where the value stands before it.
func pastVerbBy(old clause, v int, was clause) int {
	_, at, ok := cut(plain(old), was)
	if !ok {
		return -1
	}
	return at - len(plain(old[:v+1]))
}
