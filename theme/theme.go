// Package theme says how Reverie looks: colours and styles named by what they
// mean, for dark terminals (dusk), light ones (dawn) and terminals without
// colour (mono), and a user's own changes to any of them.
//
// It only describes. What is drawn with it is the panes' and tui/render's, and
// reducing colours to what a terminal can show is the terminal library's.
//
// A colour never carries a meaning alone: whatever is good, bad, added, removed
// or selected also says so by a word, a mark or an attribute.
package theme

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"
)

// Theme is a set of styles by meaning. It is a value: copying one is cheap, and
// changing a copy changes nothing else. Make one with Dusk, Dawn, Mono, Named,
// For or Load; the zero Theme draws plain text.
type Theme struct {
	// Name is what the setting and /theme call it.
	Name string
	// Dark says that the theme is made for dark backgrounds.
	Dark bool
	// Glyphs are the marks that go with the text. The built-in themes have
	// UnicodeGlyphs; where the terminal can't be trusted with those, set
	// ASCIIGlyphs.
	Glyphs Glyphs

	Text      lipgloss.Style // what people read
	Dim       lipgloss.Style // second to it: details, provenance, targets of links
	Faint     lipgloss.Style // least of all: hints, ages, placeholders
	Accent    lipgloss.Style // the one colour that leads the eye
	User      lipgloss.Style // the mark and name of the person
	Assistant lipgloss.Style // the mark and name of the model
	Rule      lipgloss.Style // lines between parts of the screen
	Title     lipgloss.Style // the name of a pane, a thread, a section
	Good      lipgloss.Style // it worked
	Warn      lipgloss.Style // look here before going on
	Bad       lipgloss.Style // it failed, or it can't be taken back
	Added     lipgloss.Style // text that a change brings
	Removed   lipgloss.Style // text that a change takes away
	Selected  lipgloss.Style // the line under the cursor of a list
	Match     lipgloss.Style // what a search found inside a text
	Code      lipgloss.Style // code within a sentence
	CodeBlock lipgloss.Style // code in a block of its own
	Link      lipgloss.Style // the text of a link
	Quote     lipgloss.Style // quoted text
	Heading   lipgloss.Style // headings inside a message
	Key       lipgloss.Style // a key to press
	Status    lipgloss.Style // what is going on, in rules and in the footer
	Strong    lipgloss.Style // strong emphasis inside a message
	Emph      lipgloss.Style // emphasis inside a message
	Keyword   lipgloss.Style // code: words of the language
	Type      lipgloss.Style // code: types, classes, tags
	Function  lipgloss.Style // code: names that are called
	String    lipgloss.Style // code: strings
	Number    lipgloss.Style // code: numbers and constants
	Comment   lipgloss.Style // code: comments

	paints map[string]Paint
}

// Paint is the look of one role. Colours are "#rrggbb", or "0" to "255" for a
// terminal's own palette; empty leaves the terminal's default.
type Paint struct {
	Foreground string `toml:"fg"`
	Background string `toml:"bg"`
	Bold       bool   `toml:"bold"`
	Italic     bool   `toml:"italic"`
	Underline  bool   `toml:"underline"`
	Faint      bool   `toml:"dim"`
	Reverse    bool   `toml:"reverse"`
	Strike     bool   `toml:"strike"`
}

// Style is the paint as a style.
func (p Paint) Style() lipgloss.Style {
	s := lipgloss.NewStyle()
	if p.Foreground != "" {
		s = s.Foreground(lipgloss.Color(p.Foreground))
	}
	if p.Background != "" {
		s = s.Background(lipgloss.Color(p.Background))
	}
	if p.Bold {
		s = s.Bold(true)
	}
	if p.Italic {
		s = s.Italic(true)
	}
	if p.Underline {
		s = s.Underline(true)
	}
	if p.Faint {
		s = s.Faint(true)
	}
	if p.Reverse {
		s = s.Reverse(true)
	}
	if p.Strike {
		s = s.Strikethrough(true)
	}
	return s
}

// role ties a role's name to its field.
type role struct {
	name  string
	style func(*Theme) *lipgloss.Style
}

