package model

import (
	"regexp"
	"slices"
	"strings"
)

// slots are classes of words of which one may take another's place.
var slots = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat)\b`),
	regexp.MustCompile(`(?i)\b(?:january|february|march|april|june|july|august|september|october|november|december)\b|\bMay\b`),
	regexp.MustCompile(`(?i)\b(?:today|tomorrow|yesterday|tonight)\b`),
	regexp.MustCompile(`(?i)\b(?:hourly|daily|nightly|weekly|biweekly|monthly|quarterly|yearly|annually)\b`),
	regexp.MustCompile(`(?i)\b(?:mornings?|afternoons?|evenings?|nights?)\b`),
	regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}\b`),
	regexp.MustCompile(`(?i)\b\d{1,2}[:.]\d{2}(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?|\b(?:noon|midnight)\b`),
	regexp.MustCompile(`(?i)\bv\d+(?:\.\d+)*\b|\b\d+(?:\.\d+){2,}\b`),
	regexp.MustCompile(`\bhttps?://\S+`),
	regexp.MustCompile(`\b[\w.+-]+@[\w-]+\.[\w.]+\b`),
	regexp.MustCompile(`(?i)\b(?:\d+(?:[.,]\d+)*%?|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b)`),
}

const prepositions = `on|at|in|by|to|from|for|with|via|under|over|before|after|until|since|every|through|into|onto|as|near`

var (
	reFixLead     = regexp.MustCompile(`(?i)^(?:(?:it'?s|it is|that'?s|that is|it (?:was|should be|must be)|should be|we meant|i meant?|i mean|rather|now|make (?:it|that)|they'?re|they are|the (?:right|correct) (?:one|answer|value) is)\s+)+`)
	reInstead     = regexp.MustCompile(`(?is)^(.+?)[,;]?\s+(?:(?:and |but )?not|instead of|rather than)\s+(.+)$`)
	reNotBut      = regexp.MustCompile(`(?is)^not\s+(.+?)(?:,\s*(?:but\s+)?|\s+but\s+)(.+)$`)
	rePreposition = regexp.MustCompile(`(?i)^(` + prepositions + `)\s+`)
	reSentence    = regexp.MustCompile(`(?i)^(?:we|i|it|they|he|she|you|the|our|my|there|nobody|everyone|deploys?)\b.*\s|\b(?:is|are|was|were|do|does|did|has|have|had|will|can|must|should|use|uses|go|goes|runs?|lives?|moved|changed)\b`)
	reObject      = regexp.MustCompile(`(?is)^(.*\b(?:is|are|was|were|use|uses|using|prefer|prefers|like|likes|love|loves|hate|hates|want|wants|named|called|me|equals)|.*[=:])(\s+)(.+)$`)
	reObjectEnd   = regexp.MustCompile(`(?i)\s+(?:` + prepositions + `|and|or|but|because|when|if|only|over)\b|[,;.(]|$`)
)

// maxFixed is how long a text is, in bytes, in which the place of a correction
// is looked for: a store takes no longer one.
const maxFixed = 64 << 10

// corrected puts a correction into an old text: in the place of what it
// corrects where that is clear, and else as the new text itself. fits says
// that the place was clear. Nothing that the correction says is lost.
func corrected(old, fix string) (value string, fits bool) {
	if len(old) > maxFixed || len(fix) > maxRead {
		return fix, false
	}
	fix = strings.TrimSpace(reFixLead.ReplaceAllString(strings.TrimSpace(fix), ""))
	if value, ok := exchanged(old, fix); ok {
		return value, true
	}
	if value, ok := slotted(old, fix); ok {
		return value, true
	}
	if reSentence.MatchString(fix) {
		return fix, covers(stems(old), stems(fix)) > 0
	}
	if value, ok := samePreposition(old, fix); ok {
		return value, true
	}
	if value, ok := sameObject(old, fix); ok {
		return value, true
	}
	if len(strings.Fields(fix)) > 3 {
		return fix, false
	}
	return old + " (correction: " + fix + ")", false
}

// exchanged follows "X, not Y", "X instead of Y" and "not Y but X".
func exchanged(old, fix string) (string, bool) {
	var x, y string
	if m := reNotBut.FindStringSubmatch(fix); m != nil {
		x, y = m[2], m[1]
	} else if m := reInstead.FindStringSubmatch(fix); m != nil {
		x, y = m[1], m[2]
	} else {
		return "", false
	}
	y = rePreposition.ReplaceAllString(strings.Trim(y, " .!"), "")
	at := wordIndex(old, y)
	if at < 0 || y == "" {
		return "", false
	}
	x = strings.TrimSpace(x)
	if bare := rePreposition.ReplaceAllString(x, ""); !reSentence.MatchString(x) {
		return old[:at] + bare + old[at+len(y):], true
	}
	return x, true
}

