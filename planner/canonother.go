package planner

import "strings"

// tongue is what is dropped from texts in one language besides English:
// articles, the plain present of "be", politeness. Everything else stays and
// must be equal. Known are words that tell the language.
type tongue struct {
	known, dropped map[string]bool
	// initial are articles that are something else too, and dropped only
	// where a clause begins.
	initial map[string]bool
	// joined are prepositions with an article in them, and without it.
	joined map[string]string
}

var tongues = []tongue{
	{set("der die das und ist nicht ein eine den dem wir auf für mit von zu im bei nach"), set("der das den dem ein eine einen einem einer ist sind bitte"), set("die"), map[string]string{"im": "in", "am": "an", "zum": "zu", "zur": "zu", "beim": "bei", "vom": "von"}},
	{set("le la les des et est ne pas nous sur pour avec dans à du une l'utilisateur"), set("le les un une est sont"), set("la"), map[string]string{"d": "de", "au": "à", "aux": "à", "du": "de"}},
	{set("el la los las del y es en con por para una está usuario"), set("el los las un una es son"), set("la"), map[string]string{"al": "a", "del": "de"}},
	{set("il lo gli della di e è non per nel una utente"), set("il gli un uno una è sono"), set("la le lo i"), map[string]string{"al": "a", "allo": "a", "alla": "a", "ai": "a", "dal": "da", "dalla": "da", "nel": "in", "nello": "in", "nella": "in", "sul": "su", "sulla": "su", "del": "di", "dello": "di", "della": "di"}},
	{set("o os do da não em com uma é para no na usuário"), set("o um uma é são"), set("a os as"), map[string]string{"no": "em", "na": "em", "nos": "em", "nas": "em", "do": "de", "da": "de", "dos": "de", "das": "de", "ao": "a", "à": "a", "pelo": "por", "pela": "por"}},
	{set("het een en niet van op met voor zijn gebruiker"), set("het een de is zijn"), nil, nil},
	{set("och är inte att det på för med ett en"), set("är"), nil, nil},
}

// polite words are dropped in every language.
var polite = set("bitte merci prego grazie alstublieft graag пожалуйста please danke")

var otherFillers = func() map[string]bool {
	m := map[string]bool{}
	for _, t := range tongues {
		for w := range t.dropped {
			m[w] = true
		}
	}
	return m
}()

var otherPhrases = [][]string{{"por", "favor"}, {"per", "favore"}, {"s'il", "vous", "plaît"}, {"s'il", "te", "plaît"}}

// tonguesOf are the languages most of whose words a clause has; several where
// they are as good.
func tonguesOf(c clause) []tongue {
	var best []tongue
	most := 1
	for _, l := range tongues {
		n := 0
		for _, t := range c {
			if l.known[t.norm] {
				n++
			}
		}
		switch {
		case n > most:
			best, most = []tongue{l}, n
		case n == most:
			best = append(best, l)
		}
	}
	return best
}

func canonOther(c clause, l language) clause {
	var out clause
	for _, t := range c {
		// French and Italian join their articles to the noun.
		if i := strings.IndexAny(t.norm, "'’"); t.class == word && i > 0 && i <= 2 {
			a, b := t, t
			a.norm, b.norm = t.norm[:i], strings.TrimLeft(t.norm[i:], "'’")
			b.first, b.pause = false, false
			a.drop = a.norm == "l"
			out = append(out, a, b)
			continue
		}
		out = append(out, t)
	}
	for i := range out {
		for _, p := range otherPhrases {
			if matches(out[i:], p) {
				for j := range p {
					out[i+j].drop = true
				}
			}
		}
	}
	of := tonguesOf(c)
	for i := range out {
		t := &out[i]
		if t.class != word || t.code {
			continue
		}
		if len(of) == 1 {
			if w, ok := of[0].joined[t.norm]; ok {
				t.norm = w
			}
		}
		t.drop = t.drop || polite[t.norm]
		for _, l := range of {
			t.drop = t.drop || l.dropped[t.norm] && (!t.pause || t.colon) || l.initial[t.norm] && i == 0
		}
	}
	if l == otherScript {
		dropParticles(out)
	}
	return out
}

// dropParticles drops the polite copula that ends a Japanese sentence and the
// "please" that begins or ends one.
func dropParticles(c clause) {
	if len(c) > 2 && c[0].norm == "请" {
		c[0].drop = true
	}
	for _, end := range []string{"です", "ください", "くださいませ", "でございます"} {
		runes := []rune(end)
		if n := len(c) - len(runes); n > 0 {
			same := true
			for i, r := range runes {
				same = same && c[n+i].norm == string(r)
			}
			if same {
				for i := n; i < len(c); i++ {
					c[i].drop = true
				}
				return
			}
		}
	}
}
