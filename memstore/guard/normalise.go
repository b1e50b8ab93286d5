package guard

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// folded is a copy of a text in which disguises are undone, with the way back
// to where each byte came from.
type folded struct {
	text string
	at   []int32 // at[i] is the offset in the original of text[i]; nil when they are equal
}

// origin translates a range of the copy into one of the original.
func (f folded) origin(start, end int) (int, int) {
	if f.at == nil {
		return start, end
	}
	return int(f.at[start]), int(f.at[end])
}

// fold undoes disguises that keep a text readable to people or models but hide
// it from patterns: compatibility forms (full-width, mathematical, circled),
// accents on Latin, Greek and Cyrillic letters, characters without width, and
// letters of other scripts that stand in for Latin ones inside a Latin word.
// Words that are wholly of another script keep their letters. ASCII text is
// returned as it is.
func fold(text string) folded {
	if isASCII(text) {
		return folded{text: text}
	}
	out := make([]byte, 0, len(text)+16)
	at := make([]int32, 0, len(text)+17)
	put := func(s string, from int) {
		out = append(out, s...)
		for range len(s) {
			at = append(at, int32(from))
		}
	}
	wordEnd, mixed := 0, false
	for i, r := range text {
		if i >= wordEnd {
			wordEnd, mixed = wordAt(text, i)
		}
		switch {
		case r < utf8.RuneSelf:
			out = append(out, byte(r))
			at = append(at, int32(i))
		case isInvisible(r) || isFoldedMark(r):
		case mixed && lookalikes[r] != 0:
			put(string(lookalikes[r]), i)
		default:
			put(foldRune(r), i)
		}
	}
	at = append(at, int32(len(text)))
	return folded{string(out), at}
}

// wordAt returns where the word that begins at i ends, and whether it has
// letters of Latin and of a script that has lookalikes of them.
func wordAt(text string, i int) (end int, mixed bool) {
	latin, other := false, false
	for j, r := range text[i:] {
		switch {
		case r < utf8.RuneSelf && (isAlnum(byte(r))):
			latin = latin || !isDigit(byte(r))
		case isInvisible(r) || unicode.Is(unicode.Mn, r):
		case lookalikes[r] != 0:
			other = true
		case unicode.IsLetter(r):
			latin = latin || unicode.Is(unicode.Latin, r)
		default:
			if j == 0 {
				return i + utf8.RuneLen(max(r, 0)), false
			}
			return i + j, latin && other
		}
	}
	return len(text), latin && other
}

