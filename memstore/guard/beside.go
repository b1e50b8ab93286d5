package guard

import (
	"regexp"
	"strings"
)

// Secrets that are known by what stands beside them and not by a word that
// states them: before "is the password", next to a user's name, after "use" and
// before "to log in", or under a key that names a secret or a login.

// valuesFirst finds sentences that name the value first: "x is the password",
// "use x as the PIN".
func valuesFirst(text string) []finding {
	var found []finding
	for _, m := range valueFirst().FindAllStringSubmatchIndex(text, -1) {
		v := text[m[2]:m[3]]
		kind := password
		switch w := strings.ToLower(text[m[4]:m[5]]); {
		case strings.HasPrefix(w, "pin"), strings.HasSuffix(w, "code") && w != "passcode":
			kind = pin
		case strings.HasPrefix(w, "pass"):
		default:
			kind = token
		}
		trimmed := strings.Trim(v, "\"'`*_.,;:()")
		if kind == pin && isPIN(trimmed) || kind != pin && looksSecret(trimmed) && (kind == password || len(trimmed) >= 8 && !isNameLike(trimmed)) {
			at := m[2] + strings.Index(v, trimmed)
			found = append(found, finding{kindNames[kind], at, at + len(trimmed)})
		}
	}
	return found
}

// passwordsBesideUsers finds user names with passwords beside them, as in "log
// in with admin / x".
func passwordsBesideUsers(text string) []finding {
	var found []finding
	for _, m := range userAndPassword().FindAllStringSubmatchIndex(text, -1) {
		v := strings.TrimRight(text[m[2]:m[3]], ".,;:)")
		if looksSecret(v) && len(v) >= 6 && !isPath(v) {
			found = append(found, finding{"password", m[2], m[2] + len(v)})
		}
	}
	return found
}

// passwordsForLogins finds values that are a password by what they are used for,
// as in "use x to log in", and a user's name with one right beside a word for a
// login. The value must look like a password by itself.
func passwordsForLogins(text string) []finding {
	var found []finding
	for _, re := range []*regexp.Regexp{usedToLogIn(), loggedInUsing(), userColonPassword()} {
		for _, m := range re.FindAllStringSubmatchIndex(text, -1) {
			v := strings.TrimRight(text[m[2]:m[3]], ".,;:)\"'`*")
			if isStrongSecret(v) {
				found = append(found, finding{"password", m[2], m[2] + len(v)})
			}
		}
	}
	return found
}

var (
	usedToLogIn       = lazy(`(?i)\b(?:use|with|using|enter|type|try)\s["'` + "`" + `*(]{0,2}(\S{8,128})\s(?:to|for|when|at)\s(?:\w+\s){0,2}?(?:log(?:ging)?[\s-]?in|log\s?into|sign(?:ing)?[\s-]?in|unlock|authenticate|login)\b`)
	loggedInUsing     = lazy(`(?i)\b(?:log|sign|logged|signed|logging|signing)[\s-]?in(?:to)?\b[^\n]{0,60}?\s(?:as|with|using)\s["'` + "`" + `]?[\w.@+-]{2,60}["'` + "`" + `]?,?\s(?:using|with|and|plus)\s["'` + "`" + `*]{0,2}(\S{8,128})`)
	userColonPassword = lazy(`(?i)\b(?:login|log in|creds?|credentials?|account|sign in|admin|user|access)\b["'` + "`" + `*]{0,2}(?:\s?(?:[:=-]|->)\s?|\s)["'` + "`" + `*]{0,2}(?:[\w.@+-]{2,40})?(?:\s?[:/|]\s?)["'` + "`" + `*]{0,2}(\S{8,128})`)
)

var valueFirst = lazy(`(?i)(?:^|[\s"'` + "`" + `*(:])(\S{4,}?)["'` + "`" + `*]{0,3}\s(?:is|was|as|for|=)\s(?:(?:the|my|our|your|his|her|their|its|a)\s)(?:[\w-]+\s){0,3}?(password|passphrase|passcode|pin(?:\scode)?|(?:alarm|door|gate|access|entry)\scode|secret|api\skey|api\stoken|access\stoken|token)\b(?:[\s.,;:!)"'` + "`" + `*]|$)`)

var userAndPassword = lazy(`(?i)\b(?:credentials?|creds|user(?:name)?\s?/\s?pass(?:word)?|log(?:ged)?[\s-]?in|sign[\s-]?in)\b[^\n.]{0,40}?(?::|=|\bis\b|\bare\b|\bwith\b|\bas\b|\busing\b)\s*["'` + "`" + `*]{0,2}[\w.@+-]{2,40}["'` + "`" + `*]{0,2}(?:\s?:\s?|\s/\s|/|\s?\|\s?|\s+and\s+)["'` + "`" + `*]{0,2}([^\s"'` + "`" + `,;]{4,})`)

// keyedSecret judges a value by its key: under "wifi/password" the value alone
// is the secret. It returns the name of the rule, or nothing.
func keyedSecret(key, text string) string {
	if strings.ContainsRune(strings.TrimSpace(text), '\n') || len(text) > 200 {
		return ""
	}
	last := key[strings.LastIndexByte(key, '/')+1:]
	if loginKey().MatchString(last) {
		if m := userThenPassword().FindStringSubmatch(fold(text).text); m != nil && isStrongSecret(m[1]) {
			return kindNames[password]
		}
	}
	if len(findSecretWords(fold(last).text)) == 0 {
		return ""
	}
	line := fold(last + ": " + text).text
	colon := strings.Index(line, ": ")
	for _, f := range statedSecrets(line, findSecretWords(line)) {
		if f.start > colon {
			return f.rule
		}
	}
	return ""
}

var (
	loginKey         = lazy(`(?i)(?:^|[._-])(?:log-?in|sign-?in|creds?|credentials?|accounts?|access|auth|admin|user|zugang|zugangsdaten)(?:[._-]|$)`)
	userThenPassword = lazy(`^\s*["'` + "`" + `*]{0,2}[\w.@+-]{2,60}["'` + "`" + `*]{0,2}\s?[:/|,]\s?["'` + "`" + `*]{0,2}([^\s"'` + "`" + `*]{8,128})["'` + "`" + `*.]{0,3}\s*$`)
)
