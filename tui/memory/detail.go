package memory

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"reverie/memstore"
	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/pane"
	"reverie/tui/render"
	"reverie/tui/wording"
)

// detail is one entry with its history.
type detail struct {
	scope     memstore.Scope
	key       string
	version   memstore.Version // of the newest revision
	revisions []memstore.Revision
	history   bool
	err       error

	at     int              // the revision shown; 0 is the newest
	pinned memstore.Version // compare with this one; "": with the one before

	diff      []string // what changed, as lines, for diffOf
	diffOf    string
	wanted    string // the comparison that is being made
	diffWidth int

	lines     []string // as drawn for width
	width     int
	sentAs    string // what they say about the last request
	top, room int
}

// stale makes the next View draw anew.
func (d *detail) stale() { d.width, d.diffOf, d.wanted = 0, "", "" }

func (d *detail) set(m *Model, msg detailMsg) tea.Cmd {
	same := d.key == msg.key && d.scope == msg.scope
	shown := memstore.Version("")
	if same && d.at > 0 && d.at < len(d.revisions) {
		shown = d.revisions[d.at].Version
	}
	next := detail{scope: msg.scope, key: msg.key, revisions: msg.revisions, history: msg.history, err: msg.err, diffWidth: d.diffWidth}
	if len(msg.revisions) > 0 {
		next.version = msg.revisions[0].Version
	}
	if same { // what the person looks at stays where it is
		next.pinned, next.top = d.pinned, d.top
		for i, r := range next.revisions {
			if shown != "" && r.Version == shown {
				next.at = i
			}
		}
	}
	*d = next
	return d.compare(m)
}

// step goes to an older (1) or a newer (-1) revision.
func (d *detail) step(m *Model, by int) tea.Cmd {
	d.at = max(0, min(d.at+by, len(d.revisions)-1))
	d.diff, d.width = nil, 0
	return d.compare(m)
}

// pin compares with the revision shown from now on, or no longer.
func (d *detail) pin(m *Model) tea.Cmd {
	switch {
	case d.pinned != "":
		d.pinned = ""
	case d.at < len(d.revisions):
		d.pinned = d.revisions[d.at].Version
	}
	d.diff, d.diffOf, d.wanted, d.width = nil, "", "", 0
	return d.compare(m)
}

// pair is the two revisions compared: indexes of the older and the newer.
func (d *detail) pair() (older, newer int, ok bool) {
	base := d.at + 1
	for i, r := range d.revisions {
		if d.pinned != "" && r.Version == d.pinned {
			base = i
		}
	}
	if base >= len(d.revisions) || base == d.at {
		return 0, 0, false
	}
	return max(base, d.at), min(base, d.at), true
}

// quickDiff is how many bytes of text are compared at once within the loop.
const quickDiff = 4 << 10

type diffMsg struct {
	of    string
	lines []string
}

// compare makes the diff of the pair outside the loop, since it may take a
// while for long texts.
func (d *detail) compare(m *Model) tea.Cmd {
	older, newer, ok := d.pair()
	if !ok || d.diffWidth <= 0 {
		return nil
	}
	a, b, width, t := d.revisions[older], d.revisions[newer], d.diffWidth, m.cfg.Theme
	name := fmt.Sprint(a.Version, b.Version, width, t.Name)
	if name == d.diffOf || name == d.wanted {
		return nil
	}
	d.wanted = name
	if len(a.Value)+len(b.Value) <= quickDiff {
		d.gotDiff(diffMsg{name, diff(a, b, width, t)})
		return nil
	}
	return func() tea.Msg { return diffMsg{name, diff(a, b, width, t)} }
}

func diff(a, b memstore.Revision, width int, t theme.Theme) []string {
	if a.Purged || b.Purged {
		return []string{t.Dim.Render("(purged: its text is gone)")}
	}
	lines := render.Diff(textOf(a), textOf(b), width, t)
	if a.Description != b.Description {
		lines = append(lines, t.Dim.Render("described as"))
		lines = append(lines, render.Diff(a.Description, b.Description, width, t)...)
	}
	return lines
}

func textOf(r memstore.Revision) string {
	if r.Forgotten {
		return ""
	}
	return r.Value
}

func (d *detail) gotDiff(msg diffMsg) {
	if msg.of == d.wanted {
		d.diff, d.diffOf, d.width = msg.lines, msg.of, 0
	}
}

// text is the value of the revision shown.
func (d *detail) text() (string, bool) {
	if d.at >= len(d.revisions) || d.revisions[d.at].Purged {
		return "", false
	}
	return d.revisions[d.at].Value, true
}

// scroll moves through the lines and reports whether the action does that.
func (d *detail) scroll(a keys.Action) bool {
	switch a {
	case keys.Down:
		d.top++
	case keys.Up:
		d.top--
	case keys.PageDown:
		d.top += max(1, d.room-1)
	case keys.PageUp:
		d.top -= max(1, d.room-1)
	case keys.Top:
		d.top = 0
	case keys.Bottom:
		d.top = len(d.lines)
	default:
		return false
	}
	d.clamp()
	return true
}

func (d *detail) clamp() { d.top = max(0, min(d.top, len(d.lines)-d.room)) }

