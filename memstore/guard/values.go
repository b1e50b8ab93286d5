package guard

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A claim is a value that a sentence states to be a secret.
type claim struct {
	text    string
	value   readResult
	kind    secretKind
	word    string // the word for the secret
	before  string // what precedes the word on its line
	strong  bool   // joined by a mark such as a colon, not by a verb
	english bool
}

// isSecret reports whether the value is a secret and not a description of one.
// Where the secret has several words, it extends the value to all of them.
func (c *claim) isSecret() bool {
	if rest, found := strings.CutPrefix(c.value.text, "base64:"); found && len(rest) >= 16 && !isReference(rest) {
		c.value.start += len("base64:")
		c.value.text = rest
	}
	v := c.value.text
	if isPlaceholder(v) || isReference(v) || isTerm(v) {
		return false
	}
	switch c.kind {
	case pin:
		return c.isPIN()
	case token:
		return c.isToken()
	case plainKey:
		return !openKey().MatchString(c.before) && len(v) >= 20 && isMixed(v) && !isNameLike(v) && !isPath(v) && !isDigest(v[strings.LastIndexAny(v, "-_:/.")+1:]) && !isUUID(v)
	}
	return c.isPassword()
}

// isBareSecret is isSecret for a value that follows the word directly.
func (c claim) isBareSecret() bool {
	v := c.value.text
	if isPlaceholder(v) || isReference(v) || isTerm(v) || isPath(v) {
		return false
	}
	if c.kind == password && c.value.quoted && (isPassphrase(strings.Fields(v)) || camel().MatchString(v)) {
		return true
	}
	if !looksSecret(v) {
		return false
	}
	switch c.kind {
	case password:
		return len(v) >= 6 && v[0] < utf8.RuneSelf && (c.isTerminal() || c.value.quoted || !c.english)
	case token:
		// What follows a word such as "secret" may be its digest.
		compound := strings.EqualFold(c.word, "token") || strings.ContainsAny(c.word, " _-") || camel().MatchString(c.word)
		return len(v) >= 16 && v[0] < utf8.RuneSelf && !isNameLike(v) && !isVersionToken(v) && (!isDigest(v) && !isUUID(v) || compound && len(v) >= 32)
	}
	return false
}

// openKey ends what precedes "key" where the key is no secret: a public one, or
// the name under which something is found.
var openKey = lazy(`(?i)(?:public|pub|publishable|verif\w+|cache|object|primary|foreign|idempotency|partition|sort|storage|index|lookup|group|message|dedup\w*|routing|blob|map|hash|host|site|query|artifact|resource|s3|bucket|composite|unique|natural|surrogate|row|config|feature|translation|i18n)[\s_.-]?["'` + "`" + `*]{0,2}$`)

func (c *claim) isPIN() bool {
	m := pinDigits().FindString(c.text[c.value.start:])
	if m == "" || !isPIN(m) {
		return false
	}
	if startsWithUnit(c.text[c.value.start+len(m):]) {
		return false
	}
	c.value.end = c.value.start + len(m)
	return true
}

var pinDigits = lazy(`^\d(?:[\s-]?\d){3,11}`)

// isPIN reports four to twelve digits, in groups or not.
func isPIN(s string) bool {
	digits := 0
	for _, r := range s {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case r != ' ' && r != '-':
			return false
		}
	}
	return digits >= 4 && digits <= 12
}

func (c claim) isToken() bool {
	v := c.value.text
	bare := strings.HasPrefix(strings.ToLower(c.word), "token")
	switch {
	case isVersionToken(v), isPath(v), isNameLike(v), startsWithUnit(c.text[c.value.end:]) && len(v) < 8:
		return false
	case isUUID(v):
		return !bare
	case placeholderWords[strings.ToLower(strings.TrimRight(v, "0123456789"))]:
		return false // a variable such as "secret2"
	case strings.ContainsAny(v, " "):
		return false
	}
	if strings.Contains(strings.ToLower(c.word), "secret") && len(v) >= 6 && looksSecret(v) {
		return true
	}
	return len(v) >= 8 && isMixed(v)
}

