package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"reverie/theme"
	"reverie/tui/picker"
	"reverie/tui/render"
)

func (m *root) pick(cfg picker.Config) tea.Cmd {
	cfg.Context, cfg.Theme, cfg.Keys = m.ctx, m.theme, m.keys
	p, load := picker.New(cfg)
	m.openPane(p)
	return load
}

func (m *root) threads(words string) tea.Cmd {
	if m.cfg.Threads == nil || m.cfg.Open == nil {
		return m.unavailable("threads")
	}
	now := m.cfg.Now()
	return m.pick(picker.Config{
		Title: "THREADS", Filter: words, Empty: "There is no earlier conversation.",
		Load: func(ctx context.Context) ([]picker.Item, error) {
			list, err := m.cfg.Threads(ctx)
			items := make([]picker.Item, len(list))
			for i, t := range list {
				items[i] = picker.Item{
					ID: t.ID, Title: t.Title, Text: t.Preview,
					Detail: fmt.Sprintf("%s  %s", render.Count(t.Turns, "turn", "turns"), render.Ago(t.Updated, now)),
				}
			}
			return items, err
		},
		Choose: func(it picker.Item) tea.Cmd { return m.openThread(it.ID) },
	})
}

// openThread goes on with a conversation, or begins a new one.
func (m *root) openThread(id string) tea.Cmd {
	switch {
	case m.cfg.Open == nil:
		return m.unavailable("new")
	case m.chat.Running():
		m.chat.Notice("A turn is running; stop it with ^C first.")
		return nil
	}
	ctx := m.ctx
	return later(func() func(*root) tea.Cmd {
		c, err := m.cfg.Open(ctx, id)
		return func(m *root) tea.Cmd {
			if err != nil {
				m.chat.Notice("The conversation can't be opened: " + err.Error() + ".")
				return nil
			}
			m.cfg.Conversation = c
			m.card.Clear()
			m.chat.Go(c)
			m.closePane()
			return nil
		}
	})
}

func (m *root) models(name string) tea.Cmd {
	if m.cfg.SetModel == nil {
		return m.unavailable("model")
	}
	if name != "" {
		return m.setModel(name)
	}
	if m.cfg.Models == nil {
		return m.unavailable("model")
	}
	current := m.cfg.Conversation.Model()
	return m.pick(picker.Config{
		Title: "MODELS", Empty: "No server that is configured offers a model.",
		Load: func(ctx context.Context) ([]picker.Item, error) {
			names, err := m.cfg.Models(ctx)
			items := make([]picker.Item, len(names))
			for i, n := range names {
				items[i] = picker.Item{ID: n, Title: n}
				if n == current {
					items[i].Detail = "in use"
				}
			}
			return items, err
		},
		Choose: func(it picker.Item) tea.Cmd { m.closePane(); return m.setModel(it.ID) },
	})
}

func (m *root) setModel(name string) tea.Cmd {
	ctx := m.ctx
	return later(func() func(*root) tea.Cmd {
		offline, err := m.cfg.SetModel(ctx, name)
		return func(m *root) tea.Cmd {
			if err != nil {
				m.chat.Notice("The model stays: " + err.Error() + ".")
				return nil
			}
			m.setModelOffline(m.cfg.Conversation.Model(), offline)
			return nil
		}
	})
}

func (m *root) themes() tea.Cmd {
	now := m.name
	return m.pick(picker.Config{
		Title: "THEMES",
		Load: func(context.Context) ([]picker.Item, error) {
			var items []picker.Item
			for _, n := range append([]string{"auto"}, theme.Names()...) {
				it := picker.Item{ID: n, Title: n}
				if n == now {
					it.Detail = "in use"
				}
				items = append(items, it)
			}
			return items, nil
		},
		Choose: func(it picker.Item) tea.Cmd { m.closePane(); return m.themeCommand(it.ID) },
	})
}

func (m *root) context() tea.Cmd {
	if m.cfg.Context == nil {
		return m.unavailable("context")
	}
	return m.pick(picker.Config{
		Title: "CONTEXT of the last request", Empty: "Nothing was sent yet.",
		Load: func(context.Context) ([]picker.Item, error) {
			var items []picker.Item
			for _, p := range m.cfg.Context() {
				items = append(items, picker.Item{
					ID: p.Name, Title: p.Name, Detail: render.Bytes(int64(p.Size)),
					Text: strings.TrimSpace(p.Reason + "\n\n" + p.Text),
				})
			}
			return items, nil
		},
	})
}
