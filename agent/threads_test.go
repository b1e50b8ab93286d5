package agent

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"reverie/agent/model"
	"reverie/memstore"
	"reverie/memstore/guard"
)

// reopen closes a conversation and takes its thread up again.
func reopen(t *testing.T, c *Conversation) *Conversation {
	t.Helper()
	cfg := c.cfg
	cfg.Thread = c.ID()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	return open(t, cfg)
}

func TestAThreadGoesOnWhereItWas(t *testing.T) {
	t.Parallel()
	m := script(say("Hi."), calls(call("remember", `{"note":"likes tea"}`)), say("Noted."))
	c := whole(t, m, func(cfg *Config) { cfg.Vocabulary = Notes })
	send(t, c, "hello there\nsecond line")
	send(t, c, "I like tea")
	before, err := json.Marshal(c.History())
	if err != nil {
		t.Fatal(err)
	}
	c = reopen(t, c)
	after, err := json.Marshal(c.History())
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(before, after) {
		t.Errorf("the history was\n%s\nand is\n%s", before, after)
	}
	if c.Title() != "hello there" || c.Turn() != 2 || c.Unfinished() || len(c.Notes()) != 1 {
		t.Errorf("title %q, turn %d, unfinished %v, notes %v", c.Title(), c.Turn(), c.Unfinished(), c.Notes())
	}
	send(t, c, "and?")
	if got := m.last(t); len(got.Messages) != 7 || !strings.Contains(got.Volatile, "likes tea") {
		t.Errorf("it goes on with %d messages and\n%s", len(got.Messages), got.Volatile)
	}
}

func TestTheMessageIsStoredBeforeTheModelIsAsked(t *testing.T) {
	t.Parallel()
	var c *Conversation
	m := script(func(ctx context.Context, _ model.Request, _ func(model.Delta)) (model.Answer, error) {
		h, err := c.cfg.Threads.Messages(ctx, c.ID())
		if err != nil || len(h) != 1 || h[0].Text != "hello" {
			t.Errorf("stored are %+v, %v", h, err)
		}
		return model.Answer{Message: model.Message{Text: "hi"}}, nil
	})
	c = whole(t, m)
	if list, err := c.cfg.Threads.List(t.Context(), 0); err != nil || len(list) != 0 {
		t.Errorf("a thread without a message is stored: %v, %v", list, err)
	}
	send(t, c, "hello")
}

func TestThreadsAreListedFoundRenamedAndDeleted(t *testing.T) {
	t.Parallel()
	c := whole(t, script(say("First answer.")))
	send(t, c, "first thread")
	other := open(t, c.cfg)
	send(t, other, "second thread")
	th := c.cfg.Threads
	list, err := th.List(t.Context(), 0)
	if err != nil || len(list) != 2 || list[0].ID != other.ID() || list[1].Title != "first thread" || list[1].Preview != "First answer." || list[1].Turns != 1 || list[1].Model != "test/scripted" {
		t.Fatalf("the list is %+v, %v", list, err)
	}
	if l, err := th.Latest(t.Context()); err != nil || l.ID != other.ID() {
		t.Errorf("the latest is %+v, %v", l, err)
	}
	if err := c.Rename(t.Context(), "Release plan"); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{c.ID(), c.ID()[:8], "release PLAN"} {
		if i, err := th.Find(t.Context(), ref); err != nil || i.ID != c.ID() {
			t.Errorf("%q finds %+v, %v", ref, i, err)
		}
	}
	var missing *ThreadNotFoundError
	for _, ref := range []string{"", "nothing", "t"} {
		if _, err := th.Find(t.Context(), ref); !errors.As(err, &missing) {
			t.Errorf("%q finds, %v", ref, err)
		}
	}
	var used *InUseError
	if err := th.Delete(t.Context(), c.ID()); !errors.As(err, &used) {
		t.Errorf("deleting an open thread answers %v", err)
	}
	id := c.ID()
	c.Close()
	if err := th.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := th.Delete(t.Context(), id); !errors.As(err, &missing) {
		t.Errorf("deleting it again answers %v", err)
	}
	for _, file := range []string{th.Path(), th.Path() + "-wal"} {
		if b, err := os.ReadFile(file); err == nil && bytes.Contains(b, []byte("First answer")) {
			t.Errorf("%s still holds what was deleted", filepath.Base(file))
		}
	}
}

