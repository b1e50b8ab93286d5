package theme

import (
	"image/color"
	"math"
	"reflect"
	"strings"
	"testing"

	"charm.land/lipgloss/v2"
	"github.com/alecthomas/chroma/v2"
	"github.com/charmbracelet/colorprofile"
)

// backgrounds are what people have behind their text: the extremes, and the
// backgrounds of color schemes in wide use (VS Code, One, Tokyo Night, Monokai,
// Solarized, Dracula, Nord; Solarized, Catppuccin, GitHub, paper tones).
var backgrounds = map[string][]string{
	"dusk": {"#000000", "#0d1117", "#1a1b26", "#1e1e1e", "#002b36", "#272822", "#282a36", "#282c34", "#2e3440"},
	"dawn": {"#ffffff", "#fafafa", "#f6f8fa", "#fdf6e3", "#eff1f5", "#f2efe6", "#eeeae0"},
}

// decoration are the roles that draw lines, not text.
var decoration = map[string]bool{"rule": true}

// luminance is WCAG 2's relative luminance
// (https://www.w3.org/TR/WCAG22/#dfn-relative-luminance).
func luminance(c color.Color) float64 {
	linear := func(v uint32) float64 {
		s := float64(v) / 0xffff
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	r, g, b, _ := c.RGBA()
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// contrast is WCAG 2's contrast ratio
// (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
func contrast(a, b color.Color) float64 {
	x, y := luminance(a), luminance(b)
	if x < y {
		x, y = y, x
	}
	return (x + 0.05) / (y + 0.05)
}

func TestContrastIsThatOfTheStandard(t *testing.T) {
	t.Parallel()
	if got := contrast(color.Black, color.White); math.Abs(got-21) > 0.001 {
		t.Errorf("black on white is %v", got)
	}
	// #767676 is the lightest grey that passes on white.
	if got := contrast(lipgloss.Color("#767676"), color.White); got < 4.5 || got > 4.6 {
		t.Errorf("#767676 on white is %v", got)
	}
}

func TestEveryTextHasEnoughContrast(t *testing.T) {
	t.Parallel()
	for _, theme := range []Theme{Dusk(), Dawn()} {
		for _, role := range Roles() {
			p := theme.Paint(role)
			if decoration[role] {
				continue
			}
			if p.Foreground == "" {
				t.Errorf("%s: %s has no colour of its own", theme.Name, role)
			}
			behind := backgrounds[theme.Name]
			if p.Background != "" {
				behind = []string{p.Background}
			}
			for _, b := range behind {
				if c := contrast(lipgloss.Color(p.Foreground), lipgloss.Color(b)); c < 4.5 {
					t.Errorf("%s: %s (%s) has %.2f:1 on %s", theme.Name, role, p.Foreground, c, b)
				}
			}
		}
	}
}

func TestEveryTextIsSeenWithSixteenColours(t *testing.T) {
	t.Parallel()
	convert := func(c string) color.Color { return colorprofile.ANSI.Convert(lipgloss.Color(c)) }
	for _, theme := range []Theme{Dusk(), Dawn()} {
		behind := color.Color(lipgloss.Black)
		if !theme.Dark {
			behind = lipgloss.BrightWhite
		}
		for _, role := range Roles() {
			p := theme.Paint(role)
			if p.Background != "" {
				if own := convert(p.Background); convert(p.Foreground) == own || own == behind {
					t.Errorf("%s: %s is %v on %v, on a screen of %v", theme.Name, role, convert(p.Foreground), own, behind)
				}
				continue
			}
			if got := convert(p.Foreground); got == behind {
				t.Errorf("%s: %s (%s) is %v, as its background", theme.Name, role, p.Foreground, got)
			}
		}
	}
}

func TestOppositesDifferWithSixteenColours(t *testing.T) {
	t.Parallel()
	for _, theme := range []Theme{Dusk(), Dawn()} {
		for _, pair := range [][2]string{{"good", "bad"}, {"good", "warn"}, {"warn", "bad"}, {"added", "removed"}, {"text", "accent"}, {"text", "dim"}} {
			a := colorprofile.ANSI.Convert(lipgloss.Color(theme.Paint(pair[0]).Foreground))
			b := colorprofile.ANSI.Convert(lipgloss.Color(theme.Paint(pair[1]).Foreground))
			if a == b {
				t.Errorf("%s: %s and %s are both %v", theme.Name, pair[0], pair[1], a)
			}
		}
	}
}

func TestMonoHasNoColour(t *testing.T) {
	t.Parallel()
	theme := Mono()
	for _, role := range Roles() {
		p := theme.Paint(role)
		if p.Foreground != "" || p.Background != "" || p.Italic || p.Strike {
			t.Errorf("%s is %+v", role, p)
		}
	}
	for _, pair := range [][2]string{{"added", "removed"}, {"selected", "text"}, {"match", "text"}, {"link", "text"}, {"heading", "text"}} {
		if theme.Paint(pair[0]) == theme.Paint(pair[1]) {
			t.Errorf("%s looks like %s", pair[0], pair[1])
		}
	}
}

func TestEveryRoleHasItsStyle(t *testing.T) {
	t.Parallel()
	fields := 0
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Theme]()) {
		if f.Type == reflect.TypeFor[lipgloss.Style]() {
			fields++
			if !strings.Contains(strings.Join(Roles(), " ")+" ", strings.ToLower(f.Name)+" ") {
				t.Errorf("%s is no role", f.Name)
			}
		}
	}
	if fields != len(Roles()) {
		t.Errorf("there are %d styles and %d roles", fields, len(Roles()))
	}
	dusk := Dusk()
	for _, r := range roles {
		if got, want := r.style(&dusk).GetForeground(), lipgloss.Color(dusk.Paint(r.name).Foreground); got != want {
			t.Errorf("%s is drawn in %v, not %v", r.name, got, want)
		}
	}
}

