package search

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// memory is an index over values, whose keys are a, b, c and so on.
func memory(values ...string) *Index {
	x := New()
	for i, v := range values {
		x.Put(Document{Key: string(rune('a' + i)), Value: v, Updated: time.Unix(1e9, 0)})
	}
	return x
}

func keys(hits []Hit) []string {
	var out []string
	for _, h := range hits {
		out = append(out, h.Key)
	}
	return out
}

// around are entries about other things, among which the right one is found.
var aroundIt = []string{
	"The deploy goes out on Thursday after the review.",
	"We never use tabs in the configuration files.",
	"Lunch with the platform team is on Monday at noon.",
	"C is the language of the kernel module.",
	"The net result was fine.",
	"Email goes through the relay, port 587.",
}

func TestWordsThatEnginesGetWrongAreFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, query string }{
		{"Our services are written in C++ today", "C++"},
		{"Our services are written in C++ today", "c++"},
		{"The desktop client is C# code", "C#"},
		{"The desktop client is a .NET program", ".NET"},
		{"The desktop client is a .NET program", ".net"},
		{"call foo_bar before closing", "foo_bar"},
		{"call foo_bar before closing", "bar"},
		{"call foo_bar before closing", "foobar"},
		{"call fooBar before closing", "bar"},
		{"call fooBar before closing", "fooBar"},
		{"call fooBar before closing", "foobar"},
		{"call fooBar before closing", "foo_bar"},
		{"the HTTPServer listens", "server"},
		{"the HTTPServer listens", "http"},
		{"the HTTPServer listens", "httpserver"},
		{"pinned at v1.2.3 for now", "1.2.3"},
		{"pinned at v1.2.3 for now", "v1.2.3"},
		{"pinned at 1.2.3 for now", "v1.2.3"},
		{"see src/a/b.go for the details", "b.go"},
		{"see src/a/b.go for the details", "src/a/b.go"},
		{"see src/a/b.go for the details", "a/b.go"},
		{"always pass --dry-run first", "--dry-run"},
		{"always pass --dry-run first", "dry-run"},
		{"always pass --dry-run first", "dry run"},
		{"write to user@host with questions", "user@host"},
		{"write to user@host with questions", "host"},
		{"the e-mail address is kept", "e-mail"},
		{"send an electronic-mail", "electronicmail"},
		{"send an electronicmail", "electronic-mail"},
		{"the wi-fi password changed", "wifi"},
		{"the wifi password changed", "wi-fi"},
		{"meet at the café", "cafe"},
		{"meet at the cafe", "café"},
		{"meet at the cafe\u0301", "café"},
		{"she lives in the Hauptstraße", "hauptstrasse"},
		{"she lives in the Hauptstrasse", "Hauptstraße"},
		{"the STRASSE is closed", "straße"},
		{"a ﬁne ligature", "fine"},
		{"a fine ligature", "ﬁne"},
		{"ＦＵＬＬ width text １２３", "full"},
		{"ＦＵＬＬ width text １２３", "123"},
		{"plain abc letters", "ａｂｃ"},
		{"회의는 서울에서 합니다", "서울"},
		{"회의는 서울에서 합니다", "회의"},
		{"회의는 서울에서 합니다", "울"},
		{"会議は東京で行います", "東京"},
		{"会議は東京で行います", "京"},
		{"サーバーの設定を変更", "サーバー"},
		{"サーバーの設定を変更", "ｻｰﾊﾞｰ"},
		{"サーバーの設定を変更", "バ"},
		{"我们在北京开会", "北京"},
		{"我们在北京开会", "京"},
		{"京", "京"},
		{"我们用itgc的系统", "itgc"},
		{"我们用itgc的系统", "用itgc的"},
		{"我们用itgc的系统", "系统"},
		{"API를 호출한다", "api"},
		{"ประชุมที่กรุงเทพวันจันทร์", "กรุงเทพ"},
		{"ประชุมที่กรุงเทพวันจันทร์", "วันจันทร์"},
		{"الاجتماع في الرياض", "الرياض"},
		{"كَتَبَ الطالب الدرس", "كتب"},
		{"كتب الطالب الدرس", "كَتَبَ"},
		{"محمـــد هنا", "محمد"},
		{"أحمد هنا", "احمد"},
		{"שָׁלוֹם לכולם", "שלום"},
		{"שלום לכולם", "שָׁלוֹם"},
		{"बैठक दिल्ली में है", "दिल्ली"},
		{"बैठक दिल्ली में है", "बैठक"},
		{"shipped 🚀 to production", "🚀"},
		{"thanks ❤️ for that", "❤"},
		{"thanks ❤ for that", "❤️"},
		{"the family 👨‍👩‍👧 came", "👨‍👩‍👧"},
		{"wave 👋🏽 hello", "👋"},
		{"price is 20 € each", "€"},
		{"Häuser und Gärten", "gärten"},
		{"Häuser und Gärten", "garten"},
		{"l'école est fermée", "école"},
		{"l'école est fermée", "ecole"},
		{"mañana por la mañana", "manana"},
		{"встреча в Москве", "москве"},
		{"съёмка завтра", "съемка"},
		{"Ο ΟΔΥΣΣΕΥΣ", "οδυσσευς"},
		{"İstanbul'da buluşalım", "istanbul"},
		{"łódź jest miastem", "lodz"},
		{"Smørrebrød for lunch", "smorrebrod"},
		{"if a && b then", "a && b"},
		{"map with => arrows", "=>"},
		{`he said "quoted words" loudly`, `"quoted words"`},
		{"the quoted word", `"quoted`},
		{"salt AND pepper", "salt AND pepper"},
		{"salt OR pepper", "pepper OR"},
		{"a glob like foo* matches", "foo*"},
		{"key:value pairs", "key:value"},
		{"key:value pairs", "key: value"},
		{"unbalanced (parentheses", "(parentheses"},
		{"unbalanced parentheses", "((parentheses)"},
		{"NOT NEAR anything", "NEAR(anything"},
		{"caret ^ and tilde ~", "^caret~2"},
		{"path C:\\Users\\x", "C:\\Users"},
		{"to be or not to be, that is the question", "to be or not to be"},
		{"the who played here", "the who"},
		{"do not deploy on Friday", "don't deploy Friday"},
		{"don't deploy on Friday", "not deploy Friday"},
		{"she went to the mountains", "go to the mountains"},
		{"bought a bicycle", "buy bicycle"},
		{"children's books", "child book"},
		{"running tests", "run the test"},
		{"O'Brien called", "obrien"},
		{"O'Brien called", "O’Brien"},
		{"1,000 users", "1000"},
		{"https://example.org/docs/setup.html has it", "example.org"},
		{"https://example.org/docs/setup.html has it", "setup.html"},
		{"issue PROJ-1234 is open", "PROJ-1234"},
		{"set MAX_RETRIES=5", "max_retries"},
		{"x86_64 builds", "x86_64"},
		{"node.js is used", "node.js"},
		{"node.js is used", "node"},
		{"٣ كتب", "3"},
	} {
		t.Run(c.query+" in "+c.text, func(t *testing.T) {
			x := memory(append(slices.Clone(aroundIt), c.text)...)
			hits := x.Search(c.query, 10)
			if want := string(rune('a' + len(aroundIt))); len(hits) == 0 || hits[0].Key != want {
				t.Errorf("%q finds %v, want first %s: %q", c.query, hits, want, c.text)
			}
			_, marks := Snippet(c.query, c.text, 200)
			if len(marks) == 0 {
				t.Errorf("%q marks nothing in %q", c.query, c.text)
			}
		})
	}
}

