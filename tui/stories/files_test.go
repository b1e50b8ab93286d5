package stories

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func (p *person) memoryFile(key string) string {
	return filepath.Join(p.work, ".reverie", "memory", filepath.FromSlash(key)+".md")
}

func (p *person) reads(file string) string {
	p.t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(b)
}

func TestASharedMemoryIsEditedDeletedAndPulledAsFiles(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs("", "memory", "sync").answers(p, 3).complains(p, "memory share")
	p.runs("", "memory", "add", "deploy/day", "We deploy on Fridays only", "--kind", "convention").answers(p, 0)
	p.runs("", "memory", "share").answers(p, 0, "written", "deploy/day")
	file := p.memoryFile("deploy/day")
	if text := p.reads(file); !strings.Contains(text, "name: deploy/day") || !strings.Contains(text, "kind: convention") || !strings.Contains(text, "We deploy on Fridays only") {
		t.Fatalf("the file is\n%s", text)
	}
	if text := p.reads(filepath.Join(p.work, ".reverie", "REVERIE.md")); !strings.Contains(text, "deploy/day") {
		t.Fatalf("REVERIE.md is\n%s", text)
	}

	// An editor changes the text.
	p.writes(file, strings.Replace(p.reads(file), "Fridays", "Thursdays", 1))
	p.runs("", "memory", "search", "when do we deploy").answers(p, 0, "Thursdays")
	p.runs("", "memory", "history", "deploy/day", "--json").answers(p, 0, `"writer": "file"`, `"origin": "edited"`)

	// A colleague's memory arrives, as a plain note.
	p.writes(p.memoryFile("ci/runner"), "CI runs on arm64\n")
	p.runs("", "memory", "show", "ci/runner").answers(p, 0, "CI runs on arm64")

	// What the command line writes reaches its file.
	p.runs("", "memory", "add", "team/size", "Seven people").answers(p, 0)
	if text := p.reads(p.memoryFile("team/size")); !strings.Contains(text, "Seven people") {
		t.Errorf("the file is\n%s", text)
	}

	// A deleted file is a forget, with its history.
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	p.runs("", "memory", "show", "deploy/day").answers(p, 3).complains(p, "forgotten")
	p.runs("", "memory", "undo", "deploy/day").answers(p, 0, "Thursdays")
	if text := p.reads(file); !strings.Contains(text, "Thursdays") {
		t.Errorf("after undo the file is\n%s", text)
	}

	// A file that is no memory is named with the reason and left alone.
	p.writes(p.memoryFile("broken"), "---\nname: another\n---\n\ntext\n")
	p.runs("", "memory", "list").answers(p, 0).complains(p, "1 file", "sync")
	p.runs("", "memory", "sync").answers(p, 0, "no memory", "broken.md", "name inside")
	p.runs("", "memory", "purge", "ci/runner").answers(p, 0)
	if _, err := os.Stat(p.memoryFile("ci/runner")); err == nil {
		t.Error("the file of a purged memory is still there")
	}
}

func TestARunningChatSeesAnEditedFileAndWritesItsOwn(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs("", "memory", "add", "deploy/day", "We deploy on Fridays only").answers(p, 0)
	p.runs("", "memory", "share").answers(p, 0)
	s := p.starts()
	s.See("project 1")
	file := p.memoryFile("deploy/day")
	p.writes(file, strings.Replace(p.reads(file), "Fridays", "Mondays", 1))
	s.See("deploy/day")
	s.Say("when do we deploy?").See("Mondays only")
	s.Say("remember that the standup is at nine").See("* remembered")
	deadline := time.Now().Add(20 * time.Second)
	for len(p.filesIn(filepath.Join(p.work, ".reverie", "memory"), "standup is at nine")) == 0 {
		if time.Now().After(deadline) {
			t.Fatal("what was said in the chat has no file")
		}
		time.Sleep(20 * time.Millisecond)
	}
	s.Say("/quit").Ends(0)
}

