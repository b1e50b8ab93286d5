package render

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"reverie/theme"
)

// samples are Markdown texts that have, together, every construct and a good deal
// of what is done to it by models in a hurry.
var samples = []string{
	"plain words",
	"# Title\n\nText *with* **strong** `code` and [a link](https://example.org/x).\n",
	"- one\n- two\n  - nested\n\n    more of nested\n- three\n\n\n- four after a gap\n",
	"1. first\n   ```go\n   func main() {\n   \tprintln(1)\n   }\n   ```\n2. second\n\n   paragraph\n10. tenth?\n",
	"* a\n+ b\n- c\n1) d\n2) e\n1. f\n",
	"> quote\nlazy\n> - list\n>\n> ```\n> code\n> ```\n\n> another\n",
	"```python\ndef f():\n    \"\"\"doc\n    string\"\"\"\n    return 1\n```\nafter\n",
	"````markdown\n```go\nx\n```\n````\n\n~~~\ntilde\n~~~\n",
	"```\nnever closed\n# not a heading\n- not a list\n",
	"    indented\n    code\n\n    more\n\ntext\n",
	"Setext\n===\n\nOther\n---\n\ntext\n***\n",
	"| a | b |\n|---|--:|\n| 1 | 2 |\n| `x` | **y** |\n\nafter\n",
	"| a | b |\n|---|\nno table\n",
	"see [one] and [two][b]\n\n[one]: https://example.org/1\n[b]: <https://example.org/2> \"title\"\n\nlate [one]\n",
	"[x]: https://first.example\n[x]: https://second.example\n\n[x]\n",
	"- [ ] open\n- [x] done\n",
	"hard  \nbreak\\\nhere<br>there\n",
	"日本語の文章です。\n次の行。「括弧」\n\nعربي עברית\n\n👩‍👩‍👧‍👦 ok ❤️ 1️⃣\n",
	"a\r\nb\rc\u2028d\r\n\r\ne",
	"\x1b[31mred\x1b[0m \x1b]52;c;aGk=\x07 \x1b]8;;javascript:x\x1b\\link\x1b]8;;\x1b\\ &#27;[2J &#x9b;1m\n",
	"***bold italic*** ~~gone~~ \\*kept\\* &amp; &lt;b&gt; <b>html</b> <!-- c -->\n",
	"- item\n\n      indented code in item\n\n- next\n\ntext right after\nlazy?\n",
	"text\n- list right after\n1. numbers\n5. jump\ntext\n3. no list\n",
	"-\n  late content\n-\n\n-\n",
	"![image](http://example.org/i.png) <https://auto.example> www.example.org me@example.org\n",
	"#not heading\n#\n####### seven\n## closed ##\n",
	"---\ntitle: x\n---\n\n***\n- - -\n",
	"term\n: definition?\n\n[^1]: footnote?\n",
	"a\n\n\n\n\nb\n\n",
	"e\u0301 \u0301alone a\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\n",
	"> > > deep\n> > back\n> back\n\n- - - - deep list\n",
	"`` code with ` tick `` and `unclosed\n\n```` ``` ````\n",
	"> ```go\n> x := 1\n\nnot quoted\n",
	"- ```\n  code\nout of the list\n```\n",
}

// long is a text with every sample in it, over the bounds of single blocks.
func long() string {
	var b strings.Builder
	for range 8 {
		b.WriteString(strings.Join(samples, "\n\n"))
	}
	b.WriteString("\n\n" + strings.Repeat("word ", 5000))
	b.WriteString("\n\n- " + strings.Repeat("item text\n  ", 2000))
	b.WriteString("\n\n```go\n" + strings.Repeat("x := 1 // same\n", 500) + "```\n")
	b.WriteString("\n\n| a | b |\n|---|---|\n" + strings.Repeat("| cell | another |\n", 700))
	b.WriteString("\n\n1. step\n   ```\n" + strings.Repeat("   code line\n", 1200) + "   ```\n2. next\n")
	return b.String()
}

// pieces cuts a text at places that the source of chance chooses, inside
// characters too.
func pieces(chance *rand.Rand, s string, most int) []string {
	var out []string
	for s != "" {
		n := min(1+chance.IntN(most), len(s))
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// streamed renders pieces one after the other, looking at the lines in between
// as a screen does.
func streamed(parts []string, width int, t theme.Theme, look func(int) bool) []string {
	s := NewStream(width, t)
	for i, p := range parts {
		s.Write(p)
		if look(i) {
			s.Lines()
		}
	}
	s.Finish()
	return s.Lines()
}

func TestAStreamEndsAsTheWholeTextWhateverTheCuts(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(1, 2))
	texts := append([]string{strings.Join(samples, "\n"), strings.Join(samples, "\n\n")}, samples...)
	for _, text := range texts {
		for range 8 {
			width := 8 + chance.IntN(80)
			want := Markdown(text, width, theme.Dusk())
			got := streamed(pieces(chance, text, 12), width, theme.Dusk(), func(int) bool { return chance.IntN(3) > 0 })
			if !slices.Equal(got, want) {
				t.Fatalf("at width %d %q became\n%s\nnot\n%s", width, text, show(got), show(want))
			}
		}
	}
}

func TestALongStreamEndsAsTheWholeText(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(3, 4))
	text := long()
	want := Markdown(text, 60, theme.Mono())
	got := streamed(pieces(chance, text, 900), 60, theme.Mono(), func(i int) bool { return i%7 == 0 })
	if !slices.Equal(got, want) {
		t.Fatalf("%d lines, not %d; the first difference is\n%s", len(got), len(want), firstDifference(got, want))
	}
}