func (c *claim) isPassword() bool {
	v := c.value.text
	if words := strings.Fields(v); len(words) > 1 {
		phrase := len(words) >= 3 && strings.Contains(strings.ToLower(c.word), "phrase") && !describes(words[0])
		return isPassphrase(words) || c.strong && (phrase || slices.ContainsFunc(words, looksSecret))
	}
	first, _ := utf8.DecodeRuneInString(v)
	if first >= 0x2E80 {
		return false // a description in a script without spaces
	}
	if strings.EqualFold(c.word, "pass") && testName().MatchString(v) {
		return false
	}
	if strings.EqualFold(c.word, "clave") && !isStrongSecret(v) {
		return false // also the key of a table
	}
	if looksSecret(v) {
		return true
	}
	if isPath(v) {
		return false
	}
	if strings.EqualFold(c.word, "pass") && !c.value.quoted {
		return false // "tests pass: 1234"
	}
	after := c.text[c.value.end:]
	if isDigits(v) {
		return len(v) >= 4 && !startsWithUnit(after)
	}
	if !c.english {
		return c.strong && c.value.quoted && len(v) >= 4 && !isPlainWord(v)
	}
	if conditional().MatchString(c.before) && !c.strong {
		return false
	}
	if c.isTerminal() || c.value.quoted {
		return len(v) >= 4 && isPlainWord(v) && !describes(v)
	}
	clause := clauseOf(c.text[c.value.start:])
	words := strings.Fields(clause)
	if strings.Contains(strings.ToLower(c.word), "phrase") {
		for i, w := range words {
			if words[i] = strings.ToLower(w); i > 0 && isDigits(w) {
				words[i] = "number"
			}
		}
	}
	if c.value.quoted || !isPassphrase(words) {
		return false
	}
	c.value.end = c.value.start + len(clause)
	return true
}

// testName is what follows "PASS" in the output of a test runner.
var testName = lazy(`^(?:Test|Benchmark|Example|Fuzz)[A-Z_]\w*(?:/\S*)?$|^test_\w+$|::|\.(?:go|py|[jt]sx?|rb|rs|java)\b|^[A-Za-z]\w*Test$`)

var conditional = lazy(`(?i)\b(?:if|when|whether|until|unless|once|while|because|since|where|what|how)\b[^.;]*$`)

// isTerminal reports whether nothing of the clause follows the value.
func (c claim) isTerminal() bool {
	after := strings.TrimLeft(c.text[c.value.end:], "\"'`*_)]}!~|")
	if after == "" {
		return true
	}
	switch after[0] {
	case '\n', '\r', ';', '<', '&', '#':
		return true
	case '.', ',', '?':
		return len(after) == 1 || after[1] == ' ' || after[1] == '\n' || after[1] == '"'
	case ' ':
		rest := strings.TrimLeft(after, " \t|*`\"'")
		return rest == "" || rest[0] == '\n' || rest[0] == '(' || strings.HasPrefix(rest, "- ") || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "# ")
	}
	return false
}

// isPassphrase reports words without grammar: at least three, in lower case,
// none of which a sentence about a password would be built with.
func isPassphrase(words []string) bool {
	if len(words) < 3 || len(words) > 16 {
		return false
	}
	describing := 0
	for _, w := range words {
		w = strings.Trim(w, ".,;:!?\"'`*_")
		if describes(w) {
			describing++
		}
		if len(w) < 2 || functionWords[w] || describing > 1 || describing > 0 && strings.HasSuffix(words[0], "ed") {
			return false
		}
		for _, r := range w {
			if !unicode.IsLower(r) {
				return false
			}
		}
	}
	return true
}

// clauseOf returns text up to the end of its first clause.
func clauseOf(text string) string {
	if i := strings.IndexAny(text, ".,;:!?\n()\"`|<"); i >= 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, " \t\r*_'")
}

