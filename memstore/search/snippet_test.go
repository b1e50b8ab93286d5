package search

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func marked(snippet string, marks [][2]int) (out []string) {
	for _, m := range marks {
		out = append(out, snippet[m[0]:m[1]])
	}
	return out
}

func TestASnippetShowsTheBestCluster(t *testing.T) {
	t.Parallel()
	text := "The deploy was talked about at length. " + strings.Repeat("Nothing of note happened here. ", 20) +
		"In the end the deploy\nwas moved to   Thursday by the team. " + strings.Repeat("More of the same followed. ", 20)
	got, marks := Snippet("when was the deploy moved to Thursday?", text, 60)
	if n := utf8.RuneCountInString(got); n > 60 {
		t.Errorf("%d runes: %q", n, got)
	}
	if !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") || strings.ContainsAny(got, "\n\r\t") {
		t.Errorf("%q", got)
	}
	if want := []string{"deploy", "moved", "Thursday"}; !slices.Equal(marked(got, marks), want) {
		t.Errorf("marked %q in %q, want %q", marked(got, marks), got, want)
	}
}

func TestSnippetsMarkTheOriginalText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		query, text string
		want        []string
	}{
		{"cafe", "we met at the Café.", []string{"Café"}},
		{"cafe", "we met at the Cafe\u0301.", []string{"Cafe\u0301"}},
		{"strasse", "in der Straße 5", []string{"Straße"}},
		{"deployed", "deploys deploying", []string{"deploys", "deploying"}},
		{"bar", "call fooBar now", []string{"Bar"}},
		{"b.go", "in src/a/b.go there", []string{"b.go"}},
		{"北京", "我们在北京开会", []string{"北京"}},
		{"kubernets", "the kubernetes cluster", []string{"kubernetes"}},
		{"kube", "the kubernetes cluster", []string{"kubernetes"}},
		{"the", "the end", []string{"the"}},
		{"the end", "the end", []string{"end"}},
		{"nothing here", "some text", nil},
		{"fine", "a ﬁne day", []string{"ﬁne"}},
		{"don't", "do not", []string{"do", "not"}},
	} {
		got, marks := Snippet(c.query, c.text, 100)
		if !slices.Equal(marked(got, marks), c.want) {
			t.Errorf("%q marks %q in %q, want %q", c.query, marked(got, marks), got, c.want)
		}
	}
}

func TestASnippetWithoutHitsIsTheBeginning(t *testing.T) {
	t.Parallel()
	got, marks := Snippet("zebra", strings.Repeat("some words ", 30), 25)
	if got != "some words some words…" || marks != nil {
		t.Errorf("%q %v", got, marks)
	}
	if got, _ := Snippet("x", "anything", 0); got != "" {
		t.Errorf("room for nothing gives %q", got)
	}
}

// checkSnippet fails unless a snippet keeps what Snippet promises.
func checkSnippet(t *testing.T, query, text string, max int) {
	t.Helper()
	got, marks := Snippet(query, text, max)
	if n := utf8.RuneCountInString(got); n > max {
		t.Errorf("%d runes, at most %d: %q", n, max, got)
	}
	if !utf8.ValidString(got) || strings.ContainsAny(got, "\n\r\t") {
		t.Errorf("not one line of valid text: %q", got)
	}
	end := 0
	for _, m := range marks {
		if m[0] < end || m[1] <= m[0] || m[1] > len(got) {
			t.Fatalf("marks %v of %q", marks, got)
		}
		if !utf8.RuneStart(got[m[0]]) || m[1] < len(got) && !utf8.RuneStart(got[m[1]]) {
			t.Fatalf("mark %v cuts a character of %q", m, got)
		}
		end = m[1]
	}
}
