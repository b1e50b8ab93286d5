package planner

import (
	"context"
	"sync"
	"testing"
	"time"

	"reverie/memstore"
)

func scheduled(t *testing.T, db *memstore.DB, now *time.Time) (*Scheduler, *[]memstore.Receipt) {
	t.Helper()
	var got []memstore.Receipt
	return &Scheduler{
		Store: db, Every: time.Hour, Now: func() time.Time { return *now },
		Report: func(r memstore.Receipt) { got = append(got, r) },
	}, &got
}

func TestAScheduleRetiresExactDuplicatesOnly(t *testing.T) {
	t.Parallel()
	db := openStore(t, t.TempDir())
	remember(t, db, "a", "We deploy on Tuesdays only.")
	remember(t, db, "b", "we deploy on tuesdays only")
	remember(t, db, "pr/1", "Keep pull requests under 400 lines of changes.")
	remember(t, db, "pr/2", "Pull requests should be kept under 400 changed lines.")
	remember(t, db, "pm", "We use npm.")
	remember(t, db, "pm/new", "We use pnpm instead of npm.")
	now := clock0
	s, got := scheduled(t, db, &now)
	if wait, err := s.Once(context.Background()); err != nil || wait != time.Hour {
		t.Fatalf("wait %s, %v", wait, err)
	}
	if len(*got) != 1 || Summarize((*got)[0]).Applied != 1 || (*got)[0].By != memstore.BySystem {
		t.Fatalf("receipts %+v", *got)
	}
	if n := len(live(t, db)); n != 5 {
		t.Errorf("%d entries are left, want 5", n)
	}
	list, err := db.ReceiptList(context.Background(), 10)
	if err != nil || len(list) != 1 {
		t.Errorf("the store lists %d receipts, %v", len(list), err)
	}
}

func TestTheLastRunIsStoredSoThatAnotherSessionWaits(t *testing.T) {
	t.Parallel()
	db := openStore(t, t.TempDir())
	now := clock0
	first, _ := scheduled(t, db, &now)
	ctx := context.Background()
	if _, err := first.Once(ctx); err != nil {
		t.Fatal(err)
	}
	remember(t, db, "a", "We deploy on Tuesdays only.")
	remember(t, db, "b", "We deploy on Tuesdays only.")
	now = clock0.Add(20 * time.Minute)
	second, got := scheduled(t, db, &now)
	if wait, err := second.Once(ctx); err != nil || wait != 40*time.Minute || len(*got) != 0 {
		t.Fatalf("early: wait %s, receipts %v, %v", wait, *got, err)
	}
	now = clock0.Add(time.Hour)
	if _, err := second.Once(ctx); err != nil || len(*got) != 1 {
		t.Errorf("when due: receipts %v, %v", *got, err)
	}
}

func TestAScheduleDoesNothingWhileSomeoneIsBusy(t *testing.T) {
	t.Parallel()
	db := openStore(t, t.TempDir())
	remember(t, db, "a", "We deploy on Tuesdays only.")
	remember(t, db, "b", "We deploy on Tuesdays only.")
	now := clock0
	s, got := scheduled(t, db, &now)
	busy := true
	s.Busy = func() bool { return busy }
	ctx := context.Background()
	if wait, err := s.Once(ctx); err != nil || wait > recheck || len(*got) != 0 {
		t.Fatalf("busy: wait %s, receipts %v, %v", wait, *got, err)
	}
	if n := len(live(t, db)); n != 2 {
		t.Fatalf("%d entries are left while busy", n)
	}
	busy = false
	if _, err := s.Once(ctx); err != nil || len(*got) != 1 {
		t.Errorf("afterwards: receipts %v, %v", *got, err)
	}
}

func TestOfSeveralProcessesOneRunsTheSchedule(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := openStore(t, dir)
	remember(t, db, "a", "We deploy on Tuesdays only.")
	remember(t, db, "b", "We deploy on Tuesdays only.")
	var mu sync.Mutex
	n := 0
	var wg sync.WaitGroup
	for range 4 {
		s := &Scheduler{Store: openStore(t, dir), Every: time.Hour, Report: func(memstore.Receipt) { mu.Lock(); n++; mu.Unlock() }}
		wg.Go(func() {
			if _, err := s.Once(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n != 1 {
		t.Errorf("%d runs reported, want 1", n)
	}
}

func TestAScheduleRunsAtItsIntervalUntilItsContextEnds(t *testing.T) {
	t.Parallel()
	db := openStore(t, t.TempDir())
	now := clock0
	tick := make(chan time.Time)
	waits := make(chan time.Duration)
	s := &Scheduler{Store: db, Every: time.Hour, Now: func() time.Time { return now },
		After: func(d time.Duration) <-chan time.Time { waits <- d; return tick }}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { s.Run(ctx); close(ended) }()
	if d := <-waits; d != time.Hour {
		t.Errorf("the first wait is %s", d)
	}
	now = now.Add(30 * time.Minute)
	tick <- now
	if d := <-waits; d != 30*time.Minute {
		t.Errorf("after half an hour the wait is %s", d)
	}
	cancel()
	<-ended
}

func TestAClockThatWasSetBackDoesNotStopASchedule(t *testing.T) {
	t.Parallel()
	db := openStore(t, t.TempDir())
	now := clock0
	s, _ := scheduled(t, db, &now)
	ctx := context.Background()
	if _, err := s.Once(ctx); err != nil {
		t.Fatal(err)
	}
	now = clock0.Add(-48 * time.Hour)
	if _, err := s.Once(ctx); err != nil {
		t.Fatal(err)
	}
	if m, err := db.Mark(ctx, lastRun); err != nil || m != now.Format(time.RFC3339Nano) {
		t.Errorf("the last run is noted as %s, %v", m, err)
	}
}
