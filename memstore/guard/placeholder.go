package guard

import (
	"strings"
	"unicode"
)

// placeholderParts stand in for a secret wherever they occur in it.
var placeholderParts = []string{
	"example", "placeholder", "changeme", "change-me", "change_me", "changeit", "redacted", "withheld", "replaceme", "replace-me", "replace_me",
	"your-", "your_", "your.", "yourkey", "yourtoken", "yourpass", "yoursecret", "yourapi", "my-secret", "my_secret", "mysecret", "xxxx", "****", "••", "...", "…", "insert-", "insert_", "-here", "_here",
	"todo", "fixme", "dummy", "foobar", "lorem", "s3cr3t-placeholder", "<", "{{", "${", "$(", "123e4567-e89b",
}

// placeholderWords stand in for a secret when they are all of it.
var placeholderWords = wordSet(`
	password passwd pass pwd pw passphrase pin secret token key apikey api_key api-key api_token access_token pat p s x
	user username login name value string str text char varchar bytes byte int integer bool boolean object any optional undefined
	none null nil true false yes no on off empty blank unset unknown hidden masked omitted n/a na tbd foo bar baz qux test
	testing sample default required optional secretstr
	passwort kennwort contrasena senha parola haslo wachtwoord mot-de-passe пароль 密码 密碼 パスワード
	username:password user:password user:pass env environment`)

var (
	variable = lazy(`^(?:\$\{?[A-Za-z_][A-Za-z_]*\}?|\$[A-Z][A-Z0-9_]*|%[A-Za-z_]+%|%[-+#0-9.]*[a-z]|@[A-Z_]+@|:[a-z_]+|\$\d)$`)
	envName  = lazy(`^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$`)
)

// isPlaceholder reports what is written where a secret would stand: words
// such as "password", "changeme" or "your-key", stars and dots, variables.
func isPlaceholder(s string) bool {
	s = strings.Trim(s, "\"'`*_.,;:!?()[] \t\r\n")
	if s == "" {
		return true
	}
	lower := strings.ToLower(s)
	if placeholderWords[lower] || variable().MatchString(s) {
		return true
	}
	for _, p := range placeholderParts {
		if strings.Contains(lower, p) {
			return true
		}
	}
	return isMonotone(lower)
}

// isMonotone reports one or two characters over and over, such as "xxxxxx",
// "------" or "abababab", but no short number.
func isMonotone(s string) bool {
	seen := make(map[rune]bool, 3)
	letters := 0
	for _, r := range s {
		seen[r] = true
		if len(seen) > 2 {
			return false
		}
		if !unicode.IsDigit(r) {
			letters++
		}
	}
	return letters > 0 || len(s) >= 12
}

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

func hasLetterAndDigit(s string) bool {
	letter, digit := false, false
	for _, r := range s {
		letter = letter || unicode.IsLetter(r)
		digit = digit || unicode.IsDigit(r)
	}
	return letter && digit
}
