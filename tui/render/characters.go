package render

import "unicode"

const (
	zwnj = '\u200c'
	zwj  = '\u200d'
	vs15 = '\ufe0e'
	vs16 = '\ufe0f'
)

// hidden tells whether r shows nothing and does nothing that a reader needs:
// directional controls, zero-width spaces, fillers, tags, annotation and format
// controls. They are Unicode's Default_Ignorable_Code_Point without the joiners
// and variation selectors, for which it depends on the place, plus Bidi_Control
// and the interlinear annotation characters.
func hidden(r rune) bool { return unicode.Is(hiddenTable, r) }

var hiddenTable = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00ad, Hi: 0x00ad, Stride: 1}, // soft hyphen
		{Lo: 0x034f, Hi: 0x034f, Stride: 1}, // combining grapheme joiner
		{Lo: 0x061c, Hi: 0x061c, Stride: 1}, // Arabic letter mark
		{Lo: 0x115f, Hi: 0x1160, Stride: 1}, // Hangul fillers
		{Lo: 0x17b4, Hi: 0x17b5, Stride: 1}, // Khmer inherent vowels
		{Lo: 0x180e, Hi: 0x180e, Stride: 1}, // Mongolian vowel separator
		{Lo: 0x200b, Hi: 0x200b, Stride: 1}, // zero width space
		{Lo: 0x200e, Hi: 0x200f, Stride: 1}, // direction marks
		{Lo: 0x202a, Hi: 0x202e, Stride: 1}, // embeddings and overrides
		{Lo: 0x2060, Hi: 0x206f, Stride: 1}, // word joiner, isolates, deprecated controls
		{Lo: 0x3164, Hi: 0x3164, Stride: 1}, // Hangul filler
		{Lo: 0xfeff, Hi: 0xfeff, Stride: 1}, // byte order mark
		{Lo: 0xffa0, Hi: 0xffa0, Stride: 1}, // halfwidth Hangul filler
		{Lo: 0xfff0, Hi: 0xfffb, Stride: 1}, // interlinear annotation
	},
	R32: []unicode.Range32{
		{Lo: 0x1bca0, Hi: 0x1bca3, Stride: 1}, // shorthand format controls
		{Lo: 0x1d173, Hi: 0x1d17a, Stride: 1}, // musical format controls
		{Lo: 0xe0000, Hi: 0xe00ff, Stride: 1}, // tags
		{Lo: 0xe01f0, Hi: 0xe0fff, Stride: 1}, // reserved beside them
	},
	LatinOffset: 1,
}

// nonCharacter tells whether r is one of the code points that Unicode keeps for
// no character.
func nonCharacter(r rune) bool { return r&0xfffe == 0xfffe || r >= 0xfdd0 && r <= 0xfdef }

// pictographic tells whether r can be part of an emoji sequence: Unicode's
// Extended_Pictographic, rounded up to whole blocks where the rest of a block is
// symbols too.
func pictographic(r rune) bool { return unicode.Is(pictographicTable, r) }

var pictographicTable = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x00a9, Hi: 0x00ae, Stride: 5},
		{Lo: 0x203c, Hi: 0x2049, Stride: 13},
		{Lo: 0x2122, Hi: 0x2139, Stride: 23},
		{Lo: 0x2194, Hi: 0x21aa, Stride: 1},
		{Lo: 0x231a, Hi: 0x23ff, Stride: 1},
		{Lo: 0x24c2, Hi: 0x24c2, Stride: 1},
		{Lo: 0x25aa, Hi: 0x25fe, Stride: 1},
		{Lo: 0x2600, Hi: 0x27bf, Stride: 1},
		{Lo: 0x2934, Hi: 0x2935, Stride: 1},
		{Lo: 0x2b05, Hi: 0x2b55, Stride: 1},
		{Lo: 0x3030, Hi: 0x303d, Stride: 13},
		{Lo: 0x3297, Hi: 0x3299, Stride: 2},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f000, Hi: 0x1f3fa, Stride: 1},
		{Lo: 0x1f400, Hi: 0x1faff, Stride: 1},
		{Lo: 0x1fc00, Hi: 0x1fffd, Stride: 1},
	},
	LatinOffset: 1,
}

func skinTone(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }

// keycap tells whether r can carry an emoji keycap.
func keycap(r rune) bool { return r >= '0' && r <= '9' || r == '#' || r == '*' }

// joining tells whether r is a letter or mark of a script in which joiners
// change how a word is written.
func joining(r rune) bool {
	return r >= 0x600 && unicode.In(r, unicode.L, unicode.M) && unicode.In(r,
		unicode.Arabic, unicode.Syriac, unicode.Mandaic, unicode.Mongolian, unicode.Nko, unicode.Phags_Pa,
		unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya,
		unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala,
		unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Balinese, unicode.Javanese,
		unicode.Inherited)
}
