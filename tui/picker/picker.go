// Package picker is a pane with a list to choose from: conversations, models,
// themes, the parts of a request. What the items are and what choosing one
// does is its caller's.
package picker

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/pane"
	"reverie/tui/render"
)

// Item is one row. Text is shown below the list while the item is marked.
type Item struct {
	ID, Title, Detail, Text string
}

// Config says what a picker shows.
type Config struct {
	Context context.Context
	Theme   theme.Theme
	Keys    *keys.Map
	Title   string
	Empty   string // said when there is nothing
	Filter  string // to begin with
	// Load returns the items; it may be slow and is called in a command.
	Load func(context.Context) ([]Item, error)
	// Choose is what Enter does; nil: nothing.
	Choose func(Item) tea.Cmd
}

// Model is a picker.
type Model struct {
	pane.Asks
	cfg     Config
	items   []Item
	shown   []int // those that the filter leaves
	err     error
	loading bool
	list    pane.List
	filter  pane.Input
	top     int // of the text
	cursor  *tea.Cursor
	focused bool
}

type loadedMsg struct {
	of    *Model
	items []Item
	err   error
}

// New returns a picker and the command that loads its items.
func New(cfg Config) (*Model, tea.Cmd) {
	m := &Model{cfg: cfg, loading: true, filter: pane.Input{Text: cfg.Filter}}
	return m, func() tea.Msg {
		items, err := cfg.Load(cfg.Context)
		return loadedMsg{m, items, err}
	}
}

// SetTheme changes the look.
func (m *Model) SetTheme(t theme.Theme) { m.cfg.Theme = t }

// SetFocus says whether the pane has the keyboard.
func (m *Model) SetFocus(on bool) { m.focused = on }

// Typing reports whether the filter has the keyboard.
func (m *Model) Typing() bool { return m.filter.On }

// Update handles keys, pastes and the loaded items.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case loadedMsg:
		if msg.of == m {
			m.items, m.err, m.loading = msg.items, msg.err, false
			m.sift()
		}
	case tea.PasteMsg:
		if m.filter.On {
			m.filter.Add(msg.Content)
			m.sift()
		}
	case tea.MouseWheelMsg:
		m.list.Move(map[tea.MouseButton]keys.Action{tea.MouseWheelUp: keys.Up, tea.MouseWheelDown: keys.Down}[msg.Button], len(m.shown))
	case tea.KeyPressMsg:
		return m.key(msg)
	}
	return nil
}

func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	if m.filter.On {
		if m.filter.Key(k, m.cfg.Keys) {
			m.sift()
		}
		return nil
	}
	a := m.cfg.Keys.Action(keys.Pane, k.String())
	if a == "" {
		a = m.cfg.Keys.Action(keys.Global, k.String())
	}
	if m.list.Move(a, len(m.shown)) {
		m.top = 0
		return nil
	}
	switch a {
	case keys.Filter:
		m.filter.On = true
	case keys.Newer:
		m.top++
	case keys.Older:
		m.top = max(0, m.top-1)
	case keys.Open:
		if it, ok := m.marked(); ok && m.cfg.Choose != nil {
			return m.cfg.Choose(it)
		}
	case keys.Copy:
		if it, ok := m.marked(); ok && it.Text != "" {
			return tea.SetClipboard(it.Text)
		}
	case keys.Back:
		if m.filter.Text != "" {
			m.filter.Text = ""
			m.sift()
			return nil
		}
		return m.Ask(pane.CloseMsg{})
	case keys.Close:
		return m.Ask(pane.CloseMsg{})
	}
	return nil
}

func (m *Model) marked() (Item, bool) {
	if m.list.At < 0 || m.list.At >= len(m.shown) {
		return Item{}, false
	}
	return m.items[m.shown[m.list.At]], true
}

