package guard

import (
	"errors"
	"testing"
	"unicode/utf8"
)

func FuzzCheck(f *testing.F) {
	for _, rows := range [][]string{secretTexts, innocentTexts, posingTexts, plainTexts} {
		for _, row := range rows {
			f.Add("a/b", uncut(row), false)
		}
	}
	f.Add("k\xff", "\xc3", true)
	f.Fuzz(func(t *testing.T, key, value string, person bool) {
		err := Check(Input{Key: key, Value: value, Person: person})
		var r *Refusal
		if err != nil && !errors.As(err, &r) {
			t.Fatalf("%T is no refusal", err)
		}
		if valid := utf8.ValidString(key) && utf8.ValidString(value); !valid && (r == nil || r.Rule == "") {
			t.Fatal("text that is not UTF-8 was not refused")
		}
		if r != nil && (r.Rule == "" || r.Field == "" || r.Reason == "") {
			t.Fatalf("an incomplete refusal: %+v", r)
		}
	})
}

func FuzzMask(f *testing.F) {
	for _, rows := range [][]string{secretTexts, innocentTexts} {
		for _, row := range rows {
			f.Add(uncut(row))
		}
	}
	f.Add("password: \xff\xfe1a hunter2")
	f.Fuzz(func(t *testing.T, text string) {
		masked := Mask(text)
		if again := Mask(masked); again != masked {
			t.Fatal("masking twice differs")
		}
		if len(credentials(masked)) > 0 {
			t.Fatal("masked text holds a credential")
		}
	})
}

func FuzzFoldKeepsOffsets(f *testing.F) {
	f.Add("pаsswоrd：ｈunter２ \xff é")
	f.Fuzz(func(t *testing.T, text string) {
		g := fold(text)
		if g.at == nil {
			if g.text != text {
				t.Fatal("a copy that differs has no offsets")
			}
			return
		}
		if len(g.at) != len(g.text)+1 {
			t.Fatalf("%d offsets for %d bytes", len(g.at), len(g.text))
		}
		for i := 1; i < len(g.at); i++ {
			if g.at[i] < g.at[i-1] || int(g.at[i]) > len(text) {
				t.Fatal("offsets go back or beyond the text")
			}
		}
	})
}