// looksSecret reports characters that words do not have together: letters with
// digits, or with marks inside.
func looksSecret(v string) bool {
	if len(v) < 4 || isPlaceholder(v) || isReference(v) || isTerm(v) || isVersionToken(v) || email().MatchString(v) {
		return false
	}
	if unit().MatchString(v) || number().MatchString(v) || strings.Contains(v, "://") {
		return false
	}
	if isPath(v) {
		return false
	}
	if hasLetterAndDigit(v) {
		return true
	}
	inner := strings.Trim(v, "!?#%@^")
	letters := strings.IndexFunc(v, unicode.IsLetter) >= 0
	return len(v) >= 6 && letters && strings.ContainsAny(inner, "!@#$%^?") && !strings.ContainsAny(v, "/()[]=") && !strings.HasPrefix(v, "$")
}

// isStrongSecret is the test for values that only their surroundings make a
// secret: at least eight characters of three kinds, digits among them, and
// nothing that has a meaning of its own.
func isStrongSecret(v string) bool {
	if len(v) < 8 || len(v) > 128 || !looksSecret(v) || isNameLike(v) || isPath(v) || isUUID(v) || isDigest(v) || envName().MatchString(v) {
		return false
	}
	var upper, lower, digit, mark bool
	for _, r := range v {
		switch {
		case unicode.IsUpper(r):
			upper = true
		case unicode.IsLower(r):
			lower = true
		case unicode.IsDigit(r):
			digit = true
		case strings.ContainsRune("!@#$%^&*?~_+=-", r):
			mark = true
		default:
			return false // dots, slashes and brackets are those of names and code
		}
	}
	return digit && lower && (upper || mark) || lower && upper && strings.ContainsAny(v, "!#$%^&?")
}

// isMixed is the stricter test for tokens: letters and digits, and enough
// different characters.
func isMixed(v string) bool {
	if !hasLetterAndDigit(v) || unit().MatchString(v) || number().MatchString(v) || email().MatchString(v) {
		return false
	}
	seen := make(map[rune]bool)
	for _, r := range v {
		seen[r] = true
	}
	return len(seen) >= 5
}

