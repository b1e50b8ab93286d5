package keys

import (
	"fmt"
	"strings"
)

var intros = map[Where]string{
	Prompt:   "While the prompt has the keyboard.",
	Global:   "Everywhere.",
	Pane:     "While a pane beside or over the chat has the keyboard. Not every pane uses all of them.",
	Approval: "While a question that waits for an answer has the keyboard.",
}

// Page is docs/keys.md, made from the declaration.
func Page() string {
	var b strings.Builder
	b.WriteString(`# Keys

This page is made from the declaration in ` + "`tui/keys`" + `; ` + "`go test ./tui/keys -update`" + ` writes it anew.

All keys can be changed in the settings, by the name in the last column. Two
actions on one key are an error at start. Never bound, because terminals and
multiplexers own them: ^S, ^Q, ^\, ^Space and Alt with a digit.
`)
	m := Default()
	for _, w := range Places {
		fmt.Fprintf(&b, "\n## %s%s\n\n%s\n\n| keys | what it does | name |\n|---|---|---|\n", strings.ToUpper(string(w[:1])), w[1:], intros[w])
		for _, x := range m.Bindings(w) {
			ks := make([]string, len(x.Keys))
			for i, k := range x.Keys {
				ks[i] = "`" + Show(k) + "`"
			}
			fmt.Fprintf(&b, "| %s | %s. | `%s` |\n", strings.Join(ks, " "), x.Help, x.Action)
		}
	}
	return b.String()
}
