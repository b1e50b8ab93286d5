package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"reverie/agent"
	"reverie/tui/render"
	"reverie/tui/scripted"
	"reverie/tui/tuitest"
)

// childEnv makes the test binary be the program, for tests that need a process.
const childEnv = "REVERIE_TUI_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childEnv) != "" {
		cfg := config()
		if err := Run(context.Background(), cfg); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	// As Run does at its start. The emulator of the tests does not say
	// otherwise, so that no test changes it for another.
	render.Graphemes(false)
	os.Exit(m.Run())
}

func child(t *testing.T) *tuitest.Story {
	t.Helper()
	return tuitest.Begin(t, tuitest.Options{
		Args: []string{os.Args[0]}, Dir: t.TempDir(),
		Env: []string{childEnv + "=1", "TERM=xterm-256color", "LANG=C.UTF-8", "HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")},
	})
}

// left checks that the terminal is as it was before.
func left(t *testing.T, s *tuitest.Story) {
	t.Helper()
	raw, screen := s.Term.Raw(), s.Term.Screen()
	if screen.Alternate || screen.CursorHidden {
		t.Error("the alternate screen or the hidden cursor is left behind")
	}
	for on, off := range map[string]string{"\x1b[?2004h": "\x1b[?2004l", "\x1b[?1049h": "\x1b[?1049l", "\x1b[?1002h": "\x1b[?1002l", "\x1b[?25l": "\x1b[?25h", "\x1b[?1007l": "\x1b[?1007h"} {
		if i := strings.LastIndex(raw, on); i >= 0 && !strings.Contains(raw[i:], off) {
			t.Errorf("mode %q is left behind", on)
		}
	}
}

func TestTheTerminalIsRestoredAfterASignal(t *testing.T) {
	t.Parallel()
	s := child(t)
	s.See("api-gateway").Say("/mouse").See("The mouse wheel scrolls")
	if err := s.Term.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.Ends(0)
	left(t, s)
}

func TestSuspendingWithoutAShellIsRefused(t *testing.T) {
	t.Parallel()
	s := child(t)
	s.See("api-gateway").Press("ctrl+z").See("There is no shell to suspend to.").Press("ctrl+d").Ends(0)
}

func TestTheDraftIsEditedInTheEditorOfTheEnvironment(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := dir + "/editor"
	if err := os.WriteFile(script, []byte("#!/bin/sh\nprintf 'edited: ' | cat - \"$1\" > \"$1.new\" && mv \"$1.new\" \"$1\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := tuitest.Begin(t, tuitest.Options{
		Args: []string{os.Args[0]}, Dir: dir,
		Env: []string{childEnv + "=1", "TERM=xterm-256color", "LANG=C.UTF-8", "HOME=" + dir, "PATH=" + os.Getenv("PATH"), "EDITOR=" + script},
	})
	s.See("api-gateway").Type("my draft").See("my draft").Press("ctrl+x", "ctrl+e").See("> edited: my draft")
	s.Press("ctrl+c").NotSee("edited").Press("ctrl+d").Ends(0)
}

// brittle is a conversation with a fault that shows when it is told to.
type brittle struct {
	*scripted.Conversation
	broken atomic.Bool
}

func (b *brittle) Model() string {
	if b.broken.Load() {
		panic("a fault in the interface")
	}
	return "brittle"
}

func TestTheTerminalIsRestoredAfterAPanic(t *testing.T) {
	t.Parallel()
	c := &brittle{Conversation: talk()}
	cfg := config()
	cfg.Conversation = c
	s := open(t, cfg, 80, 24, looks()[0])
	s.see("brittle")
	c.broken.Store(true)
	s.send("x")
	var err error
	select {
	case err = <-s.ended:
	case <-time.After(patience):
		t.Fatal("the program goes on")
	}
	if !errors.Is(err, tea.ErrProgramPanic) {
		t.Errorf("error %v", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.emu.IsAltScreen() || s.emu.CursorHidden() {
		t.Error("the terminal was not restored")
	}
}

func TestAFaultInATurnIsShownAndTheChatGoesOn(t *testing.T) {
	t.Parallel()
	s := open(t, config(), 80, 24, looks()[0])
	s.send("panic please\r")
	s.see("a fault in a turn", "/retry")
	s.send("we moved deploys\r")
	s.see("for rollbacks.")
}

var _ Conversation = (*agent.Conversation)(nil)

func TestTheWheelIsKeptFromBecomingArrowKeysAndGivenBack(t *testing.T) {
	t.Parallel()
	d := drive(t, config(), 80, 24)
	var out strings.Builder
	d.root.restore(&out)
	if out.Len() > 0 {
		t.Error("a mode is set that was not asked about")
	}
	d.send(tea.ModeReportMsg{Mode: ansi.DECMode(wheelMode), Value: ansi.ModeSet})
	off := false
	for _, cmd := range d.cmds {
		if raw, ok := cmd().(tea.RawMsg); ok && raw.Msg == "\x1b[?1007l" {
			off = true
		}
	}
	d.root.restore(&out)
	if !off || out.String() != "\x1b[?1007h" {
		t.Errorf("switched off %v, given back %q", off, out.String())
	}
}
