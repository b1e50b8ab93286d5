package tuitest

import (
	"fmt"
	"html"
	"image/color"
	"strings"

	uv "github.com/charmbracelet/ultraviolet"
)

const (
	cellW, cellH = 8.4, 18.0
	margin       = 14.0
)

// SVG draws a screen as a picture, in a monospaced font of the reader's. The
// colours are those of the cells, the rest is the emulated terminal's.
func SVG(s Screen, title string) string {
	var b strings.Builder
	w, h := float64(s.Cols)*cellW+2*margin, float64(s.Rows)*cellH+2*margin
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" role="img" aria-label="%s">`+"\n",
		w, h, w, h, html.EscapeString(title))
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" rx="8" fill="%s"/>`+"\n", hex(s.bg))
	b.WriteString(`<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">` + "\n")
	for y := range s.Rows {
		for x := 0; x < s.Cols; {
			x = s.run(&b, x, y)
		}
	}
	if !s.CursorHidden && s.CursorY < s.Rows {
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="2" height="%.1f" fill="%s"/>`+"\n",
			margin+float64(s.CursorX)*cellW, margin+float64(s.CursorY)*cellH+2, cellH-4, hex(s.fg))
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// run draws the cells from x on that share a style and returns where the next
// run begins.
func (s Screen) run(b *strings.Builder, x, y int) int {
	first := s.Cell(x, y)
	var text strings.Builder
	end := x
	for end < s.Cols {
		c := s.Cell(end, y)
		if !c.Style.Equal(&first.Style) {
			break
		}
		if c.Content == "" {
			text.WriteByte(' ')
			end++
			continue
		}
		text.WriteString(c.Content)
		end += max(1, c.Width)
	}
	fg, bg := s.colours(first.Style)
	drawn := s.rules(b, x, end, y, fg)
	px, py, width := margin+float64(x)*cellW, margin+float64(y)*cellH, float64(end-x)*cellW
	if bg != hex(s.bg) {
		fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", px, py, width, cellH, bg)
	}
	if drawn || strings.TrimSpace(text.String()) == "" {
		return end
	}
	attr := ""
	if first.Style.Attrs&uv.AttrBold != 0 {
		attr += ` font-weight="bold"`
	}
	if first.Style.Attrs&uv.AttrItalic != 0 {
		attr += ` font-style="italic"`
	}
	if first.Style.Attrs&uv.AttrFaint != 0 {
		attr += ` opacity="0.6"`
	}
	if first.Style.Underline != 0 {
		attr += ` text-decoration="underline"`
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" textLength="%.1f" fill="%s"%s>%s</text>`+"\n",
		px, py+cellH-5, width, fg, attr, html.EscapeString(strings.ReplaceAll(text.String(), " ", "\u00a0")))
	return end
}

// rules draws cells from x to end as lines where all of them are parts of
// rules, since a font's own leave gaps between rows.
func (s Screen) rules(b *strings.Builder, x, end, y int, fg string) bool {
	for i := x; i < end; i++ {
		switch s.Cell(i, y).Content {
		case "─", "│", "", " ":
		default:
			return false
		}
	}
	top := margin + float64(y)*cellH
	for i := x; i < end; i++ {
		left := margin + float64(i)*cellW
		switch s.Cell(i, y).Content {
		case "─":
			from := i
			for i+1 < end && s.Cell(i+1, y).Content == "─" {
				i++
			}
			fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="1" fill="%s"/>`+"\n", left, top+cellH/2, float64(i-from+1)*cellW, fg)
		case "│":
			fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="1" height="%.1f" fill="%s"/>`+"\n", left+cellW/2, top, cellH, fg)
		}
	}
	return true
}

func (s Screen) colours(st uv.Style) (fg, bg string) {
	f, g := s.fg, s.bg
	if st.Fg != nil {
		f = st.Fg
	}
	if st.Bg != nil {
		g = st.Bg
	}
	if st.Attrs&uv.AttrReverse != 0 {
		f, g = g, f
	}
	return hex(f), hex(g)
}

func hex(c color.Color) string {
	if c == nil {
		return "#000000"
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}
