package render

import (
	"fmt"
	"io"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/vt"

	"reverie/theme"
)

// hostile are texts that try to get out of their place.
var hostile = map[string]string{
	"clipboard":         "a\x1b]52;c;aGVsbG8=\x07b\x1b]52;c;aGVsbG8=\x1b\\c",
	"clipboard cut":     "a\x1b]52;c;aGVs",
	"link":              "\x1b]8;;javascript:alert(1)\x1b\\click\x1b]8;;\x1b\\ and on",
	"link left open":    "\x1b]8;id=1;https://evil.example\x07click",
	"cursor":            "\x1b[H\x1b[10A\x1b[99Cx\x1b[5;5Hy\x1b7\x1b8\x1b[s\x1b[u\x1bM\x1bD\x1bE",
	"erase":             "\x1b[2J\x1b[K\x1b[1J\x1b[3J\x1bc\x1b[!p",
	"scroll region":     "\x1b[5;10r\x1b[99T\x1b[99S\n\n\n\n",
	"alternate screen":  "\x1b[?1049h\x1b[?47h\x1b[?25l",
	"modes":             "\x1b[?7l\x1b[4h\x1b[20l\x1b[?6h\x1b[?1000h\x1b[?1003h\x1b[?2004h\x1b[=1;1u\x1b[>1u",
	"title":             "\x1b]0;owned\x07\x1b]2;owned\x1b\\\x1bkowned\x1b\\",
	"colours":           "\x1b]10;#ff0000\x07\x1b]11;#00ff00\x07\x1b]4;1;#0000ff\x07\x1b[41mred\x1b[7m",
	"charset":           "\x1b(0lqqqk\x0e\x0f\x1bN\x1bO",
	"reports":           "\x1b[6n\x1b[c\x1b[>c\x1b]11;?\x07\x1bP+q544e\x1b\\\x05",
	"strings":           "\x1bPq#0;2;0;0;0~~\x1b\\\x1b_Ga=T;AAAA\x1b\\\x1b^pm\x1b\\\x1bXsos\x1b\\",
	"strings left open": "\x1bPq~~~~\nstill here\x1b_Gzz\nand here",
	"eight bit C1":      "\x9b2J\x9d0;t\x9c\x90q\x9c",
	"C1":                "\u009b2J\u009d0;t\u009c\u0090q\u009c\u0084\u0085\u008d\u009b31mred",
	"controls":          "a\x00b\x07c\x08\x08\x08d\x0be\x0cf\x0eg\x0fh\x7f",
	"carriage returns":  "over\rwritten\r\nnext\r\r\nmore",
	"tabs":              "\t\ta\tb\t\tc\n\t- x\ty",
	"bidi":              "\u202eevil\u202c \u2066iso\u2069 \u200f\u061c \u202babc",
	"right to left":     "שלום עולם مرحبا بالعالم mixed שלום 123",
	"zero width":        "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg\u034fh",
	"tags":              "x\U000e0041\U000e0042\U000e007fy",
	"selectors":         "a\ufe0fb\U000e0100c\ufe00",
	"marks":             "\u0301\u0301start e" + strings.Repeat("\u0301\u0489", 500) + " end\n\u0301",
	"wide":              strings.Repeat("日本語", 40) + "ﾊﾝｶｸ、。「」",
	"emoji":             strings.Repeat("👩‍👩‍👧‍👦👍🏽❤️1️⃣🇩🇪", 20) + strings.Repeat("👩\u200d", 300),
	"separators":        "a\u2028b\u2029c\u0085d",
	"fillers":           "\u3164\u115f\u1160\uffa0\u180e\u17b4x",
	"annotation":        "\ufff9a\ufffab\ufffbc\ufffc",
	"not UTF-8":         "\xff\xfe\xc3(\xed\xa0\x80\xf8\x88",
	"non-characters":    "\ufdd0\ufdd1\ufdd2\ufffe\uffff\U0010ffff",
	"entities":          "&#27;[2J&#x1b;]52;c;aGk=&#7; &#x202e;x &#155;1m &#9;&#0;",
	"escaped in code":   "`\x1b[2J &#27;[2J` \n\n    \x1b[2J\n\n```\n\x1b]0;x\x07\x1b[H\n```",
	"link targets":      "[a](javascript:\x1b[2J) [b](http://x/\u202e) ![c](data:\x07) <http://e.example/\x1b[H>",
	"language":          "```\x1b[2J\u202e\nx\n```\n\n```" + strings.Repeat("x", 5000) + "\ny\n```",
	"table":             "| \x1b[2J | \t\u202e |\n|---|---|\n| 日本\x1b[H | &#27;[2J |",
	"deep quote":        strings.Repeat(">", 4000) + " deep",
	"deep list":         strings.Repeat("- ", 3000) + "deep",
	"deep nesting":      strings.Repeat("[", 3000) + strings.Repeat("*a ", 3000),
	"steps":             steps(200),
	"indic":             strings.Repeat("क्", 400) + "ष",
	"hangul jamo":       "\u1100\u1161\u11a8\u1161\u11a8 \u11a8x",
	"thai":              "ก\u0e33\u0e49\u0e49\u0e49 \u0e33x",
}

