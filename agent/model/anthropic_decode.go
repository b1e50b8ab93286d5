package model

import (
	"encoding/json"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// anthropicDecoder collects an answer from the events of the Messages API, or
// from one whole message of a server that does not stream.
type anthropicDecoder struct {
	name   string
	now    func() time.Time
	blocks []*anthropicBlock
	text   strings.Builder
	stop   string
	usage  Usage
}

// anthropicBlock is one content block.
type anthropicBlock struct {
	index     int64
	kind      string // "text", "thinking", "redacted_thinking", "tool_use"
	body      strings.Builder
	input     string // a tool's arguments that came whole
	id, name  string
	signature strings.Builder
	data      string // of redacted thinking
}

func (d *anthropicDecoder) complete() bool { return d.stop != "" }

func (d *anthropicDecoder) event(c chunk, emit func(Delta)) (done bool, bad *complaint) {
	kind := c.data.Get("type").String()
	if kind == "" {
		kind = c.name
	}
	switch kind {
	case "message_start":
		d.addUsage(c.data.Get("message.usage"))
	case "content_block_start":
		d.open(c.data.Get("index").Int(), c.data.Get("content_block"), emit)
	case "content_block_delta":
		d.delta(c.data.Get("index").Int(), c.data.Get("delta"), emit)
	case "message_delta":
		d.addUsage(c.data.Get("usage"))
		if s := c.data.Get("delta.stop_reason"); s.Type == gjson.String {
			d.stop = s.Str
		}
	case "message_stop":
		return true, nil
	case "message":
		for i, b := range c.data.Get("content").Array() {
			d.open(int64(i), b, emit)
		}
		d.addUsage(c.data.Get("usage"))
		d.stop = c.data.Get("stop_reason").String()
		return true, nil
	}
	return false, nil
}

func (d *anthropicDecoder) addUsage(u gjson.Result) {
	if !u.IsObject() {
		return
	}
	cached := count(u.Get("cache_read_input_tokens"))
	if in := count(u.Get("input_tokens")) + cached + count(u.Get("cache_creation_input_tokens")); in > 0 {
		d.usage.Input, d.usage.Cached = in, cached
	}
	if out := count(u.Get("output_tokens")); out > 0 {
		d.usage.Output = out
	}
}

// open begins a block; what it holds already is taken over.
func (d *anthropicDecoder) open(index int64, v gjson.Result, emit func(Delta)) {
	b := &anthropicBlock{index: index, kind: v.Get("type").String(), id: v.Get("id").String(), name: v.Get("name").String(), data: v.Get("data").String()}
	d.blocks = append(d.blocks, b)
	if in := v.Get("input"); in.IsObject() && len(in.Map()) > 0 {
		b.input = in.Raw
	}
	b.signature.WriteString(v.Get("signature").String())
	switch b.kind {
	case "text":
		d.addText(v.Get("text").String(), emit)
	case "thinking":
		b.think(v.Get("thinking").String(), emit)
	}
}

func (d *anthropicDecoder) addText(s string, emit func(Delta)) {
	if s != "" {
		s = strings.ToValidUTF8(s, "\uFFFD")
		d.text.WriteString(s)
		emit(Delta{Text: s})
	}
}

func (b *anthropicBlock) think(s string, emit func(Delta)) {
	if s != "" {
		s = strings.ToValidUTF8(s, "\uFFFD")
		b.body.WriteString(s)
		emit(Delta{Reasoning: s})
	}
}

func (d *anthropicDecoder) delta(index int64, v gjson.Result, emit func(Delta)) {
	switch v.Get("type").String() {
	case "text_delta":
		d.addText(v.Get("text").String(), emit)
	case "thinking_delta":
		d.block(index, "thinking").think(v.Get("thinking").String(), emit)
	case "signature_delta":
		d.block(index, "thinking").signature.WriteString(v.Get("signature").String())
	case "input_json_delta":
		d.block(index, "tool_use").body.WriteString(v.Get("partial_json").String())
	}
}

// block finds the block that a delta is for; one that never began is begun.
func (d *anthropicDecoder) block(index int64, kind string) *anthropicBlock {
	for i := len(d.blocks) - 1; i >= 0; i-- {
		if b := d.blocks[i]; b.index == index && b.kind == kind {
			return b
		}
	}
	b := &anthropicBlock{index: index, kind: kind}
	d.blocks = append(d.blocks, b)
	return b
}

func (d *anthropicDecoder) answer(func(Delta)) Answer {
	m := Message{Role: Assistant, Text: d.text.String(), Model: d.name, Time: d.now().UTC()}
	m.Reasoning, m.Signature = d.thinking()
	m.Calls = d.toolCalls()
	a := Answer{Message: m, Usage: d.usage, Stop: "end"}
	switch {
	case d.stop == "max_tokens", d.stop == "model_context_window_exceeded":
		a.Stop = "length"
	case d.stop == "refusal":
		a.Stop = "refusal"
	case len(m.Calls) > 0:
		a.Stop = "tools"
	}
	return a
}

func (d *anthropicDecoder) toolCalls() []ToolCall {
	var calls []ToolCall
	seen := map[string]bool{}
	for _, b := range d.blocks {
		if b.kind != "tool_use" || b.name == "" {
			continue
		}
		args := b.body.String()
		if strings.TrimSpace(args) == "" {
			args = b.input
		}
		id := b.id
		if id == "" || seen[id] {
			id = newCallID()
		}
		seen[id] = true
		calls = append(calls, ToolCall{ID: id, Name: b.name, Arguments: plainArguments(args)})
	}
	return calls
}

// thinking gives the reasoning as text, and as the signature that sends it
// back: that of the only block, or all blocks as a JSON list.
func (d *anthropicDecoder) thinking() (reasoning, signature string) {
	type block struct {
		Type      string `json:"type"`
		Thinking  string `json:"thinking,omitempty"`
		Signature string `json:"signature,omitempty"`
		Data      string `json:"data,omitempty"`
	}
	var all []block
	var texts []string
	for _, b := range d.blocks {
		switch b.kind {
		case "thinking":
			all = append(all, block{Type: b.kind, Thinking: b.body.String(), Signature: b.signature.String()})
			if b.body.Len() > 0 {
				texts = append(texts, b.body.String())
			}
		case "redacted_thinking":
			all = append(all, block{Type: b.kind, Data: b.data})
		}
	}
	reasoning = strings.Join(texts, "\n\n")
	switch {
	case len(all) == 0:
		return "", ""
	case len(all) == 1 && all[0].Type == "thinking":
		return reasoning, all[0].Signature
	}
	list, err := json.Marshal(all)
	if err != nil {
		return reasoning, ""
	}
	return reasoning, string(list)
}
