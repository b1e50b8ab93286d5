package search

import "bytes"

// porter2 is the Snowball stemmer for English (Porter2), as published at
// snowballstem.org/algorithms/english/stemmer.html, for words of small ASCII
// letters. It works on bytes: opening a large memory stems a hundred thousand
// different words, which libraries that work on runes take too long for. The
// tests hold it against one of these.
func porter2(word string) string {
	if len(word) < 3 {
		return word
	}
	if len(word) <= 6 {
		if s, ok := stemExceptions[word]; ok {
			return s
		}
	}
	var buf [longest]byte
	w := stemmed{word: append(buf[:0], word...)}
	w.markY()
	w.regions()
	w.plural()
	if len(w.word) >= 6 && len(w.word) <= 7 && stemKept[string(w.word)] {
		return string(w.word)
	}
	w.past()
	w.finalY()
	w.derived()
	w.adjective()
	w.bare()
	w.finalE()
	for i, c := range w.word {
		if c == 'Y' {
			w.word[i] = 'y'
		}
	}
	if n := len(w.word); n <= len(word) && word[:n] == string(w.word) {
		return word[:n] // most stems are
	}
	return string(w.word)
}

// stemExceptions are whole words with stems of their own.
var stemExceptions = map[string]string{
	"skis": "ski", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie",
	"idly": "idl", "gently": "gentl", "ugly": "ugli", "early": "earli", "only": "onli", "singly": "singl",
	"sky": "sky", "news": "news", "howe": "howe", "atlas": "atlas", "cosmos": "cosmos", "bias": "bias", "andes": "andes",
}

// stemKept stay as they are once a plural is taken off.
var stemKept = map[string]bool{
	"inning": true, "outing": true, "canning": true, "herring": true,
	"earring": true, "proceed": true, "exceed": true, "succeed": true,
}

// A stemmed word on its way. R1 and r2 are where the regions of the same name
// in the algorithm begin. A y that is a consonant is written Y.
type stemmed struct {
	word   []byte
	r1, r2 int
}

func vowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u', 'y':
		return true
	}
	return false
}

func (w *stemmed) markY() {
	for i, c := range w.word {
		if c == 'y' && (i == 0 || vowel(w.word[i-1])) {
			w.word[i] = 'Y'
		}
	}
}

func (w *stemmed) regions() {
	w.r1 = w.region(0)
	for _, prefix := range [...]string{"gener", "commun", "arsen"} {
		if len(w.word) >= len(prefix) && string(w.word[:len(prefix)]) == prefix {
			w.r1 = len(prefix)
		}
	}
	w.r2 = w.region(w.r1)
}

// region begins after the first consonant that follows a vowel from i on.
func (w *stemmed) region(i int) int {
	for i++; i < len(w.word); i++ {
		if vowel(w.word[i-1]) && !vowel(w.word[i]) {
			return i + 1
		}
	}
	return len(w.word)
}

func (w *stemmed) ends(suffix string) bool {
	n := len(w.word) - len(suffix)
	return n >= 0 && w.word[len(w.word)-1] == suffix[len(suffix)-1] && string(w.word[n:]) == suffix
}

// replace puts another ending in the place of the last n letters. No rule
// makes a word longer than it was at first, so there is room; an append would
// put every word on the heap.
func (w *stemmed) replace(n int, ending string) {
	start := len(w.word) - n
	w.word = w.word[:start+len(ending)]
	copy(w.word[start:], ending)
}

// in says whether the last n letters lie in the region from r on.
func (w *stemmed) in(r, n int) bool { return len(w.word)-n >= r }

func (w *stemmed) hasVowel(n int) bool {
	for _, c := range w.word[:n] {
		if vowel(c) {
			return true
		}
	}
	return false
}

// shortSyllable says whether the first n letters end in one.
func (w *stemmed) shortSyllable(n int) bool {
	if n < 2 || vowel(w.word[n-1]) || !vowel(w.word[n-2]) {
		return false
	}
	if n == 2 {
		return true
	}
	c := w.word[n-1]
	return c != 'w' && c != 'x' && c != 'Y' && !vowel(w.word[n-3])
}

// plural is step 1a.
func (w *stemmed) plural() {
	n := len(w.word)
	switch {
	case w.ends("sses"):
		w.replace(2, "")
	case w.ends("ied"), w.ends("ies"):
		if n > 4 {
			w.replace(2, "")
		} else {
			w.replace(1, "")
		}
	case w.ends("us"), w.ends("ss"):
	case w.ends("s"):
		if n > 2 && w.hasVowel(n-2) {
			w.replace(1, "")
		}
	}
}

