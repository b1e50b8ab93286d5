package chat

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"reverie/tui/keys"
	"reverie/tui/pane"
	"reverie/tui/slash"
)

// key handles a key press while the chat has the keyboard.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	m.armed = false
	stroke := k.String()
	if m.prompt.search != nil && m.searchKey(k, stroke) {
		return nil
	}
	if m.prompt.chord != "" {
		stroke = m.prompt.chord + " " + stroke
		m.prompt.chord = ""
	} else if m.keys.Prefix(keys.Prompt, stroke) {
		m.prompt.chord = stroke
		return nil
	}
	if a := m.keys.Action(keys.Prompt, stroke); a != "" {
		return m.promptAction(a)
	}
	switch m.keys.Action(keys.Global, stroke) {
	case keys.PageUp:
		m.script.page(-1)
		return nil
	case keys.PageDown:
		m.script.page(1)
		return nil
	}
	if k.Text != "" && !strings.Contains(stroke, "ctrl+") {
		m.prompt.edit.Insert(k.Text)
	}
	return nil
}

func (m *Model) promptAction(a keys.Action) tea.Cmd {
	p := &m.prompt
	switch a {
	case keys.Send:
		return m.send()
	case keys.Complete:
		p.complete()
	case keys.HistoryPrev:
		m.up()
	case keys.HistoryNext:
		if !p.edit.Down(p.width) && m.queue.editing < 0 {
			p.newer()
		}
	case keys.Search:
		p.startSearch()
	case keys.Editor:
		return m.editor()
	case keys.OpenPaste:
		if !p.edit.OpenPaste() {
			m.Notice("There is no folded paste in the prompt.")
		}
	case keys.CopyCode:
		return m.copyCode()
	case keys.Unfold:
		m.script.unfold()
	case keys.Latest:
		if !p.closeOffers() {
			m.script.follow()
		}
	default:
		p.edit.Do(a)
	}
	return nil
}

// up moves up a row; from the first one, a message that is queued comes back
// to be edited, else the history.
func (m *Model) up() {
	p := &m.prompt
	switch {
	case p.edit.Up(p.width), m.queue.editing >= 0:
	case len(m.queue.items) > 0 && p.at == len(p.history):
		if !p.edit.Empty() {
			p.keepDraft()
		}
		m.queue.editing = len(m.queue.items) - 1
		p.edit.Restore(m.queue.items[m.queue.editing].draft)
	default:
		p.older()
	}
}

// send sends what is typed, or carries it out where it is a command.
func (m *Model) send() tea.Cmd {
	p := &m.prompt
	text := p.edit.Text()
	if strings.TrimSpace(text) == "" {
		if m.queue.editing >= 0 {
			m.queue.dropEdited()
			p.edit.Clear()
		}
		return m.release()
	}
	if slash.Is(text) {
		return m.command(text)
	}
	return m.submit(p.take())
}

// command reads a slash command and leaves it to the root.
func (m *Model) command(line string) tea.Cmd {
	c, args, err := slash.Parse(line)
	if err != nil {
		m.prompt.offer.closed = ""
		if list, _ := m.prompt.offers(); len(list) > 1 {
			m.prompt.complete() // several begin so: the first is offered, not done
			return nil
		}
		m.Notice(strings.ToUpper(err.Error()[:1]) + err.Error()[1:])
		m.script.follow()
		return nil
	}
	m.queue.dropEdited()
	m.prompt.take()
	return m.Ask(pane.CommandMsg{Name: c.Name, Args: args})
}

// searchKey handles a key while the history is searched and reports whether
// it did; other keys end the search and then do what they do.
func (m *Model) searchKey(k tea.KeyPressMsg, stroke string) bool {
	p := &m.prompt
	switch a := m.keys.Action(keys.Prompt, stroke); {
	case a == keys.Search:
		p.searchOlder()
	case a == keys.DeleteBack:
		p.searchLess()
	case a == keys.Latest:
		p.endSearch(false)
	case a == keys.Send:
		p.endSearch(true)
	case a == "" && k.Text != "":
		p.searchMore(k.Text)
	default:
		p.endSearch(true)
		return false
	}
	return true
}

// MidChord reports whether the first stroke of two was pressed, so that the
// next belongs to the prompt whatever it means elsewhere.
func (m *Model) MidChord() bool { return m.prompt.chord != "" }
