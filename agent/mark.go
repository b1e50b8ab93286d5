package agent

import (
	"regexp"
	"strings"
	"unicode"

	"reverie/memstore"
)

// Memory text is data that anyone may have written: it goes into a prompt only
// between marks that it can't close. Every "<" in it is written "&lt;", so it
// can form neither our closing tag nor a chat template's token such as
// <|im_start|>; tokens in square brackets lose their bracket in the same way;
// and of a text with several lines each begins with "| ", so none begins with
// a role's name, a heading or a fence.

// bracketToken matches the chat-template tokens that have no angle brackets.
var bracketToken = regexp.MustCompile(`(?i)\[(/?(?:INST|SYS|SYSTEM|SYSTEM_PROMPT|USER|ASSISTANT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|THINK|ARGS|CALL_ID|PREFIX|MIDDLE|SUFFIX|EOS|BOS)\])`)

// attribute is one name and value of a mark.
type attribute struct{ name, value string }

// mark renders one memory as a block that names its scope and key.
func mark(scope memstore.Scope, key, text string, more ...attribute) string {
	var b strings.Builder
	b.WriteString(`<memory scope="` + attributeText(string(scope)) + `" key="` + attributeText(key) + `"`)
	for _, a := range more {
		if a.value != "" {
			b.WriteString(" " + a.name + `="` + attributeText(a.value) + `"`)
		}
	}
	b.WriteString(">" + inert(mask(text)) + "</memory>\n")
	return b.String()
}

// markLine renders a memory's summary as one line of a list.
func markLine(scope memstore.Scope, key, text, note string) string {
	s := "- [" + string(scope) + "] " + oneLine(key)
	if note != "" {
		s += " (" + oneLine(note) + ")"
	}
	if text = oneLine(mask(text)); text != "" {
		s += ": " + text
	}
	return s + "\n"
}

// inert makes text safe inside a mark.
func inert(text string) string {
	text = neutral(strings.TrimRight(text, "\n\r\t "))
	if !strings.Contains(text, "\n") {
		return text
	}
	return "\n| " + strings.ReplaceAll(text, "\n", "\n| ") + "\n"
}

// neutral takes away what could be read as markup or as a template's token,
// and control characters other than newline and tab.
func neutral(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r', r == '\u0085', r == '\u2028', r == '\u2029', r == '\v', r == '\f':
			return '\n'
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, text)
	text = strings.ReplaceAll(text, "<", "&lt;")
	return bracketToken.ReplaceAllString(text, "&#91;$1")
}

// oneLine is neutral text with its lines joined, cut at the length that a
// description may have.
func oneLine(text string) string {
	text = strings.Join(strings.Fields(neutral(text)), " ")
	return cut(text, memstore.MaxDescription)
}

func attributeText(s string) string {
	return strings.ReplaceAll(oneLine(s), `"`, "&quot;")
}

// cut shortens s to at most limit bytes, at the border of a character, and
// shows with an ellipsis that it did.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	limit -= len("…")
	for limit > 0 && s[limit]&0xC0 == 0x80 {
		limit--
	}
	return s[:limit] + "…"
}