// sift keeps the items that have every word of the filter.
func (m *Model) sift() {
	words := strings.Fields(strings.ToLower(m.filter.Text))
	m.shown = m.shown[:0]
next:
	for i, it := range m.items {
		text := strings.ToLower(it.Title + " " + it.Detail)
		for _, w := range words {
			if !strings.Contains(text, w) {
				continue next
			}
		}
		m.shown = append(m.shown, i)
	}
	m.list.At, m.top = 0, 0
}

// View draws the pane.
func (m *Model) View(width, height int) string {
	m.cursor = nil
	t := m.cfg.Theme
	count := ""
	if !m.loading && m.err == nil {
		count = t.Faint.Render(render.Number(len(m.shown)))
	}
	lines := []string{pane.Header(t, width, t.Title.Render(m.cfg.Title), count), pane.Rule(t, width, "", "")}
	if m.filter.On || m.filter.Text != "" {
		text, x := m.filter.View(width - 2)
		lines = append(lines, t.Accent.Render("/")+t.Text.Render(text))
		if m.filter.On {
			m.cursor = tea.NewCursor(x+1, 2)
			m.cursor.Blink = false
		}
	}
	lines = append(lines, m.body(width, height-len(lines)-1)...)
	for len(lines) < height-1 {
		lines = append(lines, "")
	}
	lines = append(lines, pane.Footer(t, width, m.Keys(), m.focused))
	return pane.Frame(lines, width, height)
}

func (m *Model) body(width, room int) []string {
	t := m.cfg.Theme
	say := func(s string) []string {
		var out []string
		for _, l := range render.Wrap(s, max(1, width-2)) {
			out = append(out, " "+t.Dim.Render(l))
		}
		return out
	}
	switch {
	case m.loading:
		return say("Loading …")
	case m.err != nil:
		return say(m.err.Error())
	case len(m.items) == 0:
		return say(m.cfg.Empty)
	case len(m.shown) == 0:
		return say("Nothing here has these words.")
	case room < 1:
		return nil
	}
	it, _ := m.marked()
	listRoom := room
	if it.Text != "" && room >= 6 {
		listRoom = min(len(m.shown), max(3, room/3))
	}
	var out []string
	from, to := m.list.Window(listRoom, len(m.shown))
	for i := from; i < to; i++ {
		out = append(out, m.row(m.items[m.shown[i]], i == m.list.At, width))
	}
	if it.Text != "" && room-len(out) >= 2 {
		out = append(out, pane.Rule(t, width, render.Line(it.Title, width-8), ""))
		text := render.Wrap(it.Text, max(1, width-1))
		m.top = max(0, min(m.top, len(text)-(room-len(out))))
		for _, l := range text[m.top:min(len(text), m.top+room-len(out))] {
			out = append(out, t.Text.Render(l))
		}
	}
	return out
}

func (m *Model) row(it Item, marked bool, width int) string {
	t := m.cfg.Theme
	detail := render.Line(it.Detail, max(0, width/2))
	title := render.Line(it.Title, max(1, width-3-render.Width(detail)))
	gap := strings.Repeat(" ", max(1, width-2-render.Width(title)-render.Width(detail)))
	if marked {
		return t.Selected.Render(render.Fit(t.Glyphs.Cursor+" "+title+gap+detail, width))
	}
	return "  " + t.Text.Render(title) + gap + t.Faint.Render(detail)
}

// Cursor is in the filter while that has the keyboard.
func (m *Model) Cursor() *tea.Cursor { return m.cursor }

// Keys are the footer's hints.
func (m *Model) Keys() []keys.Hint {
	if m.filter.On {
		return m.filter.Hints(m.cfg.Keys)
	}
	as := []keys.Action{keys.Down, keys.Up, keys.Filter}
	if m.cfg.Choose != nil {
		as = append(as, keys.Open+"=choose")
	}
	return m.cfg.Keys.Hints(append(as, keys.Close)...)
}

var _ pane.Pane = (*Model)(nil)
