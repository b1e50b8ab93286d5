package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/tui/help"
	"reverie/tui/keys"
	"reverie/tui/pane"
)

// asked is the help while it is open, with what it stands over. Opened by a
// key that is also a character, such as ?, it may be the beginning of a
// message: a search is written "? words". So a character right after it that
// means nothing to the help, or that came as fast as only a paste does, closes
// it again and goes to the prompt with the first one.
type asked struct {
	help  *help.Model
	under pane.Pane // what was beside or over the chat before
	from  focus     // who had the keyboard
	text  string    // the character that opened it, until another key comes
	when  time.Time
}

// drop ends what the help stands over, since something else takes its place.
func (a *asked) drop() {
	if c, ok := a.under.(interface{ Close() error }); ok {
		_ = c.Close() // it only ends the pane's own reading
	}
	*a = asked{}
}

// openHelp shows the help; text is the character that asked for it, or "".
func (m *root) openHelp(text string) {
	if m.asked.help != nil {
		m.setFocus(onPane)
		return
	}
	from := m.focus
	if from == onCard {
		from = m.back
	}
	h := help.New(m.theme, m.keys)
	a := asked{help: h, under: m.side, from: from, when: m.cfg.Now()}
	if m.focus == onChat {
		a.text = text
	}
	m.asked, m.side = a, h
	m.setFocus(onPane)
}

// typedOver reports whether a key right after the one that opened the help was
// typing all along; both are then in the prompt. A paste is left to the caller.
func (m *root) typedOver(k tea.Key, paste string) bool {
	text := m.asked.text
	m.asked.text = ""
	if text == "" || m.focus != onPane || k.Text == "" && paste == "" {
		return false
	}
	fast := m.cfg.Now().Sub(m.asked.when) < pane.Burst
	if paste == "" && !fast && m.keys.Action(keys.Pane, tea.KeyPressMsg(k).String()) != "" {
		return false
	}
	m.closePane()
	m.setFocus(onChat)
	m.chat.Type(text + k.Text)
	return true
}
