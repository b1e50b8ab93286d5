package milvustest

import (
	"slices"
	"testing"
)

func TestTextsThatMeanTheSameAreCloseAndOthersAreNot(t *testing.T) {
	t.Parallel()
	at := func(a, b string) float64 {
		var x, y []float64
		for _, f := range Vector(a, 256) {
			x = append(x, float64(f))
		}
		for _, f := range Vector(b, 256) {
			y = append(y, float64(f))
		}
		return similarity(x, y)
	}
	if got := at("we ship on Friday", "when is the weekend rollout"); got < 0.99 {
		t.Errorf("the same meaning in other words has the similarity %v", got)
	}
	if got := at("we ship on Friday", "orders live in Postgres"); got > 0.4 {
		t.Errorf("something else has the similarity %v", got)
	}
	if !slices.Equal(Vector("the same text", 64), Vector("the same text", 64)) {
		t.Error("the same text has two vectors")
	}
}

func TestFiltersThatAreNotWellFormedAreRefused(t *testing.T) {
	t.Parallel()
	for _, s := range []string{`key`, `key ==`, `key == x`, `key == "a`, `(key == "a"`, `key == "a")`, `key == "a" and`, `key == 'a'`,
		`in ["a"]`, `key in "a"`, `key in ["a"`, `key == "a" key == "b"`, "key == \"a\nb\"", `key == "\q"`} {
		if _, err := parseFilter(s); err == nil {
			t.Errorf("%s is read", s)
		}
	}
	match, err := parseFilter(`not (a == "1" or b in ["2", "3"]) and c != "4"`)
	if err != nil {
		t.Fatal(err)
	}
	for want, fields := range map[bool]map[string]string{true: {"a": "0", "b": "1"}, false: {"b": "3"}} {
		if match(fields) != want {
			t.Errorf("%v matches: %v", fields, !want)
		}
	}
}
