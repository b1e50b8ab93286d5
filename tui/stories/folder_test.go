package stories

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnAgentFolderWithMemoryKeepsNotesInItsThreadAndNowhereElse(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	dir := filepath.Join(p.work, "bot")
	p.writes(filepath.Join(dir, "agent.toml"), "[agent]\nmodel = \"offline\"\nmemory = true\n")
	run := []string{"--agent", dir, "-p"}
	r := p.runs("", append(run, "remember I don't care about Dependabot PRs", "--json")...).answers(p, 0)
	var first answer
	if err := json.Unmarshal([]byte(r.out), &first); err != nil {
		t.Fatal(err)
	}
	if len(first.Calls) != 1 || first.Calls[0].Name != "remember" {
		t.Fatalf("the calls are %+v", first.Calls)
	}
	p.runs("", append(run, "  remember I don't care about Dependabot PRs  ", "--continue")...).answers(p, 0)
	got := p.runs("", "threads", "export", first.Thread).answers(p, 0).out
	var exported struct {
		History []any
		State   map[string]json.RawMessage
	}
	if err := json.Unmarshal([]byte(got), &exported); err != nil {
		t.Fatalf("%v: %s", err, got)
	}
	var notes []string
	if err := json.Unmarshal(exported.State["memory.notes"], &notes); err != nil || len(notes) != 1 {
		t.Fatalf("the notes are %s", exported.State["memory.notes"])
	}
	r = p.runs("", append(run, "list", "--continue", "--json", "--show-context")...).answers(p, 0)
	if !strings.Contains(r.out, "# Remembered") || !strings.Contains(r.out, "Dependabot") {
		t.Errorf("the notes are not before the model: %s", r.out)
	}
	r = p.runs("", append(run, "list", "--json", "--show-context")...).answers(p, 0)
	if strings.Contains(r.out, "Dependabot") {
		t.Errorf("the notes appear in another thread: %s", r.out)
	}
	p.runs("", "memory").answers(p, 0).complains(p, "Nothing is remembered")
	p.runs("", "memory", "add", "x", "y", "--scope", "thread").answers(p, 2)
}

func TestTheNotesOfTheLatestConversationAreListed(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	dir := filepath.Join(p.work, "bot")
	p.writes(filepath.Join(dir, "agent.toml"), "[agent]\nmodel = \"offline\"\nmemory = true\n")
	p.runs("", "--agent", dir, "-p", "remember I don't care about Dependabot PRs").answers(p, 0)
	p.runs("", "memory", "list", "--scope", "thread").answers(p, 0, "Dependabot")
	p.runs("", "memory", "search", "dependabot", "--scope", "thread").answers(p, 0, "Dependabot")
}

func TestAConversationMovesToAnotherMachine(t *testing.T) {
	t.Parallel()
	p, q := newPerson(t), newPerson(t)
	p.runs("", "-p", "remember that we deploy on Fridays only").answers(p, 0)
	r := p.runs("", "threads", "list", "--json").answers(p, 0)
	var list []struct{ ID, Title string }
	if err := json.Unmarshal([]byte(r.out), &list); err != nil || len(list) != 1 {
		t.Fatalf("%v: %s", err, r.out)
	}
	exported := p.runs("", "threads", "export", list[0].ID).answers(p, 0).out
	q.runs(exported, "threads", "import", "-").answers(q, 0, "imported")
	q.runs("", "threads", "list").answers(q, 0, "remember that we deploy on Fridays only")
	p.runs("", "threads", "delete", list[0].ID).answers(p, 0, "deleted")
	p.runs("", "threads", "show", list[0].ID).answers(p, 3)
}
