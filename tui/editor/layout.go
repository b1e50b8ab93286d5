package editor

import (
	"strings"

	"reverie/tui/render"
)

// layout is the text broken into rows of a width; it holds for one revision.
type layout struct {
	rev, width int
	rows       []row
}

// row is cells[from:to], to be drawn; a newline that ends it is not in it.
type row struct{ from, to int }

// rows breaks the text at newlines and, where a line is too long, behind a
// space or inside a word that is too long itself. The last row has room for
// the cursor.
func (e *Editor) rows(width int) []row {
	width = max(width, 2)
	if e.lay.width == width && e.lay.rev == e.rev && e.lay.rows != nil {
		return e.lay.rows
	}
	rows := make([]row, 0, len(e.lay.rows)+1)
	from, used, lastSpace := 0, 0, -1
	for i := 0; i < len(e.cells); i++ {
		c := e.cells[i]
		if c.text == "\n" && c.fold == 0 {
			rows = append(rows, row{from, i})
			from, used, lastSpace = i+1, 0, -1
			continue
		}
		w := c.width(width)
		// A row keeps one column free, so that the cursor can stand behind it.
		for used+w > width-1 && i > from && !space(c) {
			cut := i
			if lastSpace > from {
				cut = lastSpace
			}
			rows = append(rows, row{from, cut})
			from, lastSpace = cut, -1
			used = 0
			for _, k := range e.cells[from:i] {
				used += k.width(width)
			}
		}
		if used+w > width && i > from { // spaces hang, up to the edge
			rows = append(rows, row{from, i})
			from, used, lastSpace = i, 0, -1
		}
		used += w
		if space(c) {
			lastSpace = i + 1
		}
	}
	rows = append(rows, row{from, len(e.cells)})
	e.lay = layout{e.rev, width, rows}
	return rows
}

// show is a cell as text that is safe and no wider than a row.
func (c cell) show(width int) string {
	switch {
	case c.fold > 0:
		return render.Truncate(c.label(), width-1)
	case c.text == "\t":
		return "    "[:min(4, width-1)]
	case len(c.text) == 1:
		return c.text
	}
	return render.Clean(c.text)
}

func (c cell) width(width int) int {
	if c.fold == 0 && len(c.text) == 1 && c.text != "\t" {
		return 1
	}
	return min(render.Width(c.show(width)), width-1)
}

// Rows is how many rows the text takes at a width.
func (e *Editor) Rows(width int) int { return len(e.rows(width)) }

// row returns the row and the column of the cursor.
func (e *Editor) cursor(width int) (y, x int) {
	rows := e.rows(width)
	for y = len(rows) - 1; y > 0 && rows[y].from > e.at; {
		y--
	}
	for _, c := range e.cells[rows[y].from:e.at] {
		x += c.width(width)
	}
	return y, min(x, max(width-1, 0))
}

// Up moves up one row and reports false on the first; Down likewise.
func (e *Editor) Up(width int) bool { return e.vertical(width, -1) }

// Down moves down one row and reports false on the last.
func (e *Editor) Down(width int) bool { return e.vertical(width, 1) }

func (e *Editor) vertical(width, step int) bool {
	rows := e.rows(width)
	y, x := e.cursor(width)
	if y+step < 0 || y+step >= len(rows) {
		return false
	}
	if e.goal == 0 {
		e.goal = x + 1
	}
	r := rows[y+step]
	at, used := r.from, 0
	for at < r.to {
		w := e.cells[at].width(width)
		if used+w > e.goal-1 {
			break
		}
		used += w
		at++
	}
	// The place behind the last cell of a broken line belongs to the next row.
	if at == r.to && y+step+1 < len(rows) && rows[y+step+1].from == r.to && at > r.from {
		at--
	}
	e.at, e.typing = at, false
	return true
}

// View draws up to limit rows around the cursor, each no wider than width, and
// says where in them the cursor stands. fold styles a folded paste.
func (e *Editor) View(width, limit int, fold func(string) string) (lines []string, x, y int) {
	rows := e.rows(width)
	cy, cx := e.cursor(width)
	limit = max(limit, 1)
	e.top = max(min(e.top, cy, len(rows)-limit), 0)
	if cy >= e.top+limit {
		e.top = cy - limit + 1
	}
	for _, r := range rows[e.top:min(e.top+limit, len(rows))] {
		var b strings.Builder
		for _, c := range e.cells[r.from:r.to] {
			s := c.show(width)
			if c.fold > 0 && fold != nil {
				s = fold(s)
			}
			b.WriteString(s)
		}
		lines = append(lines, b.String())
	}
	return lines, cx, cy - e.top
}
