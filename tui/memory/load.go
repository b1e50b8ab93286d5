package memory

import (
	"context"
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/memstore"
)

// maxHits bounds what a filter shows.
const maxHits = 200

// reloadPause is the least time between two loads of a store that keeps
// changing.
const reloadPause = 100 * time.Millisecond

type rowsMsg struct {
	of    *Model
	scope memstore.Scope
	rows  []row
	live  int
	err   error
}

type hitsMsg struct {
	of    *Model
	scope memstore.Scope
	words string
	hits  []row
	err   error
}

// fly starts a piece of work unless one is under way, which then does it again
// when it lands.
func (f *flight) fly(work func() tea.Msg) tea.Cmd {
	if f.flying {
		f.again = true
		return nil
	}
	f.flying, f.again = true, false
	return work
}

// land ends a piece of work and reports whether it is to be done again.
func (f *flight) land() bool {
	f.flying = false
	return f.again
}

// reload reads the rows of the scope.
func (m *Model) reload() tea.Cmd {
	scope, store, all := m.now(), m.store(), m.forgotten
	ctx, again := m.cfg.Context, m.loads.number > 0
	if scope == memstore.Thread {
		notes := m.cfg.Notes()
		return m.loads.fly(func() tea.Msg { return rowsMsg{of: m, scope: scope, rows: noteRows(notes), live: len(notes)} })
	}
	if store == nil {
		m.loaded = true
		return nil
	}
	m.loads.number++
	return m.loads.fly(func() tea.Msg {
		if again {
			pause(ctx)
		}
		entries, err := store.List(ctx, memstore.ListOptions{Forgotten: all})
		msg := rowsMsg{of: m, scope: scope, err: err, rows: make([]row, len(entries))}
		for i, e := range entries {
			msg.rows[i] = rowOf(e)
			if !e.Forgotten {
				msg.live++
			}
		}
		return msg
	})
}

func pause(ctx context.Context) {
	t := time.NewTimer(reloadPause)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

func rowOf(e memstore.Entry) row {
	return row{key: e.Key, summary: e.Summary(), kind: e.Kind, version: e.Version, updated: e.Updated, forgotten: e.Forgotten}
}

func noteRows(notes []string) []row {
	rows := make([]row, len(notes))
	for i, n := range notes {
		rows[i] = row{key: fmt.Sprintf("note %d", i+1), summary: memstore.Entry{Value: n}.Summary(), text: n}
	}
	return rows
}

func (m *Model) gotRows(msg rowsMsg) tea.Cmd {
	if msg.of != m {
		return nil
	}
	again := m.loads.land()
	if msg.scope != m.now() {
		return m.reload()
	}
	m.loaded, m.err = true, msg.err
	if msg.err == nil {
		m.rows = msg.rows
		m.counts[msg.scope] = msg.live
	}
	cmds := []tea.Cmd{m.keepMark()}
	if again {
		cmds = append(cmds, m.reload())
	}
	return tea.Batch(cmds...)
}

// keepMark marks the same key again after the rows have changed.
func (m *Model) keepMark() tea.Cmd {
	rows := m.shown()
	if m.marked != "" {
		if i := m.find(rows, m.marked); i >= 0 {
			m.list.At = i
		}
	}
	m.list.At = max(0, min(m.list.At, len(rows)-1))
	return m.mark()
}

func (m *Model) find(rows []row, key string) int {
	if m.filter.Text == "" && m.now() != memstore.Thread {
		i := sort.Search(len(rows), func(i int) bool { return rows[i].key >= key })
		if i < len(rows) && rows[i].key == key {
			return i
		}
	}
	for i, r := range rows {
		if r.key == key {
			return i
		}
	}
	return -1
}

// filtered is what a change of the filter's text starts.
func (m *Model) filtered() tea.Cmd {
	m.list.At, m.list.Top = 0, 0
	if m.filter.Text == "" {
		m.hits = nil
		return m.keepMark()
	}
	m.marked = ""
	return m.search()
}

// search looks for the filter's words as the tool SearchMemory does. Notes are
// searched for as they stand.
func (m *Model) search() tea.Cmd {
	words, scope, store := m.filter.Text, m.now(), m.store()
	if words == "" {
		return nil
	}
	ctx := m.cfg.Context
	hidden := m.hiddenHits(words)
	if store == nil {
		return m.finds.fly(func() tea.Msg { return hitsMsg{of: m, scope: scope, words: words, hits: hidden} })
	}
	return m.finds.fly(func() tea.Msg {
		hits, err := store.Search(ctx, words, maxHits)
		msg := hitsMsg{of: m, scope: scope, words: words, err: err}
		for _, h := range hits {
			msg.hits = append(msg.hits, rowOf(h.Entry))
		}
		msg.hits = append(msg.hits, hidden...)
		return msg
	})
}

// hiddenHits are rows that no search finds: notes, and forgotten entries where
// these are shown, by their key.
func (m *Model) hiddenHits(words string) []row {
	var out []row
	for _, r := range m.rows {
		text := r.text
		switch {
		case r.forgotten && m.forgotten:
			text = r.key
		case m.now() != memstore.Thread:
			continue
		}
		if containsAll(strings.ToLower(text), words) && len(out) < maxHits {
			out = append(out, r)
		}
	}
	return out
}

func containsAll(text, words string) bool {
	for _, w := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func (m *Model) gotHits(msg hitsMsg) tea.Cmd {
	if msg.of != m {
		return nil
	}
	again := m.finds.land()
	if msg.words != m.filter.Text || msg.scope != m.now() || again {
		if m.filter.Text == "" {
			return nil
		}
		return m.search()
	}
	m.hits, m.err = msg.hits, msg.err
	return m.keepMark()
}

type detailMsg struct {
	of        *Model
	scope     memstore.Scope
	key       string
	revisions []memstore.Revision
	history   bool // the store keeps one
	err       error
}

// open loads the marked entry with its history.
func (m *Model) open() tea.Cmd {
	r, ok := m.at()
	if !ok {
		return nil
	}
	scope, store, ctx, key := m.now(), m.store(), m.cfg.Context, r.key
	if store == nil {
		return m.opens.fly(func() tea.Msg {
			e := memstore.Entry{Scope: scope, Key: key, Value: r.text}
			return detailMsg{of: m, scope: scope, key: key, revisions: []memstore.Revision{{Entry: e}}}
		})
	}
	return m.opens.fly(func() tea.Msg {
		msg := detailMsg{of: m, scope: scope, key: key}
		if h, ok := store.(Historian); ok {
			msg.revisions, msg.err = h.History(ctx, key)
			msg.history = true
			if !errors.Is(msg.err, memstore.ErrUnsupported) {
				return msg
			}
			msg.history = false
		}
		e, err := store.Recall(ctx, key)
		msg.revisions, msg.err = []memstore.Revision{{Entry: e}}, err
		return msg
	})
}

func (m *Model) gotDetail(msg detailMsg) tea.Cmd {
	if msg.of != m {
		return nil
	}
	m.opens.land()
	r, ok := m.at()
	if !ok {
		return nil
	}
	if msg.scope != m.now() || msg.key != r.key {
		return m.open()
	}
	return m.detail.set(m, msg)
}
