package approval

import (
	"fmt"
	"strings"

	"reverie/agent"
	"reverie/memstore"
	"reverie/tui/keys"
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
// approving does, and the keys. Where there is little room, the keys stay
// first, then what is asked, then the text.
func (m *Model) Lines(width, height int) []string {
	m.shown = 0
	if len(m.waiting) == 0 || height < 1 || width < 4 {
		return nil
	}
	t, a := m.cfg.Theme, m.waiting[m.at]
	head, named := m.head(a, width, height-2)
	if height == 1 {
		return head[:1]
	}
	answers := m.keysLine(max(1, width-4))
	foot := m.foot(a, width)
	// The text has a row before anything is said about it.
	foot = foot[:max(0, min(len(foot), height-len(head)-2))]
	text := render.Wrap(`"`+render.Reveal(a.Entry.Value)+`"`, max(1, width-4))
	m.rows, m.room = len(text), max(0, height-len(head)-1-len(foot))
	if !m.focused {
		m.room = min(m.room, peek)
		m.top = 0
	}
	counted := m.rows > m.room && m.room > 1
	if counted {
		m.room-- // for the note
	}
	m.scroll(0)
	lines := head
	for _, l := range text[m.top:min(len(text), m.top+m.room)] {
		lines = append(lines, "  "+t.Text.Render(l))
	}
	if counted {
		note := fmt.Sprintf("rows %d to %d of %d", m.top+1, m.top+m.room, m.rows)
		lines = append(lines, "  "+t.Faint.Render(render.Truncate(note, max(1, width-4))))
	}
	lines = append(append(lines, foot...), "  "+answers)
	if named && m.room > 0 && answers != "" {
		m.shown = a.ID
	}
	return lines
}

// head is the rule with the question in it. What does not fit there goes below,
// in at most so many rows; whole says whether all of it is to be seen.
func (m *Model) head(a agent.Approval, width, rows int) (lines []string, whole bool) {
	t := m.cfg.Theme
	question := wording.Question(a)
	if room := width - 8; a.Key == "" || render.Width(question) <= room && render.Line(question, room) == question {
		return []string{m.title(a, question, width)}, true
	}
	verb, key := strings.TrimSuffix(question, a.Key), a.Key
	below := render.Wrap(strings.Join(strings.Fields(render.Clean(key)), " "), max(1, width-4))
	whole = len(below) <= max(0, rows-1)
	lines = []string{m.title(a, render.Line(verb, max(1, width-2)), width)}
	for _, l := range below[:max(0, min(len(below), rows-1))] {
		lines = append(lines, "  "+t.Text.Render(l))
	}
	if len(lines) == 1 {
		lines[0] = m.title(a, render.Line(question, max(1, width-2)), width)
	}
	return lines, whole
}

func (m *Model) title(a agent.Approval, left string, width int) string {
	t := m.cfg.Theme
	right := ""
	if a.Entry.Version != "" {
		right = "token " + render.Line(string(a.Entry.Version), 24)
	}
	style := t.Warn.Render
	if m.focused {
		style = t.Warn.Bold(true).Render
	}
	if render.Width(left) > width-8 { // no room for a rule around it
		return t.Warn.Render("?") + " " + style(left)
	}
	rule := pane.RuleStyled(t, width-2, left, right, style, t.Faint.Render)
	return t.Warn.Render("?") + " " + strings.TrimPrefix(rule, " ")
}

// foot is what is said about the entry, the most needed first.
func (m *Model) foot(a agent.Approval, width int) []string {
	t := m.cfg.Theme
	var out []string
	inner := max(1, width-4)
	add := func(say func(...string) string, lines ...string) {
		for _, l := range lines {
			out = append(out, "  "+say(l))
		}
	}
	if a.Changed != "" {
		add(t.Warn.Render, render.Line(a.Changed, inner))
	}
	if by := provenance(a.Entry, m); by != "" {
		add(t.Dim.Render, render.Line(by, inner))
	}
	if a.Effect != "" {
		add(t.Dim.Render, render.Wrap(a.Effect, inner)...)
	}
	return out
}

// keysLine says which keys answer, or why one did not, in words that fit.
func (m *Model) keysLine(width int) string {
	t, k := m.cfg.Theme, m.cfg.Keys
	switch {
	case m.note != "":
		return t.Warn.Render(render.Truncate(m.note, width))
	case m.focused:
		return m.hints(width)
	}
	yes, no := k.Key(keys.Approve), k.Key(keys.Deny)
	for _, hint := range []string{
		fmt.Sprintf("%s answer here first, then: %s approve   %s deny   %s later", k.Key(keys.Answer), yes, no, k.Key(keys.Later)),
		fmt.Sprintf("%s first, then %s approve  %s deny", k.Key(keys.Answer), yes, no),
		fmt.Sprintf("%s, then %s yes  %s no", k.Key(keys.Answer), yes, no),
		k.Key(keys.Answer) + " answer",
	} {
		if render.Width(hint) <= width {
			return t.Faint.Render(hint)
		}
	}
	return ""
}

// hints are the keys that answer. Where they don't fit, they move together,
// then the last ones go, and at last they are said in short.
func (m *Model) hints(width int) string {
	t, hs := m.cfg.Theme, m.Keys()
	line := func(hs []keys.Hint, gap string) string {
		parts := make([]string, len(hs))
		for i, h := range hs {
			parts[i] = t.Text.Render(h.Key) + " " + t.Faint.Render(h.Label)
		}
		return strings.Join(parts, gap)
	}
	answers := m.cfg.Keys.Hints(keys.Approve+"=yes", keys.Deny+"=no")
	for n := len(hs); n >= len(answers); n-- {
		for _, gap := range []string{"   ", "  "} {
			if l := line(hs[:n], gap); render.Width(l) <= width {
				return l
			}
		}
	}
	for _, gap := range []string{"   ", " "} {
		if l := line(answers, gap); render.Width(l) <= width {
			return l
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