func TestAPlainFolderOfFilesIsAMemoryWithoutHistory(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.settings("[memory]\nstore = \"files\"\n")
	p.runs("", "memory", "add", "deploy/day", "We deploy on Fridays only").answers(p, 0)
	if !strings.Contains(p.reads(p.memoryFile("deploy/day")), "Fridays only") {
		t.Error("the entry is in no file")
	}
	p.runs("", "memory", "search", "deploy").answers(p, 0, "deploy/day")
	p.runs("", "memory", "history", "deploy/day").answers(p, 1).complains(p, "no history")
	p.runs("", "dream", "--json").answers(p, 0, `"available": false`, "history")
	p.runs("", "-p", "when do we deploy?").answers(p, 0, "Fridays only")
	r := p.runs("", "-p", "hello", "--json", "--show-context").answers(p, 0)
	if strings.Contains(r.out, "UndoMemory") || !strings.Contains(r.out, "SearchMemory") {
		t.Error("tools that need history are offered")
	}
	p.runs("", "memory", "forget", "deploy/day").answers(p, 0)
	if _, err := os.Stat(p.memoryFile("deploy/day")); err == nil {
		t.Error("a forgotten entry's file is still there")
	}
}

func TestAnotherProgramsFolderIsTakenOver(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	dir := filepath.Join(t.TempDir(), ".malac", "memory")
	p.writes(filepath.Join(dir, "release-day.md"), "---\nname: release-day\ndescription: Releases go out on Fridays\nkind: convention\nupdated: 2026-10-25T12:00:00+00:00\n---\n\nWe only tag releases on Fridays.\n")
	p.writes(filepath.Join(dir, "MEMORY.md"), "# generated\n")
	p.runs("", "memory", "import", dir, "--dry-run").answers(p, 0, "release-day", "convention")
	p.runs("", "memory", "list", "--json").answers(p, 0, "[]")
	p.runs("", "memory", "import", dir)
	r := p.runs("", "memory", "show", "release-day", "--json").answers(p, 0)
	var e struct {
		Kind, Description, Updated string
	}
	if err := json.Unmarshal([]byte(r.out), &e); err != nil || e.Kind != "convention" || e.Updated != "2026-10-25T12:00:00Z" || e.Description == "" {
		t.Errorf("%v: %s", err, r.out)
	}
}

func TestADamagedBaseOfTheFilesIsMadeAnewAndForgetsNothing(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs("", "memory", "add", "a", "one").answers(p, 0)
	p.runs("", "memory", "add", "b", "two").answers(p, 0)
	p.runs("", "memory", "share").answers(p, 0)
	bases, err := filepath.Glob(filepath.Join(p.home, ".local/share/reverie/projects/*/mirror.db"))
	if err != nil || len(bases) != 1 {
		t.Fatalf("%v, %v", bases, err)
	}
	p.writes(bases[0], "")
	if err := os.Remove(p.memoryFile("b")); err != nil {
		t.Fatal(err)
	}
	p.runs("", "memory", "list").answers(p, 0, "one", "two").complains(p, "made anew")
	p.runs("", "memory", "list").answers(p, 0, "one", "two")
}

func TestAPurgeNamesWhereTheTextIsStillAndIsNotDone(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs("", "memory", "add", "a", "the text to be erased").answers(p, 0)
	p.runs("", "memory", "share").answers(p, 0)
	p.settings("[memory]\nfiles = \"off\"\n")
	p.runs("", "memory", "purge", "a").answers(p, 1).complains(p, "pending", "a.md")
	p.settings("")
	p.runs("", "memory", "purge", "a").answers(p, 0)
	if left := p.filesIn(p.work, "to be erased"); len(left) > 0 {
		t.Errorf("the text is still in %v", left)
	}
}

func TestSharingAgainAfterTheFolderVanishedForgetsNothing(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.runs("", "memory", "add", "a", "one").answers(p, 0)
	p.runs("", "memory", "add", "b", "two").answers(p, 0)
	p.runs("", "memory", "share").answers(p, 0)
	if err := os.RemoveAll(filepath.Join(p.work, ".reverie")); err != nil {
		t.Fatal(err)
	}
	p.runs("", "memory", "share").answers(p, 0, "written")
	p.runs("", "memory", "list").answers(p, 0, "one", "two")
	for _, key := range []string{"a", "b"} {
		if err := os.Remove(p.memoryFile(key)); err != nil {
			t.Fatal(err)
		}
	}
	p.runs("", "memory", "list").answers(p, 0, "one", "two").complains(p, "--restore")
	p.runs("", "memory", "sync", "--restore").answers(p, 0, "written")
	if !strings.Contains(p.reads(p.memoryFile("a")), "one") {
		t.Error("the file was not written again")
	}
}
