package render

import (
	"strconv"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"charm.land/glamour/v2/ansi"

	"reverie/theme"
)

const (
	// leastText is how many cells text keeps where marks and indentation would
	// leave it less; then they give way.
	leastText = 8
	// maxReferences is how many link definitions a text may have.
	maxReferences = 256
)

// painter renders blocks at a width. It lays blocks out; the text of paragraphs
// and headings is Glamour's. It is for one goroutine at a time, as Glamour's
// renderers are.
type painter struct {
	width int
	theme theme.Theme
	// Glamour's renderers, for text and for text in quotes; made when needed,
	// since each weighs tens of kilobytes.
	drawers map[bool]renderer.Renderer

	references []parser.Reference
	lexers     map[string]lexer
}

func newPainter(width int, t theme.Theme) *painter {
	return &painter{
		width:   max(width, 1),
		theme:   t,
		drawers: map[bool]renderer.Renderer{},
		lexers:  map[string]lexer{},
	}
}

// markdownParser parses GitHub's Markdown without HTML, which is shown as it is
// written. It keeps what it finds in a context of each call, so that one parser
// serves all.
var markdownParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(blockParsers()...),
		parser.WithInlineParsers(
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(), 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(parser.LinkReferenceParagraphTransformer, 100),
			util.Prioritized(extension.NewTableParagraphTransformer(), 200),
		),
	)
})

func blockParsers() []util.PrioritizedValue {
	return []util.PrioritizedValue{
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(parser.NewListParser(), 300),
		util.Prioritized(parser.NewListItemParser(), 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(parser.NewBlockquoteParser(), 800),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	}
}

// glamourRenderer draws without wrapping; widths are ours, since its own
// wrapping knows neither CJK's rules nor hanging indentation.
func glamourRenderer(styles ansi.StyleConfig) renderer.Renderer {
	r := ansi.NewRenderer(ansi.Options{Styles: styles, InlineTableLinks: true})
	return renderer.NewRenderer(renderer.WithNodeRenderers(util.Prioritized(r, 1000)))
}

// drawer is Glamour's renderer for text, or for text inside a quote.
func (p *painter) drawer(quoted bool) renderer.Renderer {
	if p.drawers[quoted] == nil {
		styles := p.theme.Markdown()
		if quoted {
			styles = p.theme.MarkdownQuote()
		}
		p.drawers[quoted] = glamourRenderer(styles)
	}
	return p.drawers[quoted]
}

// settle renders a block, and keeps the link definitions that it holds for all
// blocks of the text. It returns the labels that are new.
func (p *painter) settle(b block) (lines []string, defined []string) {
	lines, references := p.render(b)
	for _, r := range references {
		if len(p.references) >= maxReferences || p.knows(r) {
			continue
		}
		p.references = append(p.references, r)
		defined = append(defined, strings.ToLower(string(r.Label())))
	}
	return lines, defined
}

func (p *painter) knows(r parser.Reference) bool {
	for _, known := range p.references {
		if string(known.Label()) == string(r.Label()) {
			return true
		}
	}
	return false
}

// names tells whether a block may refer to one of the labels.
func names(b block, labels []string) bool {
	if len(labels) == 0 || b.kind == fence || b.kind == indented {
		return false
	}
	source := strings.Join(b.lines, "\n")
	if !strings.Contains(source, "[") {
		return false
	}
	source = strings.ToLower(source)
	for _, l := range labels {
		if strings.Contains(source, "["+l+"]") {
			return true
		}
	}
	return false
}

// block is the lines of a block.
func (p *painter) block(b block) []string {
	lines, _ := p.render(b)
	return lines
}

// render is the lines of a block, with the link definitions in it.
func (p *painter) render(b block) ([]string, []parser.Reference) {
	switch {
	case b.kind == fence:
		return p.code(b.lang, b.context, b.lines, p.width), nil
	case b.kind == rule:
		return p.thematicBreak(p.width), nil
	}
	source := append(append([]string{}, b.lead...), b.lines...)
	hang := 0
	if b.kind == item && b.follows {
		for i, line := range source {
			source[i] = line[min(b.mark.content, indentOf(line)):]
		}
		hang = Width(p.marker(b.mark.ordered(), b.number))
	}
	src := []byte(strings.Join(source, "\n"))
	context := parser.NewContext()
	for _, r := range p.references {
		context.AddReference(r)
	}
	doc := markdownParser().Parse(text.NewReader(src), parser.WithContext(context))
	if list, ok := doc.FirstChild().(*ast.List); ok && b.kind == item && !b.follows {
		list.Start = b.number
	}
	l := layout{painter: p, source: src}
	lines := l.children(doc, p.room(hang), false)
	if hang > 0 && p.room(hang) < p.width {
		lines = hangFrom(lines, strings.Repeat(" ", hang), strings.Repeat(" ", hang))
	}
	return lines, context.References()
}

// room is the width that is left beside hang cells of indentation.
func (p *painter) room(hang int) int {
	if p.width-hang < leastText {
		return p.width
	}
	return p.width - hang
}

// marker is what an item of a list begins with, not styled.
func (p *painter) marker(ordered bool, number int) string {
	if ordered {
		return strconv.Itoa(number) + ". "
	}
	return p.theme.Glyphs.Bullet + " "
}

func (p *painter) thematicBreak(width int) []string {
	n := min(width, 24)
	return []string{p.theme.Rule.Render(strings.Repeat(p.theme.Glyphs.Horizontal, n))}
}
