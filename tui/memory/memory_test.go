package memory

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"reverie/memstore"
	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/pane"
)

// many is a reader of n entries. It counts what is asked of it.
type many struct {
	n, lists, searches int
	fail               error
}

func (s *many) entry(i int) memstore.Entry {
	return memstore.Entry{
		Scope: memstore.Project, Key: fmt.Sprintf("key/%06d", i), Value: fmt.Sprintf("the value of entry %d", i), Kind: memstore.Note,
		Version: memstore.Version(fmt.Sprint("r_", i)), Updated: now, Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit},
	}
}

func (s *many) Recall(_ context.Context, key string) (memstore.Entry, error) {
	var i int
	if _, err := fmt.Sscanf(key, "key/%d", &i); err != nil || i >= s.n {
		return memstore.Entry{}, &memstore.NotFoundError{Scope: memstore.Project, Key: key}
	}
	return s.entry(i), nil
}

func (s *many) List(context.Context, memstore.ListOptions) ([]memstore.Entry, error) {
	s.lists++
	out := make([]memstore.Entry, s.n)
	for i := range out {
		out[i] = s.entry(i)
	}
	return out, s.fail
}

func (s *many) Search(_ context.Context, q string, limit int) ([]memstore.Hit, error) {
	s.searches++
	var out []memstore.Hit
	for i := 0; i < s.n && len(out) < limit; i++ {
		if e := s.entry(i); strings.Contains(e.Key, q) {
			out = append(out, memstore.Hit{Entry: e})
		}
	}
	return out, nil
}

var now = time.Date(2026, 3, 5, 10, 31, 0, 0, time.UTC)

// bench is a pane whose commands run at once.
type bench struct{ *Model }

func set(store Reader, notes ...string) bench {
	cfg := Config{Context: context.Background(), Theme: theme.Mono(), Keys: keys.Default(), Now: func() time.Time { return now }, Project: store}
	if notes != nil {
		cfg.Notes = func() []string { return notes }
	}
	m, cmd := New(cfg)
	b := bench{m}
	b.do(cmd)
	return b
}

func (b bench) do(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			b.do(c)
		}
	default:
		b.do(b.Update(msg))
	}
}

func (b bench) press(names ...string) {
	for _, n := range names {
		k := tea.KeyPressMsg{Code: []rune(n)[0], Text: n}
		switch n {
		case "enter":
			k = tea.KeyPressMsg{Code: tea.KeyEnter}
		case "esc":
			k = tea.KeyPressMsg{Code: tea.KeyEscape}
		case "pgdown":
			k = tea.KeyPressMsg{Code: tea.KeyPgDown}
		}
		b.do(b.Update(k))
		b.View(80, 30)
	}
}

func (b bench) text() string { return ansi.Strip(b.View(80, 30)) }

func TestFiftyThousandEntriesAreReadOnceAndDrawnByThePage(t *testing.T) {
	t.Parallel()
	s := &many{n: 50_000}
	b := set(s)
	b.press("G")
	if got := b.text(); !strings.Contains(got, "key/049999") || !strings.Contains(got, "50,000") || !strings.Contains(got, "the value of entry 49999") {
		t.Errorf("the last entry is not shown:\n%s", got)
	}
	b.press("g", "j", "j", "pgdown")
	if s.lists != 1 {
		t.Errorf("moving around listed the store %d times", s.lists)
	}
	if r, _ := b.at(); r.key == "key/000002" {
		t.Error("a page down moves by more than a row")
	}
}

func TestTheFilterSearchesTheStoreAsOneTypes(t *testing.T) {
	t.Parallel()
	s := &many{n: 1_000}
	b := set(s)
	b.press("/", "0", "4", "2")
	if s.searches < 3 {
		t.Errorf("searched %d times for three letters", s.searches)
	}
	if got := b.text(); !strings.Contains(got, "/042") || !strings.Contains(got, "key/000042") || !strings.Contains(got, "of 1,000") {
		t.Errorf("not filtered:\n%s", got)
	}
	b.press("esc")
	if got := b.text(); !strings.Contains(got, "key/000041") || !strings.Contains(got, "› key/000042") {
		t.Errorf("the filter is not gone, or the mark is elsewhere:\n%s", got)
	}
}

