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
	for i, e := range examples {
		lead := "      "
		if i == 0 {
			lead = t.Faint.Render("Try") + "   "
		}
		out = append(out, "  "+lead+t.Accent.Render(render.Truncate(e, max(1, width-8))))
	}
	out = append(out, "")
	if m.cfg.Offline {
		for i, l := range render.Wrap("export OPENAI_API_KEY or ANTHROPIC_API_KEY, start Ollama, or /model", max(8, text-7)) {
			lead := "       "
			if i == 0 {
				lead = t.Faint.Render("Model:") + " "
			}
			out = append(out, "  "+lead+t.Dim.Render(l))
		}
	}
	if m.cfg.DataDir != "" {
		const label = "Memory stays in"
		dir := render.Wrap(m.cfg.DataDir, text)
		if len(dir) == 1 && len(label)+2+render.Width(dir[0]) <= text {
			out = append(out, "  "+t.Faint.Render(label)+"  "+t.Dim.Render(dir[0]))
		} else {
			out = append(out, "  "+t.Faint.Render(label))
			for _, l := range dir {
				out = append(out, "  "+t.Dim.Render(l))
			}
		}
	}
	if len(out) > height {
		out = out[:max(0, height)]
	}
	return out
}
