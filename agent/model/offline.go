package model

import (
	"context"
	"strings"
	"time"
)

// Offline is a model that follows rules. It reads a request as any other
// model does and asks for ordinary tool calls, so guard, approvals and undo
// are the real ones. It keeps nothing between requests: what was quoted, saved
// or asked is read from the history each time. It understands English
// patterns, and "+", "-" and "?" at the beginning in any language. Every word
// it prints comes from a template here, from the user, or from an entry.
type Offline struct{ now func() time.Time }

// NewOffline returns it. now is the clock by which it says how old an entry
// is; nil is the real one.
func NewOffline(now func() time.Time) *Offline {
	if now == nil {
		now = time.Now
	}
	return &Offline{now: now}
}

// Name is "offline": it has no provider.
func (o *Offline) Name() string { return "offline" }

// Window is 0: no history is too long for it.
func (o *Offline) Window() int { return 0 }

// List names the only model there is.
func (o *Offline) List(context.Context) ([]string, error) { return []string{"offline"}, nil }

// maxRounds bounds how often one turn may come back with results.
const maxRounds = 8

// Stream implements [Model].
func (o *Offline) Stream(ctx context.Context, r Request, emit func(Delta)) (Answer, error) {
	if err := ctx.Err(); err != nil {
		return Answer{Message: Message{Role: Assistant, Partial: true}}, err
	}
	rs := rounds(r.Messages)
	m := Message{Role: Assistant, Model: o.Name()}
	var act action
	if len(rs) == 0 {
		act = say("Nothing was said yet.")
	} else {
		t := &offlineTurn{tools: toolset(r.Tools), request: r, past: rs[:len(rs)-1], now: o.now()}
		t.text, t.steps = rs[len(rs)-1].text, rs[len(rs)-1].steps
		act = t.act()
		if len(act.calls) > 0 && len(t.steps) >= maxRounds {
			act = say("I stopped, since this took too many steps. \"what changed?\" says what was done.")
		}
	}
	m.Time = o.now().UTC()
	for _, c := range act.calls {
		c.ID = newCallID()
		m.Calls = append(m.Calls, c)
	}
	stop := "tools"
	if len(act.calls) == 0 {
		stop = "end"
		for _, piece := range pieces("offline: " + act.text) {
			if err := ctx.Err(); err != nil {
				m.Partial = true
				return Answer{Message: m}, err
			}
			m.Text += piece
			emit(Delta{Text: piece})
		}
	}
	return Answer{Message: m, Stop: stop}, nil
}

// action is what a turn does next: call tools, or say something and end.
type action struct {
	text  string
	calls []ToolCall
}

func say(text string) action { return action{text: text} }

func call(cs ...ToolCall) action { return action{calls: cs} }

// pieces cuts a text into a few, at spaces.
func pieces(text string) []string {
	const size = 48
	var out []string
	for len(text) > size {
		at := strings.IndexAny(text[size:], " \n")
		if at < 0 {
			break
		}
		at += size + 1
		out = append(out, text[:at])
		text = text[at:]
	}
	return append(out, text)
}