func TestTheSecondConversationOnAThreadReadsOnlyAndSaysSo(t *testing.T) {
	t.Parallel()
	c := whole(t, script())
	send(t, c, "hello")
	cfg := c.cfg
	cfg.Thread = c.ID()
	second := open(t, cfg)
	if !strings.Contains(second.ReadOnly(), "open elsewhere") || len(second.History()) != 2 {
		t.Errorf("it says %q and reads %d messages", second.ReadOnly(), len(second.History()))
	}
	var used *InUseError
	if err := second.Send(t.Context(), "me too", func(Event) {}); !errors.As(err, &used) {
		t.Errorf("sending answers %v", err)
	}
	send(t, c, "the first goes on")
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	send(t, second, "now it is my turn")
	if h := second.History(); len(h) != 6 || h[2].Text != "the first goes on" || second.ReadOnly() != "" {
		t.Errorf("after the first closed it has %d messages, read-only %q", len(h), second.ReadOnly())
	}
}

// The following test runs itself as another process, which is killed in the
// middle of a turn.
const crashDir = "REVERIE_TEST_CRASH_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(crashDir); dir != "" {
		crash(dir)
		return
	}
	os.Exit(m.Run())
}

// crash runs a turn whose second tool call waits for an answer that never
// comes.
func crash(dir string) {
	ctx := context.Background()
	th, err := OpenThreads(ctx, dir, ThreadsOptions{})
	if err != nil {
		panic(err)
	}
	s, err := memstore.Open(ctx, memstore.Options{Dir: dir, Scope: memstore.Project})
	if err != nil {
		panic(err)
	}
	old, err := s.Remember(ctx, memstore.RememberRequest{Key: "old", Value: "x", Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}})
	if err != nil {
		panic(err)
	}
	m := script(calls(
		model.ToolCall{ID: "1", Name: "Remember", Arguments: `{"key":"kept","value":"finished before the crash"}`},
		model.ToolCall{ID: "2", Name: "ForgetMemory", Arguments: `{"key":"old","expected_version":"` + string(old.Entry.Version) + `"}`},
	))
	c, err := New(ctx, Config{Model: m, Project: s, Threads: th})
	if err != nil {
		panic(err)
	}
	err = c.Send(ctx, "remember this and forget the old", func(e Event) {
		if _, ok := e.(ApprovalAsked); ok {
			fmt.Println(c.ID())
		}
	})
	panic(fmt.Sprint("the turn ended: ", err))
}

func TestAfterACrashInTheMiddleOfATurnTheMessageAndFinishedCallsAreThere(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), crashDir+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	id, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	id = strings.TrimSpace(id)
	th := openThreads(t, dir)
	s, err := memstore.Open(t.Context(), memstore.Options{Dir: dir, Scope: memstore.Project})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	m := script(say("Saved; shall I forget the old one?"))
	cfg := Config{Model: m, Project: s, Threads: th, Thread: id}

	beside := open(t, cfg)
	if beside.ReadOnly() == "" || beside.Unfinished() && len(beside.History()) != 3 {
		t.Errorf("while the other lives, read-only is %q with %d messages", beside.ReadOnly(), len(beside.History()))
	}
	beside.Close()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()

	c := open(t, cfg)
	if c.ReadOnly() != "" || !c.Unfinished() {
		t.Errorf("after the crash it is read-only %q, unfinished %v", c.ReadOnly(), c.Unfinished())
	}
	h := c.History()
	if len(h) != 5 || h[0].Text != "remember this and forget the old" || h[2].Failed || !h[3].Failed || !strings.Contains(h[3].Text, "the program ended") || !h[4].Partial {
		t.Fatalf("the history is %+v", h)
	}
	if !isThere(t, s, "kept") || !isThere(t, s, "old") {
		t.Error("the finished call is lost, or the waiting one was carried out")
	}
	if err := c.Retry(t.Context(), func(Event) {}); err != nil {
		t.Fatal(err)
	}
	if h := c.History(); len(h) != 5 || h[4].Partial || c.Unfinished() {
		t.Errorf("tried again, the history is %+v", h)
	}
}

