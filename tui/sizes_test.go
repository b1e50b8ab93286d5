package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/memstore"
	"reverie/tui/scripted"
)

// hostile is text that would leave its place, colour what it likes, or reach
// the clipboard, if a terminal saw it as it is.
const hostile = "\x1b]52;c;aGVsbG8=\x07\x1b[2J\x1b[10;10Hmoved\x1b[31m red \u202eevil\u202c \u0085\u009b31m\ttab\t\u200bzero " +
	"漢字漢字漢字 👩‍👩‍👧‍👦 e\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301 שלום \x00\x07\x08\r\n\u2028next \xff\xfe https://example.com/" +
	"averyveryveryveryveryveryveryveryveryverylongaddresswithoutanyspaceinit"

// hostileConfig is a session in which every text is hostile.
func hostileConfig() Config {
	p := memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Learned, Thread: hostile, Tool: hostile, Model: hostile, Source: hostile}
	r := revision("key/x", hostile, "r_1", memstore.Note, 3, p)
	r.Description = hostile
	again := revision("key/x", hostile+" more", "r_2", memstore.Gotcha, 1, p)
	again.Description = "x " + hostile
	return Config{
		Conversation: &scripted.Conversation{
			Name: hostile, Refs: []agent.Ref{{Scope: memstore.Project, Key: hostile}},
			Past: []model.Message{
				{Role: model.User, Text: hostile},
				{Role: model.Assistant, Text: hostile + "\n\n```" + hostile + "\n" + hostile + "\n```\n\n| a | b |\n|---|---|\n| " + strings.ReplaceAll(hostile, "\n", "") + " | b |\n", Reasoning: hostile,
					Calls: []model.ToolCall{{ID: "1", Name: "Remember", Arguments: `{"key":"a/b","value":"\u001b[2Jx"}`}, {ID: "2", Name: hostile, Arguments: hostile}}},
				{Role: model.Tool, CallID: "1", Text: hostile},
				{Role: model.Tool, CallID: "2", Text: hostile, Failed: true},
			},
		},
		Project: newShelf(memstore.Project, r, again), User: operator(), ProjectName: hostile, DataDir: hostile,
		History: []string{hostile},
		Dream:   dreams(plan(hostile, hostile, hostile)),
		Open:    func(context.Context, string) (Conversation, error) { return talk(), nil },
		Threads: func(context.Context) ([]Thread, error) {
			return []Thread{{ID: "1", Title: hostile, Preview: hostile, Turns: 1, Updated: clock()}, {ID: "2", Title: strings.Repeat("👩‍👩‍👧‍👦", 30)}}, nil
		},
		Context: func() []Part { return []Part{{Name: hostile, Reason: hostile, Text: hostile}} },
	}
}

