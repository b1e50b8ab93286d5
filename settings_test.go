package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

var update = flag.Bool("update", false, "write docs/settings.md anew")

const settingsPage = `# Settings

Your settings are in the file that ` + "`reverie config path`" + ` names; ` + "`reverie config default`" + ` prints this as a file to start from, and ` + "`reverie config show`" + ` what holds and where each value came from. A project's own ` + "`.reverie/config.toml`" + ` can set only ` + "`model`, `theme` (by name), `mouse` and `plain`" + `.

`

func TestTheSettingsPageIsThatOfTheDeclaredSettings(t *testing.T) {
	t.Parallel()
	want := settingsPage + "```toml\n" + defaultFile() + "```\n"
	if *update {
		if err := os.WriteFile("docs/settings.md", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("docs/settings.md")
	if err != nil || string(got) != want {
		t.Errorf("docs/settings.md is stale (%v); go test . -run SettingsPage -update writes it", err)
	}
}

func TestTheDefaultFileHoldsOnlyKnownSettingsWithTheirDefaults(t *testing.T) {
	t.Parallel()
	// With its settings uncommented it must be read without a complaint.
	var lines []string
	for line := range strings.Lines(defaultFile()) {
		rest, ok := strings.CutPrefix(line, "# ")
		key, _, is := strings.Cut(rest, " = ")
		if ok && (is && !strings.ContainsAny(key, " .") || strings.HasPrefix(rest, "[")) {
			line = rest
		}
		lines = append(lines, line)
	}
	var tree map[string]any
	text := strings.Join(lines, "")
	if err := toml.Unmarshal([]byte(text), &tree); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	l := layer{origin: "default", values: map[string]string{}}
	if err := flatten(l, "", tree); err != nil {
		t.Fatal(err)
	}
	for _, s := range declared {
		path := strings.NewReplacer("keys.*", "keys.ACTION", "*", "NAME").Replace(s.path)
		if got, ok := l.values[path]; !ok || got != s.def {
			t.Errorf("%s = %q, want %q", path, got, s.def)
		}
	}
}

func TestLaterLayersWinAndProjectsReachNoFurtherThanThemselves(t *testing.T) {
	t.Parallel()
	st := merge([]layer{
		{origin: "user", values: map[string]string{"theme": "dawn", "permissions.forget": "deny", "model": "offline"}},
		{origin: "project", project: true, values: map[string]string{"theme": "mono", "permissions.forget": "allow", "memory.dir": "/x"}},
		{origin: "flags", values: map[string]string{"model": "openai/x"}},
	})
	for path, want := range map[string][2]string{
		"theme": {"mono", "project"}, "permissions.forget": {"deny", "user"}, "model": {"openai/x", "flags"},
		"memory.dir": {"", "default"}, "memory.enabled": {"true", "default"},
	} {
		if got := [2]string{st.values[path], st.origins[path]}; got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	if len(st.warnings) != 2 {
		t.Errorf("warnings %v", st.warnings)
	}
	st = merge([]layer{{origin: "project", project: true, values: map[string]string{"theme": "/etc/some.toml"}}})
	if st.text("theme") != "auto" || len(st.warnings) != 1 {
		t.Errorf("a project's path holds: %v, %v", st.text("theme"), st.warnings)
	}
}

func TestAnIntervalIsATimeOrDaysOrNothing(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"0": "0s", "24h": "24h0m0s", "7d": "168h0m0s", "90m": "1h30m0s"} {
		if d, err := parseInterval(in); err != nil || d.String() != want {
			t.Errorf("%q is %v, %v", in, d, err)
		}
	}
	for _, in := range []string{"", "soon", "-1h", "10s", "7x", "-3d"} {
		if d, err := parseInterval(in); err == nil {
			t.Errorf("%q is %v", in, d)
		}
	}
}

func TestHalfASurrogatePairIsNoCharacter(t *testing.T) {
	t.Parallel()
	for in, bad := range map[string]bool{
		`"\ud800"`: true, `"\udc00"`: true, `"\ud800x"`: true, `"\ud800\u0041"`: true,
		`"\ud83d\ude00"`: false, `"\\ud800"`: false, `"é"`: false, `"\u00e9"`: false, `"\`: false, `"\u12`: false,
	} {
		if got := surrogates([]byte(in)) != nil; got != bad {
			t.Errorf("%s: %v", in, got)
		}
	}
}
