package tui

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"reverie/agent"
	"reverie/memstore"
	"reverie/tui/pane"
	"reverie/tui/wording"
)

// doneMsg brings the outcome of outside work back into the loop.
type doneMsg struct{ then func(*root) tea.Cmd }

// later runs something slow and then, in the loop, what it returned.
func later(work func() func(*root) tea.Cmd) tea.Cmd {
	return func() tea.Msg { return doneMsg{work()} }
}

// command does a slash command.
func (m *root) command(c pane.CommandMsg) tea.Cmd {
	switch c.Name {
	case "memory":
		return m.openMemory(c.Args)
	case "dream":
		return m.openDream()
	case "undo", "forget":
		return m.change(c)
	case "approve":
		m.decide(c.Args, agent.Approve)
	case "deny":
		m.decide(c.Args, agent.Deny)
	case "retry":
		return m.chat.Retry()
	case "compact":
		if m.cfg.Compact == nil {
			return m.unavailable("compact")
		}
		return m.chat.Do(m.cfg.Compact)
	case "export":
		return m.chat.Export(c.Args)
	case "find":
		m.chat.Find(c.Args)
	case "theme":
		return m.themeCommand(c.Args)
	case "mouse":
		m.mouse = !m.mouse
		m.chat.Notice(map[bool]string{true: "The mouse wheel scrolls; to select text, hold Shift.", false: "The mouse is the terminal's again."}[m.mouse])
	case "close":
		m.closePane()
	case "help":
		m.openHelp("")
	case "quit":
		return m.quit()
	case "threads":
		return m.threads(c.Args)
	case "new":
		return m.openThread("")
	case "model":
		return m.models(c.Args)
	case "context":
		return m.context()
	default:
		return m.unavailable(c.Name)
	}
	return nil
}

func (m *root) unavailable(name string) tea.Cmd {
	m.chat.Notice("/" + name + " is not available in this session.")
	return nil
}

// change is /undo and /forget.
func (m *root) change(c pane.CommandMsg) tea.Cmd {
	scope, key := wording.ScopeAndKey(c.Args)
	if c.Name == "undo" {
		return m.chat.Undo(scope, key)
	}
	if key == "" {
		m.chat.Notice("Say which memory: /forget KEY. /memory lists them.")
		return nil
	}
	return m.chat.Forget(scope, key)
}

// decide answers a question in words. Without a number it means the only one.
func (m *root) decide(args string, d agent.Decision) {
	pending := m.cfg.Conversation.Pending()
	number, more, _ := strings.Cut(args, " ")
	id, err := strconv.Atoi(number)
	switch {
	case len(pending) == 0:
		m.chat.Notice("No question waits.")
		return
	case err != nil && (args != "" || len(pending) > 1):
		m.chat.Notice(fmt.Sprintf("Say which question: /%s %d.", verb(d), pending[0].ID))
		return
	case args == "":
		id = pending[0].ID
	}
	if d == agent.Approve && strings.TrimSpace(more) == "session" {
		d = agent.ApproveSession
	}
	if !m.cfg.Conversation.Decide(id, d) {
		m.chat.Notice(fmt.Sprintf("Question %d does not wait.", id))
		return
	}
	m.card.Remove(id)
}

func verb(d agent.Decision) string {
	if d == agent.Deny {
		return "deny"
	}
	return "approve"
}

func (m *root) themeCommand(name string) tea.Cmd {
	if name == "" {
		return m.themes()
	}
	before := m.name
	m.name = strings.ToLower(name)
	if _, err := m.themeNow(); err != nil {
		m.name = before
		m.chat.Notice("The theme stays: " + err.Error() + ".")
		return nil
	}
	m.retheme()
	return nil
}

// watchMsg says that a store changed, or how many entries it has.
type watchMsg struct {
	store   memstore.Store
	changed <-chan struct{}
	count   int
	err     error
	ended   bool
}

// watch counts a store and waits for its changes.
func (m *root) watch(s memstore.Store) tea.Cmd {
	if s == nil {
		return nil
	}
	ctx := m.ctx
	return func() tea.Msg {
		ch, err := s.Watch(ctx)
		if err != nil {
			return watchMsg{store: s, err: err}
		}
		n, err := s.Count(ctx)
		return watchMsg{store: s, changed: ch, count: n, err: err}
	}
}

func (m *root) watched(w watchMsg) tea.Cmd {
	scope := w.store.Scope()
	switch {
	case w.ended || m.ctx.Err() != nil:
		return nil
	case w.err != nil:
		m.chat.Notice(fmt.Sprintf("The %s memory can't be read: %s.", scope, w.err))
		return nil
	}
	m.chat.SetCount(scope, w.count)
	return tea.Batch(m.changed(scope, w.count), nextChange(m.ctx, w))
}

// nextChange waits for the next change and counts anew.
func nextChange(ctx context.Context, w watchMsg) tea.Cmd {
	return func() tea.Msg {
		select {
		case <-ctx.Done():
			return watchMsg{store: w.store, ended: true}
		case _, ok := <-w.changed:
			if !ok {
				return watchMsg{store: w.store, ended: true}
			}
		}
		n, err := w.store.Count(ctx)
		return watchMsg{store: w.store, changed: w.changed, count: n, err: err}
	}
}
