package tui

import (
	"context"
	"math/rand/v2"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/memstore"
	"reverie/theme"
	"reverie/tui/render"
	"reverie/tui/scripted"
)

func TestAQuestionIsAnsweredAfterGoingToIt(t *testing.T) {
	t.Parallel()
	c, cfg := asking()
	cfg.Now = ticking()
	s := open(t, cfg, 80, 24, looks()[0])
	s.send("forget the old API\r")
	s.see("? ── FORGET project deploy/old-api", "^G answer here first")
	s.send("A")
	s.see("> A")
	s.send("\x7f\x07")
	s.gone("answer here first")
	time.Sleep(800 * time.Millisecond) // a key pressed twice within less may be a held one
	s.send("A")
	s.see("* forgot  project deploy/old-api", "/undo")
	if d := c.Decided(); len(d) != 1 || d[0] != agent.Approve {
		t.Errorf("decided %v", d)
	}
}

func TestAQuestionIsAnsweredInWords(t *testing.T) {
	t.Parallel()
	c, cfg := asking()
	s := open(t, cfg, 80, 24, looks()[0])
	s.send("forget the old API\r")
	s.see("1 waiting")
	s.send("/deny 7\r")
	s.see("Question 7 does not wait.")
	s.send("/deny 1\r")
	s.see("* denied  project deploy/old-api   you said no")
	if d := c.Decided(); len(d) != 1 || d[0] != agent.Deny {
		t.Errorf("decided %v", d)
	}
}

// ticking is a clock that runs from the pinned time on.
func ticking() func() time.Time {
	start := time.Now()
	return func() time.Time { return clock().Add(time.Since(start)) }
}

func TestWhatIsSentWhileATurnRunsIsQueuedEditedAndSentInOrder(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	c := &scripted.Conversation{OnSend: func(ctx context.Context, text string, emit func(agent.Event), _ func(agent.Approval) agent.Decision) error {
		if text == "first" {
			<-release
		}
		say(emit, "answer to "+text)
		return nil
	}}
	cfg := config()
	cfg.Conversation = c
	s := open(t, cfg, 80, 24, looks()[0])
	s.send("first\r")
	s.see("thinking")
	s.send("second\rthird\r")
	s.see("queued  second", "queued  third")
	s.send("\x1b[A")
	s.gone("queued  third")
	s.see("> third")
	s.send(" and more\r")
	s.see("queued  third and more")
	close(release)
	s.see("answer to third and more")
	if got := strings.Join(c.Sent(), "|"); got != "first|second|third and more" {
		t.Errorf("sent %s", got)
	}
}

func TestStoppingATurnWorksAtOnceAndTheNextOneRuns(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.send("wait for it\r")
	s.see("One moment")
	s.send("\x03")
	s.see("(stopped here)")
	s.send("we moved deploys\r")
	s.see("for rollbacks.")
}

func TestOneStopHoldsWhatIsQueuedUntilSomeoneSends(t *testing.T) {
	t.Parallel()
	c, cfg := asking()
	s := open(t, cfg, 80, 24, looks()[0])
	s.send("wait for it\r")
	s.see("One moment")
	s.send("draft the second\rwe moved the third\r")
	s.see("queued  draft the second", "queued  we moved the third")
	s.send("\x03")
	s.see("(stopped here)", "held    draft the second", "Enter send queued")
	s.still()
	if sent := c.Sent(); len(sent) != 1 {
		t.Fatalf("one stop was not enough: sent %q", sent)
	}
	s.send("\r")
	s.see("for rollbacks.")
	if got := strings.Join(c.Sent(), "|"); got != "wait for it|draft the second|we moved the third" {
		t.Errorf("sent %s", got)
	}
}

func TestASearchIsTypedThroughTheHelpThatItsFirstCharacterOpens(t *testing.T) {
	t.Parallel()
	c, cfg := asking()
	cfg.Now = ticking()
	s := open(t, cfg, 80, 24, looks()[0])
	s.send("? xylophone\r") // in one burst
	s.see("» ? xylophone")
	s.send("?jam\r")
	s.see("» ?jam")
	s.send("?")
	s.see("HELP")
	time.Sleep(100 * time.Millisecond)
	s.send(" ")
	s.gone("HELP")
	s.send("\x1b[200~sky\x1b[201~\r")
	s.see("» ? sky")
	s.send("?")
	s.see("HELP")
	s.send("\x1b[200~ moon\x1b[201~\r")
	s.see("» ? moon")
	s.send("?")
	s.see("HELP")
	time.Sleep(100 * time.Millisecond)
	s.send("j")
	s.send("q")
	s.gone("HELP")
	s.send("end\r")
	s.see("» end")
	if got := strings.Join(c.Sent(), "|"); got != "? xylophone|?jam|? sky|? moon|end" {
		t.Errorf("sent %s", got)
	}
}

