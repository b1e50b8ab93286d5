package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"reverie/tui/keys"
)

// key does the keys that hold everywhere and passes on the others.
func (m *root) key(k tea.KeyPressMsg) tea.Cmd {
	if k.Code == tea.KeyEscape && k.Mod == tea.ModAlt {
		// Two quick presses of Esc arrive as one of Alt+Esc.
		k.Mod = 0
		return tea.Batch(m.key(k), m.key(k))
	}
	if m.focus == onChat && m.chat.MidChord() {
		return m.pass(m.chat, k)
	}
	if m.typedOver(tea.Key(k), "") {
		return nil
	}
	stroke := k.String()
	switch m.keys.Action(keys.Global, stroke) {
	case keys.Stop:
		if !k.IsRepeat && m.chat.Interrupt() {
			return m.quit()
		}
		return nil
	case keys.Quit:
		return m.endOrDelete(k)
	case keys.Suspend:
		return m.suspend()
	case keys.Redraw:
		return tea.ClearScreen
	case keys.Focus:
		m.switchFocus()
		return nil
	case keys.Answer:
		if m.card.Waiting() > 0 {
			m.setFocus(onCard)
		}
		return nil
	case keys.Help:
		if k.Text == "" || m.idle() {
			m.openHelp(k.Text)
			return nil
		}
	}
	if m.focus == onCard && m.keys.Action(keys.Approval, stroke) == keys.Later {
		m.setFocus(m.back)
		return nil
	}
	return m.pass(m.focused(), k)
}

// endOrDelete is ^D: it quits where the prompt is empty, wherever the keyboard
// is, and otherwise deletes in the prompt while that has the keyboard.
func (m *root) endOrDelete(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case m.chat.Empty() && m.idle():
		return m.quit()
	case m.focus != onChat:
		return m.pass(m.focused(), k)
	}
	m.chat.DeleteForward()
	return nil
}

// typer is a pane into which text may be typed at the moment.
type typer interface{ Typing() bool }

// idle reports whether a printable key means no text where the keyboard is.
func (m *root) idle() bool {
	switch m.focus {
	case onChat:
		return m.chat.Empty()
	case onPane:
		t, ok := m.side.(typer)
		return !ok || !t.Typing()
	}
	return true
}

func (m *root) switchFocus() {
	switch {
	case m.focus == onCard:
		m.setFocus(m.back)
	case m.focus == onPane || m.side == nil:
		m.setFocus(onChat)
	default:
		m.setFocus(onPane)
	}
}

func (m *root) quit() tea.Cmd {
	m.quitting = true
	return tea.Quit
}

func (m *root) suspend() tea.Cmd {
	if !canSuspend() {
		m.chat.Notice("There is no shell to suspend to.")
		return nil
	}
	if !m.wheelArrows {
		return tea.Suspend
	}
	return tea.Sequence(tea.Raw(ansi.SetMode(ansi.DECMode(wheelMode))), tea.Suspend)
}
