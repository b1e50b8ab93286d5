// Package keys is the one place where keys are declared: what each does and
// where. The footer, the help and the page docs/keys.md are made from it. It
// knows nothing of panes; a pane asks [Map.Action] what a keystroke means where
// it stands.
package keys

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Where says who has the keyboard when a binding holds. Global ones hold
// everywhere.
type Where string

const (
	Global   Where = "global"
	Prompt   Where = "prompt"
	Pane     Where = "panes"
	Approval Where = "approvals"
)

// Places lists the places in the order in which they are explained.
var Places = []Where{Prompt, Global, Pane, Approval}

// Action names what a key does; the names are those of the settings.
type Action string

// Binding is one action with its keys. A key is written as the terminal
// decoder names it, such as "ctrl+g" or "A"; two strokes in a row are parted by
// a space.
type Binding struct {
	Action Action
	Where  Where
	Keys   []string
	Label  string // a word or two for the footer
	Help   string // what it does, as a sentence without its full stop
}

// Map is the bindings that hold, after the settings' changes.
type Map struct {
	bindings []Binding
	byKey    map[Where]map[string]Action
	prefixes map[Where]map[string]bool
}

// New returns the declared bindings with the keys of some actions replaced. An
// unknown action, a key that no terminal sends, one that is never bound, one
// that types a character where text is typed, and two actions on one key are
// errors.
func New(changes map[string][]string) (*Map, error) {
	m := &Map{byKey: map[Where]map[string]Action{}, prefixes: map[Where]map[string]bool{}}
	for _, w := range Places {
		m.byKey[w], m.prefixes[w] = map[string]Action{}, map[string]bool{}
	}
	known := make([]string, len(declared))
	for i, b := range declared {
		known[i] = string(b.Action)
	}
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("keys: no action is called %q%s", name, meant(name, known))
		}
		for _, k := range changes[name] {
			if err := valid(k); err != nil {
				return nil, fmt.Errorf("keys: %s: %w", name, err)
			}
		}
	}
	for _, b := range declared {
		if with, ok := changes[string(b.Action)]; ok {
			b.Keys = with
		}
		m.bindings = append(m.bindings, b)
	}
	for _, b := range m.bindings {
		for _, k := range b.Keys {
			if err := m.bind(b, k); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// Default is the map without any change.
func Default() *Map {
	m, err := New(nil)
	if err != nil {
		panic(err) // the declaration itself is wrong; a test holds it right
	}
	return m
}

func (m *Map) bind(b Binding, key string) error {
	if never(key) {
		return fmt.Errorf("keys: %s belongs to the terminal and is never bound (for %q)", Show(key), b.Action)
	}
	if (b.Where == Prompt || b.Where == Global && b.Action != Help) && types(key) {
		return fmt.Errorf("keys: %s types a character in the prompt and can't be %q; take one with ctrl or alt", Show(key), b.Action)
	}
	first, _, two := strings.Cut(key, " ")
	for _, w := range Places {
		if !together(b, w) {
			continue
		}
		for other, action := range m.byKey[w] {
			start, _, _ := strings.Cut(other, " ")
			if action == b.Action && other == key || !together(m.binding(action), b.Where) {
				continue
			}
			switch {
			case other == key:
				return fmt.Errorf("keys: %s is bound to both %q and %q; give one of them another key", Show(key), action, b.Action)
			case two && other == first:
				return fmt.Errorf("keys: %s is bound to %q and begins %s for %q; give one of them another key", Show(other), action, Show(key), b.Action)
			case start != other && start == key:
				return fmt.Errorf("keys: %s is bound to %q and begins %s for %q; give one of them another key", Show(key), b.Action, Show(other), action)
			}
		}
	}
	m.byKey[b.Where][key] = b.Action
	if two {
		m.prefixes[b.Where][first] = true
	}
	return nil
}

// together reports whether a binding holds where those of a place do: global
// ones everywhere, and those that decide in panes too, since a plan is decided
// on in its pane.
func together(b Binding, w Where) bool {
	if b.Where == w || b.Where == Global || w == Global {
		return true
	}
	switch b.Action {
	case Approve, Deny, UndoReceipt:
		return w == Pane
	}
	return b.Where == Pane && w == Approval
}

func (m *Map) binding(a Action) Binding {
	i := slices.IndexFunc(m.bindings, func(b Binding) bool { return b.Action == a })
	return m.bindings[i]
}

// never reports keys that terminals, multiplexers and flow control own.
func never(key string) bool {
	switch key {
	case "ctrl+s", "ctrl+q", `ctrl+\`, "ctrl+space", "ctrl+@":
		return true
	}
	digit, ok := strings.CutPrefix(key, "alt+")
	return ok && len(digit) == 1 && digit[0] >= '0' && digit[0] <= '9'
}

// Action returns what a keystroke does at a place, or "" for nothing. Global
// bindings are not looked at.
func (m *Map) Action(w Where, stroke string) Action { return m.byKey[w][stroke] }

// Prefix reports whether a keystroke begins a binding of two.
func (m *Map) Prefix(w Where, stroke string) bool { return m.prefixes[w][stroke] }

// Of returns the keys of an action.
func (m *Map) Of(a Action) []string {
	for _, b := range m.bindings {
		if b.Action == a {
			return b.Keys
		}
	}
	return nil
}

// Key is the first key of an action as people write it, or "".
func (m *Map) Key(a Action) string {
	if ks := m.Of(a); len(ks) > 0 {
		return Show(ks[0])
	}
	return ""
}

// Bindings returns the bindings of a place in the declared order.
func (m *Map) Bindings(w Where) []Binding {
	var out []Binding
	for _, b := range m.bindings {
		if b.Where == w {
			out = append(out, b)
		}
	}
	return out
}

// Hint is one piece of a footer.
type Hint struct{ Key, Label string }

// Hints makes a footer's pieces for actions; one without a key is left out.
// A label may be replaced by writing "action=label".
func (m *Map) Hints(actions ...Action) []Hint {
	var out []Hint
	for _, a := range actions {
		name, label, given := strings.Cut(string(a), "=")
		i := slices.IndexFunc(m.bindings, func(b Binding) bool { return string(b.Action) == name })
		if i < 0 || len(m.bindings[i].Keys) == 0 {
			continue
		}
		if !given {
			label = m.bindings[i].Label
		}
		out = append(out, Hint{Key: Show(m.bindings[i].Keys[0]), Label: label})
	}
	return out
}

// Show writes a key as people do: ^G, Shift+Enter, PgUp, ^X^E.
func Show(key string) string {
	var b strings.Builder
	for _, stroke := range strings.Fields(key) {
		b.WriteString(showStroke(stroke))
	}
	return b.String()
}

var names = map[string]string{
	"pgup": "PgUp", "pgdown": "PgDn", "esc": "Esc", "enter": "Enter", "tab": "Tab", "up": "Up", "down": "Down",
	"left": "Left", "right": "Right", "home": "Home", "end": "End", "backspace": "Backspace", "delete": "Del",
	"ctrl": "Ctrl", "alt": "Alt", "shift": "Shift", "f1": "F1",
}

func showStroke(s string) string {
	if rest, ok := strings.CutPrefix(s, "ctrl+"); ok && len([]rune(rest)) == 1 {
		return "^" + strings.ToUpper(rest)
	}
	parts := strings.Split(s, "+")
	for i, p := range parts {
		if n, ok := names[p]; ok {
			parts[i] = n
		}
	}
	return strings.Join(parts, "+")
}
