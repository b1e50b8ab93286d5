package pane

import (
	"strings"

	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/render"
)

// Header is the first line of a column: title at the left, pieces at the
// right, of which those that don't fit are left out from the front. All are
// styled and clean already.
func Header(t theme.Theme, width int, title string, right ...string) string {
	const gap = 2
	title = render.Truncate(title, width)
	room := width - render.Width(title) - gap
	var end string
	for i := len(right) - 1; i >= 0; i-- {
		if right[i] == "" {
			continue
		}
		next := right[i]
		if end != "" {
			next += strings.Repeat(" ", gap) + end
		}
		if render.Width(next) > room {
			break
		}
		end = next
	}
	return title + strings.Repeat(" ", max(0, width-render.Width(title)-render.Width(end))) + end
}

// Rule is a line across with text set into it at the left and the right. Where
// both don't fit, the right one goes, then the left one is cut. The texts are
// clean and not styled; style says how each is.
func Rule(t theme.Theme, width int, left, right string) string {
	return RuleStyled(t, width, left, right, t.Status.Render, t.Status.Render)
}

// RuleStyled is Rule with styles for its two texts.
func RuleStyled(t theme.Theme, width int, left, right string, ls, rs func(...string) string) string {
	if width <= 0 {
		return ""
	}
	line := func(n int) string { return t.Rule.Render(strings.Repeat(horizontal(t), max(0, n))) }
	const lead = 2 // the rule shows this much before and after a text
	room := width - 2*lead - 2
	if right != "" && (left == "" && render.Width(right) > room || left != "" && render.Width(left)+render.Width(right)+2*lead+6 > width) {
		if left != "" {
			right = ""
		} else {
			right = render.Truncate(right, room)
		}
	}
	if room < 4 {
		return line(width)
	}
	var b strings.Builder
	used := 0
	if left != "" {
		left = render.Truncate(left, room)
		b.WriteString(line(lead) + " " + ls(left) + " ")
		used = lead + 2 + render.Width(left)
	}
	tail, tailWidth := "", 0
	if right != "" {
		tail = " " + rs(right) + " " + line(lead)
		tailWidth = render.Width(right) + 2 + lead
	}
	b.WriteString(line(width - used - tailWidth))
	b.WriteString(tail)
	return b.String()
}

func horizontal(t theme.Theme) string {
	if t.Glyphs.Horizontal == "" {
		return "-"
	}
	return t.Glyphs.Horizontal
}

// Footer is a line of key hints; those that don't fit are left out from the
// end, but the last one, help, stays as long as anything does. They stand back
// where the keyboard is elsewhere.
func Footer(t theme.Theme, width int, hints []keys.Hint, focused bool) string {
	const gap = 3
	key := t.Text
	if !focused {
		key = t.Faint
	}
	piece := func(h keys.Hint) string {
		if h.Label == "" {
			return key.Render(h.Key)
		}
		return key.Render(h.Key) + " " + t.Faint.Render(h.Label)
	}
	if len(hints) == 0 || width <= 0 {
		return ""
	}
	last := piece(hints[len(hints)-1])
	out := ""
	for _, h := range hints[:len(hints)-1] {
		next := piece(h) + strings.Repeat(" ", gap)
		if render.Width(out)+render.Width(next)+render.Width(last) > width {
			break
		}
		out += next
	}
	return render.Truncate(out+last, width)
}

// Frame joins lines to a screen of exactly height lines, each cut to width.
func Frame(lines []string, width, height int) string {
	if height <= 0 {
		return ""
	}
	if len(lines) > height {
		lines = lines[:height]
	}
	out := make([]string, height)
	for i, l := range lines {
		out[i] = render.Truncate(l, width)
	}
	return strings.Join(out, "\n")
}
