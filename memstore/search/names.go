package search

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// How words that are written together, and identifiers, are cut into the
// terms that they are found by.

// compound appends what a stretch of a chunk is found by, which may be a
// word, or an identifier made of several: each part; the whole; stretches of
// it between the characters that do not belong to names, such as the file of
// a path; and these without their hyphens.
func compound(out []piece, f folded, atoms []atom) []piece {
	lo, hi := atoms[0].lo, atoms[len(atoms)-1].hi
	if out2, ok := contraction(out, f, lo, hi); ok {
		return out2
	}
	out = parts(out, f, lo, hi)
	// .NET and .env, C++ and C#.
	if lo == 1 && f.text[0] == '.' {
		lo = 0
	}
	for hi < len(f.text) && (f.text[hi] == '+' || f.text[hi] == '#') {
		hi++
	}
	out = names(out, f, lo, hi)
	if rest := f.text[:lo]; rest == "-" || rest == "--" {
		out = f.whole(out, 0, hi)
	}
	start := lo
	for i := lo; i <= hi; i++ {
		if i < hi && nameByte(f.text[i]) {
			continue
		}
		if start > lo || i < hi {
			out = names(out, f, start, i)
		}
		start = i + 1
	}
	return out
}

// nameByte says whether a byte belongs to names such as b.go or dry-run.
func nameByte(c byte) bool {
	return c >= utf8.RuneSelf || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '.' || c == '_' || c == '-' || c == '+' || c == '#'
}

// names appends a name of several parts as a whole, without the v of a
// version, and without hyphens.
func names(out []piece, f folded, lo, hi int) []piece {
	for lo < hi && (f.text[lo] == '-' || f.text[lo] == '_') {
		lo++
	}
	for lo < hi && strings.IndexByte("-_.", f.text[hi-1]) >= 0 {
		hi--
	}
	name := f.text[lo:hi]
	if len(name) < 2 || len(name) > longest || strings.IndexFunc(name, isWordRune) < 0 {
		return out
	}
	plain := strings.IndexFunc(name, func(r rune) bool { return !isWordRune(r) }) < 0
	if plain && !hasHump(name) {
		return out
	}
	out = f.whole(out, lo, hi)
	// C++20 is C++ too.
	for i := 1; i < len(name); i++ {
		if (name[i-1] == '+' || name[i-1] == '#') && '0' <= name[i] && name[i] <= '9' {
			out = f.whole(out, lo, lo+i)
			break
		}
	}
	if (name[0] == 'v' || name[0] == 'V') && name[1] >= '0' && name[1] <= '9' {
		out = f.whole(out, lo+1, hi)
	}
	joined := strings.Map(func(r rune) rune {
		switch r {
		case '-', '_', '\'', ',', '’', '‐', '‑':
			return -1
		}
		return r
	}, name)
	if joined != name && strings.IndexFunc(joined, func(r rune) bool { return !isWordRune(r) }) < 0 {
		out = f.add(out, stem(lower(joined)), lo, hi, true)
	}
	return out
}

// parts appends the words of a stretch: its runs of letters and digits, cut
// where a camel has its humps.
func parts(out []piece, f folded, lo, hi int) []piece {
	start := -1
	for i, r := range f.text[lo:hi] {
		if isWordRune(r) || r >= utf8.RuneSelf && unicode.Is(unicode.Cf, r) {
			if start < 0 {
				start = lo + i
			}
			continue
		}
		if start >= 0 {
			out = humps(out, f, start, lo+i)
			start = -1
		}
	}
	if start >= 0 {
		out = humps(out, f, start, hi)
	}
	return out
}

// humps appends the parts of fooBar and HTTPServer.
func humps(out []piece, f folded, lo, hi int) []piece {
	s := f.text[lo:hi]
	start := 0
	if hasHump(s) {
		for i := 1; i < len(s); i++ {
			if isHump(s, i) {
				out = f.word(out, lo+start, lo+i)
				start = i
			}
		}
	}
	return f.word(out, lo+start, hi)
}

func hasHump(s string) bool {
	for i := 1; i < len(s); i++ {
		if isHump(s, i) {
			return true
		}
	}
	return false
}

// isHump says whether a part of a camel begins at byte i > 0.
func isHump(s string, i int) bool {
	if s[i] < 'A' || s[i] > 'Z' {
		return false
	}
	before := s[i-1]
	if 'a' <= before && before <= 'z' || '0' <= before && before <= '9' {
		return true
	}
	return 'A' <= before && before <= 'Z' && i+1 < len(s) && 'a' <= s[i+1] && s[i+1] <= 'z' &&
		// URLs and IDs are one word, not UR-Ls.
		!(s[i+1] == 's' && i+2 == len(s))
}

// contraction handles what English writes with an apostrophe: the verb and a
// kept "not" for don't, the word alone for others.
func contraction(out []piece, f folded, lo, hi int) ([]piece, bool) {
	s := f.text[lo:hi]
	at := strings.IndexAny(s, "'’")
	if at <= 0 {
		return out, false
	}
	_, n := utf8.DecodeRuneInString(s[at:])
	switch base, suffix := s[:at], lower(s[at+n:]); suffix {
	case "s", "ll", "re", "ve", "d", "m":
		if strings.IndexFunc(base, func(r rune) bool { return !isWordRune(r) }) >= 0 {
			return out, false
		}
		return humps(out, f, lo, lo+at), true
	case "t":
		verb := lower(base)
		switch verb {
		case "can", "won", "shan":
		default:
			if !strings.HasSuffix(verb, "n") || strings.IndexFunc(verb, func(r rune) bool { return !isWordRune(r) }) >= 0 {
				return out, false
			}
			verb = verb[:len(verb)-1]
		}
		switch verb {
		case "won":
			verb = "will"
		case "shan":
			verb = "shall"
		}
		out = f.add(out, stem(verb), lo, hi, false)
		return f.add(out, "not", lo, hi, false), true
	}
	return out, false
}
