package theme

// Dusk is for dark backgrounds: soft greys, and one accent, a periwinkle. Its
// text roles have a contrast of at least 4.5:1 on backgrounds from black to
// Nord's #2e3440.
func Dusk() Theme {
	return build("dusk", true, palette{
		text: "#e4e2e8", dim: "#b6b4bf", faint: "#a19fac", rule: "#5b5966",
		accent: "#b3bcff", strong: "#ffffff", code: "#d9cdb8",
		good: "#9fd3a3", warn: "#e6c384", bad: "#f2a3a6",
		added: "#9fd3a3", removed: "#f2a3a6",
		selectedText: "#ffffff", selected: "#3b3a52",
		matchText: "#17161d", match: "#e6c384",
		keyword: "#b3bcff", typ: "#a5d0cf", function: "#d8cfff",
		str: "#b5d1a8", number: "#e0c5a0", comment: "#a19fac",
	}.paints())
}

// Dawn is for light backgrounds: soft blacks, and one accent, an indigo. Its
// text roles have a contrast of at least 4.5:1 on backgrounds from white to
// #eeeae0.
func Dawn() Theme {
	return build("dawn", false, palette{
		text: "#2b292c", dim: "#55525d", faint: "#65626e", rule: "#b5b1bd",
		accent: "#4a4fb0", strong: "#000000", code: "#6a4a1c",
		good: "#2a6a2e", warn: "#715200", bad: "#a93238",
		added: "#2a6a2e", removed: "#a93238",
		selectedText: "#16151a", selected: "#cfcdea",
		matchText: "#16151a", match: "#e6c384",
		keyword: "#4a4fb0", typ: "#1f656a", function: "#763d9a",
		str: "#2d6420", number: "#8a4a12", comment: "#65626e",
	}.paints())
}

// Mono uses no colour at all, only bold, dim, underline and reverse, for
// NO_COLOR and for terminals that have none.
func Mono() Theme {
	return build("mono", true, map[string]Paint{
		"dim":      {Faint: true},
		"faint":    {Faint: true},
		"accent":   {Bold: true},
		"user":     {Bold: true},
		"rule":     {Faint: true},
		"title":    {Bold: true},
		"warn":     {Bold: true},
		"bad":      {Bold: true},
		"added":    {Bold: true},
		"removed":  {Faint: true},
		"selected": {Reverse: true},
		"match":    {Underline: true},
		"link":     {Underline: true},
		"heading":  {Bold: true},
		"key":      {Bold: true},
		"strong":   {Bold: true},
		"emph":     {Underline: true},
		"keyword":  {Bold: true},
		"comment":  {Faint: true},
	})
}

// palette is what a theme with colours is made of.
type palette struct {
	text, dim, faint, rule, accent, strong, code string
	good, warn, bad, added, removed              string
	selectedText, selected, matchText, match     string
	keyword, typ, function, str, number, comment string
}

func (p palette) paints() map[string]Paint {
	return map[string]Paint{
		"text":      {Foreground: p.text},
		"dim":       {Foreground: p.dim},
		"faint":     {Foreground: p.faint},
		"accent":    {Foreground: p.accent},
		"user":      {Foreground: p.accent, Bold: true},
		"assistant": {Foreground: p.dim},
		"rule":      {Foreground: p.rule},
		"title":     {Foreground: p.text, Bold: true},
		"good":      {Foreground: p.good},
		"warn":      {Foreground: p.warn},
		"bad":       {Foreground: p.bad},
		"added":     {Foreground: p.added},
		"removed":   {Foreground: p.removed},
		"selected":  {Foreground: p.selectedText, Background: p.selected},
		"match":     {Foreground: p.matchText, Background: p.match},
		"code":      {Foreground: p.code},
		"codeblock": {Foreground: p.text},
		"link":      {Foreground: p.accent, Underline: true},
		"quote":     {Foreground: p.dim},
		"heading":   {Foreground: p.accent, Bold: true},
		"key":       {Foreground: p.text, Bold: true},
		"status":    {Foreground: p.dim},
		"strong":    {Foreground: p.strong, Bold: true},
		"emph":      {Foreground: p.text, Italic: true},
		"keyword":   {Foreground: p.keyword},
		"type":      {Foreground: p.typ},
		"function":  {Foreground: p.function},
		"string":    {Foreground: p.str},
		"number":    {Foreground: p.number},
		"comment":   {Foreground: p.comment, Italic: true},
	}
}
