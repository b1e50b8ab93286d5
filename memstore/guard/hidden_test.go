package guard

import (
	"strings"
	"testing"
)

func TestHiddenCharactersAreRefusedFromEveryoneByCodePointAndPosition(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"abc\u202edef":                     "character 4 is U+202E",
		"é\u202ax":                         "character 2 is U+202A",
		"a\u2066b\u2069":                   "character 2 is U+2066",
		"a\u200bb":                         "character 2 is U+200B",
		"a\u200cb":                         "character 2 is U+200C",
		"a\u200db":                         "character 2 is U+200D",
		"a\u2060b":                         "character 2 is U+2060",
		"a\ufeffb":                         "character 2 is U+FEFF",
		"\ufeffa":                          "character 1 is U+FEFF",
		"a\u00adb":                         "character 2 is U+00AD",
		"a\u200eb":                         "character 2 is U+200E",
		"a\u034fb":                         "character 2 is U+034F",
		"a\u3164b":                         "character 2 is U+3164",
		"a\u180eb":                         "character 2 is U+180E",
		"a\U000e0069\U000e0067":            "character 2 is U+E0069",
		"\U0001f3f4\U000e0069\U000e007f":   "character 2 is U+E0069",
		"🙂\ufe0f\ufe0f":                    "character 3 is U+FE0F",
		"🙂\U000e0101":                      "character 2 is U+E0101",
		"a\ufe0f":                          "character 2 is U+FE0F",
		"a\ufe00":                          "character 2 is U+FE00",
		"a\x00b":                           "character 2 is U+0000",
		"a\x1b[31m":                        "character 2 is U+001B",
		"a\x7f":                            "character 2 is U+007F",
		"a\u0085b":                         "character 2 is U+0085",
		"a\u2028b":                         "character 2 is U+2028",
		"a\u2029b":                         "character 2 is U+2029",
		"a\u2063b":                         "character 2 is U+2063",
		"a\u206ab":                         "character 2 is U+206A",
		"a\ufff9b":                         "character 2 is U+FFF9",
		"a\uffffb":                         "character 2 is U+FFFF",
		"a\ufdd0b":                         "character 2 is U+FDD0",
		"a\U0001fffeb":                     "character 2 is U+1FFFE",
		"a\U0001d173b":                     "character 2 is U+1D173",
		"\u0645\u200c\u200c\u0645":         "character 2 is U+200C",
		"👩\u200d":                          "character 2 is U+200D",
		"\u05d0\u200f\u200f\u05d1":         "character 2 is U+200F",
		"plain\u200f line\n\u05d0 other":   "character 6 is U+200F",
		"\u4e2d\U000e0100\U000e0101\u4e2d": "character 3 is U+E0101",
	} {
		for _, person := range []bool{true, false} {
			r := refusalOf(t, Input{Key: "a/b", Value: text, Person: person})
			if r == nil || r.Rule != "hidden-character" || r.Field != "value" || !strings.Contains(r.Reason, want) {
				t.Errorf("%+q: got %v, want %s", text, r, want)
			}
		}
	}
}

func TestWhatScriptsAndEmojiNeedIsKept(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"one\ntwo\tthree\r\n",
		"می\u200cخواهم",                           // Persian
		"क्\u200dष and क्\u200cष",                 // Devanagari
		"ര\u0d4d\u200d",                           // Malayalam, at the end of a word
		"ශ්\u200dරී ලංකා",                         // Sinhala
		"র\u200d্যাব",                             // Bengali
		"👩\u200d💻 👨\u200d👩\u200d👧\u200d👦",         // families
		"👩🏽\u200d🚒 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥", // skin tone, flag, heart
		"☎\ufe0f ☎\ufe0e ©\ufe0f 🤷🏻\u200d♂\ufe0f",
		"1\ufe0f\u20e3 #\ufe0f\u20e3 *\ufe0f\u20e3",
		"\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",  // England
		"\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f!", // Scotland
		"葛\U000e0100城市",
		"שלום\u200f!", "(C++\u200e) שלום", "\u061cالعربية",
		"ភាសា\u200bខ្មែរ", "ภาษา\u200bไทย",
		"ᠮᠣᠩᠭᠣᠯ\u180bᠪᠢᠴᠢᠭ",
		"naïve café Übermut zażółć e\u0301", "\u00a0non-breaking\u202fspaces\u3000wide",
		"icons \ue0b0 and \U000f0001 of fonts", "\U0001fae9 of a newer Unicode",
		"\u0600 \u06dd Arabic signs",
	} {
		if r := refusalOf(t, Input{Key: "a/b", Value: text}); r != nil {
			t.Errorf("%+q: refused by %s: %s", text, r.Rule, r.Reason)
		}
	}
}
