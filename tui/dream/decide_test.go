package dream

import (
	"errors"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/memstore"
	"reverie/planner"
	"reverie/tui/pane"
)

func TestAPlanIsShownAndOnceViewedApprovedByOneDeliberatePress(t *testing.T) {
	t.Parallel()
	s, db := withStore(t)
	s.see("3 operations", "expires in 10 min", "planner: local", "retire", "supersede", "merge", "press A twice")
	s.viewAll()
	s.see("3 operations, 3 viewed", "all viewed")
	s.decide("A")
	s.see("approved by you 10:31", "3 applied, 0 conflicted, 0 failed, 0 skipped", "U undo")
	if _, err := db.Recall(t.Context(), "pm"); err == nil {
		t.Error("the superseded entry is still there")
	}
	if n, ok := s.sent[0].(pane.NoticeMsg); !ok || n.Text != "Dream about the project memory approved by you: 3 applied. /dream can undo it." {
		t.Errorf("the conversation hears %v", s.sent)
	}
}

func TestWhatWasNotViewedNeedsASecondPress(t *testing.T) {
	t.Parallel()
	c := &script{plan: gateway()}
	s := sit(t, 78, 40, c.target(42))
	s.see("3 operations, 1 viewed", "2 not viewed: press A twice")
	s.decide("A")
	s.see("2 not viewed: press A once more to approve all")
	if len(c.decided) != 0 {
		t.Fatalf("decided at the first press: %v", c.decided)
	}
	s.press("j") // anything else takes it back
	s.decide("A")
	if len(c.decided) != 0 {
		t.Fatalf("decided at the first press after another key: %v", c.decided)
	}
	s.decide("A")
	if len(c.decided) != 1 || c.decided[0] != "approve p_7c1e" {
		t.Errorf("decided %v", c.decided)
	}
}

func TestTheWholePlanIsDismissedByOneDeliberatePress(t *testing.T) {
	t.Parallel()
	s, db := withStore(t)
	s.decide("X")
	s.see("RECEIPT dismissed by you 10:31", "nothing was changed", "No plan")
	if n, err := db.Count(t.Context()); err != nil || n != 6 {
		t.Errorf("%d entries, %v", n, err)
	}
}

func TestNoOtherKeyThanADeliberateOneDecides(t *testing.T) {
	t.Parallel()
	repeated := key("X")
	repeated.IsRepeat = true
	x := key("X")
	for name, play := range map[string]func(*stand){
		"too soon after the plan came": func(s *stand) { s.pass(299 * time.Millisecond); s.send(x) },
		"too soon after the focus": func(s *stand) {
			s.pass(time.Second)
			s.m.SetFocus(false)
			s.m.SetFocus(true)
			s.pass(299 * time.Millisecond)
			s.send(x)
		},
		"a repeated key": func(s *stand) { s.pass(time.Second); s.send(repeated) },
		"a key held since before the focus": func(s *stand) {
			s.m.SetFocus(false)
			s.m.Hear(x)
			s.m.SetFocus(true)
			s.pass(660 * time.Millisecond)
			s.send(x)
		},
		"a key that was not heard": func(s *stand) { s.pass(time.Second); s.do(s.m.Update(x)) },
		"a paste":                  func(s *stand) { s.pass(time.Second); s.send(tea.PasteMsg{Content: "X"}) },
		"a paste without brackets": func(s *stand) { s.pass(time.Second); s.send(x, key("l"), key("k")) },
		"the end of such a paste":  func(s *stand) { s.pass(time.Second); s.send(key("C"), key("I"), x) },
		"enter":                    func(s *stand) { s.press("enter") },
		"space":                    func(s *stand) { s.press(" ") },
		"the small letters":        func(s *stand) { s.press("a", "x", "u") },
	} {
		c := &script{plan: gateway()}
		s := sit(t, 78, 40, c.target(42))
		play(s)
		s.pass(pane.Burst)
		if len(c.decided) != 0 {
			t.Errorf("%s: decided %v", name, c.decided)
		}
	}
}

func TestAtZeroApprovingIsOffWithItsReasonAndANewPlanCanBeMade(t *testing.T) {
	t.Parallel()
	s, _ := withStore(t)
	s.viewAll()
	before := s.m.now().plan.ID
	s.pass(planner.Lifetime)
	s.see("expired", "R makes a new plan", "retire")
	s.notSee("approve all")
	s.decide("A")
	s.see("R makes a new plan")
	if s.m.now().plan == nil {
		t.Fatal("the expired plan was decided on")
	}
	s.press("R")
	s.see("expires in 10 min")
	if s.m.now().plan.ID == before {
		t.Error("the plan is the old one")
	}
}

