package planner

import (
	"fmt"
	"slices"
	"strings"
)

// A model may put whole statements of the sources into another order, join
// them and say a shared subject as "it" or "they". Whoever says no word of
// their own and takes no statement apart can neither add a fact nor turn one
// round, in any language. That refuses many a good wording; a bad one costs
// more.

// links are the words that a model may add to English, and leave out.
var links = set("a an the and also which that it they is are")

// linksOther are such words of other languages.
var linksOther = set("und et y e och og и та")

// pointing words get their meaning from what was said before.
var pointing = set("it its they them their theirs this that these those he him his she her such there here both same")

// saying is a word of a text in the order of the text.
type saying struct {
	token
	breaks  bool // a full stop or the like stood before it
	pronoun bool // "it" or "they" begins its clause and stands before it
}

// statement is one clause of a source.
type statement struct {
	words     []saying
	source    int
	at        int  // its place in the source
	dependent bool // what was said before gives it its meaning
	points    bool // it begins with a word for what was said before
	limited   bool
}

// unsaid says what a wording says that its sources do not say so; "" where
// everything comes from them. That it says all of theirs is for [lost].
func unsaid(sources []string, text string) string {
	lang := languageOf(scan(strings.Join(sources, "\n")))
	var sts []statement
	known := map[string][]saying{}
	for i, s := range sources {
		for j, c := range scan(s) {
			st := statementOf(c, lang)
			st.source, st.at = i, j
			for _, w := range st.words {
				if k := stem(w.norm); !slices.ContainsFunc(known[k], func(o saying) bool { return o.text == w.text && o.code == w.code }) {
					known[k] = append(known[k], w)
				}
			}
			if len(st.words) > 0 {
				sts = append(sts, st)
			}
		}
	}
	var words []saying
	for _, c := range scan(text) {
		words = append(words, sayings(c, lang)...)
	}
	for _, w := range words {
		if !slices.ContainsFunc(known[stem(w.norm)], func(k saying) bool { return w.says(k, lang) }) {
			return fmt.Sprintf("%s is in no source", shown(w.text))
		}
	}
	return rearranged(sts, words, lang)
}

// rearranged says where words are no sequence of whole statements.
func rearranged(sts []statement, words []saying, lang language) string {
	// Longer ones first: one may begin like another.
	slices.SortStableFunc(sts, func(a, b statement) int { return len(b.words) - len(a.words) })
	all := make([]int, len(sts))
	starting := map[string][]int{}
	for j, st := range sts {
		all[j] = j
		k := stem(st.words[0].norm)
		starting[k] = append(starting[k], j)
	}
	used := make([]bool, len(sts))
	var before []int // the statements, said alike, that stand before words[i]
	for i := 0; i < len(words); {
		candidates := starting[stem(words[i].norm)]
		if words[i].pronoun {
			candidates = all
		}
		var here []int
		n := 0
		for _, j := range candidates {
			st := sts[j]
			if used[j] {
				continue
			}
			m := st.begins(words[i:], lang)
			if m == 0 && len(before) > 0 {
				m = st.continues(sts[before[0]], words[i:], lang)
			}
			if m == 0 || m < n || !st.follows(sts, before) {
				continue
			}
			if !words[i].breaks && i > 0 && (lang != english && lang != unknown || st.limited || sts[before[0]].limited) {
				continue
			}
			if m > n {
				here = nil
			}
			here, n = append(here, j), m
		}
		if n == 0 {
			return fmt.Sprintf("no source says it so from %s on", shown(words[i].text))
		}
		for _, j := range here {
			used[j] = true
		}
		before = here
		i += n
	}
	return ""
}

func statementOf(c clause, lang language) statement {
	st := statement{words: sayings(c, lang), limited: limited(c)}
	for i, t := range c {
		st.limited = st.limited || weighty[t.norm] || strings.HasSuffix(t.norm, "n't")
		st.points = st.points || i == 0 && pointing[t.norm]
		st.dependent = st.dependent || pointing[t.norm] || i == 0 && prepositions[t.norm]
	}
	return st
}

// sayings are the words of a clause without those that only join.
func sayings(c clause, lang language) []saying {
	joins := linksOther
	if lang == english || lang == unknown {
		joins = links
		c = expand(slices.Clone(c))
	}
	var out []saying
	pronoun := false
	for i, t := range c {
		// "IT", and the A of "plan A", are names.
		if joins[t.norm] && !t.code && t.class == word && (!t.cap || i == 0 && !shouted(t.text)) {
			pronoun = pronoun || t.norm == "it" || t.norm == "they"
			continue
		}
		out = append(out, saying{t, len(out) == 0, pronoun && len(out) == 0})
	}
	return out
}

// says reports whether both are one word: as it is, or an English one in
// another form that tells of the same time.
func (s saying) says(o saying, lang language) bool {
	if s.class != o.class || s.class == word && shouted(s.text) != shouted(o.text) {
		return false
	}
	if s.norm == o.norm {
		return true
	}
	if s.class != word || s.code || o.code || lang != english && lang != unknown || !ascii(s.norm+o.norm) {
		return false
	}
	return stem(s.norm) == stem(o.norm) && !participle(s.text) && !participle(o.text) && weekdays[s.norm] == ""
}

func shouted(w string) bool { return len(w) > 1 && w == strings.ToUpper(w) && w != strings.ToLower(w) }

// begins is how many words say the statement, 0 where they do not begin so.
func (st statement) begins(words []saying, lang language) int {
	return said(st.words, words, lang)
}

func said(want, words []saying, lang language) int {
	if len(want) > len(words) {
		return 0
	}
	for i, w := range want {
		if !words[i].says(w, lang) || i > 0 && words[i].breaks {
			return 0
		}
	}
	return len(want)
}

// continues is how many words say the statement with "it" or "they" for the
// subject that it shares with the one before.
func (st statement) continues(before statement, words []saying, lang language) int {
	if !words[0].pronoun || !words[0].breaks || before.limited || lang != english {
		return 0
	}
	for k := 0; k+1 < len(st.words) && k < len(before.words); k++ {
		w := st.words[k]
		if !w.says(before.words[k], lang) || isVerb(stem(w.norm)) || weighty[w.norm] || prepositions[w.norm] {
			return 0
		}
		if n := said(st.words[k+1:], words, lang); n > 0 {
			return n
		}
	}
	return 0
}

// follows says whether the statement may stand behind others: one whose
// meaning depends on what stands before it keeps its place.
func (st statement) follows(sts []statement, before []int) bool {
	if !st.dependent {
		return true
	}
	if st.at == 0 {
		return len(before) == 0 || !st.points
	}
	return slices.ContainsFunc(before, func(b int) bool { return sts[b].source == st.source && sts[b].at == st.at-1 })
}

// shown quotes a word for a reason, cut where it is very long.
func shown(w string) string {
	if r := []rune(w); len(r) > 40 {
		w = string(r[:40]) + "…"
	}
	return fmt.Sprintf("%q", w)
}
