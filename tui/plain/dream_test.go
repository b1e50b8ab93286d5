package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"reverie/memstore"
	"reverie/planner"
	"reverie/tui/dream"
	"reverie/tui/scripted"
)

var noon = time.Date(2026, 3, 5, 12, 0, 0, 0, time.UTC)

// sleeper is /dream over a real store and planner, with a clock of its own.
type sleeper struct {
	t   *testing.T
	db  *memstore.DB
	now time.Time
	do  func(ctx context.Context, args string, out io.Writer) error
}

func sleep(t *testing.T, entries ...string) *sleeper {
	t.Helper()
	s := &sleeper{t: t, now: noon}
	now := func() time.Time { return s.now }
	db, err := memstore.Open(t.Context(), memstore.Options{Dir: t.TempDir(), Scope: memstore.Project, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	s.db = db
	for i := 0; i < len(entries); i += 2 {
		s.remember(entries[i], entries[i+1])
	}
	p := &planner.Planner{}
	s.do = Dream([]dream.Target{
		dream.NewTarget(memstore.Project, db, p, now), dream.NewTarget(memstore.User, nil, p, now),
	}, now)
	return s
}

func three(t *testing.T) *sleeper {
	t.Helper()
	return sleep(t,
		"deploy/day", "We deploy on Tuesdays only.", "release/schedule", "We deploy on Tuesdays only.",
		"pm", "We use npm.", "pm/new", "We use pnpm instead of npm.",
		"retro/a", "The retro is on Thursdays at noon. Notes go into the wiki.", "retro/b", "The retro is on Thursdays at noon. Mia moderates it.")
}

func (s *sleeper) remember(key, value string) {
	s.t.Helper()
	_, err := s.db.Remember(s.t.Context(), memstore.RememberRequest{Key: key, Value: value,
		Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}})
	if err != nil {
		s.t.Fatal(err)
	}
}

// say gives /dream some words and checks what it writes.
func (s *sleeper) say(args string, wants ...string) string {
	s.t.Helper()
	var out strings.Builder
	if err := s.do(s.t.Context(), args, &out); err != nil {
		s.t.Fatalf("/dream %s: %v", args, err)
	}
	for _, want := range wants {
		if !strings.Contains(out.String(), want) {
			s.t.Fatalf("/dream %s does not write %q but\n%s", args, want, out.String())
		}
	}
	return out.String()
}

// refuse checks that words are refused, with the reason.
func (s *sleeper) refuse(args, why string) {
	s.t.Helper()
	var out strings.Builder
	if err := s.do(s.t.Context(), args, &out); err == nil || !strings.Contains(err.Error(), why) {
		s.t.Fatalf("/dream %s answers %v, want %q; it wrote\n%s", args, err, why, out.String())
	}
}

func TestADreamIsReviewedApprovedAndUndoneInWords(t *testing.T) {
	t.Parallel()
	s := three(t)
	s.refuse("approve", "no plan was shown")
	s.say("", "3 operations on 6 project memories, planner: local", "2 retire", "    -We use npm.", "  same pm/new:\n     We use pnpm instead of npm.",
		"/dream approve or /dream dismiss decides on all of it; it expires in 10 min")
	s.say("approve", "approved by you today 12:00: 3 applied, 0 conflicted, 0 failed, 0 skipped", "applied 2 retire release/schedule", "Take it back: /dream undo ")
	s.say("receipts", "approved by you: 3 applied")
	s.remember("pm/new", "We use yarn.")
	s.remember("pm", "We used npm.")
	s.say("undo", "undone today 12:00", "undone 2 release/schedule", "left alone 1 pm: changed since")
	s.refuse("undo", "can be undone")
	if n, err := s.db.Count(t.Context()); err != nil || n != 6 {
		t.Errorf("%d entries, %v", n, err)
	}
}

func TestADreamIsDismissedInWords(t *testing.T) {
	t.Parallel()
	s := three(t)
	s.say("project")
	s.say("dismiss", "dismissed by you", "nothing was changed")
	s.refuse("approve", "was dismissed already")
}

func TestAnExpiredDreamCannotBeApprovedInWords(t *testing.T) {
	t.Parallel()
	s := three(t)
	s.say("")
	s.now = s.now.Add(planner.Lifetime)
	s.refuse("approve", "make a new one")
	s.say("", "3 operations")
	s.say("approve", "3 applied")
}

func TestOnlyThePlanShownLastIsDecidedOn(t *testing.T) {
	t.Parallel()
	s := three(t)
	s.say("")
	s.refuse("approve p_0000", "only the plan that was shown last")
	s.refuse("approve everything", "only the plan")
	s.refuse("nonsense", "/dream [project|user]")
}

func TestAnEmptyDreamSaysInWordsWhatWasLookedAt(t *testing.T) {
	t.Parallel()
	s := sleep(t, "a", "We use npm.", "b", "The retro is on Thursdays.")
	s.say("", "Nothing to do. 2 project memories were looked at")
	s.refuse("approve", "the plan is empty")
	s.say("receipts", "No plan for the project memory has been decided on yet.")
}

func TestAnUnavailableDreamSaysInWordsWhy(t *testing.T) {
	t.Parallel()
	s := three(t)
	s.refuse("user", "no dream about the user memory: Memory is disabled; enable memory to dream.")
	s.say("", "6 project memories") // one where there is a dream
	if err := Dream(nil, nil)(t.Context(), "", io.Discard); err == nil {
		t.Error("without any memory there is a dream")
	}
}

func TestAGroupOfManyIsBriefUntilAllAreAskedFor(t *testing.T) {
	t.Parallel()
	var entries []string
	for i := range 12 {
		entries = append(entries, fmt.Sprintf("copy/%02d", i), "We deploy on Tuesdays only.")
	}
	s := sleep(t, entries...)
	if out := s.say("", "and 3 more: /dream show 1 names all"); strings.Contains(out, "copy/10,") {
		t.Errorf("all are named:\n%s", out)
	}
	s.say("show 1", "source: copy/10,", "source: copy/11,")
	s.refuse("show 2", "it has 1 operation")
}

func TestTextOfADreamReachesNoTerminalAsAControl(t *testing.T) {
	t.Parallel()
	const hostile = "\x1b]52;c;aGk=\x07\x1b[2J\u202eevil\u009b31m\r\n\x00"
	e := memstore.Entry{Key: hostile, Value: hostile, Description: hostile, Kind: hostile, Version: hostile, Provenance: memstore.Provenance{Writer: hostile}}
	p := planner.Plan{
		ID: hostile, Scope: memstore.Project, Planner: hostile, Note: hostile, Considered: 2,
		Operations: []planner.Operation{{ID: hostile, Kind: hostile, Reason: hostile, Before: []memstore.Entry{e, e}}},
		Unsure:     []planner.Unsure{{Keys: []string{hostile}, Reason: hostile}},
		Purge:      []planner.Purge{{Key: hostile, Masked: hostile, Reason: hostile}},
		Dropped:    []planner.Dropped{{Keys: []string{hostile}, Reason: hostile}},
	}
	r := memstore.Receipt{ID: hostile, Decision: "approved", By: hostile, Decided: noon, Undone: noon, Operations: []memstore.ReceiptOperation{
		{ID: hostile, Kind: hostile, Result: hostile, Error: hostile, Undo: hostile, UndoError: hostile, Touched: []memstore.Touched{{Key: hostile}}},
	}}
	var out strings.Builder
	if err := errors.Join(WritePlan(&out, p, noon), WriteReceipt(&out, r, noon)); err != nil {
		t.Fatal(err)
	}
	for _, c := range out.String() {
		if c < 0x20 && c != '\n' || c >= 0x7f && c < 0xa0 || c == '\u202e' {
			t.Fatalf("%U is written:\n%q", c, out.String())
		}
	}
}

func TestPlainModeDreamsInWords(t *testing.T) {
	t.Parallel()
	s := three(t)
	out, errs, err := talk(t, &scripted.Conversation{}, func(c *Config) {
		c.Commands = map[string]func(context.Context, string, io.Writer) error{"dream": s.do}
	}, "/dream", "/dream approve", "/dream dismiss")
	if err != nil || !strings.Contains(out, "3 applied") {
		t.Fatalf("%v:\n%s", err, out)
	}
	if !strings.Contains(errs, "was approved already; make a new plan") {
		t.Errorf("errors: %s", errs)
	}
}
