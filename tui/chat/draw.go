package chat

import (
	"fmt"
	"strings"

	"charm.land/lipgloss/v2"

	"reverie/tui/render"
	"reverie/tui/wording"
)

const (
	indent   = 2   // the column of marks left of the text
	maxText  = 100 // wider lines of prose are hard to read
	foldRows = 16  // what a person said shows this many rows unless unfolded
)

// textWidth is how wide text may be within the transcript.
func (t *transcript) textWidth() int { return min(max(1, t.width-indent-1), maxText) }

// lines draws an item with the empty row that parts it from the one before.
func (t *transcript) lines(i int) []string {
	it := t.items[i]
	lead := t.leads(i)
	if it == t.live {
		return t.draw(it, lead)
	}
	if lines, ok := t.cache.get(it, t.width, lead); ok {
		return lines
	}
	lines := t.draw(it, lead)
	t.cache.put(it, t.width, lead, lines)
	return lines
}

// leads says whether an empty row goes before an item: always, but that what
// the memory and the tools did stands close to what caused it.
func (t *transcript) leads(i int) bool {
	if i == 0 {
		return true
	}
	close := func(k kind) bool { return k == memoryItem || k == toolItem }
	before, it := t.items[i-1], t.items[i]
	return !close(it.kind) || !close(before.kind) && before.kind != answerItem
}

func (t *transcript) draw(it *item, lead bool) []string {
	var out []string
	if lead {
		out = append(out, "")
	}
	switch it.kind {
	case userItem:
		return append(out, t.user(it)...)
	case answerItem:
		return append(out, t.answerLines(it)...)
	case memoryItem:
		return append(out, t.memory(it.memory)...)
	case toolItem:
		return append(out, t.toolLines(it)...)
	case errorItem:
		out = append(out, t.marked(t.theme.Bad.Render("!"), t.theme.Bad, render.Wrap(it.text, t.textWidth()))...)
		if it.advice != "" {
			out = append(out, t.marked(" ", t.theme.Text, render.Wrap(it.advice, t.textWidth()))...)
		}
		return out
	default:
		return append(out, t.marked(" ", t.theme.Dim, render.Wrap(it.text, t.textWidth()))...)
	}
}

// marked puts a mark before the first line and indents the others.
func (t *transcript) marked(mark string, s lipgloss.Style, lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if l != "" {
			l = s.Render(l)
		}
		out[i] = strings.Repeat(" ", indent) + l
		if i == 0 {
			out[i] = mark + " " + l
		}
	}
	return out
}

func (t *transcript) user(it *item) []string {
	lines := render.Wrap(it.text, t.textWidth())
	rest := 0
	if len(lines) > foldRows && !it.unfolded {
		rest = len(lines) - foldRows + 1
		lines = lines[:foldRows-1]
	}
	out := t.marked(t.theme.User.Render(t.theme.Glyphs.User), t.theme.Text, lines)
	if rest > 0 {
		out = append(out, t.more(rest))
	}
	return out
}

func (t *transcript) more(rest int) string {
	return strings.Repeat(" ", indent) + t.theme.Faint.Render(render.Truncate(
		fmt.Sprintf("%s %s, %s unfolds", t.theme.Glyphs.Ellipsis, render.Count(rest, "more line", "more lines"), t.unfoldKey), t.textWidth()))
}

func (t *transcript) answerLines(it *item) []string {
	var out []string
	mark := t.theme.Assistant.Render(t.theme.Glyphs.Assistant)
	if it.reasoning != "" {
		thought := render.Wrap(strings.TrimSpace(it.reasoning), t.textWidth())
		if it.unfolded {
			out = t.marked(mark, t.theme.Faint, thought)
			out = append(out, "")
		} else {
			head := fmt.Sprintf("reasoned for %s, %s unfolds", render.Count(len(thought), "line", "lines"), t.unfoldKey)
			out = t.marked(mark, t.theme.Faint, []string{render.Truncate(head, t.textWidth())})
		}
		mark = " "
	}
	var lines []string
	switch {
	case it.stream != nil:
		lines = it.stream.Lines()
	case it.text != "":
		lines = render.Markdown(it.text, t.textWidth(), t.theme)
	case it == t.live && len(out) == 0:
		lines = []string{""}
	}
	for i, l := range lines {
		if i == 0 {
			out = append(out, mark+" "+l)
			continue
		}
		out = append(out, strings.Repeat(" ", indent)+l)
	}
	if it.partial {
		out = append(out, strings.Repeat(" ", indent)+t.theme.Warn.Render(render.Truncate("(stopped here)", t.textWidth())))
	}
	return out
}

