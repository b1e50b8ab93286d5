package pane

import tea "charm.land/bubbletea/v2"

// Asks is what a pane wants of the root: a [CloseMsg], [DraftMsg], [CommandMsg]
// or [NoticeMsg]. The root takes it right after Update, before the next key, so
// that a key pressed at once after q or Enter never reaches the pane that was
// left. A pane embeds it.
type Asks struct{ waiting []tea.Msg }

// Ask notes a wish. It returns no command, so that Update can end with it.
func (a *Asks) Ask(m tea.Msg) tea.Cmd {
	a.waiting = append(a.waiting, m)
	return nil
}

// Asked hands over the wishes since the last call, oldest first.
func (a *Asks) Asked() []tea.Msg {
	list := a.waiting
	a.waiting = nil
	return list
}