func TestSymbolsTellLanguagesApart(t *testing.T) {
	t.Parallel()
	x := memory("written in C", "written in C++", "written in C#", "written in F#", "written in .NET")
	for query, want := range map[string]string{"C++": "b", "C#": "c", "F#": "d", ".NET": "e"} {
		if hits := x.Search(query, 10); len(hits) == 0 || hits[0].Key != want {
			t.Errorf("%s finds %v, want %s first", query, hits, want)
		}
	}
}

func TestNegationsCount(t *testing.T) {
	t.Parallel()
	x := memory("deploy on Friday with tests", "never deploy on Friday with tests", "deploy on Friday without tests")
	for query, want := range map[string]string{"never deploy on Friday": "b", "deploy without tests": "c"} {
		if hits := x.Search(query, 10); len(hits) != 3 || hits[0].Key != want {
			t.Errorf("%q finds %v, want %s first", query, hits, want)
		}
	}
}

func TestFunctionWordsFindNothingBesideOthers(t *testing.T) {
	t.Parallel()
	x := memory("where is the one that was there", "the deploy day is Thursday")
	if got := keys(x.Search("when is the deploy", 10)); !slices.Equal(got, []string{"b"}) {
		t.Errorf("got %v", got)
	}
}

func TestAQueryOfOnlyFunctionWordsFinds(t *testing.T) {
	t.Parallel()
	x := memory("what he said", "play the who record", "to be or not to be", "not today")
	for query, want := range map[string]string{"the who": "b", "to be or not to be": "c"} {
		if hits := x.Search(query, 10); len(hits) == 0 || hits[0].Key != want {
			t.Errorf("%q finds %v, want %s first", query, hits, want)
		}
	}
}

