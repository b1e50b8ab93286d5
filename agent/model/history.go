package model

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"
)

// A turn is a piece of the history in the form that every provider accepts:
// users and assistants alternate, each call of an assistant is answered in the
// turn that follows it, ids are unique and simple, and nothing is empty.
type turn struct {
	role    Role
	text    string
	source  Message // of an assistant: for reasoning that must go back
	calls   []ToolCall
	results []Message // of role Tool, in the order of the calls
	tooled  bool      // of an assistant: calls were made since the user spoke
}

// interrupted stands for the result of a call that has none.
const interrupted = `{"ok":false,"error":"interrupted before a result came; whether it took effect is not known","next":"check before trying again"}`

// turns brings a history into that form. It may have been made with another
// provider, been cut anywhere, and hold answers that broke off. Without tools
// in the request, calls and results become text: providers refuse them then.
func turns(r Request) []turn {
	var ts []turn
	ids := map[string]bool{}
	for i := 0; i < len(r.Messages); i++ {
		m := r.Messages[i]
		switch m.Role {
		case User:
			ts = addUser(ts, m.Text)
		case Assistant:
			results := following(r.Messages[i+1:])
			i += len(results)
			if len(r.Tools) == 0 && len(m.Calls) > 0 {
				ts = addAssistant(ts, turn{role: Assistant, text: inWords(m, results)})
				continue
			}
			ts = addAssistant(ts, turn{role: Assistant, text: m.Text, source: m, calls: m.Calls})
			ts = answerCalls(ts, results, ids)
		}
	}
	return finish(ts)
}

// following are the tool results that come first in ms.
func following(ms []Message) []Message {
	for i, m := range ms {
		if m.Role != Tool {
			return ms[:i]
		}
	}
	return ms
}

func addUser(ts []turn, text string) []turn {
	if strings.TrimSpace(text) == "" {
		return ts
	}
	if n := len(ts); n > 0 && ts[n-1].role == User {
		ts[n-1].text += "\n\n" + text
		return ts
	}
	return append(ts, turn{role: User, text: text})
}

func addAssistant(ts []turn, t turn) []turn {
	if strings.TrimSpace(t.text) == "" {
		t.text = ""
		if len(t.calls) == 0 {
			return ts
		}
	}
	if n := len(ts); n > 0 && ts[n-1].role == Assistant && len(ts[n-1].calls) == 0 {
		// Two answers without anything between them: the earlier one broke
		// off. Its reasoning stays behind, since a signature covers one answer.
		t.text = strings.TrimSpace(ts[n-1].text + "\n\n" + t.text)
		ts = ts[:n-1]
	}
	return append(ts, t)
}

// answerCalls gives the calls of the last turn ids that are fit for every
// provider, and each call its result. A call that has none was interrupted; a
// result that no call asked for is dropped.
func answerCalls(ts []turn, results []Message, ids map[string]bool) []turn {
	n := len(ts) - 1
	if n < 0 || len(ts[n].calls) == 0 {
		return ts
	}
	left := append([]Message(nil), results...)
	calls := make([]ToolCall, 0, len(ts[n].calls))
	answers := turn{role: Tool}
	for _, c := range ts[n].calls {
		answer := Message{Role: Tool, Name: c.Name, Text: interrupted, Failed: true}
		for i, m := range left {
			if m.CallID == c.ID {
				answer = m
				left = append(left[:i], left[i+1:]...)
				break
			}
		}
		if strings.TrimSpace(answer.Text) == "" {
			answer.Text = "(empty)"
		}
		answer.CallID = fitID(c.ID, ids)
		calls = append(calls, ToolCall{ID: answer.CallID, Name: fitName(c.Name), Arguments: fitArguments(c.Arguments)})
		answers.results = append(answers.results, answer)
	}
	ts[n].calls = calls
	return append(ts, answers)
}

// finish sees to it that a user begins and does not wait for a turn that the
// assistant has, and notes where reasoning belongs to a round of tools.
func finish(ts []turn) []turn {
	if len(ts) > 0 && ts[0].role == Assistant {
		ts = append([]turn{{role: User, text: "(The beginning of this conversation is left out.)"}}, ts...)
	}
	if n := len(ts); n > 0 && ts[n-1].role == Assistant {
		ts = append(ts, turn{role: User, text: "(The answer broke off. Go on.)"})
	}
	for i, tooled := 0, false; i < len(ts); i++ {
		switch ts[i].role {
		case User:
			tooled = false
		case Tool:
			tooled = true
		case Assistant:
			ts[i].tooled = tooled || len(ts[i].calls) > 0
		}
	}
	return ts
}

// fitID makes an id of letters, digits, "_" and "-" that was not used before.
func fitID(id string, used map[string]bool) string {
	id = fitName(id)
	for n, base := 2, id; id == "" || used[id]; n++ {
		id = fmt.Sprintf("%s_%d", base, n)
	}
	used[id] = true
	return id
}

// fitName replaces what providers refuse in a tool's name, and in an id; both
// take up to 64 letters, digits, "_" and "-".
func fitName(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, s)
	return s[:min(len(s), 64)]
}

// fitArguments is JSON of an object in any case: servers parse it, and fail on
// what a model once got wrong.
func fitArguments(args string) string {
	args = plainArguments(args)
	if gjson.Valid(args) && gjson.Parse(args).IsObject() {
		return args
	}
	b, err := json.Marshal(map[string]string{"invalid": args})
	if err != nil {
		return "{}"
	}
	return string(b)
}

// inWords tells of calls and results as text.
func inWords(m Message, results []Message) string {
	var b strings.Builder
	b.WriteString(m.Text)
	for _, c := range m.Calls {
		fmt.Fprintf(&b, "\n[called %s %s]", c.Name, c.Arguments)
	}
	for _, res := range results {
		fmt.Fprintf(&b, "\n[result of %s: %s]", res.Name, res.Text)
	}
	return strings.TrimSpace(b.String())
}
