package memory

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"reverie/memstore"
	"reverie/tui/pane"
	"reverie/tui/render"
)

// View draws the pane: the scopes, the filter, the list, and the marked entry
// below it; where there is little room, list or entry.
func (m *Model) View(width, height int) string {
	m.cursor = nil
	if width <= 0 || height <= 0 {
		return ""
	}
	// Where every row counts, the rule goes, and while reading the filter.
	lines := []string{m.header(width)}
	if height >= small {
		lines = append(lines, pane.Rule(m.cfg.Theme, width, "", ""))
	}
	if height >= small || !m.reading {
		lines = append(lines, m.filterLine(width, len(lines)))
	}
	room := height - len(lines) - 1
	m.short = room < 12
	m.detail.fit(width)
	switch {
	case m.short && m.reading:
		lines = append(lines, m.entry(width, room)...)
	case m.short:
		lines = append(lines, m.listLines(width, room)...)
	default:
		list := m.listLines(width, min(max(3, len(m.shown())), max(3, room/3)))
		lines = append(lines, list...)
		lines = append(lines, "")
		lines = append(lines, m.entry(width, room-len(list)-1)...)
	}
	for len(lines) < height-1 {
		lines = append(lines, "")
	}
	lines = append(lines[:max(0, height-1)], pane.Footer(m.cfg.Theme, width, m.Keys(), m.focused))
	return pane.Frame(lines, width, height)
}

// small is a height in which every row counts.
const small = 8

// fit notes the width that comparisons are to be made for.
func (d *detail) fit(width int) {
	if d.diffWidth != width {
		d.diffWidth, d.width = width, 0
	}
}

func (m *Model) header(width int) string {
	t := m.cfg.Theme
	title := t.Title.Render("MEMORY")
	used, whole := render.Width("MEMORY"), render.Width("MEMORY")
	for _, s := range m.scopes {
		whole += render.Width(string(s)+render.Number(m.counts[s])) + 4
	}
	for i, s := range m.scopes {
		if i != m.scope && whole > width {
			continue // only the one that is shown
		}
		text := fmt.Sprintf("%s %s", s, render.Number(m.counts[s]))
		if i == m.scope && len(m.scopes) > 1 {
			text = "[" + text + "]"
		} else {
			text = " " + text + " "
		}
		if used+render.Width(text)+1 > width {
			break
		}
		used += render.Width(text) + 1
		if i == m.scope {
			title += " " + t.Accent.Render(text)
		} else {
			title += " " + t.Dim.Render(text)
		}
	}
	return pane.Header(t, width, title, t.Faint.Render("read-only"))
}

func (m *Model) filterLine(width, y int) string {
	t := m.cfg.Theme
	count := ""
	switch {
	case !m.loaded:
	case m.filter.Text != "" && len(m.hits) >= maxHits:
		count = fmt.Sprintf("first %d of %s", maxHits, render.Number(m.counts[m.now()]))
	case m.filter.Text != "":
		count = fmt.Sprintf("%s of %s", render.Number(len(m.hits)), render.Number(m.counts[m.now()]))
	default:
		count = render.Number(len(m.rows))
	}
	if !m.filter.On && m.filter.Text == "" {
		return pane.Header(t, width, t.Faint.Render("/ filter"), t.Faint.Render(count))
	}
	text, x := m.filter.View(max(2, width-render.Width(count)-4))
	if m.filter.On {
		m.cursor = tea.NewCursor(min(x+1, width-1), y)
		m.cursor.Blink = false
	}
	return pane.Header(t, width, t.Accent.Render("/")+t.Text.Render(text), t.Faint.Render(count))
}

func (m *Model) listLines(width, room int) []string {
	t := m.cfg.Theme
	rows := m.shown()
	say := func(s string) []string { return styled(render.Wrap(s, width), t.Dim.Render) }
	switch {
	case m.err != nil:
		return say(fmt.Sprintf("The %s memory can't be read: %s.", m.now(), m.err))
	case len(m.scopes) == 0:
		return say("There is no memory in this session.")
	case !m.loaded:
		return say("Loading " + t.Glyphs.Ellipsis)
	case len(rows) == 0 && m.filter.Text != "":
		return say("Nothing is found for these words.")
	case len(rows) == 0:
		return say(`Nothing is remembered here yet. Say "remember …" in the chat.`)
	case room < 1:
		return nil
	}
	from, to := m.list.Window(room, len(rows))
	column := 0
	for _, r := range rows[from:to] {
		column = max(column, render.Width(render.Line(r.key, width)))
	}
	column = min(column, max(8, (width-4)*2/5))
	var out []string
	for i := from; i < to; i++ {
		out = append(out, m.rowLine(rows[i], i == m.list.At, column, width))
	}
	return out
}

func (m *Model) rowLine(r row, marked bool, column, width int) string {
	t := m.cfg.Theme
	kind := ""
	if r.kind != "" && r.kind != memstore.Note && width >= 50 {
		kind = "  " + string(r.kind)
	}
	key := render.Fit(render.Line(r.key, column), column)
	room := max(0, width-2-column-2-render.Width(kind))
	text := render.Line(r.summary, room)
	if r.forgotten {
		text = render.Line("FORGOTTEN "+render.Age(r.updated, m.cfg.Now()), room)
	}
	gap := strings.Repeat(" ", max(0, room-render.Width(text)))
	switch {
	case marked:
		return t.Selected.Render(render.Fit(t.Glyphs.Cursor+" "+key+"  "+text+gap+kind, width))
	case r.forgotten:
		return t.Faint.Render("  " + key + "  " + text)
	}
	return "  " + t.Text.Render(key) + "  " + t.Dim.Render(text) + gap + t.Faint.Render(kind)
}

// entry is the marked entry under its rule.
func (m *Model) entry(width, room int) []string {
	t := m.cfg.Theme
	r, ok := m.at()
	if !ok || room < 2 {
		return nil
	}
	left := r.key
	if r.kind != "" {
		left += " " + strings.Repeat(t.Glyphs.Horizontal, 2) + " " + string(r.kind)
	}
	right := ""
	if n := len(m.detail.revisions); n > 0 && m.detail.history && m.detail.key == r.key {
		right = fmt.Sprintf("revision %d", n-m.detail.at)
	}
	style := t.Status.Render
	if m.reading {
		style = t.Accent.Render
	}
	out := []string{pane.RuleStyled(t, width, render.Line(left, max(1, width-6)), right, style, t.Faint.Render)}
	if m.detail.key != r.key {
		return out
	}
	return append(out, m.detail.view(m, width, room-1)...)
}
