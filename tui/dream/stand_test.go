package dream

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"reverie/memstore"
	"reverie/planner"
	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/pane"
)

var morning = time.Date(2026, 3, 5, 10, 31, 0, 0, time.UTC)

// stand is a pane with a person in front of it. Its commands run at once, its
// waits when the time is let pass.
type stand struct {
	t     *testing.T
	m     *Model
	now   time.Time
	w, h  int
	waits []waiting
	sent  []tea.Msg // to the root
}

type waiting struct {
	due  time.Time
	long time.Duration
	msg  func(time.Time) tea.Msg
}

// idle makes a stand whose first command is returned and not run.
func idle(t *testing.T, w, h int, targets ...Target) (*stand, tea.Cmd) {
	t.Helper()
	s := &stand{t: t, now: morning, w: w, h: h}
	m, cmd := New(Config{
		Context: t.Context(), Theme: theme.Mono(), Keys: keys.Default(), Targets: targets,
		Now: func() time.Time { return s.now },
	})
	m.wait = func(d time.Duration, msg func(time.Time) tea.Msg) tea.Cmd {
		s.waits = append(s.waits, waiting{s.now.Add(d), d, msg})
		return nil
	}
	s.m = m
	m.SetFocus(true)
	return s, m.Update(cmd())
}

func sit(t *testing.T, w, h int, targets ...Target) *stand {
	t.Helper()
	s, cmd := idle(t, w, h, targets...)
	s.do(cmd)
	s.text()
	return s
}

func (s *stand) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			s.do(c)
		}
	case progressMsg, plannedMsg, decidedMsg, receiptsMsg, pane.PressMsg, tickMsg:
		s.do(s.m.Update(msg))
	default:
		s.sent = append(s.sent, msg)
	}
}

// pass lets time pass.
func (s *stand) pass(d time.Duration) {
	end := s.now.Add(d)
	for {
		slices.SortStableFunc(s.waits, func(a, b waiting) int { return a.due.Compare(b.due) })
		if len(s.waits) == 0 || s.waits[0].due.After(end) {
			break
		}
		next := s.waits[0]
		s.waits = s.waits[1:]
		s.now = next.due
		s.do(s.m.Update(next.msg(s.now)))
	}
	s.now = end
	s.text()
}

func key(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	}
	if code, ok := named[name]; ok {
		return tea.KeyPressMsg{Code: code}
	}
	return tea.KeyPressMsg{Code: []rune(name)[0], Text: name}
}

// send sends keys and pastes as the root does.
func (s *stand) send(msgs ...tea.Msg) {
	for _, msg := range msgs {
		s.m.Hear(msg)
		s.do(s.m.Update(msg))
		s.sent = append(s.sent, s.m.Asked()...)
		s.text()
	}
}

func (s *stand) press(names ...string) {
	for _, n := range names {
		s.pass(time.Second)
		s.send(key(n))
	}
}

// decide presses a key with deliberation.
func (s *stand) decide(name string) {
	s.press(name)
	s.pass(pane.Burst)
}

func (s *stand) text() string { return ansi.Strip(s.m.View(s.w, s.h)) }

func (s *stand) see(wants ...string) {
	s.t.Helper()
	got := strings.Join(strings.Fields(s.text()), " ")
	for _, want := range wants {
		if !strings.Contains(got, strings.Join(strings.Fields(want), " ")) {
			s.t.Fatalf("%q is not to be seen:\n%s", want, s.text())
		}
	}
}

func (s *stand) notSee(want string) {
	s.t.Helper()
	if strings.Contains(s.text(), want) {
		s.t.Fatalf("%q is to be seen:\n%s", want, s.text())
	}
}

// closed reports whether the pane asked to be closed.
func (s *stand) closed() bool { return slices.ContainsFunc(s.sent, isClose) }