func TestANoteIsAsDurableAsTheCallThatSavedIt(t *testing.T) {
	t.Parallel()
	var c *Conversation
	m := script(calls(call("remember", `{"note":"likes tea"}`)), func(ctx context.Context, _ model.Request, _ func(model.Delta)) (model.Answer, error) {
		if notes, err := c.cfg.Threads.Notes(ctx, c.ID()); err != nil || len(notes) != 1 {
			t.Errorf("in the middle of the turn the notes are %v, %v", notes, err)
		}
		return model.Answer{Message: model.Message{Text: "Noted."}}, nil
	})
	c = whole(t, m, func(cfg *Config) { cfg.Vocabulary = Notes })
	send(t, c, "I like tea")
}

func TestACrashBetweenTheAnswerAndTheCheckpointBreaksNothingOff(t *testing.T) {
	t.Parallel()
	c := whole(t, script(say("Hi.")))
	send(t, c, "hello")
	if err := c.log.save(t.Context(), batch{turn: 1, status: turnRunning}); err != nil {
		t.Fatal(err)
	}
	c = reopen(t, c)
	if c.Unfinished() || len(c.History()) != 2 {
		t.Errorf("unfinished %v, %d messages", c.Unfinished(), len(c.History()))
	}
}

func FuzzImportNeverBreaksAThread(f *testing.F) {
	f.Add(`{"history":[{"role":"user","text":"hello"},{"role":"assistant","calls":[{"id":"1","name":"x","arguments":"{}"}]},{"role":"tool","call_id":"1"}],"state":{"memory.notes":["a"]}}`)
	f.Add(`{"history":[],"state":{}}`)
	f.Add(`{"history":[{"role":"system"}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		in, err := readExported(strings.NewReader(text))
		if err != nil {
			return
		}
		if err := checkHistory(in.History); err != nil {
			t.Errorf("%q is taken: %v", text, err)
		}
		s := sentFrom(in.History, "", 0)
		s.with("attached")
		if s.bytes < 0 || len(s.messages) != len(in.History) {
			t.Errorf("%q is sent as %+v", text, s)
		}
	})
}

func TestExportAndImportCarryAThreadToAnotherMachine(t *testing.T) {
	t.Parallel()
	m := script(calls(call("remember", `{"note":"I don't care about Dependabot PRs"}`)), say("Got it."))
	c := whole(t, m, func(cfg *Config) { cfg.Vocabulary = Notes })
	send(t, c, "remember I don't care about Dependabot PRs")
	var b bytes.Buffer
	if err := c.cfg.Threads.Export(t.Context(), c.ID(), &b); err != nil {
		t.Fatal(err)
	}
	var plain struct {
		History []map[string]any `json:"history"`
		State   map[string]any   `json:"state"`
	}
	if err := json.Unmarshal(b.Bytes(), &plain); err != nil {
		t.Fatal(err)
	}
	if len(plain.History) != 4 || plain.History[0]["role"] != "user" || fmt.Sprint(plain.State["memory.notes"]) != "[I don't care about Dependabot PRs]" {
		t.Errorf("exported is %s", b.String())
	}
	there := openThreads(t, t.TempDir())
	info, err := there.Import(t.Context(), bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if info.ID != c.ID() || info.Title != c.Title() || info.Turns != 1 {
		t.Errorf("imported is %+v", info)
	}
	cfg := c.cfg
	cfg.Threads, cfg.Thread = there, info.ID
	moved := open(t, cfg)
	send(t, moved, "anything I should look at?")
	if r := m.last(t); len(r.Messages) != 5 || !strings.Contains(r.Volatile, "# Remembered\n<memory scope=\"thread\" key=\"memory.notes/1\">I don't care about Dependabot PRs</memory>") {
		t.Errorf("it goes on with %d messages and\n%s", len(r.Messages), r.Volatile)
	}
	if again, err := there.Import(t.Context(), bytes.NewReader(b.Bytes())); err != nil || again.ID == info.ID {
		t.Errorf("imported again it is %+v, %v", again, err)
	}
}

func TestTheBareFormatIsImported(t *testing.T) {
	t.Parallel()
	th := openThreads(t, t.TempDir())
	info, err := th.Import(t.Context(), strings.NewReader(`{"history":[{"role":"user","text":"hello"},{"role":"assistant","text":"hi"}],"state":{"memory.notes":["a"]}}`))
	if err != nil || info.Title != "hello" || info.ID == "" {
		t.Fatalf("imported is %+v, %v", info, err)
	}
	if notes, err := th.Notes(t.Context(), info.ID); err != nil || len(notes) != 1 {
		t.Errorf("notes are %v, %v", notes, err)
	}
}

func TestAMessageMayHaveItsTextAsContent(t *testing.T) {
	t.Parallel()
	th := openThreads(t, t.TempDir())
	info, err := th.Import(t.Context(), strings.NewReader(`{"history":[{"role":"user","content":"what is it?"},
		{"role":"assistant","content":null,"calls":[{"id":"1","name":"Recall","arguments":"{}"}]},{"role":"tool","call_id":"1","content":"{}"},
		{"role":"assistant","text":"that","content":"that"},{"role":"user","content":"and?"},{"role":"assistant","partial":true}]}`))
	if err != nil || info.Title != "what is it?" {
		t.Fatalf("imported is %+v, %v", info, err)
	}
	h, err := th.Messages(t.Context(), info.ID)
	if err != nil || len(h) != 6 || h[0].Text != "what is it?" || h[2].Text != "{}" || h[3].Text != "that" {
		t.Errorf("messages are %+v, %v", h, err)
	}
}

func TestAnEmptyMessageIsNotImportedAndItsPlaceIsNamed(t *testing.T) {
	t.Parallel()
	th := openThreads(t, t.TempDir())
	for _, m := range []string{`{"role":"user"}`, `{"role":"user","text":" \n"}`, `{"role":"user","content":""}`, `{"role":"assistant","reasoning":"hm"}`} {
		_, err := th.Import(t.Context(), strings.NewReader(`{"history":[{"role":"user","text":"hello"},`+m+`]}`))
		if err == nil || !strings.Contains(err.Error(), "message 2") {
			t.Errorf("%s: %v", m, err)
		}
	}
}

func TestNotesAreImportedAsTheyWouldHaveBeenSaved(t *testing.T) {
	t.Parallel()
	th := openThreads(t, t.TempDir())
	info, err := th.Import(t.Context(), strings.NewReader(`{"history":[],"state":{"memory.notes":[" tea at four ","","tea at four","no sugar"]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if notes, err := th.Notes(t.Context(), info.ID); err != nil || !slices.Equal(notes, []string{"tea at four", "no sugar"}) {
		t.Errorf("notes are %q, %v", notes, err)
	}
	_, err = th.Import(t.Context(), strings.NewReader(`{"state":{"memory.notes":["tea","the wifi password is `+madeUp+`"]}}`))
	var held *guard.Refusal
	if !errors.As(err, &held) || !strings.Contains(err.Error(), "note 2") || strings.Contains(err.Error(), madeUp) {
		t.Errorf("a secret: %v", err)
	}
	_, err = th.Import(t.Context(), strings.NewReader(`{"state":{"memory.notes":["`+strings.Repeat("x", memstore.MaxValue+1)+`"]}}`))
	var limit *memstore.LimitError
	if !errors.As(err, &limit) {
		t.Errorf("too long: %v", err)
	}
	if list, err := th.List(t.Context(), 0); err != nil || len(list) != 1 {
		t.Errorf("%d threads, %v", len(list), err)
	}
}

func TestWhatIsNoThreadIsNotImported(t *testing.T) {
	t.Parallel()
	th := openThreads(t, t.TempDir())
	for _, text := range []string{
		"", "x", "[]", "{}", `{"history":[]} x`,
		`{"history":[{"role":"system","text":"obey"}]}`,
		`{"history":[{"role":"tool","call_id":"1","text":"{}"}]}`,
		`{"history":[{"role":"assistant","calls":[{"id":"","name":"x"}]}]}`,
		`{"history":[],"state":{"memory.notes":"a"}}`,
		`{"history":[{"role":"user","text":"x","content":"y"}]}`,
		`{"history":[{"role":"user","content":[1]}]}`,
		`{"history":[{"role":"user","calls":[{"id":"1","name":"x","arguments":"{}"}]}]}`,
	} {
		if i, err := th.Import(t.Context(), strings.NewReader(text)); err == nil {
			t.Errorf("%q is imported as %+v", text, i)
		}
	}
	if list, err := th.List(t.Context(), 0); err != nil || len(list) > 0 {
		t.Errorf("there are %v, %v", list, err)
	}
}

func TestAPurgeLeavesNothingOfAMemoryInTheThreads(t *testing.T) {
	t.Parallel()
	m := script(
		calls(call("Remember", `{"key":"deploy/day","value":"We deploy on <Fridays> only, says Kim.","description":"Kim's day"}`)), say("Saved: we deploy on <Fridays> only, says Kim."),
		calls(call("SearchMemory", `{"query":"deploy"}`), call("Remember", `{"key":"other","value":"stays as it is"}`)), say("As Kim said."),
	)
	c := whole(t, m)
	send(t, c, "remember that we deploy on <fridays> only, says Kim")
	send(t, c, "when? and remember the other")
	bystander := open(t, c.cfg)
	send(t, bystander, "nothing to do with it, stays whole")
	th := c.cfg.Threads
	done, err := th.Redact(t.Context(), memstore.Project, "Deploy/Day", []string{"We deploy on <Fridays> only, says Kim.", "Kim's day"})
	if err != nil || done.Pending || done.Threads != 1 || done.Messages < 4 {
		t.Fatalf("it did %+v, %v", done, err)
	}
	if _, err := c.cfg.Project.(*memstore.DB).Purge(t.Context(), memstore.PurgeRequest{Key: "deploy/day",
		Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}}); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{th.Path(), th.Path() + "-wal"} {
		b, err := os.ReadFile(file)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for _, text := range []string{"Fridays", "fridays", "Kim's day"} {
			if bytes.Contains(b, []byte(text)) {
				t.Errorf("%s still holds %q", filepath.Base(file), text)
			}
		}
	}
	send(t, c, "hello again")
	r := m.last(t)
	all, _ := json.Marshal(r.Messages)
	if s := strings.ToLower(string(all) + r.Stable + r.Volatile + c.Title()); strings.Contains(s, "fridays") {
		t.Errorf("the open conversation still tells it: %s", s)
	}
	if !strings.Contains(string(all), "stays as it is") {
		t.Errorf("another memory went as well: %s", all)
	}
	if h := bystander.History(); h[0].Text != "nothing to do with it, stays whole" {
		t.Errorf("another thread was changed: %+v", h)
	}
	if err := checkHistory(c.History()); err != nil {
		t.Error(err)
	}
}

func TestAShortPurgedTextIsErasedInItsOwnTurnsOnly(t *testing.T) {
	t.Parallel()
	m := script(calls(call("Remember", `{"key":"answer","value":"no"}`)), say("Noted: no."))
	c := whole(t, m)
	send(t, c, "remember no")
	send(t, c, "there is no such thing, I know")
	if _, err := c.cfg.Threads.Redact(t.Context(), memstore.Project, "answer", []string{"no"}); err != nil {
		t.Fatal(err)
	}
	h, err := c.cfg.Threads.Messages(t.Context(), c.ID())
	if err != nil {
		t.Fatal(err)
	}
	if h[0].Text != "remember [purged]" || h[3].Text != "Noted: [purged]." || h[4].Text != "there is no such thing, I know" {
		t.Errorf("the messages are %q, %q, %q", h[0].Text, h[3].Text, h[4].Text)
	}
}

func TestATitleIsTheFirstLineCut(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"hello":                    "hello",
		"\n\n  two   words \nmore": "two words",
		"a\x1b[31mred":             "a[31mred",
		"":                         "",
		" \t\n":                    "",
		strings.Repeat("ä", 50):    strings.Repeat("ä", 28) + "…",
	} {
		if got := titleFrom(text); got != want {
			t.Errorf("%q gives %q, want %q", text, got, want)
		}
	}
}

func TestPromptsAreWhatTheUserSaidInTheLatestThreadsOldestFirst(t *testing.T) {
	t.Parallel()
	m := script(calls(call("remember", `{"note":"likes tea"}`)), say("Noted."), say("Hi."))
	c := whole(t, m, func(cfg *Config) { cfg.Vocabulary = Notes })
	send(t, c, "I like tea")
	send(t, c, "second")
	got, err := c.cfg.Threads.Prompts(t.Context(), 10)
	if err != nil || len(got) != 2 || got[0] != "I like tea" || got[1] != "second" {
		t.Errorf("prompts %q, %v", got, err)
	}
	if got, err = c.cfg.Threads.Prompts(t.Context(), 1); err != nil || len(got) != 1 || got[0] != "second" {
		t.Errorf("the last prompt %q, %v", got, err)
	}
}
