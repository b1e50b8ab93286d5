package tuitest

import (
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

var (
	black color.Color = color.RGBA{R: 0x12, G: 0x14, B: 0x1a, A: 0xff}
	white color.Color = color.RGBA{R: 0xfa, G: 0xfa, B: 0xf7, A: 0xff}
)

// Screen is a copy of the terminal's cells.
type Screen struct {
	Cols, Rows       int
	CursorX, CursorY int
	CursorHidden     bool
	Alternate        bool
	cells            []uv.Cell
	fg, bg           color.Color
}

func (t *Terminal) screen() Screen {
	w, h := t.emu.Width(), t.emu.Height()
	at := t.emu.CursorPosition()
	s := Screen{
		Cols: w, Rows: h, CursorX: at.X, CursorY: at.Y,
		CursorHidden: t.emu.CursorHidden(), Alternate: t.emu.IsAltScreen(),
		cells: make([]uv.Cell, w*h),
		fg:    t.emu.ForegroundColor(), bg: t.emu.BackgroundColor(),
	}
	for y := range h {
		for x := range w {
			if c := t.emu.CellAt(x, y); c != nil {
				s.cells[y*w+x] = *c
			}
		}
	}
	return s
}

// Cell returns the cell at a column and row.
func (s Screen) Cell(x, y int) uv.Cell { return s.cells[y*s.Cols+x] }

// Row is the text of one row without trailing space.
func (s Screen) Row(y int) string {
	var b strings.Builder
	for x := 0; x < s.Cols; x++ {
		c := s.cells[y*s.Cols+x]
		switch {
		case c.Content != "":
			b.WriteString(c.Content)
			if c.Width > 1 {
				x += c.Width - 1
			}
		default:
			b.WriteByte(' ')
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// String is the whole screen, a line for each row.
func (s Screen) String() string {
	rows := make([]string, s.Rows)
	for y := range s.Rows {
		rows[y] = s.Row(y)
	}
	return strings.Join(rows, "\n")
}

// Has reports whether text is on the screen: in one row, or broken over
// several rows where a space stands.
func (s Screen) Has(text string) bool {
	all := s.String()
	return strings.Contains(all, text) ||
		strings.Contains(strings.Join(strings.Fields(all), " "), strings.Join(strings.Fields(text), " "))
}

// Find returns the row and column of the first cell of text, or -1, -1.
func (s Screen) Find(text string) (x, y int) {
	for y := range s.Rows {
		row := s.Row(y)
		if i := strings.Index(row, text); i >= 0 {
			return uvWidth(row[:i]), y
		}
	}
	return -1, -1
}
