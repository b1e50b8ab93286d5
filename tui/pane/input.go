package pane

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"

	"reverie/tui/keys"
	"reverie/tui/render"
)

// Input is one line of text being typed into a pane, such as a filter.
type Input struct {
	Text string
	On   bool // it has the keyboard
}

// Key handles a key while the input is on and reports whether the text
// changed. Enter keeps the text, Esc drops it.
func (in *Input) Key(k tea.KeyPressMsg, m *keys.Map) (changed bool) {
	before := in.Text
	switch m.Action(keys.Prompt, k.String()) {
	case keys.Send:
		in.On = false
	case keys.Latest:
		in.On, in.Text = false, ""
	case keys.DeleteBack:
		if r := []rune(in.Text); len(r) > 0 {
			in.Text = string(r[:len(r)-1])
		}
	case keys.DeleteToHead:
		in.Text = ""
	case keys.DeleteWordL:
		in.Text = in.Text[:strings.LastIndexByte(strings.TrimRight(in.Text, " "), ' ')+1]
	default:
		in.Add(k.Text)
	}
	return in.Text != before
}

// Add puts typed or pasted text at the end; line ends become spaces.
func (in *Input) Add(text string) {
	in.Text += strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, text)
}

// Hints are the keys that end the typing.
func (in *Input) Hints(m *keys.Map) []keys.Hint {
	return m.Hints(keys.Send+"=keep", keys.Latest+"=clear")
}

// View is the text as it fits a width, its end rather than its start, and the
// column of the cursor.
func (in *Input) View(width int) (string, int) {
	text := strings.ReplaceAll(render.Clean(in.Text), "\n", " ")
	r := []rune(text)
	for len(r) > 0 && render.Width(string(r)) > width-1 {
		r = r[1:]
	}
	return string(r), render.Width(string(r))
}
