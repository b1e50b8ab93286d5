package dream

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/memstore"
	"reverie/planner"
	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/pane"
)

func isClose(msg tea.Msg) bool { _, ok := msg.(pane.CloseMsg); return ok }

func TestEscapeStopsPlanningAndClosingDoesToo(t *testing.T) {
	t.Parallel()
	for name, stop := range map[string]func(*stand){
		"esc":     func(s *stand) { s.send(key("esc")) },
		"closing": func(s *stand) { _ = s.m.Close() },
	} {
		started := make(chan struct{})
		c := &script{planFunc: func(ctx context.Context, _ func(int, int)) (planner.Plan, error) {
			close(started)
			<-ctx.Done()
			return planner.Plan{}, ctx.Err()
		}}
		s, cmd := idle(t, 78, 40, c.target(42))
		batch := cmd().(tea.BatchMsg)
		got := make(chan tea.Msg)
		go func() { got <- batch[0]() }()
		<-started
		s.see("planning")
		stop(s)
		s.see("stopping")
		s.do(s.m.Update(<-got))
		s.see("Planning was stopped; nothing was changed. R plans anew.")
		if s.closed() {
			t.Errorf("%s asks to close the pane", name)
		}
	}
}

func TestProgressOfPlanningIsShown(t *testing.T) {
	t.Parallel()
	step := make(chan struct{})
	c := &script{planFunc: func(_ context.Context, progress func(int, int)) (planner.Plan, error) {
		progress(300, 1200)
		<-step
		return gateway(), nil
	}}
	s, cmd := idle(t, 78, 40, c.target(42))
	batch := cmd().(tea.BatchMsg)
	got := make(chan tea.Msg)
	go func() { got <- batch[0]() }()
	follow := s.m.Update(batch[1]())
	s.see("planning … 25%", "300 of 1,200 steps", "Esc stop")
	close(step)
	s.do(s.m.Update(<-got))
	s.see("3 operations")
	s.do(follow)
}

func TestAFailedPlanSaysWhyAndCanBeTriedAgain(t *testing.T) {
	t.Parallel()
	c := &script{plan: gateway(), err: errors.New("the file is damaged")}
	s := sit(t, 78, 40, c.target(42))
	s.see("Planning failed: the file is damaged. R tries again.")
	c.err = nil
	s.press("R")
	s.see("3 operations")
}

func TestTheTargetIsChosenWhereBothMemoriesHaveSomething(t *testing.T) {
	t.Parallel()
	project, user := &script{plan: gateway()}, &script{plan: planner.Plan{ID: "p_u", Scope: memstore.User, Planner: "local", Considered: 9}}
	both := []Target{{Scope: memstore.Project, Session: project, Count: 42}, {Scope: memstore.User, Session: user, Count: 9}}
	s := sit(t, 78, 40, both...)
	s.see("[project 42]", "t target")
	s.press("j", "t")
	s.see("[user 9]", "Nothing to do", "9 user memories were looked at")
	s.press("t")
	s.see("[project 42]", "2 of 3", "2 viewed")

	both[1].Count = 0
	s = sit(t, 78, 40, both...)
	s.notSee("target")
	s.press("t")
	s.see("no other memory has something in it", "3 operations")

	both[0].Count, both[1].Count = 0, 9 // it begins with one that has something
	s = sit(t, 78, 40, both...)
	s.see("9 user memories were looked at")
}

func TestCountsMayBeToldUntilThePaneHasBegun(t *testing.T) {
	t.Parallel()
	project, user := &script{plan: gateway()}, &script{plan: planner.Plan{ID: "p_u", Scope: memstore.User, Considered: 9}}
	m, begin := New(Config{
		Context: t.Context(), Theme: theme.Mono(), Keys: keys.Default(), Now: func() time.Time { return morning },
		Targets: []Target{{Scope: memstore.Project, Session: project}, {Scope: memstore.User, Session: user}},
	})
	m.SetCount(memstore.User, 9)
	m.Update(begin())
	if project.has || m.now().Scope != memstore.User {
		t.Errorf("it begins with the %s memory, which has nothing in it", m.now().Scope)
	}
}