// memory is a real store of which a plan has one operation of each kind.
func memory(t *testing.T, now func() time.Time) *memstore.DB {
	t.Helper()
	db, err := memstore.Open(t.Context(), memstore.Options{Dir: t.TempDir(), Scope: memstore.Project, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	for _, e := range [][2]string{
		{"deploy/day", "We deploy on Tuesdays only."},
		{"release/schedule", "We deploy on Tuesdays only."},
		{"pm", "We use npm."},
		{"pm/new", "We use pnpm instead of npm."},
		{"retro/a", "The retro is on Thursdays at noon. Notes go into the wiki."},
		{"retro/b", "The retro is on Thursdays at noon. Mia moderates it."},
	} {
		remember(t, db, e[0], e[1])
	}
	return db
}

func remember(t *testing.T, s memstore.Store, key, value string) {
	t.Helper()
	_, err := s.Remember(context.Background(), memstore.RememberRequest{Key: key, Value: value,
		Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}})
	if err != nil {
		t.Fatal(err)
	}
}

// withStore is a stand over a real store and planner.
func withStore(t *testing.T) (*stand, *memstore.DB) {
	t.Helper()
	var s *stand
	now := func() time.Time {
		if s == nil {
			return morning
		}
		return s.now
	}
	db := memory(t, now)
	target := NewTarget(memstore.Project, db, &planner.Planner{}, now)
	target.Count = 6
	var cmd tea.Cmd
	s, cmd = idle(t, 78, 40, target)
	s.do(cmd)
	s.text()
	return s, db
}

// viewAll marks every operation once, so that each is shown.
func (s *stand) viewAll() {
	for range s.m.now().rows() {
		s.press("j")
	}
	s.press("g")
}

// script is a session that says what a test wants.
type script struct {
	plan     planner.Plan
	has      bool
	planFunc func(ctx context.Context, progress func(done, total int)) (planner.Plan, error)
	receipts []memstore.Receipt
	decided  []string
	err      error
}

func (s *script) Plan(ctx context.Context, progress func(done, total int)) (planner.Plan, error) {
	if s.planFunc != nil {
		return s.planFunc(ctx, progress)
	}
	s.has = true
	return s.plan, s.err
}

func (s *script) Current() (planner.Plan, bool) { return s.plan, s.has }

func (s *script) Approve(_ context.Context, id string, by memstore.Writer) (memstore.Receipt, error) {
	s.decided = append(s.decided, "approve "+id)
	return s.decision(id, "approved", by)
}

func (s *script) Dismiss(_ context.Context, id string, by memstore.Writer) (memstore.Receipt, error) {
	s.decided = append(s.decided, "dismiss "+id)
	return s.decision(id, "dismissed", by)
}

func (s *script) decision(id, decision string, by memstore.Writer) (memstore.Receipt, error) {
	if s.err != nil {
		return memstore.Receipt{}, s.err
	}
	r := memstore.Receipt{ID: id, Scope: s.plan.Scope, Decision: decision, By: by, Decided: morning}
	s.receipts = append([]memstore.Receipt{r}, s.receipts...)
	return r, nil
}

func (s *script) Undo(_ context.Context, id string, _ memstore.Writer) (memstore.Receipt, error) {
	s.decided = append(s.decided, "undo "+id)
	return memstore.Receipt{}, errors.New("not scripted")
}

func (s *script) Receipts(context.Context, int) ([]memstore.Receipt, error) { return s.receipts, nil }

func entry(key, value, version string, by memstore.Writer, days int) memstore.Entry {
	return memstore.Entry{
		Scope: memstore.Project, Key: key, Value: value, Kind: memstore.Note, Version: memstore.Version(version),
		Updated: morning.Add(-time.Duration(days)*24*time.Hour - 19*time.Minute), Provenance: memstore.Provenance{Writer: by, Origin: memstore.Explicit},
	}
}

func operation(id string, kind planner.Kind, reason string, after string, before ...memstore.Entry) planner.Operation {
	o := planner.Operation{ID: id, Kind: kind, Reason: reason, Before: before}
	last := before[len(before)-1]
	o.Survivor = planner.Ref{Key: last.Key, Version: last.Version}
	for _, e := range before[:len(before)-1] {
		o.Sources = append(o.Sources, planner.Ref{Key: e.Key, Version: e.Version})
	}
	o.After = last
	if after != "" {
		o.After.Value = after
	}
	return o
}

// gateway is the plan of the screens.
func gateway() planner.Plan {
	return planner.Plan{
		ID: "p_7c1e", Scope: memstore.Project, Planner: "local", Considered: 42,
		Created: morning.Add(-2 * time.Minute), Expires: morning.Add(8 * time.Minute),
		Operations: []planner.Operation{
			operation("1", planner.Retire, "notes/ci-2 says the same word for word.", "",
				entry("notes/ci-2", "The pipeline is in ci.yml.", "r_20c1", memstore.ByModel, 9),
				entry("notes/ci", "The pipeline is in ci.yml.", "r_20a0", memstore.ByUser, 20)),
			operation("2", planner.Supersede, "ci/runner says that it replaces amd64.", "",
				entry("ci/arch", "CI runs on amd64.", "r_11ab", memstore.ByFile, 2),
				entry("ci/runner", "CI runs on arm64; this replaces amd64.", "r_9a04", memstore.ByModel, 0)),
			operation("3", planner.Merge, "Both are about the standup; every detail is kept.",
				"The standup is at 14:00.\nIt is in room 3.",
				entry("team/standup-room", "The standup is in room 3.", "r_8c33", memstore.ByModel, 4),
				entry("team/standup", "The standup is at 14:00.", "r_8c10", memstore.ByUser, 9)),
		},
		Unsure: []planner.Unsure{{Keys: []string{"db/port", "db/port-2"}, Reason: "One says 5432 and the other 5433."}},
		Purge: []planner.Purge{{Key: "ops/token", Rule: "token-in-prose", Masked: "the token is [withheld: token-in-prose]",
			Reason: "Rule token-in-prose refuses its value: purge it with `reverie memory purge`."}},
		Dropped: []planner.Dropped{{Keys: []string{"api/limit", "api/quota"}, Reason: "The merged text lost the number 500."}},
	}
}

func (s *script) target(count int) Target {
	return Target{Scope: memstore.Project, Session: s, Count: count}
}
