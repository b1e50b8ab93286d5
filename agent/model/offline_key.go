package model

import (
	"fmt"
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

// grammarWords hold a sentence together: articles, pronouns, prepositions,
// question words and auxiliaries.
const grammarWords = `a an the this that these those there here it its it's i i'm we we're you he she they me us him her them
my our your his their mine ours yours who whom whose which what what's when where why how
and or but nor so yet if then than as of at by for from in into on onto out off over under to up down with without about
between through during before after again
is are was were be been being am do does did done doing have has had having can could shall should will would may might must
don't doesn't isn't aren't can't won't not no yes`

// vagueWords go with every subject, so that they tell none.
const vagueWords = `go goes going went get gets got use uses used using keep keeps make makes made need needs want wants let lets let's
move moved moves switch switched change changed start started
only just always never ever also too very really please now still already every each all any some
something anything everything thing things`

// functionWords tell nothing about a subject. Of a question only the first
// kind is dropped: someone may well ask for "go" or "make".
var (
	questionWords = wordSet(grammarWords)
	functionWords = wordSet(grammarWords + " " + vagueWords)
)

// searchWords are the words of a question that are worth a search, as they
// were written; all of them where none is. A word in capitals stays: "IT" and
// "US" are no pronouns.
func searchWords(question string) string {
	question = beginning(question, maxRead)
	var kept []string
	for _, w := range strings.Fields(question) {
		if len(w) > maxWord || len(kept) == maxSearched {
			continue
		}
		plain := strings.Trim(w, ".,;:!\"“”()")
		if len(plain) > 1 && plain == strings.ToUpper(plain) || !questionWords[strings.ToLower(plain)] {
			kept = append(kept, w)
		}
	}
	if len(kept) == 0 {
		return beginning(question, maxWord)
	}
	return strings.Join(kept, " ")
}

// maxSearched is how many words are searched for, and maxWord how long one is
// at most, in bytes: no key is longer.
const (
	maxSearched = 64
	maxWord     = 128
)

// beginning is the first n bytes of a text at most.
func beginning(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

// slugLength is how long the words of a key may become, in bytes.
const slugLength = 60

// keyOf makes a key for a text: its subject, and up to two words that tell it
// apart, such as deploy/day. The same text always has the same key.
func keyOf(text string) string {
	words := telling(text)
	if len(words) == 0 {
		h := fnv.New32a()
		h.Write([]byte(text))
		return fmt.Sprintf("note/%08x", h.Sum32())
	}
	topic := singular(words[0])
	if len(words) == 1 {
		return topic
	}
	rest := words[1:min(len(words), 3)]
	for i, w := range rest {
		if weekdays[w] {
			rest[i] = "day"
		}
	}
	return topic + "/" + strings.Join(slices.Compact(rest), "-")
}

// weekdays stand as "day" in a key, which then still fits when the day is
// corrected.
var weekdays = wordSet(`monday mondays tuesday tuesdays wednesday wednesdays thursday thursdays friday fridays
saturday saturdays sunday sundays`)

// slugWords joins up to n telling words of a text.
func slugWords(text string, n int) string {
	words := telling(text)
	if len(words) == 0 {
		return strings.ReplaceAll(keyOf(text), "/", "-")
	}
	return strings.Join(words[:min(len(words), n)], "-")
}

// telling are the words of a text that say what it is about, folded and cut
// to what a key may hold; all words where there are only function words.
func telling(text string) []string {
	var all, some []string
	size := 0
	for _, w := range words(beginning(text, maxRead)) {
		if w = keyWord(w); w == "" || size+len(w) > slugLength {
			continue
		}
		all = append(all, w)
		if !functionWords[w] {
			some = append(some, w)
			size += len(w) + 1
		}
	}
	if len(some) == 0 {
		return all[:min(len(all), 4)]
	}
	return some
}

// words cuts a text at what can't be part of a word.
func words(text string) []string {
	return strings.FieldsFunc(norm.NFC.String(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("'_.-", r)
	})
}

// keyWord is a word as a key may have it.
func keyWord(w string) string {
	w = strings.TrimSuffix(strings.ToLower(w), "'s")
	if functionWords[w] {
		return w
	}
	w = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("_.-", r) {
			return r
		}
		return -1
	}, w)
	w = strings.Trim(w, "_.-")
	for n := 0; len(w) > 40; n++ {
		r := []rune(w)
		w = string(r[:len(r)*3/4])
	}
	return w
}

// singular takes the plural's s off an English word that is long enough to
// be sure.
func singular(w string) string {
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		return strings.TrimSuffix(w, "ies") + "y"
	case len(w) > 4 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		return strings.TrimSuffix(w, "s")
	}
	return w
}

// foldKey is a key as the store folds it.
func foldKey(key string) string {
	return strings.ToLower(norm.NFC.String(strings.Trim(key, " /")))
}

// stem is a word without the endings that English adds, for comparing only.
func stem(w string) string {
	w = strings.ToLower(w)
	for _, end := range []string{"'s", "ing", "ed", "es", "s"} {
		if len(w) > len(end)+3 && strings.HasSuffix(w, end) && !strings.HasSuffix(w, "ss") {
			return strings.TrimSuffix(strings.TrimSuffix(w, end), "e")
		}
	}
	return strings.TrimSuffix(w, "e")
}

// stems are the telling words of a text, for comparing.
func stems(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range words(text) {
		for _, part := range strings.FieldsFunc(w, func(r rune) bool { return r == '-' || r == '_' }) {
			if p := strings.Trim(strings.ToLower(part), ".'"); p != "" && !functionWords[p] {
				set[stem(p)] = true
			}
		}
	}
	return set
}

// covers is which share of want is in have.
func covers(have, want map[string]bool) float64 {
	if len(want) == 0 {
		return 0
	}
	n := 0
	for w := range want {
		if have[w] {
			n++
		}
	}
	return float64(n) / float64(len(want))
}