func TestAThemeIsFoundByItsName(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		theme, err := Named(name)
		if err != nil || theme.Name != name {
			t.Errorf("%s: %v, %v", name, theme.Name, err)
		}
	}
	if _, err := Named("dask"); err == nil || !strings.Contains(err.Error(), `"dusk"`) {
		t.Errorf("an unknown name gives %v", err)
	}
}

func TestTheThemeFitsTheTerminal(t *testing.T) {
	t.Parallel()
	tests := []struct {
		dark, noColor bool
		want          string
	}{{true, false, "dusk"}, {false, false, "dawn"}, {true, true, "mono"}, {false, true, "mono"}}
	for _, test := range tests {
		if got := For(test.dark, test.noColor).Name; got != test.want {
			t.Errorf("For(%v, %v) is %s, not %s", test.dark, test.noColor, got, test.want)
		}
	}
}

func TestCodeIsColouredFromTheSamePalette(t *testing.T) {
	t.Parallel()
	dusk := Dusk()
	tests := map[chroma.TokenType]string{
		chroma.KeywordDeclaration: "keyword", chroma.KeywordType: "type", chroma.NameFunction: "function",
		chroma.LiteralStringDouble: "string", chroma.LiteralNumberHex: "number", chroma.CommentSingle: "comment",
		chroma.GenericInserted: "added", chroma.GenericDeleted: "removed", chroma.Text: "codeblock", chroma.Error: "codeblock",
	}
	for kind, role := range tests {
		if got, want := dusk.Token(kind), dusk.Paint(role); got != want {
			t.Errorf("%v is %+v, not %+v", kind, got, want)
		}
	}
}

func TestMarkdownKeepsItsMarksWhereThereIsNoColour(t *testing.T) {
	t.Parallel()
	if c := Dusk().Markdown(); c.Code.Prefix != "" || *c.Code.Color != Dusk().Paint("code").Foreground {
		t.Errorf("code in dusk is %+v", c.Code)
	}
	c := Mono().Markdown()
	if c.Code.Prefix != "`" || c.Code.Suffix != "`" || c.Strikethrough.Prefix != "~~" {
		t.Errorf("code in mono is %+v, struck out %+v", c.Code, c.Strikethrough)
	}
	if c.H2.Prefix != "## " {
		t.Errorf("a second heading begins with %q", c.H2.Prefix)
	}
	if q := Dusk().MarkdownQuote(); *q.Document.Color != Dusk().Paint("quote").Foreground {
		t.Errorf("quoted text is %+v", q.Document)
	}
}

func TestBothSetsOfGlyphsFillTheSameCells(t *testing.T) {
	t.Parallel()
	unicode, ascii := reflect.ValueOf(UnicodeGlyphs()), reflect.ValueOf(ASCIIGlyphs())
	for i := range unicode.NumField() {
		name := unicode.Type().Field(i).Name
		u, a := unicode.Field(i).String(), ascii.Field(i).String()
		if lipgloss.Width(u) != 1 || len(a) != 1 || a[0] >= 0x80 {
			t.Errorf("%s is %q and %q", name, u, a)
		}
	}
}
