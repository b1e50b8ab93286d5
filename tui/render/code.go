package render

import (
	"bytes"
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"charm.land/lipgloss/v2"

	"reverie/theme"
)

// codeIndent sets code apart from text where there is room for it.
const codeIndent = "  "

// lexer is Chroma's, nil for a language that it does not know.
type lexer chroma.Lexer

// Block is a block of code inside a Markdown text.
type Block struct {
	Lang   string // the first word after the fence, clean and in lower case; "" if there is none
	Source string // the code byte for byte as it was written, each line with its line end
}

// codeParser finds blocks alone.
var codeParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(blockParsers()...))
})

// CodeBlocks are the code blocks of a Markdown text, in order: between fences,
// and by indentation. What indents the block as a whole, as in a list, is no part
// of it. The code is untrusted and may hold anything.
func CodeBlocks(src string) []Block {
	source := []byte(src)
	doc := codeParser().Parse(text.NewReader(shallow(source)))
	var blocks []Block
	// The walk can't fail: its function returns no error.
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			blocks = append(blocks, Block{Lang: language(string(n.Language(source))), Source: codeOf(n, source)})
		case *ast.CodeBlock:
			blocks = append(blocks, Block{Source: codeOf(n, source)})
		}
		return ast.WalkContinue, nil
	})
	return blocks
}

// shallow is a source of the same length in which no line opens more than
// maxNesting lists and quotes; Goldmark takes very long over those.
func shallow(source []byte) []byte {
	out := bytes.Clone(source)
	for start := 0; start < len(source); {
		end := len(source)
		if n := bytes.IndexByte(source[start:], '\n'); n >= 0 {
			end = start + n
		}
		if i := tooDeep(strings.ReplaceAll(string(source[start:end]), "\t", " ")); i >= 0 {
			out[start+i] = 'x'
		}
		start = end + 1
	}
	return out
}

func codeOf(n ast.Node, source []byte) string {
	var b strings.Builder
	for i := range n.Lines().Len() {
		line := n.Lines().At(i)
		line.ForceNewline = false // the text's last line may end without one
		b.Write(line.Value(source))
	}
	return b.String()
}

// code is lines of code in colour. What came before them in the same block, the
// context, is only read.
func (p *painter) code(lang string, context, lines []string, width int) []string {
	indent := codeIndent
	if width < 20 {
		indent = ""
	}
	var out []string
	for _, line := range p.highlight(lang, context, lines) {
		for _, row := range wrapExact(line, width-len(indent)) {
			if row != "" {
				row = indent + row
			}
			out = append(out, row)
		}
	}
	return out
}

// highlight colours lines of code. It changes no character of them.
func (p *painter) highlight(lang string, context, lines []string) []string {
	plain := func(line string) string { return paint(p.theme.Paint("codeblock"), line) }
	out := make([]string, len(lines))
	colored := p.tokens(lang, context, lines)
	for i, line := range lines {
		out[i] = plain(line)
		if len(colored) != len(lines) {
			continue
		}
		var b, check strings.Builder
		for _, t := range colored[i] {
			value := strings.TrimSuffix(t.Value, "\n")
			look := p.theme.Token(t.Type)
			if strings.TrimSpace(value) == "" {
				look = theme.Paint{}
			}
			check.WriteString(value)
			b.WriteString(paint(look, value))
		}
		if check.String() == line {
			out[i] = onlyStyles(b.String())
		}
	}
	return out
}

// tokens are the tokens of lines, line by line; nil where the language is
// unknown.
func (p *painter) tokens(lang string, context, lines []string) [][]chroma.Token {
	l := p.lexer(lang)
	if l == nil {
		return nil
	}
	source := strings.Join(append(append([]string{}, context...), lines...), "\n") + "\n"
	tokens, err := chroma.Tokenise(l, nil, source)
	if err != nil {
		return nil
	}
	byLine := chroma.SplitTokensIntoLines(tokens)
	if len(byLine) < len(context)+len(lines) {
		return nil
	}
	return byLine[len(context) : len(context)+len(lines)]
}

func (p *painter) lexer(lang string) lexer {
	if l, ok := p.lexers[lang]; ok {
		return l
	}
	var l lexer
	if lang != "" && len(lang) < 32 {
		if found := lexers.Get(lang); found != nil {
			l = chroma.Coalesce(found)
		}
	}
	p.lexers[lang] = l
	return l
}

// paint draws text in a look.
func paint(look theme.Paint, s string) string {
	if s == "" || look == (theme.Paint{}) {
		return s
	}
	return penOf(look) + s + ansi.ResetStyle
}

// penOf is the sequence that switches a look on.
func penOf(p theme.Paint) string {
	var s ansi.Style
	if p.Foreground != "" {
		s = s.ForegroundColor(lipgloss.Color(p.Foreground))
	}
	if p.Background != "" {
		s = s.BackgroundColor(lipgloss.Color(p.Background))
	}
	if p.Bold {
		s = s.Bold()
	}
	if p.Faint {
		s = s.Faint()
	}
	if p.Italic {
		s = s.Italic(true)
	}
	if p.Underline {
		s = s.Underline(true)
	}
	if p.Reverse {
		s = s.Reverse(true)
	}
	if p.Strike {
		s = s.Strikethrough(true)
	}
	return s.String()
}
