package render

import (
	"strings"

	"reverie/theme"
)

// GlyphsFor chooses the marks for a terminal by its environment, given as
// os.Environ gives it: ASCII where the locale is not UTF-8 or is a CJK one, whose
// terminals may draw characters of ambiguous width in two cells. The first set of
// LC_ALL, LC_CTYPE and LANG decides. With none of them set, as over many SSH
// connections and on Windows, UTF-8 is taken for granted.
func GlyphsFor(env []string) theme.Glyphs {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = lookup(env, name); locale != "" {
			break
		}
	}
	if locale == "" {
		return theme.UnicodeGlyphs()
	}
	l := strings.ToLower(locale)
	language, _, _ := strings.Cut(l, "_")
	utf := strings.Contains(l, "utf-8") || strings.Contains(l, "utf8")
	if !utf || language == "ja" || language == "ko" || language == "zh" {
		return theme.ASCIIGlyphs()
	}
	return theme.UnicodeGlyphs()
}

// lookup is the last value of a variable in env, as the operating system has it.
func lookup(env []string, name string) string {
	value := ""
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			value = v
		}
	}
	return value
}
