package stories

import (
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnImportSavesWhatItCanAndListsWhatItRefused(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	rows := strings.Join([]string{
		`{"key":"deploy/day","value":"Fridays only","kind":"convention","updated":"2026-03-01T10:00:00Z"}`,
		`{"key":"ci/runner","value":"CI runs on arm64"}`,
		`{"key":"ci/runner","value":"CI runs on arm64"}`,
		`{"key":"bad key!","value":"x"}`,
		`{"key":"no/value"}`,
		`not json`,
		``,
		`{"key":"secret","value":"the password is hun` + `ter2-and-more"}`,
		`{"key":"kind","value":"x","kind":"poem"}`,
	}, "\n")
	r := p.runs(rows, "memory", "import", "-", "--json").answers(p, 5)
	var got struct {
		Saved, Unchanged int
		Refused          []struct {
			Line       int
			Key, Error string
		}
	}
	if err := json.Unmarshal([]byte(r.out), &got); err != nil {
		t.Fatalf("%v: %s", err, r.out)
	}
	if got.Saved != 2 || got.Unchanged != 1 || len(got.Refused) != 5 {
		t.Fatalf("the report is %s", r.out)
	}
	lines := map[int]bool{}
	for _, x := range got.Refused {
		lines[x.Line] = true
		if x.Error == "" || strings.Contains(x.Error, "ter2") {
			t.Errorf("a refusal says %q", x.Error)
		}
	}
	for _, n := range []int{4, 5, 6, 8, 9} {
		if !lines[n] {
			t.Errorf("line %d is not among the refused: %s", n, r.out)
		}
	}
	p.runs("", "memory", "show", "deploy/day", "--json").answers(p, 0, `"updated": "2026-03-01T10:00:00Z"`, `"writer": "file"`, `"origin": "imported"`)
}

func TestAnExportWithHistoryBringsEveryRevisionElsewhere(t *testing.T) {
	t.Parallel()
	p, q := newPerson(t), newPerson(t)
	p.runs("", "memory", "add", "a/b", "one").answers(p, 0)
	p.runs("", "memory", "add", "a/b", "two").answers(p, 0)
	p.runs("", "memory", "undo", "a/b").answers(p, 0)
	p.runs("", "memory", "add", "c", "gone").answers(p, 0)
	p.runs("", "memory", "forget", "c").answers(p, 0)
	all := p.runs("", "memory", "export", "--history").answers(p, 0).out
	q.runs(all, "memory", "import", "-").answers(q, 0, "5 saved")
	if there := q.runs("", "memory", "export", "--history").answers(q, 0).out; there != all {
		t.Errorf("exported again:\n%s\nwant\n%s", there, all)
	}
	q.runs(all, "memory", "import", "-").answers(q, 0, "0 saved, 5 unchanged")
	q.runs("", "memory", "undo", "c").answers(q, 0, "gone")
}

func TestAPurgedMemoryIsInNoFileAnyMore(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	const text = "zanzibarquokka"
	p.runs("", "-p", "+ project/codename: "+text).answers(p, 0)
	r := p.runs("", "memory", "search", "codename", "--json").answers(p, 0, text)
	var hits []struct{ Key string }
	if err := json.Unmarshal([]byte(r.out), &hits); err != nil || len(hits) != 1 {
		t.Fatalf("%v: %s", err, r.out)
	}
	if len(p.filesWith(text)) == 0 {
		t.Fatal("the text is in no file to begin with")
	}
	p.runs("no\n", "memory", "purge", hits[0].Key).answers(p, 5).complains(p, "nothing was erased")
	p.runs("", "memory", "purge", hits[0].Key).answers(p, 0, "purged").complains(p, "git history")
	if left := p.filesWith(text); len(left) > 0 {
		t.Errorf("the text is still in %v", left)
	}
	p.runs("", "memory", "history", hits[0].Key).answers(p, 0, "(purged)")
	p.runs("", "memory", "undo", hits[0].Key).answers(p, 1)
}

// filesWith are the files of the person's home that hold a text.
func (p *person) filesWith(text string) []string {
	p.t.Helper()
	return p.filesIn(p.home, text)
}

// filesIn are the files below a folder that hold a text.
func (p *person) filesIn(dir, text string) []string {
	p.t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), text) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return found
}