// foldRune returns the compatibility form of a rune, without accents where its
// script is one in which they only tell letters apart.
func foldRune(r rune) string {
	if s, ok := plainForms[r]; ok {
		return s
	}
	if unicode.Is(unicode.Hangul, r) || unicode.In(r, unicode.Hiragana, unicode.Katakana) && r < 0xFF00 {
		return string(r)
	}
	d := norm.NFKD.PropertiesString(string(r)).Decomposition()
	if len(d) == 0 {
		return string(r)
	}
	var b strings.Builder
	for _, c := range string(d) {
		if isFoldedMark(c) {
			continue
		}
		if s, ok := plainForms[c]; ok {
			b.WriteString(s)
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// isFoldedMark reports combining accents and the vowel points of Arabic and
// Hebrew. The vowel signs of Indic scripts are letters to their readers and
// stay.
func isFoldedMark(r rune) bool {
	return r >= 0x0300 && r <= 0x036F || r >= 0x0591 && r <= 0x05C7 && unicode.Is(unicode.Mn, r) ||
		r >= 0x064B && r <= 0x065F || r == 0x0670 || r == 0x0640
}

// isInvisible reports characters that draw nothing of their own.
func isInvisible(r rune) bool {
	switch {
	case r < 0x00AD:
		return false
	case r == 0x00AD, r == 0x034F, r == 0x061C, r == 0x115F, r == 0x1160, r == 0x17B4, r == 0x17B5,
		r == 0x3164, r == 0xFEFF, r == 0xFFA0,
		r >= 0x180B && r <= 0x180F,
		r >= 0x200B && r <= 0x200F,
		r >= 0x202A && r <= 0x202E,
		r >= 0x2060 && r <= 0x206F,
		r >= 0xFE00 && r <= 0xFE0F,
		r >= 0xFFF0 && r <= 0xFFFB,
		r >= 0x1BCA0 && r <= 0x1BCA3,
		r >= 0x1D173 && r <= 0x1D17A,
		r >= 0xE0000 && r <= 0xE0FFF:
		return true
	}
	return false
}

// plainForms has what Unicode's compatibility forms leave alone.
var plainForms = map[rune]string{
	'‘': "'", '’': "'", '‚': "'", '‛': "'", '“': `"`, '”': `"`, '„': `"`, '«': `"`, '»': `"`, '‹': "'", '›': "'",
	'「': `"`, '」': `"`, '『': `"`, '』': `"`,
	'‐': "-", '‑': "-", '‒': "-", '–': "-", '—': "-", '―': "-", '−': "-", '﹣': "-",
	'ß': "ss", 'ø': "o", 'Ø': "O", 'ł': "l", 'Ł': "L", 'đ': "d", 'Đ': "D", 'ı': "i", 'æ': "ae", 'Æ': "AE", 'œ': "oe", 'Œ': "OE",
	'ᴀ': "a", 'ʙ': "b", 'ᴄ': "c", 'ᴅ': "d", 'ᴇ': "e", 'ꜰ': "f", 'ɢ': "g", 'ʜ': "h", 'ɪ': "i", 'ᴊ': "j", 'ᴋ': "k", 'ʟ': "l",
	'ᴍ': "m", 'ɴ': "n", 'ᴏ': "o", 'ᴘ': "p", 'ʀ': "r", 'ꜱ': "s", 'ᴛ': "t", 'ᴜ': "u", 'ᴠ': "v", 'ᴡ': "w", 'ʏ': "y", 'ᴢ': "z",
	'。': ".", '、': ",", '│': "|", '❘': "|", '∣': "|", 'ǀ': "|", '⟨': "<", '⟩': ">", '〈': "<", '〉': ">", '《': "<", '》': ">",
	'＜': "<", '＞': ">", '∶': ":", '꞉': ":", '︰': ":", '：': ":", '⁄': "/", '∕': "/", '→': "->", '⇒': "=>", '▁': "_",
}

// lookalikes maps letters to the Latin letter that they are drawn like.
var lookalikes = map[rune]rune{
	// Cyrillic
	'а': 'a', 'А': 'A', 'В': 'B', 'в': 'b', 'с': 'c', 'С': 'C', 'ԁ': 'd', 'е': 'e', 'Е': 'E', 'ё': 'e', 'һ': 'h', 'Н': 'H', 'н': 'h',
	'і': 'i', 'І': 'I', 'ї': 'i', 'ј': 'j', 'Ј': 'J', 'К': 'K', 'к': 'k', 'М': 'M', 'м': 'm', 'ո': 'n', 'о': 'o', 'О': 'O',
	'р': 'p', 'Р': 'P', 'ԛ': 'q', 'г': 'r', 'ѕ': 's', 'Ѕ': 'S', 'т': 't', 'Т': 'T', 'у': 'y', 'У': 'Y', 'ѵ': 'v', 'ѡ': 'w',
	'ԝ': 'w', 'х': 'x', 'Х': 'X', 'ү': 'y', 'ӏ': 'l', 'Ӏ': 'I', 'З': '3', 'з': '3', 'б': '6',
	// Greek
	'α': 'a', 'Α': 'A', 'Β': 'B', 'β': 'b', 'ϲ': 'c', 'ε': 'e', 'Ε': 'E', 'Η': 'H', 'η': 'n', 'ι': 'i', 'Ι': 'I', 'κ': 'k', 'Κ': 'K',
	'Μ': 'M', 'ν': 'v', 'Ν': 'N', 'ο': 'o', 'Ο': 'O', 'ρ': 'p', 'Ρ': 'P', 'σ': 'o', 'τ': 't', 'Τ': 'T', 'υ': 'u', 'Υ': 'Y',
	'χ': 'x', 'Χ': 'X', 'Ζ': 'Z', 'γ': 'y',
	// Armenian and others
	'օ': 'o', 'ѐ': 'e', 'ս': 'u', 'ց': 'g', 'հ': 'h', 'ⅼ': 'l', 'ɡ': 'g', 'ɑ': 'a', 'ı': 'i',
}

// foldLookalikes replaces every lookalike, in words of one script too.
func foldLookalikes(text string) string {
	return strings.Map(func(r rune) rune {
		if l := lookalikes[r]; l != 0 {
			return l
		}
		return r
	}, text)
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlnum(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
