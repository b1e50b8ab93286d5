package planner

import "strings"

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
	if ok && isThe(old, was) && !negated(o) && !negated(n) && (naming(was) && naming(is) || typed(was, is)) {
		return "says that this is " + quote(is) + " now"
	}
	return ""
}

// isThe: "X is the Y", which only one is.
func isThe(old, was clause) bool {
	v := verbAt(old)
	return v > 0 && v+2 < len(old) && equalTokens(plain(old[:v]), was) && old[v].norm == "is" && old[v+1].norm == "the"
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
	if lives && located(o, left) && named(left) && named(is) {
		return "says that it changed to " + quote(is)
	}
	if typed(left, is) || lives && hasNorm(o, stem("live")) && len(left) <= 3 {
		return "says that it changed to " + quote(is)
	}
	return ""
}

// located says whether a statement ends by saying that something is in a
// place.
func located(o, place clause) bool {
	n := len(o) - len(place)
	if n < 2 || !equalTokens(o[n:], place) {
		return false
	}
	return (o[n-1].norm == "in" || o[n-1].norm == "at") && !isVerb(o[n-2].norm)
}

// named says whether tokens are a name.

func named(c clause) bool {
	for _, t := range c {
		if !t.cap || t.class != word {
			return false
		}
	}
	return len(c) > 0
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
	// What hyphens join is one value.
	for i > 0 && (i < len(a) && a[i].glued || i < len(b) && b[i].glued) {
		i--
	}
	for j > 0 && (a[len(a)-j].glued || b[len(b)-j].glued) {
		j--
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
		if i > 0 && was[i-1].class == number && sameMeasure(was[i].norm, is[i].norm) {
			continue
		}
		diff++
		if !measurable(was[i], is[i]) {
			return false
		}
	}
	return diff > 0
}

// sameMeasure says whether two units measure the same.
func sameMeasure(a, b string) bool {
	return lengths[a] && lengths[b] || sizes[a] && sizes[b]
}

var lengths = stems("second millisecond minute hour day week month quarter year")

var sizes = set("kb mb gb tb kib mib gib tib")

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
	if v < 0 || at == 0 || !pastVerb(old, v, was) {
		return false
	}
	if len(was) == 1 && len(is) == 1 && switched[was[0].norm] && switched[is[0].norm] {
		return beForms[old[v].norm] && at == len(o)-1
	}
	if !value(was) || !value(is) || joinedUp(was) != joinedUp(is) {
		return false
	}
	if typed(was, is) {
		// "on call in May" is one of several months; "due in May" is the one.
		return was[0].class != month && was[0].class != date || pastVerbBy(old, v, was) <= 1
	}
	for i := range was {
		for j := range is {
			if opposed(was[i].norm, is[j].norm) && was[i].class == word && !compound(was, i) {
				return false
			}
		}
	}
	t := old[v]
	atWork := t.norm == "work" && pastVerbBy(old, v, was) == 0
	return beForms[t.norm] && t.drop && definite(old, v) && (sameSort(was, is, at-len(plain(old[:v]))) || whichOne(old[:v], was, is)) || single[t.norm] || atWork || howDone(old, v, was)
}

// sameSort says whether two values answer one question: two names, or two
// words of one sort. "Stable" and "public" can both hold. What stands behind
// a preposition says where or with whom.
func sameSort(was, is clause, behind int) bool {
	if behind > 0 {
		return naming(was) == naming(is)
	}
	if naming(was) && naming(is) {
		return timed(was) == timed(is) && (!timed(was) || len(was) == len(is) && was[0].class == is[0].class)
	}
	a, b := was[len(was)-1].norm, is[len(is)-1].norm
	for _, s := range sorts {
		if s[a] && s[b] {
			return true
		}
	}
	return false
}

// whichOne: "the linter is X" tells which one it is and not what it is like.
func whichOne(subject, was, is clause) bool {
	k := plain(subject)
	if len(k) == 0 || !choices[k[len(k)-1].norm] {
		return false
	}
	for _, v := range []clause{was, is} {
		if w := v[len(v)-1].text; len(v) != 1 || strings.HasSuffix(w, "able") || strings.HasSuffix(w, "ed") || strings.HasSuffix(w, "ing") || strings.HasSuffix(w, "er") || strings.HasSuffix(w, "ible") {
			return false
		}
	}
	return true
}

var choices = stems("linter formatter bundler manager editor shell database framework language library runner prefix name provider vendor browser currency parser broker orm cdn registry compiler runtime tracker branch")

// timed says whether a value is a time and not a name.
func timed(c clause) bool {
	for _, t := range c {
		switch t.class {
		case clock, date, weekday, month, number:
			return true
		}
	}
	return false
}

func naming(c clause) bool {
	for _, t := range c {
		if t.class == word && !t.cap && !t.code && !t.glued {
			return false
		}
	}
	return true
}

var sorts = []map[string]bool{
	stems("black white red green blue yellow orange purple pink brown gray dark light"),
	stems("hourly daily nightly weekly monthly quarterly yearly"),
	stems("public private internal"), stems("manual automatic automated"), stems("optional required mandatory"),
	stems("small medium large big"), stems("single married divorced engaged widowed"), stems("vegan vegetarian pescatarian omnivore"),
	stems("tab tabs space spaces"), stems("debug info warn warning error trace"), stems("up down"), stems("slow fast"),
	stems("main master trunk develop"), stems("npm yarn pnpm bun pip poetry uv"), stems("vim neovim emacs nano helix zed vscode"),
	stems("bash zsh fish"), stems("tea coffee water"), stems("english german french spanish italian portuguese dutch polish russian turkish chinese japanese korean arabic hindi"),
}

// compound says whether the word at i is part of what hyphens join, such as
// us-east-1.
func compound(c clause, i int) bool {
	return c[i].glued || i+1 < len(c) && c[i+1].glued
}

func joinedUp(c clause) bool {
	for i := range c {
		if compound(c, i) {
			return true
		}
	}
	return false
}

// switched are states of which one holds.
var switched = set("on off enabled disabled enabl disabl enable disable open closed close active inactive")

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
	return (n > 0 || !c[0].cap || c[0].first) && c[v].norm == "is"
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