func TestTheMemoryOfAMovedProjectIsAdopted(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs("", "memory", "add", "a", "one").answers(p, 0)
	old := p.work
	p.work = old + "-moved"
	if err := os.Rename(old, p.work); err != nil {
		t.Fatal(err)
	}
	p.runs("", "memory").answers(p, 0).complains(p, "Nothing is remembered")
	p.runs("", "memory", "adopt", old+"-never").answers(p, 3)
	p.runs("", "memory", "adopt", old).answers(p, 0, "1 entries")
	p.runs("", "memory", "show", "a").answers(p, 0, "one")
	p.runs("", "memory", "adopt", old).answers(p, 1).complains(p, "not empty")
}

func TestAnEarlierStateIsRestoredByItsVersion(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	r := p.runs("", "memory", "add", "a", "one", "--json").answers(p, 0)
	var e struct{ Version string }
	if err := json.Unmarshal([]byte(r.out), &e); err != nil {
		t.Fatal(err)
	}
	p.runs("", "memory", "add", "a", "two").answers(p, 0)
	p.runs("", "memory", "restore", "a", e.Version).answers(p, 0, "one")
	p.runs("", "memory", "restore", "a", "r_zzzzzzzzzzzz").answers(p, 3)
}

func TestACheckFindsAFlippedBitAndRecoversTheRest(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	dir := filepath.Join(t.TempDir(), "m")
	run := func(args ...string) result {
		return p.runs("", append([]string{"memory", "--memory-dir", dir, "--scope", "project"}, args...)...)
	}
	run("add", "good", "this one stays").answers(p, 0)
	run("add", "bad", "the quick brown marmoset").answers(p, 0)
	run("check").answers(p, 0, "in order", "2 entries")
	file := filepath.Join(dir, "memory.db")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(b), "brown marmoset")
	if at < 0 {
		t.Fatal("the text is not in the file; was it checkpointed?")
	}
	b[at] ^= 1
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	run("check").answers(p, 1, "DAMAGED", "bad")
	run("check", "--repair").answers(p, 1, "recovered", "lost: bad")
	if after, err := os.ReadFile(file); err != nil || string(after) != string(b) {
		t.Errorf("the damaged file was changed (%v)", err)
	}
}

func TestAFullOutputIsAFailure(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("there is no /dev/full here")
	}
	p := newPerson(t)
	p.runs("", "memory", "add", "a", "one").answers(p, 0)
	for _, args := range [][]string{{"memory", "list"}, {"memory", "show", "a"}, {"memory", "where"}, {"config", "show"}, {"--help"}, {"-p", "what is a?"}} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(binary, args...)
		cmd.Dir, cmd.Env, cmd.Stdout = p.work, p.environment(), full
		err = cmd.Run()
		full.Close()
		if code := cmd.ProcessState.ExitCode(); code != 1 {
			t.Errorf("%v on a full output exits with %d (%v)", args, code, err)
		}
	}
}

func TestTheSameValueAgainKeepsItsDescription(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs("", "memory", "add", "a", "one", "--description", "about one").answers(p, 0)
	p.runs("", "memory", "add", "a", "one").answers(p, 0, "unchanged")
	p.runs("", "memory", "add", "a", "two").answers(p, 0, "remembered")
	p.runs("", "memory", "show", "a", "--json").answers(p, 0, `"description": ""`)
}

func TestAnImportTakesNoRowForWhatItIsNot(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	rows := strings.Join([]string{
		`{"key":"a","value":"half \ud800 a pair"}`,
		`{"key":"b","value":"whole \ud83d\ude00 pair"}`,
		`{"key":"c","value":"gone","forgotten":true}`,
		`{"key":"d","value":"mine","scope":"user"}`,
		`{"key":"e","value":"x","updated":"yesterday"}`,
		`{"key":"f","value":"x","op":"remember","recorded":"2026-01-01T00:00:00Z"}`,
	}, "\n")
	p.runs(rows, "memory", "import", "-").answers(p, 5, "1 saved", "line 1", "line 3", "line 4", "line 5", "line 6", "--scope user")
	p.runs("", "memory", "forget", "b").answers(p, 0)
	p.runs(`{"key":"b","value":"back"}`, "memory", "import", "-").answers(p, 5, "--revive")
	p.runs(`{"key":"b","value":"back"}`, "memory", "import", "-", "--revive").answers(p, 0, "1 saved")
}
