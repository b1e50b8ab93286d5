package planner

import "strings"

// Forms of an English clause that mean the same, and forms that do not.

// isPast says whether the verb at i tells of something that was, so that
// "deployed" and "deploy" stay apart. A participle after "be", a number or a
// preposition does not.
func isPast(c clause, i int) bool {
	t := c[i]
	if !strings.HasSuffix(t.norm, "ed") && !pastForms[t.norm] || !isVerb(stem(t.norm)) || t.norm == "need" || t.norm == "feed" || t.norm == "speed" {
		return false
	}
	j := i - 1
	for j >= 0 && (c[j].norm == "not" || c[j].norm == "only" || c[j].norm == "always" || c[j].norm == "never" || strings.HasSuffix(c[j].norm, "ly")) {
		j--
	}
	if j >= 0 && (c[j].norm == "we" || c[j].norm == "you") {
		return true
	}
	if j < 0 || firstKept(c) == i {
		return false
	}
	if passives[stem(t.norm)] && i+1 < len(c) && prepositions[c[i+1].norm] && c[i+1].norm != "from" {
		return false // "Secrets stored in Vault"
	}
	prev := c[j]
	if (prev.first || j > 0 && (c[j-1].norm == "not" || c[j-1].norm == "always" || c[j-1].norm == "never")) && verbs[strings.ToLower(prev.text)] && i+1 < len(c) && c[i+1].class == word && !prepositions[c[i+1].norm] {
		return false // "Retry failed jobs"
	}
	return prev.class == word && !beForms[prev.norm] && !prepositions[prev.norm] && !fillers[prev.norm] && !t.pause
}

// pastForms are irregular.
var pastForms = set("kept built sent made held paid sold taught")

// passives are verbs whose participle before a preposition tells how
// something is and not what happened.
var passives = stems("manage store keep host license write build own format handle configure define document track cache encrypt generate locate base limit name")

// isOngoing says whether something is under way, "is moving", which "moves"
// and "moved" are not. For states it makes no difference.
func isOngoing(c clause, i int) bool {
	t := c[i]
	if i == 0 || !strings.HasSuffix(t.norm, "ing") || len(t.norm) < 6 {
		return false
	}
	s := stem(t.norm)
	p := c[i-1].norm
	return isVerb(s) && !stateVerbs[s] && (p == "is" || p == "are" || p == "am" || p == "was" || p == "were" || p == "be")
}

var beForms = set("is are be being been was were am get gets got has have had")

// allergic makes "has a peanut allergy" and "is allergic to peanuts" the same.
func allergic(c clause) {
	if !hasNorm(c, "allergic") {
		return
	}
	for i := range c {
		if c[i].norm == "have" || c[i].norm == "to" && c[i-1].norm == "allergic" {
			c[i].drop = true
		}
	}
}

// trailingOnly moves an "only" from the end of a clause before the phrase it
// limits: "on Fridays only" is "only on Fridays".
func trailingOnly(c clause) clause {
	n := len(c) - 1
	if n < 2 || c[n].norm != "only" {
		return c
	}
	for j := n - 1; j > 0; j-- {
		if c[j].class == word && prepositions[c[j].norm] {
			only := c[n]
			copy(c[j+1:], c[j:n])
			c[j] = only
			return c
		}
	}
	return c
}

// passive marks participles behind a form of "be".
func passive(c clause) clause {
	for i := range c {
		if i > 0 && c[i-1].opens && (c[i-1].norm == "do" || c[i-1].norm == "not" || c[i-1].norm == "always" || c[i-1].norm == "never") {
			c[i].opens = true
		}
		base := participles[c[i].norm]
		if c[i].class != word || c[i].drop || base == "" && (!isVerb(c[i].norm) || !participle(c[i].text)) {
			continue
		}
		j := i - 1
		for j >= 0 && (strings.HasSuffix(c[j].norm, "ly") || c[j].norm == "not" || c[j].norm == "always" || c[j].norm == "never" || c[j].norm == "only") {
			j--
		}
		if j >= 0 && c[j].norm == "get" {
			c[j].norm, c[j].drop = "are", true
		}
		if base != "" && j >= 0 && beForms[c[j].norm] && c[j].norm != "had" {
			c[i].norm = base
		}
		c[i].done = j >= 0 && beForms[c[j].norm] && c[j].norm != "have" && c[j].norm != "has" && c[j].norm != "had"
	}
	return c
}

// participles are past forms too, and read as participles behind "be" only.
var participles = map[string]string{
	"led": "lead", "met": "meet", "found": "find", "bought": "buy", "brought": "bring", "caught": "catch", "told": "tell", "lost": "lose",
	"spent": "spend", "fed": "feed", "hung": "hang", "left": "leav", "seen": "see", "hidden": "hide", "broken": "break", "frozen": "freez", "thrown": "throw",
}

// whereabouts drops the verb from "lives in docs/": a path is in no other way.
func whereabouts(c clause) {
	for i := 0; i+2 < len(c); i++ {
		if (c[i].norm == "live" || c[i].norm == "sit" || c[i].norm == "reside") && (c[i+1].norm == "in" || c[i+1].norm == "at" || c[i+1].norm == "under") {
			for _, t := range c[i+2:] {
				if t.class == path || t.code {
					c[i].norm, c[i].drop = "is", true
				}
				if !t.drop {
					break
				}
			}
		}
	}
}

