package agent

import (
	"encoding/json"
	"slices"

	"reverie/agent/model"
)

// Part is one piece of the last request: what /context shows.
type Part struct {
	Name   string `json:"name"`           // "persona", "index", "user facts", …
	Where  string `json:"where"`          // "stable", "volatile", "messages" or "tools"
	Bytes  int    `json:"bytes"`          // size of Text as sent
	Reason string `json:"reason"`         // one sentence: why it was sent, and what bounds it
	Text   string `json:"text,omitempty"` // as sent; of messages only what was attached to them
	Refs   []Ref  `json:"refs,omitempty"` // memories in it
	Left   int    `json:"left_out,omitempty"`
}

func newPart(where, name, reason, text string) Part {
	return Part{Name: name, Where: where, Bytes: len(text), Reason: reason, Text: text}
}

// Context is exactly what the last request carried, part by part in the order
// in which it was sent, and why. It is empty before the first request.
func (c *Conversation) Context() []Part {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.context)
}

// toolPart describes the tools of a request.
func toolPart(specs []model.ToolSpec) Part {
	type shown struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Schema      json.RawMessage `json:"schema"`
	}
	list := make([]shown, len(specs))
	for i, s := range specs {
		list[i] = shown(s)
	}
	text, err := json.Marshal(list)
	if err != nil {
		text = []byte(err.Error())
	}
	return newPart("tools", "tools", "what the model may call, by the setting memory.tools", string(text))
}

// Index is what a session that begins now tells the model of the memory: the
// keys and summaries, marked as data, within the same bounds. Its text is
// empty where there is no memory to list.
func (c *Conversation) Index() Part {
	if len(c.memory.indexed()) == 0 {
		return Part{}
	}
	return c.memory.index(maxIndexBytes)
}
