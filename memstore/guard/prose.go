package guard

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A sentence states a secret where a word for one ("password", "PIN", "API
// key", in many languages) is joined to a value: by a colon, an equals sign or
// a verb, with markup between them or not. What counts as a value depends on
// the word: a password may be any word that does not describe it, a PIN is four
// digits or more, a token or key has letters and digits.

type secretKind int

const (
	password secretKind = iota
	pin
	token
	plainKey // "key" alone, which is more often a name than a secret
)

var kindNames = map[secretKind]string{password: "password", pin: "pin", token: "secret-token", plainKey: "secret-token"}

// secretWords are the words for secrets, in lower case. A space in them stands
// for a space, a hyphen, an underscore or nothing.
var secretWords = map[secretKind]string{
	password: `password, passwords, p4ssword, passw0rd, p4ssw0rd, pa55word, pa55w0rd, p@ssword, passwd, pass word, pass phrase, pass phrases, pass code, pwd, pass, pw, psk,
		passwort, kennwort, losungswort, mot de passe, mots de passe, mdp, phrase secrète, contraseña, contraseñas, contrasenya, clave, clave de acceso,
		palavra passe, senha, senhas, parola d'ordine, parola, frase segreta, wachtwoord, wachtwoorden, wachtzin, hasło, hasła, hasłem, heslo, lösenord, lösenordet,
		adgangskode, adgangskoden, passord, passordet, salasana, zaporka, lozinka, parool, slaptažodis, parole, jelszó, parolă, şifre, şifrem, şifresi, parolası, mật khẩu, kata sandi, κωδικός πρόσβασης,
		пароль, пароля, паролем, пароли, кодовая фраза, парольная фраза, гасло, 密码, 密碼, 口令, パスワード, 暗証番号, パスフレーズ, 비밀번호, 비번, 암호,
		كلمة المرور, كلمة السر, كلمة مرور, الرقم السري, رمز عبور, पासवर्ड, סיסמה, סיסמא, הסיסמה, รหัสผ่าน`,
	pin: `pin, pin code, pin codes, pincode, pin nummer, pin number, code pin, código pin, geheimzahl, пин, пин код, пін, пін код, pin kodu, pin 码, pin码, 핀번호,
		alarm code, door code, gate code, garage code, entry code, access code, lock code, unlock code, safe code, vault code, keypad code, sim code, türcode, zugangscode, zutrittscode, alarmcode, digicode, code d'accès, código de acceso, código de acesso`,
	token: `secret, secrets, client secret, shared secret, webhook secret, app secret, consumer secret, signing secret, jwt secret, oauth secret, secret key, secret access key,
		api key, api keys, app key, application key, access key, auth key, private key, encryption key, decryption key, signing key, license key, licence key, master key, deploy key,
		account key, service key, admin key, root key, recovery key, ssh key, webhook key,
		token, tokens, access token, auth token, api token, bearer token, refresh token, session token, bot token, deploy token, personal access token,
		api schlüssel, geheimer schlüssel, zugangsschlüssel, clé api, clé d'api, clé secrète, jeton, clave api, clave de api, chave api, chave de api, chave da api, chiave api, api sleutel, klucz api,
		api ключ, ключ api, токен, секрет, секретный ключ, api密钥, 密钥, 密鑰, 令牌, apiキー, アクセスキー, トークン, シークレット, api 키, 토큰`,
	plainKey: `key`,
}

var wordGate = sync.OnceValue(func() *gate {
	groups := make([][]string, len(secretWords))
	for kind, words := range secretWords {
		for word := range strings.SplitSeq(words, ",") {
			word = foldPattern(strings.TrimSpace(word))
			groups[kind] = append(groups[kind], word)
			if strings.ContainsRune(word, ' ') {
				for _, space := range []string{"-", "_", ""} {
					groups[kind] = append(groups[kind], strings.ReplaceAll(word, " ", space))
				}
			}
		}
	}
	return newGate(groups)
})

type wordHit struct {
	kind       secretKind
	start, end int
}

// findSecretWords returns the words for secrets in text: of those that overlap,
// the one that begins first and then the longest.
func findSecretWords(text string) []wordHit {
	var hits []wordHit
	wordGate().each(sameLengthLower(text), func(at int, w gateWord) {
		hit := wordHit{secretKind(w.group), at, at + len(w.text)}
		if isWholeWord(text, hit) {
			hits = append(hits, hit)
		}
	})
	slices.SortFunc(hits, func(a, b wordHit) int {
		return cmp.Or(a.start-b.start, b.end-a.end, int(a.kind-b.kind))
	})
	kept := hits[:0]
	for _, h := range hits {
		if len(kept) == 0 || h.start >= kept[len(kept)-1].end {
			kept = append(kept, h)
		}
	}
	return kept
}

// sameLengthLower lowers what keeps its length in bytes, so that offsets hold.
func sameLengthLower(text string) string {
	if isASCII(text) {
		return text // the gate lowers ASCII itself
	}
	return strings.Map(func(r rune) rune {
		if l := unicode.ToLower(r); utf8.RuneLen(l) == utf8.RuneLen(r) {
			return l
		}
		return r
	}, text)
}

// joint returns the expression for what may stand between the word and the
// value, with these words before a mark and these verbs. Groups 1 and 2 are set for a mark.
func joint(words, verbs string) func() *regexp.Regexp {
	return lazy(foldPattern(`(?i)^` +
		`(?:[_-](?:prod|production|staging|stage|dev|root|admin|user|db|old|new|base|value|live|main|primary|secondary|write|read|v?\d{1,2}))?` +
		`["'` + "`" + `*_~\])]{0,4}` +
		`(?:\s{0,2}\([^)\n]{0,60}\))?` +
		`(?:\s(?:for|of|on|to|at|in|from|under|used|with|by|für|vom|von|zum|zur|der|des|im|pour|du|de|del|della|para|per|voor|van|do|da|для|от|к|на|до|від)\s[^.;:=!?\n]{1,80}?)??` +
		words + `["'` + "`" + `*~]{0,4}` +
		`(?:\s{0,3}(:{1,2}=?|={1,3}>?|-{1,2}>|\||\]?\s?=|[^\S\n]-{1,2}[^\S\n])` +
		`|(>)` +
		`|(?:(?:,[^,\n]{1,30},)?\s{1,3}(?:` + verbs + `)(?:\s{0,2}:)?\s|'s\s)` +
		`(?:(?:now|currently|still|just|simply|always|also|actually|only|called|set to|changed to|reset to|jetzt|nun|aktuell|immer|noch|maintenant|toujours|ahora|agora|adesso|ora|nu|теперь|сейчас)\s){0,2}` +
		`|\s{0,2}(?:คือ|是|为|為|は|が|는|은|가|이))`))
}

// Words that other languages share with English ("la password è", "der PIN
// ist") are read with the first joint, in which "to" and "on" are no verbs.
var (
	englishJoint = joint(``, `is|was|are|will be|has been|must be|should be|equals|reads|ist|war|lautet|est|es|e|era|será|sarà|är|jest`)
	foreignJoint = joint(`(?:\s[\pL-]{1,15}){0,2}?`, `is|was|ist|war|lautet|lauten|sei|est|était|c'est|es|este|era|é|è|será|sarà|jest|brzmi|to|je|är|er|on|adalah|olarak|to jest|это|был|була|є|це|равен|هي|هو|είναι|है`)
)

// vietnameseJoint has the verb "là", which reads like an article of Romance
// languages once its accent is gone.
var vietnameseJoint = joint(`(?:\s[\pL-]{1,15}){0,2}?`, `là`)

var changedTo = lazy(`(?i)^(?:\s(?:for|of|on|in|from|at|to|by)\s[^.;:=!?\n]{1,60}?)??\s(?:(?:has been|had been|was|is|got|were)\s)?(?:(?:changed|set|reset|updated|rotated|switched)\s)?to[\s:]`)

var changing = lazy(`(?i)\b(?:chang|set|reset|updat|rotat|switch)\w*\b[^.\n]{0,40}$`)

// statedSecrets returns the secrets that sentences or assignments in text
// state with these words.
func statedSecrets(text string, words []wordHit) []finding {
	var found []finding
	end := 0 // of the secret before, in which words mean nothing
	for _, w := range words {
		if w.start < end {
			continue
		}
		if w.kind == plainKey && !hasLongWord(text[w.end:min(len(text), w.end+200)]) {
			continue
		}
		if v, ok := statedValue(text, w); ok {
			end = max(v.end, wordEnd(text, v))
			found = append(found, finding{kindNames[w.kind], v.start, end})
		}
	}
	return found
}

// hasLongWord reports a run of 20 bytes without a space.
func hasLongWord(text string) bool {
	run := 0
	for i := range len(text) {
		if text[i] == ' ' || text[i] == '\n' {
			run = 0
		} else if run++; run == 20 {
			return true
		}
	}
	return false
}

// isWholeWord reports whether a word stands alone, as the last part of an
// identifier, or in a script without spaces.
func isWholeWord(text string, w wordHit) bool {
	next, _ := utf8.DecodeRuneInString(text[w.end:])
	last, _ := utf8.DecodeLastRuneInString(text[:w.end])
	if !spaceless(last) && (unicode.IsLetter(next) && next < 0x2E80 || unicode.IsDigit(next) && (w.kind != password || w.end-w.start < 6)) {
		return false
	}
	if w.kind == password && w.end-w.start >= 8 {
		return true // also the end of a compound, such as "dbpassword"
	}
	if isInBase64(text[max(0, w.start-24):w.start]) || isInARN(text[max(0, w.start-80):w.start]) {
		return false
	}
	prev, _ := utf8.DecodeLastRuneInString(text[:w.start])
	first, _ := utf8.DecodeRuneInString(text[w.start:])
	return !unicode.IsLetter(prev) || spaceless(prev) || spaceless(first) || unicode.IsUpper(first) && unicode.IsLower(prev)
}

// spaceless reports letters of scripts that put no spaces between words.
func spaceless(r rune) bool {
	return r >= 0x2E80 || r >= 0x0E00 && r <= 0x0EFF
}

// isInBase64 reports what precedes a word inside a long string of random
// characters, in which short words occur by chance.
func isInBase64(before string) bool {
	if len(before) < 24 {
		return false
	}
	upper, lower, digit := false, false, false
	for i := range len(before) {
		switch c := before[i]; {
		case isDigit(c):
			digit = true
		case 'A' <= c && c <= 'Z':
			upper = true
		case 'a' <= c && c <= 'z':
			lower = true
		case c != '+' && c != '/' && c != '-' && c != '_':
			return false
		}
	}
	return upper && lower && digit
}

// isInARN reports what precedes a word in the name of a cloud's resource, as in
// "arn:aws:secretsmanager:eu-west-1:123456789012:secret:shop".
func isInARN(before string) bool {
	return strings.Contains(before[strings.LastIndexAny(before, " \n\t\"'=,")+1:], "arn:")
}

// lineStart returns where the line around i starts, or a point a good sentence
// before i.
func lineStart(text string, i int) int {
	from := max(0, i-160)
	return from + strings.LastIndexByte(text[from:i], '\n') + 1
}

type value struct{ start, end int }

// maxValue is how much of a value is judged, in bytes. A longer one is withheld
// whole where its beginning is a secret.
const maxValue = 512

// wordEnd returns the end of a value that was too long to be read whole.
func wordEnd(text string, v value) int {
	if v.end-v.start < maxValue-8 {
		return v.end
	}
	if i := strings.IndexAny(text[v.end:], " \t\r\n\"'`<;,|&"); i >= 0 {
		return v.end + i
	}
	return len(text)
}

// statedValue looks for the value that is joined to a word for a secret.
func statedValue(text string, w wordHit) (value, bool) {
	end := w.end
	rest := text[end:]
	if len(rest) > 400 {
		rest = rest[:400]
	}
	word, before := text[w.start:w.end], text[lineStart(text, w.start):w.start]
	c := claim{text: text, kind: w.kind, word: word, english: isEnglish(word), before: before}
	between := englishJoint
	if !c.english {
		between = foreignJoint
	}
	if strings.EqualFold(word, foldPattern("mật khẩu")) && vietnameseJoint().MatchString(rest) {
		between = vietnameseJoint
	}
	if v, ok := c.inCode(rest, end); ok {
		return v, true
	}
	if typedJoint().MatchString(rest[:min(len(rest), 64)]) {
		return value{}, false
	}
	if m := between().FindStringSubmatchIndex(rest); m != nil {
		c.strong = m[2] >= 0 || m[4] >= 0
		c.value = readValue(text, end+m[1])
		secret := c.value.ok() && c.isSecret()
		return c.value.value, secret
	}
	if m := changedTo().FindStringIndex(rest); m != nil && (changing().MatchString(before) || strings.Contains(rest[:m[1]], "ed to") || strings.Contains(rest[:m[1]], "set to")) {
		c.value = readValue(text, end+m[1])
		secret := c.value.ok() && c.isSecret()
		return c.value.value, secret
	}
	if w.kind == password {
		if v, ok := c.afterPhrase(rest, end); ok {
			return v, true
		}
	}
	if m := relativeClause().FindStringIndex(rest); m != nil {
		c.value = readValue(text, end+m[1])
		if c.value.ok() && looksSecret(c.value.text) && c.isSecret() {
			return c.value.value, true
		}
	}
	space := bareJoint().FindString(rest)
	if last, _ := utf8.DecodeLastRuneInString(word); space == "" && !spaceless(last) {
		return value{}, false // the rest of a longer word
	}
	c.value = readValue(text, end+len(space))
	return c.value.value, c.value.ok() && c.isBareSecret()
}

// relativeClause lets "I use for the weather" in between "the API key" and "is".
var relativeClause = lazy(`(?i)^\s(?:that\s|which\s)?(?:i|we|they|you|he|she)\s[^.;:=!?\n]{1,60}?(?:\s(?:is|was)\s|:\s)`)

// bareJoint stands between a word and a value without a mark or a verb.
var bareJoint = lazy(`^["'` + "`" + `*]{0,3}[^\S\n]?`)

type readResult struct {
	value
	quoted bool
	text   string
}

func (r readResult) ok() bool { return r.end > r.start }

// readValue reads the value that begins at or after from: what quotes enclose,
// or the characters up to a space or a mark that ends it.
func readValue(text string, from int) readResult {
	i := from
	newlines := 0
	for i < len(text) {
		c := text[i]
		if c == '\n' {
			if newlines++; newlines > 2 {
				return readResult{}
			}
		} else if c != ' ' && c != '\t' && c != '\r' && c != '*' && c != '_' && c != '~' && c != '>' && c != '|' && c != '=' && c != ':' && c != '(' && c != '\\' {
			break
		}
		i++
	}
	// The opening of a code block, with its language.
	if strings.HasPrefix(text[i:], "```") {
		if nl := strings.IndexByte(text[i:], '\n'); nl >= 0 && nl < 20 {
			i += nl + 1
		}
	}
	if i >= len(text) {
		return readResult{}
	}
	if q := text[i]; q == '"' || q == '\'' || q == '`' {
		for i < len(text) && text[i] == q {
			i++
		}
		if j := strings.IndexByte(text[i:], q); j >= 0 && j <= 200 && !strings.Contains(text[i:i+j], "\n") {
			end := i + j
			if end > i && text[end-1] == '\\' {
				end--
			}
			return readResult{value{i, end}, true, text[i:end]}
		}
	}
	end := len(text)
	for j, r := range text[i:] {
		if j >= maxValue {
			end = i + j
			break
		}
		if unicode.IsSpace(r) || strings.ContainsRune("\"'`<;,|&", r) && j > 0 || r == ')' || r == '\\' {
			end = i + j
			break
		}
	}
	trimmed := strings.TrimRight(text[i:end], ".,;:!?*_)]}")
	if trimmed == "" {
		trimmed = text[i:end]
	}
	return readResult{value{i, i + len(trimmed)}, false, trimmed}
}

// foldPattern folds the letters of an expression as texts are folded, so that
// words can be written in their own spelling.
func foldPattern(pattern string) string {
	var b strings.Builder
	for _, r := range pattern {
		switch {
		case r < utf8.RuneSelf:
			b.WriteRune(r)
		case isFoldedMark(r):
		default:
			b.WriteString(foldRune(r))
		}
	}
	return b.String()
}

func foldAll(words ...string) []string {
	for i, w := range words {
		words[i] = foldPattern(w)
	}
	return words
}
