package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"reverie/theme"
)

// shown is the text of rendered lines, as a reader without colours sees it.
func shown(lines []string) string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = ansi.Strip(l)
	}
	return strings.Join(out, "\n")
}

func TestMarkdownLooksLikeThis(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		width    int
		want     string
	}{
		{"nothing", " \n\n", 20, ""},
		{"paragraphs", "one\ntwo\n\n\nthree", 20, "one two\n\nthree"},
		{"headings keep their marks", "# One\ntext\n### Three ###", 20, "# One\n\ntext\n\n### Three"},
		{"underlined headings", "One\n===\nTwo\n---", 20, "# One\n\n## Two"},
		{"a list", "- one\n- two\n  - deep\n- three", 20, "• one\n• two\n  • deep\n• three"},
		{"a list hangs", "- one two three four", 11, "• one two\n  three\n  four"},
		{"a list with space in it", "- one\n\n- two", 20, "• one\n\n• two"},
		{"two lists", "- a\n\n* b", 20, "• a\n\n• b"},
		{"numbers", "3. c\n3. d\n\n1) x", 20, "3. c\n4. d\n\n1. x"},
		{"a list after text", "text:\n- a\n- b\ntext\n\nmore", 20, "text:\n\n• a\n• b text\n\nmore"},
		{"paragraphs in an item", "1. a\n\n   b\n2. c", 20, "1. a\n\n   b\n2. c"},
		{"tasks", "- [ ] a\n- [x] b", 20, "[ ] a\n[x] b"},
		{"code", "```go\nif x {\n\ty()\n}\n```", 30, "  if x {\n      y()\n  }"},
		{"code in a list", "- a\n  ```\n  \tx\n  ```\n- b", 30, "• a\n        x\n• b"},
		{"code by indentation", "    a\n\n      b", 30, "  a\n\n    b"},
		{"code is cut after a space and loses none", "```\naaa bbb ccc ddd eee fff\n```", 20, "  aaa bbb ccc ddd \n  eee fff"},
		{"code is cut in a word where there is no space", "```\nabcdefghijklmnopqrstuvw\n```", 20, "  abcdefghijklmnopqr\n  stuvw"},
		{"an open fence", "```\nx", 20, "  x"},
		{"fences in fences", "````\n```\nx\n```\n````\ny", 20, "  ```\n  x\n  ```\n\ny"},
		{"no list in a fence", "```\n- a\n# b\n```", 20, "  - a\n  # b"},
		{"a quote", "> one two three four\n> - x", 12, "│ one two\n│ three four\n│\n│ • x"},
		{"a quote goes on lazily", "> one\ntwo\n\nthree", 20, "│ one two\n\nthree"},
		{"a table", "| a | bb |\n|---|---:|\n| x | 1 |\n| yyy | 22 |", 30, "a    bb\n───  ──\nx     1\nyyy  22"},
		{"a table wraps in its cells", "|a|b|\n|-|-|\n|x|one two three|", 12, "a  b\n─  ─────────\nx  one two\n   three"},
		{"a table too narrow is a list", "|a|b|c|\n|-|-|-|\n|1|2|3|\n|4|5|6|", 12, "a: 1\nb: 2\nc: 3\n\na: 4\nb: 5\nc: 6"},
		{"a rule", "a\n\n---\n\nb", 10, "a\n\n──────────\n\nb"},
		{"emphasis", "*a* **b** ~~c~~ `d`", 30, "a b c d"},
		{"a link says where it leads", "[here](https://example.org/x)", 60, "here (https://example.org/x)"},
		{"unless its text does", "[example.org](https://example.org/) <https://example.org>", 60, "example.org https://example.org"},
		{"any scheme is only shown", "[x](javascript:alert(1)) [y](#z)", 60, "x (javascript:alert(1)) y (#z)"},
		{"links by reference", "[a], [b][A] and [c]\n\n[a]: http://x.example", 60, "a (http://x.example), b (http://x.example) and [c]"},
		{"the first definition holds", "[a]\n\n[a]: http://1.example\n\n[a]: http://2.example", 60, "a (http://1.example)"},
		{"images", "![alt](http://x.example/y.png)", 60, "image: alt (http://x.example/y.png)"},
		{"escapes and entities", `\*a\* &lt;b&gt; &amp;amp; \\ ` + "`\\* &lt;`", 60, "*a* <b> &amp; \\ \\* &lt;"},
		{"HTML is text", "<b>bold</b> <script>x</script>\n\n<div>\n*in* it\n</div>", 60, "<b>bold</b> <script>x</script>\n\n<div> in it </div>"},
		{"breaks", "a  \nb\\\nc<br>d", 20, "a\nb\nc\nd"},
		{"no space between CJK lines", "日本\n語 a\nb", 20, "日本語 a b"},
		{"the spaces of its ends go", "\n\n a \n\n", 20, "a"},
		{"a mark wider than the line", "12. x", 1, "1\nx"},
		{"narrow", "> - 1. deep text", 9, "•\n1.\ndeep text"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := shown(Markdown(test.in, test.width, theme.Dusk())); got != test.want {
				t.Errorf("%q at %d is\n%s\nnot\n%s", test.in, test.width, got, test.want)
			}
		})
	}
}

