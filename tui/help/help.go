// Package help is the pane that explains keys and slash commands, both as they
// were declared.
package help

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/pane"
	"reverie/tui/render"
	"reverie/tui/slash"
)

// Model is the help. It scrolls, and shows only what has the words of a filter.
type Model struct {
	pane.Asks
	theme   theme.Theme
	keys    *keys.Map
	filter  pane.Input
	cursor  *tea.Cursor
	focused bool
	top     int
	lines   int // in all, as drawn last
	room    int
}

// New returns the help for the bindings that hold.
func New(t theme.Theme, m *keys.Map) *Model { return &Model{theme: t, keys: m} }

// SetTheme changes the look.
func (m *Model) SetTheme(t theme.Theme) { m.theme = t }

// SetFocus says whether the pane has the keyboard.
func (m *Model) SetFocus(on bool) { m.focused = on }

// Typing reports whether the filter has the keyboard.
func (m *Model) Typing() bool { return m.filter.On }

// Update handles keys and pastes.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case tea.PasteMsg:
		if m.filter.On {
			m.filter.Add(msg.Content)
		}
	case tea.MouseWheelMsg:
		m.scroll(map[tea.MouseButton]int{tea.MouseWheelUp: -3, tea.MouseWheelDown: 3}[msg.Button])
	case tea.KeyPressMsg:
		return m.key(msg)
	}
	return nil
}

func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	if m.filter.On {
		if m.filter.Key(k, m.keys) {
			m.top = 0
		}
		return nil
	}
	a := m.keys.Action(keys.Pane, k.String())
	if a == "" {
		a = m.keys.Action(keys.Global, k.String())
	}
	switch a {
	case keys.Down:
		m.scroll(1)
	case keys.Up:
		m.scroll(-1)
	case keys.PageDown:
		m.scroll(max(1, m.room-1))
	case keys.PageUp:
		m.scroll(-max(1, m.room-1))
	case keys.Top:
		m.top = 0
	case keys.Bottom:
		m.scroll(m.lines)
	case keys.Filter:
		m.filter.On = true
	case keys.Back:
		if m.filter.Text != "" {
			m.filter.Text = ""
			return nil
		}
		return m.Ask(pane.CloseMsg{})
	case keys.Close:
		return m.Ask(pane.CloseMsg{})
	}
	return nil
}

func (m *Model) scroll(n int) { m.top = max(0, min(m.top+n, m.lines-m.room)) }

// View draws the pane.
func (m *Model) View(width, height int) string {
	m.cursor = nil
	t := m.theme
	lines := []string{pane.Header(t, width, t.Title.Render("HELP")), pane.Rule(t, width, "", "")}
	if m.filter.On || m.filter.Text != "" {
		text, x := m.filter.View(width - 2)
		lines = append(lines, t.Accent.Render("/")+t.Text.Render(text))
		if m.filter.On {
			m.cursor = tea.NewCursor(x+1, 2)
			m.cursor.Blink = false
		}
		if height > 8 {
			lines = append(lines, "")
		}
	}
	all := m.content(width)
	m.lines, m.room = len(all), max(1, height-len(lines)-1)
	m.scroll(0)
	lines = append(lines, all[m.top:min(len(all), m.top+m.room)]...)
	for len(lines) < height-1 {
		lines = append(lines, "")
	}
	lines = append(lines, pane.Footer(t, width, m.Keys(), m.focused))
	return pane.Frame(lines, width, height)
}

// Cursor is in the filter while that has the keyboard.
func (m *Model) Cursor() *tea.Cursor { return m.cursor }

// Keys are the footer's hints.
func (m *Model) Keys() []keys.Hint {
	if m.filter.On {
		return m.filter.Hints(m.keys)
	}
	return m.keys.Hints(keys.Down, keys.Up, keys.Filter, keys.PageDown+"=page", keys.Close)
}

type row struct{ left, right string }

func (m *Model) content(width int) []string {
	var out []string
	section := func(title string, rows []row) {
		rows = m.matching(rows)
		if len(rows) == 0 {
			return
		}
		if len(out) > 0 {
			out = append(out, "")
		}
		out = append(out, m.theme.Heading.Render(render.Truncate(title, width)))
		out = append(out, m.table(rows, width)...)
	}
	var commands []row
	for _, c := range slash.Commands {
		commands = append(commands, row{strings.TrimSpace("/" + c.Name + " " + c.Args), c.Help})
	}
	section("Commands", commands)
	for _, w := range keys.Places {
		var rows []row
		for _, b := range m.keys.Bindings(w) {
			ks := make([]string, len(b.Keys))
			for i, k := range b.Keys {
				ks[i] = keys.Show(k)
			}
			rows = append(rows, row{strings.Join(ks, "  "), b.Help})
		}
		section("Keys: "+string(w), rows)
	}
	if len(out) == 0 {
		out = []string{m.theme.Dim.Render(render.Truncate("Nothing here has these words.", width))}
	}
	return out
}

func (m *Model) matching(rows []row) []row {
	words := strings.Fields(strings.ToLower(m.filter.Text))
	var out []row
next:
	for _, r := range rows {
		text := strings.ToLower(r.left + " " + r.right)
		for _, w := range words {
			if !strings.Contains(text, w) {
				continue next
			}
		}
		out = append(out, r)
	}
	return out
}

// table puts what a key does beside it, or below it where the pane is narrow.
func (m *Model) table(rows []row, width int) []string {
	column := 24
	if width >= 80 {
		column = 30
	}
	var out []string
	for _, r := range rows {
		if width < 60 {
			out = append(out, m.theme.Text.Render(render.Truncate(r.left, width)))
			for _, l := range render.Wrap(r.right, max(1, width-4)) {
				out = append(out, "    "+m.theme.Dim.Render(l))
			}
			continue
		}
		left := r.left
		if render.Width(left) > column-2 {
			out = append(out, m.theme.Text.Render(render.Truncate(left, width)))
			left = ""
		}
		for i, l := range render.Wrap(r.right, width-column) {
			if i > 0 {
				left = ""
			}
			out = append(out, m.theme.Text.Render(render.Pad(left, column))+m.theme.Dim.Render(l))
		}
	}
	return out
}

var _ pane.Pane = (*Model)(nil)