// steps is a list whose every item is inside the one before.
func steps(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("  ", i) + "- x\n")
	}
	return b.String()
}

// renderers are all that takes untrusted text, each as lines for a rectangle.
var renderers = map[string]func(s string, width int, t theme.Theme) []string{
	"Wrap": func(s string, width int, _ theme.Theme) []string { return Wrap(s, width) },
	"Line": func(s string, width int, _ theme.Theme) []string { return []string{Line(s, width)} },
	"LineTail": func(s string, width int, t theme.Theme) []string {
		return []string{LineTail(s, width, t.Glyphs.Ellipsis)}
	},
	"Fit": func(s string, width int, _ theme.Theme) []string {
		var lines []string
		for _, line := range strings.Split(Clean(s), "\n") {
			lines = append(lines, Fit(line, width))
		}
		return lines
	},
	"Reveal":   func(s string, width int, _ theme.Theme) []string { return Wrap(Reveal(s), width) },
	"Markdown": Markdown,
	"Stream": func(s string, width int, t theme.Theme) []string {
		stream := NewStream(width, t)
		for i := range len(s) {
			stream.Write(s[i : i+1])
		}
		return stream.Lines() // not finished
	},
	"Diff": func(s string, width int, t theme.Theme) []string {
		return append(Diff(s, "other", width, t), Diff("", s, width, t)...)
	},
	"DiffLines": func(s string, width int, t theme.Theme) []string { return DiffLines(s, "other\n", width, t) },
	"CodeBlocks": func(s string, width int, _ theme.Theme) []string {
		var lines []string
		for _, b := range CodeBlocks(s) {
			lines = append(lines, Line(b.Lang, width))
		}
		return lines
	},
}

func TestHostileTextStaysInItsRectangle(t *testing.T) {
	t.Parallel()
	for name, text := range hostile {
		for function, draw := range renderers {
			t.Run(name+" in "+function, func(t *testing.T) {
				t.Parallel()
				for _, width := range []int{1, 2, 7, 24} {
					lines := draw(text, width, theme.Dusk())
					for _, line := range lines {
						checkLine(t, line, width)
					}
					// Both ends of what may be a long text.
					if len(lines) > 2*boxHeight {
						lines = append(lines[:boxHeight:boxHeight], lines[len(lines)-boxHeight:]...)
					}
					for start := 0; start < len(lines); start += boxHeight {
						checkContained(t, lines[start:min(start+boxHeight, len(lines))], width)
					}
				}
			})
		}
	}
}

func TestAHugeLineStaysInItsRectangle(t *testing.T) {
	t.Parallel()
	huge := strings.Repeat("a\x1b[2Jb\u202ec ", 1<<20/12)
	for _, function := range []string{"Line", "Wrap", "Markdown", "Stream"} {
		draw := renderers[function]
		if function == "Stream" {
			draw = func(s string, width int, t theme.Theme) []string {
				stream := NewStream(width, t)
				for len(s) > 0 {
					n := min(len(s), 5003)
					stream.Write(s[:n])
					s = s[n:]
				}
				return stream.Lines()
			}
		}
		lines := draw(huge, 24, theme.Mono())
		for _, line := range lines {
			checkLine(t, line, 24)
		}
		checkContained(t, lines[:min(boxHeight, len(lines))], 24)
	}
}

