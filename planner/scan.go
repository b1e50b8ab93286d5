package planner

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class sorts tokens by what kind of value they can be.
type class uint8

const (
	word class = iota
	number
	version // a number with dots
	clock
	date
	weekday
	month
	path // an identifier whose spelling matters: a path, flag, address, name_with_marks
	sign // an operator or a question mark
)

// token is a word, number, identifier or operator of a text.
type token struct {
	text  string // as written, compatibility-composed
	norm  string // what it is compared by
	class class
	code  bool // it stood in backticks or quotes: spelling matters
	cap   bool // begins with a capital
	first bool // first of its clause
	pause bool // a comma, bracket or colon stood before it
	colon bool // a colon stood before it
	opens bool // a "we" that is dropped stood before it
	done  bool // a participle behind a form of "be": something is done to what stands before
	role  bool // what something is used as
	glued bool // a hyphen joins it to the word before
	drop  bool // carries no meaning of its own
}

// clause is a piece of text between full stops, semicolons, dashes or lines.
type clause []token

// scan splits a text into clauses of raw tokens: folded, without punctuation.
func scan(s string) []clause {
	sc := scanner{s: s}
	sc.run()
	return sc.out
}

type scanner struct {
	s     string
	i     int
	out   []clause
	cur   clause
	pause bool
	colon bool
	glued bool // a hyphen stood before the word at hand
	quote rune // the closing quote that is waited for; 0 outside
}

func (sc *scanner) peek(at int) rune {
	if at >= len(sc.s) {
		return 0
	}
	r, _ := utf8.DecodeRuneInString(sc.s[at:])
	return r
}

func (sc *scanner) before() rune {
	r, n := utf8.DecodeLastRuneInString(sc.s[:sc.i])
	if n == 0 {
		return ' '
	}
	return r
}

func (sc *scanner) end() {
	if len(sc.cur) > 0 {
		sc.out = append(sc.out, sc.cur)
	}
	sc.cur, sc.pause, sc.colon = nil, false, false
}

func (sc *scanner) emit(text string, c class) {
	if !ascii(text) {
		text = norm.NFKC.String(strings.ReplaceAll(text, "’", "'"))
	}
	t := token{text: text, class: c, code: sc.quote != 0, first: len(sc.cur) == 0, pause: sc.pause, colon: sc.colon}
	r, _ := utf8.DecodeRuneInString(t.text)
	t.cap = unicode.IsUpper(r)
	t.norm = strings.ReplaceAll(strings.ToLower(t.text), "ё", "е")
	if c == path {
		t.norm = t.text
	}
	t.glued = sc.glued && len(sc.cur) > 0
	sc.cur = append(sc.cur, t)
	sc.pause, sc.colon = false, false
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (sc *scanner) run() {
	for sc.i < len(sc.s) {
		r, n := utf8.DecodeRuneInString(sc.s[sc.i:])
		next := sc.peek(sc.i + n)
		switch {
		case isHan(r):
			sc.glued = false
			sc.emit(sc.s[sc.i:sc.i+n], word)
			sc.i += n
		case sc.wordStarts(r, next):
			sc.word()
		default:
			sc.mark(r, n, next)
			sc.i += n
		}
	}
	sc.end()
}

// isHan covers the scripts that are written without spaces; each of their
// characters is a token.
func isHan(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) || r == 'ー'
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsNumber(r) || r == '_' || r == '\u200d' || r == '\u200c'
}

func (sc *scanner) wordStarts(r, next rune) bool {
	if isWord(r) {
		return true
	}
	gap := !isWord(sc.before())
	switch r {
	case '/', '~', '.', '@', '#', '$', '€', '£', '¥':
		return gap && (isWord(next) || r != '#' && (next == '/' || next == '.' || next == '{'))
	case '-':
		return gap && (next == '-' || isWord(next)) && (sc.before() == ' ' || sc.before() == '`' || sc.i == 0) && sc.peek(sc.i+1) != ' '
	case '*':
		return gap && (next == '.' || next == '/')
	}
	return false
}

