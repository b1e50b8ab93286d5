package guard

import (
	"strings"
	"sync"

	"github.com/rs/zerolog"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/logging"
)

// Credentials with a form of their own (vendors' tokens, keys in configuration)
// are found by gitleaks' default rules. Compiling these takes about 50 ms, so
// that only a text which has a keyword of one of them pays for it, once.

// droppedRules are not used: one judges by entropy alone, one by file names,
// two are covered by rules of our own that ordinary text does not trigger, and
// the others report identifiers that are no secrets.
var droppedRules = map[string]bool{
	"hashicorp-tf-password": true,
	"twilio-api-key":        true,

	"generic-api-key":        true,
	"pkcs12-file":            true,
	"adobe-client-id":        true,
	"asana-client-id":        true,
	"bitbucket-client-id":    true,
	"discord-client-id":      true,
	"flutterwave-public-key": true,
	"linkedin-client-id":     true,
	"lob-pub-api-key":        true,
	"looker-client-id":       true,
	"mailgun-pub-key":        true,
	"messagebird-client-id":  true,
	"plaid-client-id":        true,
	"sendbird-access-id":     true,
	"sumologic-access-id":    true,
}

// narrowedKeywords replaces keywords that occur in ordinary words by ones that
// do not, without losing a text that the rule could match.
var narrowedKeywords = map[string][]string{
	"jwt": {"eyj", "eya", "ewo"},
	// Without the form of Vault before 1.10, whose keyword ends most sentences.
	"vault-service-token":    {"hvs."},
	"kubernetes-secret-yaml": {"kind: secret", `kind: "secret"`, "kind: 'secret'", "kind:secret"},
}

// ruleKeywords reads the keywords of the rules in use from gitleaks' default
// configuration, line by line: parsing it whole costs what the gate is to save.
func ruleKeywords() []string {
	var words []string
	id, inList := "", false
	for line := range strings.Lines(config.DefaultConfig) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "id = "); ok {
			id = strings.Trim(rest, `"`)
			words = append(words, narrowedKeywords[id]...)
		}
		list, starts := strings.CutPrefix(line, "keywords = [")
		if !starts && !inList {
			continue
		}
		if !starts {
			list = line
		}
		inList = !strings.Contains(list, "]")
		if droppedRules[id] || narrowedKeywords[id] != nil {
			continue
		}
		for i, part := range strings.Split(list, `"`) {
			if i%2 == 1 {
				words = append(words, strings.ToLower(part))
			}
		}
	}
	return words
}

var leakGate = sync.OnceValue(func() *gate { return newGate([][]string{ruleKeywords()}) })

type leakRules struct {
	detector *detect.Detector
	// vague rules take any string of the right length that follows a vendor's
	// name; they count only where a word such as "token" says what it is.
	vague map[string]bool
}

// leakDetector makes the detector on first use. It is safe for concurrent use:
// detecting reads the rules and changes one atomic counter.
var leakDetector = sync.OnceValue(func() leakRules {
	// Its log would carry the secrets that it found.
	logging.Logger = zerolog.Nop()
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		panic("guard: gitleaks' built-in configuration: " + err.Error())
	}
	cfg := d.Config
	vague := make(map[string]bool)
	cfg.Keywords = make(map[string]struct{})
	for id, rule := range cfg.Rules {
		if droppedRules[id] {
			delete(cfg.Rules, id)
			continue
		}
		// Memories have no path: rules bound to one apply to all text.
		rule.Path = nil
		if words := narrowedKeywords[id]; words != nil {
			rule.Keywords = words
		}
		for _, w := range rule.Keywords {
			cfg.Keywords[w] = struct{}{}
		}
		cfg.Rules[id] = rule
		vague[id] = isVague(rule.Regex.String())
	}
	// The allowlist for all rules is made for files: it lets pass any secret
	// that contains "false". Placeholders are judged here instead.
	cfg.Allowlists = nil
	detector := detect.NewDetector(cfg)
	detector.IgnoreGitleaksAllow = true
	return leakRules{detector, vague}
})

// isVague recognises the common shape of such rules in gitleaks: anything that
// looks like a name, the vendor, a separator, then a plain character class.
func isVague(pattern string) bool {
	_, secret, found := strings.Cut(pattern, `[\x60'"\s=]{0,5}(`)
	return found && strings.Contains(pattern, `[\w.-]{0,50}?`) &&
		(strings.HasPrefix(secret, "[") || strings.HasPrefix(secret, "(?:squ_"))
}

var saysCredential = lazy(`(?i)key|token|secret|passw|auth|credential|api|access|login|bearer|webhook|dsn`)

// leaks returns what gitleaks finds in a folded text.
func leaks(text string) []finding {
	if leakGate().find(text).empty() {
		return nil
	}
	rules := leakDetector()
	blank := blankForLeaks(text)
	var found []finding
	located := make(map[string]bool) // each secret is looked for once, wherever it stands
	for _, f := range rules.detector.DetectString(blank) {
		if isPlaceholder(f.Secret) {
			continue
		}
		if f.RuleID == "sourcegraph-access-token" && !strings.HasPrefix(strings.ToLower(f.Secret), "sgp_") && !saysCredential().MatchString(nearby(text, f.Secret)) {
			continue
		}
		if rules.vague[f.RuleID] && (!hasLetterAndDigit(f.Secret) || !saysCredential().MatchString(strings.ReplaceAll(f.Match, f.Secret, ""))) {
			continue
		}
		if located[f.Secret] {
			continue
		}
		located[f.Secret] = true
		for from := 0; ; {
			i := strings.Index(blank[from:], f.Secret)
			if i < 0 || f.Secret == "" {
				break
			}
			// Short prefixes occur in long base64 by chance.
			if at := from + i; !isInBase64(text[max(0, at-24):at]) {
				found = append(found, finding{f.RuleID, at, at + len(f.Secret)})
			}
			from += i + len(f.Secret)
		}
	}
	return found
}

// nearby returns what stands before a secret on its line.
func nearby(text, secret string) string {
	i := strings.Index(text, secret)
	if i < 0 {
		return ""
	}
	return text[strings.LastIndexByte(text[:i], '\n')+1 : i]
}

// blankForLeaks replaces, byte for byte, what surrounds a credential in prose
// by spaces. Many rules demand a quote, a space or the end after a secret, and
// would miss one that is followed by a full stop, a bracket or a word of a
// script without spaces.
func blankForLeaks(text string) string {
	b := []byte(text)
	for i, c := range b {
		switch c {
		case ',', ')', ']', '}', '!', '?', '*', '<', '&', '(', '{', '[', '#':
			b[i] = ' '
		case '.', ':', '|', '>':
			if i+1 == len(b) || !isAlnum(b[i+1]) && b[i+1] != '=' && b[i+1] != '/' && b[i+1] != '_' && b[i+1] != '-' && b[i+1] != ':' {
				if i > 0 && isAlnum(b[i-1]) && (i+1 == len(b) || c != ':' && c != '>') {
					b[i] = ' '
				}
			}
		default:
			if c >= 0x80 {
				b[i] = ' '
			}
		}
	}
	return string(b)
}
