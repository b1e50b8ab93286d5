package theme

import (
	"strings"

	"charm.land/glamour/v2/ansi"
	"github.com/alecthomas/chroma/v2"
)

// Markdown is the theme for Glamour, for text within paragraphs and headings.
// Blocks have no margin and no indentation in it: laying them out, and cleaning
// what goes in, is tui/render's. Where code has no colour or attribute of its
// own, it keeps its backticks, and what is struck out its tildes. The image style, which Reverie has no other use
// for, is the one of a link's target.
func (t Theme) Markdown() ansi.StyleConfig {
	yes := true
	code, gone := t.glamour("code"), ansi.StylePrimitive{CrossedOut: &yes}
	if code == (ansi.StylePrimitive{}) {
		code.Prefix, code.Suffix = "`", "`"
		gone = ansi.StylePrimitive{Prefix: "~~", Suffix: "~~"}
	}
	return ansi.StyleConfig{
		Document:      ansi.StyleBlock{StylePrimitive: t.glamour("text")},
		Heading:       ansi.StyleBlock{StylePrimitive: t.glamour("heading")},
		H1:            headingStyle(1),
		H2:            headingStyle(2),
		H3:            headingStyle(3),
		H4:            headingStyle(4),
		H5:            headingStyle(5),
		H6:            headingStyle(6),
		Strong:        t.glamour("strong"),
		Emph:          t.glamour("emph"),
		Strikethrough: gone,
		LinkText:      t.glamour("link"),
		Link:          t.glamour("link"),
		ImageText:     t.glamour("dim"),
		Image:         t.glamour("dim"),
		Code:          ansi.StyleBlock{StylePrimitive: code},
	}
}

// MarkdownQuote is Markdown for text inside a quote.
func (t Theme) MarkdownQuote() ansi.StyleConfig {
	c := t.Markdown()
	c.Document.StylePrimitive = t.glamour("quote")
	return c
}

// headingStyle keeps a heading's marks: they tell its level without colour, and
// what a terminal copies is Markdown still.
func headingStyle(level int) ansi.StyleBlock {
	return ansi.StyleBlock{StylePrimitive: ansi.StylePrimitive{Prefix: strings.Repeat("#", level) + " "}}
}

// glamour is a role as Glamour wants it. Glamour draws no faint text; roles
// that are only dim come out plain.
func (t Theme) glamour(name string) ansi.StylePrimitive {
	p := t.paints[name]
	var s ansi.StylePrimitive
	if p.Foreground != "" {
		s.Color = &p.Foreground
	}
	if p.Background != "" {
		s.BackgroundColor = &p.Background
	}
	set := func(on bool, to **bool) {
		if on {
			*to = &on
		}
	}
	set(p.Bold, &s.Bold)
	set(p.Italic, &s.Italic)
	set(p.Underline, &s.Underline)
	set(p.Reverse, &s.Inverse)
	set(p.Strike, &s.CrossedOut)
	return s
}

// Token is the look of a piece of source code of the kind that Chroma's lexers
// found, with the roles keyword, type, function, string, number, comment, added
// and removed, and codeblock for all else.
func (t Theme) Token(kind chroma.TokenType) Paint {
	return t.paints[tokenRole(kind)]
}

func tokenRole(kind chroma.TokenType) string {
	switch kind {
	case chroma.KeywordType, chroma.NameClass, chroma.NameTag, chroma.NameNamespace, chroma.NameException:
		return "type"
	case chroma.KeywordConstant, chroma.NameConstant:
		return "number"
	case chroma.NameFunction, chroma.NameFunctionMagic, chroma.NameDecorator, chroma.NameBuiltin:
		return "function"
	case chroma.NameAttribute, chroma.NameProperty:
		return "keyword"
	case chroma.GenericInserted:
		return "added"
	case chroma.GenericDeleted:
		return "removed"
	case chroma.GenericHeading, chroma.GenericSubheading:
		return "heading"
	}
	switch kind.Category() {
	case chroma.Keyword:
		return "keyword"
	case chroma.Comment:
		return "comment"
	}
	switch kind.SubCategory() {
	case chroma.LiteralString:
		return "string"
	case chroma.LiteralNumber:
		return "number"
	}
	return "codeblock"
}
