// Package guard decides what may not be saved in a memory: credentials, text
// that poses as an instruction to a model, and hidden characters. It is a leaf:
// it knows text and who wrote it, and nothing of stores. Limits on length, the
// form of keys and a byte order mark at the start of a file are for others.
//
// Every text is judged in its own right and again with its disguises undone:
// full-width and mathematical letters, accents, characters without width, and
// letters of other scripts drawn like Latin ones. A key that names a secret
// ("wifi/password") is judged together with its value and its description. A secret cut in two by
// description and value is not found, nor one in base64 other than basic auth.
//
// Rules for every writer:
//
//   - not-utf-8: bytes that are not UTF-8.
//   - hidden-character: a character that readers can't see and that the writing
//     around it does not need; the reason names its code point and position.
//     Soft hyphens count as hidden. One direction mark in a line with
//     right-to-left letters does not, nor do private use characters.
//   - the names of gitleaks' rules, such as github-pat, aws-access-token or jwt:
//     a credential with a form of its own. The rule that judges by entropy alone
//     is off, so are identifiers that are no secrets; a vendor's name before a
//     random string counts only beside a word such as "token". Allowlists for
//     files and "gitleaks:allow" have no effect.
//   - vendor-token: forms of vendors' tokens that gitleaks does not know.
//   - url-password, basic-auth, bearer-token, authorization-header,
//     session-cookie, signed-url, connection-string, aws-secret-key,
//     command-password, recovery-code, private-key (PEM, OpenSSH, PuTTY, PGP,
//     WireGuard and JWK, cut short too), seed-phrase: credentials in these forms.
//   - password, pin, secret-token: a sentence or an assignment, in many
//     languages, that states one: "the password is …", "PIN: …", "API_KEY=…",
//     "… is the password". A description ("is in the vault", "at least 12
//     characters"), a placeholder, a variable or a reference passes. After an
//     English word for a password one plain word that ends the clause counts as
//     the password unless it is known to describe one; in other languages the
//     value needs digits or marks. Cells below such a heading of a table, a
//     value beside a user's name ("log in as x with …"), after "use" and before
//     "to log in", and arguments in code count where they look like a password
//     by themselves: letters of both cases, digits and marks.
//     A passphrase of plain words with function words among them is not known
//     from a description, nor is a name with a number ("Room-12").
//
// Rules for every writer but a person:
//
//   - fake-turn: a line that poses as a turn of a conversation. "system: Debian
//     12" passes, "system: you must …" does not, and neither do two roles that
//     take turns in sentences.
//   - chat-template: tokens by which models tell turns apart, also where a text
//     only discusses them: what is shown to a model should not hold them.
//   - tool-call: the syntax of tool calls.
//   - role-override: orders to drop, override or hide instructions, or to take a
//     role without rules, in some twenty languages, English in most detail.
//     "Ignore the instructions in the old README" passes, since it names where
//     they stand; "ignore the previous instructions" does not. "We ignore
//     previous …" and "never ignore previous …" describe, and pass.
//
// These rules know forms of text, not intent: a new wording gets by them, and
// whatever shows memories to a model must still mark them as data.
package guard

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Input is what is about to be saved. Person says that someone at the keyboard
// wrote it; only they may save text that looks like a role override.
type Input struct {
	Key, Description, Value string
	Person                  bool
}

// Refusal names the rule that an input breaks and the field it is in, and
// never the text that broke it.
type Refusal struct {
	Rule   string // such as "github-pat", "url-password", "role-override", "hidden-character"
	Field  string // "key", "description" or "value"
	Reason string // one sentence for people, without the text, saying what to do
}

func (r *Refusal) Error() string {
	return "refused by rule " + r.Rule + " in the " + r.Field + ": " + r.Reason
}

// finding is a credential in a text: the bytes from start to end.
type finding struct {
	rule       string
	start, end int
}

// Check returns a *Refusal when in may not be saved, else nil. It is safe for
// concurrent use and keeps nothing of what it was given.
func Check(in Input) error {
	for _, f := range []struct{ name, text string }{
		{"key", in.Key}, {"description", in.Description}, {"value", in.Value},
	} {
		if r := checkField(f.text, in.Person); r != nil {
			r.Field = f.name
			return r
		}
	}
	// A key is stored in lower case, and some credentials are known by their
	// capitals.
	if found := leaks(strings.ToUpper(in.Key)); len(found) > 0 {
		return credentialRefusal(found[0].rule, "key")
	}
	for _, m := range lowerTokens().FindAllStringSubmatchIndex(in.Key, -1) {
		if at := firstGroup(m); hasLetterAndDigit(in.Key[m[at]:m[at+1]]) {
			return credentialRefusal("vendor-token", "key")
		}
	}
	if found := keyedSecret(in.Key, in.Value); found != "" {
		return credentialRefusal(found, "value")
	}
	if found := keyedSecret(in.Key, in.Description); found != "" {
		return credentialRefusal(found, "description")
	}
	return nil
}

func checkField(text string, person bool) *Refusal {
	if text == "" {
		return nil
	}
	if !utf8.ValidString(text) {
		return &Refusal{Rule: "not-utf-8", Reason: "it has bytes that are not UTF-8; convert it to UTF-8 and save again"}
	}
	if r, position := hiddenCharacter(text); position > 0 {
		return &Refusal{Rule: "hidden-character", Reason: hiddenReason(r, position)}
	}
	if found := credentials(text); len(found) > 0 {
		return credentialRefusal(found[0].rule, "")
	}
	if person {
		return nil
	}
	if rule := roleOverride(text); rule != "" {
		return &Refusal{Rule: rule, Reason: roleReasons[rule]}
	}
	return nil
}

func credentialRefusal(rule, field string) *Refusal {
	return &Refusal{
		Rule: rule, Field: field,
		Reason: "it holds what looks like a credential; keep that in a password manager or the environment, and save where it is instead",
	}
}

// credentials returns the credentials in text, in order, without overlaps.
func credentials(text string) []finding {
	f := fold(text)
	found := append(leaks(f.text), ownSecrets(f.text)...)
	if len(found) == 0 {
		return nil
	}
	for i := range found {
		found[i].start, found[i].end = f.origin(found[i].start, found[i].end)
	}
	slices.SortStableFunc(found, func(a, b finding) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return b.end - a.end
	})
	kept := found[:1]
	for _, g := range found[1:] {
		last := &kept[len(kept)-1]
		if g.start >= last.end {
			kept = append(kept, g)
		} else {
			last.end = max(last.end, g.end)
		}
	}
	return kept
}

// maskRounds bounds how often Mask looks again at its own result.
const maskRounds = 8

// Mask returns text with every credential that Check would refuse replaced by
// a marker that names the rule, for showing entries from before the guard
// existed. Masking twice changes nothing more. Text that is no credential, role
// overrides and hidden characters included, stays as it is.
func Mask(text string) string {
	for range maskRounds {
		found := credentials(text)
		if len(found) == 0 {
			return text
		}
		var b strings.Builder
		from := 0
		for _, f := range found {
			b.WriteString(text[from:f.start])
			b.WriteString("[withheld: " + f.rule + "]")
			from = f.end
		}
		b.WriteString(text[from:])
		text = b.String()
	}
	return "[withheld: credentials]"
}
