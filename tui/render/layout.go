package render

import (
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
)

// layout lays out the blocks of one parsed source.
type layout struct {
	*painter
	source []byte
	quoted bool
}

// children lays out the blocks inside a node, with an empty line between them
// unless they are close together.
func (l *layout) children(parent ast.Node, width int, tight bool) []string {
	var lines []string
	for n := parent.FirstChild(); n != nil; {
		next := n.NextSibling() // n may move to another tree
		more := l.node(n, width)
		if len(lines) > 0 && len(more) > 0 && !tight {
			lines = append(lines, "")
		}
		lines = append(lines, more...)
		n = next
	}
	return lines
}

func (l *layout) node(n ast.Node, width int) []string {
	switch n := n.(type) {
	case *ast.List:
		return l.list(n, width)
	case *ast.Blockquote:
		return l.blockquote(n, width)
	case *ast.FencedCodeBlock:
		return l.code(language(string(n.Language(l.source))), nil, l.codeLines(n), width)
	case *ast.CodeBlock:
		return l.code("", nil, l.codeLines(n), width)
	case *ast.ThematicBreak:
		return l.thematicBreak(width)
	case *east.Table:
		return l.table(n, width)
	default:
		text := l.inline(n)
		if text == "" {
			return nil
		}
		return wrapStyled(text, width)
	}
}

func (l *layout) list(list *ast.List, width int) []string {
	var lines []string
	number := list.Start
	for n := list.FirstChild(); n != nil; n = n.NextSibling() {
		if len(lines) > 0 && !list.IsTight {
			lines = append(lines, "")
		}
		mark := l.marker(list.IsOrdered(), number)
		if box := task(n); box != "" {
			mark = box
		}
		number++
		hang := Width(mark)
		if width-hang < leastText {
			lines = append(lines, l.theme.Dim.Render(cut(strings.TrimRight(mark, " "), width, "")))
			lines = append(lines, l.children(n, width, list.IsTight)...)
			continue
		}
		content := l.children(n, width-hang, list.IsTight)
		if len(content) == 0 {
			content = []string{""}
		}
		lines = append(lines, hangFrom(content, l.theme.Dim.Render(strings.TrimRight(mark, " "))+" ", strings.Repeat(" ", hang))...)
	}
	return lines
}

// task takes the check box out of an item, and is its mark.
func task(item ast.Node) string {
	if item.FirstChild() == nil {
		return ""
	}
	box, ok := item.FirstChild().FirstChild().(*east.TaskCheckBox)
	if !ok {
		return ""
	}
	item.FirstChild().RemoveChild(item.FirstChild(), box)
	if box.IsChecked {
		return "[x] "
	}
	return "[ ] "
}

func (l *layout) blockquote(n ast.Node, width int) []string {
	inner := *l
	inner.quoted = true
	if width-2 < leastText {
		return inner.children(n, width, false)
	}
	bar := l.theme.Rule.Render(l.theme.Glyphs.Vertical) + " "
	return hangFrom(inner.children(n, width-2, false), bar, bar)
}

// hangFrom puts first before the first line and rest before the others, and
// leaves no spaces at the end of an empty line.
func hangFrom(lines []string, first, rest string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		prefix := rest
		if i == 0 {
			prefix = first
		}
		if out[i] = prefix + line; line == "" {
			out[i] = strings.TrimRight(out[i], " ")
		}
	}
	return out
}

func (l *layout) codeLines(n ast.Node) []string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		b.Write(line.Value(l.source))
	}
	code := strings.TrimSuffix(b.String(), "\n")
	if code == "" {
		return nil
	}
	return strings.Split(code, "\n")
}