func TestTheHelpGivesBackThePaneThatItStoodOver(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.Now = ticking()
	s := open(t, cfg, 120, 32, looks()[0])
	s.send("/memory\r")
	s.see("deploy/freeze")
	s.send("?")
	s.see("HELP")
	time.Sleep(100 * time.Millisecond)
	s.send("q")
	s.see("MEMORY", "q close")
	s.send("\x0f")
	s.see("^O pane")
	s.send("? words")
	s.see("MEMORY", "> ? words")
}

func TestWhatIsTypedRightAfterClosingAPaneGoesToThePrompt(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.send("/memory\r")
	s.see("deploy/freeze")
	s.send("qdraft this\r")
	s.see("» draft this")
	s.send("/memory freeze\r")
	s.see("r_7a01")
	s.send("\rf now\x01")
	s.see("> /forget deploy/freeze now")
}

func TestControlDQuitsFromAPaneWhenThePromptIsEmpty(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 120, 32, looks()[0])
	s.send("kept\x0f/") // no pane yet: all of it is a draft
	s.see("> kept/")
	s.send("\x03/memory\r")
	s.see("deploy/freeze")
	s.send("\x0fa draft\x0f\x04")
	s.see("> a draft", "MEMORY")
	s.send("\x0f\x03\x0f\x04")
	if err := <-s.ended; err != nil {
		t.Errorf("quitting is no error: %v", err)
	}
}

func TestTwoQuickPressesOfEscapeAreTwoSteps(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.send("/memory\r")
	s.see("deploy/freeze")
	s.send("\r")
	s.see("Esc list")
	s.send("\x1b\x1b")
	s.gone("MEMORY")
}

func TestAFailedUndoDoesNotOfferToSendAMessageAgain(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.send("/undo\r")
	s.see("! ")
	s.still()
	if strings.Contains(s.text(), "/retry") {
		t.Errorf("the screen was\n%s", s.text())
	}
}

func TestControlCClearsTheDraftWhichUpBringsBackAndTwiceQuits(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.send("a draft that matters")
	s.see("matters")
	s.send("\x03")
	s.gone("matters")
	s.send("\x1b[A")
	s.see("a draft that matters")
	s.send("\x03")
	s.gone("matters")
	s.send("\x03")
	s.see("^C again to quit")
	s.send("\x03")
	if err := <-s.ended; err != nil {
		t.Errorf("quitting is no error: %v", err)
	}
}

func TestAFailureShowsWhatToDoAndRetrySendsTheMessageAgain(t *testing.T) {
	t.Parallel()
	var down atomic.Bool
	down.Store(true)
	c := &scripted.Conversation{OnSend: func(_ context.Context, text string, emit func(agent.Event), _ func(agent.Approval) agent.Decision) error {
		if down.Load() {
			return &model.Error{Problem: model.Unreachable, Model: "openai/x", Where: "http://127.0.0.1:1", Advice: "Is the server running?"}
		}
		say(emit, "heard: "+text)
		return nil
	}}
	cfg := config()
	cfg.Conversation = c
	s := open(t, cfg, 80, 24, looks()[0])
	s.send("are you there\r")
	s.see("unreachable", "Is the server running?", "/retry")
	down.Store(false)
	s.send("/retry\r")
	s.see("heard: are you there")
}

func TestAnUnknownCommandNamesTheNearestAndStaysInThePrompt(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.send("/memroy\r")
	s.see("did you mean /memory?", "> /memroy")
}

func TestTabCompletesAndAnExactMatchComesFirst(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.send("/th")
	s.see("/threads", "/theme")
	s.send("\t")
	s.see("> /threads")
	s.send("\t")
	s.see("> /theme")
}

func TestEscapeClosesTheCompletionAndKeepsWhatIsTyped(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.send("/th")
	s.see("/threads")
	s.send("\x1b")
	s.gone("/threads")
	s.see("> /th")
	s.send("\r")
	s.see("/threads") // two commands begin so: the first is offered, not done
}

func TestAThemeIsChangedAtOnceAndAWrongOneIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.see("api-gateway")
	s.send("/theme dawn\r")
	s.wait("for the light theme", func(string) bool { return strings.Contains(s.runs(theme.Dawn()), "0: 0-10 title") })
	s.send("/theme dwan\r")
	s.see("The theme stays", "did you mean")
}

