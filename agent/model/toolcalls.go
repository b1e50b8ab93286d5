package model

import (
	"crypto/rand"
	"strings"

	"github.com/tidwall/gjson"
)

// callBuilder puts the tool calls of a streamed answer together. Servers
// differ: OpenAI sends an index with every piece and the id with the first;
// others leave out the index, the id or both, send a call whole, repeat the
// id or the name with every piece, or number all parallel calls 0.
type callBuilder struct {
	calls []pendingCall
}

type pendingCall struct {
	index    int64 // -1 where the server gives none
	id, name string
	args     strings.Builder
	whole    bool // the arguments came as an object
}

// add takes one piece: an element of "tool_calls", or Ollama's, in which the
// function's arguments are an object.
func (b *callBuilder) add(piece gjson.Result) {
	fn := piece.Get("function")
	if !fn.Exists() {
		fn = piece // some servers leave the wrapper out
	}
	index := int64(-1)
	if i := piece.Get("index"); i.Type == gjson.Number {
		index = i.Int()
	} else if i := fn.Get("index"); i.Type == gjson.Number { // Ollama's own API
		index = i.Int()
	}
	id, name, args := text(piece.Get("id")), text(fn.Get("name")), fn.Get("arguments")
	if !args.Exists() {
		args = fn.Get("parameters")
	}
	c := b.find(index, id, name)
	if id != "" {
		c.id = id
	}
	switch {
	case name == "" || name == c.name:
	case c.args.Len() == 0:
		c.name += name
	}
	switch {
	case args.IsObject():
		c.args.Reset()
		c.args.WriteString(args.Raw)
		c.whole = true
	case args.Type == gjson.String && !c.whole:
		c.args.WriteString(args.Str)
	}
}

// text is a JSON string, or "" for anything else; a number is taken as text.
func text(v gjson.Result) string {
	if v.Type == gjson.String || v.Type == gjson.Number {
		return v.String()
	}
	return ""
}

// find returns the call that a piece belongs to, a new one where it is none of
// the present.
func (b *callBuilder) find(index int64, id, name string) *pendingCall {
	last := len(b.calls) - 1
	if index >= 0 {
		for i := last; i >= 0; i-- {
			c := &b.calls[i]
			if c.index != index {
				continue
			}
			if id != "" && c.id != "" && id != c.id && name != "" {
				break // another call under the same number
			}
			return c
		}
		return b.open(index)
	}
	if id != "" {
		for i := range b.calls {
			if b.calls[i].id == id {
				return &b.calls[i]
			}
		}
		return b.open(-1)
	}
	if last < 0 || name != "" && b.calls[last].closed(name) {
		return b.open(-1)
	}
	return &b.calls[last]
}

// closed says whether a piece that names a function begins another call.
func (c *pendingCall) closed(name string) bool {
	if c.args.Len() == 0 {
		return c.name != name && c.name != ""
	}
	return c.name != name || c.whole || gjson.Valid(c.args.String())
}

func (b *callBuilder) open(index int64) *pendingCall {
	b.calls = append(b.calls, pendingCall{index: index})
	return &b.calls[len(b.calls)-1]
}

// done returns the calls, each with an id that no other has. A call without a
// name is left out: there is nothing to call.
func (b *callBuilder) done() []ToolCall {
	var calls []ToolCall
	seen := map[string]bool{}
	for i := range b.calls {
		c := &b.calls[i]
		if c.name == "" {
			continue
		}
		if c.id == "" || seen[c.id] {
			c.id = newCallID()
		}
		seen[c.id] = true
		calls = append(calls, ToolCall{ID: c.id, Name: c.name, Arguments: plainArguments(c.args.String())})
	}
	return calls
}

// plainArguments mends the two harmless oddities of arguments: none at all,
// and an object inside a string.
func plainArguments(args string) string {
	trimmed := strings.TrimSpace(args)
	if trimmed == "" || trimmed == "null" {
		return "{}"
	}
	if v := gjson.Parse(trimmed); v.Type == gjson.String && gjson.Valid(trimmed) && gjson.Valid(v.Str) && gjson.Parse(v.Str).IsObject() {
		return v.Str
	}
	return args
}

// newCallID makes up an id: nine letters and digits, which is what the
// strictest server (Mistral) takes.
func newCallID() string { return rand.Text()[:9] }
