package render

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

const (
	columnGap   = 2 // cells between two columns
	leastColumn = 4 // cells that a column keeps; narrower, rows are shown as lists
)

// table draws a table: a head, a rule under each column, rows; or, where the
// columns would get too narrow, each row as lines of its own.
func (l *layout) table(n *east.Table, width int) []string {
	rows := l.rows(n)
	columns := 0
	for _, r := range rows {
		columns = max(columns, len(r))
	}
	room := width - columnGap*(columns-1)
	if columns == 0 {
		return nil
	}
	if room < leastColumn*columns {
		return l.stacked(rows, width)
	}
	widths := columnWidths(rows, columns, room)
	lines := l.row(rows[0], widths, n.Alignments)
	var b strings.Builder
	for i, w := range widths {
		if i > 0 {
			b.WriteString(strings.Repeat(" ", columnGap))
		}
		b.WriteString(strings.Repeat(l.theme.Glyphs.Horizontal, w))
	}
	lines = append(lines, l.theme.Rule.Render(b.String()))
	for _, r := range rows[1:] {
		lines = append(lines, l.row(r, widths, n.Alignments)...)
	}
	return lines
}

// rows are the cells of a table, drawn; the head comes first.
func (l *layout) rows(n *east.Table) [][]string {
	var rows [][]string
	for r := n.FirstChild(); r != nil; r = r.NextSibling() {
		_, head := r.(*east.TableHeader)
		var row []string
		for c := r.FirstChild(); c != nil; c = c.NextSibling() {
			row = append(row, l.cell(c, head))
		}
		rows = append(rows, row)
	}
	return rows
}

func (l *layout) cell(c ast.Node, head bool) string {
	p := ast.NewParagraph()
	var into ast.Node = p
	if head && c.FirstChild() != nil {
		into = ast.NewEmphasis(2)
		p.AppendChild(p, into)
	}
	for n := c.FirstChild(); n != nil; n = c.FirstChild() {
		into.AppendChild(into, n)
	}
	return l.inline(p)
}

// columnWidths shares room out: a column that needs less than an equal share
// gets what it needs, and the others share the rest.
func columnWidths(rows [][]string, columns, room int) []int {
	need := make([]int, columns)
	for _, r := range rows {
		for i, c := range r {
			need[i] = max(need[i], Width(c), 1)
		}
	}
	widths := make([]int, columns)
	for open := columns; open > 0; {
		share, settled := room/open, false
		for i := range need {
			if widths[i] == 0 && need[i] <= share {
				widths[i] = need[i]
				room -= need[i]
				open--
				settled = true
			}
		}
		if settled {
			continue
		}
		for i := range need {
			if widths[i] == 0 {
				widths[i] = room / open
				room -= widths[i]
				open--
			}
		}
	}
	return widths
}

// row draws one row, over as many lines as its longest cell needs.
func (l *layout) row(cells []string, widths []int, align []east.Alignment) []string {
	wrapped := make([][]string, len(widths))
	height := 1
	for i, w := range widths {
		if i < len(cells) {
			wrapped[i] = wrapStyled(cells[i], w)
		}
		height = max(height, len(wrapped[i]))
	}
	lines := make([]string, height)
	for y := range lines {
		var b strings.Builder
		gap := 0
		for i, w := range widths {
			text := ""
			if y < len(wrapped[i]) {
				text = wrapped[i][y]
			}
			before, after := aligned(align, i, w-Width(text))
			if text != "" {
				b.WriteString(strings.Repeat(" ", gap+before) + text)
				gap = after
			} else {
				gap += w
			}
			gap += columnGap
		}
		lines[y] = b.String()
	}
	return lines
}

// aligned is how the free cells of column i are shared before and after its text.
func aligned(align []east.Alignment, i, free int) (before, after int) {
	if i < len(align) {
		switch align[i] {
		case east.AlignRight:
			return free, 0
		case east.AlignCenter:
			return free / 2, free - free/2
		}
	}
	return 0, free
}

// stacked draws each row as lines of "head: cell".
func (l *layout) stacked(rows [][]string, width int) []string {
	var lines []string
	for n, r := range rows[1:] {
		if n > 0 {
			lines = append(lines, "")
		}
		for i, c := range r {
			head := ""
			if i < len(rows[0]) && rows[0][i] != "" {
				head = rows[0][i] + ": "
			}
			lines = append(lines, wrapStyled(head+c, width)...)
		}
	}
	if len(rows) == 1 {
		for _, c := range rows[0] {
			lines = append(lines, wrapStyled(c, width)...)
		}
	}
	return lines
}
