package dream

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"reverie/memstore"
	"reverie/planner"
)

// choices are two memories of which both have something.
func choices() []Target {
	user := &script{plan: planner.Plan{ID: "p_u", Scope: memstore.User, Planner: "local", Considered: 9}}
	return []Target{
		{Scope: memstore.Project, Session: &script{plan: gateway()}, Count: 42},
		{Scope: memstore.User, Session: user, Count: 9},
	}
}

func plan(t *testing.T, p planner.Plan) json.RawMessage {
	t.Helper()
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// decidedGateway is the receipt of gateway's plan, undone since.
func decidedGateway(t *testing.T) memstore.Receipt {
	t.Helper()
	return memstore.Receipt{
		ID: "p_7c1e", Scope: memstore.Project, Planner: "local", Decision: "approved", By: memstore.ByUser,
		Decided: morning, Undone: morning.Add(2 * time.Minute), Plan: plan(t, gateway()),
		Operations: []memstore.ReceiptOperation{
			{ID: "1", Kind: "retire", Result: memstore.Applied, Undo: "undone", Touched: []memstore.Touched{{Key: "notes/ci-2", Before: "r_20c1", After: "r_21"}}},
			{ID: "2", Kind: "supersede", Result: memstore.Conflicted, Error: `project memory "ci/arch" changed: version r_11ab is not current, r_22 by user is`},
			{ID: "3", Kind: "merge", Result: memstore.Applied, Undo: "left alone", UndoError: "changed since",
				Touched: []memstore.Touched{{Key: "team/standup", Before: "r_8c10", After: "r_23"}}},
		},
	}
}

func scheduledReceipt() memstore.Receipt {
	return memstore.Receipt{
		ID: "p_0001", Scope: memstore.Project, Planner: "local", Decision: "approved", By: memstore.BySystem, Decided: morning.Add(-26 * time.Hour),
		Operations: []memstore.ReceiptOperation{{ID: "1", Kind: "retire", Result: memstore.Applied, Touched: []memstore.Touched{{Key: "notes/old"}}}},
	}
}

// hostile is text that would leave its place, colour what it likes, or reach
// the clipboard, if a terminal saw it as it is.
const hostile = "\x1b]52;c;aGVsbG8=\x07\x1b[2J\x1b[10;10Hmoved\x1b[31m red \u202eevil\u202c \u0085\u009b31m\ttab\t\u200bzero " +
	"漢字漢字漢字 👩‍👩‍👧‍👦 e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301 שלום \x00\x07\x08\r\n\u2028next \xff\xfe https://example.com/" +
	"averyveryveryveryveryveryveryveryveryverylongaddresswithoutanyspaceinit"

// hostileTargets are memories in which every text is hostile.
func hostileTargets(t *testing.T) []Target {
	a, b := entry(hostile, hostile, hostile, hostile, 3), entry("k/"+hostile, hostile+"\n"+hostile, hostile, hostile, 1)
	b.Description = hostile
	p := planner.Plan{
		ID: "p_" + hostile, Scope: memstore.Project, Planner: "local+" + hostile, Considered: 9, Expires: morning.Add(time.Minute), Note: hostile,
		Operations: []planner.Operation{operation("1", planner.Merge, hostile, "x "+hostile, a, b), operation(hostile, hostile, hostile, "", b, a, b)},
		Unsure:     []planner.Unsure{{Keys: []string{hostile, hostile}, Reason: hostile}},
		Purge:      []planner.Purge{{Key: hostile, Rule: hostile, Masked: hostile, Reason: hostile}},
		Dropped:    []planner.Dropped{{Keys: []string{hostile}, Reason: hostile}},
	}
	r := memstore.Receipt{
		ID: "p_old" + hostile, Decision: "approved", By: hostile, Decided: morning, Undone: morning, Plan: plan(t, p),
		Operations: []memstore.ReceiptOperation{
			{ID: "1", Kind: hostile, Result: hostile, Error: hostile, Undo: hostile, UndoError: hostile},
			{ID: "9", Kind: "retire", Result: memstore.Applied, Touched: []memstore.Touched{{Key: hostile}, {Key: hostile}}},
		},
	}
	return []Target{
		{Scope: memstore.Project, Session: &script{plan: p, receipts: []memstore.Receipt{r}}, Count: 42},
		{Scope: memstore.User, Session: &script{err: errors.New(hostile)}, Count: 9},
		{Scope: "thread", Why: errors.New(hostile), Count: 1},
	}
}

func TestThePaneKeepsToItsPlaceAtEverySize(t *testing.T) {
	t.Parallel()
	for name, names := range map[string][]string{
		"first":      nil,
		"reading":    {"enter"},
		"second":     {"j", "enter", "pgdown"},
		"unsure":     {"j", "j"},
		"purge":      {"j", "j", "j", "enter"},
		"dropped":    {"j", "j", "j", "j"},
		"receipt":    {"G", "enter", "G"},
		"armed":      {"A"},
		"failed":     {"t"},
		"impossible": {"t", "t"},
		"a paste":    {"X"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := sit(t, 120, 40, hostileTargets(t)...)
			s.press(names...)
			for _, w := range []int{1, 2, 3, 10, 20, 21, 33, 40, 57, 80, 120, 300} {
				for _, h := range []int{1, 2, 3, 4, 5, 6, 8, 11, 12, 16, 24, 32, 100} {
					check(t, s.m.View(w, h), w, h)
				}
			}
		})
	}
}

func check(t *testing.T, view string, w, h int) {
	t.Helper()
	lines := strings.Split(view, "\n")
	if len(lines) != h {
		t.Fatalf("%dx%d: %d lines", w, h, len(lines))
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n > w {
			t.Fatalf("%dx%d: line %d has %d cells: %q", w, h, i, n, l)
		}
		if bad := foreign(l); bad != "" {
			t.Fatalf("%dx%d: line %d has %s: %q", w, h, i, bad, l)
		}
	}
}

// foreign names what may not be in a line: anything but text and colours.
func foreign(line string) string {
	for _, r := range ansi.Strip(line) {
		if r < 0x20 || r >= 0x7f && r < 0xa0 || strings.ContainsRune("\u202e\u202c\u200b\u2028", r) {
			return fmt.Sprintf("the character %U", r)
		}
	}
	for rest := line; ; {
		i := strings.IndexByte(rest, 0x1b)
		if i < 0 {
			return ""
		}
		rest = rest[i+1:]
		end := strings.IndexFunc(rest, func(r rune) bool { return r != '[' && r != ';' && (r < '0' || r > '9') })
		if end < 0 || rest[end] != 'm' {
			return "an escape sequence that is no colour"
		}
	}
}
