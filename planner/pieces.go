package planner

import "strings"

// pieces are the statements inside a text's clauses besides the clauses
// themselves: with pronouns resolved, before a reason, and on both sides of
// an "and" that a verb follows.
func pieces(d doc) []clause {
	if d.lang != english {
		return foreignPieces(d)
	}
	var out []clause
	var subj clause
	for i, c := range d.clauses {
		if i == 0 {
			subj = subjectOf(c)
		} else if r := resolved(c, subj); len(r) > 0 && r[0].norm != c[0].norm {
			out = append(out, r)
			c = r
		}
		out = append(out, split(c)...)
	}
	return out
}

func split(c clause) []clause {
	var out []clause
	own := subjectOf(c)
	v := verbAt(c)
	for i := 2; i+1 < len(c); i++ {
		t := c[i]
		if t.class != word || t.drop || i <= v || narrowed(c[i:]) {
			continue
		}
		switch t.norm {
		case "because", "so", "which":
			return append(out, markers(c, c[:i]))
		case "and":
			if limited(c[i:]) {
				continue
			}
			next := c[i+1]
			if (t.pause || next.norm == "the" || next.norm == "its" || next.norm == "their") && verbAt(c[i+1:]) > 0 {
				out = append(out, markers(c, c[:i]))
				if t.pause && explicit(c[i+1:]) && len(plain(c[i+1:])) >= 3 {
					out = append(out, markers(c, c[i+1:]))
				}
				return out
			}
			if beForms[c[i+1].norm] || len(own) > 0 && v > 0 && goesOn(c, v, i+1) {
				out = append(out, markers(c, c[:i]))
				if len(own) > 0 {
					out = append(out, markers(c, append(append(clause{}, own...), c[i+1:]...)))
				}
				return out
			}
		}
	}
	return out
}

// goesOn says whether the word at i is a second verb of the subject whose
// first is at v: inflected alike, or known as a verb.
func goesOn(c clause, v, i int) bool {
	n := c[i]
	if n.class != word || i+1 >= len(c) {
		return false
	}
	base := verbs[strings.ToLower(n.text)]
	plural := verbs[strings.ToLower(c[v].text)] || c[v].norm == "are" || c[v].norm == "were"
	switch {
	case participles[n.norm] != "" && beForms[c[v].norm]:
		return true
	case isVerb(n.norm):
		return !base || plural
	case !inflected(n):
		return false
	}
	// "sings in", "carries an": what follows a noun is rarely either.
	return prepositions[c[i+1].norm] || c[i+1].drop
}

// markers gives a piece the marks of its clause.
func markers(c, piece clause) clause {
	out := append(clause{}, piece...)
	for _, t := range c {
		if t.marker() && !hasMarker(piece, t.norm) {
			out = append(out, t)
		}
	}
	return out
}

func hasMarker(c clause, n string) bool {
	for _, t := range c {
		if t.marker() && t.norm == n {
			return true
		}
	}
	return false
}

// asides are statements that a clause makes by the way, or goes on to detail.
// They count where both keys name the topic: "X before tagging from main"
// says that one tags from main, "a dog named Rex" that there is a dog.
func asides(d doc) []clause {
	if d.lang != english {
		return nil
	}
	var out []clause
	for _, c := range d.clauses {
		for i := 2; i+1 < len(c); i++ {
			t := c[i]
			if t.class == word && (t.norm == "before" || t.norm == "after" || t.norm == "when") && byUs(c[i+1]) && !limited(c[i+1:]) && len(plain(c[i+1:])) >= 3 {
				out = append(out, unmarked(c[i+1:]))
			}
			if detail(c, i) && !limited(c[i:]) {
				out = append(out, clause(c[:i]))
			}
		}
	}
	return out
}

// byUs says whether a subordinate clause tells what is done here: "before
// tagging", "when you tag". "When it fails" tells of a case.
func byUs(t token) bool {
	return t.drop && (t.norm == "you" || t.norm == "we") || strings.HasSuffix(t.text, "ing") && isVerb(t.norm)
}

