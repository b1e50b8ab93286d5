package search

import "strings"

// A trait is what ranking wants to know of a term, or of a document, whose
// traits are its terms' and those of its text.
type trait uint8

const (
	function trait = 1 << iota // a function word
	date                       // tells when: a month, a day of the week, "yesterday", a year
	number
	question // the document ends by asking
	negation
)

var dateTerms = stems(`yesterday today tomorrow tonight ago last next week weekend month year day morning evening afternoon night
january february march april may june july august september october november december
jan feb mar apr jun jul aug sep sept oct nov dec
monday tuesday wednesday thursday friday saturday sunday recently summer winter spring autumn fall currently since early late`)

var negationTerms = stems("not no never without none nor cannot")

// knownTraits are the traits of the terms in these lists.
var knownTraits = func() map[string]trait {
	m := map[string]trait{}
	for t, terms := range map[trait]map[string]bool{function: functionTerms, date: dateTerms, negation: negationTerms} {
		for term := range terms {
			m[term] |= t
		}
	}
	return m
}()

func traitsOf(term string) trait {
	t := knownTraits[term]
	if c := term[0]; '0' <= c && c <= '9' {
		t |= number
		if len(term) == 4 && (c == '1' || c == '2') {
			t |= date
		}
	}
	return t
}

// asks says whether a text ends with a question. A remark in brackets at its
// end does not count.
func asks(text string) trait {
	text = strings.TrimSpace(text)
	for _, pair := range []string{"[]", "()"} {
		if strings.HasSuffix(text, pair[1:]) {
			if i := strings.LastIndexByte(text, pair[0]); i >= 0 {
				text = strings.TrimSpace(text[:i])
			}
		}
	}
	if strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") || strings.HasSuffix(text, "؟") {
		return question
	}
	return 0
}

// stems is the set of some words as they are indexed.
func stems(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range splitWords(words) {
		m[stem(w)] = true
	}
	return m
}