// word reads one word, number or identifier, whole.
func (sc *scanner) word() {
	start := sc.i
	sc.glued = sc.i > 1 && sc.s[sc.i-1] == '-' && sc.s[sc.i-2] != ' '
	r, n := utf8.DecodeRuneInString(sc.s[sc.i:])
	lead := !isWord(r)
	ident := lead || r == '_'
	sc.i += n
	for sc.i < len(sc.s) {
		r, n := utf8.DecodeRuneInString(sc.s[sc.i:])
		next := sc.peek(sc.i + n)
		prev := sc.before()
		switch {
		case isHan(r):
			sc.finish(start, ident)
			return
		case isWord(r):
			ident = ident || r == '_'
		case r == '.' && isWord(next) && !unicode.IsSpace(next):
		case (r == '\'' || r == '’') && unicode.IsLetter(next) && unicode.IsLetter(prev):
		case r == '/' && isWord(prev) && (next == 0 || unicode.IsSpace(next) || strings.ContainsRune(".,;:)`\"'", next)):
			ident = true
		case (r == '/' || r == '\\') && (isWord(prev) || prev == '.' || prev == '/' || prev == ':' || prev == '~' || prev == '*') && !unicode.IsSpace(next) && next != 0:
			ident = true
		case (r == '-' || r == '–') && ident && (isWord(next) || next == '-'):
		case (r == '-' || r == '–') && unicode.IsDigit(prev) && unicode.IsDigit(next):
			// A range or an ISO date.
		case r == ':' && (unicode.IsDigit(prev) && unicode.IsDigit(next) || next == '/' && sc.peek(sc.i+2) == '/' || ident && isWord(next)):
			ident = ident || next == '/'
		case r == ':' && next == ':':
			ident = true
		case r == ':' && prev == ':':
		case r == ',' && unicode.IsDigit(prev) && unicode.IsDigit(next):
		case r == '@' && isWord(next):
			ident = true
		case strings.ContainsRune("?&=%{}*+#<>[]()", r) && ident && !unicode.IsSpace(next) && next != 0:
		case (r == '+' || r == '#') && !isWord(next) && !sc.digitBefore():
			// C++, C#
		case r == '(' && sc.call() > 0:
			ident = true
			sc.i += sc.call()
		default:
			sc.finish(start, ident)
			return
		}
		sc.i += n
	}
	sc.finish(start, ident)
}

// call is how far the bracket that closes a call without spaces, such as
// f(x), is away; 0 where the bracket at hand opens something else.
func (sc *scanner) call() int {
	ahead := sc.s[sc.i:min(sc.i+64, len(sc.s))]
	end := strings.IndexByte(ahead, ')')
	if end < 0 || strings.ContainsAny(ahead[:end], " \n") {
		return 0
	}
	return end
}

func (sc *scanner) digitBefore() bool { return unicode.IsDigit(sc.before()) }

func (sc *scanner) finish(start int, ident bool) {
	text := sc.s[start:sc.i]
	if ident {
		trimmed := strings.TrimRight(text, ".:?!,-")
		if trimmed != "" {
			sc.i -= len(text) - len(trimmed)
			text = trimmed
		}
	}
	sc.emit(text, classify(text, ident))
}

// classify decides by form alone.
func classify(text string, ident bool) class {
	if ident {
		return path
	}
	r, _ := utf8.DecodeRuneInString(text)
	if unicode.IsDigit(r) {
		switch {
		case strings.Contains(text, ":"):
			return clock
		case strings.Count(text, "-") == 2:
			return date
		case strings.Contains(text, "."):
			return version
		}
		return number
	}
	return camel(text)
}

