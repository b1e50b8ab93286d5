package planner

// How a newer text says that it replaces an older one. Each rule finds what
// the newer text calls old, and holds only if the rest of the older statement
// is in the newer one: the same subject, and no narrower or wider scope.

// replaces says whether the newer text b, whose segments segs are, states that
// a no longer holds, and how, as the end of a sentence about b. A rule looks
// at one clause of a; all others must be in b word for word, so that nothing
// but the replaced statement goes.
func replaces(a, b doc, segs []clause) string {
	old, ok := onlyUnsaid(a, b)
	if !ok {
		return ""
	}
	if n := len(plain(old)); n == 0 || n > 40 {
		return ""
	}
	for _, s := range segs {
		if tentative(s, old) {
			continue
		}
		for _, rule := range rules(b.lang) {
			if why := rule(old, s, segs); why != "" {
				return why
			}
		}
	}
	return ""
}

type rule func(old, s clause, all []clause) string

var (
	englishRules = []rule{endsOld, fromTo, replacesOld, insteadOf, removedOld, nowIs, changedTo}
	foreignRules = []rule{foreignEnds, foreignInstead, foreignNow, foreignMove, hanMove}
)

func rules(l language) []rule {
	if l == english {
		return englishRules
	}
	return foreignRules
}

// onlyUnsaid returns the one clause of a that b does not repeat.
func onlyUnsaid(a, b doc) (clause, bool) {
	var left []clause
next:
	for _, c := range a.clauses {
		for _, d := range b.clauses {
			if sameClause(c, d) {
				continue next
			}
		}
		left = append(left, c)
	}
	if len(left) != 1 || a.lang != b.lang && a.lang != unknown {
		return nil, false
	}
	return left[0], true
}

// plain are the kept tokens without markers and without what only says that
// something holds at present.
func plain(c clause) clause {
	out := make(clause, 0, len(c))
	for _, t := range c {
		if !t.drop && !t.marker() {
			out = append(out, t)
		}
	}
	return out
}

// tentative statements plan, doubt, ask or depend on something.
// What the older text says in the same words is no doubt.
func tentative(c, old clause) bool {
	for _, t := range c {
		if (t.class == word && hedges[t.norm] || t.norm == "?") && !hasNorm(old, t.norm) {
			return true
		}
	}
	return false
}

var hedges = set("will would might may could consider consid want propose propos maybe perhaps soon if unless plan planned discuss suggest except try tentatively probably possibly eventually hope unlikely too also additionally well still both another additional")

// light tokens link what a statement is about: state verbs and prepositions.
var stateVerbs = func() map[string]bool {
	m := map[string]bool{}
	for v := range set("use have own name run live write build deploy host store lint format test keep write rely stay base sit park start listen cost last meet set pin target ship publish manage track sleep schedule call read charge pay log own happen take bill cache search page handle lead maintain review run operate cook train practice report email") {
		m[stem(v)] = true
	}
	return m
}()

var lightPreps = set("in on at with to by as for from over")
var auxiliaries = set("was were has have had been get got be did")

// scopeOf are the tokens that say what a statement is about and where it
// holds, without verbs, prepositions and auxiliaries.
func scopeOf(c clause) clause {
	var out clause
	for i, t := range c {
		if i > 0 && c[i-1].norm == "for" {
			out = append(out, t) // "for caching" is a purpose
			continue
		}
		if t.class == word && (stateVerbs[t.norm] || lightPreps[t.norm] || auxiliaries[t.norm]) {
			continue
		}
		out = append(out, t)
	}
	return out
}

// cut removes the first occurrence of part from c.
func cut(c, part clause) (clause, int, bool) {
	if len(part) == 0 {
		return nil, 0, false
	}
	for i := 0; i+len(part) <= len(c); i++ {
		if equalTokens(c[i:i+len(part)], part) {
			out := append(clause{}, c[:i]...)
			return append(out, c[i+len(part):]...), i, true
		}
	}
	return nil, 0, false
}

// timeless takes phrases out that say when a change came about: "since
// March", "as of Monday", "in May", "last week".
func timeless(c clause, change bool) clause {
	var out clause
	for i := 0; i < len(c); i++ {
		n := 0
		switch w := c[i].norm; {
		case c[i].class == path:
		case w == "since" || w == "starting" || w == "start" && c[i].text != "starts" && c[i].text != "start" || w == "effective" || w == "effectiv" || w == "from" || w == "after" && change || w == "until" && change:
			n = when(c[i+1:])
			if n > 0 {
				n++
				if i+n < len(c) && (c[i+n].norm == "on" || c[i+n].norm == "onward" || c[i+n].norm == "onwards") {
					n++
				}
			}
		case w == "as":
			n = when(c[i+1:])
			if n > 0 {
				n++
			}
		case (w == "in" || w == "on" || w == "at") && change:
			n = when(c[i+1:])
			if n > 0 {
				n++
			}
		case w == "last" || w == "this":
			n = when(c[i:])
		case w == "today" || w == "yesterday" || w == "recently" || w == "recent" || w == "lately" || w == "finally" || w == "already" || w == "now" || w == "nowaday" || w == "henceforth" || w == "again" || w == "currently" || w == "meanwhile":
			n = 1
		case c[i].class == month && change, c[i].class == date && change:
			n = 1
			if i+1 < len(c) && year(c[i+1]) {
				n = 2
			}
		}
		if n == 0 {
			out = append(out, c[i])
			continue
		}
		i += n - 1
	}
	return out
}

// when is how many tokens at the start of c name a time.
func when(c clause) int {
	if len(c) == 0 {
		return 0
	}
	t := c[0]
	switch {
	case t.class == month || t.class == date:
		if len(c) > 1 && (year(c[1]) || c[1].class == number && len(c[1].norm) <= 2) {
			return 2
		}
		return 1
	case year(t), t.class == weekday, t.norm == "now", t.norm == "today", t.norm == "yesterday":
		return 1
	case (t.norm == "last" || t.norm == "this" || t.norm == "next") && len(c) > 1 && (timeUnits[c[1].norm] || c[1].class == weekday || c[1].norm == "spring" || c[1].norm == "summer" || c[1].norm == "autumn" || c[1].norm == "winter" || c[1].norm == "fall"):
		return 2
	case t.norm == "q1" || t.norm == "q2" || t.norm == "q3" || t.norm == "q4" || t.norm == "spring" || t.norm == "summer" || t.norm == "autumn" || t.norm == "winter":
		if len(c) > 1 && year(c[1]) {
			return 2
		}
		return 1
	}
	return 0
}

func year(t token) bool {
	return t.class == number && len(t.norm) == 4 && (t.norm[:2] == "19" || t.norm[:2] == "20")
}

// same compares an old statement with what the newer calls over.
func sameStatement(old, c clause) bool {
	return equalTokens(plain(old), c) || sameClause(unmarked(old), c)
}

func unmarked(c clause) clause {
	var out clause
	for _, t := range c {
		if !t.marker() {
			out = append(out, t)
		}
	}
	return out
}
