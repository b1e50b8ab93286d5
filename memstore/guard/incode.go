package guard

import "strings"

// inCode looks for a quoted value after a word in code that names it without a
// colon or an equals sign of its own: a typed declaration, the next argument of
// a call, a call of a setter; or in brackets after the word.
func (c *claim) inCode(rest string, end int) (value, bool) {
	near := rest[:min(len(rest), 64)]
	if !strings.ContainsAny(near, "=:(,") {
		return value{}, false // no code
	}
	if m := typedJoint().FindStringIndex(near); m != nil {
		c.value, c.strong = readValue(c.text, end+m[1]-1), true
		return c.value.value, c.value.ok() && c.value.quoted && c.isSecret()
	}
	if c.kind != password && c.kind != token {
		return value{}, false
	}
	if m := nameAndValue().FindStringIndex(near); m != nil {
		c.value, c.strong = readValue(c.text, end+m[1]), true
		return c.value.value, c.value.ok() && looksSecret(c.value.text) && c.isSecret()
	}
	m := argumentJoint().FindStringIndex(near)
	if m == nil {
		return value{}, false
	}
	if c.value = readValue(c.text, end+m[1]-1); rest[m[1]-1] == '(' {
		c.value.quoted = true
	}
	return c.value.value, c.value.ok() && c.value.quoted && isStrongSecret(c.value.text)
}

var (
	typedJoint    = lazy(`^\s?(?::\s?)?(?:&'?\w*\s?)?(?i:string|str|text|char|varchar|final|const|\w{1,20}str|option<string>|optional\[str\]|secretstr|securestring)[\w<>\[\]?|*]{0,16}\s?:?=\s?["'` + "`" + `]`)
	nameAndValue  = lazy(`(?i)^["']?,?\s{1,20}["']?value["']?\s?[:=]\s?`)
	argumentJoint = lazy(`^(?:["']\s?,\s{0,2}["']|["']?\)?\(["']|["']?\s\()`)
)
