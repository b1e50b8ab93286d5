package render

import (
	"bytes"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Glamour resolves entities and backslashes in what it draws, once or more often
// by where it is. So both are resolved and cleaned here first ("&#27;" is an
// escape too), and what they gave is handed over as non-characters, which no
// clean text has.
const (
	standsForBackslash = '\ufdd0'
	standsForAmpersand = '\ufdd1'
	standsForBreak     = '\ufdd2'
)

// breakTag is the one piece of HTML that people use in Markdown for want of
// another way, in tables above all.
var breakTag = regexp.MustCompile(`(?i)<br */?>`)

var (
	handOver = strings.NewReplacer(`\`, string(standsForBackslash), `&`, string(standsForAmpersand))
	takeBack = strings.NewReplacer(string(standsForBackslash), `\`, string(standsForAmpersand), `&`, string(standsForBreak), "\n")
)

// inline is the text of a paragraph, a heading or a cell, drawn by Glamour, not
// wrapped. Only hard line breaks are newlines in it.
func (l *layout) inline(n ast.Node) string {
	in := inliner{source: l.source}
	in.children(n)
	if words, ok := onlyText(n, in.out); ok {
		return takeBack.Replace(paint(l.theme.Paint(textRole(l.quoted)), strings.Trim(words, " ")))
	}
	doc := ast.NewDocument()
	doc.AppendChild(doc, n)
	var out bytes.Buffer
	if err := l.drawer(l.quoted).Render(&out, in.out, doc); err != nil {
		// Glamour fails only where a writer fails, and ours is memory.
		return ""
	}
	return takeBack.Replace(onlyStyles(strings.Trim(out.String(), "\n ")))
}

// onlyText is the text of a node that has nothing else in it. Glamour would do
// nothing to it but colour it, and takes a hundred times as long.
func onlyText(n ast.Node, source []byte) (string, bool) {
	if _, isHeading := n.(*ast.Heading); isHeading {
		return "", false
	}
	words, ok := n.FirstChild().(*ast.Text)
	if !ok || words.NextSibling() != nil {
		return "", n.FirstChild() == nil
	}
	return string(words.Segment.Value(source)), true
}

func textRole(quoted bool) string {
	if quoted {
		return "quote"
	}
	return "text"
}

// inliner makes the inline nodes of a block fit for Glamour: their text resolved
// and clean, links as text and target, nothing else than Glamour can draw.
type inliner struct {
	source  []byte // what the nodes point to
	out     []byte // what they are made to point to
	pending strings.Builder
}

// children makes the nodes inside parent anew.
func (in *inliner) children(parent ast.Node) {
	var nodes []ast.Node
	for n := parent.FirstChild(); n != nil; n = n.NextSibling() {
		nodes = append(nodes, n)
	}
	parent.RemoveChildren(parent)
	for i, n := range nodes {
		var next ast.Node
		if i+1 < len(nodes) {
			next = nodes[i+1]
		}
		in.node(parent, n, next)
	}
	in.flush(parent)
}

// node appends what n becomes to parent. Neighbouring texts become one.
func (in *inliner) node(parent, n, next ast.Node) {
	switch n := n.(type) {
	case *ast.Text:
		in.text(n, next)
		return
	case *ast.CodeSpan:
		in.flush(parent)
		code := Clean(in.plain(n))
		n.RemoveChildren(n)
		n.AppendChild(n, in.textNode(strings.ReplaceAll(code, "\n", " ")))
		parent.AppendChild(parent, n)
	case *ast.Link:
		in.flush(parent)
		in.link(parent, n, resolve(n.Destination))
	case *ast.Image:
		in.pending.WriteString("image: ")
		in.flush(parent)
		link := ast.NewLink()
		for c := n.FirstChild(); c != nil; c = n.FirstChild() {
			link.AppendChild(link, c)
		}
		in.link(parent, link, resolve(n.Destination))
	case *ast.AutoLink:
		in.flush(parent)
		label := string(n.Label(in.source))
		link := ast.NewLink()
		link.Destination = []byte("#")
		link.AppendChild(link, in.textNode(oneLine(label)))
		parent.AppendChild(parent, link)
	case *ast.Emphasis, *east.Strikethrough:
		in.flush(parent)
		in.children(n)
		parent.AppendChild(parent, n)
	default:
		in.pending.WriteString(in.plain(n))
	}
}

// text adds a text to what is pending; next is the node after it.
func (in *inliner) text(n *ast.Text, next ast.Node) {
	value := n.Segment.Value(in.source)
	words := string(value)
	if !n.IsRaw() {
		words = resolve(value)
	}
	words = strings.ReplaceAll(words, string(standsForBreak), "\ufffd")
	in.pending.WriteString(breakTag.ReplaceAllString(words, string(standsForBreak)))
	switch {
	case n.HardLineBreak():
		in.pending.WriteRune(standsForBreak)
	case n.SoftLineBreak():
		// Between CJK characters a line's end is no space.
		last, _ := utf8.DecodeLastRune(value)
		if !wide(last) || !wide(firstRune(next, in.source)) {
			in.pending.WriteByte(' ')
		}
	}
}

// flush turns what is pending into a node of parent.
func (in *inliner) flush(parent ast.Node) {
	if in.pending.Len() == 0 {
		return
	}
	var clean strings.Builder
	for i, line := range strings.Split(in.pending.String(), string(standsForBreak)) {
		if i > 0 {
			clean.WriteRune(standsForBreak)
		}
		clean.WriteString(oneLine(line))
	}
	in.pending.Reset()
	parent.AppendChild(parent, in.textNode(clean.String()))
}

// link appends a link's text, and its target where the text does not say it.
// Glamour takes a target of "#" for none.
func (in *inliner) link(parent ast.Node, link *ast.Link, target string) {
	target = oneLine(target)
	label := oneLine(in.plain(link))
	if strings.TrimSpace(label) == "" {
		link.RemoveChildren(link)
		link.AppendChild(link, in.textNode(target))
		label = target
	} else {
		in.children(link)
	}
	link.Destination = []byte("#")
	link.Title = nil
	parent.AppendChild(parent, link)
	if target == "" || sameTarget(label, target) {
		return
	}
	// An image without a target is the one node that Glamour draws as text in a
	// style of its own.
	note := ast.NewImage(ast.NewLink())
	note.AppendChild(note, in.textNode(" ("+target+")"))
	parent.AppendChild(parent, note)
}

// sameTarget tells whether a link's text says where it leads.
func sameTarget(label, target string) bool {
	short := func(s string) string {
		s = strings.ToLower(strings.TrimSpace(s))
		for _, scheme := range []string{"https://", "http://", "mailto:"} {
			if rest, ok := strings.CutPrefix(s, scheme); ok {
				s = rest
				break
			}
		}
		return strings.TrimSuffix(s, "/")
	}
	return short(label) == short(target)
}

// textNode is a node for clean text.
func (in *inliner) textNode(clean string) *ast.Text {
	start := len(in.out)
	in.out = append(in.out, handOver.Replace(clean)...)
	return ast.NewTextSegment(text.NewSegment(start, len(in.out)))
}

// plain is the text inside n, without what its nodes mean.
func (in *inliner) plain(n ast.Node) string {
	var b strings.Builder
	_, isCode := n.(*ast.CodeSpan)
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			value := c.Segment.Value(in.source)
			if !isCode && !c.IsRaw() {
				value = []byte(resolve(value))
			}
			b.Write(value)
			if c.SoftLineBreak() || c.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.AutoLink:
			b.Write(c.Label(in.source))
		default:
			b.WriteString(in.plain(c))
		}
	}
	return b.String()
}

// resolve gives backslash escapes and entities their meaning.
func resolve(s []byte) string {
	s = util.UnescapePunctuations(s)
	s = util.ResolveNumericReferences(s)
	return string(util.ResolveEntityNames(s))
}

// oneLine is untrusted text, clean, with spaces for newlines.
func oneLine(s string) string { return strings.ReplaceAll(Clean(s), "\n", " ") }

func firstRune(n ast.Node, source []byte) rune {
	t, ok := n.(*ast.Text)
	if !ok {
		return 0
	}
	r, _ := utf8.DecodeRune(t.Segment.Value(source))
	return r
}

// wide tells whether r is written without spaces between words.
func wide(r rune) bool {
	switch classify(string(r), Width(string(r))) {
	case ideograph, opener, closer:
		return true
	}
	return false
}

// onlyStyles drops every escape sequence that is not about style, and those that
// end a style only to begin the same again.
func onlyStyles(s string) string {
	var b strings.Builder
	pen, reset := "", false // the style in force; and whether its end is still to be written
	for s != "" {
		if s[0] != 0x1b {
			n := strings.IndexByte(s, 0x1b)
			if n < 0 {
				n = len(s)
			}
			if reset {
				b.WriteString(ansi.ResetStyle)
				pen, reset = "", false
			}
			b.WriteString(s[:n])
			s = s[n:]
			continue
		}
		length, isStyle := 0, false
		switch {
		case len(s) > 1 && s[1] == '[':
			length, isStyle = controlSequence(s[1:])
		case len(s) > 1 && s[1] == ']':
			length = stringSequence(s[1:])
		}
		sequence := s[:1+length]
		s = s[1+length:]
		switch {
		case !isStyle:
		case sequence == ansi.ResetStyle:
			reset = pen != ""
		case reset && sequence == pen:
			reset = false
		default:
			if reset {
				b.WriteString(ansi.ResetStyle)
				pen, reset = "", false
			}
			b.WriteString(sequence)
			pen += sequence
		}
	}
	if reset {
		b.WriteString(ansi.ResetStyle)
	}
	return b.String()
}
