package guard

import (
	"encoding/base64"
	"regexp"
	"strings"
	"sync"
)

// A secretRule finds credentials by the form that they are written in. The
// secret is the first group of the expression that matched. Words are in lower case; the
// expression cannot match where none of them occurs.
type secretRule struct {
	name   string
	words  []string
	re     func() *regexp.Regexp
	accept func(secret string) bool // nil: anything that is no placeholder
}

// body is base64 after the header of a private key, as much as there is.
const keyBody = `(?:[\s>|"'\\]|\\[nr]|(?:Proc-Type|DEK-Info|Comment|Version|Charset|Subject)[^\n]{0,200}\n)*(?:[A-Za-z0-9+/=]{16,}(?:[\s>|"'\\]|\\[nr])*)+[A-Za-z0-9+/=]*` +
	`(?:[\s\\nr]*-{2,5}\s?END[ A-Z0-9_-]{0,60}-{2,5})?`

var secretRules = append(commandRules, formRules...)

var formRules = []secretRule{
	{
		name:   "url-password",
		words:  []string{"://", `:\/\/`},
		re:     lazy(`(?i)\b[a-z][a-z0-9+.-]{1,30}:\\?/\\?/[^\s/:@"'<>` + "`" + `]*:([^\s/"'<>` + "`" + `]+)@[\w\[.${<*-]`),
		accept: isURLPassword,
	},
	{
		name:  "private-key",
		words: []string{"private key"},
		re:    lazy(`(?i)(-{2,5}\s?BEGIN[ A-Z0-9_-]{0,60}PRIVATE KEY(?: BLOCK)?\s?-{2,5}` + keyBody + `)`),
	},
	{
		// The base64 of "openssh-key-v1", without its header.
		name:  "private-key",
		words: []string{"b3blbnnzac1rzxktdje"},
		re:    lazy(`(b3BlbnNzaC1rZXktdjE(?:[A-Za-z0-9+/=]|\s){20,})`),
	},
	{
		name:  "private-key",
		words: []string{"private-lines"},
		re:    lazy(`(?i)private-lines:\s*\d+\s+([A-Za-z0-9+/=\s]{20,})`),
	},
	{
		name:  "private-key",
		words: []string{`"kty"`},
		re:    lazy(`"(?:d|k)"\s*:\s*"([A-Za-z0-9_-]{32,})"`),
	},
	{
		name:  "private-key",
		words: []string{"privatekey", "presharedkey"},
		re:    lazy(`(?i)\b(?:private|preshared)key\s*=\s*([A-Za-z0-9+/]{42,43}=)`),
	},
	{
		name:  "connection-string",
		words: []string{"accountkey", "sharedaccesskey"},
		re:    lazy(`(?i)\b(?:account|sharedaccess)key\s*=\s*([A-Za-z0-9+/]{20,}={0,2})`),
	},
	{
		name:  "signed-url",
		words: []string{"sig=", "signature="},
		re:    lazy(`(?i)[?&;](?:amp;)?(?:sig|x-amz-signature|x-goog-signature|signature)=([A-Za-z0-9%+/=_-]{30,})`),
	},
	{
		name:   "basic-auth",
		words:  []string{"basic"},
		re:     lazy(`(?i)\bbasic[\s:]+["']?([A-Za-z0-9+/]{8,}={0,2})`),
		accept: isBasicAuth,
	},
	{
		name:   "basic-auth",
		words:  []string{"curl", "wget", "http"},
		re:     lazy(`\b(?:curl|wget|https?)\b[^\n]{0,300}?\s(?:-u|--user|-a|--auth)[=\s]\s*["']?[^\s:"']+:([^\s"']{3,})`),
		accept: func(s string) bool { return !isPlaceholder(s) && !isReference(s) },
	},
	{
		name:   "bearer-token",
		words:  []string{"bearer"},
		re:     lazy(`(?i)\bbearer["'\s:=` + "`" + `*]+([A-Za-z0-9._~+/=-]{16,})`),
		accept: isOpaqueToken,
	},
	{
		name:   "authorization-header",
		words:  []string{"authorization"},
		re:     lazy(`(?i)\bauthorization["'` + "`" + `*]*\s*[:=]\s*["'` + "`" + `]?(?:token|apikey|api-key|key|bot|pat)?[\s:=]*["']?([A-Za-z0-9._~+/=-]{16,})`),
		accept: isOpaqueToken,
	},
	{
		name:   "session-cookie",
		words:  []string{"cookie", "sessid", "sessionid", "session_id", "connect.sid"},
		re:     lazy(`(?i)(?:cookie\b[^\n]{0,200}?|\b)(?:[\w.-]{0,20}sess(?:ion)?[\w.-]{0,12}|connect\.sid|\bsid|[\w-]{0,12}auth[\w-]{0,10}|remember[\w-]{0,10}|[\w-]{0,12}token)\s*=\s*([A-Za-z0-9%.~+/_:-]{16,})`),
		accept: isOpaqueToken,
	},
	{
		name:  "aws-secret-key",
		words: []string{"secret"},
		re:    lazy(`(?i)secret[\s_-]{0,2}(?:access[\s_-]{0,2})?key["'` + "`" + `*\s|]*(?:[:=]|is|was|->)?[>\s"'` + "`" + `*|]*([A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+=]|$)`),
		accept: func(s string) bool {
			return hasLetterAndDigit(s) && !isPlaceholder(s)
		},
	},
	{
		name:   "command-password",
		words:  []string{"sshpass", "mysql", "mariadb", "mysqldump"},
		re:     lazy(`\b(?:sshpass\s+-p\s*|(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;]{0,120}?\s-p)["']?([^\s"']{4,})`),
		accept: func(s string) bool { return !isPlaceholder(s) && !isReference(s) },
	},
	{
		name:   "connection-string",
		words:  []string{"jdbc:oracle", "@tcp(", "@unix("},
		re:     lazy(`(?:jdbc:oracle:\w+:[\w$#]{1,64}/|[\w.-]{1,64}:)([^\s@"'/]{3,128})@(?:tcp\(|unix\(|//|[\w.-]+:\d)`),
		accept: isURLPassword,
	},
	{
		name:   "connection-string",
		words:  []string{"identified "},
		re:     lazy(`(?i)\bidentified\s+(?:with\s+\w+\s+)?(?:by|as)\s+["']([^"'\n]{4,128})["']`),
		accept: func(s string) bool { return !isPlaceholder(s) && !isReference(s) },
	},
	{
		// A call that is given a user's name and a password.
		name:   "password",
		words:  []string{"auth", "login", "log_in", "signin", "sign_in", "credential", "connect"},
		re:     lazy(`(?i)(?:auth|login|log_?in|sign_?in|credentials?|connect)\w{0,12}["']?\s?[=:]?\s?[(\[]\s?["'][^"'\n]{1,60}["']\s?,\s?(?:\w{1,12}\()?["']([^"'\n]{6,64})["']`),
		accept: isStrongSecret,
	},
	{
		// Logins of container registries and npm keep "user:password" as base64.
		name:   "basic-auth",
		words:  []string{`"auth"`, "_auth"},
		re:     lazy(`(?:"auth"\s*:\s*"|\b_auth\s*=\s*"?)([A-Za-z0-9+/]{12,}={0,2})`),
		accept: func(s string) bool { return isBasicAuth(s) || len(s) >= 24 && isOpaqueToken(s) },
	},
	{
		name:   "recovery-code",
		words:  []string{"code"},
		re:     lazy(`(?i)\b(?:recovery|backup|scratch|2fa|mfa|emergency)[\s-](?:\w+\s)?codes?\b[^\n\d]{0,40}?[\s:=]\s*((?:[-*]\s)?[a-z0-9]{4,8}-?[a-z0-9]{4,8}(?:(?:[\s,;]+(?:[-*]\s)?)[a-z0-9]{4,8}-?[a-z0-9]{4,8}){1,15})`),
		accept: areRecoveryCodes,
	},
	{
		name:  "seed-phrase",
		words: []string{"seed", "mnemonic", "recovery", "backup phrase", "secret phrase", "wiederherstellung", "助记词"},
		re: lazy(`(?i)(?:\b(?:seed|mnemonic|recovery|backup|secret)(?:[\s-](?:phrase|words?|mnemonic|seed))*|wiederherstellungs\w+|助记词)` +
			`[^\n.]{0,40}?(?::|=|\bis\b|\bare\b|\bist\b|是)[\s"'` + "`" + `*>]*((?:\d{1,2}[.)]\s*)?[a-z]{3,8}(?:(?:[ \t,]+|\n)(?:\d{1,2}[.)]\s*)?[a-z]{3,8}){11,23})`),
		accept: isSeedPhrase,
	},
	{
		name: "vendor-token",
		words: []string{
			"sk-", "gsk_", "xai-", "r8_", "tvly-", "ya29.", "gocspx-", "dckr_", "atctt3", "atatt3", "atbb", "sq0csp-", "whsec_", "nvapi-", "lsv2_",
			"figd_", "secret_", "pat-", "tskey-", "sbp_", "sb_secret_", "nsec1", "xprv", "dp.", "rk_", "age-plugin", "age-secret", "gitea", "ghp_", "glsa_",
			"cfat_", "cfut_", "vercel_", "fw_", "pcsk_", "e2b_", "rnd_", "ctx7sk", "hvs.", "ops_", "ak-", "lin_oauth_", "rt_", "hooks.slack", "discord", ":aa",
			"key-", "sk.ey", "hf_", "nrak-", "pmak-", "phx_", "napi_", "nfp_", "bkua_", "ccipat_", "re_", "rpa_", "sntrys_", "sntryu_", "shp", "ntn_",
			"sk0", "sk1", "sk2", "sk3", "sk4", "sk5", "sk6", "sk7", "sk8", "sk9", "ska", "skb", "skc", "skd", "ske", "skf",
		},
		re: vendorTokens,
		// A random string of 28 letters may have no digit.
		accept: func(s string) bool {
			return !isPlaceholder(s) && (hasLetterAndDigit(s) || len(s) >= 28 && strings.ToLower(s) != s)
		},
	},
}