var (
	email  = lazy(`^[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[a-zA-Z]{2,}$`)
	number = lazy(`(?i)^[~<>=+-]*v?\d+(?:[.,:/x-]\d+)*(?:[a-z]{1,2}\d*)?%?\+?$`)
	unit   = lazy(`(?i)^[~<>=]*\d+(?:-|\s)?(?:char|byte|bit|digit|day|hour|hr|min|sec|week|month|year|word|symbol|letter|time|zeichen|stellig|stunden|tage|caract|letras|jours|dias|giorni|dagen|tekens|symbol|знак|символ|дн|位|桁|文字|字|자|分|秒|時|时|小时|日|天|週|周|月|年|回|次|분|초|시간|일|h$|m$|s$|ms$|k$|kb|mb|gb|kib|mib|d$|w$|y$|x$|st$|nd$|rd$|th$)[\pL\d_]*$`)
	term   = lazy(`(?i)^(?:sha-?\d+\S*|md[245]\S*|base-?(?:16|32|36|45|58|62|64|85)\S*|argon2(?:id|i|d)?|b?crypt\d*|scrypt|pbkdf2\S*|[hrep]s\d{3}|ed25519|x25519|x\.?509|p-?256|p-?384|secp\w+|aes-?\d*\S*|rsa-?\d+|oauth-?[12](?:\.0)?|oauth2\S*|oidc|utf-?\d+|k8s|k3s|[a-z]2[a-z]|i18n|l10n|a11y|s3|ec2|ipv[46]|http[123s]?|h2|1password\S*|keepass(?:xc|2)?|bitwarden|[234]fa|mfa|[th]otp\d*|hmac\S*|jw[testk]s?|rfc-?\d+|iso-?\d+\S*|win(?:32|64)|x86\S*|arm64|amd64|gpt-?\d\S*|log4j\S*|auth0\S*|o(?:ffice)?365|pkcs\S*|fips\S*|u2f|fido2?|web3|ascii\d*|crc-?\d+|blake[23]\S*|chacha20\S*|ntlmv[12]|v\d+(?:\.\d+)*|\d+(?:st|nd|rd|th))$`)

	codeType   = lazy(`^[*&\[\]]*(?:u?int(?:8|16|32|64|ptr)|float(?:32|64)|[iuf](?:8|16|32|64|128)|complex(?:64|128)|[a-z]+\d{0,3}\.[A-Z]\w*|[A-Z][A-Za-z]*\d+[{(].*)$`)
	codeName   = lazy(`^[a-z]*(?:\d{1,4})?(?:[A-Z]{2,6}\d{0,4}|[A-Z][a-z]{2,}\d{0,4}|[A-Z]\d{2,4}){2,}$`)
	call       = lazy(`^[A-Za-z_$][\w.$]*(?:::\w+)*\(`)
	dotted     = lazy(`^[A-Za-z_$][A-Za-z_]*(?:\.[A-Za-z_]\w*)+(?:[\[(?!].*)?$`)
	subscript  = lazy(`^[A-Za-z_$][\w.]*\[`)
	locator    = lazy(`(?i)^(?:op|vault|env|file|ref\+\w+|aws|gcp|azure|ssm|arn|secret|secrets|keyring|pass|bw|lastpass|sops|k8s|kubernetes|https?|ssh)(?:://|:)`)
	camel      = lazy(`^[A-Za-z]*[a-z][A-Z][A-Za-z]{2,}$`)
	versionTok = lazy(`^r_[a-z0-9]{4,16}$`)
	uuid       = lazy(`^(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	digest     = lazy(`^(?:(?i)(?:sha\d+|md5)[:-])?(?:[0-9a-fA-F]{7,12}|[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{56}|[0-9a-fA-F]{64}|[0-9a-fA-F]{96}|[0-9a-fA-F]{128})$`)
	namePart   = lazy(`^(?:[a-z]+\d{0,3}|[A-Z][a-z]+\d{0,3}|v?\d{1,4}|[A-Z]+)$`)
	letters    = lazy(`^[\pL'-]+$`)
	unitAfter  = lazy(`(?i)^["'` + "`" + `*]{0,2}[\s-]*(?:or more |to \d+ |random |hex |base64 |ascii |alphanumeric |different |unique |consecutive )*(?:char|byte|bit|digit|day|hour|min|sec|ms\b|week|month|year|word|symbol|letter|time|number|attempt|tries|entr|item|request|token|per\b|/|%|zeichen|stell|ziffer|tage|stunden|caract|letra|jour|chiffre|dia|digito|giorn|cifr|dagen|tekens|cijfer|знак|символ|дн|цифр|位|桁|자리)`)
)

func isTerm(v string) bool         { return term().MatchString(strings.Trim(v, ".,;:")) }
func isVersionToken(v string) bool { return versionTok().MatchString(v) }
func isUUID(v string) bool         { return uuid().MatchString(v) }
func isDigest(v string) bool       { return digest().MatchString(v) }
func isPlainWord(v string) bool    { return letters().MatchString(v) }

func startsWithUnit(after string) bool { return unitAfter().MatchString(after) }

func isDigits(v string) bool {
	for i := range len(v) {
		if !isDigit(v[i]) {
			return false
		}
	}
	return v != ""
}

// isReference reports where a secret is looked up instead of the secret:
// variables, calls, fields of objects, addresses in a secret store.
func isReference(v string) bool {
	switch {
	case v == "":
		return true
	case strings.ContainsRune("<{[%", rune(v[0])) || strings.HasPrefix(v, "${") || strings.HasPrefix(v, "$("):
		return true
	case strings.HasPrefix(v, "!") && isPlainWord(v[1:]), strings.HasPrefix(v, "&"), strings.HasPrefix(v, "->"), strings.HasPrefix(v, "=="), strings.HasPrefix(v, "--"):
		return true
	}
	return codeType().MatchString(v) || variable().MatchString(v) || envName().MatchString(v) || call().MatchString(v) || dotted().MatchString(v) || subscript().MatchString(v) || locator().MatchString(v)
}

// isNameLike reports words joined by hyphens, underscores, dots or slashes,
// with short numbers at most, such as a resource's name.
func isNameLike(v string) bool {
	if codeName().MatchString(v) && isCodeName(v) {
		return true
	}
	parts := strings.FieldsFunc(v, func(r rune) bool { return strings.ContainsRune("-_./:@", r) })
	if len(parts) < 2 {
		return false
	}
	for _, p := range parts {
		if !namePart().MatchString(p) || len(p) > 20 {
			return false
		}
	}
	return true
}

// isCodeName reports words in camel case that are mostly letters, such as
// "testRSA2048PrivateKey".
func isCodeName(v string) bool {
	words, digits := 0, 0
	for i := range len(v) {
		if isDigit(v[i]) {
			digits++
		}
		if i > 2 && 'a' <= v[i] && v[i] <= 'z' && 'a' <= v[i-1] && v[i-1] <= 'z' && (i == len(v)-1 || v[i+1] < 'a') {
			words++
		}
	}
	return words >= 2 && digits <= 4
}

// isPath reports file and key paths.
func isPath(v string) bool {
	if strings.HasPrefix(v, "/") || strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") || len(v) > 2 && v[1] == ':' && (v[2] == '\\' || v[2] == '/') {
		return true
	}
	return strings.ContainsRune(v, '/') && isNameLike(v)
}

// isEnglish reports whether the sentence around a word for a secret can be read
// with English grammar. Words that other languages use too count as English.
func isEnglish(word string) bool {
	for _, w := range []string{"pass", "pwd", "pw", "psk", "pin", "secret", "key", "token", "code"} {
		if strings.Contains(strings.ToLower(word), w) {
			return !strings.Contains(strings.ToLower(word), "passwort") && !strings.Contains(word, "passe") && !strings.Contains(strings.ToLower(word), "passord")
		}
	}
	return false
}

// functionWords hold sentences together; a passphrase has none of them.
var functionWords = wordSet(`
	one two three four five six seven eight ten twelve words characters minimum maximum
	the a an in on at of to for from by with as is are was were be been being has have had do does did not no nor and or but if then than that
	this these those it its they them their we our you your my me i he she his her who whom which what when where why how so such only also too
	via per into onto over under between within without about after before during until since while because must should shall will would can
	could may might need needs never always every each any all some more most less least longer shorter out up down off again same other both
	somewhere nowhere anywhere elsewhere there here just now please ask see use used using`)

// descriptions are what a sentence says about a password without giving it.
var descriptions = wordSet(`
	required optional mandatory needed missing wrong incorrect right correct invalid valid empty blank null none unset unknown set hidden masked
	secret safe secure insecure weak strong short long simple random unique default public private plain plaintext cleartext sensitive known
	good bad new old same different reset gone lost dead alive fine ok okay there here elsewhere below above out it not what why how that this
	string text number boolean integer type field value prompt interactive manual automatic external internal local remote static dynamic
	mine yours ours theirs his hers admin root shared personal temporary permanent per-user one-time single-use case-sensitive write-only
	read-only base64 bcrypt argon scrypt vault keychain keyring keepass bitwarden lastpass dashlane sops kms env environment stdin file login
	see ask use tbd todo pending important critical everything nothing something anything compliance policy true false enough possible
	likely too very also never always still yet user forced safer free dated rotating expiring constant identical necessary unavailable
	available impossible readable visible guessable obvious trivial complex ready live stale fresh current latest next previous`)

var describingEnd = lazy(`(?:ed|ing|able|ible|ally|ly|ory|less|ful|ive|ous|ent|ant|ical|ional|ual|only|protected|based|specific|friendly|wide)$`)

// describes reports a word that says something about a password.
func describes(w string) bool {
	w = strings.ToLower(strings.Trim(w, "'-"))
	return descriptions[w] || functionWords[w] || len(w) > 4 && describingEnd().MatchString(w)
}
