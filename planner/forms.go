package planner

import "strings"

// Forms of an English clause that mean the same, and forms that do not.

// isPast says whether the verb at i tells of something that was, so that
// "deployed" and "deploy" stay apart. A participle after "be", a number or a
// preposition does not.
func isPast(c clause, i int) bool {
	t := c[i]
	if !strings.HasSuffix(t.norm, "ed") || !isVerb(stem(t.norm)) || t.norm == "need" || t.norm == "feed" || t.norm == "speed" {
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
	if prev.first && verbs[strings.ToLower(prev.text)] && i+1 < len(c) && c[i+1].class == word && !prepositions[c[i+1].norm] {
		return false // "Retry failed jobs"
	}
	return prev.class == word && !beForms[prev.norm] && !prepositions[prev.norm] && !fillers[prev.norm] && !t.pause
}

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

// active turns "X is owned by Alice" into "Alice owns X".
func active(c clause) clause {
	for i := 2; i+1 < len(c); i++ {
		if c[i].norm != "by" || c[i].class != word || !beForms[c[i-2].norm] || !isVerb(c[i-1].norm) || !participle(c[i-1].text) {
			continue
		}
		j := i + 1
		for j < len(c) && !(c[j].class == word && prepositions[c[j].norm]) && !c[j].pause {
			if c[j].class != word || strings.HasSuffix(strings.ToLower(c[j].text), "ing") {
				return c
			}
			j++
		}
		if j == i+1 {
			return c
		}
		subj := i - 1
		was := false
		for subj > 0 && beForms[c[subj-1].norm] {
			subj--
			was = was || c[subj].norm == "was" || c[subj].norm == "were" || c[subj].norm == "been"
		}
		out := append(clause{}, c[i+1:j]...)
		out = append(out, c[i-1])
		out = append(out, c[:subj]...)
		out = append(out, c[j:]...)
		if was {
			out = append(out, token{norm: "past", class: sign})
		}
		return out
	}
	return c
}

func participle(text string) bool {
	w := strings.ToLower(text)
	return strings.HasSuffix(w, "ed") || irregular[w] != ""
}

// mood marks orders: "Keep X", "X should be kept". Both ask for the same; a
// statement that something is so does not.
func mood(c clause) clause {
	order := false
	for i, t := range c {
		if t.norm == "we" {
			break
		}
		if t.drop {
			continue
		}
		// An order begins with a base form; "Runs" and "Tests" are none.
		order = t.class == word && verbs[strings.ToLower(t.text)] && isVerb(t.norm) && i+1 < len(c)
		if t.norm == "not" || t.norm == "do" || t.norm == "never" || t.norm == "always" {
			order = false
			for _, u := range c[i:] {
				if u.norm == "not" || u.norm == "do" || u.norm == "never" || u.norm == "always" {
					continue
				}
				order = verbs[strings.ToLower(u.text)]
				break
			}
		}
		break
	}
	for i := range c {
		t := &c[i]
		switch {
		case t.drop || t.class != word:
		case t.norm == "should" || t.norm == "shall":
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
		}
		c = append(c, token{norm: "!", class: sign})
	}
	return c
}