// camel finds names such as parseURL, whose first letter's case means
// something. A capital first, as in PostgreSQL, is the spelling of a name.
func camel(text string) class {
	r, n := utf8.DecodeRuneInString(text)
	if !unicode.IsLower(r) || strings.ContainsAny(text, "'’") {
		return word
	}
	for _, r := range text[n:] {
		if unicode.IsUpper(r) {
			switch strings.ToLower(text) {
			case "ios", "macos", "iphone", "ipad", "ebay", "npm", "graphql":
				return word
			}
			return path
		}
	}
	return word
}

// mark handles one character that is in no word.
func (sc *scanner) mark(r rune, n int, next rune) {
	spaced := unicode.IsSpace(sc.before()) && unicode.IsSpace(next)
	switch r {
	case '\n', '\r', ';', '；', '。', '！', '!', '؛', '।':
		if (r == '!') && (next == '=' || isWord(next)) {
			sc.emit("!", sign)
			return
		}
		sc.end()
	case '.':
		if !sc.abbreviated() {
			sc.end()
		}
	case '?', '？', '؟':
		sc.emit("?", sign)
		sc.end()
	case ',', '，', '、', '،', '(', ')', '（', '）', '[', ']', ':', '：', '{', '}':
		sc.pause = true
		sc.colon = r == ':' || r == '：'
	case '–', '—':
		if spaced || r == '—' {
			sc.end()
		} else {
			sc.pause = true
		}
	case '-':
		if spaced && len(sc.cur) > 0 {
			sc.end()
		} else if next == '>' {
			sc.emit("->", sign)
			sc.i++
		}
	case '`', '"', '“', '”', '„', '«', '»', '「', '」', '『', '』':
		sc.quoted(r)
	case '<', '>', '=', '≤', '≥', '≠', '+', '&', '|', '^', '%', '~', '±', '→', '⇒', '°', '×', '÷', '§', '$', '€', '£', '¥':
		sc.emit(string(r), sign)
	case '*', '#', '/', '\\', '@':
		if spaced && len(sc.cur) > 0 {
			sc.emit(string(r), sign)
		}
	default:
		// Symbols and emoji carry meaning; other punctuation and spaces don't.
		if unicode.In(r, unicode.So, unicode.Sm, unicode.Sc) {
			sc.emit(string(r), sign)
		}
	}
}

func (sc *scanner) quoted(r rune) {
	if sc.quote != 0 {
		if r == sc.quote || sc.quote == '“' && r == '”' || sc.quote == '„' && r == '“' {
			sc.quote = 0
		}
		return
	}
	closing := map[rune]rune{'`': '`', '"': '"', '“': '”', '„': '“', '«': '»', '「': '」', '『': '』'}
	c, ok := closing[r]
	if !ok {
		return
	}
	// A quote that never closes on its line, or only far away, quotes nothing.
	line := sc.s[sc.i+utf8.RuneLen(r):]
	line = line[:min(len(line), 2000)]
	if j := strings.IndexByte(line, '\n'); j >= 0 {
		line = line[:j]
	}
	if strings.ContainsRune(line, c) {
		sc.quote = c
	}
}

// abbreviated says whether the full stop at hand ends an abbreviation and not
// a sentence.
func (sc *scanner) abbreviated() bool {
	if len(sc.cur) == 0 || isHan(sc.before()) {
		return false
	}
	last := strings.ToLower(sc.cur[len(sc.cur)-1].text)
	if utf8.RuneCountInString(last) == 1 && unicode.IsLetter([]rune(last)[0]) {
		return strings.TrimSpace(sc.s[sc.i+1:]) != ""
	}
	return abbreviations[last] && strings.TrimSpace(sc.s[sc.i+1:]) != ""
}

var abbreviations = set("dr mr mrs ms prof st vs approx e.g i.e z.b bzw ca inkl usw no nr jan feb mar apr jun jul aug sep sept oct nov dec a.m p.m sr sra dott sig")

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