func TestTheMarkStaysOnItsKeyWhenRowsChange(t *testing.T) {
	t.Parallel()
	s := &many{n: 10}
	b := set(s)
	b.press("j", "j", "j")
	s.n = 5
	b.do(b.Changed(memstore.Project))
	if r, _ := b.at(); r.key != "key/000003" {
		t.Errorf("the mark is on %s", r.key)
	}
	s.n = 2
	b.do(b.Changed(memstore.Project))
	if r, _ := b.at(); r.key != "key/000001" {
		t.Errorf("with its key gone, the mark is on %s", r.key)
	}
}

func TestAStoreWithoutHistorySaysSo(t *testing.T) {
	t.Parallel()
	if got := set(&many{n: 3}).text(); !strings.Contains(got, "keeps no history") {
		t.Errorf("it does not:\n%s", got)
	}
}

func TestAStoreThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	if got := set(&many{fail: errors.New("the file is damaged")}).text(); !strings.Contains(got, "can't be read: the file is damaged") {
		t.Errorf("it does not:\n%s", got)
	}
}

func TestNotesOfTheThreadAreAScopeOfTheirOwn(t *testing.T) {
	t.Parallel()
	b := set(&many{n: 3}, "prefers tabs", "speaks Welsh")
	b.press("l")
	if got := b.text(); !strings.Contains(got, "[thread 2]") || !strings.Contains(got, "prefers tabs") {
		t.Fatalf("they are not shown:\n%s", got)
	}
	b.press("/", "w", "e", "l", "s", "h", "enter")
	if got := b.text(); !strings.Contains(got, "speaks Welsh") || strings.Contains(got, "prefers tabs") {
		t.Errorf("they are not filtered:\n%s", got)
	}
}

func TestForgettingIsOnlyDrafted(t *testing.T) {
	t.Parallel()
	b := set(&many{n: 3})
	b.Update(tea.KeyPressMsg{Code: 'f', Text: "f"})
	var drafts []string
	for _, ask := range b.Asked() {
		if d, ok := ask.(pane.DraftMsg); ok {
			drafts = append(drafts, d.Text)
		}
	}
	if len(drafts) != 1 || drafts[0] != "/forget key/000000" {
		t.Errorf("drafted %q", drafts)
	}
}

func TestEscapeGoesOneStepBack(t *testing.T) {
	t.Parallel()
	b := set(&many{n: 30})
	b.press("/", "1", "enter", "enter")
	if !b.reading {
		t.Fatal("Enter does not read the entry")
	}
	b.press("esc")
	if b.reading || b.filter.Text == "" {
		t.Fatal("the first Esc leaves more than the entry")
	}
	b.press("esc")
	if b.filter.Text != "" {
		t.Fatal("the second Esc does not clear the filter")
	}
}

func BenchmarkKeyInFiftyThousandEntries(b *testing.B) {
	m := set(&many{n: 50_000})
	k := tea.KeyPressMsg{Code: 'j', Text: "j"}
	for b.Loop() {
		m.Update(k)
		m.View(80, 30)
	}
}

func TestThePaneBeginsWithAScopeThatHasSomething(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		project, user int
		filter        string
		want          memstore.Scope
	}{{0, 2, "", memstore.User}, {3, 2, "", memstore.Project}, {0, 0, "", memstore.Project}, {0, 2, "words", memstore.Project}} {
		m, _ := New(Config{
			Context: t.Context(), Theme: theme.Mono(), Keys: keys.Default(), Project: &many{}, User: &many{}, Filter: c.filter,
			Counts: map[memstore.Scope]int{memstore.Project: c.project, memstore.User: c.user},
		})
		if got := m.now(); got != c.want {
			t.Errorf("%+v: begins with %s", c, got)
		}
	}
}
