package chat

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/agent/model"
	"reverie/tui/render"
)

type editedMsg struct {
	text string
	err  error
}

// editor opens the draft in the person's editor; what is saved comes back.
func (m *Model) editor() tea.Cmd {
	text := m.prompt.edit.Text()
	program := ""
	if m.cfg.Getenv != nil {
		program = orElse(m.cfg.Getenv("VISUAL"), m.cfg.Getenv("EDITOR"))
	}
	program = orElse(program, "vi")
	return func() tea.Msg {
		dir, err := os.MkdirTemp("", "reverie-draft-")
		if err != nil {
			return editedMsg{err: err}
		}
		path := filepath.Join(dir, "draft.md")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			_ = os.RemoveAll(dir)
			return editedMsg{err: err}
		}
		// The setting may have arguments, so that a shell reads it.
		cmd := exec.Command("sh", "-c", program+` "$1"`, "sh", path)
		return tea.ExecProcess(cmd, func(err error) tea.Msg {
			defer func() { _ = os.RemoveAll(dir) }()
			if err != nil {
				return editedMsg{err: fmt.Errorf("%s: %w", program, err)}
			}
			data, err := os.ReadFile(path)
			return editedMsg{strings.TrimSuffix(string(data), "\n"), err}
		})()
	}
}

func (m *Model) edited(e editedMsg) {
	if e.err != nil {
		m.Notice("The editor failed, so the draft is as it was: " + e.err.Error() + ". Set EDITOR to another one.")
		return
	}
	m.prompt.edit.Set(e.text)
}

// copyCode puts the latest code block on the clipboard, byte for byte; pressed
// again, the one before it.
func (m *Model) copyCode() tea.Cmd {
	var blocks []render.Block
	for _, it := range m.script.items {
		if it.kind == answerItem {
			blocks = append(blocks, render.CodeBlocks(it.text)...)
		}
	}
	if len(blocks) == 0 {
		m.Notice("There is no code block to copy.")
		return nil
	}
	if m.script.copied >= len(blocks) {
		m.script.copied = 0
	}
	m.script.copied++
	b := blocks[len(blocks)-m.script.copied]
	m.Notice(fmt.Sprintf("Copied a code block of %s.", render.Count(strings.Count(b.Source, "\n"), "line", "lines")))
	return tea.SetClipboard(b.Source)
}

type exportedMsg struct {
	path string
	err  error
}

// Export writes the conversation as Markdown to a file, which must not exist.
func (m *Model) Export(path string) tea.Cmd {
	text, now := markdown(m.cfg.Conversation.Title(), m.script.items), m.cfg.Now()
	return func() tea.Msg {
		path, err := WriteFile(path, now, text)
		return exportedMsg{path, err}
	}
}

// WriteFile writes an exported conversation to a file, which must not exist,
// and returns its path. Without a path it is named after the time.
func WriteFile(path string, now time.Time, text string) (string, error) {
	if path == "" {
		path = "reverie-" + now.Format("2006-01-02-150405") + ".md"
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return path, err
	}
	_, err = f.WriteString(text)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return path, err
}

func (m *Model) exported(e exportedMsg) {
	if e.err != nil {
		m.Notice("The conversation was not exported: " + e.err.Error() + ". Give /export another file.")
		return
	}
	m.Notice("The conversation is in " + e.path + ".")
}

// Markdown is a stored conversation as it would be written to a file.
func Markdown(title string, history []model.Message) string {
	return markdown(title, fromHistory(history))
}

func markdown(title string, items []*item) string {
	var b strings.Builder
	if title != "" {
		fmt.Fprintf(&b, "# %s\n", render.Line(title, 200))
	}
	for _, it := range items {
		switch it.kind {
		case userItem:
			fmt.Fprintf(&b, "\n**You:**\n\n%s\n", strings.TrimSpace(it.text))
		case answerItem:
			fmt.Fprintf(&b, "\n**Reverie:**\n\n%s\n", strings.TrimSpace(it.text))
		case memoryItem:
			fmt.Fprintf(&b, "\n> %s %s %s: %s\n", it.memory.Verb, it.memory.Scope, it.memory.Key, render.Line(it.memory.Whole(), 400))
		}
	}
	return b.String()
}

// Find goes to the nearest item above the place shown that has the words, and
// from the top again to the latest. Without words it looks for the former ones.
func (m *Model) Find(words string) {
	t := &m.script
	if words == "" {
		words = t.sought
	}
	if words == "" {
		m.Notice("Say what to find: /find WORDS.")
		return
	}
	from := len(t.items)
	if words == t.sought && t.found < len(t.items) {
		from = t.found
	}
	t.sought = words
	low := strings.ToLower(words)
	for n := 1; n <= len(t.items); n++ {
		i := ((from-n)%len(t.items) + len(t.items)) % len(t.items)
		it := t.items[i]
		if it.kind != noticeItem && strings.Contains(strings.ToLower(it.text+" "+it.memory.Key+" "+it.memory.Detail), low) {
			t.found = i
			t.showWords(i, low)
			return
		}
	}
	m.Notice(fmt.Sprintf("%q is not in this conversation.", words))
}
