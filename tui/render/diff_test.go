package render

import (
	"slices"
	"strings"
	"testing"

	"reverie/theme"
)

func TestDiff(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, before, after, want string }{
		{"the same", "as it was", "as it was", "as it was"},
		{"words", "releases on Friday, after the standup", "releases on Thursday, after the standup",
			"releases on [-Friday-]{+Thursday+}, after the standup"},
		{"phrases stay together", "on a cold day we go", "on one warm day we go", "on [-a cold-]{+one warm+} day we go"},
		{"only taken", "a b c", "a c", "a [-b -]c"},
		{"only brought", "a c", "a b c", "a {+b +}c"},
		{"from nothing", "", "new", "{+new+}"},
		{"to nothing", "old", "", "[-old-]"},
		{"lines", "a\nb\n", "a\nc\nd\n", "a\n[-b-]{+c+}\n{+d+}\n"},
		{"hidden characters", "a b", "a\u202e b", "a{+⟨U+202E⟩+} b"},
		{"CJK", "木曜日に出す", "金曜日に出す", "[-木-]{+金+}曜日に出す"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := shown(Diff(test.before, test.after, 60, theme.Dusk())); got != test.want {
				t.Errorf("got %q, not %q", got, test.want)
			}
		})
	}
}

func TestADiffIsColouredToo(t *testing.T) {
	t.Parallel()
	dusk := theme.Dusk()
	got := strings.Join(Diff("old", "new", 60, dusk), "\n")
	if want := paint(dusk.Paint("removed"), "[-old-]") + paint(dusk.Paint("added"), "{+new+}"); got != want {
		t.Errorf("got %q, not %q", got, want)
	}
}

func TestDiffLines(t *testing.T) {
	t.Parallel()
	got := strings.Split(shown(DiffLines("same\nold one\nend", "same\nnew\nend\nmore", 6, theme.Mono())), "\n")
	want := []string{" same", "-old", "-one", "+new", " end", "+more"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, not %q", got, want)
	}
	if got := DiffLines("", "", 10, theme.Mono()); len(got) != 0 {
		t.Errorf("nothing gives %q", got)
	}
}

func TestADiffOfLargeTextsKeepsBothWhole(t *testing.T) {
	t.Parallel()
	var before, after strings.Builder
	for i := range 6000 {
		before.WriteString(strings.Repeat("x", i%7+1) + " ")
		after.WriteString(strings.Repeat("y", i%5+1) + " ")
	}
	for _, size := range []int{1, 4} { // within the bound, and over it
		a, b := strings.Repeat(before.String(), size), strings.Repeat(after.String(), size)
		text := shown(Diff(a, b, 80, theme.Mono()))
		if strings.Count(text, "x") != strings.Count(a, "x") || strings.Count(text, "y") != strings.Count(b, "y") {
			t.Errorf("times %d, something is lost", size)
		}
	}
}

func FuzzDiff(f *testing.F) {
	f.Add("one two", "one three", uint8(20))
	f.Add(hostile["strings"], hostile["wide"], uint8(3))
	f.Fuzz(func(t *testing.T, before, after string, w uint8) {
		width := 1 + int(w)%100
		for _, line := range append(Diff(before, after, width, theme.Dusk()), DiffLines(before, after, width, theme.Dusk())...) {
			checkLine(t, line, width)
		}
		var from, to strings.Builder
		for _, c := range wordChanges(Reveal(before), Reveal(after)) {
			if c.kind != '+' {
				from.WriteString(c.text)
			}
			if c.kind != '-' {
				to.WriteString(c.text)
			}
		}
		if from.String() != Reveal(before) || to.String() != Reveal(after) {
			t.Fatalf("the changes from %q to %q make %q of %q", before, after, to.String(), from.String())
		}
	})
}
