package guard

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// hiddenCharacter returns the first character of text that hides something
// from a reader, and its position counted in characters from 1. Position 0
// means that there is none.
//
// Hidden are controls other than tab, newline and carriage return; characters
// that turn the direction of text; characters without width; tag characters;
// variation selectors; separators of lines and paragraphs that look like
// spaces; and code points that are never characters. Kept are joiners inside
// words of the scripts that use them and in emoji, one direction mark in a line
// with right-to-left letters, variation selectors after what they vary, and the
// tags of the flags of England, Scotland and Wales. Private use characters and
// ones newer than Go's tables are drawn, as a box at least, and pass.
func hiddenCharacter(text string) (r rune, position int) {
	n := 0
	lineEnd, rtl := 0, false // of the line that last had a direction mark
	for i, r := range text {
		n++
		if r >= 0x20 && r < 0x7F || r == '\n' || r == '\t' || r == '\r' {
			continue
		}
		if !isHidden(r) {
			continue
		}
		if isDirectionMark(r) {
			if i >= lineEnd {
				lineEnd, rtl = lineAt(text, i)
			}
			if rtl && isLone(text, i, r) {
				continue
			}
		} else if isNeeded(text, i, r) {
			continue
		}
		return r, n
	}
	return 0, 0
}

func hiddenReason(r rune, position int) string {
	return fmt.Sprintf("character %d is U+%04X, which readers can't see; remove it and save again", position, r)
}

func isHidden(r rune) bool {
	switch {
	case r == 0x06DD || r == 0x070F || r == 0x08E2 || r >= 0x0600 && r <= 0x0605 || r == 0x0890 || r == 0x0891 || r == 0x110BD || r == 0x110CD:
		return false // signs of Arabic, Syriac and Kaithi that are drawn
	case isInvisible(r), unicode.Is(unicode.Cc, r), unicode.Is(unicode.Cf, r):
		return true
	case r == 0x2028, r == 0x2029:
		return true
	case r >= 0xFDD0 && r <= 0xFDEF, r&0xFFFE == 0xFFFE:
		return true
	}
	return false
}

// isNeeded reports whether a hidden character at offset i of text is one that
// the writing around it needs.
func isNeeded(text string, i int, r rune) bool {
	before, after := text[:i], text[i+utf8.RuneLen(r):]
	prev, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case r == 0x200C:
		return isJoined(prev) && isJoined(next)
	case r == 0x200D:
		return isJoined(prev) && !isInvisible(next) || isEmoji(next) && isEmoji(emojiBefore(before))
	case r == 0x200B:
		return unicode.In(prev, wordBreakScripts...) && unicode.In(next, wordBreakScripts...)
	case r == 0xFE0E, r == 0xFE0F:
		return isEmoji(prev) || next == 0x20E3 && (prev == '#' || prev == '*' || prev >= '0' && prev <= '9')
	case r >= 0xFE00 && r <= 0xFE02:
		return unicode.In(prev, unicode.Han, unicode.Sm, unicode.Myanmar, unicode.Phags_Pa)
	case r >= 0xE0100 && r <= 0xE01EF:
		return unicode.Is(unicode.Han, prev)
	case r >= 0x180B && r <= 0x180F:
		return unicode.Is(unicode.Mongolian, prev) && !isInvisible(prev) || unicode.Is(unicode.Mongolian, next) && !isInvisible(next)
	case r >= 0xE0020 && r <= 0xE007F:
		return inFlag(text, i)
	case r == 0x115F, r == 0x1160:
		return isOldJamo(prev) || isOldJamo(next)
	}
	return false
}

// joinerScripts are those whose words may need a joiner or a non-joiner.
var joinerScripts = []*unicode.RangeTable{
	unicode.Arabic, unicode.Syriac, unicode.Nko, unicode.Mandaic, unicode.Mongolian, unicode.Phags_Pa,
	unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil,
	unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala, unicode.Khmer, unicode.Myanmar,
	unicode.Balinese, unicode.Javanese, unicode.Grantha, unicode.Newa, unicode.Tirhuta, unicode.Modi,
}

// wordBreakScripts are written without spaces; a zero-width space marks where
// lines may break.
var wordBreakScripts = []*unicode.RangeTable{
	unicode.Khmer, unicode.Thai, unicode.Lao, unicode.Myanmar, unicode.Tai_Tham, unicode.Tibetan,
}

func isJoined(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsMark(r)) && unicode.In(r, joinerScripts...)
}

// emojiBefore returns the last rune of before, past a variation selector and a
// skin tone.
func emojiBefore(before string) rune {
	r, size := utf8.DecodeLastRuneInString(before)
	if r == 0xFE0F {
		before = before[:len(before)-size]
		r, size = utf8.DecodeLastRuneInString(before)
	}
	if r >= 0x1F3FB && r <= 0x1F3FF && len(before) > size {
		r, _ = utf8.DecodeLastRuneInString(before[:len(before)-size])
	}
	return r
}

// isEmoji reports code points of the blocks that have emoji and other pictures.
func isEmoji(r rune) bool {
	switch {
	case r >= 0x1F000 && r <= 0x1FAFF, r >= 0x2600 && r <= 0x27BF, r >= 0x2190 && r <= 0x23FF,
		r >= 0x2460 && r <= 0x25FF, r >= 0x2B00 && r <= 0x2BFF, r >= 0x2934 && r <= 0x2935,
		r == 0xA9, r == 0xAE, r == 0x203C, r == 0x2049, r == 0x2122, r == 0x2139,
		r == 0x3030, r == 0x303D, r == 0x3297, r == 0x3299:
		return true
	}
	return false
}

// flags are the sub-regions whose flags are tag sequences.
var flags = []string{"gbeng", "gbsct", "gbwls"}

// inFlag reports whether the tag character at offset i belongs to a flag: a
// black flag, the tags of a sub-region, and the closing tag.
func inFlag(text string, i int) bool {
	start := i
	for {
		r, size := utf8.DecodeLastRuneInString(text[:start])
		if r < 0xE0020 || r > 0xE007F {
			if r != 0x1F3F4 {
				return false
			}
			break
		}
		if start -= size; i-start > 6*4 {
			return false
		}
	}
	for _, name := range flags {
		want := make([]rune, 0, len(name)+1)
		for _, c := range name {
			want = append(want, 0xE0000+c)
		}
		want = append(want, 0xE007F)
		if rest := text[start:]; len(rest) >= 4*len(want) && rest[:4*len(want)] == string(want) {
			return i < start+4*len(want)
		}
	}
	return false
}

func isDirectionMark(r rune) bool { return r == 0x200E || r == 0x200F || r == 0x061C }

// isLone reports that no other invisible character is beside the one at i.
func isLone(text string, i int, r rune) bool {
	prev, _ := utf8.DecodeLastRuneInString(text[:i])
	next, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
	return !isInvisible(prev) && !isInvisible(next)
}

// lineAt returns where the line around offset i ends, and whether it has
// right-to-left letters.
func lineAt(text string, i int) (end int, rtl bool) {
	start := strings.LastIndexByte(text[:i], '\n') + 1
	end = len(text)
	if j := strings.IndexByte(text[i:], '\n'); j >= 0 {
		end = i + j
	}
	return end, strings.ContainsFunc(text[start:end], isRightToLeft)
}

func isRightToLeft(r rune) bool {
	return unicode.IsLetter(r) && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam, unicode.Samaritan, unicode.Mandaic)
}

// isOldJamo reports conjoining letters of Korean, other than the fillers.
func isOldJamo(r rune) bool {
	return r >= 0x1100 && r <= 0x11FF && r != 0x115F && r != 0x1160
}