// wordIndex finds a phrase in a text as whole words, in any case; the text
// must be one whose folding keeps its length.
func wordIndex(text, phrase string) int {
	re, err := regexp.Compile(`(?i)(?:^|[^\pL\pN])(` + regexp.QuoteMeta(phrase) + `)(?:$|[^\pL\pN])`)
	if err != nil {
		return -1
	}
	if m := re.FindStringSubmatchIndex(text); m != nil && m[3]-m[2] == len(phrase) {
		return m[2]
	}
	return -1
}

// slotted puts words of a class in the place of the only one of that class in
// the old text. Whatever else the correction says must be there already, or
// goes along when the correction is a phrase; a whole sentence that says more
// stands for itself.
func slotted(old, fix string) (string, bool) {
	type change struct {
		start, end int
		word       string
	}
	var changes []change
	rest := fix
	for _, slot := range slots {
		o, f := slot.FindAllStringIndex(old, -1), slot.FindAllStringIndex(rest, -1)
		if len(o) != 1 || len(f) != 1 || overlaps(o[0], changes, func(c change) (int, int) { return c.start, c.end }) {
			continue
		}
		word := rest[f[0][0]:f[0][1]]
		rest = rest[:f[0][0]] + strings.Repeat(" ", len(word)) + rest[f[0][1]:]
		changes = append(changes, change{o[0][0], o[0][1], word})
	}
	if len(changes) == 0 {
		return "", false
	}
	if more := stems(rest); covers(stems(old), more) < 1 && len(more) > 0 {
		if reSentence.MatchString(fix) {
			return fix, true
		}
		if len(changes) > 1 {
			return "", false
		}
		changes[0].word = phraseFor(old[:changes[0].start], fix)
	}
	slices.SortFunc(changes, func(a, b change) int { return b.start - a.start })
	for _, c := range changes {
		old = old[:c.start] + c.word + old[c.end:]
	}
	return old, true
}

func overlaps[T any](span []int, taken []T, bounds func(T) (int, int)) bool {
	return slices.ContainsFunc(taken, func(t T) bool {
		start, end := bounds(t)
		return span[0] < end && start < span[1]
	})
}

// phraseFor is a correction as it goes behind before: without the preposition
// that stands there already.
func phraseFor(before, fix string) string {
	m := rePreposition.FindStringSubmatch(fix)
	if m != nil && strings.HasSuffix(strings.ToLower(strings.TrimRight(before, " ")), " "+strings.ToLower(m[1])) {
		return fix[len(m[0]):]
	}
	return fix
}

// samePreposition replaces the phrase behind the preposition that the
// correction begins with.
func samePreposition(old, fix string) (string, bool) {
	m := rePreposition.FindStringSubmatch(fix)
	if m == nil {
		return "", false
	}
	re, err := regexp.Compile(`(?i)\b` + m[1] + `\s+`)
	if err != nil {
		return "", false
	}
	at := re.FindAllStringIndex(old, -1)
	if len(at) != 1 {
		return "", false
	}
	end := at[0][1] + reObjectEnd.FindStringIndex(old[at[0][1]:])[0]
	return old[:at[0][0]] + fix + old[end:], true
}

// sameObject replaces what follows "is", "use", "prefer" and the like.
func sameObject(old, fix string) (string, bool) {
	if len(strings.Fields(fix)) > 4 || rePreposition.MatchString(fix) {
		return "", false
	}
	m := reObject.FindStringSubmatch(old)
	if m == nil {
		return "", false
	}
	end := reObjectEnd.FindStringIndex(m[3])[0]
	if len(strings.Fields(m[3][:end])) > 4 {
		return "", false
	}
	return m[1] + m[2] + fix + m[3][end:], true
}

// sameFrame says that two texts differ in words of one class only, so that
// one states the other's fact anew.
func sameFrame(a, b string) bool {
	if len(a) > maxRead || len(b) > maxRead {
		return a == b
	}
	mask := func(s string) string {
		for _, slot := range slots {
			s = slot.ReplaceAllString(s, "_")
		}
		return strings.Join(strings.Fields(strings.ToLower(s)), " ")
	}
	return mask(a) == mask(b)
}
