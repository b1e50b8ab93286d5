package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"reverie/tui/pane"
	"reverie/tui/render"
)

// beside reports whether there is room for a pane beside the chat.
func (m *root) beside() bool { return m.width >= besideWidth }

// left is the chat's width where a pane stands beside it.
func (m *root) left() int { return m.width * 52 / 100 }

// View puts the panes next to one another, or shows the one with the keyboard
// where there is room for only one.
func (m *root) View() tea.View {
	v := tea.View{AltScreen: true}
	v.KeyboardEnhancements.ReportEventTypes = true
	if m.mouse {
		v.MouseMode = tea.MouseModeCellMotion
	}
	if m.width <= 0 || m.height <= 0 {
		return v
	}
	switch {
	case m.side == nil || !m.beside() && m.focus != onPane:
		v.Content = m.drawChat(m.width, false)
		v.Cursor = m.chat.Cursor()
	case m.beside():
		v.Content, v.Cursor = m.both()
	default:
		v.Content, v.Cursor = m.over()
	}
	return v
}

func (m *root) drawChat(width int, beside bool) string {
	m.chat.SetBeside(beside)
	m.chat.SetCard(func(w, h int) []string { return m.card.Lines(w, min(h, m.cardHeight())) }, m.card.Waiting())
	return m.chat.View(width, m.height)
}

// cardHeight is how much of the screen a question may take.
func (m *root) cardHeight() int {
	if m.focus == onCard {
		return max(m.height*2/3, min(m.height-1, 6))
	}
	return max(1, min(7, m.height/3))
}

func (m *root) both() (string, *tea.Cursor) {
	left := m.left()
	right := m.width - left - 2
	chat := strings.Split(m.drawChat(left-1, true), "\n")
	side := strings.Split(m.side.View(right, m.height), "\n")
	bar := m.theme.Rule.Render(m.theme.Glyphs.Vertical)
	var b strings.Builder
	for i := range m.height {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(render.Pad(line(chat, i), left))
		b.WriteString(bar + " ")
		b.WriteString(line(side, i))
	}
	c := m.chat.Cursor()
	if m.focus == onPane {
		if c = m.side.Cursor(); c != nil {
			c.X += left + 2
		}
	}
	return b.String(), c
}

// over draws the pane over the chat. A question that waits is announced in
// the last line, since the chat's own card can't be seen.
func (m *root) over() (string, *tea.Cursor) {
	height := m.height
	announce := m.card.Waiting() > 0 && height > 4
	if announce {
		height--
	}
	s := m.side.View(m.width, height)
	if announce {
		lines := strings.Split(s, "\n")
		lines = append(lines, m.card.Announce(m.width))
		s = pane.Frame(lines, m.width, m.height)
	}
	return s, m.side.Cursor()
}

func line(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
