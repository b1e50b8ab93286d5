package picker

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/pane"
)

func shown(t *testing.T, cfg Config) *Model {
	t.Helper()
	cfg.Context, cfg.Theme, cfg.Keys, cfg.Title = t.Context(), theme.Mono(), keys.Default(), "THINGS"
	m, load := New(cfg)
	m.SetFocus(true)
	m.Update(load())
	return m
}

func items(list ...Item) func(context.Context) ([]Item, error) {
	return func(context.Context) ([]Item, error) { return list, nil }
}

func press(m *Model, names ...string) tea.Cmd {
	var cmd tea.Cmd
	for _, n := range names {
		k := tea.KeyPressMsg{Code: []rune(n)[0], Text: n}
		switch n {
		case "enter":
			k = tea.KeyPressMsg{Code: tea.KeyEnter}
		case "esc":
			k = tea.KeyPressMsg{Code: tea.KeyEscape}
		}
		cmd = m.Update(k)
	}
	return cmd
}

func TestAnItemIsFilteredMarkedAndChosen(t *testing.T) {
	t.Parallel()
	var chosen []string
	m := shown(t, Config{
		Load: items(Item{ID: "1", Title: "one fish"}, Item{ID: "2", Title: "two fish"}, Item{ID: "3", Title: "a bird"}),
		Choose: func(it Item) tea.Cmd {
			chosen = append(chosen, it.ID)
			return nil
		},
	})
	press(m, "/", "f", "i", "s", "h")
	if view := ansi.Strip(m.View(60, 12)); strings.Contains(view, "bird") || !strings.Contains(view, "Enter keep") {
		t.Errorf("while filtering:\n%s", view)
	}
	press(m, "enter", "j", "enter")
	if len(chosen) != 1 || chosen[0] != "2" {
		t.Errorf("chosen %v", chosen)
	}
}

func TestEscapeClearsTheFilterAndThenCloses(t *testing.T) {
	t.Parallel()
	m := shown(t, Config{Load: items(Item{Title: "one"}), Filter: "none"})
	if view := ansi.Strip(m.View(60, 12)); !strings.Contains(view, "Nothing here has these words.") {
		t.Errorf("with a filter for nothing:\n%s", view)
	}
	press(m, "esc")
	if len(m.Asked()) != 0 || m.filter.Text != "" {
		t.Fatal("the first Esc does not only clear the filter")
	}
	press(m, "esc")
	if asked := m.Asked(); len(asked) != 1 || asked[0] != (pane.CloseMsg{}) {
		t.Errorf("asked for %v", asked)
	}
}

func TestWhatIsTooLongStaysInItsRow(t *testing.T) {
	t.Parallel()
	m := shown(t, Config{Load: items(
		Item{Title: strings.Repeat("👩‍👩‍👧‍👦", 9) + " a family", Detail: "1 turn  Mon"},
		Item{Title: strings.Repeat("漢字 ", 40), Detail: strings.Repeat("long ", 40), Text: strings.Repeat("text ", 200)},
	)})
	for _, w := range []int{10, 20, 40, 80} {
		for i, l := range strings.Split(m.View(w, 12), "\n") {
			if n := ansi.StringWidth(l); n > w {
				t.Errorf("width %d: line %d has %d cells: %q", w, i, n, l)
			}
		}
		press(m, "j")
	}
}

func TestAFailureAndAnEmptyListSayWhy(t *testing.T) {
	t.Parallel()
	m := shown(t, Config{Load: func(context.Context) ([]Item, error) { return nil, errors.New("the disk is gone") }})
	if view := ansi.Strip(m.View(60, 12)); !strings.Contains(view, "the disk is gone") {
		t.Errorf("after a failure:\n%s", view)
	}
	m = shown(t, Config{Load: items(), Empty: "There is nothing yet."})
	if view := ansi.Strip(m.View(60, 12)); !strings.Contains(view, "There is nothing yet.") {
		t.Errorf("without items:\n%s", view)
	}
}