// detail says whether what begins at i only adds to the statement before it.
// Where and when something holds does not: it narrows.
func detail(c clause, i int) bool {
	t, rest := c[i], plain(c[i+1:])
	if len(rest) == 0 {
		return false
	}
	switch {
	case t.colon:
		return verbAt(c[:i]) > 0
	case t.pause && t.norm == "then":
		return true
	case t.pause:
		return i+1 < len(c) && (t.norm == "the" || t.norm == "its" || t.norm == "their") && verbAt(c[i+1:]) > 0
	case t.norm == "call":
		return strings.ToLower(t.text) != "call" && named(rest)
	case t.norm == "to":
		return len(rest) == 1 && rest[0].class == path
	case t.norm == "at":
		return rest[0].class == number && len(rest) == 3 && rest[1].norm == "°"
	case t.norm == "in":
		return len(rest) == 2 && (rest[0].norm == "room" || rest[0].norm == "channel")
	}
	return false
}

// Words of other languages that join two statements of one subject, and
// those that stand for a subject named before.
var (
	foreignAnds     = set("und et y e ed en и i ve og och")
	foreignPronouns = set("es er sie il elle él ella lui lei ele ela het hij ze он она оно они ono ona")
	reflexive       = set("se si sich się zich s")
	foreignVias     = set("mit über avec con com met через med z")
	foreignIs       = set("ist sind est sont es son è sono é são is zijn är er jest")
)

// foreignPieces are what can be told without knowing a language's verbs: what
// stands before an "and" that a verb with a preposition follows, and later
// clauses with the words that the text begins with as their subject.
func foreignPieces(d doc) []clause {
	if len(d.clauses) == 0 {
		return nil
	}
	var out []clause
	first := d.clauses[0].kept()
	if han(first) {
		return hanPieces(d)
	}
	c := d.clauses[0]
	for i := 2; i+2 < len(c); i++ {
		if foreignAnds[c[i].norm] && !limited(c[i:]) && !c[i+1].cap && c[i+1].class == word &&
			foreignVerb(c[i], c[i+1], c[i+2]) {
			out = append(out, c[:i])
			break
		}
	}
	for _, c := range d.clauses[1:] {
		rest := c.kept()
		if len(rest) > 1 && foreignPronouns[rest[0].norm] {
			rest = rest[1:]
		}
		for k := 1; k <= 3 && k < len(first); k++ {
			out = append(out, append(append(clause{}, first[:k]...), rest...))
		}
	}
	return out
}

// foreignVerb guesses that what follows an "and" is a verb. German nouns have
// capitals; other languages show it by fewer signs.
func foreignVerb(and, verb, next token) bool {
	w := verb.norm
	switch {
	case foreignIs[w], reflexive[w] && and.norm != "e", strings.HasSuffix(w, "тся"):
		return true
	case foreignState[w] && !foreignScopes[w] && !foreignVias[w]:
		return true
	case and.norm != "und" || germanNoVerbs[w]:
		return false
	}
	return strings.HasSuffix(w, "t") || foreignScopes[next.norm] || foreignVias[next.norm]
}

var germanNoVerbs = set("acht fast erst jetzt selbst statt meist sonst laut mit seit nicht dort oft zuletzt zuerst insgesamt")

// hanPieces does so for texts without spaces: "S needs X; its Y is Z".
func hanPieces(d doc) []clause {
	var out []clause
	first := d.clauses[0].kept()
	for i, t := range first {
		if t.pause && i > 3 && !hanDenies(first[i:]) && strings.ContainsAny(first[i-1].norm, "えけせてねべめれげしきちりみびいっ") {
			// A Japanese verb that goes on.
			ended := append(clause{}, first[:i]...)
			for _, r := range "ます" {
				ended = append(ended, token{text: string(r), norm: string(r)})
			}
			out = append(out, ended)
			break
		}
	}
	for _, c := range d.clauses[1:] {
		rest := c.kept()
		for k := 2; k <= 8 && k < len(first); k++ {
			out = append(out, append(append(clause{}, first[:k]...), rest...))
			for _, of := range []string{"的", "の"} {
				s := append(append(clause{}, first[:k]...), token{text: of, norm: of})
				out = append(out, append(s, rest...))
			}
		}
	}
	return out
}

func hanDenies(c clause) bool {
	s := written(c)
	for _, w := range []string{"ない", "ません", "だけ", "のみ", "不", "没", "除", "只"} {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
