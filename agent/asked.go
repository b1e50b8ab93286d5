package agent

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// What a model saves because the user asked for it counts as explicit, and so
// does what it puts right because the user corrected it. Whatever else it
// saves, it learned.

// maxAsked is how much of a message is looked at, in bytes, at its beginning
// and again at its end: what lies between is what someone pasted.
const maxAsked = 4 << 10

// asking matches a message in which the user asks to save, change or forget
// something.
var asking = regexp.MustCompile(`(?i)(^\s*[+-]\s)|\b(remember|memori[sz]e|save|store|record|note (that|down|this)|make a note|take note|keep in mind|don'?t forget|do not forget|never forget|forget|unlearn|undo|write (that|this|it) down|add (that|this|it)? ?to (your )?memory|update (your |the )?memor(y|ies))\b`)

func asksForMemory(prompt string) bool { return anywhere(asking, prompt) }

// undoing matches a message in which the user wants something back, or a
// change taken back.
var undoing = regexp.MustCompile(`(?i)\b(undo|revert|restore|roll ?back|reinstate|(bring|take|put|get|want|have) (.{1,60} )?back|recover|un-?forget)\b`)

func wishesUndo(prompt string) bool { return anywhere(undoing, prompt) }

// correction matches the beginning of a message that puts something right, in
// the languages whose words for it are few and plain. A word that often begins
// something else wants a comma or the like behind it.
var correction = regexp.MustCompile(`(?i)^\s*(?:(?:oh|well|ok|okay|hm+|ah|wait|sorry)[,!.]?\s+)*(?:` +
	`(?:no|nope|nah|wrong|sorry|rather|correction|nein|doch|non|não|nao|nee|nej|nei|nie|ne|hayır|нет|ні|لا|いいえ|いや|不|不是|不对|不對|아니|아니요|아뇨)\s*[,.:;!–—、，。！-]` +
	`|no\s+(?:it|it's|its|that|that's|this|they|we|i|my|our|the|on|in|at|is)\b` +
	`|actually\b|correction\b|not quite\b|i meant\b|i mean\b|not true\b|not any ?more\b|that(?:'?s| is| was) (?:wrong|not (?:right|true|correct)|incorrect|outdated|out of date)\b` +
	`|it(?:'s| is| has)? (?:not|no longer|changed)\b|(?:make|change) (?:that|it|this)\b|should be\b` +
	`|eigentlich\b|stimmt nicht\b|das (?:ist falsch|stimmt nicht)\b|en fait\b|c'est faux\b|plutôt\b|en realidad\b|en verdad\b|na verdade\b|in realtà\b|eigenlijk\b|faktiskt\b|faktisk\b|właściwie\b|на самом деле|вообще-то|違います|違う|其实|其實|应该是|應該是|사실)` +
	`[\s,.:;!–—、，。！-]*(\S.*)?`)

// dismissal matches what may follow a "no" that corrects nothing.
var dismissal = regexp.MustCompile(`(?i)^(?:thanks|thank you|thx|never ?mind|nothing|please don'?t|don'?t\b|do not\b|forget (?:it|about it)|stop|cancel|leave it|wait|not now|ok|okay|danke|merci|gracias|obrigad[oa]|grazie)[\s.!]*`)

// corrects says whether a message puts right what was said before. A bare "no"
// does not say what is right.
func corrects(prompt string) bool {
	prompt = strings.ReplaceAll(beginning(prompt, maxAsked), "’", "'")
	m := correction.FindStringSubmatch(prompt)
	return m != nil && m[1] != "" && !dismissal.MatchString(m[1])
}

// anywhere looks for a pattern at both ends of a text.
func anywhere(re *regexp.Regexp, text string) bool {
	if len(text) <= 2*maxAsked {
		return re.MatchString(text)
	}
	return re.MatchString(beginning(text, maxAsked)) || re.MatchString(ending(text, maxAsked))
}

// beginning is the first n bytes of a text, at most, and ending the last.
func beginning(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

func ending(text string, n int) string {
	if len(text) <= n {
		return text
	}
	at := len(text) - n
	for at < len(text) && !utf8.RuneStart(text[at]) {
		at++
	}
	return text[at:]
}
