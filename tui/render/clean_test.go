package render

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

func TestClean(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, in, want string }{
		{"plain text", "plain ~ text\nand more", "plain ~ text\nand more"},
		{"letters of any script", "häß 日本 ελ שלום مرحبا नमस्ते", "häß 日本 ελ שלום مرحبا नमस्ते"},
		{"colours go", "\x1b[31mred\x1b[0m \x1b[1;38:2::1:2:3mx\x1b[m", "red x"},
		{"other sequences leave a mark", "a\x1b[2Jb\x1b[?25lc\x1b7d", "a␛b␛c␛d"},
		{"a private m is no colour", "\x1b[>4;1mx", "␛x"},
		{"clipboard and title", "a\x1b]52;c;aGk=\x07b\x1b]0;t\x1b\\c", "a␛b␛c"},
		{"control strings", "\x1bPq\x1b\\\x1b_G\x1b\\\x1b^p\x1b\\\x1bXs\x1b\\.", "␛␛␛␛."},
		{"a string without an end hides nothing", "\x1b]0;title\nnext", "␛]0;title\nnext"},
		{"a sequence without an end hides nothing", "\x1b[12", "␛[12"},
		{"an escape at the end", "x\x1b", "x␛"},
		{"C1 sequences", "\u009b31mx \u009b2J \u009d0;t\u009c.", "x ␛ ␛."},
		{"C1 controls", "a\u0085b\u008dc", "a\ufffdb\ufffdc"},
		{"eight bit controls", "\x9b2Jx", "\ufffd2Jx"},
		{"controls have pictures", "a\x00\x07\x08\x0b\x0c\x7fb", "a␀␇␈␋␌␡b"},
		{"line ends", "a\r\nb\rc\u2028d\u2029e\r\r\nf", "a\nb\nc\nd\ne\n\nf"},
		{"tabs", "\ta\tbcd\te\nab\tc\n日本\tx", "    a   bcd e\nab  c\n日本    x"},
		{"directional controls", "a\u202eb\u202cc\u2066d\u2069\u200fe\u061c", "abcde"},
		{"zero width", "a\u200bb\u2060c\ufeffd\u00ade\u034ff", "abcdef"},
		{"joiners that do nothing", "a\u200db\u200cc\u200d", "abc"},
		{"joiners that emoji need", "👩\u200d👧 ❤\ufe0f\u200d🔥 👍🏽\u200d👍", "👩\u200d👧 ❤\ufe0f\u200d🔥 👍🏽\u200d👍"},
		{"joiners that scripts need", "می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"},
		{"selectors", "❤\ufe0f 1\ufe0f\u20e3 a\ufe0f \ufe0f 葛\U000e0100 x\U000e0100", "❤\ufe0f 1\ufe0f\u20e3 a  葛\U000e0100 x"},
		{"tags", "a\U000e0041\U000e007fb", "ab"},
		{"fillers", "a\u3164\u115f\u1160\uffa0b", "ab"},
		{"annotation", "\ufff9a\ufffab\ufffbc", "abc"},
		{"signs of no certain width", "\u0600123 \U000110bd1", "\ufffd123 \ufffd1"},
		{"bytes that are no text", "a\xff\xc3b\xed\xa0\x80", "a\ufffd\ufffdb\ufffd\ufffd\ufffd"},
		{"non-characters", "a\ufdd0\ufffe\U0010ffffb", "a\ufffd\ufffd\ufffdb"},
		{"accents", "e\u0301 \u1ec7 a\u0323\u0302", "e\u0301 \u1ec7 a\u0323\u0302"},
		{"too many marks", "e" + strings.Repeat("\u0301", 50) + "x", "e" + strings.Repeat("\u0301", 6) + "x"},
		{"a mark on nothing", "\u0301a\n\u0301", "\u00a0\u0301a\n\u00a0\u0301"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := Clean(test.in); got != test.want {
				t.Errorf("Clean(%q) = %q, not %q", test.in, got, test.want)
			}
		})
	}
}

func TestRevealSpellsOutWhatCleanHides(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{"plain", "plain"},
		{"a\u202eb", "a⟨U+202E⟩b"},
		{"a\x1b]52;c;x\x07", "a⟨U+001B⟩]52;c;x⟨U+0007⟩"},
		{"\U000e0041\u200b", "⟨U+E0041⟩⟨U+200B⟩"},
		{"\xff", "⟨0xFF⟩"},
		{"a\u200db 👩\u200d👧", "a⟨U+200D⟩b 👩\u200d👧"},
		{"a\u2028b", "a⟨U+2028⟩\nb"},
		{"a\u0085\ufffe", "a⟨U+0085⟩⟨U+FFFE⟩"},
		{"e" + strings.Repeat("\u0301", 7), "e" + strings.Repeat("\u0301", 6) + "⟨U+0301⟩"},
	}
	for _, test := range tests {
		if got := Reveal(test.in); got != test.want {
			t.Errorf("Reveal(%q) = %q, not %q", test.in, got, test.want)
		}
	}
}

func TestNoCharacterIsMadeOfManyCodePoints(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		strings.Repeat("क्", 300), strings.Repeat("\u1100", 300), strings.Repeat("\u0600", 300) + "a",
		strings.Repeat("👩\u200d", 300), "\u1100" + strings.Repeat("\u1161", 300), "e" + strings.Repeat("\u0301", 300),
	} {
		for rest := Clean(s); rest != ""; {
			cluster, _ := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
			if n := utf8.RuneCountInString(cluster); n > maxCluster {
				t.Fatalf("a cluster of %q has %d code points", s[:20], n)
			}
			rest = rest[len(cluster):]
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for name, clean := range map[string]string{"Clean": Clean(s), "Reveal": Reveal(s)} {
			if !utf8.ValidString(clean) {
				t.Fatalf("%s(%q) is not UTF-8", name, s)
			}
			for _, r := range clean {
				if r < ' ' && r != '\n' || r >= 0x7f && r <= 0x9f || hidden(r) || nonCharacter(r) || r == '\u2028' || r == '\u2029' {
					t.Fatalf("%s(%q) has %U", name, s, r)
				}
			}
			for line := range strings.SplitSeq(clean, "\n") {
				checkLine(t, line, Width(line))
			}
			if again := Clean(clean); again != clean {
				t.Fatalf("cleaning %q again gives %q", clean, again)
			}
		}
	})
}
