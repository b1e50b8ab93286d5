package planner

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// language of a text, as far as it changes what is compared.
type language uint8

const (
	unknown language = iota
	english
	otherLatin
	otherScript
)

// languageOf tells a text's language by its commonest words.
func languageOf(cs []clause) language {
	var en, other, latin, letters int
	for _, c := range cs {
		for i, t := range c {
			r, _ := utf8.DecodeRuneInString(t.text)
			if !unicode.IsLetter(r) || t.class == path || i > 0 && c[i-1].norm == "%" {
				continue
			}
			letters++
			if unicode.Is(unicode.Latin, r) {
				latin++
			}
			switch {
			case evidence[strings.TrimSuffix(t.norm, "'s")] && !foreign[t.norm], contractions[t.norm] != "", strings.HasSuffix(t.norm, "n't"):
				en++
			case foreign[t.norm] && !evidence[t.norm], elided(t.norm):
				other++
			case !ascii(t.norm) && unicode.Is(unicode.Latin, r):
				other++
			}
		}
	}
	switch {
	case letters > 0 && latin*2 < letters:
		return otherScript
	case en > other:
		return english
	case other > 0:
		return otherLatin
	}
	for _, c := range cs {
		for _, t := range c {
			if t.class == word && (isVerb(stem(t.norm)) || topics[t.norm] || len(t.norm) > 3 && phrases[t.norm] != nil || numerals[t.norm] != "") {
				return english
			}
		}
	}
	return unknown
}

// elided words begin with an article that lost its vowel, as in French.
func elided(w string) bool {
	w = strings.ReplaceAll(w, "’", "'")
	return strings.HasPrefix(w, "l'") || strings.HasPrefix(w, "d'") || strings.HasPrefix(w, "qu'") || strings.HasPrefix(w, "dell'") || strings.HasPrefix(w, "all'")
}

func allASCII(cs []clause) bool {
	for _, c := range cs {
		for _, t := range c {
			if !ascii(t.text) {
				return false
			}
		}
	}
	return true
}
