package dream

import (
	"fmt"
	"strings"
	"time"

	"reverie/memstore"
	"reverie/planner"
	"reverie/theme"
	"reverie/tui/render"
)

// fewKeys is how many sources are listed at the top of an operation. Where
// there are more, all of them stand at its end.
const fewKeys = 8

// chunk is how many keys of a long list are drawn at once.
const chunk = 100

// label is how wide the names at the left of a detail are.
const label = 10

// operationBlocks is all of an operation: who is in it, why, and every text
// before and after.
func operationBlocks(o planner.Operation, now time.Time) []block {
	survivor := o.Before[len(o.Before)-1]
	sources := o.Before[:len(o.Before)-1]
	blocks := []block{func(width int, t theme.Theme) []string {
		shown := sources[:min(fewKeys, len(sources))]
		column := render.Width(render.Line(survivor.Key, width))
		for _, e := range shown {
			column = max(column, render.Width(render.Line(e.Key, width)))
		}
		if column > (width-label)/2 {
			column = 0 // not a table, where keys leave no room for the rest
		}
		out := about("survivor", survivor, column, now, width, t)
		for _, e := range shown {
			out = append(out, about("source", e, column, now, width, t)...)
		}
		if n := len(sources) - fewKeys; n > 0 {
			out = append(out, named("", fmt.Sprintf("and %s more, all listed at the end", render.Number(n)), width, t)...)
		}
		return append(out, named("why", o.Reason, width, t)...)
	}}
	for _, same := range byText(sources) {
		blocks = append(blocks, gone(same))
	}
	blocks = append(blocks, stays(survivor, o.After))
	if len(sources) > fewKeys {
		blocks = append(blocks, allKeys(sources)...)
	}
	return blocks
}

// about is one line on an entry: key, version, writer and age.
func about(name string, e memstore.Entry, column int, now time.Time, width int, t theme.Theme) []string {
	key := render.Pad(render.Line(e.Key, 130), column)
	return named(name, fmt.Sprintf("%s  %s  %s  %s", key, e.Version, e.Provenance.Writer, render.Ago(e.Updated, now)), width, t)
}

// named is a text with a name at its left.
func named(name, text string, width int, t theme.Theme) []string {
	var out []string
	for _, l := range render.Wrap(text, max(1, width-label)) {
		out = append(out, t.Faint.Render(render.Pad(name, label))+t.Dim.Render(l))
		name = ""
	}
	return out
}

// byText puts entries together that read the same, in order.
func byText(entries []memstore.Entry) [][]memstore.Entry {
	type text struct{ value, description string }
	at := map[text]int{}
	var out [][]memstore.Entry
	for _, e := range entries {
		k := text{e.Value, e.Description}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], e)
	}
	return out
}

// gone is the text of sources, which are forgotten.
func gone(same []memstore.Entry) block {
	return func(width int, t theme.Theme) []string {
		e := same[0]
		who, back := e.Key, "(forgotten; undo brings it back)"
		if n := len(same) - 1; n > 0 {
			who = fmt.Sprintf("%s and %s more with this text", render.Line(e.Key, 130), render.Number(n))
			back = "(forgotten; undo brings them back)"
		}
		out := append([]string{""}, named("before", who, width, t)...)
		out = append(out, indent(render.DiffLines(e.Value, "", width-2, t))...)
		if e.Description != "" {
			out = append(out, t.Dim.Render("  described as"))
			out = append(out, indent(render.DiffLines(e.Description, "", width-2, t))...)
		}
		out = append(out, named("after", who, width, t)...)
		for _, l := range render.Wrap("+"+back, max(1, width-2)) {
			out = append(out, "  "+t.Added.Render(l))
		}
		return out
	}
}

// stays is the text of the survivor: the same, or what becomes of it.
func stays(before, after memstore.Entry) block {
	return func(width int, t theme.Theme) []string {
		what := "same"
		if before.Value != after.Value {
			what = "changed"
		}
		out := append([]string{""}, named(what, before.Key, width, t)...)
		out = append(out, indent(render.DiffLines(before.Value, after.Value, width-2, t))...)
		if before.Description != "" || after.Description != "" {
			out = append(out, t.Dim.Render("  described as"))
			out = append(out, indent(render.DiffLines(before.Description, after.Description, width-2, t))...)
		}
		if before.Kind != after.Kind {
			out = append(out, t.Dim.Render("  of the kind"))
			out = append(out, indent(render.DiffLines(string(before.Kind), string(after.Kind), width-2, t))...)
		}
		return out
	}
}

// allKeys lists every source.
func allKeys(sources []memstore.Entry) []block {
	out := []block{func(width int, t theme.Theme) []string {
		return append([]string{""}, named("sources", fmt.Sprintf("all %s", render.Number(len(sources))), width, t)...)
	}}
	for len(sources) > 0 {
		n := min(chunk, len(sources))
		some := sources[:n]
		sources = sources[n:]
		out = append(out, func(width int, t theme.Theme) []string {
			names := make([]string, len(some))
			for i, e := range some {
				names[i] = render.Line(e.Key, 130)
			}
			return indent(styled(render.Wrap(strings.Join(names, ", "), max(1, width-2)), t.Dim.Render))
		})
	}
	return out
}

func indent(lines []string) []string {
	for i, l := range lines {
		lines[i] = "  " + l
	}
	return lines
}

func styled(lines []string, style func(...string) string) []string {
	for i, l := range lines {
		lines[i] = style(l)
	}
	return lines
}
