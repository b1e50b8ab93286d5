package vector

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"reverie/memstore"
	"reverie/memstore/search"
)

// Lexical recalls memories for a prompt without vectors: by BM25, and above a
// bar that keeps it quiet. Scores of BM25 say which entry comes first and
// nothing about whether it belongs to the prompt, so the bar is another
// measure: the share of the prompt's informative words, weighted by how rare
// each is in the memory, that an entry has. Words that no memory has weigh the
// most, so a prompt about something else stays below.
type Lexical struct {
	stores []memstore.Store
	bar    float64
	least  int
}

const (
	// An entry is above the bar with this share of the prompt's weight and this
	// many of its words, or all where it has fewer. Both were chosen on other
	// conversations than those that the figures in docs/vector.md are from.
	lexicalBar   = 0.4
	lexicalWords = 3

	candidates = 20  // entries of a store that are looked at
	maxWords   = 32  // of a prompt that are looked at
	maxCount   = 100 // entries that are counted to tell how rare a word is
)

// NewLexical returns recall over stores, of which any may be nil.
func NewLexical(stores ...memstore.Store) *Lexical {
	l := &Lexical{bar: lexicalBar, least: lexicalWords}
	for _, s := range stores {
		if s != nil {
			l.stores = append(l.stores, s)
		}
	}
	return l
}

// Recall returns up to limit (at most [MaxRecall]) entries for a prompt of at
// least [MinPrompt] characters, the best first. Similarity is the share, up
// to 1.
func (l *Lexical) Recall(ctx context.Context, prompt string, limit int) ([]Match, error) {
	if utf8.RuneCountInString(strings.TrimSpace(prompt)) < MinPrompt || limit <= 0 {
		return nil, nil
	}
	words := informative(prompt)
	if len(words) == 0 {
		return nil, nil
	}
	weights, total, err := l.weigh(ctx, words)
	if err != nil {
		return nil, err
	}
	query := strings.Join(words, " ")
	var matches []Match
	for _, s := range l.stores {
		hits, err := s.Search(ctx, prompt, candidates)
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			share, n := 0.0, 0
			for i, has := range contained(query, words, h.Entry) {
				if has {
					share += weights[i] / total
					n++
				}
			}
			if share >= l.bar && n >= min(l.least, len(words)) {
				matches = append(matches, Match{h.Entry, share})
			}
		}
	}
	slices.SortStableFunc(matches, func(a, b Match) int { return cmp.Compare(b.Similarity, a.Similarity) })
	return matches[:min(limit, MaxRecall, len(matches))], nil
}

// weigh says how much each word counts: its inverse document frequency over
// all stores together, as BM25 has it.
func (l *Lexical) weigh(ctx context.Context, words []string) (weights []float64, total float64, err error) {
	size := 0
	for _, s := range l.stores {
		n, err := s.Count(ctx)
		if err != nil {
			return nil, 0, err
		}
		size += n
	}
	for _, w := range words {
		count := 0
		for _, s := range l.stores {
			hits, err := s.Search(ctx, w, maxCount)
			if err != nil {
				return nil, 0, err
			}
			// Where no entry has the word, hits have words like it.
			if len(hits) > 0 && contained(w, []string{w}, hits[0].Entry)[0] {
				count += len(hits)
			}
		}
		n, df := float64(size), float64(count)
		weights = append(weights, math.Log(1+(n-df+.5)/(df+.5)))
		total += weights[len(weights)-1]
	}
	return weights, total, nil
}

// sentinel is a word that no text has. A query with it beside another word is
// one that has a meaning of its own, so that function words find nothing, and
// a text with it has a word as it is, so that none that is only like it is
// found.
const sentinel = "qzxjqv"

// informative are the different words of a prompt that carry meaning.
func informative(prompt string) []string {
	var words []string
	for _, w := range split(prompt) {
		if slices.Contains(words, w) || !finds(w, w) {
			continue
		}
		if words = append(words, w); len(words) == maxWords {
			break
		}
	}
	return words
}

// split cuts a text where spaces and the marks inside of paths are. Scripts
// without spaces are cut into pairs of characters, as the search does, so that
// one pair in common is not the whole sentence.
func split(text string) []string {
	var words []string
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("/:@=-", r) }) {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
		runes := []rune(w)
		for len(runes) > 2 && unspaced(runes[0]) && unspaced(runes[1]) {
			words = append(words, string(runes[:2]))
			runes = runes[1:]
		}
		if len(runes) > 0 {
			words = append(words, string(runes))
		}
	}
	return words
}

func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// finds says whether the search finds a word in a text, as it is.
func finds(word, text string) bool {
	_, marks := search.Snippet(word+" "+sentinel, text+" "+sentinel, math.MaxInt)
	return len(marks) > 1
}

// contained says which words an entry has.
func contained(query string, words []string, e memstore.Entry) []bool {
	text, marks := search.Snippet(query, textOf(e), math.MaxInt)
	var forms []string
	for _, m := range marks {
		if f := text[m[0]:m[1]]; !slices.Contains(forms, f) {
			forms = append(forms, f)
		}
	}
	has := make([]bool, len(words))
	line := strings.Join(forms, " ")
	for i, w := range words {
		has[i] = line != "" && finds(w, line)
	}
	return has
}
