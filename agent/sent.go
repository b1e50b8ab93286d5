package agent

import (
	"fmt"
	"slices"

	"reverie/agent/model"
)

// sentMessages is the part of the thread that goes to the model: all of it, or
// what follows a summary. It grows with the thread and is not made anew for a
// request.
type sentMessages struct {
	messages []model.Message
	from     int    // place in the history of the first
	summary  string // of what lies before from
	bytes    int    // of messages
	tokens   int    // estimate for messages
}

// sentFrom makes what is sent of a history whose first upto messages have a
// summary.
func sentFrom(history []model.Message, summary string, upto int) sentMessages {
	if upto > len(history) {
		upto, summary = 0, ""
	}
	s := sentMessages{from: upto, summary: summary}
	for _, m := range history[upto:] {
		s.add(m)
	}
	return s
}

func (s *sentMessages) add(m model.Message) {
	if m.Role == model.Assistant && m.Partial {
		m.Reasoning, m.Signature = "", ""
		if m.Text == "" {
			m.Text = "(no answer: it was broken off)"
		} else {
			m.Text += "\n\n(broken off here)"
		}
	}
	if len(s.messages) == 0 && s.from > 0 {
		m.Text = summaryText(s.summary) + m.Text
	}
	s.messages = append(s.messages, m)
	s.tokens += messageTokens(m)
	s.bytes += messageBytes(m)
}

func (s *sentMessages) dropLast() {
	last := len(s.messages) - 1
	s.tokens -= messageTokens(s.messages[last])
	s.bytes -= messageBytes(s.messages[last])
	s.messages = s.messages[:last]
}

// with is the messages of a request; attached is added to the last prompt,
// in a copy.
func (s *sentMessages) with(attached string) []model.Message {
	if attached == "" {
		return s.messages[:len(s.messages):len(s.messages)]
	}
	out := slices.Clone(s.messages)
	for i, m := range slices.Backward(out) {
		if m.Role == model.User {
			out[i].Text = m.Text + attached
			break
		}
	}
	return out
}

// parts describe the messages of a request. Their texts are the thread's.
func (s *sentMessages) parts() []Part {
	p := Part{Name: "messages", Where: "messages", Bytes: s.bytes, Left: s.from}
	p.Reason = fmt.Sprintf("the thread so far, %d messages", len(s.messages))
	if s.from == 0 {
		return []Part{p}
	}
	sum := newPart("messages", "summary", fmt.Sprintf("stands for the %d messages before, which do not fit the model's context", s.from), summaryText(s.summary))
	p.Bytes -= sum.Bytes
	return []Part{sum, p}
}

// trimResults shortens the results of tools but the last few, for a turn that
// is too long all by itself, and says whether that made a difference.
func (s *sentMessages) trimResults() bool {
	const keep, size = 2, 1 << 10
	out := slices.Clone(s.messages)
	changed := false
	for i := range max(0, len(out)-keep) {
		if m := &out[i]; m.Role == model.Tool && len(m.Text) > size {
			s.bytes -= messageBytes(*m)
			s.tokens -= messageTokens(*m)
			m.Text = cut(m.Text, size) + "(shortened to fit; call the tool again for the whole)"
			s.bytes += messageBytes(*m)
			s.tokens += messageTokens(*m)
			changed = true
		}
	}
	s.messages = out
	return changed
}

func messageBytes(m model.Message) int {
	n := len(m.Text) + len(m.Reasoning)
	for _, c := range m.Calls {
		n += len(c.Name) + len(c.Arguments)
	}
	return n
}
