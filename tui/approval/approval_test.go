package approval

import (
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"reverie/agent"
	"reverie/memstore"
	"reverie/theme"
	"reverie/tui/keys"
)

// desk is a card with one question that has the keyboard.
type desk struct {
	card    *Model
	now     time.Time
	decided []agent.Decision
	ids     []int
}

func sit(t *testing.T) *desk {
	t.Helper()
	d := &desk{now: time.Date(2026, 3, 5, 10, 31, 0, 0, time.UTC)}
	d.card = New(Config{
		Theme: theme.Mono(), Keys: keys.Default(), Now: func() time.Time { return d.now },
		Decide: func(id int, what agent.Decision) bool {
			d.ids, d.decided = append(d.ids, id), append(d.decided, what)
			return true
		},
	})
	d.card.Add(question(1, "Old API lives at /v1."))
	d.card.SetFocus(true)
	return d
}

func question(id int, text string) agent.Approval {
	return agent.Approval{ID: id, Tool: "ForgetMemory", Scope: memstore.Project, Key: "deploy/old-api",
		Entry: memstore.Entry{Version: "r_51d0", Value: text}, Effect: "Leaves a tombstone."}
}

// do sends a message; what it asks for happens after a moment without keys.
func (d *desk) do(msgs ...tea.Msg) {
	var after []tea.Cmd
	for _, m := range msgs {
		d.card.Lines(80, 12)
		d.card.Hear(m)
		if cmd := d.card.Update(m); cmd != nil {
			after = append(after, cmd)
		}
	}
	for _, cmd := range after {
		d.card.Update(cmd())
	}
}

func (d *desk) wait(ms int) { d.now = d.now.Add(time.Duration(ms) * time.Millisecond) }

func char(c string) tea.KeyPressMsg { return tea.KeyPressMsg{Code: []rune(c)[0], Text: c} }

func TestOneFreshPressAnswers(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]agent.Decision{"A": agent.Approve, "X": agent.Deny} {
		d := sit(t)
		d.wait(301)
		d.do(char(key))
		if len(d.decided) != 1 || d.decided[0] != want || d.ids[0] != 1 || d.card.Waiting() != 0 {
			t.Errorf("%s: decided %v", key, d.decided)
		}
	}
}

func TestNoOtherKeyThanADeliberateOneAnswers(t *testing.T) {
	t.Parallel()
	repeated := char("A")
	repeated.IsRepeat = true
	for name, play := range map[string]func(*desk){
		"too soon after the focus": func(d *desk) { d.wait(299); d.do(char("A")) },
		"a repeated key":           func(d *desk) { d.wait(1000); d.do(repeated) },
		"a key held since before": func(d *desk) {
			d.card.SetFocus(false)
			for range 40 {
				d.do(char("A"))
				d.wait(33)
			}
			d.card.SetFocus(true)
			for range 40 {
				d.do(char("A"))
				d.wait(33)
			}
		},
		"a key held with a long first delay": func(d *desk) {
			d.card.SetFocus(false)
			d.do(char("A"))
			d.card.SetFocus(true)
			d.wait(660)
			d.do(char("A"))
		},
		"a paste":                  func(d *desk) { d.wait(1000); d.do(tea.PasteMsg{Content: "A"}) },
		"a paste without brackets": func(d *desk) { d.wait(1000); d.do(char("A"), char("l"), char("l")) },
		"the end of such a paste":  func(d *desk) { d.wait(1000); d.do(char("C"), char("I"), char("A")) },
		"enter":                    func(d *desk) { d.wait(1000); d.do(tea.KeyPressMsg{Code: tea.KeyEnter}) },
		"space":                    func(d *desk) { d.wait(1000); d.do(tea.KeyPressMsg{Code: tea.KeySpace, Text: " "}) },
		"the small letter":         func(d *desk) { d.wait(1000); d.do(char("a")); d.wait(1000); d.do(char("x")) },
		"another question that took its place": func(d *desk) {
			d.card.Add(question(2, "another"))
			d.wait(1000)
			d.card.Remove(1)
			d.do(char("A"))
		},
	} {
		d := sit(t)
		play(d)
		if len(d.decided) != 0 {
			t.Errorf("%s: decided %v", name, d.decided)
		}
	}
}

