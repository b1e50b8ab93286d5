package memstore

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzMapStrings rewrites strings of any JSON: the values that are no strings,
// the names and the order stay.
func FuzzMapStrings(f *testing.F) {
	for _, s := range []string{`{"a":"x","b":["x",1.50,{"x":"x\"\\"}]}`, `"x"`, `[]`, `{"a":{"x":null}}`, `"\u0078\\"`, `{"x":"y","x":"x"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		same, err := mapStrings(json.RawMessage(text), func(s string) string { return s })
		if (err == nil) != json.Valid([]byte(text)) {
			t.Fatalf("%q answers %v", text, err)
		}
		if err != nil {
			return
		}
		if string(same) != text {
			t.Errorf("nothing was to change, and %q became %q", text, same)
		}
		upper := func(s string) string { return s + "!" }
		got, err := mapStrings(json.RawMessage(text), upper)
		if err != nil {
			t.Fatal(err)
		}
		var before, after any
		if json.Unmarshal([]byte(text), &before) != nil || json.Unmarshal(got, &after) != nil {
			t.Fatalf("%q became %q", text, got)
		}
		if want := mapped(before, upper); !reflect.DeepEqual(after, want) {
			t.Errorf("%q became %q", text, got)
		}
	})
}

func mapped(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = mapped(v[i], f)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = mapped(e, f)
		}
		return out
	}
	return v
}

func TestAPurgedOperationKeepsItsKeysAndLosesItsTexts(t *testing.T) {
	t.Parallel()
	plan := json.RawMessage(`{"id":"p","operations":[
		{"id":"1","kind":"merge","sources":[{"key":"straße/ü","version":"r_1"}],"survivor":{"key":"b","version":"r_2"},
		 "before":[{"key":"straße/ü","value":"secret","description":"secret","provenance":{"writer":"model","source":"secret"}}],
		 "after":{"key":"b","value":"b and secret"},"reason":"secret"},
		{"id":"2","kind":"retire","sources":[{"key":"c","version":"r_3"}],"reason":"kept"}],
		"undecided":[{"keys":["d","straße/ü"],"reason":"secret"}]}`)
	got, changed, err := erasePlan(plan, "straße/ü")
	if err != nil || !changed {
		t.Fatal(changed, err)
	}
	s := string(got)
	if strings.Contains(s, "secret") {
		t.Errorf("the plan still has the text: %s", s)
	}
	for _, kept := range []string{"straße/ü", "r_1", "r_2", "kept", `"writer":"model"`} {
		if !strings.Contains(s, kept) {
			t.Errorf("the plan lost %s: %s", kept, s)
		}
	}
	if _, changed, err := erasePlan(plan, "nothing/of/it"); changed || err != nil {
		t.Errorf("another key changed it, or %v", err)
	}
}