// lazy compiles an expression when it is first needed.
func lazy(pattern string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern) })
}

var secretGate = sync.OnceValue(func() *gate {
	groups := make([][]string, 0, len(secretRules)+1)
	for _, r := range secretRules {
		groups = append(groups, r.words)
	}
	groups = append(groups, []string{"credential", "creds", "user", "log in", "log into", "login", "signing in", "logging in", "unlock", "authenticate", "admin", "account", "log-in", "logged in", "sign in", "sign-in"})
	var articles []string
	for _, verb := range []string{"is ", "was ", "as ", "for "} {
		for _, article := range []string{"the ", "my ", "our ", "your ", "his ", "her ", "their ", "its ", "a "} {
			articles = append(articles, verb+article)
		}
	}
	return newGate(append(groups, articles))
})

// ownSecrets returns the credentials in a folded text that gitleaks' rules
// miss.
func ownSecrets(text string) []finding {
	words := findSecretWords(text)
	found := statedSecrets(text, words)
	if len(words) > 0 {
		found = append(found, tableSecrets(text, words)...)
	}
	present := secretGate().find(text)
	for i, rule := range secretRules {
		if !present.has(i) {
			continue
		}
		for _, m := range rule.re().FindAllStringSubmatchIndex(text, -1) {
			at := firstGroup(m)
			secret := text[m[at]:m[at+1]]
			if rule.accept == nil && isPlaceholder(secret) && rule.name != "private-key" || rule.accept != nil && !rule.accept(secret) {
				continue
			}
			found = append(found, finding{rule.name, m[at], m[at+1]})
		}
	}
	if present.has(len(secretRules)) {
		found = append(found, passwordsBesideUsers(text)...)
		found = append(found, passwordsForLogins(text)...)
	}
	if len(words) > 0 && present.has(len(secretRules)+1) {
		found = append(found, valuesFirst(text)...)
	}
	return found
}

