package search

import (
	"slices"
	"testing"
	"unicode/utf8"
)

var seeds = []string{
	"", " ", "The deploy goes out on Thursday.", "C++ C# .NET foo_bar fooBar v1.2.3 src/a/b.go --dry-run user@host e-mail",
	"café cafe\u0301 Straße ﬁne ＦＵＬＬ １２３", "用itgc的 서울에서 東京で サーバー ｻｰﾊﾞｰ", "ประชุมที่กรุงเทพ كَتَبَ שָׁלוֹם दिल्ली 👨‍👩‍👧 👋🏽 ❤️",
	"\xff\xfe\x00 broken \xe2\x82", "a\u0301\u0301\u0301 \u0301alone", "don't can't won't O'Brien's l'eau 'tis", "((\"AND* OR:", "…—–‘’“”",
	"\u200b\u200d\u200e\ufeff", "İıſK Å", "1,000.50 10:30 2024-01-02T03:04:05Z", "''''", "-", "--", ".", "._-", "x.", "'s", "n't", "ﷺ ½ №",
}

func FuzzPieces(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range pieces(text) {
			if p.term == "" || p.lo < 0 || p.lo >= p.hi || p.hi > len(text) {
				t.Fatalf("piece %+v of %d bytes", p, len(text))
			}
			if utf8.ValidString(text) && (!utf8.RuneStart(text[p.lo]) || p.hi < len(text) && !utf8.RuneStart(text[p.hi])) {
				t.Fatalf("piece %+v cuts a character of %q", p, text)
			}
		}
	})
}

func FuzzSearch(f *testing.F) {
	for i, s := range seeds {
		f.Add(s, seeds[(i+3)%len(seeds)])
	}
	f.Fuzz(func(t *testing.T, text, query string) {
		x := memory(aroundIt...)
		x.Put(Document{Key: "it", Value: text})
		x.Search(query, 10)
		checkSnippet(t, query, text, 40)
		checkSnippet(t, text, text, 20)
		if !utf8.ValidString(text) {
			return
		}
		// A document is found by each of its own words.
		for _, p := range pieces(text)[:min(20, len(pieces(text)))] {
			word := text[p.lo:p.hi]
			if len(pieces(word)) == 0 {
				continue
			}
			if !slices.Contains(keys(x.Search(word, 100)), "it") {
				t.Errorf("%q is not found by its word %q", text, word)
			}
		}
		x.Delete("it")
		if slices.Contains(keys(x.Search(text, 100)), "it") {
			t.Error("found after it was deleted")
		}
	})
}
