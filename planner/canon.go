package planner

import (
	"slices"
	"strings"
)

// doc is a text made comparable: its clauses with every token in canonical
// form, those without a meaning of their own marked to be dropped.
type doc struct {
	lang    language
	clauses []clause
	// implied is how many user tokens stand for a subject that the text
	// leaves out, so that the key decides whose fact it is.
	implied bool
}

// canonical scans and normalises a text.
func canonical(s string) doc { return canonicalOf(scan(s)) }

func canonicalOf(cs []clause) doc {
	d := doc{clauses: cs}
	d.lang = languageOf(d.clauses)
	switch d.lang {
	case unknown, english:
		// What is in no known language is mostly a few English words.
		if d.lang == unknown && !allASCII(d.clauses) {
			break
		}
		raw := slices.Clone(d.clauses)
		for i, c := range d.clauses {
			d.clauses[i], d.implied = canonEnglish(c, i == 0, d.implied)
		}
		if d.lang == unknown && len(d.kept()) == 0 {
			d.clauses, d.implied = raw, false
		}
	case otherLatin, otherScript:
		for i, c := range d.clauses {
			d.clauses[i] = canonOther(c, d.lang)
		}
	}
	kept := d.clauses[:0]
	for _, c := range d.clauses {
		if len(c.kept()) > 0 {
			kept = append(kept, c)
		}
	}
	d.clauses = kept
	return d
}

// kept are the tokens that carry meaning.
func (c clause) kept() clause {
	out := make(clause, 0, len(c))
	for _, t := range c {
		if !t.drop {
			out = append(out, t)
		}
	}
	return out
}

func (d doc) kept() clause {
	var out clause
	for _, c := range d.clauses {
		out = append(out, c.kept()...)
	}
	return out
}

// canonEnglish brings one English clause into canonical form.
func canonEnglish(c clause, first, implied bool) (clause, bool) {
	c = expand(c)
	c = acronyms(c)
	c = avoid(rephrase(c))
	c = values(c)
	dropLeading(c)
	if first {
		c, implied = subject(c)
	} else {
		pronouns(c)
	}
	past, ongoing := false, false
	for i := range c {
		t := &c[i]
		if t.drop || t.class != word {
			continue
		}
		if t.norm == "min" && (i == 0 || c[i-1].class != number) {
			t.norm = "minimum"
		}
		ongoing = ongoing || isOngoing(c, i)
		past = past || isPast(c, i)
		if fillers[t.norm] && !(t.text == "A" && i > 0) && !(t.norm == "now" && i > 0 && c[i-1].norm == "until") {
			t.drop = true
			continue
		}
		if i > 0 && c[i-1].class == path || afterCommand(c, i) {
			continue
		}
		t.norm = stem(t.norm)
		if strings.HasSuffix(t.norm, "is") && len(t.norm) > 5 && !isVerb(t.norm) {
			t.norm = t.norm[:len(t.norm)-1] + "z" // optimise, optimize
		}
		if t.norm == "want" && i > 0 && c[i-1].norm == "user" && i+1 < len(c) && c[i+1].norm != "to" {
			t.norm = "prefer"
		}
	}
	whereabouts(c)
	spans(c)
	allergic(c)
	c = role(mood(active(useFor(headed(trailingOnly(passive(c)))))))
	if past {
		c = append(c, token{norm: "past", class: sign})
	}
	if ongoing {
		c = append(c, token{norm: "ongoing", class: sign})
	}
	return c, implied
}

// expand undoes contractions and takes possessive endings off.
func expand(c clause) clause {
	out := make(clause, 0, len(c)+2)
	for _, t := range c {
		if t.class != word {
			out = append(out, t)
			continue
		}
		w := strings.ReplaceAll(t.norm, "’", "'")
		full, ok := contractions[w]
		switch {
		case ok:
		case strings.HasSuffix(w, "n't"):
			full = strings.TrimSuffix(w, "n't") + " not"
		case strings.HasSuffix(w, "'re"):
			full = strings.TrimSuffix(w, "'re") + " are"
		case strings.HasSuffix(w, "'ve"):
			full = strings.TrimSuffix(w, "'ve") + " have"
		case strings.HasSuffix(w, "'ll"):
			full = strings.TrimSuffix(w, "'ll") + " will"
		case strings.HasSuffix(w, "'s"):
			full = strings.TrimSuffix(w, "'s")
		case strings.HasSuffix(w, "s'"):
			full = strings.TrimSuffix(w, "'")
		default:
			full = w
		}
		for j, f := range strings.Fields(full) {
			n := t
			n.norm = f
			if j > 0 {
				n.first, n.pause, n.cap = false, false, false
			}
			out = append(out, n)
		}
	}
	return out
}