// past is step 1b.
func (w *stemmed) past() {
	for _, s := range [...]string{"eedly", "eed"} {
		if w.ends(s) {
			if w.in(w.r1, len(s)) {
				w.replace(len(s), "ee")
			}
			return
		}
	}
	for _, s := range [...]string{"ingly", "edly", "ing", "ed"} {
		if !w.ends(s) {
			continue
		}
		if !w.hasVowel(len(w.word) - len(s)) {
			return
		}
		w.replace(len(s), "")
		n := len(w.word)
		switch {
		case w.ends("at"), w.ends("bl"), w.ends("iz"):
			w.replace(0, "e")
		case n > 1 && w.word[n-1] == w.word[n-2] && bytes.IndexByte([]byte("bdfgmnprt"), w.word[n-1]) >= 0:
			w.replace(1, "")
		case w.r1 >= n && w.shortSyllable(n):
			w.replace(0, "e")
		}
		return
	}
}

// finalY is step 1c.
func (w *stemmed) finalY() {
	if n := len(w.word); n > 2 && (w.word[n-1] == 'y' || w.word[n-1] == 'Y') && !vowel(w.word[n-2]) {
		w.word[n-1] = 'i'
	}
}

// derivations are the endings of step 2, longer ones before those they end in.
var derivations = [...][2]string{
	{"ational", "ate"}, {"fulness", "ful"}, {"iveness", "ive"}, {"ization", "ize"}, {"ousness", "ous"},
	{"biliti", "ble"}, {"lessli", "less"}, {"tional", "tion"},
	{"alism", "al"}, {"aliti", "al"}, {"ation", "ate"}, {"entli", "ent"}, {"fulli", "ful"}, {"iviti", "ive"}, {"ousli", "ous"},
	{"abli", "able"}, {"alli", "al"}, {"anci", "ance"}, {"ator", "ate"}, {"enci", "ence"}, {"izer", "ize"},
	{"bli", "ble"}, {"ogi", "og"}, {"li", ""},
}

// derived is step 2.
func (w *stemmed) derived() {
	for _, d := range derivations {
		s := d[0]
		if !w.ends(s) {
			continue
		}
		before := byte(0)
		if n := len(w.word) - len(s); n > 0 {
			before = w.word[n-1]
		}
		ok := w.in(w.r1, len(s))
		switch s {
		case "ogi":
			ok = ok && before == 'l'
		case "li":
			ok = ok && bytes.IndexByte([]byte("cdeghkmnrt"), before) >= 0
		}
		if ok {
			w.replace(len(s), d[1])
		}
		return
	}
}

// adjectives are the endings of step 3.
var adjectives = [...][2]string{
	{"ational", "ate"}, {"tional", "tion"}, {"alize", "al"}, {"icate", "ic"}, {"iciti", "ic"}, {"ative", ""},
	{"ical", "ic"}, {"ness", ""}, {"ful", ""},
}

// adjective is step 3.
func (w *stemmed) adjective() {
	for _, a := range adjectives {
		s := a[0]
		if !w.ends(s) {
			continue
		}
		if w.in(w.r1, len(s)) && (s != "ative" || w.in(w.r2, len(s))) {
			w.replace(len(s), a[1])
		}
		return
	}
}

// bare is step 4.
func (w *stemmed) bare() {
	for _, s := range [...]string{"ement", "able", "ance", "ence", "ible", "ment", "ant", "ate", "ent", "ion", "ism", "iti", "ive", "ize", "ous", "al", "er", "ic"} {
		if !w.ends(s) {
			continue
		}
		n := len(w.word) - len(s)
		if w.in(w.r2, len(s)) && (s != "ion" || n > 0 && (w.word[n-1] == 's' || w.word[n-1] == 't')) {
			w.replace(len(s), "")
		}
		return
	}
}

// finalE is step 5.
func (w *stemmed) finalE() {
	n := len(w.word)
	switch {
	case w.ends("e"):
		if w.in(w.r2, 1) || w.in(w.r1, 1) && !w.shortSyllable(n-1) {
			w.replace(1, "")
		}
	case w.ends("ll"):
		if w.in(w.r2, 1) {
			w.replace(1, "")
		}
	}
}