// view draws the detail in at most height lines.
func (d *detail) view(m *Model, width, height int) []string {
	// What was sent changes with every turn, and nothing tells of it.
	if sent := d.sent(m); d.width != width || d.sentAs != sent {
		d.sentAs = sent
		if cmd := d.compare(m); cmd != nil {
			d.wanted = "" // too long to be made here; the next message starts it
		}
		d.lines, d.width = d.draw(m, width), width
	}
	d.room = height
	d.clamp()
	out := append([]string(nil), d.lines[d.top:min(len(d.lines), d.top+height)]...)
	if d.top > 0 || d.top+height < len(d.lines) {
		note := m.cfg.Theme.Faint.Render(fmt.Sprintf(" %d to %d of %d", d.top+1, min(len(d.lines), d.top+height), len(d.lines)))
		last := len(out) - 1
		out[last] = render.Fit(out[last], max(0, width-render.Width(note))) + note
	}
	return out
}

func (d *detail) draw(m *Model, width int) []string {
	t := m.cfg.Theme
	if d.err != nil {
		return styled(render.Wrap(d.err.Error(), width), t.Warn.Render)
	}
	if d.at >= len(d.revisions) {
		return nil
	}
	r := d.revisions[d.at]
	var out []string
	switch {
	case r.Purged:
		out = styled(render.Wrap("Purged: its text is gone for good.", width), t.Dim.Render)
	case r.Forgotten:
		out = styled(render.Wrap("Forgotten. /undo brings it back.", width), t.Dim.Render)
	default:
		if r.Description != "" {
			out = append(styled(render.Wrap(render.Reveal(r.Description), width), t.Dim.Render), "")
		}
		out = append(out, styled(render.Wrap(render.Reveal(r.Value), width), t.Text.Render)...)
	}
	out = append(out, "")
	out = append(out, d.provenance(m, r, width)...)
	if d.scope == memstore.Thread {
		return out
	}
	out = append(out, "", pane.Rule(t, width, "history", ""))
	out = append(out, d.historyLines(m, width)...)
	if older, newer, ok := d.pair(); ok {
		n := len(d.revisions)
		out = append(out, "", pane.Rule(t, width, fmt.Sprintf("%d=>%d", n-older, n-newer), ""))
		out = append(out, d.diff...)
	}
	return out
}

func styled(lines []string, style func(...string) string) []string {
	for i, l := range lines {
		lines[i] = style(l)
	}
	return lines
}

func (d *detail) provenance(m *Model, r memstore.Revision, width int) []string {
	t := m.cfg.Theme
	var out []string
	add := func(label, text string) {
		if text == "" {
			return
		}
		for i, l := range render.Wrap(text, max(1, width-7)) {
			if i > 0 {
				label = ""
			}
			out = append(out, t.Faint.Render(render.Pad(label, 7))+t.Dim.Render(l))
		}
	}
	if d.scope == memstore.Thread {
		add("where", "this thread")
		return out
	}
	when := r.Recorded
	if when.IsZero() {
		when = r.Updated
	}
	add("by", wording.By(r.Provenance)+", "+render.Ago(when, m.cfg.Now()))
	if !r.Updated.IsZero() && when.Sub(r.Updated).Abs().Hours() >= 24 {
		add("stated", render.Ago(r.Updated, m.cfg.Now()))
	}
	add("where", where(r.Provenance))
	add("token", string(r.Version))
	add("sent", "in the last request: "+d.sent(m))
	return out
}

func where(p memstore.Provenance) string {
	var parts []string
	for _, x := range []struct{ label, text string }{
		{"thread ", p.Thread}, {"", p.Tool}, {"model ", p.Model}, {"plan ", p.Plan}, {"from ", p.Source},
	} {
		if x.text == "" {
			continue
		}
		part := x.label + x.text
		if x.label == "thread " && p.Turn > 0 {
			part += fmt.Sprintf(", turn %d", p.Turn)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func (d *detail) sent(m *Model) string {
	if m.cfg.Used != nil {
		for _, r := range m.cfg.Used() {
			if r.Scope == d.scope && r.Key == d.key {
				return "yes"
			}
		}
	}
	return "no"
}

// historyRows is how many revisions are listed at once.
const historyRows = 8

func (d *detail) historyLines(m *Model, width int) []string {
	t := m.cfg.Theme
	if !d.history {
		return []string{t.Dim.Render(render.Truncate("This memory keeps no history.", width))}
	}
	n := len(d.revisions)
	from := max(0, min(d.at-historyRows/2, n-historyRows))
	var out []string
	for i := from; i < min(n, from+historyRows); i++ {
		r := d.revisions[i]
		mark := " "
		if i == d.at {
			mark = t.Glyphs.Cursor
		} else if d.pinned != "" && r.Version == d.pinned {
			mark = "="
		}
		by := wording.By(r.Provenance)
		if r.Op == memstore.OpForget {
			by += " (forgotten)"
		}
		if r.Op == memstore.OpPurge || r.Purged {
			by += " (purged)"
		}
		line := fmt.Sprintf("%s%*d  %s  %s", mark, len(fmt.Sprint(n)), n-i, render.Pad(render.Ago(r.Recorded, m.cfg.Now()), 15), by)
		style := t.Dim
		if i == d.at {
			style = t.Accent
		}
		out = append(out, style.Render(render.Truncate(line, width)))
	}
	if n > historyRows {
		out = append(out, t.Faint.Render(render.Truncate(fmt.Sprintf("  %d to %d of %d", from+1, min(n, from+historyRows), n), width)))
	}
	return out
}