func TestWhereRepeatsAreMarkedAKeyMayBePressedTwiceInARow(t *testing.T) {
	t.Parallel()
	d := sit(t)
	d.card.MarksRepeats(true)
	d.wait(200)
	d.do(char("A")) // too soon
	d.wait(200)
	d.do(char("A"))
	if len(d.decided) != 1 {
		t.Errorf("decided %v", d.decided)
	}
}

func TestTheWholeTextIsShownWithHiddenCharactersSpelledOut(t *testing.T) {
	t.Parallel()
	d := sit(t)
	d.card.Clear()
	text := strings.Repeat("a line of it\n", 50) + "pay \u202eevil\u202c now\u200b"
	d.card.Add(question(3, text))
	d.card.SetFocus(false)
	d.card.SetFocus(true)
	seen := ""
	for range 60 {
		lines := d.card.Lines(60, 14)
		if len(lines) > 14 {
			t.Fatalf("%d lines in a height of 14", len(lines))
		}
		seen += strings.Join(lines, "\n")
		d.do(char("j"))
	}
	for _, want := range []string{"U+202E", "U+202C", "U+200B", "rows 1 to"} {
		if !strings.Contains(seen, want) {
			t.Errorf("%q is not to be seen", want)
		}
	}
	if strings.ContainsRune(seen, '\u202e') {
		t.Error("a directional control reaches the terminal")
	}
}

func TestNothingIsApprovedOfWhichKeyOrTextHadNoRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		w, h int
		may  bool
	}{{20, 1, false}, {20, 2, false}, {20, 3, false}, {20, 4, true}, {20, 5, true}, {38, 3, true}, {80, 2, false}, {80, 3, true}, {120, 12, true}} {
		d := sit(t)
		d.wait(1000)
		d.card.MarksRepeats(true)
		a := char("A")
		d.card.Hear(a)
		lines := strings.Join(d.card.Lines(c.w, c.h), "\n")
		cmd := d.card.Update(a)
		if (cmd != nil) != c.may {
			t.Errorf("%dx%d: approving is possible: %v\n%s", c.w, c.h, cmd != nil, lines)
		}
		if !c.may && !strings.Contains(strings.Join(d.card.Lines(40, 4), "\n"), "/approve 1") {
			t.Errorf("%dx%d: nothing says how to approve instead", c.w, c.h)
		}
		if c.h >= 3 && (!strings.Contains(lines, "A ") || !strings.Contains(lines, "X ")) {
			t.Errorf("%dx%d: the keys are not to be seen:\n%s", c.w, c.h, lines)
		}
	}
}

func TestTheKeysAreNeverCutInAWord(t *testing.T) {
	t.Parallel()
	for _, focused := range []bool{true, false} {
		for w := 14; w < 120; w++ {
			d := sit(t)
			d.card.SetFocus(focused)
			lines := d.card.Lines(w, 6)
			last := ansi.Strip(lines[len(lines)-1])
			if strings.Contains(last, "…") || !strings.Contains(last, "A ") && !strings.Contains(last, "^G answer") {
				t.Errorf("width %d, focused %v: %q", w, focused, last)
			}
		}
	}
}

func TestAnAnsweredQuestionMakesWayForTheNext(t *testing.T) {
	t.Parallel()
	d := sit(t)
	d.card.Add(question(2, "the second"))
	d.wait(400)
	d.do(char("X"))
	if d.card.Waiting() != 1 || !strings.Contains(d.card.View(80, 10), "the second") {
		t.Fatalf("waiting %d:\n%s", d.card.Waiting(), d.card.View(80, 10))
	}
	d.wait(1000)
	d.do(char("A"))
	if len(d.ids) != 2 || d.ids[1] != 2 || d.decided[1] != agent.Approve {
		t.Errorf("answered %v with %v", d.ids, d.decided)
	}
}
