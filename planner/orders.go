package planner

import "strings"

// Orders, and the ways to say with what or as what something is used.

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
	verb.norm = stem(verb.norm)
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
	if verbs[verb.norm+"e"] {
		verb.text = verb.norm + "e"
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