func TestAFolded5000LinePasteIsSentWhole(t *testing.T) {
	t.Parallel()
	c, cfg := asking()
	s := open(t, cfg, 80, 24, looks()[0])
	s.send("see ")
	s.send("\x1b[200~" + strings.Repeat("a line of text\r", 5000) + "\x1b[201~")
	s.see("[paste 1: 5000 lines")
	s.send("\r")
	s.see("more lines, ^X^U unfolds")
	if sent := c.Sent(); len(sent) != 1 || sent[0] != "see "+strings.Repeat("a line of text\n", 5000) {
		t.Error("what was sent is not what was pasted")
	}
}

func TestTheHistoryIsSearchedAndTheDraftKept(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.History = []string{"deploy on Thursday", "something else", "deploy on Friday"}
	s := open(t, cfg, 80, 24, looks()[0])
	s.send("my draft\x12deploy")
	s.see("search history: deploy", "> deploy on Friday")
	s.send("\x12")
	s.see("> deploy on Thursday")
	s.send("\x1b")
	s.see("> my draft")
	s.send("\x1b[A")
	s.see("> deploy on Friday")
	s.send("\x1b[B")
	s.see("> my draft")
}

func TestMemoryFollowsWhatAnotherProcessWrites(t *testing.T) {
	t.Parallel()
	store := gateway()
	cfg := config()
	cfg.Project = store
	s := open(t, cfg, 120, 32, looks()[0])
	s.send("/memory\r")
	s.see("project 5", "deploy/freeze")
	store.put(revision("zoo/lion", "A new fact", "r_new", memstore.Note, 0, memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}))
	s.see("project 6", "zoo/lion")
}

func TestMemoryShowsForgottenOnesAndOldRevisions(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 40, looks()[0])
	s.send("/memory\r")
	s.see("build/command")
	s.send(".")
	s.see("FORGOTTEN 2d ago")
	s.send("jj")
	s.see("revision 4", "3=>4")
	s.send("[[")
	s.see("revision 2", "1=>2")
	s.send("d]]")
	s.see("2=>4")
}

func TestForgettingFromMemoryOnlyDraftsTheCommand(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.send("/memory freeze\r")
	s.see("1 of 5", "r_7a01")
	s.send("\rf")
	s.see("> /forget deploy/freeze", "openai/gpt-x")
}

func TestTheTerminalIsRestoredAfterQuitting(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.see("api-gateway")
	s.mu.Lock()
	alt := s.emu.IsAltScreen()
	s.mu.Unlock()
	if !alt {
		t.Error("the screen is not the alternate one")
	}
	s.send("/quit\r")
	if err := <-s.ended; err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.emu.IsAltScreen() || s.emu.CursorHidden() {
		t.Error("the terminal was not restored")
	}
}

func TestNothingIsWrittenWhileNothingHappens(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.send("draft the announcement\r")
	s.see("deploy(")
	s.still()
	s.mu.Lock()
	before := s.written
	s.mu.Unlock()
	time.Sleep(1200 * time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.written != before {
		t.Errorf("%d bytes were written while idle", s.written-before)
	}
}

func TestStreamingWritesFewBytesForEachVisibleOne(t *testing.T) {
	t.Parallel()
	words := strings.Fields(strings.Repeat("the freeze before holidays stays as it was and hotfixes still go out any day ", 12))
	c := &scripted.Conversation{OnSend: func(ctx context.Context, _ string, emit func(agent.Event), _ func(agent.Approval) agent.Decision) error {
		for i, w := range words {
			emit(agent.TextDelta{Text: w + " "})
			if i%4 == 0 {
				time.Sleep(20 * time.Millisecond) // 200 words a second
			}
		}
		emit(agent.TextDelta{Text: "END"})
		return nil
	}}
	cfg := config()
	cfg.Conversation = c
	s := open(t, cfg, 80, 40, looks()[0])
	s.see("api-gateway")
	s.still()
	s.mu.Lock()
	before := s.written
	s.mu.Unlock()
	s.send("go\r")
	s.see("END")
	s.still()
	s.mu.Lock()
	wrote := s.written - before
	s.mu.Unlock()
	visible := len(strings.Join(words, " "))
	t.Logf("%d bytes for %d visible ones: %.1f each", wrote, visible, float64(wrote)/float64(visible))
	if wrote >= 8*visible {
		t.Errorf("%d bytes for %d visible ones", wrote, visible)
	}
}

func TestTheWheelScrollsOnceTheMouseIsOn(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 16, looks()[0])
	s.send("draft one\r")
	s.see("deploy(")
	s.send("/mouse\r")
	s.see("The mouse wheel scrolls")
	s.send("\x1b[<64;10;5M\x1b[<64;10;5M")
	s.see("newer below, Esc shows them")
	s.send("\x1b")
	s.gone("newer below")
}

