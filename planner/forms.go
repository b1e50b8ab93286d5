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
		if c[i].class != word || c[i].drop || base == "" && (!isVerb(c[i].norm) || !participle(c[i].text)) && !strings.HasSuffix(c[i].text, "ed") {
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

// whereabouts drops what a path says by itself, and the verb from "lives in docs/": a path is in no other way.
func whereabouts(c clause) {
	for i := 1; i+1 < len(c); i++ {
		// "is at wiki.example.com"
		if c[i].norm == "at" && c[i-1].drop && beForms[c[i-1].norm] && strings.Contains(c[i+1].text, ".") && c[i+1].class != version {
			c[i].drop = true
		}
	}
	for i := range c {
		// "the docs/ directory", "the file main.go"
		if (c[i].norm == stem("directory") || c[i].norm == "file") && c[i].class == word && (i > 0 && isPlace(c[i-1]) || i+1 < len(c) && isPlace(c[i+1])) {
			c[i].drop = true
		}
	}
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

func isPlace(t token) bool {
	return t.class == path && strings.ContainsAny(t.text, "/.")
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
var manners = set("hand url path header hash default mistake email mail post phone car train bus plane bike accident law name date id key ip user-id foot card invoice")

func participle(text string) bool {
	w := strings.ToLower(text)
	return strings.HasSuffix(w, "ed") || irregular[w] != "" || unchanged[w] || participles[w] != ""
}

// unchanged verbs have a participle like their base form.
var unchanged = set("run set put cut read split shut let hit cost reset overcome")