func TestConflictsAreNamedAndUndoLeavesAloneWhatChangedSince(t *testing.T) {
	t.Parallel()
	s, db := withStore(t)
	s.viewAll()
	remember(t, db, "pm", "We use yarn.")
	s.decide("A")
	s.see("2 applied, 1 conflicted, 0 failed, 0 skipped", "conflicted", "pm", `"pm" changed`)
	remember(t, db, "retro/a", "The retro is gone.")
	remember(t, db, "retro/b", "The retro is gone too.")
	s.decide("U")
	s.see("UNDONE 10:31", "undone", "left alone", "changed since")
	if _, err := db.Recall(t.Context(), "release/schedule"); err != nil {
		t.Errorf("the retired entry did not come back: %v", err)
	}
	s.decide("U")
	s.see("it was undone already")
}

func TestEarlierReceiptsAreListedTheSchedulesTooAndReadable(t *testing.T) {
	t.Parallel()
	var s *stand
	db := memory(t, func() time.Time { return morning })
	sched := &planner.Scheduler{Store: db, Every: time.Hour, Now: func() time.Time { return morning }}
	var quiet string
	sched.Report = func(r memstore.Receipt) { quiet = Scheduled(r) }
	if _, err := sched.Once(t.Context()); err != nil {
		t.Fatal(err)
	}
	if quiet != "The schedule retired 1 exact duplicate in the project memory. /dream can undo it." {
		t.Errorf("the quiet line is %q", quiet)
	}
	target := NewTarget(memstore.Project, db, &planner.Planner{}, func() time.Time { return morning })
	s = sit(t, 78, 40, target)
	s.see("receipt", "approved by the schedule: 1 applied")
	s.press("G")
	s.see("RECEIPT approved by the schedule", "applied 1 retire", "We deploy on Tuesdays only.")
	s.decide("U")
	s.see("UNDONE 10:31")
	if n, err := db.Count(t.Context()); err != nil || n != 6 {
		t.Errorf("%d entries after the undo, %v", n, err)
	}
}

func TestANewReceiptOfTheScheduleAppearsWhileThePaneIsOpen(t *testing.T) {
	t.Parallel()
	c := &script{plan: gateway()}
	s := sit(t, 78, 40, c.target(42))
	s.press("j")
	c.receipts = []memstore.Receipt{{ID: "p_1", Decision: "approved", By: memstore.BySystem, Decided: morning}}
	s.do(s.m.Changed(memstore.Project))
	s.see("approved by the schedule", "2 of 3")
}

func TestADecisionThatFailsKeepsThePlanAndSaysWhy(t *testing.T) {
	t.Parallel()
	c := &script{plan: gateway()}
	s := sit(t, 78, 40, c.target(42))
	c.err = errors.New("the disk is full")
	s.decide("X")
	s.see("Dismissing did not come to its end: the disk is full.", "3 operations")
}

func TestClosingWhileAPlanIsAppliedDoesNotEndItHalfWay(t *testing.T) {
	t.Parallel()
	s, db := withStore(t)
	s.viewAll()
	s.press("A")
	var apply tea.Cmd
	for _, w := range s.waits {
		if w.long == pane.Burst {
			s.now = w.due
			apply = s.m.Update(w.msg(s.now))
		}
	}
	s.see("approving")
	if err := s.m.Close(); err != nil {
		t.Fatal(err)
	}
	s.do(apply)
	if n, err := db.Count(t.Context()); err != nil || n != 3 {
		t.Errorf("%d entries, %v; want 3", n, err)
	}
	if len(s.sent) != 1 {
		t.Errorf("the conversation hears %v", s.sent)
	}
}

func TestAPlanThatWasDecidedOnElsewhereShowsThatDecision(t *testing.T) {
	t.Parallel()
	s, _ := withStore(t)
	session := s.m.now().Session
	if _, err := session.Dismiss(t.Context(), s.m.now().plan.ID, memstore.ByUser); err != nil {
		t.Fatal(err)
	}
	s.viewAll()
	s.decide("A")
	s.see("was dismissed already; make a new plan", "RECEIPT dismissed by you")
}

func TestASessionThatPlannedAnewElsewhereRefusesTheOldPlan(t *testing.T) {
	t.Parallel()
	s, _ := withStore(t)
	if _, err := s.m.now().Session.Plan(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	s.viewAll()
	s.decide("A")
	s.see("there is no such plan any more; make a new one", "3 operations, 3 viewed")
}
