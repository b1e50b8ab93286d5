package tui

import (
	"context"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/agent"
	"reverie/tui/feed"
	"reverie/tui/pane"
)

// driver sends messages to the root directly, with a clock of its own. The
// commands it gets back are kept, not run.
type driver struct {
	root *root
	time time.Time
	feed *feed.Feed // a turn in which nothing happens but what a test says
	cmds []tea.Cmd
}

func drive(t *testing.T, cfg Config, w, h int) *driver {
	t.Helper()
	d := &driver{time: clock()}
	cfg.Now = func() time.Time { return d.time }
	cfg.Environ = []string{"TERM=xterm-256color", "LANG=C.UTF-8"}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	m, err := newRoot(ctx, cfg)
	if err != nil {
		t.Fatal(err)
	}
	d.root = m
	d.feed = feed.Start(ctx, func(ctx context.Context, _ func(agent.Event)) error { <-ctx.Done(); return nil })
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	return d
}

func (d *driver) send(msgs ...tea.Msg) {
	for _, m := range msgs {
		_, cmd := d.root.Update(m)
		if cmd != nil {
			d.cmds = append(d.cmds, cmd)
		}
		d.root.View()
	}
}

// run runs the commands kept so far and those that come of them. One that
// waits for something to happen is left waiting.
func (d *driver) run() {
	for len(d.cmds) > 0 {
		cmd := d.cmds[0]
		d.cmds = d.cmds[1:]
		got := make(chan tea.Msg, 1)
		go func() { got <- cmd() }()
		var msg tea.Msg
		select {
		case msg = <-got:
		case <-time.After(200 * time.Millisecond):
			continue
		}
		switch msg := msg.(type) {
		case nil:
		case tea.BatchMsg:
			for _, c := range msg {
				if c != nil {
					d.cmds = append(d.cmds, c)
				}
			}
		default:
			d.send(msg)
		}
	}
}

func (d *driver) wait(by time.Duration) { d.time = d.time.Add(by) }

func (d *driver) events(es ...agent.Event) { d.send(feed.Batch{Feed: d.feed, Events: es}) }

// press presses a key once, as a terminal that marks repeats reports it.
func press(name string) tea.KeyPressMsg {
	named := map[string]rune{
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "up": tea.KeyUp, "down": tea.KeyDown,
		"pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "backspace": tea.KeyBackspace, "space": tea.KeySpace,
	}
	if code, ok := named[name]; ok {
		k := tea.KeyPressMsg{Code: code}
		if name == "space" {
			k.Text = " "
		}
		return k
	}
	if len(name) == 6 && name[:5] == "ctrl+" {
		return tea.KeyPressMsg{Code: rune(name[5]), Mod: tea.ModCtrl}
	}
	r := []rune(name)[0]
	return tea.KeyPressMsg{Code: r, Text: name}
}

func (d *driver) typing(text string) {
	for _, r := range text {
		if r == ' ' {
			d.send(press("space"))
			continue
		}
		d.send(press(string(r)))
	}
}

func commandMsg(name, args string) pane.CommandMsg { return pane.CommandMsg{Name: name, Args: args} }