// spans drops the "from" of "from 9:00 to 17:00", unless something moved so.
func spans(c clause) {
	for _, t := range c {
		if moves[t.norm] {
			return
		}
	}
	for i := 0; i+3 < len(c); i++ {
		if c[i].norm == "from" && (c[i+1].class == clock || c[i+1].class == weekday) && c[i+2].norm == "to" && c[i+3].class == c[i+1].class {
			c[i].drop = true
		}
	}
}

// useFor makes "Use X for doing Y", "use X to do Y" and "X is used to do Y"
// the same as "Do Y with X".
func useFor(c clause) clause {
	use := -1
	for i, t := range c {
		if t.class != word || t.drop {
			continue
		}
		if t.norm == "use" && use < 0 {
			use = i
			continue
		}
		if use >= 0 && (t.norm == "for" || t.norm == "to") && i+2 < len(c) {
			return doWith(c, use, i)
		}
		if prepositions[t.norm] || weighty[t.norm] || t.pause {
			return c
		}
	}
	return c
}

// doWith rewrites a clause with "use" at one place and "for" or "to" at another.
func doWith(c clause, use, link int) clause {
	verb, what := c[link+1], c[link+2:]
	if !isVerb(verb.norm) || (c[link].norm == "for") != strings.HasSuffix(verb.text, "ing") || prepositions[what[0].norm] || len(what.kept()) == 0 {
		return c
	}
	who, with := c[:use], c[use+1:link]
	if c[use].done {
		who, with = nil, c[:use].kept()
	}
	if len(with.kept()) == 0 {
		return c
	}
	// The verb takes the place of "use", as an order or as what we do.
	verb.text, verb.first, verb.pause, verb.opens = verb.norm, c[use].first, c[use].pause, c[use].opens || c[use].done
	for base := range verbs {
		if stem(base) == verb.norm {
			verb.text = base
			break
		}
	}
	out := append(append(clause{}, who...), verb)
	out = append(out, what...)
	out = append(out, token{text: "with", norm: "with", class: word})
	return append(out, with...)
}

// role makes "uses X as Y" and "X is used as Y" the same as "Y is X".
func role(c clause) clause {
	use, as := -1, -1
	for i, t := range c {
		switch {
		case t.class != word || t.drop:
		case t.norm == "use" && use < 0:
			use = i
		case t.norm == "as" && use >= 0 && as < 0:
			as = i
		case prepositions[t.norm] || weighty[t.norm]:
			return c
		}
	}
	if as < 0 || as+1 >= len(c) {
		return c
	}
	var what, name, marks clause
	for _, t := range c[as+1:] {
		switch {
		case t.marker():
			marks = append(marks, t)
		case !t.drop && t.norm != "its" && t.norm != "their":
			t.role = true
			name = append(name, t)
		}
	}
	subj := append(clause{}, c[:use]...)
	what = c[use+1 : as].kept()
	if c[use].done {
		if len(what) > 0 {
			return c
		}
		subj, what = nil, c[:use].kept()
	}
	if len(what) == 0 || len(what) > 4 || len(name) == 0 || len(name) > 3 {
		return c
	}
	out := append(subj, name...)
	out = append(out, token{text: "is", norm: "is", class: word, drop: true})
	return append(append(out, what...), marks...)
}

// active turns "X is owned by Alice" into "Alice owns X", whatever phrases
// stand before "by".
func active(c clause) clause {
	for by := 2; by+1 < len(c); by++ {
		if c[by].norm != "by" || c[by].class != word || c[by].drop {
			continue
		}
		v := by - 1
		for v > 0 && !c[v].done {
			v--
		}
		if v < 1 || v < by-1 && !prepositions[c[v+1].norm] {
			continue
		}
		if v > 1 && conjunction(c[v-2]) {
			return c // "… and is led by Kari" is half a statement
		}
		j := by + 1
		for j < len(c) && !(c[j].class == word && prepositions[c[j].norm]) && !c[j].pause {
			if c[j].class != word || manners[c[j].norm] || strings.HasSuffix(strings.ToLower(c[j].text), "ing") {
				return c
			}
			j++
		}
		if j == by+1 {
			return c
		}
		subj := v
		was := false
		for subj > 0 && beForms[c[subj-1].norm] {
			subj--
			was = was || c[subj].norm == "was" || c[subj].norm == "were" || c[subj].norm == "been"
		}
		out := append(clause{}, c[by+1:j]...)
		verb := c[v]
		verb.done = false
		out = append(out, verb)
		out = append(out, c[:subj]...)
		out = append(out, c[v+1:by]...)
		out = append(out, c[j:]...)
		if was {
			out = append(out, token{norm: "past", class: sign})
		}
		return out
	}
	return c
}

// manners stand behind "by" and do nothing themselves.
var manners = set("hand default mistake email mail post phone car train bus plane bike accident law name date id key ip user-id foot card invoice")

