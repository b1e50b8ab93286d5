package stories

import (
	"encoding/json"
	"strings"
	"testing"
)

const twice = `{"key":"release/day","value":"Releases go out on Thursday after the standup"}
{"key":"notes/release","value":"Releases go out on Thursday, after the standup."}
{"key":"ci/arch","value":"CI runs on amd64","updated":"2026-01-01"}
{"key":"ci/runner","value":"CI now runs on arm64 instead of amd64","updated":"2026-03-01"}
{"key":"team/size","value":"The team has seven people"}
`

func TestADreamIsShownApprovedAndUndoneFromTheShell(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs(twice, "memory", "import", "-").answers(p, 0, "5 saved")
	type plan struct {
		Available  bool
		Considered int
		Operations []struct {
			Kind     string
			Sources  []struct{ Key, Version string }
			Survivor struct{ Key, Version string }
			Before   []map[string]any
			After    map[string]any
			Reason   string
		}
		Receipt *struct{ Planned, Applied, Conflicted, Failed, Skipped int }
	}
	dream := func(args ...string) (d plan) {
		r := p.runs("", append([]string{"dream", "--json"}, args...)...).answers(p, 0)
		if err := json.Unmarshal([]byte(r.out), &d); err != nil {
			t.Fatalf("%v: %s", err, r.out)
		}
		return d
	}
	d := dream()
	if !d.Available || d.Considered != 5 || len(d.Operations) != 2 || d.Receipt != nil {
		t.Fatalf("the plan is %+v", d)
	}
	p.runs("", "memory", "list", "--json").answers(p, 0, "ci/arch") // looking changes nothing
	d = dream("--approve")
	if r := d.Receipt; r == nil || r.Planned != 2 || r.Applied != 2 {
		t.Fatalf("the receipt is %+v", d.Receipt)
	}
	left := p.runs("", "memory", "list").answers(p, 0, "ci/runner", "team/size").out
	if strings.Contains(left, "ci/arch") || strings.Count(left, "release") != 1 {
		t.Errorf("left are\n%s", left)
	}
	p.runs("", "memory", "history", "ci/arch").answers(p, 0, "consolidated")
	var receipts []struct{ ID string }
	r := p.runs("", "dream", "receipts", "--json").answers(p, 0)
	if err := json.Unmarshal([]byte(r.out), &receipts); err != nil || len(receipts) != 1 {
		t.Fatalf("%v: %s", err, r.out)
	}
	p.runs("", "dream", "--undo", receipts[0].ID).answers(p, 0, "undone")
	p.runs("", "memory", "list").answers(p, 0, "ci/arch", "release/day", "notes/release")
	if d = dream("--scope", "user"); !d.Available || len(d.Operations) != 0 {
		t.Errorf("an empty memory's plan is %+v", d)
	}
	if d = dream("--no-memory"); d.Available {
		t.Error("a dream is offered without memory")
	}
}

func TestAScheduleRetiresExactDuplicatesOnly(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs(twice, "memory", "import", "-").answers(p, 0)
	p.runs(`{"key":"release/again","value":"Releases go out on Thursday after the standup"}`, "memory", "import", "-").answers(p, 0)
	r := p.runs("", "-p", "hello", "--memory-consolidate-interval", "24h").answers(p, 0).complains(p, "duplicate")
	p.runs("", "dream", "receipts").answers(p, 0, "approved by system")
	left := p.runs("", "memory", "list").answers(p, 0, "ci/arch", "ci/runner").out
	if n := strings.Count(left, "after the standup"); n != 1 {
		t.Errorf("%d of three that say the same are left:\n%s\n%s", n, left, r.err)
	}
	// The next one is not due.
	p.runs(`{"key":"release/more","value":"Releases go out on Thursday after the standup"}`, "memory", "import", "-").answers(p, 0)
	p.runs("", "-p", "hello", "--memory-consolidate-interval", "24h").answers(p, 0)
	p.runs("", "memory", "list").answers(p, 0, "release/more")
}

func TestAPlanIsReviewedInThePaneAndApprovedByADeliberateKey(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs(twice, "memory", "import", "-").answers(p, 0)
	s := p.startsIn(120, 32)
	s.See("project 5").Say("/dream").See("2 operations", "A approve all")
	s.Press("enter", "space").Quiet(800e6)
	s.NotSee("RECEIPT")
	s.Press("A").See("not viewed")
	s.Quiet(900e6).Press("A").See("RECEIPT", "2 applied")
	s.Quiet(500e6).Press("U").See("UNDONE")
	s.Press("q").NotSee("DREAM").Say("/quit").Ends(0)
	p.runs("", "memory", "list").answers(p, 0, "ci/arch", "notes/release")
}
