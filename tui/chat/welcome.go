package chat

import (
	"reverie/tui/render"
)

// welcome is the screen before anything was said.
func (m *Model) welcome(width, height int) []string {
	t := m.theme
	text := min(max(10, width-4), 76)
	var out []string
	say := func(s string) {
		for _, l := range render.Wrap(s, text) {
			out = append(out, "  "+t.Text.Render(l))
		}
	}
	out = append(out, "")
	examples := []string{"remember that deploys go out on Thursday", "when do we deploy?", "why?", "no, on Friday", "forget that"}
	if m.cfg.Offline {
		say("No model is connected. Until one is, I follow rules: I save, find, quote, correct and forget. I can't reason, write or read code.")
	} else {
		say("What you ask me to remember stays, with who said it and when, and can be taken back. /memory shows it.")
		examples = examples[:3]
	}
	out = append(out, "")
	// What stands beside a label begins in one column.
	const column = 8
	beside := func(label string, say func(...string) string, lines ...string) {
		for i, l := range lines {
			if i > 0 {
				label = ""
			}
			out = append(out, "  "+t.Faint.Render(render.Pad(label, column))+say(l))
		}
	}
	room := max(8, text-column)
	for i, e := range examples {
		examples[i] = render.Line(e, room)
	}
	beside("Try", t.Accent.Render, examples...)
	out = append(out, "")
	if m.cfg.Offline {
		beside("Model", t.Dim.Render, render.Wrap("export OPENAI_API_KEY or ANTHROPIC_API_KEY, start Ollama, or /model", room)...)
	}
	if m.cfg.DataDir != "" {
		beside("Memory", t.Dim.Render, render.Wrap("stays in "+m.cfg.DataDir, room)...)
	}
	if len(out) > height {
		out = out[:max(0, height)]
	}
	return out
}
