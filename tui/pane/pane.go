// Package pane is what panes have in common: how the root updates and draws
// one, and the small pieces that make them look alike (a header, a rule, a
// footer, a list with a mark). A pane knows its own content and keys; where it
// is drawn and whether it has the keyboard is the root's.
package pane

import (
	tea "charm.land/bubbletea/v2"

	"reverie/tui/keys"
)

// Pane is a rectangle of the screen. Its methods are called from the program's
// one loop only; nothing slow may be done in them.
type Pane interface {
	// Update handles a message and returns outside work to do, or nil. Keys
	// and pastes come only while the pane has the keyboard.
	Update(tea.Msg) tea.Cmd
	// View draws at most height lines, each at most width cells wide.
	View(width, height int) string
	// SetFocus says whether the pane has the keyboard.
	SetFocus(bool)
	// Cursor is where the terminal's cursor belongs within what View drew
	// last, or nil.
	Cursor() *tea.Cursor
	// Keys are the hints for the footer as things stand.
	Keys() []keys.Hint
	// Asked hands over what the last Update wants of the root; see [Asks].
	Asked() []tea.Msg
}

// DraftMsg asks the root to put text in the prompt and give it the keyboard.
// Nothing is sent.
type DraftMsg struct{ Text string }

// CloseMsg asks the root to close the pane that has the keyboard.
type CloseMsg struct{}

// CommandMsg asks the root to do a slash command.
type CommandMsg struct{ Name, Args string }

// NoticeMsg asks the root to show a line in the conversation.
type NoticeMsg struct{ Text string }

// Send is a command that only delivers a message.
func Send(m tea.Msg) tea.Cmd { return func() tea.Msg { return m } }
