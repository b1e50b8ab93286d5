package dream

import (
	"fmt"
	"strings"

	"reverie/tui/keys"
	"reverie/tui/pane"
	"reverie/tui/render"
)

// View draws the pane: the memories, the plan's state, the list, the detail of
// what is marked, and what A does; where there is little room, list or detail.
func (m *Model) View(width, height int) string {
	if width <= 0 || height <= 0 {
		return ""
	}
	if height < small {
		return pane.Frame(m.smallView(width, height), width, height)
	}
	t, x := m.cfg.Theme, m.now()
	whole := len(m.whole(width, height))
	body := m.body(x, width, height-4-whole)
	// What was viewed is known once the detail is drawn.
	lines := append([]string{m.header(width), pane.Rule(t, width, "", ""), m.state(width)}, body...)
	for len(lines) < height-1-whole {
		lines = append(lines, "")
	}
	lines = append(lines[:height-1-whole], m.whole(width, height)...)
	return pane.Frame(append(lines, pane.Footer(t, width, m.Keys(), m.focused)), width, height)
}

// small is a height in which every line counts.
const small = 8

// smallView leaves out what is not needed to read and decide: the rules, while
// reading the header, and where a key needs an explanation the plan's state.
func (m *Model) smallView(width, height int) []string {
	t, x := m.cfg.Theme, m.now()
	reading := x != nil && x.reading
	room := height - 2 // the state's line and the footer
	if !reading {
		room--
	}
	body := m.body(x, width, room)
	var lines []string
	if !reading && height > 2 {
		lines = append(lines, m.header(width))
	}
	if m.note != "" {
		lines = append(lines, t.Warn.Render(render.Truncate(m.note, width)))
	} else {
		lines = append(lines, m.state(width))
	}
	lines = append(lines, body...)
	for len(lines) < height-1 {
		lines = append(lines, "")
	}
	return append(lines[:max(1, height-1)], pane.Footer(t, width, m.Keys(), m.focused))
}

func (m *Model) header(width int) string {
	t := m.cfg.Theme
	title := t.Title.Render("DREAM")
	used := render.Width("DREAM")
	for i, x := range m.targets {
		text := fmt.Sprintf("%s %s", x.Scope, render.Number(x.Count))
		if i == m.at && m.choice() {
			text = "[" + text + "]"
		} else {
			text = " " + text + " "
		}
		if used+render.Width(text)+1 > width {
			break
		}
		used += render.Width(text) + 1
		if i == m.at {
			title += " " + t.Accent.Render(text)
		} else {
			title += " " + t.Dim.Render(text)
		}
	}
	by := ""
	if x := m.now(); x != nil && x.plan != nil {
		by = t.Faint.Render("planner: " + render.Line(x.plan.Planner, 40))
	}
	return pane.Header(t, width, title, by)
}

// state is the line about the plan as a whole.
func (m *Model) state(width int) string {
	t, x := m.cfg.Theme, m.now()
	switch {
	case x == nil || x.Session == nil:
		return t.Text.Render(render.Truncate("No dream", width))
	case !x.opened:
		return t.Accent.Render(render.Truncate(m.doing(&job{task: planning}), width))
	case x.job != nil:
		return t.Accent.Render(render.Truncate(m.doing(x.job), width))
	case x.plan == nil:
		return t.Text.Render(render.Truncate("No plan: "+m.cfg.Keys.Key(keys.Replan)+" makes one", width))
	case x.plan.Empty():
		return t.Text.Render(render.Truncate("Nothing to do", width))
	}
	left := fmt.Sprintf("%s, %s viewed", render.Count(len(x.plan.Operations), "operation", "operations"), render.Number(len(x.viewed)))
	right := Left(x.plan.Expires, m.cfg.Now())
	style := t.Dim
	if x.plan.Expires.Sub(m.cfg.Now()) <= closing {
		style = t.Warn
	}
	if render.Width(left)+2+render.Width(right) > width { // briefer, so that nothing goes
		left = fmt.Sprintf("%d/%d viewed", len(x.viewed), len(x.plan.Operations))
		right = strings.TrimPrefix(right, "expires in ")
	}
	return pane.Header(t, width, t.Text.Render(left), style.Render(right))
}

