package files

import (
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"reverie/memstore"
)

func TestTheSampleOfTheFormatIsReadAndWrittenByteForByte(t *testing.T) {
	t.Parallel()
	text := `---
name: release-day
description: Releases go out on Fridays after the 14:00 standup
kind: convention
updated: 2026-10-25T12:00:00+00:00
---

We only tag releases on Fridays, after the 14:00 standup, so support is around on Monday.
`
	f, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	eq(t, "the name", f.Name, "release-day")
	eq(t, "the kind", f.Kind, "convention")
	eq(t, "the value", f.Value, "We only tag releases on Fridays, after the 14:00 standup, so support is around on Monday.")
	e := memstore.Entry{Key: f.Name, Value: f.Value, Description: f.Description, Kind: memstore.Kind(f.Kind), Updated: f.Updated.UTC()}
	eq(t, "written again", string(Render(e, nil)), text)
}

func TestFormsOfFilesThatPeopleAndEditorsWrite(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, value, description, kind, typ string }{
		"CR LF":                        {"---\r\nname: a\r\ndescription: d\r\n---\r\n\r\none\r\ntwo\r\n", "one\ntwo", "d", "", ""},
		"a byte order mark":            {byteOrderMark + "---\nname: a\n---\n\none\n", "one", "", "", ""},
		"no final newline":             {"---\nname: a\n---\n\none", "one", "", "", ""},
		"no blank line":                {"---\nname: a\n---\none\n", "one", "", "", ""},
		"no frontmatter":               {"one\n\ntwo\n", "one\n\ntwo", "", "", ""},
		"a plain note of CR LF":        {"one\r\ntwo\r\n", "one\ntwo", "", "", ""},
		"an empty frontmatter":         {"---\n---\n\none\n", "one", "", "", ""},
		"only comments":                {"---\n# nothing\n---\n\none\n", "one", "", "", ""},
		"a rule in the text":           {"---\nname: a\n---\n\none\n---\ntwo\n", "one\n---\ntwo", "", "", ""},
		"a colon in a description":     {"---\nname: a\ndescription: Mind: the gap\n---\n\none\n", "one", "Mind: the gap", "", ""},
		"a quoted description":         {"---\ndescription: 'it''s'\n---\n\none\n", "one", "it's", "", ""},
		"a folded description":         {"---\ndescription: >\n  one\n  two\n---\n\none\n", "one", "one two", "", ""},
		"a type":                       {"---\nname: a\ntype: feedback\n---\n\none\n", "one", "", "", "feedback"},
		"a type under metadata":        {"---\nname: a\nmetadata:\n  type: project\n---\n\none\n", "one", "", "", "project"},
		"a name that looks a number":   {"---\nname: 2024\nkind: gotcha\n---\n\none\n", "one", "", "gotcha", ""},
		"fences with trailing spaces":  {"--- \nname: a\n---\t\n\none\n", "one", "", "", ""},
		"a description that is a null": {"---\ndescription:\n---\n\none\n", "one", "", "", ""},
	} {
		f, err := Parse([]byte(c.text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got := [4]string{f.Value, f.Description, f.Kind, f.Type}
		if want := [4]string{c.value, c.description, c.kind, c.typ}; got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestWhatIsNoFrontmatterIsRefusedWithItsLineAndWithoutItsText(t *testing.T) {
	t.Parallel()
	for text, line := range map[string]int{
		"---\nname: a\nno end\n":                   1,
		"---\nname: [secretword\n---\n\none\n":     0,
		"---\n- secretword\n---\n\none\n":          2,
		"---\n{name: a, x: secretword}\n---\none":  2,
		"---\nname: a\nname: secretword\n---\none": 3,
		"---\nname: [a, secretword]\n---\none":     2,
		"---\nupdated: secretword\n---\none":       2,
		"---\n? secretword\n: b\n---\none":         2,
		"\xff\xfe":                                 0,
	} {
		_, err := Parse([]byte(text))
		bad, ok := err.(*FormatError)
		if !ok {
			t.Errorf("%q: the error is %v", text, err)
			continue
		}
		if line > 0 && bad.Line != line || strings.Contains(err.Error(), "secretword") {
			t.Errorf("%q: line %d, %v; want line %d", text, bad.Line, err, line)
		}
	}
}

func TestTimesAreKeptWithTheirOffset(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 3, 1, 8, 30, 0, 0, time.UTC)
	for _, s := range []string{"2026-03-01T10:00:00+01:30", "2026-03-01T08:30:00Z", "2026-03-01 08:30:00", `"2026-03-01T08:30"`, "2026-03-01T08:30:00.000+0000"} {
		text := "---\nname: a\nupdated: " + s + "\n---\n\none\n"
		f, err := Parse([]byte(text))
		if err != nil || !f.Updated.Equal(want) {
			t.Errorf("%s: %v, %v", s, f.Updated, err)
			continue
		}
		e := memstore.Entry{Key: "a", Value: "two", Updated: want}
		if got := string(Render(e, &f)); !strings.Contains(got, "updated: "+s+"\n") {
			t.Errorf("the same time is written as\n%s", got)
		}
	}
}

func TestAFileOfCRLFStaysOne(t *testing.T) {
	t.Parallel()
	f, err := Parse([]byte("---\r\nname: a\r\ntags: [x]\r\n---\r\n\r\none\r\n"))
	if err != nil {
		t.Fatal(err)
	}
	e := memstore.Entry{Key: "a", Value: "two\nthree"}
	eq(t, "the file", string(Render(e, &f)), "---\r\nname: a\r\ntags: [x]\r\n---\r\n\r\ntwo\r\nthree\r\n")
	e.Value = "two\r\nthree\rfour"
	back, err := Parse(Render(e, &f))
	if err != nil {
		t.Fatal(err)
	}
	eq(t, "a value with CRs", back.Value, e.Value)
}

func TestOnlyWhatChangedIsWrittenAnew(t *testing.T) {
	t.Parallel()
	old := "---\n# top\nupdated: \"2026-03-01T08:30:00Z\"\nx-mine: {a: 1,   b: 'two'}\ndescription: 'same'\nname: 'A'\n# end\n---\n\none\n"
	f, err := Parse([]byte(old))
	if err != nil {
		t.Fatal(err)
	}
	e := memstore.Entry{Key: "a", Value: "two", Description: "same", Kind: memstore.Note, Updated: time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)}
	want := "---\n# top\nupdated: 2026-04-01T00:00:00+00:00\nx-mine: {a: 1,   b: 'two'}\ndescription: 'same'\nname: 'A'\nkind: note\n# end\n---\n\ntwo\n"
	eq(t, "the file", string(Render(e, &f)), want)
	e.Description = ""
	if got := string(Render(e, &f)); strings.Contains(got, "description") {
		t.Errorf("the description is still there:\n%s", got)
	}
}

// sameEntry fails the test where a rendered entry does not come back.
func sameEntry(t *testing.T, e memstore.Entry, old *File) {
	t.Helper()
	b := Render(e, old)
	f, err := Parse(b)
	if err != nil {
		t.Fatalf("%q does not parse: %v", b, err)
	}
	if f.Name == "" || !nameIs(f.Name, e.Key) || f.Value != e.Value || f.Description != e.Description || f.Kind != string(e.Kind) || !f.Updated.Equal(e.Updated) {
		t.Errorf("%q came back as %+v, want %+v", b, f, e)
	}
}

func TestEveryValueComesBackAsItWas(t *testing.T) {
	t.Parallel()
	for _, v := range []string{
		"one", "one\n", "one\n\n\n", "\n\none", " one ", "---\none", "---", "---\nname: b\n---\n\none", "one\r\n", "a\rb\r", "\r\none\r\n",
		"\ttab", "…", "日本語\n", "\ufeffx", "عربي", "a\u2028b", "<<<<<<< mine\n", "# heading", "\x01",
	} {
		sameEntry(t, memstore.Entry{Key: "a/b", Value: v, Description: v[:0], Kind: memstore.Gotcha, Updated: time.UnixMicro(1_700_000_000_123_456).UTC()}, nil)
	}
}

func FuzzRenderedEntriesParseToThemselves(f *testing.F) {
	f.Add("deploy/day", "On Fridays.", "When: deploys", int64(1_700_000_000_123_456), "---\nname: x\ntags: [a]\n---\n\nold\n")
	f.Add("a", "---\nx\n---\n", "- # 'it\"s'", int64(0), "plain\r\nnote\r\n")
	f.Add("true", "\r\n", "null", int64(-1), "---\r\ndescription: >\r\n  a\r\nkind: note\r\n---\r\nx")
	f.Fuzz(func(t *testing.T, key, value, description string, micros int64, before string) {
		k, err := memstore.Key(key)
		if err != nil {
			return
		}
		updated := time.UnixMicro(micros).UTC()
		if y := updated.Year(); y < 0 || y > 9999 || updated.IsZero() {
			return
		}
		m, err := memstore.NewPlain(memstore.Project).Remember(t.Context(), memstore.RememberRequest{Key: k, Value: value, Description: description, Updated: updated, Provenance: person})
		if err != nil {
			return
		}
		sameEntry(t, m.Entry, nil)
		old, err := Parse([]byte(before))
		if err != nil {
			return
		}
		sameEntry(t, m.Entry, &old)
	})
}

func FuzzForeignKeysSurviveRewriting(f *testing.F) {
	f.Add("---\ntags: [x]\nname: a\n# c\nowner: {b: 1}\n---\n\none\n")
	f.Add("---\nlong: |\n  # no comment\n\n  text\nkind: note\n\n# c\n---\nx")
	f.Add("---\r\n\"quoted key\": 'v'\r\nupdated: 2020-01-01\r\n---\r\n\r\nx\r\n")
	f.Fuzz(func(t *testing.T, text string) {
		old, err := Parse([]byte(text))
		if err != nil || old.Plain {
			return
		}
		b := Render(memstore.Entry{Key: "k", Value: "v", Kind: memstore.Note, Updated: time.Unix(0, 0).UTC()}, &old)
		now, err := Parse(b)
		if err != nil {
			t.Fatalf("%q became %q: %v", text, b, err)
		}
		foreign := func(f File) string {
			var all strings.Builder
			for _, it := range f.head {
				if it.key != "" && it.key != "name" && it.key != "description" && it.key != "kind" && it.key != "updated" {
					all.WriteString(it.raw)
				}
			}
			return all.String()
		}
		if got, want := foreign(now), foreign(old); strings.TrimRight(got, "\n") != strings.TrimRight(want, "\n") {
			t.Errorf("%q became %q: foreign keys are %q, were %q", text, b, got, want)
		}
	})
}

func FuzzScalarsAreWhatYAMLReads(f *testing.F) {
	for _, s := range []string{"plain", "a: b", "yes", "- x", "#", "\"", "\\", "\u0085", "é", "1.5", "a #b", "~", "\U000e0041"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ToValidUTF8(s, "") != s || s == "" {
			return
		}
		var got map[string]string
		if err := yaml.Unmarshal([]byte("x: "+scalar(s)+"\n"), &got); err != nil || got["x"] != s {
			t.Errorf("%q is read as %q, %v", scalar(s), got["x"], err)
		}
	})
}
