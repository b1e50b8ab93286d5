package dream

import (
	"fmt"
	"strings"
	"time"

	"reverie/memstore"
	"reverie/planner"
	"reverie/theme"
	"reverie/tui/pane"
	"reverie/tui/render"
)

// receiptBlocks is a receipt line by line, what undoing it did, and then each
// operation as it was planned. undo says how it is undone, where it can be.
func receiptBlocks(r receipt, now time.Time, undo string) []block {
	blocks := []block{func(width int, t theme.Theme) []string {
		head := fmt.Sprintf("%s by %s %s", r.Decision, By(r.Receipt), clockOf(r.Decided, now))
		return wrapped(t.Title.Render("RECEIPT")+"  ", 9, head, width, t.Text.Render)
	}}
	column, number := 0, 0
	for _, o := range r.Operations {
		column = max(column, render.Width(render.Line(r.subject(o), 40)))
		number = max(number, render.Width(render.Line(o.ID, 8)))
	}
	if r.Decision == approved {
		for _, o := range r.Operations {
			blocks = append(blocks, r.lineBlock(o, number, column))
		}
	}
	blocks = append(blocks, func(width int, t theme.Theme) []string {
		out := wrapped(" ", 1, Counts(r.Receipt), width, t.Text.Render)
		if CannotUndo(r.Receipt) == "" {
			out[len(out)-1] = pane.Header(t, width, out[len(out)-1], t.Faint.Render(undo))
		}
		return out
	})
	if !r.Undone.IsZero() {
		blocks = append(blocks, r.undoneBlocks(now, column)...)
	}
	for i, o := range r.Operations {
		op, ok := r.planned[o.ID]
		if !ok {
			continue
		}
		blocks = append(blocks, func(width int, t theme.Theme) []string {
			return []string{"", pane.Rule(t, width, fmt.Sprintf("%d of %d", i+1, len(r.Operations)), "")}
		})
		blocks = append(blocks, operationBlocks(op, now)...)
	}
	return blocks
}

// clockOf is when something was, without the day where that is today.
func clockOf(at, now time.Time) string { return strings.TrimPrefix(render.Ago(at, now), "today ") }

// subject names the entries of a line: as planned or, where the plan is not
// kept, as touched.
func (r receipt) subject(o memstore.ReceiptOperation) string {
	if op, ok := r.planned[o.ID]; ok {
		return Subject(op)
	}
	if len(o.Touched) == 0 {
		return ""
	}
	s := o.Touched[len(o.Touched)-1].Key
	if n := len(o.Touched) - 1; n > 0 {
		s += fmt.Sprintf(" +%s", render.Number(n))
	}
	return s
}

func (r receipt) lineBlock(o memstore.ReceiptOperation, number, column int) block {
	subject := r.subject(o)
	return func(width int, t theme.Theme) []string {
		style := t.Good
		switch o.Result {
		case memstore.Applied:
		case memstore.Failed:
			style = t.Bad
		default:
			style = t.Warn
		}
		head := fmt.Sprintf("%*s %s  %s", number, render.Line(o.ID, 8), render.Pad(render.Line(o.Kind, 9), 9), render.Pad(render.Line(subject, 40), column))
		return outcome(string(o.Result), head, o.Error, width, t, style.Render)
	}
}

func (r receipt) undoneBlocks(now time.Time, column int) []block {
	blocks := []block{func(width int, t theme.Theme) []string {
		return wrapped(t.Title.Render("UNDONE")+"  ", 8, clockOf(r.Undone, now), width, t.Text.Render)
	}}
	for _, o := range r.Operations {
		if o.Undo == "" {
			continue
		}
		subject := r.subject(o)
		blocks = append(blocks, func(width int, t theme.Theme) []string {
			style := t.Good
			if o.Undo != "undone" {
				style = t.Warn
			}
			return outcome(o.Undo, render.Pad(render.Line(subject, 40), column), o.UndoError, width, t, style.Render)
		})
	}
	return blocks
}

// outcome is one line: the outcome, what it is of, and why; the reason goes
// below where it does not fit beside.
func outcome(result, head, why string, width int, t theme.Theme, style func(...string) string) []string {
	const column = 11
	out := []string{" " + style(render.Pad(render.Line(result, column), column)) + " " + t.Text.Render(head)}
	room := width - column - 2 - render.Width(head) - 2
	if why == "" {
		return out
	}
	if short := render.Line(why, width+1); render.Width(short) <= room {
		out[0] += "  " + t.Dim.Render(short)
		return out
	}
	by := min(column+2, max(0, width-20))
	for _, l := range render.Wrap(why, max(1, width-by)) {
		out = append(out, strings.Repeat(" ", by)+t.Dim.Render(l))
	}
	return out
}

// wrapped is text after a lead of some cells, its later lines under its first.
func wrapped(lead string, cells int, text string, width int, style func(...string) string) []string {
	var out []string
	for _, l := range render.Wrap(text, max(1, width-cells)) {
		out = append(out, lead+style(l))
		lead = strings.Repeat(" ", cells)
	}
	return out
}

// unsureBlocks, purgeBlocks and droppedBlocks are what a plan only says.
func unsureBlocks(u planner.Unsure) []block {
	return []block{func(width int, t theme.Theme) []string {
		out := named("entries", strings.Join(u.Keys, ", "), width, t)
		out = append(out, named("why", u.Reason, width, t)...)
		return append(out, remark("They look contradictory, and no rule decides which holds. The plan changes nothing about them; say in the chat what holds.", width, t)...)
	}}
}

func purgeBlocks(p planner.Purge) []block {
	return []block{func(width int, t theme.Theme) []string {
		out := named("entry", p.Key, width, t)
		out = append(out, named("rule", p.Rule, width, t)...)
		out = append(out, named("why", p.Reason, width, t)...)
		out = append(out, "")
		out = append(out, indent(styled(render.Wrap(render.Reveal(p.Masked), max(1, width-2)), t.Text.Render))...)
		return append(out, remark("It may not be kept, and only a person can erase it: reverie memory purge KEY. The plan changes nothing about it.", width, t)...)
	}}
}

func droppedBlocks(d planner.Dropped) []block {
	return []block{func(width int, t theme.Theme) []string {
		out := named("entries", strings.Join(d.Keys, ", "), width, t)
		out = append(out, named("why", d.Reason, width, t)...)
		return append(out, remark("A model proposed this, and the rules refused it. It is not in the plan.", width, t)...)
	}}
}

func remark(text string, width int, t theme.Theme) []string {
	return append([]string{""}, styled(render.Wrap(text, width), t.Dim.Render)...)
}
