package planner

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"reverie/memstore"
)

var clock0 = time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)

func openStore(t *testing.T, dir string) *memstore.DB {
	t.Helper()
	db, err := memstore.Open(context.Background(), memstore.Options{Dir: dir, Scope: memstore.Project})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func remember(t *testing.T, s memstore.Store, key, value string) memstore.Entry {
	t.Helper()
	m, err := s.Remember(context.Background(), memstore.RememberRequest{Key: key, Value: value,
		Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}})
	if err != nil {
		t.Fatal(err)
	}
	return m.Entry
}

// three sets up a store that has one operation of each kind to plan.
func three(t *testing.T) (*memstore.DB, *Session, Plan) {
	t.Helper()
	db := openStore(t, t.TempDir())
	remember(t, db, "deploy/day", "We deploy on Tuesdays only.")
	remember(t, db, "release/schedule", "We deploy on Tuesdays only.")
	remember(t, db, "pm", "We use npm.")
	remember(t, db, "pm/new", "We use pnpm instead of npm.")
	remember(t, db, "retro/a", "The retro is on Thursdays at noon. Notes go into the wiki.")
	remember(t, db, "retro/b", "The retro is on Thursdays at noon. Mia moderates it.")
	s := NewSession(&Planner{}, db, func() time.Time { return clock0 })
	p, err := s.Plan(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Operations) != 3 {
		t.Fatalf("%d operations are planned, want 3: %+v", len(p.Operations), p.Operations)
	}
	return db, s, p
}

