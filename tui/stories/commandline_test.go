package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnUnknownWordExitsWithTwoAndNamesTheNearest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--modle", "offline"}, "did you mean --model?"},
		{[]string{"memroy"}, "did you mean memory?"},
		{[]string{"memory", "serach", "x"}, "did you mean search?"},
		{[]string{"memory", "list", "--jsn"}, "did you mean --json?"},
		{[]string{"memory", "add", "a", "b", "--kind", "desicion"}, "did you mean decision?"},
		{[]string{"memory", "list", "--scope", "projct"}, "did you mean project?"},
		{[]string{"memory", "show"}, "memory show KEY"},
		{[]string{"--memory-consolidate-interval", "soon"}, "24h"},
		{[]string{"completion", "tcsh"}, "bash, zsh or fish"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			p := newPerson(t)
			r := p.runs("", c.args...)
			r.answers(p, 2).complains(p, c.want)
			if n := strings.Count(strings.TrimSpace(r.err), "\n"); n != 0 {
				t.Fatalf("more than one line: %s", r.err)
			}
		})
	}
}

func TestAnUnknownSettingExitsWithTwoAndNamesTheNearest(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.settings("[memory]\nenabeld = false\n")
	p.runs("", "memory").answers(p, 2).complains(p, "memory.enabeld", "did you mean memory.enabled?")
}

func TestAProjectsSettingsCantReachBeyondTheProject(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.writes(filepath.Join(p.work, ".reverie", "config.toml"), "theme = \"mono\"\n[memory]\ndir = \"/tmp/elsewhere\"\n[permissions]\nforget = \"allow\"\n")
	r := p.runs("", "config", "show").answers(p, 0, "mono")
	r.complains(p, "memory.dir", "permissions.forget", "ignored")
	if strings.Contains(r.out, "elsewhere") || strings.Contains(r.out, "allow") {
		t.Fatalf("a project's setting holds: %s", r.out)
	}
}

func TestMemoryIsSavedListedFoundShownForgottenAndBroughtBackFromTheShell(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs("", "memory", "add", "Deploy/Day", "We deploy on Fridays only", "--kind", "convention").answers(p, 0, "remembered  project deploy/day")
	p.runs("from a pipe\n", "memory", "add", "notes/pipe", "-").answers(p, 0)
	p.runs("", "memory").answers(p, 0, "deploy/day", "We deploy on Fridays only", "notes/pipe")

	var entries []map[string]any
	r := p.runs("", "memory", "list", "--json").answers(p, 0)
	if err := json.Unmarshal([]byte(r.out), &entries); err != nil || len(entries) != 2 {
		t.Fatalf("%v: %s", err, r.out)
	}
	e := entries[0]
	for _, field := range []string{"scope", "key", "value", "description", "kind", "version", "created", "updated", "forgotten", "provenance"} {
		if _, ok := e[field]; !ok {
			t.Errorf("an entry lacks %q: %v", field, e)
		}
	}
	if e["key"] != "deploy/day" || e["kind"] != "convention" || e["provenance"].(map[string]any)["writer"] != "user" {
		t.Errorf("the entry is %v", e)
	}
	version := e["version"].(string)

	p.runs("", "memory", "search", "when", "do", "we", "deploy?").answers(p, 0, "deploy/day")
	p.runs("", "memory", "show", "deploy/day").answers(p, 0, "We deploy on Fridays only").complains(p, version, "user, explicit")
	p.runs("", "memory", "add", "deploy/day", "Thursdays", "--expected-version", version).answers(p, 0)
	p.runs("", "memory", "add", "deploy/day", "Mondays", "--expected-version", version).answers(p, 4).complains(p, "user")
	p.runs("", "memory", "add", "deploy/day", "Mondays", "--expected-version", "none").answers(p, 4)
	p.runs("", "memory", "forget", "deploy/day").answers(p, 0, "forgotten")
	p.runs("", "memory", "show", "deploy/day").answers(p, 3).complains(p, "forgotten")
	p.runs("", "memory", "search", "deploy").answers(p, 0).complains(p, "Nothing")
	p.runs("", "memory", "undo", "deploy/day").answers(p, 0, "Thursdays")
	p.runs("", "memory", "undo", "deploy/day").answers(p, 0, "Fridays")
	p.runs("", "memory", "undo", "deploy/day").answers(p, 0, "forgotten")
	p.runs("", "memory", "undo", "deploy/day").answers(p, 1).complains(p, "nothing to undo")

	var revs []map[string]any
	r = p.runs("", "memory", "history", "deploy/day", "--json").answers(p, 0)
	if err := json.Unmarshal([]byte(r.out), &revs); err != nil || len(revs) != 6 {
		t.Fatalf("%v: %d revisions: %s", err, len(revs), r.out)
	}
	if revs[0]["op"] != "undo" || revs[0]["undoes"] != revs[1]["version"] || revs[0]["recorded"] == nil {
		t.Errorf("the newest revision is %v", revs[0])
	}
	p.runs("", "memory", "show", "never/was").answers(p, 3)
	p.runs("", "memory", "add", "no spaces please", "x").answers(p, 5).complains(p, "key")
	p.runs(strings.Repeat("x", 65<<10), "memory", "add", "big", "-").answers(p, 5).complains(p, "65536")
	p.runs("", "memory", "list", "--scope", "user", "--json").answers(p, 0, "[]")
}

