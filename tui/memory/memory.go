// Package memory is the pane that shows what is remembered: the entries of a
// scope, each with who wrote it, when and why, and its whole history. It only
// reads. A change is drafted as a command in the prompt, where the permission
// rules hold.
package memory

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/agent"
	"reverie/memstore"
	"reverie/theme"
	"reverie/tui/keys"
	"reverie/tui/pane"
)

// Config says what the pane shows. A nil store's scope is left out.
type Config struct {
	Context       context.Context
	Theme         theme.Theme
	Keys          *keys.Map
	Now           func() time.Time
	Project, User Reader
	Notes         func() []string    // of the thread; nil: it has none
	Used          func() []agent.Ref // memories that the last request carried
	Filter        string             // to begin with
	// Counts are how many entries the scopes have, as far as known: without a
	// filter the pane begins with the first that has some.
	Counts map[memstore.Scope]int
}

// Reader is what the pane needs of a store. One that is a [Historian] too
// shows its history.
type Reader interface {
	Recall(ctx context.Context, key string) (memstore.Entry, error)
	List(ctx context.Context, o memstore.ListOptions) ([]memstore.Entry, error)
	Search(ctx context.Context, query string, limit int) ([]memstore.Hit, error)
}

// Historian is a store with complete history.
type Historian interface {
	History(ctx context.Context, key string) ([]memstore.Revision, error)
}

// Model is the pane.
type Model struct {
	pane.Asks
	cfg    Config
	scopes []memstore.Scope
	scope  int // the one shown
	counts map[memstore.Scope]int

	rows      []row // of the scope, by key
	hits      []row // what the filter found, best first; shown while it has text
	forgotten bool  // show forgotten ones too
	list      pane.List
	filter    pane.Input
	marked    string // key of the marked row, kept while rows change

	loads  flight // of the rows
	finds  flight // of the hits
	opens  flight // of the detail
	err    error
	loaded bool

	reading bool // the detail has the keyboard
	detail  detail
	cursor  *tea.Cursor
	focused bool
	short   bool // as drawn last, there was room for only list or detail
}

// row is what the list shows of an entry.
type row struct {
	key, summary string
	kind         memstore.Kind
	version      memstore.Version
	updated      time.Time
	forgotten    bool
	text         string // of a note, which has no more than this
}

// flight makes sure that of one sort of work only one piece is under way, and
// that the latest wish is done when it lands.
type flight struct {
	flying bool
	again  bool
	number int // of the latest start
}

// New returns the pane and the command that loads it.
func New(cfg Config) (*Model, tea.Cmd) {
	m := &Model{cfg: cfg, counts: map[memstore.Scope]int{}, filter: pane.Input{Text: cfg.Filter, On: cfg.Filter != ""}}
	if cfg.Project != nil {
		m.scopes = append(m.scopes, memstore.Project)
	}
	if cfg.User != nil {
		m.scopes = append(m.scopes, memstore.User)
	}
	if cfg.Notes != nil {
		m.scopes = append(m.scopes, memstore.Thread)
		m.counts[memstore.Thread] = len(cfg.Notes())
	}
	for s, n := range cfg.Counts {
		m.counts[s] = n
	}
	if i := slices.IndexFunc(m.scopes, func(s memstore.Scope) bool { return cfg.Counts[s] > 0 }); i > 0 && cfg.Filter == "" {
		m.scope = i
	}
	return m, tea.Batch(m.reload(), m.search())
}

// SetTheme changes the look.
func (m *Model) SetTheme(t theme.Theme) {
	m.cfg.Theme = t
	m.detail.stale()
}

// SetFocus says whether the pane has the keyboard.
func (m *Model) SetFocus(on bool) { m.focused = on }

// Typing reports whether the filter has the keyboard.
func (m *Model) Typing() bool { return m.filter.On }

// SetCount says how many live entries a scope has.
func (m *Model) SetCount(s memstore.Scope, n int) { m.counts[s] = n }

// Changed tells that a scope's store has changed, in this or another process.
func (m *Model) Changed(s memstore.Scope) tea.Cmd {
	if s != m.now() {
		return nil
	}
	return tea.Batch(m.reload(), m.search(), m.open())
}

// Search filters by other words.
func (m *Model) Search(words string) tea.Cmd {
	m.filter = pane.Input{Text: words}
	return m.filtered()
}

func (m *Model) now() memstore.Scope {
	if len(m.scopes) == 0 {
		return ""
	}
	return m.scopes[m.scope]
}

func (m *Model) store() Reader {
	switch m.now() {
	case memstore.Project:
		return m.cfg.Project
	case memstore.User:
		return m.cfg.User
	}
	return nil
}

// shown are the rows that the list has at the moment.
func (m *Model) shown() []row {
	if m.filter.Text != "" {
		return m.hits
	}
	return m.rows
}

// at is the marked row.
func (m *Model) at() (row, bool) {
	rows := m.shown()
	if m.list.At < 0 || m.list.At >= len(rows) {
		return row{}, false
	}
	return rows[m.list.At], true
}

