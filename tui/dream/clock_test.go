package dream

import (
	"testing"
	"time"

	"reverie/memstore"
	"reverie/planner"
)

func TestTheCountdownIsInMinutesAndForTheLastTwoInSeconds(t *testing.T) {
	t.Parallel()
	for left, want := range map[time.Duration]string{
		10 * time.Minute:                "expires in 10 min",
		9*time.Minute + time.Second:     "expires in 10 min",
		2*time.Minute + time.Second:     "expires in 3 min",
		2 * time.Minute:                 "expires in 120 s",
		1500 * time.Millisecond:         "expires in 2 s",
		time.Millisecond:                "expires in 1 s",
		0:                               "expired",
		-time.Hour:                      "expired",
		8*time.Minute - time.Nanosecond: "expires in 8 min",
	} {
		if got := Left(morning.Add(left), morning); got != want {
			t.Errorf("%s before the end it says %q, want %q", left, got, want)
		}
	}
}

func TestTheCountdownWakesOnlyWhenWhatItSaysChanges(t *testing.T) {
	t.Parallel()
	c := &script{plan: gateway()}
	s := sit(t, 78, 40, c.target(42))
	woken := 0
	for said := s.text(); len(s.waits) > 0; woken++ {
		if len(s.waits) > 1 {
			t.Fatalf("%d waits at once", len(s.waits))
		}
		s.pass(s.waits[0].due.Sub(s.now))
		if now := s.text(); now == said {
			t.Fatalf("woken at %s for nothing:\n%s", s.now, now)
		} else {
			said = now
		}
	}
	s.see("expired")
	if woken != 6+120 { // 8 minutes to 2 by the minute, then by the second
		t.Errorf("woken %d times", woken)
	}
}

func TestNothingIsAwaitedWithoutACountdownOnTheScreen(t *testing.T) {
	t.Parallel()
	c := &script{plan: gateway()}
	s := sit(t, 78, 40, c.target(42))
	s.do(s.m.Visible(false))
	s.pass(5 * time.Minute)
	if len(s.waits) != 0 {
		t.Error("a hidden pane waits")
	}
	s.do(s.m.Visible(true))
	if len(s.waits) != 1 {
		t.Errorf("%d waits after it is drawn again", len(s.waits))
	}
	s.decide("X")
	s.pass(time.Hour)
	if len(s.waits) != 0 {
		t.Error("a pane without a plan waits")
	}
	empty := &script{plan: planner.Plan{ID: "p_e", Scope: memstore.Project, Expires: morning.Add(time.Minute)}}
	if s := sit(t, 78, 40, empty.target(3)); len(s.waits) != 0 {
		t.Error("an empty plan is counted down")
	}
}
