package keys

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"reverie/tui/slash"
)

// named are the keys that have a name instead of a character, as the terminal
// decoder names them.
var named = func() []string {
	out := []string{
		"enter", "tab", "esc", "space", "backspace", "delete", "insert",
		"up", "down", "left", "right", "home", "end", "pgup", "pgdown",
	}
	for i := 1; i <= 20; i++ {
		out = append(out, fmt.Sprint("f", i))
	}
	return out
}()

// modifiers in the order in which the decoder names them.
var modifiers = []string{"ctrl", "alt", "shift"}

// valid reports why no keystroke can be a key, or nil.
func valid(key string) error {
	strokes := strings.Fields(key)
	if len(strokes) == 0 || len(strokes) > 2 {
		return fmt.Errorf("%q is no key; a key is one stroke or two, such as \"ctrl+g\" or \"ctrl+x ctrl+e\"", key)
	}
	for _, s := range strokes {
		if err := validStroke(s); err != nil {
			return err
		}
	}
	return nil
}

func validStroke(stroke string) error {
	rest, at := stroke, 0
	for {
		m, after, ok := strings.Cut(rest, "+")
		if !ok || m == "" || after == "" {
			break
		}
		i := slices.Index(modifiers, m)
		if i < 0 {
			return fmt.Errorf("no key is called %q%s", stroke, meant(m, modifiers))
		}
		if i < at {
			return fmt.Errorf("no key is called %q; modifiers come in the order ctrl, alt, shift", stroke)
		}
		rest, at = after, i+1
	}
	if r, n := utf8.DecodeRuneInString(rest); n == len(rest) && unicode.IsPrint(r) && r != ' ' {
		switch {
		case at > 0 && unicode.IsUpper(r):
			return fmt.Errorf("no key is called %q; with a modifier, letters are small", stroke)
		case stroke == "shift+"+rest:
			return fmt.Errorf("no key is called %q; write the character that it types", stroke)
		}
		return nil
	}
	if slices.Contains(named, rest) {
		return nil
	}
	return fmt.Errorf("no key is called %q%s", stroke, meant(rest, named))
}

// types reports whether a key by itself types a character.
func types(key string) bool {
	first, _, _ := strings.Cut(key, " ")
	return first == "space" || utf8.RuneCountInString(first) == 1
}

// meant is a hint at the nearest of some names, or "".
func meant(name string, names []string) string {
	if n := slash.Nearest(name, names); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}
