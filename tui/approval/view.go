package approval

import (
	"fmt"
	"strings"

	"reverie/agent"
	"reverie/memstore"
	"reverie/tui/pane"
	"reverie/tui/render"
	"reverie/tui/wording"
)

// peek is how many rows of the text show while the card has no keyboard.
const peek = 3

// View is Lines as one text.
func (m *Model) View(width, height int) string { return strings.Join(m.Lines(width, height), "\n") }

// Lines draws the question in at most height lines: what will be done to which
// entry, its whole text with hidden characters spelled out, who wrote it, what
// approving does, and the keys.
func (m *Model) Lines(width, height int) []string {
	if len(m.waiting) == 0 || height < 1 || width < 4 {
		return nil
	}
	t, a := m.cfg.Theme, m.waiting[m.at]
	title := m.title(a, width)
	if height == 1 {
		return []string{title}
	}
	foot := m.foot(a, width)
	if len(foot) > height-2 {
		foot = foot[len(foot)-max(0, height-2):]
	}
	text := render.Wrap(`"`+render.Reveal(a.Entry.Value)+`"`, max(1, width-4))
	m.rows, m.room = len(text), max(1, height-1-len(foot))
	if !m.focused {
		m.room = min(m.room, peek)
		m.top = 0
	}
	if m.rows > m.room && m.room > 1 {
		m.room-- // for the note
	}
	m.scroll(0)
	lines := []string{title}
	for _, l := range text[m.top:min(len(text), m.top+m.room)] {
		lines = append(lines, "  "+t.Text.Render(l))
	}
	if m.rows > m.room && m.room >= 1 && len(lines)+len(foot) < height {
		note := fmt.Sprintf("rows %d to %d of %d", m.top+1, m.top+m.room, m.rows)
		lines = append(lines, "  "+t.Faint.Render(render.Truncate(note, max(1, width-4))))
	}
	return append(lines, foot...)
}

func (m *Model) title(a agent.Approval, width int) string {
	t := m.cfg.Theme
	left := render.Line(wording.Question(a), max(1, width-8))
	right := ""
	if a.Entry.Version != "" {
		right = "token " + render.Line(string(a.Entry.Version), 24)
	}
	style := t.Warn.Render
	if m.focused {
		style = t.Warn.Bold(true).Render
	}
	rule := pane.RuleStyled(t, width-2, left, right, style, t.Faint.Render)
	return t.Warn.Render("?") + " " + strings.TrimPrefix(rule, " ")
}

func (m *Model) foot(a agent.Approval, width int) []string {
	t := m.cfg.Theme
	var out []string
	add := func(s string) { out = append(out, "  "+s) }
	inner := max(1, width-4)
	if by := provenance(a.Entry, m); by != "" {
		add(t.Dim.Render(render.Line(by, inner)))
	}
	if a.Effect != "" {
		for _, l := range render.Wrap(a.Effect, inner) {
			add(t.Dim.Render(l))
		}
	}
	if a.Changed != "" {
		add(t.Warn.Render(render.Line(a.Changed, inner)))
	}
	switch {
	case m.note != "":
		add(t.Warn.Render(render.Truncate(m.note, inner)))
	case m.focused:
		add(m.hints(inner))
	default:
		k := m.cfg.Keys
		hint := fmt.Sprintf("%s answer here first, then: %s approve   %s deny   %s later",
			k.Key("answer"), k.Key("approve"), k.Key("deny"), k.Key("later"))
		add(t.Faint.Render(render.Truncate(hint, inner)))
	}
	return out
}

// hints are the keys that answer. Where they don't fit, they move together,
// and then the last ones go.
func (m *Model) hints(width int) string {
	t, hs := m.cfg.Theme, m.Keys()
	for n := len(hs); n > 0; n-- {
		for _, gap := range []string{"   ", " "} {
			parts := make([]string, n)
			for i, h := range hs[:n] {
				parts[i] = t.Text.Render(h.Key) + " " + t.Faint.Render(h.Label)
			}
			if line := strings.Join(parts, gap); render.Width(line) <= width {
				return line
			}
		}
	}
	return ""
}

// provenance is who wrote the entry, why and when.
func provenance(e memstore.Entry, m *Model) string {
	if e.Version == "" {
		return ""
	}
	s := string(e.Provenance.Writer)
	if e.Provenance.Origin != "" {
		s += ", " + string(e.Provenance.Origin)
	}
	if !e.Updated.IsZero() {
		s += ", " + render.Ago(e.Updated, m.cfg.Now())
	}
	return s
}

// Announce is a question in one line, for where the card itself is not seen.
func (m *Model) Announce(width int) string {
	if len(m.waiting) == 0 {
		return ""
	}
	t := m.cfg.Theme
	hint := m.cfg.Keys.Key("answer") + " answer"
	room := max(1, width-render.Width(hint)-5)
	text := render.Fit(render.Line(wording.Question(m.waiting[m.at]), room), room)
	return t.Warn.Render("? "+text) + "  " + t.Faint.Render(hint)
}