func TestAnotherWidthAndBackGivesTheSameLines(t *testing.T) {
	t.Parallel()
	s := NewStream(120, theme.Dusk())
	s.Write(strings.Join(samples, "\n\n"))
	before := slices.Clone(s.Lines())
	s.SetWidth(33)
	for _, line := range s.Lines() {
		if Width(line) > 33 {
			t.Fatalf("%q is %d cells wide", line, Width(line))
		}
	}
	s.SetWidth(120)
	if got := s.Lines(); !slices.Equal(got, before) {
		t.Fatalf("the lines are others:\n%s", firstDifference(got, before))
	}
}

func TestSourceIsWhatWasWritten(t *testing.T) {
	t.Parallel()
	text := strings.Join(samples, "\n") + "\xff\x1b"
	s := NewStream(40, theme.Mono())
	for i := range len(text) {
		s.Write(text[i : i+1])
	}
	s.Finish()
	if s.Source() != text {
		t.Fatal("the source is not what was written")
	}
}

func TestTheBeginningOfABlockIsNotShownAsAnotherBlock(t *testing.T) {
	t.Parallel()
	for _, beginning := range []string{"text\n-", "text\n--", "text\n=", "text\n``", "text\n1.", "text\n#", "text\n\xe2\x82"} {
		s := NewStream(40, theme.Mono())
		s.Write(beginning)
		if got := s.Lines(); !slices.Equal(got, []string{"text"}) {
			t.Errorf("%q shows %q", beginning, got)
		}
	}
}

func TestSettledLinesStayWhileAnAnswerGrows(t *testing.T) {
	t.Parallel()
	s := NewStream(40, theme.Mono())
	s.Write("# One\n\nfirst paragraph\n\n- item\n- next\n\n")
	before := slices.Clone(s.Lines())
	for range 50 {
		s.Write("more words and ")
		if got := s.Lines(); !slices.Equal(got[:len(before)], before) {
			t.Fatalf("settled lines changed: %q", got[:len(before)])
		}
	}
}

func show(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "  %q\n", l)
	}
	return b.String()
}

func firstDifference(got, want []string) string {
	for i := range max(len(got), len(want)) {
		g, w := "(none)", "(none)"
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = want[i]
		}
		if g != w {
			return fmt.Sprintf("line %d: %q, not %q", i, g, w)
		}
	}
	return "none"
}

// checkLine fails unless a rendered line is safe, as wide as it may be, and ends
// with all styles off.
func checkLine(t *testing.T, line string, width int) {
	t.Helper()
	if w := Width(line); w > width {
		t.Fatalf("%q is %d cells wide, not %d", line, w, width)
	}
	if !utf8.ValidString(line) {
		t.Fatalf("%q is not UTF-8", line)
	}
	on := false
	for s := line; s != ""; {
		if s[0] == 0x1b {
			n, isStyle := 0, false
			if len(s) > 1 {
				n, isStyle = controlSequence(s[1:])
			}
			if !isStyle {
				t.Fatalf("%q has a sequence that is no style", line)
			}
			on = s[:n+1] != ansi.ResetStyle
			s = s[n+1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(s)
		if r < ' ' || r >= 0x7f && r <= 0x9f || hidden(r) || nonCharacter(r) || r == '\u2028' || r == '\u2029' {
			t.Fatalf("%q has %U", line, r)
		}
		s = s[n:]
	}
	if on {
		t.Fatalf("%q leaves a style on", line)
	}
	if _, w := ansi.FirstGraphemeCluster(ansi.Strip(line), ansi.GraphemeWidth); line != "" && w == 0 {
		t.Fatalf("%q begins with a character of no width", line)
	}
}

func FuzzMarkdown(f *testing.F) {
	for i, s := range samples {
		f.Add(s, uint8(20+i), uint64(i))
	}
	f.Fuzz(func(t *testing.T, text string, w uint8, seed uint64) {
		width := 1 + int(w)%100
		whole := Markdown(text, width, theme.Dusk())
		for _, line := range whole {
			checkLine(t, line, width)
		}
		chance := rand.New(rand.NewPCG(seed, 1))
		got := streamed(pieces(chance, text, 9), width, theme.Dusk(), func(int) bool { return chance.IntN(2) > 0 })
		if !slices.Equal(got, whole) {
			t.Fatalf("cut in pieces, %q differs at %s", text, firstDifference(got, whole))
		}
	})
}