func TestALanguagesNameWithItsVersionIsFoundBeforeItsLookalikes(t *testing.T) {
	t.Parallel()
	x := memory("The C# bindings are generated", "We build with C++20 everywhere", "plain C code")
	for query, want := range map[string]string{"C++": "b", "C++?": "b", "c++20": "b", "C#": "a"} {
		if hits := x.Search(query, 10); len(hits) == 0 || hits[0].Key != want {
			t.Errorf("%q finds %v, want %s first", query, hits, want)
		}
	}
}

func TestADoubledLetterAtTheEndIsATypoLikeOthers(t *testing.T) {
	t.Parallel()
	x := memory("The database is Postgres", "Business hours are nine to five")
	for query, want := range map[string]string{"postgress": "a", "businesss": "b", "postgrse": "a"} {
		if hits := x.Search(query, 10); len(hits) != 1 || hits[0].Key != want {
			t.Errorf("%q finds %v, want %s", query, hits, want)
		}
	}
}

func TestFunctionWordsFindNothingWhereTheTellingWordIsNowhere(t *testing.T) {
	t.Parallel()
	x := memory("my editor is vim", "standup is at 9:30", "not on Friday")
	for _, query := range []string{"when is lunch", "what is the xylophone"} {
		if hits := x.Search(query, 10); len(hits) > 0 {
			t.Errorf("%q finds %v", query, hits)
		}
	}
}

func TestAnEmptyQueryFindsNothing(t *testing.T) {
	t.Parallel()
	x := memory(aroundIt...)
	for _, q := range []string{"", " ", "\n\t", "\u3000", "\x00", "\xff\xfe", "()", "\"\"", "***"} {
		if hits := x.Search(q, 10); len(hits) != 0 {
			t.Errorf("%q finds %v", q, hits)
		}
	}
	if hits := x.Search("deploy", 0); hits != nil {
		t.Errorf("limit 0 gives %v", hits)
	}
	if hits := New().Search("deploy", 10); hits != nil {
		t.Errorf("an empty index gives %v", hits)
	}
}