func TestMarkdownWithoutColourOrUnicode(t *testing.T) {
	t.Parallel()
	mono := theme.Mono()
	mono.Glyphs = theme.ASCIIGlyphs()
	src := "- **a** ~~b~~ `c`\n\n> q\n\n|x|y|\n|-|-|\n|1|2|\n\n---"
	want := []string{
		"\x1b[2m-\x1b[m \x1b[1ma\x1b[m ~~b~~ `c`", "",
		"\x1b[2m|\x1b[m q", "",
		"\x1b[1mx\x1b[m  \x1b[1my\x1b[m", "\x1b[2m-  -\x1b[m", "1  2", "",
		"\x1b[2m----------------\x1b[m",
	}
	if got := Markdown(src, 16, mono); !slices.Equal(got, want) {
		t.Errorf("got\n%snot\n%s", show(got), show(want))
	}
}

func TestNothingIsClickable(t *testing.T) {
	t.Parallel()
	src := "[a](https://example.org) <https://example.org> https://example.org ![i](http://x.example)\n\n|[a](http://t.example)|\n|-|\n"
	if got := strings.Join(Markdown(src, 60, theme.Dusk()), ""); strings.Contains(got, "\x1b]") {
		t.Errorf("there is a sequence in %q", got)
	}
}

func TestALongTableRepeatsItsHead(t *testing.T) {
	t.Parallel()
	lines := Markdown("| name | value |\n|---|---|\n"+strings.Repeat("| some name | some value |\n", 400), 40, theme.Mono())
	heads, rows := 0, 0
	for _, l := range strings.Split(shown(lines), "\n") {
		switch {
		case strings.HasPrefix(l, "name"):
			heads++
		case l == "some name  some value":
			rows++
		}
	}
	if rows != 400 || heads < 2 {
		t.Errorf("%d rows and %d heads", rows, heads)
	}
}

func TestLongBlocksLoseNothing(t *testing.T) {
	t.Parallel()
	tests := map[string]string{
		"a paragraph":      strings.Repeat("word ", 4000),
		"an item":          "- " + strings.Repeat("word\n  ", 4000),
		"code":             "```go\n" + strings.Repeat("word\n", 4000) + "```",
		"code in an item":  "1. a\n   ```go\n" + strings.Repeat("   word\n", 4000) + "   ```\n",
		"a quote":          strings.Repeat("> word\n", 4000),
		"a line of a code": "```\n" + strings.Repeat("word ", 4000) + "\n```",
	}
	for name, src := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := shown(Markdown(src, 40, theme.Mono()))
			// A line of code may be cut inside a word.
			text = strings.NewReplacer("\n", "", " ", "").Replace(text)
			if n := strings.Count(text, "word"); n != 4000 {
				t.Errorf("%d of 4000 words are left", n)
			}
			if strings.Contains(text, "```") {
				t.Error("a fence is shown as text")
			}
		})
	}
}