func TestASearchReadsAQueryALineAndAnswersAnArrayALine(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs("", "memory", "add", "ci/runner", "CI runs on arm64")
	p.runs("", "memory", "add", "user/editor", "Prefers vim", "--scope", "user")
	r := p.runs("arm64\nvim editor\n\nxyzzyplugh\n", "memory", "search", "--json", "-").answers(p, 0)
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	if len(lines) != 4 {
		t.Fatalf("%d lines: %s", len(lines), r.out)
	}
	var hits [4][]map[string]any
	for i, line := range lines {
		if err := json.Unmarshal([]byte(line), &hits[i]); err != nil {
			t.Fatalf("line %d: %v", i, err)
		}
	}
	if len(hits[0]) != 1 || hits[0][0]["key"] != "ci/runner" || len(hits[1]) != 1 || hits[1][0]["scope"] != "user" || len(hits[2])+len(hits[3]) != 0 {
		t.Fatalf("answers: %s", r.out)
	}
}

func TestADamagedMemoryIsNamedAndLeftAsItIs(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	dir := filepath.Join(t.TempDir(), "m")
	file := filepath.Join(dir, "memory.db")
	p.writes(file, "this is no database, and it is longer than the header of one would be, which is a hundred bytes and then some more")
	before, _ := os.ReadFile(file)
	p.runs("", "memory", "add", "a", "b", "--memory-dir", dir).answers(p, 1).complains(p, file)
	if after, _ := os.ReadFile(file); string(after) != string(before) {
		t.Fatal("the damaged file was changed")
	}
	asDir := filepath.Join(t.TempDir(), "d")
	if err := os.MkdirAll(filepath.Join(asDir, "memory.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	p.runs("", "memory", "--memory-dir", asDir).answers(p, 1).complains(p, "memory.db", "directory")
}

func TestAQuestionOnTheCommandLineIsAnsweredOnStandardOutput(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs("", "-p", "remember that we deploy on Fridays only").answers(p, 0)
	p.runs("", "-p", "when do we deploy?").answers(p, 0, "deploy on Fridays only")

	var got struct {
		Thread, Text, Model string
		Turn                int
		Usage               any
		ToolCalls           []struct {
			Name             string
			Arguments        any
			Result, ErrorMsg any
		} `json:"tool_calls"`
	}
	r := p.runs("", "-p", "when do we deploy?", "--json").answers(p, 0)
	if err := json.Unmarshal([]byte(r.out), &got); err != nil {
		t.Fatalf("%v: %s", err, r.out)
	}
	if got.Model != "offline" || got.Turn != 1 || got.Thread == "" || len(got.ToolCalls) == 0 || !strings.Contains(got.Text, "Fridays") {
		t.Fatalf("answer: %s", r.out)
	}
}

func TestWithoutATerminalTheChatIsPlainLinesWithoutEscapeCodes(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	r := p.runs("remember that we deploy on Fridays only\nwhen do we deploy?\n").answers(p, 0, "remembered", "deploy on Fridays only")
	if strings.ContainsRune(r.out+r.err, '\x1b') {
		t.Fatalf("an escape code: %q", r.out)
	}
}

// settings writes the person's settings file.
func (p *person) settings(toml string) {
	p.t.Helper()
	p.writes(filepath.Join(p.home, ".config", "reverie", "config.toml"), toml)
}

func (p *person) writes(file, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
}

func TestTheShellCompletesKeysAndTheWordsOfFlags(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs("", "memory", "add", "deploy/day", "Fridays").answers(p, 0)
	p.runs("", "__complete", "memory", "show", "dep").answers(p, 0, "deploy/day")
	p.runs("", "__complete", "memory", "add", "x", "y", "--kind", "").answers(p, 0, "convention")
	p.runs("", "completion", "zsh").answers(p, 0, "compdef")
}