// bare is a store without history, as plain files are.
type bare struct{ memstore.Store }

func (bare) Scope() memstore.Scope               { return memstore.Project }
func (bare) Capabilities() memstore.Capabilities { return memstore.Capabilities{Durable: true} }

func TestAnUnavailableDreamSaysWhyAndWhatWouldMakeItAvailable(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		target Target
		want   string
	}{
		"memory disabled": {NewTarget(memstore.Project, nil, &planner.Planner{}, nil), "Memory is disabled; enable memory to dream."},
		"no history":      {NewTarget(memstore.Project, bare{}, &planner.Planner{}, nil), "The project memory keeps no history, so a plan could not be undone; use the versioned store to dream."},
		"no planner":      {NewTarget(memstore.Project, bare{}, nil, nil), "There is no planner in this session; start a session that has one to dream."},
	} {
		s := sit(t, 78, 20, test.target)
		s.see("No dream", test.want)
		s.press("A", "X", "U", "R", "j", "enter")
		s.pass(time.Second)
		s.see(test.want)
		s.press("esc")
		if !s.closed() {
			t.Errorf("%s: Esc does not close the pane", name)
		}
	}
}

func TestAnEmptyDreamSaysWhatWasLookedAt(t *testing.T) {
	t.Parallel()
	c := &script{plan: planner.Plan{ID: "p_e", Scope: memstore.Project, Planner: "local", Considered: 1234, Expires: morning.Add(time.Minute)}}
	s := sit(t, 78, 40, c.target(1234))
	s.see("Nothing to do", "1,234 project memories were looked at")
	s.decide("A")
	s.see("the plan is empty: there is nothing to approve")
	if len(c.decided) != 0 {
		t.Errorf("decided %v", c.decided)
	}
}

func TestAPlanThatIsNotDecidedOnIsShownAgainWhenThePaneIsOpenedAgain(t *testing.T) {
	t.Parallel()
	c := &script{plan: gateway()}
	sit(t, 78, 40, c.target(42))
	c.planFunc = func(context.Context, func(int, int)) (planner.Plan, error) {
		return planner.Plan{}, errors.New("planned anew")
	}
	sit(t, 78, 40, c.target(42)).see("3 operations", "expires in 8 min")
	c.receipts = []memstore.Receipt{{ID: "p_7c1e", Decision: "dismissed"}}
	sit(t, 78, 40, c.target(42)).see("planned anew")
}

func TestWhatAPlanOnlySaysIsThereForReading(t *testing.T) {
	t.Parallel()
	s := sit(t, 78, 40, (&script{plan: gateway()}).target(42))
	s.press("j", "j", "j")
	s.see("db/port, db/port-2", "One says 5432 and the other 5433.", "looks contradictory", "changes nothing about them")
	s.press("j")
	s.see("ops/token", "the token is [withheld: token-in-prose]", "reverie memory purge KEY")
	s.press("j")
	s.see("api/limit, api/quota", "lost the number 500", "the rules refused it")
}

func TestEscapeGoesOneStepBack(t *testing.T) {
	t.Parallel()
	s := sit(t, 78, 40, (&script{plan: gateway()}).target(42))
	s.press("enter", "esc")
	if s.closed() || s.m.now().reading {
		t.Fatal("the first Esc does more or less than leave the detail")
	}
	s.press("esc")
	if !s.closed() {
		t.Fatal("the second Esc does not close the pane")
	}
}

