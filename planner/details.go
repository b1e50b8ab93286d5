package planner

import "fmt"

// lost says which detail of the sources a text does not keep, or which it
// adds; "" where it keeps every one and adds none. Each statement of a source
// must be in the text: its words in order, with no other statement's value
// among them.
func lost(sources []string, text string) string {
	t := canonical(text)
	have := t.kept()
	said := map[string]bool{}
	for _, s := range sources {
		d := canonical(s)
		if d.lang != t.lang && d.lang != unknown && t.lang != unknown {
			return "its language changed"
		}
		for _, c := range d.clauses {
			for _, tok := range c {
				said[tok.norm] = true
			}
			if missing := notSaid(detailsOf(c.kept()), have); missing != "" {
				return missing
			}
		}
	}
	for _, tok := range have {
		if !said[tok.norm] && (tok.class != word || tok.code || isName(tok) && !tok.first || weighty[tok.norm]) && !tok.marker() {
			return fmt.Sprintf("%s is in no source", quote(clause{tok}))
		}
	}
	return ""
}

// weighty words change what a statement claims.
var weighty = set("not never no none only without must may can should always all every any some if unless except until now no-longer anymore instead before after")

// detailsOf are the tokens whose loss would lose something: all but
// prepositions and conjunctions that carry no weight.
func detailsOf(c clause) clause {
	var out clause
	for _, t := range c {
		if t.marker() || t.class == word && prepositions[t.norm] && !weighty[t.norm] {
			continue
		}
		out = append(out, t)
	}
	return out
}

// notSaid finds details in have, in order, in the closest stretch there is.
func notSaid(details, have clause) string {
	if len(details) == 0 {
		return ""
	}
	why := fmt.Sprintf("%s is missing", quote(details[:1]))
	for start := range have {
		if !have[start].equal(details[0]) {
			continue
		}
		i, at := 1, start+1
		for ; i < len(details) && at < len(have); at++ {
			if have[at].equal(details[i]) {
				i++
			}
		}
		if i < len(details) {
			why = fmt.Sprintf("%s is missing", quote(details[i:i+1]))
			continue
		}
		if t, foreign := among(have[start:at], details); foreign {
			why = fmt.Sprintf("%s got between %s", quote(clause{t}), quote(details))
			continue
		}
		return ""
	}
	return why
}

// among finds a value or a negation that stands among the details and is none
// of them, where they have one of that class.
func among(stretch, details clause) (token, bool) {
	classes := map[class]bool{}
	for _, d := range details {
		classes[d.class] = true
	}
	for _, t := range stretch {
		if inBag(details, t) {
			continue
		}
		if t.class != word && t.class != sign && classes[t.class] || weighty[t.norm] {
			return t, true
		}
	}
	return token{}, false
}