func TestAVeryLongQueryStillFinds(t *testing.T) {
	t.Parallel()
	x := memory(append(slices.Clone(aroundIt), "zebra crossing")...)
	var b strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&b, "filler%d the deploy ", i)
	}
	b.WriteString("zebra")
	hits := x.Search(b.String(), 10)
	if !slices.Contains(keys(hits), "g") || !slices.Contains(keys(hits), "a") {
		t.Errorf("got %v", hits)
	}
}

func TestABeginningOrATypoFindsWhenNothingExactDoes(t *testing.T) {
	t.Parallel()
	x := memory("kubernetes cluster upgrade", "the authentication service", "receive the payments", "cube of sugar")
	for query, want := range map[string]string{
		"kube": "a", "kubernets": "a", "kubrenetes": "a", "kubernetse cluster": "a",
		"authentcation": "b", "authen": "b", "recieve": "c", "paymants": "c", "cubee": "d",
	} {
		if hits := x.Search(query, 10); len(hits) == 0 || hits[0].Key != want {
			t.Errorf("%q finds %v, want %s first", query, hits, want)
		}
	}
	if hits := x.Search("zzzz", 10); len(hits) != 0 {
		t.Errorf("a word like no other finds %v", hits)
	}
}

func TestAnExactWordIsNeverReplacedByWordsLikeIt(t *testing.T) {
	t.Parallel()
	x := memory("a cat", "a cats-eye", "a car", "a category")
	if got := keys(x.Search("car", 10)); !slices.Equal(got, []string{"c"}) {
		t.Errorf("got %v", got)
	}
}

func TestKeysAndDescriptionsFindToo(t *testing.T) {
	t.Parallel()
	x := New()
	x.Put(Document{Key: "deploy/release-day", Value: "Thursday"})
	x.Put(Document{Key: "n1", Description: "how we roll back", Value: "run the script"})
	x.Put(Document{Key: "n2", Value: "run the other script"})
	for query, want := range map[string]string{"release": "deploy/release-day", "deploy": "deploy/release-day", "deploy/release-day": "deploy/release-day", "roll back": "n1"} {
		if hits := x.Search(query, 10); len(hits) == 0 || hits[0].Key != want {
			t.Errorf("%q finds %v, want %s", query, hits, want)
		}
	}
}

func TestEqualScoresAreOrderedByTimeThenKey(t *testing.T) {
	t.Parallel()
	x := New()
	for i, key := range []string{"d", "b", "c", "a"} {
		x.Put(Document{Key: key, Value: "the same words", Updated: time.Unix(int64(1e9+i/2*1e6), 0)})
	}
	if got := keys(x.Search("words", 10)); !slices.Equal(got, []string{"a", "c", "b", "d"}) {
		t.Errorf("got %v", got)
	}
}

func TestManyEqualDocumentsGiveTheNewest(t *testing.T) {
	t.Parallel()
	x := New()
	for i := range 1000 {
		x.Put(Document{Key: fmt.Sprint("k", i), Value: "the same words", Updated: time.Unix(int64(1e9+i*1e5), 0)})
	}
	if got := keys(x.Search("words", 3)); !slices.Equal(got, []string{"k999", "k998", "k997"}) {
		t.Errorf("got %v", got)
	}
}

func TestNumbersInKeysAreFound(t *testing.T) {
	t.Parallel()
	x := New()
	x.Put(Document{Key: "tickets/ops-12345", Value: "the disk is full"})
	x.Put(Document{Key: "tickets/ops-12399", Value: "the disk is slow"})
	x.Put(Document{Key: "tickets/ops-7", Value: "the disk is new"})
	for query, want := range map[string]string{"12345": "tickets/ops-12345", "ops-12399": "tickets/ops-12399",
		"tickets/ops-12345": "tickets/ops-12345", "disk 12399": "tickets/ops-12399", "ops 7": "tickets/ops-7"} {
		if hits := x.Search(query, 10); len(hits) == 0 || hits[0].Key != want {
			t.Errorf("%q finds %v, want %s first", query, hits, want)
		}
	}
}
