package search

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
)

// A piece is one term of a text. Lo and hi are the bytes of the text that it
// comes from. Extra pieces are further forms of words that other pieces stand
// for already: an identifier as a whole, a single ideograph. They are indexed,
// but count neither as length nor as position.
type piece struct {
	term   string
	lo, hi int
	extra  bool
}

// longest is the longest word or identifier, in bytes, that becomes one term.
// What is longer is found by its parts.
const longest = 80

// nextChunk finds the next stretch without white space in text from byte at
// on. Chunks are analysed each on its own, so that the analysis of a chunk
// seen before need not be repeated.
func nextChunk(text string, at int) (lo, hi int) {
	for at < len(text) {
		c := text[at]
		if c == ' ' || c >= '\t' && c <= '\r' {
			at++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		if !unicode.IsSpace(r) {
			break
		}
		at += n
	}
	lo = at
	for at < len(text) {
		c := text[at]
		if visible[c] {
			at++
			continue
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(text[at:])
		if unicode.IsSpace(r) {
			break
		}
		at += n
	}
	return trimChunk(text, lo, at)
}

// visible are the bytes of ASCII that are no white space.
var visible = func() (set [256]bool) {
	for c := range utf8.RuneSelf {
		set[c] = c != ' ' && (c < '\t' || c > '\r')
	}
	return set
}()

// trimChunk leaves out the punctuation of a sentence around a chunk. The rest
// has the same terms, and is seen more often.
func trimChunk(text string, lo, hi int) (int, int) {
	for hi-lo > 1 && closing[text[hi-1]] {
		hi--
	}
	for hi-lo > 1 && opening[text[lo]] {
		lo++
	}
	return lo, hi
}

var opening, closing = byteSet("(\"'"), byteSet(".,;:!?)\"'")

func byteSet(s string) (set [256]bool) {
	for i := range s {
		set[s[i]] = true
	}
	return set
}

// skipTrimmed passes what trimChunk left out after a chunk.
func skipTrimmed(text string, at int) int {
	for at < len(text) && closing[text[at]] {
		at++
	}
	return at
}

// pieces cuts a text into terms.
func pieces(text string) []piece {
	var out, some []piece
	for at := 0; ; {
		lo, hi := nextChunk(text, at)
		if lo >= hi {
			return out
		}
		some = analyse(some[:0], text[lo:hi])
		for _, p := range some {
			p.lo += lo
			p.hi += lo
			out = append(out, p)
		}
		at = skipTrimmed(text, hi)
	}
}

// An atom is a stretch of a folded chunk that is of one kind.
type atom struct {
	lo, hi int
	kind   atomKind
}

type atomKind uint8

const (
	wordAtom   atomKind = iota // letters and digits, perhaps with . ' _ inside
	gramAtom                   // a script without spaces between words, or Hangul
	symbolAtom                 // emoji and other symbols
)

// analyse appends the pieces of one chunk.
func analyse(out []piece, chunk string) []piece {
	if plainWord(chunk) {
		return folded{text: chunk}.word(out, 0, len(chunk))
	}
	f := fold(chunk)
	atoms := cut(f.text)
	first := len(out)
	for i := 0; i < len(atoms); {
		j := i + 1
		switch atoms[i].kind {
		case gramAtom:
			for j < len(atoms) && atoms[j].kind == gramAtom && atoms[j].lo == atoms[j-1].hi {
				j++
			}
			out = grams(out, f, atoms[i].lo, atoms[j-1].hi)
		case symbolAtom:
			out = f.add(out, f.text[atoms[i].lo:atoms[i].hi], atoms[i].lo, atoms[i].hi, false)
		case wordAtom:
			for j < len(atoms) && atoms[j].kind == wordAtom {
				j++
			}
			out = compound(out, f, atoms[i:j])
		}
		i = j
	}
	if len(out) == first && len(chunk) <= 4 {
		// Only punctuation, such as => or &&.
		out = f.add(out, f.text, 0, len(f.text), false)
	}
	return out
}

// plainWord says whether a chunk is one word of small ASCII letters, perhaps
// with a capital first, of which there is nothing to cut.
func plainWord(chunk string) bool {
	for i := 0; i < len(chunk); i++ {
		if c := chunk[i]; (c < 'a' || c > 'z') && (i > 0 || c < 'A' || c > 'Z') {
			return false
		}
	}
	return true
}

// cut divides a folded chunk by the Unicode rules for word boundaries
// (UAX 29), and further where scripts that are indexed by bigrams meet others.
func cut(s string) []atom {
	var atoms []atom
	it := words.FromString(s)
	lo := 0
	for it.Next() {
		v := it.Value()
		hi := lo + len(v)
		atoms = cutToken(atoms, s, lo, hi)
		lo = hi
	}
	return atoms
}

func cutToken(atoms []atom, s string, lo, hi int) []atom {
	v := s[lo:hi]
	if strings.IndexFunc(v, isWordRune) < 0 {
		if strings.IndexFunc(v, isSymbol) >= 0 {
			atoms = append(atoms, atom{lo, hi, symbolAtom})
		}
		return atoms
	}
	start, kind := lo, wordAtom
	for i, r := range v {
		k := kind
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			k = wordAtom
			if isGram(r) {
				k = gramAtom
			}
		}
		if k != kind {
			if lo+i > start {
				atoms = append(atoms, atom{start, lo + i, kind})
			}
			start, kind = lo+i, k
		}
	}
	return append(atoms, atom{start, hi, kind})
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

func isSymbol(r rune) bool { return r >= 0x80 && unicode.In(r, unicode.So, unicode.Sc, unicode.Sm) }

// isGram says whether a script is indexed by bigrams of characters.
func isGram(r rune) bool {
	if r < 0x0E00 {
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) || r == 'ー'
}

// grams appends the bigrams of a run of characters, and each character alone.
func grams(out []piece, f folded, lo, hi int) []piece {
	var chars [][2]int // a base with its marks
	for i, r := range f.text[lo:hi] {
		n := utf8.RuneLen(r)
		if n < 0 {
			n = 1
		}
		switch {
		case unicode.IsMark(r) && len(chars) > 0:
			chars[len(chars)-1][1] = lo + i + n
		case isWordRune(r):
			chars = append(chars, [2]int{lo + i, lo + i + n})
		}
	}
	for i, c := range chars {
		out = f.add(out, f.text[c[0]:c[1]], c[0], c[1], len(chars) > 1)
		if i+1 < len(chars) && c[1] == chars[i+1][0] {
			end := chars[i+1][1]
			out = f.add(out, f.text[c[0]:end], c[0], end, false)
		}
	}
	return out
}

// word appends one plain word.
func (f folded) word(out []piece, lo, hi int) []piece {
	w := lower(withoutFormat(f.text[lo:hi]))
	if len(w) > longest {
		end := longest
		for !utf8.RuneStart(w[end]) {
			end--
		}
		w = w[:end]
	}
	return f.add(out, stem(w), lo, hi, false)
}

func (f folded) whole(out []piece, lo, hi int) []piece {
	if hi-lo > longest {
		return out
	}
	return f.add(out, lower(withoutFormat(f.text[lo:hi])), lo, hi, true)
}

// add appends a piece unless the same is there for the same bytes.
func (f folded) add(out []piece, term string, lo, hi int, extra bool) []piece {
	if term == "" {
		return out
	}
	lo, hi = f.origin(lo, hi)
	for i := len(out) - 1; i >= 0 && i >= len(out)-8; i-- {
		if out[i].term == term && out[i].lo == lo && out[i].hi == hi {
			return out
		}
	}
	return append(out, piece{term, lo, hi, extra})
}

// withoutFormat leaves out joiners and other characters without a shape.
func withoutFormat(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return strings.Map(func(r rune) rune {
				if unicode.Is(unicode.Cf, r) {
					return -1
				}
				return r
			}, s)
		}
	}
	return s
}

// lower is strings.ToLower in which capital and final sigma agree.
func lower(s string) string {
	return strings.ReplaceAll(strings.ToLower(s), "ς", "σ")
}

// stem reduces English words by the Snowball stemmer (Porter 2), irregular
// forms by a table. Words of other alphabets stay as they are.
func stem(w string) string {
	if len(w) < 3 {
		return w
	}
	for i := 0; i < len(w); i++ {
		if w[i] < 'a' || w[i] > 'z' {
			return w
		}
	}
	if len(w) <= longestIrregular {
		if base, ok := irregular[w]; ok {
			w = base
		}
	}
	return porter2(w)
}
