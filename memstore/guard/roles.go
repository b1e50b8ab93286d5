package guard

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// roleReasons has the rules on text that poses as an instruction to a model.
// They hold for every writer but a person.
var roleReasons = map[string]string{
	"fake-turn":     "a line poses as a turn of a conversation; save the fact in a plain sentence instead",
	"chat-template": "it has a token that models use to mark turns; describe the token in words instead",
	"tool-call":     "it has the syntax of a tool call; describe the call in words instead",
	"role-override": "it tells a model to drop or hide its instructions; save the fact itself, without orders to a model",
}

// A roleRule is one form of posing. Words are as in a secretRule. The
// expression sees a copy in lower case with its disguises undone; when judges
// that copy as a whole before it, accept each match after it.
type roleRule struct {
	name   string
	words  []string
	re     func() *regexp.Regexp
	when   func(text string) bool // nil: always
	accept func(text string, match []int) bool
}

func (r roleRule) matches(text string) bool {
	if r.when != nil && !r.when(text) {
		return false
	}
	if r.accept == nil {
		return r.re().MatchString(text)
	}
	for _, m := range r.re().FindAllStringSubmatchIndex(text, -1) {
		if r.accept(text, m) {
			return true
		}
	}
	return false
}

var roleRules = slices.Concat(englishRoles, foreignRoles)

var roleGate = sync.OnceValue(func() *gate {
	groups := make([][]string, 0, len(roleRules))
	for _, r := range roleRules {
		groups = append(groups, r.words)
	}
	return newGate(groups)
})

// roleOverride returns the rule by which text poses as an instruction to a
// model, or nothing.
func roleOverride(text string) string {
	folded := fold(text).text
	plain := strings.ToLower(folded)
	if rule := matchRoles(plain); rule != "" {
		return rule
	}
	if split := splitCamel(folded); split != folded {
		if rule := matchRoles(strings.ToLower(split)); rule != "" {
			return rule
		}
	}
	for _, undo := range disguises {
		if other := undo(plain); other != plain {
			if rule := matchRoles(other); rule != "" {
				return rule
			}
		}
	}
	return ""
}

func matchRoles(text string) string {
	present := roleGate().find(text)
	if present.empty() {
		return ""
	}
	for i, rule := range roleRules {
		if present.has(i) && rule.matches(text) {
			return rule.name
		}
	}
	return ""
}

// splitCamel sets the words of long names in camel case apart.
func splitCamel(s string) string {
	humps := 0
	for i := 1; i < len(s) && humps < 2; i++ {
		if 'A' <= s[i] && s[i] <= 'Z' && 'a' <= s[i-1] && s[i-1] <= 'z' {
			humps++
		}
	}
	if humps < 2 {
		return s
	}
	return camelName.ReplaceAllStringFunc(s, func(name string) string {
		return camelWord.ReplaceAllString(name, " $0")
	})
}

var (
	camelName = regexp.MustCompile(`\b[A-Za-z][a-z]+(?:[A-Z][a-z]+){2,}\b`)
	camelWord = regexp.MustCompile(`[A-Z]`)
)

// disguises each undo one way of hiding a phrase that fold leaves, in a text
// that fold and lower case went over. They return the text itself where they
// find nothing to undo.
var disguises = []func(string) string{
	stripMarkup,
	func(s string) string {
		if strings.IndexByte(s, '&') < 0 {
			return s
		}
		return html.UnescapeString(s)
	},
	func(s string) string {
		if isASCII(s) {
			return s
		}
		return foldLookalikes(s)
	},
	undoDigits,
	joinLetters,
	func(s string) string {
		if strings.IndexByte(s, '<') < 0 {
			return s
		}
		return markupComment.ReplaceAllString(s, "")
	},
}

var markupComment = regexp.MustCompile(`<!--[^>]{0,200}?-->|<[/a-z][^<>]{0,60}>`)

// stripMarkup removes Markdown's marks inside sentences and turns underscores
// into spaces. Marks at the start of a line, which make lists and headings,
// stay.
func stripMarkup(s string) string {
	if !strings.ContainsAny(s, "*`~_\\") {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch r {
		case '*', '`', '~', '\\':
			return -1
		case '_':
			return ' '
		}
		return r
	}, s)
}

// undoDigits reads digits and marks inside words as the letters they stand for.
func undoDigits(s string) string {
	if !hasDigitInWord(s) {
		return s
	}
	return leetWord.ReplaceAllStringFunc(s, func(w string) string {
		if strings.IndexFunc(w, unicode.IsLetter) < 0 {
			return w
		}
		return leetLetters.Replace(w)
	})
}

var (
	leetWord    = regexp.MustCompile(`[a-z013457@$!|]{2,}`)
	leetLetters = strings.NewReplacer("0", "o", "1", "i", "3", "e", "4", "a", "5", "s", "7", "t", "@", "a", "$", "s", "!", "i", "|", "l")
)

// hasDigitInWord reports a digit or mark that may stand for a letter, with a
// letter after it.
func hasDigitInWord(s string) bool {
	for i := range len(s) - 1 {
		if strings.IndexByte("013457@$", s[i]) >= 0 && 'a' <= s[i+1] && s[i+1] <= 'z' {
			return true
		}
	}
	return false
}

// hasSpacedLetters reports seven single letters with a gap between each.
func hasSpacedLetters(s string) bool {
	run, gap := 0, 2 // how many single letters so far, and bytes since a letter
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z':
			if gap == 0 || gap > 3 {
				run = 0
			}
			if run++; run >= 7 {
				return true
			}
			gap = 0
		case c == ' ' || c == '\n' || c == '\t' || c == '.' || c == '_' || c == '*' || c == '-' || c == '/' || c == '|':
			gap++
		default:
			gap = 4
		}
	}
	return false
}

// joinLetters joins letters that are set apart, as in "i g n o r e", and
// returns phrases whose words can no longer be told apart in the spaced form
// that the rules look for.
func joinLetters(s string) string {
	if !hasSpacedLetters(s) {
		return s
	}
	return spacedLetters.ReplaceAllStringFunc(s, func(run string) string {
		// Wider gaps than one character separate words.
		words := wideGap.Split(run, -1)
		for i, w := range words {
			words[i] = strings.Map(func(r rune) rune {
				if unicode.IsLetter(r) {
					return r
				}
				return -1
			}, w)
		}
		joined := strings.Join(words, " ")
		if m := squeezed.FindStringSubmatch(strings.ReplaceAll(joined, " ", "")); m != nil {
			return " ignore previous instructions "
		}
		return " " + joined + " "
	})
}

var (
	spacedLetters = regexp.MustCompile(`(?:[a-z][\s._*\-/|]{1,3}){6,}[a-z]\b`)
	wideGap       = regexp.MustCompile(`\s{2,}|\s[/|]\s|[-._*/|]\s|\s[-._*/|]`)
	squeezed      = regexp.MustCompile(`(?:ignore|disregard|forget)(?:all|any|the|your|of|my)*(?:previous|prior|above|earlier|preceding|system|your)(?:system|safety)?(?:instructions?|prompts?|rules|guidelines|messages?)`)
)