// Update handles keys, pastes and what was loaded.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	return tea.Batch(m.handle(msg), m.detail.compare(m))
}

func (m *Model) handle(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case rowsMsg:
		return m.gotRows(msg)
	case hitsMsg:
		return m.gotHits(msg)
	case detailMsg:
		return m.gotDetail(msg)
	case diffMsg:
		m.detail.gotDiff(msg)
	case tea.PasteMsg:
		if m.filter.On {
			m.filter.Add(msg.Content)
			return m.filtered()
		}
	case tea.MouseWheelMsg:
		step := map[tea.MouseButton]keys.Action{tea.MouseWheelUp: keys.Up, tea.MouseWheelDown: keys.Down}[msg.Button]
		return m.move(step)
	case tea.KeyPressMsg:
		return m.key(msg)
	}
	return nil
}

func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	stroke := k.String()
	if m.filter.On {
		switch stroke {
		case "up", "down":
			return m.move(m.cfg.Keys.Action(keys.Pane, stroke))
		}
		if m.filter.Key(k, m.cfg.Keys) {
			return m.filtered()
		}
		return nil
	}
	a := m.cfg.Keys.Action(keys.Pane, stroke)
	if a == "" {
		a = m.cfg.Keys.Action(keys.Global, stroke)
	}
	if m.reading && m.detail.scroll(a) {
		return nil
	}
	switch a {
	case keys.Filter:
		m.filter.On, m.reading = true, false
	case keys.Open:
		_, m.reading = m.at()
	case keys.Older:
		return m.detail.step(m, 1)
	case keys.Newer:
		return m.detail.step(m, -1)
	case keys.Diff:
		return m.detail.pin(m)
	case keys.Copy:
		return m.copy()
	case keys.Forget:
		return m.draftForget()
	case keys.Forgotten:
		m.forgotten = !m.forgotten
		return m.reload()
	case keys.NextScope:
		return m.turn(1)
	case keys.PrevScope:
		return m.turn(-1)
	case keys.Back:
		return m.back()
	case keys.Close:
		return m.Ask(pane.CloseMsg{})
	default:
		return m.move(a)
	}
	return nil
}

func (m *Model) move(a keys.Action) tea.Cmd {
	if !m.list.Move(a, len(m.shown())) {
		return nil
	}
	return m.mark()
}

// mark remembers the marked key and loads its detail.
func (m *Model) mark() tea.Cmd {
	r, ok := m.at()
	if !ok {
		m.marked = ""
		m.detail = detail{}
		return nil
	}
	if r.key == m.marked && r.version == m.detail.version {
		return nil
	}
	m.marked = r.key
	return m.open()
}

// back is Esc: out of the detail, then out of the filter, then out.
func (m *Model) back() tea.Cmd {
	switch {
	case m.reading:
		m.reading = false
	case m.filter.Text != "":
		m.filter.Text = ""
		return m.filtered()
	default:
		return m.Ask(pane.CloseMsg{})
	}
	return nil
}

// turn goes to another scope.
func (m *Model) turn(step int) tea.Cmd {
	n := len(m.scopes)
	if n < 2 {
		return nil
	}
	m.scope = (m.scope + step + n) % n
	m.rows, m.hits, m.loaded, m.err = nil, nil, false, nil
	m.list, m.marked, m.detail, m.reading = pane.List{}, "", detail{}, false
	return tea.Batch(m.reload(), m.search())
}

func (m *Model) copy() tea.Cmd {
	text, ok := m.detail.text()
	if !ok {
		return nil
	}
	m.Ask(pane.NoticeMsg{Text: "Copied " + m.marked + "."})
	return tea.SetClipboard(text)
}

func (m *Model) draftForget() tea.Cmd {
	r, ok := m.at()
	if !ok || r.forgotten || m.now() == memstore.Thread {
		return nil
	}
	text := "/forget " + r.key
	if m.now() == memstore.User && len(r.key) > 5 && r.key[:5] != "user/" {
		text = "/forget user " + r.key
	}
	return m.Ask(pane.DraftMsg{Text: text})
}

// Keys are the footer's hints.
func (m *Model) Keys() []keys.Hint {
	if m.filter.On {
		return m.filter.Hints(m.cfg.Keys)
	}
	r, some := m.at()
	if !some {
		return m.cfg.Keys.Hints(keys.Filter, keys.Forgotten, keys.Close)
	}
	as := []keys.Action{keys.Filter, keys.Open + "=read"}
	if m.reading {
		as = []keys.Action{keys.Back + "=list"}
	}
	if len(m.detail.revisions) > 1 {
		as = append(as, keys.Older, keys.Newer, keys.Diff)
	}
	if m.now() != memstore.Thread && !r.forgotten {
		as = append(as, keys.Forget)
	}
	return m.cfg.Keys.Hints(append(as, keys.Close)...)
}

// Cursor is in the filter while that has the keyboard.
func (m *Model) Cursor() *tea.Cursor { return m.cursor }

var _ pane.Pane = (*Model)(nil)
