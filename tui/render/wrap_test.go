package render

import (
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, in string
		width    int
		want     []string
	}{
		{"nothing", "", 10, []string{""}},
		{"fits", "as it is", 10, []string{"as it is"}},
		{"between words", "one two three", 8, []string{"one two", "three"}},
		{"exactly", "one two", 7, []string{"one two"}},
		{"spaces at a break go", "one    two", 5, []string{"one", "two"}},
		{"spaces at the start stay", "  one two", 6, []string{"  one", "two"}},
		{"only spaces", "      ", 3, []string{"   "}},
		{"empty lines stay", "a\n\nb", 5, []string{"a", "", "b"}},
		{"a long word", "abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"a long word after a short one", "ab cdefghij", 4, []string{"ab", "cdef", "ghij"}},
		{"at a hyphen", "well-known fact", 6, []string{"well-", "known", "fact"}},
		{"not at a minus", "x = -5 or", 6, []string{"x = -5", "or"}},
		{"not before the name of a flag", "use --no-memory", 8, []string{"use", "--no-", "memory"}},
		{"a path breaks at its joints", "/home/user/projects/reverie", 12, []string{"/home/user/", "projects/", "reverie"}},
		{"wide characters", "日本語です", 4, []string{"日本", "語で", "す"}},
		{"no odd cell for a wide one", "a日本", 2, []string{"a", "日", "本"}},
		{"closing punctuation stays", "日本。語", 4, []string{"日", "本。", "語"}},
		{"opening punctuation goes on", "日「本」", 4, []string{"日", "「本", "」"}},
		{"too narrow for one", "日x", 1, []string{"\ufffd", "x"}},
		{"clusters stay whole", "👩‍👧👩‍👧", 3, []string{"👩‍👧", "👩‍👧"}},
		{"accents stay", "e\u0301e\u0301e\u0301", 2, []string{"e\u0301e\u0301", "e\u0301"}},
		{"no-break spaces hold", "a b\u00a0c", 4, []string{"a", "b\u00a0c"}},
		{"a space that carries a mark stays", "ab \u0e33x", 2, []string{"ab", " \u0e33x"}},
		{"width zero is one", "ab", 0, []string{"a", "b"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Wrap(test.in, test.width); !slices.Equal(got, test.want) {
				t.Errorf("Wrap(%q, %d) = %q, not %q", test.in, test.width, got, test.want)
			}
		})
	}
}

func TestStylesEndWithTheirLineAndGoOnInTheNext(t *testing.T) {
	t.Parallel()
	got := wrapStyled("\x1b[1mone two\x1b[m three \x1b[3mfour\x1b[m", 4)
	want := []string{"\x1b[1mone\x1b[m", "\x1b[1mtwo\x1b[m", "thre", "e", "\x1b[3mfour\x1b[m"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, not %q", got, want)
	}
}

func TestCodeIsCutExactlyAndLosesNothing(t *testing.T) {
	t.Parallel()
	got := wrapExact("ab   cd-ef", 4)
	if want := []string{"ab  ", " cd-", "ef"}; !slices.Equal(got, want) {
		t.Errorf("got %q, not %q", got, want)
	}
	got = wrapExact("    only on Friday", 12)
	if want := []string{"    only on ", "Friday"}; !slices.Equal(got, want) {
		t.Errorf("got %q, not %q", got, want)
	}
}

func TestLine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		in    string
		width int
		want  string
	}{
		{"fits", 10, "fits"},
		{"a bit too long", 8, "a bit …"},
		{"a wee too long", 9, "a wee to…"}, // more than a third of it would be empty
		{"a bit too long to fit", 16, "a bit too long …"},
		{"a word toolongtofit", 16, "a word toolongt…"},
		{"two\nlines  and\tspaces ", 40, "two lines and spaces"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日…"},
		{"anything", 1, "…"},
		{"anything", 0, ""},
		{"anything", -1, ""},
		{"\x1b[2J\u202ex", 10, "␛x"},
		{" \u0301x", 10, "\u00a0\u0301x"},
		{strings.Repeat("\u200b", 100_000) + "x", 10, "…"},
	}
	for _, test := range tests {
		if got := Line(test.in, test.width); got != test.want {
			t.Errorf("Line(%q, %d) = %q, not %q", test.in, test.width, got, test.want)
		}
	}
	if got := LineTail("too long", 4, "~"); got != "too~" {
		t.Errorf("with a mark of its own it is %q", got)
	}
}

func TestFitIsExactlyAsWide(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "ab", "abcdef", "日本語日本", "\x1b[1mbold text\x1b[m", "👩‍👧 family", "e\u0301e\u0301"} {
		for width := range 9 {
			got := Fit(s, width)
			if Width(got) != width {
				t.Errorf("Fit(%q, %d) = %q has %d cells", s, width, got, Width(got))
			}
			checkLine(t, got, width)
		}
	}
}

func TestPadLeavesWhatIsWider(t *testing.T) {
	t.Parallel()
	if got := Pad("abc", 2); got != "abc" {
		t.Errorf("got %q", got)
	}
	if got := Pad("日", 4); got != "日  " {
		t.Errorf("got %q", got)
	}
}

func FuzzWrap(f *testing.F) {
	for _, s := range hostile {
		f.Add(s, uint8(10))
	}
	f.Add("one two  three-four /a/path/that/is/long 日本語。「括弧」", uint8(7))
	// visible is a text without what a break may drop, and without what stands
	// for a character wider than a line.
	visible := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) {
				return -1
			}
			return r
		}, s)
	}
	f.Fuzz(func(t *testing.T, s string, w uint8) {
		width := 2 + int(w)%120
		lines := Wrap(s, width)
		if len(lines) == 0 {
			t.Fatal("no line")
		}
		for _, line := range lines {
			checkLine(t, line, width)
		}
		want, got := visible(Clean(s)), visible(strings.Join(lines, ""))
		if want != got && !hasWider(want, width) {
			t.Fatalf("Wrap(%q, %d) shows %q", s, width, got)
		}
	})
}

// hasWider tells whether a text has a character wider than width.
func hasWider(s string, width int) bool {
	for s != "" {
		cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		if w > width || cluster == "" {
			return true
		}
		s = s[len(cluster):]
	}
	return false
}