// areRecoveryCodes reports at least two groups of characters with digits.
func areRecoveryCodes(s string) bool {
	digits := 0
	for word := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(" ,;*\n\t\r", r) }) {
		if word == "-" {
			continue
		}
		if strings.IndexFunc(word, func(r rune) bool { return r >= '0' && r <= '9' }) < 0 {
			if digits < 2 {
				return false
			}
			continue
		}
		digits++
	}
	return digits >= 2
}

// firstGroup returns the index in a match of the first group that took part.
func firstGroup(m []int) int {
	at := 2
	for at+2 < len(m) && m[at] < 0 {
		at += 2
	}
	return at
}

func isURLPassword(s string) bool {
	if i := strings.LastIndexByte(s, '@'); i >= 0 && strings.ContainsAny(s, ",;|") {
		// Two addresses without a space between them.
		s = s[:strings.IndexByte(s, '@')]
	}
	return !isPlaceholder(s) && !envName().MatchString(s) && !strings.HasPrefix(s, "$") && !strings.HasPrefix(s, "{") && !strings.HasPrefix(s, "[")
}

// isBasicAuth reports the base64 of "user:password".
func isBasicAuth(s string) bool {
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
	if err != nil {
		return false
	}
	for _, c := range plain {
		if c < 0x20 || c > 0x7E {
			return false
		}
	}
	_, password, found := strings.Cut(string(plain), ":")
	return found && !isPlaceholder(password)
}

// isOpaqueToken reports a string that is neither words nor a placeholder.
func isOpaqueToken(s string) bool {
	s = strings.TrimRight(s, ".-/")
	return len(s) >= 16 && hasLetterAndDigit(s) && !isPlaceholder(s) && !isReference(s) && !isNameLike(s) && !isPath(s)
}

// notInSeeds are function words that the list of words for seed phrases
// (BIP-39, English) leaves out, while it has "about" and "this".
var notInSeeds = wordSet("the and for from are was were has had not its our she his her who which must should would")

func isSeedPhrase(s string) bool {
	words := strings.FieldsFunc(s, func(r rune) bool { return r < 'A' })
	for i, w := range words {
		if notInSeeds[strings.ToLower(w)] {
			return i >= 12
		}
	}
	return len(words) >= 12
}
