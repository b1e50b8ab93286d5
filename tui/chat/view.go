package chat

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"reverie/memstore"
	"reverie/tui/keys"
	"reverie/tui/pane"
	"reverie/tui/render"
	"reverie/tui/slash"
)

// View draws the whole column: header, transcript, the question that waits,
// the rule, what is queued, the prompt, and the footer. Where there is little
// room, what is least needed goes first: the footer, then the header.
func (m *Model) View(width, height int) string {
	m.cursor = nil
	if width <= 0 || height <= 0 {
		return ""
	}
	foot := height >= 6
	head := height >= 8
	// A question that has the keyboard needs the room of the rule to be read.
	ruled := height >= 6 || m.focused || m.waiting == 0
	fixed := 2 // the rule and a line of the prompt
	if !ruled {
		fixed--
	}
	if foot {
		fixed++
	}
	if head {
		fixed += 2
	}
	inner := max(1, width-2)
	m.prompt.width = inner
	promptRows, cx, cy := m.promptLines(width, inner, max(1, min(8, (height-fixed)/2+1)))
	below := append(m.above(width, height), promptRows...)
	cy += len(below) - len(promptRows)
	room := max(0, height-fixed+1-len(below))
	var card []string
	if m.card != nil && m.waiting > 0 {
		card = m.card(width, room)
	}
	m.carded = len(card) > 0
	room -= len(card)

	air := 0 // an empty row between what was said and the question or the rule
	if room > 6 {
		air = 1
	}

	var lines []string
	if head {
		lines = append(lines, m.header(width), pane.Rule(m.theme, width, "", ""))
	}
	body := m.body(width, room-air)
	lines = append(lines, body...)
	for range room - len(body) {
		lines = append(lines, "")
	}
	lines = append(lines, card...)
	if ruled {
		lines = append(lines, m.rule(width))
	}
	if m.focused {
		m.cursor = tea.NewCursor(min(cx, width-1), min(len(lines)+cy, height-1))
		m.cursor.Blink = false
	}
	lines = append(lines, below...)
	if foot {
		lines = append(lines, pane.Footer(m.theme, width, m.Keys(), m.focused))
	}
	return pane.Frame(lines, width, height)
}

// Cursor is where the text is typed.
func (m *Model) Cursor() *tea.Cursor { return m.cursor }

func (m *Model) body(width, room int) []string {
	if len(m.script.items) > 0 {
		return m.script.rows(width, room)
	}
	m.script.resize(width, room)
	return m.welcome(width, room)
}

func (m *Model) header(width int) string {
	name := m.theme.Title.Render(render.Line(orElse(m.cfg.ProjectName, "reverie"), max(8, width/2)))
	model := m.theme.Dim.Render(render.Line(m.cfg.Conversation.Model(), 40))
	if m.cfg.Offline {
		model = m.theme.Warn.Render("OFFLINE: rules only")
	}
	if m.beside {
		return pane.Header(m.theme, width, name, model)
	}
	counts := ""
	for _, s := range []memstore.Scope{memstore.Project, memstore.User} {
		if n, ok := m.usage[s]; ok {
			counts = strings.TrimSpace(counts + "  " + m.theme.Faint.Render(string(s)+" ") + m.theme.Dim.Render(render.Number(n)))
		}
	}
	// The model comes last to go: who answers is never left unsaid.
	if counts != "" && render.Width(name)+render.Width(model)+render.Width(counts)+4 <= width {
		return pane.Header(m.theme, width, name, model, counts)
	}
	return pane.Header(m.theme, width, name, model)
}

// rule says what is going on and which memories the last request carried.
func (m *Model) rule(width int) string {
	if s := m.prompt.search; s != nil {
		left := "search history: " + render.Line(s.query, 60)
		if s.at < 0 && s.query != "" {
			left += " (nothing)"
		}
		return pane.RuleStyled(m.theme, width, left, "", m.theme.Accent.Render, m.theme.Status.Render)
	}
	left := m.doingText()
	ls := m.theme.Accent.Render
	switch {
	case m.waiting > 0 && (left == "" || m.status.doing == asking):
		left, ls = fmt.Sprintf("%d waiting", m.waiting), m.theme.Warn.Render
	case m.waiting > 0:
		left, ls = fmt.Sprintf("%d waiting   %s", m.waiting, left), m.theme.Warn.Render
	}
	right := ""
	switch {
	case m.waiting > 0 && m.focused && m.carded:
		right = "keys go to the prompt"
	case m.waiting > 0 && m.carded && !m.beside:
		right = "keys go to the question"
	case m.script.below:
		right = "newer below, " + m.keys.Key(keys.Latest) + " shows them"
	case len(m.status.used) > 0:
		var used []string
		for _, r := range m.status.used {
			used = append(used, r.Key)
		}
		right = render.Line("used: "+strings.Join(used, ", "), max(10, width-render.Width(left)-10))
	}
	return pane.RuleStyled(m.theme, width, left, right, ls, m.theme.Status.Render)
}

// above is what stands between the rule and the prompt: what is queued, and
// the commands that would complete what is typed.
func (m *Model) above(width, height int) []string {
	var out []string
	most := min(3, height/6)
	shown := 0
	for i, q := range m.queue.items {
		if i == m.queue.editing {
			continue
		}
		if shown == most {
			out = append(out, m.theme.Faint.Render(render.Truncate(fmt.Sprintf("  and %d more queued", len(m.queue.items)-i), width)))
			break
		}
		shown++
		out = append(out, m.theme.Faint.Render("  "+m.queue.word()+"  ")+m.theme.Dim.Render(render.Line(q.text, max(1, width-11))))
	}
	return append(out, m.completions(width, min(6, height/4))...)
}

func (m *Model) completions(width, most int) []string {
	list, chosen := m.prompt.offers()
	if m.prompt.search != nil || len(list) == 0 {
		return nil
	}
	from := 0
	if chosen >= most {
		from = chosen - most + 1
	}
	var out []string
	for i := from; i < len(list) && len(out) < most; i++ {
		out = append(out, m.offerLine(list[i], i == max(0, chosen), width))
	}
	return out
}

func (m *Model) offerLine(c slash.Command, marked bool, width int) string {
	mark, style := "  ", m.theme.Text
	if marked {
		mark, style = m.theme.Accent.Render(m.theme.Glyphs.Cursor)+" ", m.theme.Accent
	}
	name := render.Pad("/"+c.Name+" "+c.Args, 18)
	help := render.Line(c.Help, width-2-render.Width(name))
	return render.Truncate(mark+style.Render(name)+m.theme.Faint.Render(help), width)
}

// promptLines draws the prompt with its mark.
func (m *Model) promptLines(width, inner, limit int) (lines []string, x, y int) {
	rows, x, y := m.prompt.edit.View(inner, limit, func(s string) string { return m.theme.Accent.Render(s) })
	mark := m.theme.User.Render(m.theme.Glyphs.Prompt)
	for i, r := range rows {
		if i == 0 {
			lines = append(lines, mark+" "+r)
		} else {
			lines = append(lines, "  "+r)
		}
	}
	return lines, x + 2, y
}