// acronyms keeps words that are another word in capitals, such as US and IT,
// from being read as that word.
func acronyms(c clause) clause {
	shouting := true
	for _, t := range c {
		if t.class == word && t.text != strings.ToUpper(t.text) {
			shouting = false
		}
	}
	if shouting {
		return c
	}
	for i, t := range c {
		switch t.text {
		case "US", "IT", "AM", "OR", "IN", "NOT", "WHO", "ID", "AN", "BE", "NOW", "AND":
			if t.text != "NOT" && t.text != "AND" && t.text != "OR" && t.text != "NOW" {
				c[i].norm = t.text
			}
		case "Polish", "Turkey", "China":
			c[i].norm = t.text
		}
	}
	return c
}

// subcommands are tools whose next word is spelled as it is.
var subcommands = set("gh git kubectl docker npm helm terraform")

// rephrase applies the table of phrases.
func rephrase(c clause) clause {
	for i := range c {
		if c[i].norm == "each" && c[i].class == word {
			c[i].norm = "every"
		}
	}
	out := make(clause, 0, len(c))
	for i := 0; i < len(c); {
		var best phrase
		if c[i].class == word && !c[i].code && !(i > 0 && subcommands[c[i-1].norm] && !c[i-1].cap) {
			for _, p := range phrases[c[i].norm] {
				if len(p.from) > len(best.from) && matches(c[i:], p.from) {
					best = p
				}
			}
		}
		if best.from == nil {
			out = append(out, c[i])
			i++
			continue
		}
		for j, w := range best.to {
			t := c[i]
			t.norm = w
			if j > 0 {
				t.first, t.pause, t.cap = false, false, false
			}
			out = append(out, t)
		}
		if len(best.to) == 0 {
			t := c[i]
			t.drop = true
			out = append(out, t)
		}
		i += len(best.from)
	}
	return out
}

func matches(c clause, words []string) bool {
	if len(c) < len(words) {
		return false
	}
	for i, w := range words {
		if c[i].norm != w || i > 0 && c[i].pause || c[i].code {
			return false
		}
	}
	return true
}

// dropLeading drops what only announces a statement.
func dropLeading(c clause) {
	for {
		i := 0
		for i < len(c) && c[i].drop {
			i++
		}
		rest := c[i:]
		n := 0
		for _, words := range leading {
			if len(words) > n && len(rest) > len(words) && matches(rest, words) {
				n = len(words)
			}
		}
		if n == 0 {
			return
		}
		for j := range n {
			rest[j].drop = true
		}
	}
}

// selfVerbs begin facts whose subject, the user, is left out.
var selfVerbs = set("prefers likes wants lives works speaks uses needs hates dislikes drinks eats plays loves enjoys")

// selfNouns are what a person has, and begin such facts too.
var selfNouns = set("timezone pronouns birthday nickname")

// subject makes the ways to speak of the user one, drops "we", and puts the
// user before a verb that has no subject.
func subject(c clause) (clause, bool) {
	pronouns(c)
	for i := range c {
		if c[i].drop {
			continue
		}
		if (selfVerbs[c[i].norm] || selfNouns[c[i].norm]) && c[i].class == word {
			u := token{text: "user", norm: "user", first: true}
			c[i].first = false
			return append(clause{u}, c...), true
		}
		break
	}
	return c, false
}

// pronouns drops those that stand for whoever works here, and makes the first
// person the user.
func pronouns(c clause) {
	started := false
	for i := range c {
		t := &c[i]
		if t.drop || t.class != word {
			started = started || !t.drop
			continue
		}
		switch t.norm {
		case "his", "her", "their", "my":
			// The user's own.
			if hasNorm(c[:i], "user") {
				t.drop = true
			} else if t.norm == "my" {
				t.norm = "user"
			}
		case "i", "me", "mine", "user's", "operator":
			t.norm = "user"
		case "our", "ours":
			t.drop = true
		case "we":
			t.drop = true
			if i+1 < len(c) {
				c[i+1].opens = true
			}
		case "you":
			// Not where it is whom something is done to.
			t.drop = !started || i+1 < len(c) && c[i+1].class == word && !prepositions[c[i+1].norm]
		case "that", "there":
			if t.norm == "there" && i+1 < len(c) && (c[i+1].norm == "is" || c[i+1].norm == "are") {
				t.drop = true
			}
		}
		started = started || !t.drop
	}
}

var commandWords = set("make npm yarn pnpm go cargo git docker kubectl just rake task mvn gradle pip uv poetry bazel helm terraform")

// afterCommand says whether the token is probably an argument of a command,
// whose spelling matters.
func afterCommand(c clause, i int) bool {
	for j := max(0, i-3); j < i; j++ {
		if commandWords[c[j].norm] && !c[j].cap {
			return true
		}
	}
	return false
}

func firstKept(c clause) int {
	for i, t := range c {
		if !t.drop {
			return i
		}
	}
	return -1
}
