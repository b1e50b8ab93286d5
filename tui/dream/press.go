package dream

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/tui/pane"
)

// press takes a key as a decision where it is deliberate, and says why not
// otherwise.
func (m *Model) press(k tea.KeyPressMsg, do func() tea.Cmd) tea.Cmd {
	m.presses.Wait = func(d time.Duration, f func(time.Time) tea.Msg) tea.Cmd { return m.wait(d, f) }
	cmd, why := m.presses.Press(k, m.cfg.Now(), do)
	m.note = why
	return cmd
}

func (m *Model) confirm(msg pane.PressMsg) tea.Cmd {
	cmd, why := m.presses.Confirm(msg)
	if why != "" {
		m.note = why
	}
	return cmd
}