// Not parallel: how the terminal counts is one for the process.
func TestTextStaysInItsRectangleWhereEveryCodePointCounts(t *testing.T) {
	Graphemes(false)
	t.Cleanup(func() { Graphemes(true) })
	if got := Width("👩\u200d👩\u200d👧\u200d👦"); got != 8 {
		t.Errorf("a family is %d cells wide", got)
	}
	for name, text := range hostile {
		for function, draw := range renderers {
			for _, width := range []int{2, 7, 24} {
				for _, line := range draw(text, width, theme.Mono()) {
					if got := ansi.StringWidthWc(line); got > width {
						t.Errorf("%s in %s: %q is %d cells wide, not %d", name, function, line, got, width)
					}
				}
			}
		}
	}
	if got := Fit("नमस्ते, กำ 👍🏽", 12); ansi.StringWidthWc(got) != 12 {
		t.Errorf("%q is %d cells wide", got, ansi.StringWidthWc(got))
	}
}

// The rectangle lies within a screen of its own marks.
const (
	screenWidth, screenHeight = 60, 18
	boxX, boxY, boxHeight     = 11, 4, 8
)

// checkContained draws lines into a rectangle of a screen, and fails where
// anything else of the terminal changed.
func checkContained(t *testing.T, lines []string, width int) {
	t.Helper()
	term := vt.NewEmulator(screenWidth, screenHeight)
	drained := make(chan []byte)
	go func() {
		answers, _ := io.ReadAll(term)
		drained <- answers
	}()
	write := func(s string) { _, _ = term.WriteString(s) }
	write("\x1b[20h")
	for y := range screenHeight {
		write(ansi.CursorPosition(1, y+1) + strings.Repeat("#", screenWidth))
	}
	var events []string
	note := func(what string) { events = append(events, what) }
	term.SetCallbacks(vt.Callbacks{
		Bell:             func() { note("bell") },
		Title:            func(string) { note("title") },
		IconName:         func(string) { note("icon name") },
		AltScreen:        func(bool) { note("alternate screen") },
		CursorVisibility: func(bool) { note("cursor visibility") },
		WorkingDirectory: func(string) { note("working directory") },
		EnableMode:       func(m ansi.Mode) { note(fmt.Sprint("mode on ", m)) },
		DisableMode:      func(m ansi.Mode) { note(fmt.Sprint("mode off ", m)) },
	})
	for i, line := range lines {
		write(ansi.CursorPosition(boxX+1, boxY+i+1) + line)
		if at, want := term.CursorPosition(), (uv.Pos(boxX+Width(line), boxY+i)); at != want {
			t.Fatalf("%q left the cursor at %v, not at %v", line, at, want)
		}
	}
	// What is drawn next is plain: no style, link or character set is left on.
	write(ansi.CursorPosition(1, screenHeight) + "#l")
	last := *term.CellAt(1, screenHeight-1)
	if last.Content != "l" || !last.Style.IsZero() || !last.Link.IsZero() {
		t.Fatalf("what follows is drawn as %+v", last)
	}
	term.SetCell(1, screenHeight-1, term.CellAt(0, screenHeight-1))
	for y := range screenHeight {
		for x := range screenWidth {
			inside := x >= boxX && x < boxX+width && y >= boxY && y < boxY+len(lines)
			if c := term.CellAt(x, y); !inside && (c.Content != "#" || !c.Style.IsZero() || !c.Link.IsZero()) {
				t.Fatalf("the cell at %d,%d became %+v by %q", x, y, *c, lines)
			}
		}
	}
	// Closing the emulator itself would race with its Read.
	if c, ok := term.InputPipe().(io.Closer); !ok || c.Close() != nil {
		t.Fatal("the emulator's input can't be closed")
	}
	if answers := <-drained; len(answers) > 0 {
		t.Fatalf("the terminal was made to answer %q", answers)
	}
	if len(events) > 0 {
		t.Fatalf("%q caused %v", lines, events)
	}
}
