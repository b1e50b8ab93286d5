package planner

// moves are verbs of change, which stand with "from" and "to".
var moves = stems("move migrate switch change go convert transition upgrade downgrade bump rename shift reschedule transfer port raise lower increase decrease reduce extend promote relocate rewrite cut shorten lengthen grow drop advance postpone")

func stems(words string) map[string]bool {
	m := map[string]bool{}
	for w := range set(words) {
		m[stem(w)] = true
	}
	return m
}

// endsOld: "no longer X", "not X any more", "stopped X", "used to X", and
// "was X" where the text goes on with what is so now.
func endsOld(old, s clause, all []clause) string {
	rest, how := withoutEnd(s, all)
	if how == "" {
		return ""
	}
	for _, change := range []bool{false, how == "over"} {
		r := timeless(plain(rest), change)
		if sameStatement(old, r) {
			return "says that this is " + how
		}
	}
	return ""
}

func withoutEnd(s clause, all []clause) (clause, string) {
	var out clause
	how := ""
	neg, end := -1, -1
	for i := range s {
		switch {
		case s[i].norm == "not" && neg < 0:
			neg = i
		case s[i].norm == "anymore" || s[i].norm == "any-more":
			end = i
		}
	}
	for i := 0; i < len(s); i++ {
		t := s[i]
		switch {
		case t.norm == "no-longer":
			how = "no longer so"
			continue
		case end > neg && neg >= 0 && (i == neg || i == end):
			how = "not so any more"
			continue
		case t.norm == "stop" && t.text == "stopped" && i+1 < len(s):
			how = "over"
			continue
		case t.norm == "use" && t.text == "used" && i+1 < len(s) && s[i+1].norm == "to":
			how = "how it used to be"
			i++
			continue
		case t.norm == "formerly" || t.norm == "previously" || t.norm == "former":
			how = "how it was before"
			continue
		case (t.norm == "was" || t.norm == "were") && how == "" && anyNow(all):
			how = "how it was before"
			continue
		case how == "how it was before" && (t.norm == "was" || t.norm == "were"):
			continue
		}
		out = append(out, t)
	}
	return out, how
}

func anyNow(all []clause) bool {
	for _, c := range all {
		if saysNow(c) {
			return true
		}
	}
	return false
}

// fromTo: "SUBJECT moved from OLD to NEW".
func fromTo(old, s clause, _ []clause) string {
	c := plain(s)
	v, from, to := -1, -1, -1
	for i, t := range c {
		switch {
		case t.class != word:
		case moves[t.norm] && v < 0:
			v = i
		case t.norm == "from" && v >= 0 && from < 0 && !(i+1 < len(c) && when(c[i+1:]) > 0 && c[i+1].class != weekday):
			from = i
		case (t.norm == "to" || t.norm == "into" || t.norm == "onto") && v >= 0 && to < 0 && i > v:
			to = i
		}
	}
	if v < 0 || from < 0 || to < 0 || from == to || verbs[c[v].text] && !hasNorm(s, "was") && c[v].text != "cut" {
		return "" // "we move from X to Y in winter" is a habit
	}
	var was, context clause
	if from < to {
		was = c[from+1 : to]
		before := append(append(clause{}, c[:v]...), c[v+1:from]...)
		if n := to + 1 + len(was); n < len(c) && typed(was, c[to+1:n]) {
			// "from 100 to 200 requests": the unit belongs to both.
			if why := holds(old, was, append(before, c[n:]...)); why != "" {
				return why
			}
		}
		context = append(before, afterValue(c[to+1:])...)
	} else {
		was, context = c[from+1:], append(append(clause{}, c[:v]...), c[v+1:to]...)
		rest := afterValue(was)
		was = was[:len(was)-len(rest)]
		context = append(context, rest...)
	}
	return holds(old, was, context)
}

// holds checks that the older statement is about the old value in just the
// scope that the newer text speaks of.
func holds(old, was, context clause) string {
	o := plain(old)
	rest, at, ok := cut(o, was)
	if !ok || negated(o) || negated(context) {
		return ""
	}
	if len(timeless(context, true)) == 0 && len(rest) > 0 && allRole(rest) {
		// "We use OLD as package manager", "We switched from OLD to NEW"
		return "says that " + quote(was) + " was replaced"
	}
	for _, t := range rest {
		if t.class == word && isVerb(t.norm) && !stateVerbs[t.norm] && !inBag(context, t) {
			// Working or being born somewhere does not end by moving away.
			if !(t.norm == "work" && (at == 0 || o[at-1].norm == "work")) {
				return ""
			}
			rest, _, _ = cut(rest, clause{t})
		}
	}
	for i, t := range context {
		// "The build cache moved" is about a kind of cache.
		if i+1 < len(context) && stateVerbs[t.norm] && !inBag(rest, t) && context[i+1].class == word && !prepositions[context[i+1].norm] && !auxiliaries[context[i+1].norm] {
			return ""
		}
	}
	for _, change := range []bool{false, true} {
		if sameBag(scopeOf(rest), scopeOf(timeless(context, change))) {
			return "says that " + quote(was) + " was replaced"
		}
	}
	return ""
}