func (m *Model) doing(j *job) string {
	dots := m.cfg.Theme.Glyphs.Ellipsis
	switch {
	case j.stopped:
		return "stopping " + dots
	case j.task != planning:
		return string(j.task) + " " + dots
	case j.total > 0:
		return fmt.Sprintf("planning %s %d%%", dots, 100*min(j.done, j.total)/j.total)
	}
	return "planning " + dots
}

// whole is what is to be said about deciding, above the footer.
func (m *Model) whole(width, height int) []string {
	t, x := m.cfg.Theme, m.now()
	text, style := m.note, t.Warn.Render
	if text == "" {
		style = t.Dim.Render
		text = m.decision(x)
	}
	if text == "" {
		return nil
	}
	line := style(render.Truncate(text, width))
	if height < 12 {
		return []string{line}
	}
	return []string{pane.Rule(t, width, "whole plan", ""), line}
}

// decision says how the plan is decided on.
func (m *Model) decision(x *target) string {
	if x == nil || x.job != nil || x.plan == nil || x.plan.Empty() {
		return ""
	}
	switch n := x.unviewed(); {
	case x.plan.Expired(m.cfg.Now()):
		return m.expired(x)
	case n > 0:
		return fmt.Sprintf("%s not viewed: press %s twice", render.Number(n), m.cfg.Keys.Key(keys.Approve))
	}
	return "all viewed"
}

// body is the message, the list and the detail.
func (m *Model) body(x *target, width, room int) []string {
	if room <= 0 {
		return nil
	}
	lines := m.say(x, width)
	if x == nil || x.rows() == 0 {
		return lines
	}
	switch short := room < 12; {
	case short && x.reading:
		return m.entry(x, width, room)
	case short:
		lines = lines[:min(len(lines), max(0, room-1))]
		return append(lines, m.list(x, width, room-len(lines))...)
	}
	lines = append(lines[:min(len(lines), room/2)], "")
	rows := min(x.rows(), max(3, (room-len(lines))/3))
	list := m.list(x, width, rows)
	entry := m.entry(x, width, room-len(lines)-len(list)-1)
	if len(x.viewed) > 0 { // drawing the detail may be what makes it viewed
		list = m.list(x, width, rows)
	}
	return append(append(append(lines, list...), ""), entry...)
}

// say is what stands above the list: why there is no plan, or what an empty one
// means.
func (m *Model) say(x *target, width int) []string {
	t := m.cfg.Theme
	text := ""
	switch {
	case x == nil:
		text = "There is no memory in this session."
	case x.Session == nil:
		text = Why(x.Target)
	case x.job != nil:
		if x.job.task == planning && x.job.total > 0 {
			text = fmt.Sprintf("%s of %s steps", render.Number(x.job.done), render.Number(x.job.total))
		}
	case x.message != "":
		text = x.message
	case x.plan != nil && x.plan.Empty():
		text = LookedAt(*x.plan)
	}
	if x != nil && x.plan != nil && x.plan.Note != "" {
		text = strings.TrimSpace(text + "\n" + x.plan.Note)
	}
	if text == "" {
		return nil
	}
	return styled(render.Wrap(text, width), t.Dim.Render)
}

// list is the rows around the mark.
func (m *Model) list(x *target, width, room int) []string {
	if room < 1 {
		return nil
	}
	from, to := x.list.Window(room, x.rows())
	var out []string
	key := 0
	for i := from; i < to; i++ {
		key = max(key, render.Width(render.Line(m.cells(x, i).key, width)))
	}
	key = min(key, max(8, (width-14)*2/5))
	for i := from; i < to; i++ {
		out = append(out, m.rowLine(m.cells(x, i), i == x.list.At, key, width))
	}
	return out
}

// cells is what a row of the list shows.
type cells struct{ number, kind, key, text, end string }