func participle(text string) bool {
	w := strings.ToLower(text)
	return strings.HasSuffix(w, "ed") || irregular[w] != "" || unchanged[w] || participles[w] != ""
}

// unchanged verbs have a participle like their base form.
var unchanged = set("run set put cut read split shut let hit cost reset overcome")

// avoid makes "Avoid X" the order not to use X.
func avoid(c clause) clause {
	i := 0
	for i < len(c) && (c[i].drop || c[i].norm == "please" || c[i].norm == "we" || c[i].norm == "always") {
		i++
	}
	if i+1 >= len(c) || c[i].norm != "avoid" {
		return c
	}
	do, not, use := c[i], c[i], c[i+1]
	do.norm, not.norm, not.first = "do", "not", false
	out := append(append(clause{}, c[:i]...), do, not)
	if w, ok := strings.CutSuffix(use.norm, "ing"); ok && isVerb(stem(use.norm)) {
		use.norm, use.text = stem(use.norm), w
		for _, base := range []string{w, w + "e", undouble(w)} {
			if verbs[base] {
				use.text = base
			}
		}
		return append(append(out, use), c[i+2:]...)
	}
	verb := do
	verb.norm, verb.text, verb.first = "use", "use", false
	return append(append(out, verb), c[i+1:]...)
}

// headed makes "Table names: use X" the order to use X for table names.
func headed(c clause) clause {
	for i, t := range c {
		if t.colon && i > 0 && i < 4 && i+1 < len(c) && (t.norm == "use" || t.norm == "prefer") && baseForm(t) {
			head := c[:i].kept()
			for _, h := range head {
				if h.class != word || prepositions[h.norm] || weighty[h.norm] {
					return c
				}
			}
			for _, r := range c[i:] {
				if r.pause && !r.colon || r.norm == "for" {
					return c
				}
			}
			if len(head) == 0 {
				return c
			}
			out := append(clause{}, c[i:]...)
			out[0].first, out[0].pause, out[0].colon = true, false, false
			out = append(out, token{text: "for", norm: "for", class: word})
			head[0].first = false
			return append(out, head...)
		}
	}
	return c
}

// mood marks orders: "Keep X", "X should be kept". Both ask for the same; a
// statement that something is so does not.
func mood(c clause) clause {
	order := false
	for i, t := range c {
		if t.norm == "we" || t.norm == "you" || t.norm == "the" || t.norm == "an" || t.norm == "a" {
			break // what an article stands before is a noun
		}
		if t.drop {
			continue
		}
		// An order begins with a base form; "Runs" and "Tests" are none.
		order = t.class == word && baseForm(t) && isVerb(t.norm) && i+1 < len(c) && !hasVerb(c[i+1:])
		if t.norm == "not" || t.norm == "do" || t.norm == "never" || t.norm == "always" {
			order = false
			for _, u := range c[i:] {
				if u.norm == "not" || u.norm == "do" || u.norm == "never" || u.norm == "always" {
					continue
				}
				order = baseForm(u)
				break
			}
		}
		break
	}
	imperative := order
	for i := range c {
		t := &c[i]
		switch {
		case t.drop || t.class != word:
		case t.norm == "should" || t.norm == "shall", t.norm == "must" && i+1 < len(c) && c[i+1].norm == "not":
			t.drop = true
			order = true
		case (t.norm == "do") && i+1 < len(c) && c[i+1].norm == "not":
			t.drop = true
		}
	}
	if order {
		// Orders say "never" and "don't" for the same.
		if i := firstKept(c); i >= 0 && c[i].norm == "never" {
			c[i].norm = "not"
		} else if i >= 0 && c[i].norm == "always" {
			c[i].drop = true
		}
		c = notFirst(c)
		c = append(c, token{norm: "!", class: sign, opens: imperative})
	}
	return c
}

// notFirst puts the "not" of "X should not be done" where an order has it.
func notFirst(c clause) clause {
	for i, t := range c {
		if t.norm == "not" && i > 0 && i+1 < len(c) && !t.drop {
			j := i + 1
			for j < len(c) && c[j].drop {
				j++
			}
			if j < len(c) && c[j].done && c[i-1].drop {
				out := append(clause{}, c[:i]...)
				out = append(out, c[i+1:j]...)
				verb := c[j]
				out = append(append(clause{t, verb}, out...), c[j+1:]...)
				return out
			}
		}
	}
	return c
}

// hasVerb says whether what follows a first word has a verb of its own, so that
// the first is a noun: "Rent for the flat is due".
func hasVerb(rest clause) bool {
	for _, t := range rest {
		switch t.norm {
		case "is", "are", "was", "were", "should", "must", "will", "may":
			return true
		case "that", "if", "when", "what", "which", "who", "whether", "unless", "until", "while", "before", "after", "because", "so", "where":
			return false
		}
		if t.pause {
			return false
		}
	}
	return false
}

// baseForm says whether a verb is not inflected.
func baseForm(t token) bool {
	w := strings.ToLower(t.text)
	return verbs[w] || verbs[t.norm] && t.norm != w && !strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ed") && !strings.HasSuffix(w, "ing") && irregular[w] == ""
}