// memory is the one line of a memory write: what, where, which change, and
// the way to take it back at the right edge.
func (t *transcript) memory(m wording.Memory) []string {
	width := max(1, t.width-indent)
	verb, style := m.Verb, t.theme.Accent
	if m.Failed {
		style = t.theme.Warn
	} else if m.Verb == "unchanged" {
		style = t.theme.Dim
	}
	where := render.Line(wording.Where(m.Scope, m.Key), 48)
	head := style.Render(verb)
	used := render.Width(verb)
	if where != "" && used+2+render.Width(where) <= width {
		head += "  " + t.theme.Text.Render(where)
		used += 2 + render.Width(where)
	}
	undo := m.Undo
	if used+3+render.Width(undo) > width {
		undo = ""
	}
	room := width - used - 3
	if undo != "" {
		room -= render.Width(undo) + 2
	}
	// A reason that does not fit is said in full on lines of its own.
	apart := m.Failed && room < render.Width(m.Detail)
	if room >= 4 && m.Detail != "" && !apart {
		detail, width := t.change(m, room)
		head += "   " + detail
		used += 3 + width
	}
	line := style.Render(t.theme.Glyphs.Note) + " " + render.Truncate(head, width)
	if undo != "" {
		line += strings.Repeat(" ", max(1, width-used-render.Width(undo))) + t.theme.Faint.Render(undo)
	}
	if apart {
		return append([]string{line}, t.marked(" ", t.theme.Dim, render.Wrap(m.Detail, t.textWidth()))...)
	}
	return []string{line}
}

// change is what a write changed, with as many of the words around it as there
// is room for: those after it go first.
func (t *transcript) change(m wording.Memory, room int) (string, int) {
	change := render.Line(m.Detail, room)
	if m.Lead == "" && m.Tail == "" {
		return t.theme.Dim.Render(change), render.Width(change)
	}
	rest := room - render.Width(change)
	lead := lastWords(m.Lead, rest, t.theme.Glyphs.Ellipsis)
	rest -= render.Width(lead)
	// Room for less than a word or two says nothing.
	tail := strings.TrimRight(m.Tail, " ")
	if rest < min(8, render.Width(tail)) {
		tail = ""
	}
	out := t.theme.Text.Render(change)
	if lead != "" {
		out = t.theme.Dim.Render(lead) + out
	}
	if tail = line(tail, rest); tail != "" {
		out += t.theme.Dim.Render(tail)
	}
	return out, render.Width(out)
}

// line is a clean line that keeps the space at its start.
func line(s string, width int) string {
	if rest, ok := strings.CutPrefix(s, " "); ok && width > 1 {
		return " " + render.Line(rest, width-1)
	}
	return render.Line(s, width)
}

// lastWords is the end of a text in whole words, with a space after it, at most
// width cells wide.
func lastWords(s string, width int, ellipsis string) string {
	words := strings.Fields(render.Clean(s))
	out := ""
	for i := len(words) - 1; i >= 0; i-- {
		next := words[i] + " " + out
		room := width
		if i > 0 {
			room -= render.Width(ellipsis) + 1
		}
		if render.Width(next) > room {
			if out != "" {
				out = ellipsis + " " + out
			}
			return out
		}
		out = next
	}
	return out
}

func (t *transcript) toolLines(it *item) []string {
	style, mark := t.theme.Faint, "·"
	if t.theme.Glyphs.Horizontal == "-" {
		mark = "."
	}
	name := it.text
	if it.about != "" {
		name += ": " + it.about
	}
	if it.failed {
		style, mark = t.theme.Warn, "!"
		name += ": " + it.advice
	}
	name = render.Line(name, t.textWidth())
	out := t.marked(style.Render(mark), style, []string{name})
	if it.unfolded && it.advice != "" {
		out = append(out, t.marked(" ", t.theme.Faint, render.Wrap(it.advice, t.textWidth()))...)
	}
	return out
}
