package tui

import (
	tea "charm.land/bubbletea/v2"

	"reverie/tui/pane"
)

// hear waits for one line from outside, shows it, and waits for the next. It
// ends with the program, or when nobody has anything to say any more.
func (m *root) hear() tea.Cmd {
	if m.cfg.Notices == nil {
		return nil
	}
	return func() tea.Msg {
		select {
		case text, ok := <-m.cfg.Notices:
			if !ok {
				return nil
			}
			return tea.BatchMsg{pane.Send(pane.NoticeMsg{Text: text}), m.hear()}
		case <-m.ctx.Done():
			return nil
		}
	}
}
