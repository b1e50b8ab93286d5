package help

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/slash"
)

func TestEveryKeyAndCommandIsExplained(t *testing.T) {
	t.Parallel()
	m := New(theme.Mono(), keys.Default())
	all := ansi.Strip(m.View(200, 400))
	for _, w := range keys.Places {
		for _, b := range keys.Default().Bindings(w) {
			if !strings.Contains(all, b.Help) {
				t.Errorf("%s is not explained", b.Action)
			}
		}
	}
	for _, c := range slash.Commands {
		if !strings.Contains(all, "/"+c.Name) || !strings.Contains(all, c.Help) {
			t.Errorf("/%s is not explained", c.Name)
		}
	}
}

func TestChangedKeysAreShownAsTheyAre(t *testing.T) {
	t.Parallel()
	m, err := keys.New(map[string][]string{"answer": {"alt+g"}})
	if err != nil {
		t.Fatal(err)
	}
	all := ansi.Strip(New(theme.Mono(), m).View(200, 400))
	if !strings.Contains(all, "Alt+g") || strings.Contains(all, "^G") {
		t.Error("the help shows the declared key, not the changed one")
	}
}

func TestAFilterLeavesOnlyWhatHasTheWords(t *testing.T) {
	t.Parallel()
	m := New(theme.Mono(), keys.Default())
	for _, c := range "/waits question" {
		m.Update(tea.KeyPressMsg{Code: c, Text: string(c)})
	}
	all := ansi.Strip(m.View(80, 40))
	if !strings.Contains(all, "Go to the question that waits") || strings.Contains(all, "Quit") {
		t.Errorf("filtered to\n%s", all)
	}
}