// panes are ways to bring each pane onto the screen.
var panes = map[string]func(*driver){
	"chat":   func(*driver) {},
	"memory": func(d *driver) { d.command("memory", "") },
	"memory, reading": func(d *driver) {
		d.command("memory", "")
		d.send(press("enter"))
	},
	"help":    func(d *driver) { d.command("help", "") },
	"themes":  func(d *driver) { d.command("theme", "") },
	"threads": func(d *driver) { d.command("threads", "") },
	"context": func(d *driver) { d.command("context", "") },
	"dream":   func(d *driver) { d.command("dream", "") },
	"dream, reading": func(d *driver) {
		d.command("dream", "")
		d.send(press("enter"))
	},
	"help over dream": func(d *driver) {
		d.command("dream", "")
		d.command("help", "")
	},
	"question": func(d *driver) {
		a := old()
		a.ID, a.Key, a.Entry.Value, a.Effect, a.Tool = 1, hostile, strings.Repeat(hostile+"\n", 9), hostile, hostile
		d.events(agent.ApprovalAsked{Approval: a})
	},
	"question with the keyboard": func(d *driver) {
		a := old()
		a.ID, a.Key, a.Entry.Value, a.Effect, a.Changed = 1, hostile, strings.Repeat(hostile+"\n", 9), hostile, hostile
		d.events(agent.ApprovalAsked{Approval: a})
		d.send(press("ctrl+g"))
	},
	"question over memory": func(d *driver) {
		a := old()
		a.ID, a.Key = 1, hostile
		d.events(agent.ApprovalAsked{Approval: a})
		d.command("memory", "")
	},
	"typing": func(d *driver) {
		d.send(tea.PasteMsg{Content: hostile}, press("ctrl+j"))
		d.typing(strings.Repeat("words and ", 30))
		d.send(tea.PasteMsg{Content: strings.Repeat(hostile, 30)})
	},
	"completing": func(d *driver) { d.typing("/") },
	"searching": func(d *driver) {
		d.send(press("ctrl+r"), tea.PasteMsg{Content: "x"}, press("ctrl+r"))
		d.typing("moved")
	},
	"events": func(d *driver) {
		d.events(agent.TextDelta{Text: hostile}, agent.ReasoningDelta{Text: hostile}, agent.Notice{Text: hostile},
			agent.ToolFinished{Call: model.ToolCall{Name: hostile}, Error: hostile},
			agent.ToolFinished{Memory: &agent.MemoryEvent{Action: "refused", Scope: memstore.Project, Key: hostile, Problem: hostile}},
			agent.ToolFinished{Memory: &agent.MemoryEvent{Action: "remembered", Scope: memstore.Project, Key: hostile, After: memstore.Entry{Version: "r", Value: hostile}, Undo: true}},
			agent.TurnFinished{Err: &model.Error{Model: hostile, Where: hostile, Detail: hostile, Advice: hostile}})
	},
}

func (d *driver) command(name, args string) {
	d.root.Update(tea.FocusMsg{})
	cmd := d.root.command(commandMsg(name, args))
	if cmd != nil {
		d.cmds = append(d.cmds, cmd)
	}
	d.send(tea.FocusMsg{})
	d.run()
}

func TestEveryPaneKeepsToItsPlaceAtEverySize(t *testing.T) {
	t.Parallel()
	for name, bring := range panes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := drive(t, hostileConfig(), 120, 40)
			d.run()
			bring(d)
			d.run()
			for _, w := range []int{1, 2, 3, 10, 20, 21, 33, 40, 79, 80, 109, 110, 111, 120, 200, 300} {
				for _, h := range []int{1, 2, 3, 5, 6, 8, 11, 16, 24, 32, 100} {
					d.send(tea.WindowSizeMsg{Width: w, Height: h})
					check(t, d.root.View(), w, h)
				}
			}
		})
	}
}

func check(t *testing.T, v tea.View, w, h int) {
	t.Helper()
	lines := strings.Split(v.Content, "\n")
	if len(lines) > h {
		t.Fatalf("%dx%d: %d lines", w, h, len(lines))
	}
	for i, l := range lines {
		if n := max(ansi.StringWidth(l), ansi.StringWidthWc(l)); n > w { // however the terminal counts
			t.Fatalf("%dx%d: line %d has %d cells: %q", w, h, i, n, l)
		}
		if bad := foreign(l); bad != "" {
			t.Fatalf("%dx%d: line %d has %s: %q", w, h, i, bad, l)
		}
	}
	if c := v.Cursor; c != nil && (c.X < 0 || c.X >= w || c.Y < 0 || c.Y >= h) {
		t.Fatalf("%dx%d: the cursor is at %d,%d", w, h, c.X, c.Y)
	}
}

// foreign names what may not be in a line: anything but text and colours.
func foreign(line string) string {
	for _, r := range ansi.Strip(line) {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return fmt.Sprintf("the control character %U", r)
		}
		if r == '\u202e' || r == '\u202c' || r == '\u200b' || r == '\u2028' {
			return fmt.Sprintf("the hidden character %U", r)
		}
	}
	for rest := line; ; {
		i := strings.IndexByte(rest, 0x1b)
		if i < 0 {
			return ""
		}
		rest = rest[i+1:]
		if !strings.HasPrefix(rest, "[") {
			return "an escape sequence that is no colour"
		}
		end := strings.IndexFunc(rest[1:], func(r rune) bool { return r >= 0x40 && r <= 0x7e })
		if end < 0 || rest[1+end] != 'm' {
			return "an escape sequence that is no colour"
		}
	}
}
