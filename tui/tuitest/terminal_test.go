package tuitest

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func shell(script string) Options {
	return Options{Args: []string{"/bin/sh", "-c", script}, Env: []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm"}, Cols: 20, Rows: 4}
}

func TestAStorySeesWhatAProgramDrawsAndTypesToIt(t *testing.T) {
	t.Parallel()
	s := Begin(t, shell(`printf 'name? '; read -r n; printf '\033[2J\033[H\033[1mhello\033[0m %s' "$n"; read -r x; exit 3`))
	s.See("name?").Type("world").Press("enter").See("hello world").NotSee("name?")
	if x, y := s.Term.Screen().Find("world"); x != 6 || y != 0 {
		t.Fatalf("world is at %d,%d", x, y)
	}
	s.Press("enter").Ends(3)
}

func TestTheEndOfAStoryKeepsTheLastFullScreen(t *testing.T) {
	t.Parallel()
	s := Begin(t, shell(`printf '\033[?1049h\033[Hfull'; read -r x; printf '\033[?1049l'; exit 0`))
	s.See("full").Press("enter").Ends(0)
	if got := s.Term.LastFull().Row(0); got != "full" {
		t.Fatalf("the last full screen was %q", got)
	}
	if s.Term.Screen().Has("full") {
		t.Fatal("the alternate screen is still shown")
	}
}

func TestAProgramHearsOfANewSize(t *testing.T) {
	t.Parallel()
	s := Begin(t, shell(`trap 'stty size' WINCH; while :; do read -r x && break; done`))
	time.Sleep(50 * time.Millisecond)
	s.WaitFor("for the size", func(sc Screen) bool {
		if sc.Has("6 30") {
			return true
		}
		s.Resize(30, 6)
		_ = s.Term.Signal(syscall.SIGWINCH)
		return false
	})
}

func TestAPictureHoldsTheTextAndTheColours(t *testing.T) {
	t.Parallel()
	s := Begin(t, shell(`printf '\033[38;2;1;2;3ma<b\033[0m'; read -r x`))
	s.See("a<b")
	svg := SVG(s.Term.Screen(), "a title")
	for _, want := range []string{"a&lt;b", "#010203", `aria-label="a title"`, "</svg>"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %q:\n%s", want, svg)
		}
	}
}
