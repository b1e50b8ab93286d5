package render

import (
	"fmt"
	"strings"
	"testing"

	"reverie/theme"
)

// answer is a long answer as models write them: prose, lists, code, a table.
func answer(size int) string {
	part := "## Section\n\nSome **prose** about the change, with `code` and a [link](https://example.org), " +
		"long enough that it wraps over several lines of the terminal before it comes to an end.\n\n" +
		"- an item of a list that says something\n- another item, with *emphasis*\n\n" +
		"```go\nfunc main() {\n\tfor i := range 10 {\n\t\tfmt.Println(\"line\", i)\n\t}\n}\n```\n\n" +
		"| key | value |\n|---|---|\n| a | 1 |\n| b | 2 |\n\n"
	return strings.Repeat(part, size/len(part)+1)[:size]
}

// BenchmarkPiece is what one piece of 20 bytes costs, rendered at once, when the
// answer is already so long.
func BenchmarkPiece(b *testing.B) {
	for _, size := range []int{1 << 10, 10 << 10, 100 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("after%dKiB", size>>10), func(b *testing.B) {
			s := NewStream(80, theme.Dusk())
			s.Write(answer(size))
			s.Lines()
			next := answer(10 << 10)
			at := 0
			for b.Loop() {
				if at+20 > len(next) {
					at = 0
				}
				s.Write(next[at : at+20])
				s.Lines()
				at += 20
			}
		})
	}
}

// BenchmarkTail is what one piece costs while a single block grows up to the
// bound at which it goes on in a next one: the dearest that the end of an answer
// gets.
func BenchmarkTail(b *testing.B) {
	for name, unit := range map[string]string{
		"paragraph": "some **prose** with `code` and [links](https://example.org), ",
		"list":      "  continued text of *one* item\n",
		"table":     "| a cell | another **cell** | 3 |\n",
		"code":      "\tfor i := range 10 { fmt.Println(i) } // comment\n",
		"quote":     "> quoted text with *emphasis*\n",
	} {
		b.Run(name, func(b *testing.B) {
			start := map[string]string{"list": "- item\n", "table": "| a | b | c |\n|---|---|--:|\n", "code": "```go\n"}[name]
			s := NewStream(80, theme.Dusk())
			s.Write(start)
			at := 0
			for b.Loop() {
				if at+20 > len(unit) {
					s.Write(unit[at:])
					at = 0
				} else {
					s.Write(unit[at : at+20])
					at += 20
				}
				s.Lines()
			}
		})
	}
}

// BenchmarkAnswer streams 100 KB in pieces of 20 bytes, rendered after each.
func BenchmarkAnswer(b *testing.B) {
	text := answer(100_000)
	for b.Loop() {
		s := NewStream(80, theme.Dusk())
		for i := 0; i < len(text); i += 20 {
			s.Write(text[i:min(i+20, len(text))])
			s.Lines()
		}
	}
}

func BenchmarkMarkdown(b *testing.B) {
	for _, size := range []int{100, 10_000} {
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			text := answer(size)
			for b.Loop() {
				Markdown(text, 80, theme.Dusk())
			}
		})
	}
}

func BenchmarkClean(b *testing.B) {
	text := strings.Repeat("plain text, \x1b[31mcolour\x1b[0m, 日本語 and e\u0301\n", 1000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Clean(text)
	}
}

func BenchmarkWrap(b *testing.B) {
	text := answer(10_000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Wrap(text, 72)
	}
}

func BenchmarkDiff(b *testing.B) {
	before := strings.Repeat("the quick brown fox jumps over the lazy dog\n", 1400)
	after := strings.Replace(before, "lazy", "sleepy", 700)
	for b.Loop() {
		Diff(before, after, 72, theme.Dusk())
	}
}