func allRole(c clause) bool {
	for _, t := range c {
		if !t.role {
			return false
		}
	}
	return true
}

func inBag(c clause, t token) bool {
	for _, u := range c {
		if t.equal(u) {
			return true
		}
	}
	return false
}

func negated(c clause) bool {
	for _, t := range c {
		switch t.norm {
		case "not", "never", "no", "without", "neither", "nor", "none", "cannot", "nobody":
			return true
		}
	}
	return false
}

// afterValue is what follows a value: from the next preposition or pause on.
func afterValue(c clause) clause {
	for i, t := range c {
		if i > 0 && (t.pause || t.class == word && prepositions[t.norm]) {
			return c[i:]
		}
		if i == 0 && when(c) > 0 && t.class != weekday {
			return c[when(c):]
		}
	}
	return nil
}

// replacesOld: "NEW replaced OLD as …", "OLD was replaced with NEW", "NEW took
// … over from OLD".
func replacesOld(old, s clause, _ []clause) string {
	c := plain(s)
	for v, t := range c {
		if t.class != word || v == 0 && !hasMarker(s, "past") {
			continue
		}
		switch {
		case t.norm == stem("replace") || t.norm == stem("supersede") || t.norm == stem("succeed"):
			if v+1 < len(c) && (c[v+1].norm == "with" || c[v+1].norm == "by") {
				was := c[:v]
				for len(was) > 0 && auxiliaries[was[len(was)-1].norm] {
					was = was[:len(was)-1]
				}
				return holds(old, was, afterValue(c[v+2:]))
			}
			rest := afterValue(c[v+1:])
			was := c[v+1 : len(c)-len(rest)]
			if len(rest) > 1 && (rest[0].norm == "with" || rest[0].norm == "by") {
				// "SUBJECT replaced OLD with NEW"
				return holds(old, was, append(append(clause{}, c[:v]...), afterValue(rest[1:])...))
			}
			return holds(old, was, rest)
		case (t.norm == "took" || t.norm == "take") && v+1 < len(c):
			return tookOver(old, c[v+1:])
		}
	}
	return ""
}

// tookOver reads "over X from OLD" and "X over from OLD".
func tookOver(old, c clause) string {
	for i, t := range c {
		if t.norm != "from" || i+1 >= len(c) {
			continue
		}
		rest := afterValue(c[i+1:])
		was := c[i+1 : len(c)-len(rest)]
		context := clause{}
		over := false
		for _, u := range c[:i] {
			if u.norm == "over" {
				over = true
				continue
			}
			context = append(context, u)
		}
		if over {
			return holds(old, was, append(context, rest...))
		}
	}
	return ""
}

// insteadOf: the older statement with another value, "instead of OLD".
func insteadOf(old, s clause, _ []clause) string {
	c := plain(s)
	for i, t := range c {
		if i == 0 || i+1 >= len(c) || t.class != word {
			continue
		}
		start := i + 1
		switch {
		case t.norm == "instead":
		case t.norm == "rather" && c[i+1].norm == "than":
			start++
		default:
			continue
		}
		rest := afterValue(c[start:])
		was := c[start : len(c)-len(rest)]
		without := append(append(clause{}, c[:i]...), rest...)
		with := timeless(without, false)
		if at := substituted(plain(old), was, with); at > 0 && !negated(plain(old)) {
			return "says that it holds instead of " + quote(was)
		}
		if usedFor(old, was, with) {
			return "says that it is used instead of " + quote(was)
		}
	}
	return ""
}

// usedFor: the older statement tells what someone's X is, the newer what they
// use.
func usedFor(old, was, with clause) bool {
	o := plain(old)
	n := len(o) - len(was)
	if n < 2 || n > 3 || !equalTokens(o[n:], was) || len(with) < 3 || len(with) > 5 {
		return false
	}
	v := verbAt(old)
	return v > 0 && old[v].drop && len(plain(old[:v])) == n && with[0].equal(o[0]) && with[1].norm == "use" && value(with[2:])
}

// substituted says where in a statement the old value stands, if the other
// statement is the same with something else in its place; else below zero.
func substituted(o, was, with clause) int {
	_, at, ok := cut(o, was)
	if !ok {
		return -1
	}
	tail := o[at+len(was):]
	mid := len(with) - len(tail)
	if mid <= at || mid-at > 6 {
		return -1
	}
	is := with[at:mid]
	if len(is) > 1 && prepositions[was[0].norm] && prepositions[is[0].norm] {
		is = is[1:] // "in S3 instead of on the disk"
	}
	if !value(is) || !equalTokens(o[:at], with[:at]) || !equalTokens(tail, with[mid:]) || equalTokens(was, with[at:mid]) {
		return -1
	}
	return at
}

// value says whether tokens can be one value: no preposition, conjunction or
// limiting word among them.
func value(c clause) bool {
	for _, t := range c {
		if t.class == word && (prepositions[t.norm] || limits[t.norm] || narrows[t.norm]) {
			return false
		}
	}
	return true
}

func quote(c clause) string {
	s := ""
	for _, t := range c {
		if s != "" {
			s += " "
		}
		s += t.text
	}
	if r := []rune(s); len(r) > 60 {
		s = string(r[:57]) + "..."
	}
	return "“" + s + "”"
}
