package planner

// Replacement by saying that the old value is gone.

// gone are words that say that something named before them is over.
var gone = stems("deprecated removed retired dropped gone obsolete decommissioned discontinued sunset abandoned dead scrapped eliminated left resigned delete outdated")

// removedOld: one piece of the text says that OLD is gone, another is the
// older statement with a new value in OLD's place.
func removedOld(old, s clause, all []clause) string {
	was := goneValue(s)
	if was == nil {
		was = leftValue(s)
	}
	if was == nil {
		return ""
	}
	o := plain(old)
	if negated(o) {
		return ""
	}
	for _, c := range all {
		if tentative(c, old) {
			continue
		}
		p := plain(c)
		if n := len(p); n > 0 && p[n-1].norm == "instead" {
			p = p[:n-1]
		}
		p = timeless(p, false)
		if substituted(o, was, p) >= 0 {
			return "says that " + quote(was) + " is gone"
		}
		// "They left OLD and now work at NEW" names its subject once.
		if v := verbAt(old); v > 0 && len(p) > 0 && (isVerb(p[0].norm) || inflected(p[0])) {
			if subj := plain(old[:v]); begins(plain(all[0]), subj) && substituted(o, was, append(subj, p...)) >= 0 {
				return "says that " + quote(was) + " is gone"
			}
		}
	}
	// "golint is deprecated; use X": nothing but the use of OLD was stated.
	rest, _, ok := cut(o, was)
	if ok && len(scopeOf(rest)) == 0 && len(rest) > 0 && len(all) > 1 {
		return "says that " + quote(was) + " is gone"
	}
	return ""
}

// leaving are verbs before what is given up.
var leaving = stems("leave quit drop sell replace abandon ditch discontinue retire deprecate stop")

// leftValue is what a piece says was left: "left OLD", "stopped using OLD".
func leftValue(s clause) clause {
	c := plain(s)
	for i, t := range c {
		if t.class != word || !(leaving[t.norm] && t.text != t.norm || t.norm == "left" || t.norm == "quit") {
			continue
		}
		was := c[i+1:]
		if len(was) > 1 && (was[0].norm == "use" || was[0].norm == "work") && (was[0].text == "using" || was[0].text == "working") {
			was = was[1:]
		}
		if len(was) > 1 && prepositions[was[0].norm] {
			was = was[1:]
		}
		was = timeless(was, true)
		if len(was) == 0 || len(was) > 4 || !value(was) || hasOrder(s) || t.done {
			return nil
		}
		return was
	}
	return nil
}

func begins(c, head clause) bool {
	return len(head) > 0 && len(c) >= len(head) && equalTokens(c[:len(head)], head)
}

var replaced = stem("replace")

func goneValue(s clause) clause {
	c := plain(s)
	if len(c) > 1 && len(c) < 6 && c[0].norm == "not" && s[0].pause {
		// "…, not on OLD"
		was := c[1:]
		for len(was) > 1 && was[0].class == word && prepositions[was[0].norm] {
			was = was[1:]
		}
		return was
	}
	for i, t := range c {
		if i > 0 && t.class == word && t.norm == replaced && i+1 < len(c) && (c[i+1].norm == "by" || c[i+1].norm == "with") {
			was := c[:i]
			for len(was) > 0 && auxiliaries[was[len(was)-1].norm] {
				was = was[:len(was)-1]
			}
			if len(was) == 0 || len(was) == i || len(was) > 5 || len(afterValue(c[i+2:])) > 0 {
				return nil
			}
			return was
		}
		if i > 0 && t.class == word && gone[t.norm] {
			was := c[:i]
			for len(was) > 0 && auxiliaries[was[len(was)-1].norm] {
				was = was[:len(was)-1]
			}
			if len(was) == 0 || len(was) > 5 || negated(was) {
				return nil
			}
			for _, u := range c[i+1:] {
				if u.norm != "here" && when(clause{u}) == 0 && u.norm != "in" && u.norm != "since" && u.norm != "instead" {
					return nil
				}
			}
			return was
		}
	}
	return nil
}