func live(t *testing.T, s memstore.Store) map[string]string {
	t.Helper()
	es, err := s.List(context.Background(), memstore.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	for _, e := range es {
		m[e.Key] = e.Value
	}
	return m
}

func TestAnApprovedPlanIsAppliedOperationByOperation(t *testing.T) {
	t.Parallel()
	db, s, p := three(t)
	r, err := s.Approve(context.Background(), p.ID, memstore.ByUser)
	if err != nil {
		t.Fatal(err)
	}
	if sum := Summarize(r); sum.Applied != 3 || sum.Planned != 3 {
		t.Fatalf("summary %+v", sum)
	}
	got := live(t, db)
	if len(got) != 3 {
		t.Errorf("left are %v", got)
	}
	for _, op := range p.Operations {
		if got[op.Survivor.Key] != op.After.Value {
			t.Errorf("%s reads %q, planned was %q", op.Survivor.Key, got[op.Survivor.Key], op.After.Value)
		}
	}
}

func TestTheSameDecisionAgainReturnsTheSameReceiptAndTheOtherIsRefused(t *testing.T) {
	t.Parallel()
	_, s, p := three(t)
	ctx := context.Background()
	first, err := s.Approve(ctx, p.ID, memstore.ByUser)
	if err != nil {
		t.Fatal(err)
	}
	again, err := s.Approve(ctx, p.ID, memstore.ByUser)
	if err != nil || again.ID != first.ID || !again.Decided.Equal(first.Decided) || Summarize(again).Applied != 3 {
		t.Errorf("again: %+v, %v", again, err)
	}
	_, err = s.Dismiss(ctx, p.ID, memstore.ByUser)
	var decided *DecidedError
	if !errors.As(err, &decided) || decided.Decision != "approved" {
		t.Errorf("the other decision gave %v", err)
	}
}

func TestADismissedPlanChangesNothingAndCannotBeApproved(t *testing.T) {
	t.Parallel()
	db, s, p := three(t)
	ctx := context.Background()
	before := live(t, db)
	r, err := s.Dismiss(ctx, p.ID, memstore.ByUser)
	if err != nil {
		t.Fatal(err)
	}
	if sum := Summarize(r); sum.Skipped != 3 {
		t.Errorf("summary %+v", sum)
	}
	var decided *DecidedError
	if _, err := s.Approve(ctx, p.ID, memstore.ByUser); !errors.As(err, &decided) {
		t.Errorf("approving it gave %v", err)
	}
	if _, err := s.Undo(ctx, p.ID, memstore.ByUser); !errors.Is(err, ErrNotApplied) {
		t.Errorf("undoing it gave %v", err)
	}
	if fmt.Sprint(live(t, db)) != fmt.Sprint(before) {
		t.Error("something changed")
	}
}

func TestAPlanExpiresTenMinutesAfterItWasMade(t *testing.T) {
	t.Parallel()
	db := openStore(t, t.TempDir())
	remember(t, db, "a", "We deploy on Tuesdays only.")
	remember(t, db, "b", "We deploy on Tuesdays only.")
	now := clock0
	s := NewSession(&Planner{}, db, func() time.Time { return now })
	ctx := context.Background()
	p, err := s.Plan(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	now = clock0.Add(10 * time.Minute)
	var expired *ExpiredError
	if _, err := s.Approve(ctx, p.ID, memstore.ByUser); !errors.As(err, &expired) {
		t.Fatalf("approving it late gave %v", err)
	}
	now = clock0.Add(10*time.Minute - time.Second)
	if _, err := s.Approve(ctx, p.ID, memstore.ByUser); err != nil {
		t.Fatalf("approving it in time gave %v", err)
	}
	now = clock0.Add(time.Hour)
	if r, err := s.Approve(ctx, p.ID, memstore.ByUser); err != nil || Summarize(r).Applied != 1 {
		t.Errorf("approving it again much later gave %+v, %v", r, err)
	}
}

func TestAPlanOfAnotherSessionIsUnknown(t *testing.T) {
	t.Parallel()
	db, _, p := three(t)
	other := NewSession(&Planner{}, db, nil)
	if _, err := other.Approve(context.Background(), p.ID, memstore.ByUser); !errors.Is(err, ErrNoPlan) {
		t.Errorf("the answer is %v", err)
	}
}

func TestAnEntryChangedSincePlanningIsAConflictThatNamesIt(t *testing.T) {
	t.Parallel()
	db, s, p := three(t)
	var op Operation
	for _, o := range p.Operations {
		if o.Kind == Retire {
			op = o
		}
	}
	// The survivor stays as it is; that it did is checked all the same.
	remember(t, db, op.Survivor.Key, "We deploy on Mondays only.")
	r, err := s.Approve(context.Background(), p.ID, memstore.ByUser)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range r.Operations {
		if line.ID == op.ID && (line.Result != memstore.Conflicted || !strings.Contains(line.Error, op.Survivor.Key)) {
			t.Errorf("its line is %+v", line)
		}
	}
	if sum := Summarize(r); sum.Applied != 2 || sum.Conflicted != 1 {
		t.Errorf("summary %+v", sum)
	}
	if got := live(t, db); got[op.Sources[0].Key] == "" {
		t.Error("its source was forgotten")
	}
}

func TestAReceiptIsUndoneWhereNothingChangedSince(t *testing.T) {
	t.Parallel()
	db, s, p := three(t)
	before := live(t, db)
	ctx := context.Background()
	r, err := s.Approve(ctx, p.ID, memstore.ByUser)
	if err != nil {
		t.Fatal(err)
	}
	changed := p.Operations[2].Survivor.Key
	if p.Operations[2].Kind != Merge {
		t.Fatalf("the third operation is %s", p.Operations[2].Kind)
	}
	remember(t, db, changed, "Something else.")
	r, err = s.Undo(ctx, r.ID, memstore.ByUser)
	if err != nil {
		t.Fatal(err)
	}
	if r.Undone.IsZero() {
		t.Error("the receipt does not say that it was undone")
	}
	for i, line := range r.Operations {
		want := "undone"
		if i == 2 {
			want = "left alone"
		}
		if line.Undo != want {
			t.Errorf("operation %s is %q, want %q", line.ID, line.Undo, want)
		}
	}
	for k, v := range live(t, db) {
		if k != changed && before[k] != v {
			t.Errorf("%s reads %q, before %q", k, v, before[k])
		}
	}
	again, err := s.Undo(ctx, r.ID, memstore.ByUser)
	if err != nil || fmt.Sprint(again) != fmt.Sprint(r) {
		t.Errorf("undoing it again gave %+v, %v", again, err)
	}
}

// failing is a store that becomes unavailable after some operations.
type failing struct {
	memstore.Versioned
	left int
}

var errGone = errors.New("the disk is gone")

func (f *failing) ApplyOperation(ctx context.Context, receipt, operation string, cs []memstore.Change) (memstore.ReceiptOperation, error) {
	if f.left--; f.left < 0 {
		return memstore.ReceiptOperation{}, errGone
	}
	return f.Versioned.ApplyOperation(ctx, receipt, operation, cs)
}

func TestWhatHadNotBegunAfterAFailureIsSkipped(t *testing.T) {
	t.Parallel()
	db, _, p := three(t)
	ctx := context.Background()
	_, err := Apply(ctx, &failing{Versioned: db, left: 1}, p, memstore.ByUser, clock0)
	if !errors.Is(err, errGone) {
		t.Fatalf("the error is %v", err)
	}
	r, err := Apply(ctx, db, p, memstore.ByUser, clock0)
	if err != nil {
		t.Fatal(err)
	}
	if sum := Summarize(r); sum.Applied != 1 || sum.Skipped != 2 {
		t.Errorf("the stored receipt says %+v", sum)
	}
	if n := len(live(t, db)); n != 5 {
		t.Errorf("%d entries are left, want 5", n)
	}
	if _, err := Undo(ctx, db, p.ID, memstore.ByUser); err != nil {
		t.Fatal(err)
	}
	if n := len(live(t, db)); n != 6 {
		t.Errorf("%d entries are there after undoing, want 6", n)
	}
}

func TestTwoProcessesThatApplyOnePlanDoEachOperationOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	db := openStore(t, dir)
	for i := range 40 {
		text := fmt.Sprintf("The %s service listens on port %d.", strings.Repeat("x", i+1), 8000+i)
		remember(t, db, fmt.Sprintf("a%d", i), text)
		remember(t, db, fmt.Sprintf("b%d", i), text)
	}
	p, err := NewSession(&Planner{}, db, nil).Plan(context.Background(), nil)
	if err != nil || len(p.Operations) != 40 {
		t.Fatalf("%d operations, %v", len(p.Operations), err)
	}
	other := openStore(t, dir)
	errs := make(chan error, 2)
	for _, s := range []memstore.Versioned{db, other} {
		go func() {
			_, err := Apply(context.Background(), s, p, memstore.ByUser, clock0)
			errs <- err
		}()
	}
	for range 2 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	r, err := db.Receipt(context.Background(), p.ID)
	if err != nil || Summarize(r).Applied != 40 {
		t.Errorf("%+v, %v", Summarize(r), err)
	}
	if n := len(live(t, db)); n != 40 {
		t.Errorf("%d entries are left, want 40", n)
	}
}

// TestTwoPlansOfTwoProcessesConflictWhereTheyMeet: each entry is forgotten
// once, whoever comes first.
func TestTwoPlansOfTwoProcessesConflictWhereTheyMeet(t *testing.T) {
	t.Parallel()
	db, s, p := three(t)
	other := NewSession(&Planner{}, db, func() time.Time { return clock0 })
	ctx := context.Background()
	q, err := other.Plan(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Approve(ctx, p.ID, memstore.ByUser); err != nil {
		t.Fatal(err)
	}
	r, err := other.Approve(ctx, q.ID, memstore.ByUser)
	if err != nil {
		t.Fatal(err)
	}
	if sum := Summarize(r); sum.Conflicted != 3 {
		t.Errorf("the second says %+v", sum)
	}
}

func TestAvailableSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	db := openStore(t, t.TempDir())
	if _, err := Available(db); err != nil {
		t.Errorf("a versioned store gives %v", err)
	}
	var un *UnavailableError
	if _, err := Available(nil); !errors.As(err, &un) || !strings.Contains(un.Reason, "disabled") {
		t.Errorf("no store gives %v", err)
	}
	if _, err := Available(forgetful{db}); !errors.As(err, &un) || !strings.Contains(un.Reason, "history") {
		t.Errorf("a store without history gives %v", err)
	}
}

// forgetful is a store without history.
type forgetful struct{ memstore.Store }

func (forgetful) Capabilities() memstore.Capabilities { return memstore.Capabilities{Durable: true} }
