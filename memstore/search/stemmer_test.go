package search

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/kljensen/snowball/english"
)

func TestTheStemmerAgreesWithALibrary(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(9, 9))
	roots := []string{"connect", "relat", "gener", "commun", "arsen", "hop", "hopp", "stat", "abl", "bl", "tr", "ey", "y", "say", "enjoy",
		"cri", "car", "fl", "trou", "siz", "agre", "fall", "hiss", "fizz", "vietnam", "condit", "ration", "valen", "hesit", "digit",
		"conform", "radic", "differ", "vil", "analog", "vietn", "oper", "feudal", "decis", "hope", "call", "form", "sens", "triplic",
		"electric", "good", "reviv", "allow", "infer", "airlin", "gyroscop", "adjust", "defens", "irrit", "replac", "depend", "adopt", "homolog", "activ", "angular", "rat", "controll", "ax", "ow", "yy", "aeiou", "bcd", "oed", "bee", "fre", "succ", "proc", "exc"}
	endings := []string{"", "s", "es", "ies", "ied", "us", "ss", "sses", "eed", "eedly", "ed", "edly", "ing", "ingly", "y", "tional", "enci", "anci",
		"abli", "entli", "izer", "ization", "ational", "ation", "ator", "alism", "aliti", "alli", "fulness", "ousli", "ousness", "iveness",
		"iviti", "biliti", "bli", "ogi", "logi", "fulli", "lessli", "li", "alize", "icate", "iciti", "ical", "ful", "ness", "ative", "al", "ance",
		"ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "ion", "sion", "tion", "e", "l", "ll", "le"}
	words := strings.Fields("skis skies dying lying tying idly gently ugly early only singly sky news howe atlas cosmos bias andes inning innings outing canning herring earring proceed proceeds exceed succeed succeeded be bees by yes yay youth boyish flying ties cries gas this kiwis gaps consign consistency knack knightly")
	for _, root := range roots {
		for _, a := range endings {
			words = append(words, root+a, root+a+endings[r.IntN(len(endings))])
		}
	}
	const letters = "aeiouybdlnrstgz"
	for range 20000 {
		var b strings.Builder
		for range 1 + r.IntN(9) {
			b.WriteByte(letters[r.IntN(len(letters))])
		}
		words = append(words, b.String()+endings[r.IntN(len(endings))])
	}
	bad := 0
	for _, w := range words {
		if got, want := porter2(w), english.Stem(w, true); got != want {
			if bad++; bad < 20 {
				t.Errorf("%s: %s, want %s", w, got, want)
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d words differ", bad, len(words))
	}
}