func TestAnOperationCountsAsViewedWhenItsDetailWasShownToItsEnd(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("one line of a long memory\n", 200)
	c := &script{plan: gateway()}
	c.plan.Operations = []planner.Operation{
		operation("1", planner.Retire, "It is the same.", "", entry("a", long, "r_1", memstore.ByUser, 1), entry("b", long, "r_2", memstore.ByUser, 1)),
	}
	s := sit(t, 78, 40, c.target(2))
	s.see("0 viewed", "more: Enter reads on")
	s.press("enter", "G")
	s.see("0 viewed") // what lies between was not shown
	s.press("g")
	for range 60 {
		s.press("pgdown")
	}
	s.see("1 viewed", "same", "b")
	s.notSee("more below")
}

func TestAGroupOfThousandsIsOneReadableOperation(t *testing.T) {
	t.Parallel()
	const n = 20_000
	entries := make([]memstore.Entry, n)
	for i := range entries {
		entries[i] = entry(fmt.Sprintf("copy/%05d", i), "The same text.", fmt.Sprintf("r_%d", i), memstore.ByModel, 1)
	}
	c := &script{plan: gateway()}
	c.plan.Operations = []planner.Operation{operation("1", planner.Retire, "19,999 other memories say the same word for word.", "", entries...)}
	s := sit(t, 78, 40, c.target(n))
	s.see("copy/00000 +19,998", "and 19,991 more, all listed at the end", "copy/00000 and 19,998 more with this text")
	s.press("enter", "G")
	s.see("copy/19998")
	if drawn := len(s.m.now().detail.drawn); drawn > 20 {
		t.Errorf("%d blocks were drawn for two screens", drawn)
	}
}

func TestAnotherLookKeepsThePlaceInADetail(t *testing.T) {
	t.Parallel()
	s := sit(t, 78, 20, (&script{plan: gateway()}).target(42))
	s.press("enter", "j", "j", "j")
	before := s.text()
	s.m.SetTheme(theme.Dusk())
	if s.text() != before {
		t.Errorf("before:\n%s\nafter:\n%s", before, s.text())
	}
}

func TestTheWheelMovesWhatIsRead(t *testing.T) {
	t.Parallel()
	s := sit(t, 78, 40, (&script{plan: gateway()}).target(42))
	s.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	s.see("2 of 3")
	s.h = 16
	s.press("enter")
	s.send(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	s.notSee("survivor")
	s.send(tea.MouseWheelMsg{Button: tea.MouseWheelUp})
	s.see("survivor")
}

func TestKeysCanBeChanged(t *testing.T) {
	t.Parallel()
	km, err := keys.New(map[string][]string{"approve": {"Y"}, "replan": {"N"}})
	if err != nil {
		t.Fatal(err)
	}
	c := &script{plan: gateway()}
	s := sit(t, 78, 40, c.target(42))
	s.m.cfg.Keys = km
	s.see("press Y twice", "Y approve all", "N replan")
	s.decide("A")
	s.decide("Y")
	s.decide("Y")
	if len(c.decided) != 1 {
		t.Errorf("decided %v", c.decided)
	}
	s.press("N")
	s.see("3 operations")
}

// BenchmarkKeyInALargeOperation draws the pane after a key, with texts at the
// size limit and a group of thousands.
func BenchmarkKeyInALargeOperation(b *testing.B) {
	long := strings.Repeat("one line of a memory that is as long as it may be\n", memstore.MaxValue/50)
	entries := make([]memstore.Entry, 10_000)
	for i := range entries {
		entries[i] = entry(fmt.Sprintf("copy/%05d", i), long, "r_1", memstore.ByModel, 1)
	}
	o := operation("1", planner.Merge, "They are about one thing.", "", entries...)
	o.After.Value = strings.ReplaceAll(long, "memory", "note")
	x := &target{plan: &planner.Plan{Operations: []planner.Operation{o}}, viewed: map[string]bool{}, reading: true}
	m := &Model{cfg: Config{Theme: theme.Dusk(), Keys: keys.Default(), Now: func() time.Time { return morning }}, targets: []*target{x}}
	for b.Loop() {
		x.detail = detail{}
		m.View(80, 40)
		x.detail.move(keys.Bottom, m.cfg.Theme)
		m.View(80, 40)
	}
}