// roles are all roles in the order in which the guide lists them.
var roles = []role{
	{"text", func(t *Theme) *lipgloss.Style { return &t.Text }},
	{"dim", func(t *Theme) *lipgloss.Style { return &t.Dim }},
	{"faint", func(t *Theme) *lipgloss.Style { return &t.Faint }},
	{"accent", func(t *Theme) *lipgloss.Style { return &t.Accent }},
	{"user", func(t *Theme) *lipgloss.Style { return &t.User }},
	{"assistant", func(t *Theme) *lipgloss.Style { return &t.Assistant }},
	{"rule", func(t *Theme) *lipgloss.Style { return &t.Rule }},
	{"title", func(t *Theme) *lipgloss.Style { return &t.Title }},
	{"good", func(t *Theme) *lipgloss.Style { return &t.Good }},
	{"warn", func(t *Theme) *lipgloss.Style { return &t.Warn }},
	{"bad", func(t *Theme) *lipgloss.Style { return &t.Bad }},
	{"added", func(t *Theme) *lipgloss.Style { return &t.Added }},
	{"removed", func(t *Theme) *lipgloss.Style { return &t.Removed }},
	{"selected", func(t *Theme) *lipgloss.Style { return &t.Selected }},
	{"match", func(t *Theme) *lipgloss.Style { return &t.Match }},
	{"code", func(t *Theme) *lipgloss.Style { return &t.Code }},
	{"codeblock", func(t *Theme) *lipgloss.Style { return &t.CodeBlock }},
	{"link", func(t *Theme) *lipgloss.Style { return &t.Link }},
	{"quote", func(t *Theme) *lipgloss.Style { return &t.Quote }},
	{"heading", func(t *Theme) *lipgloss.Style { return &t.Heading }},
	{"key", func(t *Theme) *lipgloss.Style { return &t.Key }},
	{"status", func(t *Theme) *lipgloss.Style { return &t.Status }},
	{"strong", func(t *Theme) *lipgloss.Style { return &t.Strong }},
	{"emph", func(t *Theme) *lipgloss.Style { return &t.Emph }},
	{"keyword", func(t *Theme) *lipgloss.Style { return &t.Keyword }},
	{"type", func(t *Theme) *lipgloss.Style { return &t.Type }},
	{"function", func(t *Theme) *lipgloss.Style { return &t.Function }},
	{"string", func(t *Theme) *lipgloss.Style { return &t.String }},
	{"number", func(t *Theme) *lipgloss.Style { return &t.Number }},
	{"comment", func(t *Theme) *lipgloss.Style { return &t.Comment }},
}

// Roles are the names of all roles, as a theme file calls them.
func Roles() []string {
	names := make([]string, len(roles))
	for i, r := range roles {
		names[i] = r.name
	}
	return names
}

// Paint is the look of the role called name; an unknown one is plain.
func (t Theme) Paint(name string) Paint { return t.paints[name] }

// build makes a theme of the paints of its roles.
func build(name string, dark bool, paints map[string]Paint) Theme {
	t := Theme{Name: name, Dark: dark, Glyphs: UnicodeGlyphs(), paints: paints}
	for _, r := range roles {
		*r.style(&t) = paints[r.name].Style()
	}
	return t
}

// Names are the names of the built-in themes.
func Names() []string { return []string{"dusk", "dawn", "mono"} }

// Named is the built-in theme of that name.
func Named(name string) (Theme, error) {
	switch strings.ToLower(name) {
	case "dusk":
		return Dusk(), nil
	case "dawn":
		return Dawn(), nil
	case "mono":
		return Mono(), nil
	}
	return Theme{}, fmt.Errorf("theme %q is unknown; did you mean %q? (there are %s)",
		name, nearest(name, Names()), strings.Join(Names(), ", "))
}

// For is the theme for a terminal when nobody chose one: mono where colours are
// unwanted, else the one made for its background.
func For(darkBackground, noColor bool) Theme {
	switch {
	case noColor:
		return Mono()
	case darkBackground:
		return Dusk()
	default:
		return Dawn()
	}
}
