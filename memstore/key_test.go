package memstore

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestKeysOfAnyScriptAreFolded(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"deploy/day":             "deploy/day",
		"Deploy/Day":             "deploy/day",
		"v1.2.3/a_b-c":           "v1.2.3/a_b-c",
		"ÄPFEL":                  "äpfel",
		"Straße":                 "strasse",
		"ΣΊΣΥΦΟΣ":                "σίσυφοσ",
		"Ελλάς":                  "ελλάσ",
		"ПРИВЕТ/мир":             "привет/мир",
		"東京/駅":                   "東京/駅",
		"デプロイ":                   "デプロイ",
		"e\u0301te\u0301":        "été",
		"नमस्ते":                 "नमस्ते",
		"ภาษาไทย":                "ภาษาไทย",
		"שלום":                   "שלום",
		"مرحبا/٣":                "مرحبا/٣",
		"한국어":                    "한국어",
		"二〇二六":                   "二〇二六",
		"3":                      "3",
		"İstanbul":               "i\u0307stanbul",
		"\U00010400":             "\U00010428", // Deseret has case as well
		"\u1e9e":                 "ss",
		"\ufb03":                 "ffi",
		strings.Repeat("k", 128): strings.Repeat("k", 128),
	} {
		got, err := Key(in)
		if err != nil || got != want {
			t.Errorf("%q is folded to %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestWhatIsNoKeyIsRefusedWithItsRuleAndWithoutTheText(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"", " ", "a b", "/", "/a", "a/", "a//b", "-a", "_a", ".a", "a/.b", "a/..", "a\\b", "a:b", "a\tb", "a\x00b",
		"a\u200b", "a\u200d", "a\ufe0f", "\u0301a", "a\u202e", "\u3164", "a\u115f", "😀", "a😀", "a\xff", "a\u034f",
	} {
		_, err := Key(in)
		var invalid *InvalidError
		if !errors.As(err, &invalid) || invalid.What != "key" || invalid.Rule == "" {
			t.Errorf("%q answers %v, want that it is no key", in, err)
		}
	}
	_, err := Key("my password is marigold")
	if err == nil || strings.Contains(err.Error(), "marigold") {
		t.Errorf("the error is %v, want one without the text", err)
	}
}

func TestAKeyIsLimitedInItsFoldedForm(t *testing.T) {
	t.Parallel()
	for in, size := range map[string]int{
		strings.Repeat("k", 129):       129,
		strings.Repeat("ß", 65):        130,
		strings.Repeat("語", 43):        129,
		strings.Repeat("x", 1<<20):     1 << 20,
		strings.Repeat("a/", 64) + "b": 129,
	} {
		_, err := Key(in)
		var limit *LimitError
		if !errors.As(err, &limit) || limit.Limit != MaxKey || limit.Size != size {
			t.Errorf("a key of %d bytes answers %v, want size %d", len(in), err, size)
		}
	}
	// Composing makes it shorter.
	if _, err := Key(strings.Repeat("e\u0301", 64)); err != nil {
		t.Errorf("128 bytes in NFC: %v", err)
	}
}

func FuzzKey(f *testing.F) {
	for _, s := range []string{"deploy/day", "Straße/É", "İ", "a\u0345\u0301", "ΐ", "ŉ", "ǰ", "ﬃ", "a//b", "\u1fb7", "\u0390\u0345"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		k, err := Key(s)
		if err != nil {
			var invalid *InvalidError
			var limit *LimitError
			if !errors.As(err, &invalid) && !errors.As(err, &limit) {
				t.Fatalf("%q answers %v, which has no type", s, err)
			}
			return
		}
		if len(k) == 0 || len(k) > MaxKey || !utf8.ValidString(k) {
			t.Errorf("%q is folded to %q", s, k)
		}
		if again, err := Key(k); err != nil || again != k {
			t.Errorf("%q is folded to %q, and that to %q, %v", s, k, again, err)
		}
		for _, other := range []string{strings.ToUpper(k), strings.ToLower(k), strings.ToTitle(k)} {
			// Not every upper case comes back: a letter may have none that
			// folds to it. What is a key must be this one.
			if o, err := Key(other); err == nil && o != k && strings.EqualFold(other, k) {
				t.Errorf("%q and %q differ by case alone and are %q and %q", k, other, k, o)
			}
		}
	})
}

func FuzzVersion(f *testing.F) {
	for _, s := range []string{"", "none", "r_aaaaaaaaaaaa", "r_", "R_AAAAAAAAAAAA", "r_aaaaaaaaaaa1", "\x00", "' OR 1=1"} {
		f.Add(s)
	}
	db, err := Open(f.Context(), Options{Dir: f.TempDir(), Scope: Project})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { db.Close() })
	p := Provenance{Writer: ByUser, Origin: Explicit}
	m, err := db.Remember(f.Context(), RememberRequest{Key: "a", Value: "1", Provenance: p})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v := Version(s)
		if v == m.Entry.Version {
			return
		}
		var conflict *ConflictError
		if _, err := db.Forget(t.Context(), ForgetRequest{Key: "a", Expected: v, Provenance: p}); !errors.As(err, &conflict) {
			t.Errorf("forgetting at %q answers %v", s, err)
		}
		if _, err := db.Undo(t.Context(), UndoRequest{Key: "a", Expected: v, Provenance: p}); !errors.As(err, &conflict) {
			t.Errorf("undoing at %q answers %v", s, err)
		}
		var missing *NotFoundError
		if _, err := db.Restore(t.Context(), RestoreRequest{Key: "a", To: v, Provenance: p}); !errors.As(err, &missing) {
			t.Errorf("restoring %q answers %v", s, err)
		}
		if v == "" {
			return
		}
		if _, err := db.Remember(t.Context(), RememberRequest{Key: "a", Value: "2", Expected: v, Provenance: p}); !errors.As(err, &conflict) {
			t.Errorf("saving at %q answers %v", s, err)
		}
	})
}

func TestVersionsOfAStoreHaveTheFormOfTokens(t *testing.T) {
	t.Parallel()
	seen := map[Version]bool{}
	for range 10_000 {
		v := newVersion()
		if !looksLikeVersion(v) || seen[v] {
			t.Fatalf("%q is no token, or was there before", v)
		}
		seen[v] = true
	}
	for _, v := range []Version{"", None, "r_", "r_AAAAAAAAAAAA", "r_aaaaaaaaaaaaa", "x_aaaaaaaaaaaa", "r_aaaaaaaaaaa0"} {
		if looksLikeVersion(v) {
			t.Errorf("%q is taken for a token", v)
		}
	}
}
