package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"reverie/tui/scripted"
)

// scenes are what each pane looks like when something is in it.
var scenes = []struct {
	name string
	rows int
	cfg  func() Config
	play func(*stage)
}{
	{"first", 24, func() Config {
		c := config()
		c.Conversation, c.Offline = &scripted.Conversation{Name: "offline"}, true
		return c
	}, func(s *stage) { s.see("No model is connected", "forget that") }},
	{"chat", 24, config, func(s *stage) {
		s.send("we moved deploys from Friday to Thursday\r")
		s.see("for rollbacks.")
		s.send("draft the announcement\r")
		s.see("deploy(")
		s.send("and mention the rollback window")
		s.see("window")
	}},
	{"failure", 16, config, func(s *stage) {
		s.send("please fail\r")
		s.see("/retry")
		s.send("/mem")
		s.see("/memory")
	}},
	{"approval", 20, config, func(s *stage) {
		s.send("forget the old API\r")
		s.see("1 waiting")
		s.send("also check whether")
		s.see("also check whether")
	}},
	{"approval-open", 20, config, func(s *stage) {
		s.send("forget the old API\r")
		s.see("1 waiting")
		s.send("\x07")
		s.gone("answer here first")
	}},
	{"memory", 32, config, func(s *stage) {
		s.send("we moved deploys from Friday to Thursday\r")
		s.see("for rollbacks.")
		s.send("/memory deploy\r")
		s.see("deploy/freeze", "token")
		s.send("\r")
	}},
	{"help", 24, config, func(s *stage) {
		s.send("?")
		s.see("HELP", "Commands")
	}},
	{"dream", 24, func() Config {
		c := config()
		c.Dream = dreams(plan("ci/arch", "CI runs on amd64.", "ci/runner says that it replaces amd64."))
		return c
	}, func(s *stage) {
		s.send("/dream\r")
		s.see("DREAM", "supersede", "expires in 8 min")
	}},
	{"threads", 16, func() Config {
		c := config()
		c.Open = func(context.Context, string) (Conversation, error) { return talk(), nil }
		c.Threads = func(context.Context) ([]Thread, error) {
			return []Thread{
				{ID: "a", Title: "the release plan", Updated: clock().Add(-time.Hour), Turns: 7, Preview: "tag it on Thursday"},
				{ID: "b", Title: "a family 👩‍👩‍👧‍👦 and 漢字 in a title that is rather long for one row", Updated: clock().Add(-72 * time.Hour), Turns: 1},
			}, nil
		}
		return c
	}, func(s *stage) {
		s.send("/threads\r")
		s.see("THREADS", "1 turn ", "tag it on")
	}},
	{"context", 16, func() Config {
		c := config()
		c.Context = func() []Part {
			return []Part{
				{Name: "stable / persona", Reason: "Who the model is.", Size: 130, Text: "You are Reverie."},
				{Name: "volatile / user facts", Reason: "What is known of the person.", Size: 2_048, Text: "prefers short answers"},
			}
		}
		return c
	}, func(s *stage) {
		s.send("/context\r")
		s.see("CONTEXT", "2 KiB", "You are Reverie.")
	}},
	{"themes", 16, config, func(s *stage) {
		s.send("/theme\r")
		s.see("THEMES", "dusk")
	}},
}

func TestScreensLookAsTheyDid(t *testing.T) {
	t.Parallel()
	for _, scene := range scenes {
		for _, width := range []int{40, 80, 120} {
			t.Run(fmt.Sprintf("%s at %d", scene.name, width), func(t *testing.T) {
				t.Parallel()
				golden(t, fmt.Sprintf("%s-%d", scene.name, width), func(l look) *stage {
					s := open(t, scene.cfg(), width, scene.rows, l)
					scene.play(s)
					s.still()
					return s
				})
			})
		}
	}
}

// golden compares a screen under every look with the file of its name: rows
// and cursor, once where they are the same, and the runs of styles of each.
func golden(t *testing.T, name string, show func(look) *stage) {
	t.Helper()
	var b strings.Builder
	screen := ""
	for _, l := range looks() {
		s := show(l)
		text := s.text()
		if text != screen { // without colours, marks stand for them
			screen = text
			fmt.Fprintf(&b, "%s\n== cursor %s\n", text, s.cursor())
		}
		fmt.Fprintf(&b, "== %s\n%s", l.name, s.runs(l.theme))
	}
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != b.String() {
		t.Errorf("the screen differs from %s (go test ./tui -update writes it anew); it is now\n%s", path, b.String())
	}
}

func (s *stage) cursor() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := s.emu.CursorPosition()
	if s.emu.CursorHidden() {
		return "hidden"
	}
	return fmt.Sprintf("%d,%d", at.X, at.Y)
}
