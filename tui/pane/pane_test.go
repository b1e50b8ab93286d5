package pane

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/render"
)

func TestPartsKeepToTheirWidth(t *testing.T) {
	t.Parallel()
	th := theme.Dusk()
	hints := keys.Default().Hints(keys.Send, keys.Newline, keys.Stop, keys.PageUp, keys.Help)
	for w := range 130 {
		for name, line := range map[string]string{
			"header": Header(th, w, "api-gateway", "a-model-with-a-long-name", "project 42", "user 9"),
			"rule":   Rule(th, w, "", ""),
			"left":   Rule(th, w, "streaming 4s", ""),
			"right":  Rule(th, w, "", "used: deploy/day, team/standup"),
			"both":   Rule(th, w, "deploy/day", "revision 4"),
			"footer": Footer(th, w, hints, true),
			"frame":  Frame([]string{strings.Repeat("漢字", 100)}, w, 1),
		} {
			if got := render.Width(line); got > w {
				t.Errorf("%s at %d has %d cells", name, w, got)
			}
		}
		if w > 0 && render.Width(Rule(th, w, "deploy/day", "revision 4")) != w {
			t.Errorf("the rule at %d does not fill it", w)
		}
	}
}

func TestAFooterKeepsItsLastHint(t *testing.T) {
	t.Parallel()
	hints := keys.Default().Hints(keys.Send, keys.Newline, keys.Stop, keys.Help)
	if got := ansi.Strip(Footer(theme.Mono(), 24, hints, true)); got != "Enter send   F1 help" {
		t.Errorf("%q", got)
	}
}

func TestAHeaderDropsPiecesFromTheFront(t *testing.T) {
	t.Parallel()
	if got := Header(theme.Mono(), 20, "title", "long long piece", "last"); got != "title           last" {
		t.Errorf("%q", got)
	}
}

func TestTheMarkedRowIsAlwaysInTheWindow(t *testing.T) {
	t.Parallel()
	var l List
	n := 100
	for i, a := range []keys.Action{keys.Bottom, keys.Up, keys.PageUp, keys.PageUp, keys.Top, keys.PageDown, keys.Down, keys.Bottom, keys.Down} {
		if !l.Move(a, n) {
			t.Fatalf("%s does not move", a)
		}
		height := 3 + i
		from, to := l.Window(height, n)
		if l.At < from || l.At >= to || to-from != height || from < 0 || to > n {
			t.Fatalf("after %s the mark %d is not within %d to %d", a, l.At, from, to)
		}
	}
	if from, to := l.Window(10, 0); from != 0 || to != 0 || l.At != 0 {
		t.Errorf("an empty list shows %d to %d", from, to)
	}
	if l.Move(keys.Copy, n) {
		t.Error("copying moves")
	}
}

func TestAnInputTakesTextAndDropsControls(t *testing.T) {
	t.Parallel()
	m := keys.Default()
	in := Input{On: true}
	for _, c := range []string{"d", "a", "y", " ", "x"} {
		in.Key(tea.KeyPressMsg{Code: []rune(c)[0], Text: c}, m)
	}
	in.Add("\x1b[2J\nz")
	if in.Text != "day x[2J z" {
		t.Errorf("%q", in.Text)
	}
	if !in.Key(tea.KeyPressMsg{Code: 'w', Mod: tea.ModCtrl}, m) || in.Text != "day x[2J " {
		t.Errorf("a word cut leaves %q", in.Text)
	}
	if text, x := in.View(5); render.Width(text) > 4 || x != render.Width(text) {
		t.Errorf("shown as %q with the cursor at %d", text, x)
	}
	in.Key(tea.KeyPressMsg{Code: tea.KeyEscape}, m)
	if in.On || in.Text != "" {
		t.Errorf("Esc leaves %+v", in)
	}
}