func TestALongItemHangsToItsEnd(t *testing.T) {
	t.Parallel()
	lines := Markdown("- "+strings.Repeat("word\n  ", 4000)+"\n- next", 40, theme.Mono())
	for i, l := range lines {
		if l = ansi.Strip(l); !strings.HasPrefix(l, "  word") && i > 0 && i < len(lines)-1 && l != "" {
			t.Fatalf("line %d is %q", i, l)
		}
	}
	if last := ansi.Strip(lines[len(lines)-1]); last != "• next" {
		t.Errorf("the last line is %q", last)
	}
}

func TestCodeIsHighlightedFromTheTheme(t *testing.T) {
	t.Parallel()
	dusk := theme.Dusk()
	got := strings.Join(Markdown("```go\nfunc f() { return \"x\" } // c\n```\n\n```nolang\nfunc\n```", 60, dusk), "\n")
	for role, text := range map[string]string{"keyword": "func", "function": "f", "string": `"x"`, "comment": "// c"} {
		if want := paint(dusk.Paint(role), text); !strings.Contains(got, want) {
			t.Errorf("%s is not drawn as %q in %q", text, want, got)
		}
	}
	if want := paint(dusk.Paint("codeblock"), "func"); !strings.Contains(got, want) {
		t.Errorf("code in no known language is not plain in %q", got)
	}
}

func TestCodeBlocksAreByteExact(t *testing.T) {
	t.Parallel()
	src := "text\n```go title=x\nfunc main() {\n\tprintln(\"\x1b[31m\u202e\")\r\n}\n\n```\n" +
		"- item\n\n  ~~~Python\n  def f():\n  \treturn 1\n  ~~~\n\n" +
		"text\n\n    indented\n\n      more \n\nend\n```\nnever closed"
	want := []Block{
		{"go", "func main() {\n\tprintln(\"\x1b[31m\u202e\")\r\n}\n\n"},
		{"python", "def f():\n\treturn 1\n"},
		{"", "indented\n\n  more \n"},
		{"", "never closed"},
	}
	if got := CodeBlocks(src); !slices.Equal(got, want) {
		t.Errorf("got %q, not %q", got, want)
	}
	if got := CodeBlocks("a\n\n    x\n\n    \ty\n\nb\n\n```\n```"); !slices.Equal(got, []Block{{"", "x\n\n\ty\n"}, {"", ""}}) {
		t.Errorf("got %q", got)
	}
	if got := CodeBlocks("none"); got != nil {
		t.Errorf("got %q", got)
	}
}

func TestTheLanguageOfACodeBlockIsClean(t *testing.T) {
	t.Parallel()
	for info, want := range map[string]string{"Go": "go", "{.python}": "python", "rust,ignore": "rust", "a\x1b[2J\u202eb c": "a␛b", "": ""} {
		if got := CodeBlocks("~~~" + info + "\n~~~"); len(got) != 1 || got[0].Lang != want {
			t.Errorf("%q gives %q", info, got)
		}
	}
}

func TestDeepNestingIsBoundedAndLosesNothing(t *testing.T) {
	t.Parallel()
	for _, mark := range []string{">", "> ", "- ", "1. "} {
		src := strings.Repeat(mark, 1000) + "deep\n```\nx\n```"
		if got := shown(Markdown(src, 400, theme.Mono())); !strings.Contains(got, "deep") {
			t.Errorf("%q hides its text", mark)
		}
		if got := CodeBlocks(src); !slices.Equal(got, []Block{{"", "x\n"}}) {
			t.Errorf("%q gives the blocks %q", mark, got)
		}
	}
}
