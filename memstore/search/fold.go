package search

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A folded text has the differences taken out that a reader does not search
// by: compatibility forms (full width, ligatures), and the marks above and
// below letters in scripts where they are optional. Case stays, because it
// shows where the parts of an identifier begin.
type folded struct {
	text string
	from []int32 // for each byte of text, where its character begins in the original; nil when equal
	to   []int32 // and where it ends
}

func fold(s string) folded {
	ascii := true
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return folded{text: s}
	}
	var text []byte
	var from, to []int32
	var it norm.Iter
	it.InitString(norm.NFKC, s)
	for !it.Done() {
		lo := it.Pos()
		seg := it.Next()
		hi := it.Pos()
		for i := 0; i < len(seg); {
			r, n := utf8.DecodeRune(seg[i:])
			text = appendFolded(text, r)
			i += n
		}
		for len(from) < len(text) {
			from = append(from, int32(lo))
		}
		if hi == lo {
			continue // more comes of this character
		}
		for len(to) < len(text) {
			to = append(to, int32(hi))
		}
		if len(to) > 0 {
			// A mark that was dropped belongs to the letter before it.
			to[len(to)-1] = int32(hi)
		}
	}
	for len(to) < len(text) {
		to = append(to, int32(len(s)))
	}
	return folded{string(text), from, to}
}

// origin returns the bytes of the original that a stretch comes from.
func (f folded) origin(lo, hi int) (int, int) {
	if f.from == nil || lo >= hi {
		return lo, hi
	}
	return int(f.from[lo]), int(f.to[hi-1])
}

func appendFolded(text []byte, r rune) []byte {
	if r < utf8.RuneSelf {
		return append(text, byte(r))
	}
	if s, ok := letters[r]; ok {
		return append(text, s...)
	}
	switch {
	case optionalMark(r), '\U0001F3FB' <= r && r <= '\U0001F3FF': // and skin tones
		return text
	case unicode.Is(unicode.Nd, r):
		return append(text, byte('0'+digit(r)))
	case unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew):
		var buf [32]byte
		d := norm.NFD.AppendString(buf[:0], string(r))
		for len(d) > 0 {
			c, n := utf8.DecodeRune(d)
			if s, ok := letters[c]; ok {
				text = append(text, s...)
			} else if !optionalMark(c) {
				text = append(text, d[:n]...)
			}
			d = d[n:]
		}
		return text
	}
	return utf8.AppendRune(text, r)
}

// optionalMark says whether a mark may be left out in writing. In Indic
// scripts and Thai the marks are vowels, and in kana they tell consonants
// apart: those stay.
func optionalMark(r rune) bool {
	if r == 0x3099 || r == 0x309A {
		return false
	}
	return unicode.Is(unicode.Mn, r) &&
		unicode.In(r, unicode.Inherited, unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Arabic, unicode.Hebrew, unicode.Syriac)
}

// digit is the value of a decimal digit of any script: Unicode keeps the ten
// digits of a script in one row that begins with its zero.
func digit(r rune) int {
	n := 0
	for n < 9 && unicode.Is(unicode.Nd, r-1) && !startsRow(r) {
		r--
		n++
	}
	return n
}

// startsRow says whether r is the zero of its row. Rows begin at multiples of
// ten from the start of their range.
func startsRow(r rune) bool {
	for _, rg := range unicode.Nd.R16 {
		if rune(rg.Lo) <= r && r <= rune(rg.Hi) {
			return (r-rune(rg.Lo))%10 == 0
		}
	}
	for _, rg := range unicode.Nd.R32 {
		if rune(rg.Lo) <= r && r <= rune(rg.Hi) {
			return (r-rune(rg.Lo))%10 == 0
		}
	}
	return true
}

// letters are spelled with others where these are missing, and have no
// decomposition in Unicode.
var letters = map[rune]string{
	'ß': "ss", 'ẞ': "SS", 'æ': "ae", 'Æ': "AE", 'œ': "oe", 'Œ': "OE",
	'ø': "o", 'Ø': "O", 'ł': "l", 'Ł': "L", 'đ': "d", 'Đ': "D", 'ð': "d", 'Ð': "D",
	'þ': "th", 'Þ': "Th", 'ħ': "h", 'Ħ': "H", 'ı': "i", 'ŋ': "n", 'Ŋ': "N",
	'ـ': "", 'ى': "ي", 'ی': "ي", 'ة': "ه", 'ک': "ك", 'ٱ': "ا",
	'’': "'", '‘': "'", 'ʼ': "'", '‐': "-", '‑': "-", '–': "-", '—': "-", '−': "-", '\u00ad': "",
	'\u200b': "", '\u200e': "", '\u200f': "", '\ufeff': "",
	'«': "\"", '»': "\"", '“': "\"", '”': "\"",
}
