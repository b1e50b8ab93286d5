package tui

import (
	tea "charm.land/bubbletea/v2"

	"reverie/memstore"
	"reverie/tui/dream"
	"reverie/tui/memory"
)

// noter is a conversation that has notes of its own.
type noter interface{ Notes() []string }

func (m *root) openMemory(words string) tea.Cmd {
	if p, ok := m.side.(*memory.Model); ok {
		m.setFocus(onPane)
		if words == "" {
			return nil
		}
		return p.Search(words)
	}
	cfg := memory.Config{
		Context: m.ctx, Theme: m.theme, Keys: m.keys, Now: m.cfg.Now,
		Used: m.cfg.Conversation.Used, Filter: words, Counts: m.counts,
	}
	// A nil store must stay a nil interface.
	if m.cfg.Project != nil {
		cfg.Project = m.cfg.Project
	}
	if m.cfg.User != nil {
		cfg.User = m.cfg.User
	}
	if n, ok := m.cfg.Conversation.(noter); ok {
		cfg.Notes = n.Notes
	}
	p, load := memory.New(cfg)
	m.openPane(p)
	return load
}

// openDream opens the pane for the plan that tidies a memory.
func (m *root) openDream() tea.Cmd {
	if _, ok := m.side.(*dream.Model); ok {
		m.setFocus(onPane)
		return nil
	}
	if len(m.cfg.Dream) == 0 {
		return m.unavailable("dream")
	}
	p, load := dream.New(dream.Config{
		Context: m.ctx, Theme: m.theme, Keys: m.keys, Now: m.cfg.Now, Targets: m.cfg.Dream, MarksRepeats: m.marks,
	})
	for s, n := range m.counts {
		p.SetCount(s, n)
	}
	m.openPane(p)
	return load
}

// What a pane may want to hear of besides.
type (
	follower interface { // how the stores change
		SetCount(s memstore.Scope, n int)
		Changed(s memstore.Scope) tea.Cmd
	}
	listener interface{ Hear(tea.Msg) }      // every key press and paste
	marker   interface{ MarksRepeats(bool) } // what the terminal can
	watcher  interface{ Visible(bool) tea.Cmd }
)

// changed tells the pane that a store has changed.
func (m *root) changed(s memstore.Scope, n int) tea.Cmd {
	m.counts[s] = n
	var cmds []tea.Cmd
	for _, p := range m.sides() {
		if p, ok := p.(follower); ok {
			p.SetCount(s, n)
			cmds = append(cmds, p.Changed(s))
		}
	}
	return tea.Batch(cmds...)
}