func (m *Model) cells(x *target, i int) cells {
	switch is, n := x.row(i); is {
	case ofOperation:
		o := x.plan.Operations[n]
		c := cells{number: o.ID, kind: string(o.Kind), key: Subject(o), text: o.Reason}
		if x.viewed[o.ID] {
			c.end = "viewed"
		}
		return c
	case ofUnsure:
		u := x.plan.Unsure[n]
		return cells{kind: "unsure", key: strings.Join(u.Keys, ", "), text: u.Reason}
	case ofPurge:
		p := x.plan.Purge[n]
		return cells{kind: "purge", key: p.Key, text: p.Reason}
	case ofDropped:
		d := x.plan.Dropped[n]
		return cells{kind: "dropped", key: strings.Join(d.Keys, ", "), text: d.Reason}
	case ofReceipt:
		r := x.receipts[n]
		c := cells{kind: "receipt", key: render.Ago(r.Decided, m.cfg.Now()), text: r.brief}
		if !r.Undone.IsZero() {
			c.end = "undone"
		}
		return c
	}
	return cells{}
}

func (m *Model) rowLine(c cells, marked bool, column, width int) string {
	t := m.cfg.Theme
	number := fmt.Sprintf("%2s", render.Line(c.number, 6))
	kind := render.Pad(render.Line(c.kind, 9), 9)
	end := c.end
	if end != "" {
		if width < 50 {
			end = end[:1]
		}
		end = "  " + end
	}
	key := render.Fit(render.Line(c.key, column), column)
	used := 1 + render.Width(number) + 1 + 9 + 2 + column + 2
	room := max(0, width-used-render.Width(end))
	text := render.Fit(render.Line(c.text, room), room)
	if marked {
		return t.Selected.Render(render.Fit(t.Glyphs.Cursor+number+" "+kind+"  "+key+"  "+text+end, width))
	}
	return " " + t.Faint.Render(number) + " " + t.Text.Render(kind) + "  " + t.Text.Render(key) + "  " + t.Dim.Render(text) + t.Faint.Render(end)
}

// entry is the detail of the marked row under its rule.
func (m *Model) entry(x *target, width, room int) []string {
	if room < 1 {
		return nil
	}
	t := m.cfg.Theme
	left := m.choose(x)
	bare := room < 4 // no room for the rule
	height := room
	if !bare {
		height--
	}
	text, all := x.detail.view(width, height, t)
	if is, n := x.row(x.list.At); is == ofOperation && all {
		x.viewed[x.plan.Operations[n].ID] = true
	}
	if bare {
		return text
	}
	right := ""
	switch {
	case !x.detail.end && x.reading:
		right = "more below"
	case !x.detail.end:
		right = "more: " + m.cfg.Keys.Key(keys.Open) + " reads on"
	}
	style := t.Status.Render
	if x.reading {
		style = t.Accent.Render
	}
	rule := pane.RuleStyled(t, width, render.Line(left, max(1, width-6)), right, style, t.Faint.Render)
	return append([]string{rule}, text...)
}

// choose makes the detail that of the marked row and returns its name.
func (m *Model) choose(x *target) string {
	now := m.cfg.Now()
	is, n := x.row(x.list.At)
	id := func(sort string) string { return fmt.Sprintf("%s %s %d", x.plan.ID, sort, n) }
	switch is {
	case ofOperation:
		o := x.plan.Operations[n]
		x.detail.set(id("operation"), func() []block { return operationBlocks(o, now) })
		return fmt.Sprintf("%s of %s", o.ID, render.Number(len(x.plan.Operations)))
	case ofUnsure:
		x.detail.set(id("unsure"), func() []block { return unsureBlocks(x.plan.Unsure[n]) })
		return "looks contradictory"
	case ofPurge:
		x.detail.set(id("purge"), func() []block { return purgeBlocks(x.plan.Purge[n]) })
		return "may not be kept"
	case ofDropped:
		x.detail.set(id("dropped"), func() []block { return droppedBlocks(x.plan.Dropped[n]) })
		return "left out"
	case ofReceipt:
		r := x.receipts[n]
		x.detail.set(r.state, func() []block { return receiptBlocks(r, now, m.cfg.Keys.Key(keys.UndoReceipt)+" undo") })
		return "receipt " + r.ID
	}
	return ""
}
