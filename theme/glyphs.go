package theme

// Glyphs are the marks that stand beside text. Every one is a single cell wide
// in the terminals that its set is for, so both sets fill the same cells.
type Glyphs struct {
	Ellipsis   string // what was cut
	Horizontal string // a rule across
	Vertical   string // a rule down, and the bar before a quote
	Cross      string // where the two meet
	Bullet     string // an item of a list
	User       string // before what the person said
	Assistant  string // before what the model said
	Note       string // before what memory did
	Cursor     string // before the selected line
	Arrow      string // from one state to the next
	Prompt     string // before what is being typed
}

// UnicodeGlyphs are for terminals in a UTF-8 locale that draw characters of
// ambiguous width in one cell.
func UnicodeGlyphs() Glyphs {
	return Glyphs{
		Ellipsis: "…", Horizontal: "─", Vertical: "│", Cross: "┼",
		Bullet: "•",
		User:   "»", Assistant: "«", Note: "*", Cursor: "›", Arrow: "→", Prompt: ">",
	}
}

// ASCIIGlyphs are for every other terminal: CJK locales, where characters of
// ambiguous width may take two cells, and locales that are not UTF-8.
func ASCIIGlyphs() Glyphs {
	return Glyphs{
		Ellipsis: "~", Horizontal: "-", Vertical: "|", Cross: "+",
		Bullet: "-",
		User:   ">", Assistant: "<", Note: "*", Cursor: ">", Arrow: ">", Prompt: ">",
	}
}
