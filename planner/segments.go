package planner

import "strings"

// segments are the clauses of a text and their pieces between commas, colons
// and conjunctions, with pronouns replaced by the first clause's subject. What
// narrows a piece stays with it: "In December," before it, ", in tests" behind.
func segments(d doc) []clause {
	var out []clause
	var subj clause
	for i, c := range d.clauses {
		if i == 0 {
			subj = subjectOf(c)
		} else {
			c = resolved(c, subj)
		}
		out = append(out, c)
		cuts := pauses(c)
		if len(cuts) == 0 {
			continue
		}
		var scope clause
		for n, p := range cuts {
			end := len(c)
			if n+1 < len(cuts) {
				end = cuts[n+1]
			}
			piece := c[p:end]
			if conjunction(piece[0]) && !piece[0].drop {
				piece = piece[1:]
			}
			if n == 0 && scoping(piece, d.lang) {
				scope = piece
				continue
			}
			if len(piece) == 0 {
				continue
			}
			out = append(out, append(append(clause{}, scope...), resolved(piece, subj)...))
		}
	}
	return out
}

func conjunction(t token) bool {
	return t.class == word && (t.norm == "but" || t.norm == "and" || t.norm == "so" || foreignButs[t.norm])
}

// pauses are where the pieces of a clause begin; none where it has one piece.
func pauses(c clause) []int {
	cuts := []int{0}
	for j := 1; j < len(c); j++ {
		if !c[j].pause && !conjunction(c[j]) || conjunction(c[j-1]) || c[j].norm == "mais" && hasNorm(c[:j], "não") {
			continue
		}
		if j+1 < len(c) && narrowing(c[j:]) && !(c[j].norm == "but" && hasNorm(c[:j], "no-longer")) {
			continue
		}
		cuts = append(cuts, j)
	}
	if len(cuts) == 1 {
		return nil
	}
	return cuts
}

// Words of other languages that begin a scope, and words that narrow one.
var (
	foreignScopes  = set("im in am an bei beim für während en dans pour chez pendant sur au aux para durante per nel nella em no na voor tijdens bij op в на для при при i på för under w na podczas для у")
	foreignButs    = set("aber sondern mais pero sino mas porém ma bensì maar но а ale lecz")
	foreignNarrows = set("außer ausser nur sofern falls sauf excepto salvo solo sólo seulement uniquement tranne eccetto soltanto exceto apenas somente só behalve alleen кроме только лишь utom bara undtagen kun oprócz tylko 除 只 仅")
)

// scoping says whether a first piece only says where or when the rest holds.
// What announces a change does not.
func scoping(piece clause, l language) bool {
	k := plain(piece)
	if len(k) == 0 {
		return false
	}
	if l != english {
		return len(k) < 3 || foreignScopes[k[0].norm] || han(k) && len(k) < 6
	}
	if opensTime(k) || leftValue(piece) != nil {
		return false
	}
	switch k[0].norm {
	case "update", "correction", "change", "chang", "new", "no-longer", "not":
		return false
	}
	return k[0].class == word && prepositions[k[0].norm] || verbAt(piece) < 0
}

// opensTime: "As of June we deploy with X" tells a change and no scope.
func opensTime(k clause) bool {
	n := when(k[1:])
	return (k[0].norm == "since" || k[0].norm == "as" || k[0].norm == "from") && n > 0 && len(k) > n+1
}

// narrowing says whether what follows a comma limits what stands before it.
func narrowing(rest clause) bool {
	for _, t := range rest {
		if foreignNarrows[t.norm] {
			return true
		}
	}
	if conjunction(rest[0]) {
		rest = rest[1:]
	}
	end := len(rest)
	for i := 1; i < len(rest); i++ {
		if rest[i].pause || conjunction(rest[i]) {
			end = i
			break
		}
	}
	rest = rest[:end]
	if narrowed(rest) {
		return true
	}
	k := plain(rest)
	if len(k) == 0 || hasNorm(k, "instead") {
		return false
	}
	switch k[0].norm {
	case "in", "for", "during", "within", "at", "on", "from", "under", "with", "without", "until", "till", "by", "over":
		return verbAt(rest) < 0
	}
	return false
}

// subjectOf is what stands before the first verb or form of "be".
func subjectOf(c clause) clause {
	at := verbAt(c)
	for at > 1 && adverbs[c[at-1].norm] {
		at--
	}
	if at <= 0 {
		return nil
	}
	return c[:at]
}

var adverbs = set("only also always never not often usually")

// verbAt is the index of the word that a clause's statement hangs on, or -1.
func verbAt(c clause) int {
	order := false
	for _, t := range c {
		order = order || t.marker() && t.norm == "!"
	}
	first := firstKept(c)
	be := -1
	for i, t := range c {
		if t.class == word && i > 0 && beForms[t.norm] && t.norm != "have" {
			be = i
			break
		}
		if be < 0 && i > first && (t.pause || t.norm == "and" || t.norm == "because" || t.norm == "so") {
			break
		}
	}
	if be >= 0 {
		return be
	}
	if order || first > 0 && c[first-1].norm == "we" && isVerb(c[first].norm) {
		return first
	}
	best := -1
	for i, t := range c {
		if t.drop || t.class != word || !isVerb(t.norm) {
			continue
		}
		// A plural noun may look like a verb; an inflected verb after a noun
		// is the better guess.
		if i > first {
			return i
		}
		if best < 0 && first > 0 {
			best = i
		}
	}
	if best >= 0 {
		return best
	}
	for i, t := range c {
		if i > first && t.class == word && !t.cap && strings.HasSuffix(t.text, "s") && !strings.HasSuffix(t.text, "ss") {
			return i
		}
	}
	return -1
}

func resolved(c, subj clause) clause {
	i := firstKept(c)
	if i < 0 || len(subj) == 0 {
		return c
	}
	switch c[i].norm {
	case "it", "they", "this", "she", "he":
		if i+1 < len(c) && !c[i+1].pause {
			out := append(clause{}, subj...)
			return append(out, c[i+1:]...)
		}
	}
	return c
}