func TestWhatEachRequestCarriedIsShownWithItsReason(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.Context = func() []Part {
		return []Part{
			{Name: "stable / persona", Reason: "Who the model is.", Size: 130, Text: "You are Reverie."},
			{Name: "volatile / user facts", Reason: "What is known of the person, newest first.", Size: 2_048, Text: "prefers short answers"},
		}
	}
	s := open(t, cfg, 80, 24, looks()[0])
	s.send("/context\r")
	s.see("CONTEXT", "stable / persona", "130 B", "Who the model is.", "You are Reverie.")
	s.send("j")
	s.see("prefers short answers", "2 KiB")
	s.send("q")
	s.gone("CONTEXT")
}

func TestAnotherConversationTakesTheScreen(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.Threads = func(context.Context) ([]Thread, error) {
		return []Thread{
			{ID: "a", Title: "the release plan", Updated: clock().Add(-time.Hour), Turns: 7, Preview: "tag it on Thursday"},
			{ID: "b", Title: "the old api", Updated: clock().Add(-72 * time.Hour), Turns: 1},
		}, nil
	}
	cfg.Open = func(_ context.Context, id string) (Conversation, error) {
		return &scripted.Conversation{Name: "model-of-" + id, Past: []model.Message{{Role: model.User, Text: "what was said in " + id}}}, nil
	}
	s := open(t, cfg, 80, 24, looks()[0])
	s.send("/threads\r")
	s.see("THREADS", "the release plan", "7 turns", "today 09:31", "tag it on Thursday")
	s.send("/old\r\r")
	s.see("what was said in b", "model-of-b")
	s.send("/new\r")
	s.see("model-of-")
	s.gone("what was said in b")
}

func TestTheModelIsChangedInTheMiddleOfAThread(t *testing.T) {
	t.Parallel()
	c := talk()
	cfg := config()
	cfg.Conversation, cfg.Offline = c, true
	cfg.SetModel = func(_ context.Context, name string) (bool, error) {
		if name != "openai/gpt-x" {
			return false, &model.Error{Problem: model.NoModel, Model: name, Where: "nowhere"}
		}
		return false, nil
	}
	s := open(t, cfg, 80, 24, looks()[0])
	s.see("OFFLINE: rules only")
	s.send("/model openai/none\r")
	s.see("The model stays")
	s.send("/model openai/gpt-x\r")
	s.see("From now on openai/gpt-x answers.")
	s.gone("OFFLINE")
}

func TestTheConversationIsExportedAsMarkdown(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/talk.md"
	s := open(t, config(), 80, 24, looks()[0])
	s.send("we moved deploys\r")
	s.see("for rollbacks.")
	s.send("/export " + path + "\r")
	s.see("The conversation is in")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# a scripted conversation", "**You:**\n\nwe moved deploys", "> remembered project deploy/day: Deploys go out on Friday=>Thursday", "**Reverie:**\n\nNoted."} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%q is not in\n%s", want, data)
		}
	}
	s.send("/export " + path + "\r")
	s.see("was not exported")
}

func TestHowTheTerminalCountsCellsIsAskedAndKeptTo(t *testing.T) {
	// Not parallel: how cells are counted holds for the whole process.
	defer render.Graphemes(false)
	const family = "👩‍👩‍👧‍👦"
	d := drive(t, config(), 80, 24)
	d.send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeNotRecognized})
	if render.Width(family) != 8 {
		t.Errorf("without the mode a family is %d cells wide", render.Width(family))
	}
	d.send(tea.ModeReportMsg{Mode: ansi.ModeUnicodeCore, Value: ansi.ModeReset})
	if render.Width(family) != 2 {
		t.Errorf("with the mode a family is %d cells wide", render.Width(family))
	}
}

func TestAResizeStormLeavesTheScreenWhole(t *testing.T) {
	t.Parallel()
	d := drive(t, config(), 80, 24)
	d.typing("a draft")
	before := d.root.View().Content
	r := rand.New(rand.NewPCG(5, 6))
	for i := range 300 {
		d.send(tea.WindowSizeMsg{Width: 1 + r.IntN(200), Height: 1 + r.IntN(60)})
		if i%10 == 0 {
			d.command([]string{"memory", "help", "close"}[r.IntN(3)], "")
		}
	}
	d.command("close", "")
	d.command("close", "")
	d.send(tea.WindowSizeMsg{Width: 80, Height: 24})
	if after := d.root.View().Content; after != before {
		t.Errorf("the screen was\n%s\nand is now\n%s", before, after)
	}
}
