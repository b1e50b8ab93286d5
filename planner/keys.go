package planner

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// general words in keys say nothing about whose or what an entry is.
var general = set(`user me my note notes memory fact facts info pref prefs preference preferences setting settings config convention conventions
 rule rules gotcha gotchas decision decisions command commands howto how to the about general misc todo tip tips team project profile name
 dup duplicate copy again entry item new old now current latest updated update key personal style en de fr es ja zh`)

// keyWords splits a key into lower-case words.
func keyWords(key string) []string {
	return strings.FieldsFunc(strings.ToLower(key), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsMark(r)
	})
}

// topic is what a text says of its own subject, as far as keys are concerned.
type topic struct {
	said     map[string]bool // its words, as compared and as written
	fragment bool            // no statement of its own
	open     bool            // a statement whose subject is left out
}

func topicOf(d doc) topic {
	t := topic{said: map[string]bool{}, fragment: fragment(d), open: d.implied || subjectless(d)}
	for _, tok := range d.kept() {
		t.said[tok.norm] = true
		t.said[strings.ToLower(tok.text)] = true
	}
	return t
}

func (t topic) says(w string) bool {
	if t.said[w] || t.said[stem(w)] {
		return true
	}
	for _, p := range phrases[w] {
		if len(p.from) == 1 && len(p.to) == 1 && t.said[p.to[0]] {
			return true
		}
	}
	return false
}

// known words in a key name nobody and nothing that the text does not.
func (t topic) known(w string) bool { return general[w] || t.says(w) }

// keysAllow says whether two keys may name one fact that both texts state. A
// text that does not say what it is about leaves that to its key.
func keysAllow(a, b string, t topic) bool {
	wa, wb := keyWords(a), keyWords(b)
	onlyA, onlyB := minus(wa, wb), minus(wb, wa)
	for _, x := range onlyA {
		for _, y := range onlyB {
			if opposed(x, y) && !t.said[x] && !t.said[y] {
				return false
			}
		}
	}
	if parallel(a, b) && !anyOf(onlyA, t.says) && !anyOf(onlyB, t.says) {
		return false
	}
	if len(onlyA) == 0 || len(onlyB) == 0 {
		// Keys of the same words, such as note/1 and note/2, or one that is
		// the other with a word more.
		return !t.fragment || allOf(append(onlyA, onlyB...), t.known) && !numbered(a, b)
	}
	if t.fragment {
		return false
	}
	if !t.open {
		return true
	}
	if shareSegment(a, b) {
		return false
	}
	ok := func(w string) bool { return t.known(w) || evidence[w] || topics[w] }
	return allOf(firstSegment(a), ok) && allOf(firstSegment(b), ok)
}

// mergeKeys says whether the keys of two entries that share a statement may
// be of one subject.
func mergeKeys(a, b string, d doc) bool {
	wa, wb := keyWords(a), keyWords(b)
	for _, x := range minus(wa, wb) {
		for _, y := range minus(wb, wa) {
			if opposed(x, y) {
				return false
			}
		}
	}
	if parallel(a, b) {
		return false
	}
	return !fragment(d) && !d.implied && !subjectless(d) || sharesTopic(a, b) && !numbered(a, b)
}

// topics are words that begin keys about things rather than people.
var topics = set(`editor lang language english tool tools theme ui format review pr ci db deploy release lint build git food diet city home work job
 how test tests time timezone communication answers coding code ide shell terminal os keyboard variant drink coffee tea music sport health`)

func firstSegment(key string) []string {
	s, _, _ := strings.Cut(key, "/")
	return keyWords(s)
}

// fragment says whether a text is no statement of its own, such as "8443" or
// "Fridays", so that its key is half of what it says.
func fragment(d doc) bool {
	n := 0
	verb := false
	for _, c := range d.clauses {
		for i, t := range c {
			if t.text == "" {
				continue
			}
			verb = verb || i > 0 && inflected(t)
			if t.drop {
				verb = verb || beForms[t.norm] || otherFillers[t.norm] && len(t.norm) > 1
				continue
			}
			n++
			verb = verb || isVerb(t.norm) || t.colon
		}
	}
	switch d.lang {
	case otherScript:
		if len(d.clauses) > 0 && han(d.clauses[0]) {
			return n < 6
		}
		return n < 3
	case otherLatin:
		return n < 3
	case english:
		return n < 2 || n < 3 && (!verb || hasOrder(d.kept())) || n < 4 && !verb
	}
	return n < 4
}

// inflected guesses that a word behind the first is a verb or a plural.
func inflected(t token) bool {
	return t.class == word && !t.cap && len(t.text) > 3 && strings.HasSuffix(t.text, "s") && !strings.HasSuffix(t.text, "ss")
}

// han says whether a clause is written without spaces, a token a character.
func han(c clause) bool {
	n := 0
	for _, t := range c {
		if r, _ := utf8.DecodeRuneInString(t.text); isHan(r) {
			n++
		}
	}
	return n*2 > len(c)
}

// subjectless says whether a text begins with a verb in the third person, so
// that what it is about is left out.
func subjectless(d doc) bool {
	if d.lang != english || len(d.clauses) == 0 {
		return false
	}
	for i, t := range d.clauses[0] {
		if t.drop && !beForms[t.norm] {
			continue
		}
		w := strings.ToLower(t.text)
		return beForms[t.norm] || t.class == word && strings.HasSuffix(w, "s") && isVerb(t.norm) && !verbs[w] && nounless(w) && verbAt(d.clauses[0]) <= i
	}
	return false
}

// nounless verbs are no nouns in the plural.
func nounless(w string) bool {
	switch w {
	case "tests", "builds", "backups", "releases", "deploys", "commits", "reports", "orders", "names", "plans", "logs", "stores", "tags", "caches", "scripts", "reviews", "pushes", "pulls":
		return false
	}
	return true
}

func minus(a, b []string) []string {
	var out []string
next:
	for _, x := range a {
		for _, y := range b {
			if x == y || stem(x) == stem(y) {
				continue next
			}
		}
		out = append(out, x)
	}
	return out
}

// parallel keys end alike below different parents: alice/role and bob/role.
func parallel(a, b string) bool {
	i, j := strings.LastIndexByte(a, '/'), strings.LastIndexByte(b, '/')
	return i > 0 && j > 0 && a[i:] == b[j:] && a[:i] != b[:j]
}

func shareSegment(a, b string) bool {
	sa, sb := strings.Split(a, "/"), strings.Split(b, "/")
	if len(sa) == 1 || len(sb) == 1 {
		return false
	}
	for i := range min(len(sa), len(sb)) {
		if sa[i] == sb[i] && !general[sa[i]] {
			return true
		}
	}
	return false
}

func sameSegments(a, b string) bool {
	return strings.Join(keyWords(a), " ") == strings.Join(keyWords(b), " ")
}

// numbered says whether two keys differ in their digits.
func numbered(a, b string) bool {
	return sameSegments(a, b) && digitsOf(a) != digitsOf(b)
}

func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

func anyOf(ws []string, f func(string) bool) bool {
	for _, w := range ws {
		if f(w) {
			return true
		}
	}
	return false
}

func allOf(ws []string, f func(string) bool) bool {
	for _, w := range ws {
		if !f(w) {
			return false
		}
	}
	return true
}
