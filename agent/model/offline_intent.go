package model

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An intent is what a message asks for, as far as the words themselves say.
type intent struct {
	kind  intentKind
	user  bool   // about the person, so for the user model
	key   string // given, or that of a fact with a name of its own ("my editor is …")
	named bool   // key was given by the user, word for word
	text  string // what to save, search, forget or put in place
	whole string // of a correction: all of it, "my editor is vim" and not "vim"
}

type intentKind int

const (
	intentUnknown intentKind = iota
	intentSave
	intentFix // "no, …", "actually …"
	intentAsk
	intentWhy
	intentForget
	intentPick // a number
	intentUndo
	intentList
	intentChanges
	intentThanks
	intentHello
	intentHelp
	intentDismiss  // "never mind", "no", "ok"
	intentDontSave // "don't remember this"
	intentNothing  // "remember", without anything to remember
)

// polite is what may stand before a request without changing it.
const polite = `(?:(?:please|ok|okay|well|so|and|also|hey|hi|hello|now|then|oh)[,!.]?\s+)*`

func re(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?is)^` + polite + pattern + `$`) }

var rePlease = regexp.MustCompile(`(?i)[,\s]+please[.!]*$`)

const closing = `\s*[.!]*`

var (
	reKeyed = regexp.MustCompile(`(?s)^([\p{L}\p{N}][\p{L}\p{N}_.-]*(?:/[\p{L}\p{N}][\p{L}\p{N}_.-]*)*)(?:\s*=\s*|:\s+)(\S.*)$`)

	reThanks  = re(`(?:many )?(?:thanks|thank you|thx|ty|cheers|great|perfect|nice|good|cool|awesome|well done)(?:[ ,]+(?:a lot|so much|very much|everyone|you|again|for .{1,40}|job|work|thanks|thank you|that'?s (?:great|good|all|it)))*` + closing)
	reHello   = re(`(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|greetings|howdy|bye|goodbye|see you|good night)(?:[ ,]+(?:there|reverie|again|all|everyone|later))*` + closing)
	reHelp    = re(`(?:help|help me|what (?:can|do) you do|what are you|who are you|how do(?:es)? (?:you|this|it) work|commands)` + `\s*[.!?？]*`)
	reDismiss = re(`(?:(?:no|nope|nah|actually|yes|yeah|ok|okay|well|oh)[,.!]?\s*)*(?:never ?mind|nothing|forget about it|no|nope|nah|yes|yep|yeah|ok|okay|sure|fine|right|all right|alright|got it|i see|good to know|hm+|wait|stop|cancel|not now|skip (?:it|that)|leave it(?: as (?:it )?is)?|(?:that'?s|it'?s|that is|it is|you'?re|you are) (?:fine|ok|okay|right|correct|true|good|all right|all)|i don'?t know|thanks|thank you|no thanks|no thank you|not really|let'?s not|don'?t(?: do that)?)` + closing)

	reDontSave = re(`(?:do not|don'?t|never)\s+(?:you\s+)?(?:remember|save|store|note|keep)\b.*`)
	reSave     = re(`(?:(?:can|could|would|will) you\s+(?:please\s+)?)?(?:do not forget|don'?t forget|never forget|remember|memori[sz]e|keep in mind|bear in mind|take (?:a )?note|make (?:a )?note|note(?: down)?|write down|save|store|learn)(?:\s+(?:of|for me|for later|for the future))?(?:\s+(?:this|the following))?(?:\s*[:,]\s*|\s+(?:that|to|about)\s+|\s+)(\S.*)`)
	reSaveBare = re(`(?:do not forget|don'?t forget|remember|memori[sz]e|keep in mind|note|save)(?:\s+(?:this|that|it|me|them|these|those|everything|all))*` + `[\s.!?？؟]*`)
	// Requests in the form of a question ask to save only with "that" or ":".
	rePoliteAsk = re(`(?:can|could|would|will) you\s+(?:please\s+)?(?:remember|note|save|keep in mind|memori[sz]e|store)(?:\s+(?:that|this:)|\s*:)\s+(\S.*)`)
	reReminisce = re(`remember\s+(?:when|how|what|who|whom|whose|where|why|which|if|whether|the (?:time|day|way)|our)\b.*`)
	reOfMe      = re(`do you (?:still )?(?:remember|recall|know)\b\s*(.*?)[?？؟\s]*`)

	rePrefer = re(`i(?:'d| would)? (?:(?:really|much|strongly|generally|usually|always|still|now|also) )*prefer\s+(\S.*?)` + closing)
	reCallMe = re(`(?:(?:you can|you may) )?call me\s+(\S.{0,60}?)` + closing)
	reNamed  = re(`i(?:'m| am) called\s+(\S.{0,60}?)` + closing)
	reMy     = re(`(my\s+([\p{L}\p{N}][\p{L}\p{N} '_-]{0,40}?)(?:'s|\s+(?:is|are|was|were))\s+(\S.*?))` + closing)
	reWork   = re(`i (?:now |currently )?(?:work (?:at|for|in|as)|live in)\s+\S.*?` + closing)

	reWhy     = re(`(?:(?:and|but) )?(?:why|how (?:do|did|would|can) you (?:know|learn|find out|come to (?:know|think))(?: (?:that|this|it))?|why(?: is| do you (?:say|think|believe)) (?:that|this|so|it)|says who|who (?:says|said|told you|wrote|saved) ?(?:so|that|this|it)?|where (?:do|did|does) (?:you|that|this|it) (?:know|get|have|come|learn)(?: (?:that|this|it))?(?: from)?|how come|since when|(?:what'?s|what is) (?:the|your) source|source|are you sure|really|when (?:was|did) (?:that|it|this|i|you) (?:saved?|written|wrote|say|said|recorded)(?: that| it| this)?)` + `[\s.?!？؟]*`)
	reUndo    = re(`(?:undo|revert|take (?:that|it|this) back|roll ?back)(?:\s+(?:that|it|this|the last(?: (?:one|change|write|thing|save|memory))?|the forget(?:ting)?|last|my last change|again))*` + closing)
	reUndoKey = re(`(?:undo|revert|roll ?back)\s+(?:the (?:last )?(?:change|write) (?:to|of)\s+)?([\p{L}\p{N}][^\s]*)` + closing)
	reList    = re(`(?:(?:can you |could you )?(?:please )?(?:list|show(?: me)?)(?:\s+(?:me|all|everything|it|the|my|our|your|you know|you have|saved|memory|memories|entries|notes|facts|keys|index|of|what|you|remember|there is))*|(?:what|everything) (?:do|did|have|has) (?:you|i) (?:know|remember(?:ed)?|saved?|stored?|noted?|told you|got|have)(?: (?:so far|now|in memory|already|saved|stored))?|what(?:'s| is) (?:saved|stored|remembered|in (?:the |your )?memory)|(?:the )?index|memories)` + `[\s.?!？؟]*`)
	reListMe  = re(`(?:what do you (?:know|remember) about me|who am i|(?:list|show)(?: me)? (?:what you know|everything|all|my facts)(?: about me)?|what have you saved about me)` + `[\s.?!？؟]*`)
	reChanges = re(`(?:what(?:'s| has| have| is)? ?(?:been )?(?:changed?|new|different|the latest)(?: (?:recently|lately|since .{1,40}|in memory|today|here|there))?|(?:show(?: me)? )?(?:the )?(?:recent|latest|last) (?:changes|revisions|memories|entries|writes)|changes|(?:any|anything) (?:changes|new|changed))` + `[\s.?!？؟]*`)

	reForget     = re(`(?:(?:can|could|would|will) you\s+(?:please\s+)?)?(?:forget|delete|remove|erase|drop|unlearn)\s+(\S.*?)` + closing)
	reForgetPre  = regexp.MustCompile(`(?i)^(?:(?:about|that|what (?:you|i|we) (?:have |'ve )?(?:saved|know|remember|remembered|said|told you|noted|stored)(?: about)?|everything (?:you know )?about|all about|the (?:memory|note|entry|fact|key|one)(?: (?:about|of|that|on|for|named|called))?|memory|my (?:memory|note) (?:about|of))\s+)+`)
	reForgetThat = re(`(?:(?:that|this|it)(?: one| again| please)?|the last (?:one|memory|entry)|what i (?:just )?said)`)
	reForgetAll  = re(`(?:everything|all|all of (?:it|them|that)|it all|the lot)`)

	rePick = regexp.MustCompile(`(?i)^(?:#|number |no\. ?|the )?(\d{1,2}|first|second|third|fourth|fifth)(?: one)?[.)!]*$`)

	reFix = regexp.MustCompile(`(?is)^` + polite + `(?:no|nope|wrong|not quite|actually|correction|sorry|i meant|rather|make (?:that|it)|change (?:that|it) to|that'?s wrong|that is wrong|not true|not any ?more)\b[\s,.:;!–—-]*(?:(?:actually|sorry|wrong|that'?s (?:wrong|not right|incorrect)|that is wrong|rather|i meant|it has changed|not any ?more)\b[\s,.:;!–—-]*)*(.*)$`)

	reInterrogative = re(`(?:what|when|where|who|whom|whose|which|how|why)(?:'s|'re|’s)?\b.*|(?:tell me|show me|look up|find|search(?: for)?)\s+\S.*`)
	reAskPrefix     = regexp.MustCompile(`(?i)^(?:(?:please|can you|could you|tell me|show me|look up|find|search for|search|about|what do you (?:know|remember) about|what did (?:i|we) say about|do you (?:still )?(?:know|remember|recall))\s+)+`)
)

// notFacts are nouns that follow "my" without naming something lasting.
var notFacts = wordSet(`question guess point problem issue idea concern understanding mistake fault bad thought thoughts feeling hope turn pleasure apologies condolences head brain`)

// pronouns that mean nothing by themselves a week later.
var pronouns = wordSet(`it this that these those them him her me us you so everything something nothing anything all`)

// parse reads one message. It goes from the surest pattern to the least, and
// what fits none is unknown: then nothing is done.
func parse(message string) intent {
	text, rest := readable(strings.TrimSpace(message))
	text = typewriter.Replace(text)
	if text == "" {
		return intent{}
	}
	in := parseText(text)
	if rest == "" {
		return in
	}
	switch in.kind {
	case intentSave: // whole, whatever its length; the store has a limit
		in.text += rest
	case intentAsk, intentDontSave, intentNothing:
	default:
		return intent{} // nobody says that at such a length
	}
	return in
}

var typewriter = strings.NewReplacer("’", "'", "＋", "+", "－", "-")

// maxRead is how much of a message the patterns are tried on, in bytes.
const maxRead = 4 << 10

// readable cuts a long message in two: what the patterns are tried on, which
// ends in the middle of a word, so that nothing is trimmed off there, and the
// rest. A question mark at the end of the whole goes with the first part.
func readable(message string) (text, rest string) {
	if len(message) <= maxRead {
		return message, ""
	}
	at := maxRead
	for n := 0; n < maxRead/2; n++ {
		before, _ := utf8.DecodeLastRuneInString(message[:at-n])
		if utf8.RuneStart(message[at-n]) && unicode.IsLetter(before) {
			at -= n
			break
		}
	}
	for !utf8.RuneStart(message[at]) {
		at--
	}
	if text, rest = message[:at], message[at:]; endsAsking(rest) {
		text += "?"
	}
	return text, rest
}

func parseText(text string) intent {
	if in, ok := parseSigil(text); ok {
		return in
	}
	if in, ok := parseCommand(rePlease.ReplaceAllString(text, "")); ok {
		return in
	}
	if in, ok := parseSave(text); ok {
		return in
	}
	if in, ok := parseForget(text); ok {
		return in
	}
	if m := reFix.FindStringSubmatch(text); m != nil {
		return parseFix(m[1])
	}
	if isQuestion(text) {
		return ask(text)
	}
	if in, ok := parseAboutMe(text); ok {
		return in
	}
	return intent{}
}

// parseCommand reads what is said in a few fixed ways.
func parseCommand(text string) (intent, bool) {
	for _, c := range []struct {
		pattern *regexp.Regexp
		in      intent
	}{
		{reWhy, intent{kind: intentWhy}},
		{reHelp, intent{kind: intentHelp}},
		{reThanks, intent{kind: intentThanks}},
		{reHello, intent{kind: intentHello}},
		{reDismiss, intent{kind: intentDismiss}},
		{reListMe, intent{kind: intentList, user: true}},
		{reList, intent{kind: intentList}},
		{reChanges, intent{kind: intentChanges}},
		{reUndo, intent{kind: intentUndo}},
	} {
		if c.pattern.MatchString(text) {
			return c.in, true
		}
	}
	if m := rePick.FindStringSubmatch(text); m != nil {
		return intent{kind: intentPick, text: m[1]}, true
	}
	if m := reUndoKey.FindStringSubmatch(text); m != nil {
		return intent{kind: intentUndo, key: foldKey(m[1])}, true
	}
	return intent{}, false
}

// parseSigil reads "+ …", "- …" and "? …", which mean the same in every
// language. Plus and minus want a space, so that "+1" is not saved; several
// lines that begin with "-" are a list that someone pasted.
func parseSigil(text string) (intent, bool) {
	first, size := utf8.DecodeRuneInString(text)
	rest := strings.TrimSpace(text[size:])
	spaced := strings.IndexFunc(text[size:], unicode.IsSpace) == 0
	switch {
	case isQuestionMark(first):
		if rest == "" {
			return intent{kind: intentHelp}, true
		}
		return ask(rest), true
	case first == '+' && (spaced || rest == ""):
		if rest == "" {
			return intent{kind: intentNothing}, true
		}
		return saving(rest), true
	case first == '-' && spaced && rest != "":
		if strings.Contains(rest, "\n") {
			return intent{}, true
		}
		return forgetting(rest), true
	}
	return intent{}, false
}

func parseSave(text string) (intent, bool) {
	asks := endsAsking(text)
	switch {
	case reDontSave.MatchString(text):
		return intent{kind: intentDontSave}, true
	case reSaveBare.MatchString(text):
		return intent{kind: intentNothing}, true
	case reReminisce.MatchString(text):
		if asks {
			return ask(text), true
		}
		return intent{}, true
	}
	if asks {
		if m := rePoliteAsk.FindStringSubmatch(text); m != nil {
			return saving(strings.TrimRightFunc(m[1], isQuestionMark)), true
		}
		if m := reOfMe.FindStringSubmatch(text); m != nil && m[1] != "" {
			return ask(m[1]), true
		}
		return intent{}, false
	}
	m := reSave.FindStringSubmatch(text)
	if m == nil {
		return intent{}, false
	}
	if pronouns[strings.ToLower(strings.Trim(m[1], " .!"))] {
		return intent{kind: intentNothing}, true
	}
	return saving(m[1]), true
}

// saving makes the intent to save a text, under a key that it names itself
// ("key: value", "key = value"), or one made from it.
func saving(text string) intent {
	text = strings.TrimSpace(text)
	if m := reKeyed.FindStringSubmatch(text); m != nil {
		in := intent{kind: intentSave, key: foldKey(m[1]), named: true, text: strings.TrimSpace(m[2])}
		in.user = strings.HasPrefix(in.key, "user/")
		return in
	}
	if in, ok := parseAboutMe(text); ok {
		return in
	}
	return intent{kind: intentSave, text: withoutStop(text)}
}

// withoutStop takes one full stop off the end of a single sentence.
func withoutStop(text string) string {
	cut, ok := strings.CutSuffix(text, ".")
	if ok && !strings.ContainsAny(cut, ".\n") {
		return cut
	}
	return text
}

// parseAboutMe reads what someone says of themselves.
func parseAboutMe(text string) (intent, bool) {
	if endsAsking(text) || strings.Contains(text, "\n") {
		return intent{}, false
	}
	text = withoutStop(text)
	in := intent{kind: intentSave, user: true, text: text}
	if m := rePrefer.FindStringSubmatch(text); m != nil && !startsWithPronoun(m[1]) {
		in.key = "user/prefers/" + slugWords(m[1], 3)
		return in, true
	}
	if reCallMe.MatchString(text) || reNamed.MatchString(text) {
		in.key = "user/name"
		return in, true
	}
	if m := reMy.FindStringSubmatch(text); m != nil {
		words := strings.Fields(strings.ToLower(m[2]))
		if notFacts[words[len(words)-1]] || startsWithPronoun(m[3]) {
			return intent{}, false
		}
		in.key, in.text = "user/"+slugWords(m[2], 4), m[1]
		return in, true
	}
	if reWork.MatchString(text) {
		in.key = "user/" + map[bool]string{true: "home", false: "work"}[strings.Contains(strings.ToLower(text), "live in")]
		return in, true
	}
	return intent{}, false
}

func startsWithPronoun(text string) bool {
	first, _, _ := strings.Cut(strings.ToLower(text), " ")
	return pronouns[strings.Trim(first, ".,!")]
}

func parseForget(text string) (intent, bool) {
	m := reForget.FindStringSubmatch(text)
	if m == nil {
		return intent{}, false
	}
	return forgetting(strings.TrimRightFunc(m[1], isQuestionMark)), true
}

func forgetting(what string) intent {
	what = strings.TrimSpace(what)
	switch {
	case reForgetThat.MatchString(what):
		return intent{kind: intentForget}
	case reForgetAll.MatchString(what):
		return intent{kind: intentForget, text: "*"}
	}
	if rest := reForgetPre.ReplaceAllString(what, ""); rest != "" {
		what = rest
	}
	return intent{kind: intentForget, text: withoutStop(what)}
}

// parseFix reads what follows "no," or "actually". Another request there is
// that request; anything else is put in the place of what was quoted.
func parseFix(rest string) intent {
	rest = withoutStop(strings.TrimSpace(rest))
	if rest == "" || reDismiss.MatchString(rest) {
		return intent{kind: intentDismiss}
	}
	switch in := parse(rest); in.kind {
	case intentUnknown, intentFix:
	case intentSave:
		if in.user && !in.named && !reSave.MatchString(rest) {
			return intent{kind: intentFix, user: true, key: in.key, text: rest, whole: in.text}
		}
		return in
	default:
		return in
	}
	return intent{kind: intentFix, text: rest}
}

func ask(text string) intent {
	text = strings.TrimRightFunc(strings.TrimSpace(text), func(r rune) bool { return isQuestionMark(r) || unicode.IsSpace(r) })
	if rest := reAskPrefix.ReplaceAllString(text, ""); rest != "" {
		text = rest
	}
	return intent{kind: intentAsk, text: text}
}

func isQuestion(text string) bool { return endsAsking(text) || reInterrogative.MatchString(text) }

func endsAsking(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " \t\r\n.!\"'”)"))
	return isQuestionMark(last)
}

// isQuestionMark knows the question marks of the scripts in use.
func isQuestionMark(r rune) bool {
	return strings.ContainsRune("?？؟⁇⁈՞፧꘏⸮\u037E", r)
}
