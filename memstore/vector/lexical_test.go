package vector_test

import (
	"fmt"
	"strings"
	"testing"

	"reverie/memstore"
	"reverie/memstore/vector"
)

// library is a memory with some facts and two stores.
func library(t testing.TB) (project, user memstore.Store) {
	t.Helper()
	project, user = memstore.NewPlain(memstore.Project), memstore.NewPlain(memstore.User)
	for key, value := range map[string]string{
		"release-day":     "Releases go out on Fridays after the standup.",
		"database/orders": "Orders live in Postgres, schema in db/orders.sql.",
		"test/flaky":      "The checkout test is flaky on Windows; run it twice.",
		"build/cache":     "The build cache lies in .cache and may be deleted.",
		"api/limits":      "The payment API allows a hundred requests a minute.",
		"deploy/staging":  "Staging deploys from the main branch at every merge.",
		"zh":              "数据库备份在星期五晚上运行。",
	} {
		save(t, project, key, value)
	}
	save(t, user, "user/editor", "Prefers vim with two spaces, never tabs.")
	save(t, user, "user/answers", "Wants short answers in German.")
	return project, user
}

func TestWordsRecallWhatAPromptIsAbout(t *testing.T) {
	t.Parallel()
	l := vector.NewLexical(library(t))
	for prompt, want := range map[string]string{
		"On which day do releases go out?":                "p:release-day",
		"where does the orders schema for Postgres live":  "p:database/orders",
		"set up vim with two spaces please":               "u:user/editor",
		"the flaky checkout test fails on windows again":  "p:test/flaky",
		"数据库备份什么时候运行":                                     "p:zh",
		"how many requests a minute does the payment API": "p:api/limits",
	} {
		m, err := l.Recall(t.Context(), prompt, 5)
		if got := names(m); err != nil || got != want {
			t.Errorf("%q recalls %q, %v; want %s", prompt, got, err, want)
		}
	}
}

func TestWordsStayQuietWhereNothingIsMeant(t *testing.T) {
	t.Parallel()
	l := vector.NewLexical(library(t))
	for _, prompt := range []string{
		"Write a function that reverses a linked list in Rust.",
		"what is it that you and I would do with this",
		"Rename the variable in the parser and run the linter.",
		"fix the test",   // too few of anything
		"Relases ou on?", // words that are only alike
		"Explain the difference between orders of magnitude and logarithms",
		"今天天气怎么样呢朋友", "short", "",
	} {
		m, err := l.Recall(t.Context(), prompt, 5)
		if err != nil || len(m) != 0 {
			t.Errorf("%q recalls %s, %v; want nothing", prompt, names(m), err)
		}
	}
}

func TestWordsRecallUpToTheLimitAndFive(t *testing.T) {
	t.Parallel()
	s := memstore.NewPlain(memstore.Project)
	for i := range 9 {
		save(t, s, fmt.Sprintf("note-%d", i), "The blue harbour crane squeaks.")
	}
	l := vector.NewLexical(s, nil)
	for limit, want := range map[int]int{1: 1, 5: 5, 50: 5, 0: 0, -1: 0} {
		m, err := l.Recall(t.Context(), "why does the blue harbour crane squeak", limit)
		if err != nil || len(m) != want {
			t.Errorf("limit %d recalls %d, %v; want %d", limit, len(m), err, want)
		}
		for _, match := range m {
			if match.Similarity <= 0 || match.Similarity > 1.000001 {
				t.Errorf("the share is %v", match.Similarity)
			}
		}
	}
}

func TestAVeryLongPromptIsNoProblemForWords(t *testing.T) {
	t.Parallel()
	l := vector.NewLexical(library(t))
	if _, err := l.Recall(t.Context(), strings.Repeat("some pasted log line 4711 and more; ", 3000), 5); err != nil {
		t.Error(err)
	}
}
