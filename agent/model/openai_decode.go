package model

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// openAIDecoder collects an answer from chat completion chunks, or from one
// whole completion of a server that does not stream.
type openAIDecoder struct {
	name  string
	now   func() time.Time
	think thinkSplitter
	calls callBuilder

	text, reasoning strings.Builder
	field           bool   // reasoning came as reasoning_content
	finish          string // finish_reason
	refused         bool
	usage           Usage
}

func (d *openAIDecoder) complete() bool { return d.finish != "" }

func (d *openAIDecoder) event(c chunk, emit func(Delta)) (done bool, bad *complaint) {
	for _, u := range []string{"usage", "x_groq.usage"} {
		if v := c.data.Get(u); v.IsObject() {
			d.usage = openAIUsage(v)
		}
	}
	choice := c.data.Get("choices.0")
	if !choice.Exists() {
		return false, nil
	}
	for _, v := range c.data.Get("choices").Array() {
		if v.Get("index").Int() == 0 { // only one answer was asked for
			choice = v
			break
		}
	}
	for _, f := range []string{"delta", "message"} {
		if v := choice.Get(f); v.IsObject() {
			d.piece(v, emit)
		}
	}
	if v := choice.Get("text"); v.Type == gjson.String { // a completion of the older kind
		d.addText(v.Str, emit)
	}
	if v := choice.Get("finish_reason"); v.Type == gjson.String && v.Str != "" {
		if v.Str == "error" {
			return true, &complaint{status: 502, message: "the provider behind it failed"}
		}
		d.finish = v.Str
	}
	return false, nil
}

// piece takes a delta or a whole message.
func (d *openAIDecoder) piece(v gjson.Result, emit func(Delta)) {
	if r := v.Get(reasoningField); r.Type == gjson.String {
		d.field = true
		d.addReasoning(r.Str, emit)
	} else {
		for _, f := range []string{"reasoning", "reasoning_text", "thinking"} {
			if r := v.Get(f); r.Type == gjson.String {
				d.addReasoning(r.Str, emit)
				break
			}
		}
	}
	switch content := v.Get("content"); {
	case content.Type == gjson.String:
		d.addContent(content.Str, emit)
	case content.IsArray(): // typed parts, as Mistral sends them
		for _, part := range content.Array() {
			d.part(part, emit)
		}
	}
	if r := v.Get("refusal"); r.Type == gjson.String && r.Str != "" {
		d.refused = true
		d.addText(r.Str, emit)
	}
	calls := v.Get("tool_calls")
	if calls.IsArray() {
		for _, c := range calls.Array() {
			d.calls.add(c)
		}
	} else if calls.IsObject() {
		d.calls.add(calls)
	}
	if c := v.Get("function_call"); c.IsObject() { // the form before tool_calls
		d.calls.add(c)
	}
}

func (d *openAIDecoder) part(part gjson.Result, emit func(Delta)) {
	switch part.Get("type").String() {
	case "thinking", "reasoning":
		inner := part.Get("thinking")
		if inner.IsArray() {
			for _, p := range inner.Array() {
				d.addReasoning(p.Get("text").String(), emit)
			}
		} else {
			d.addReasoning(inner.String(), emit)
		}
	default:
		if t := part.Get("text"); t.Type == gjson.String {
			d.addContent(t.Str, emit)
		}
	}
}

func (d *openAIDecoder) addContent(s string, emit func(Delta)) {
	text, reasoning := d.think.feed(s)
	d.addReasoning(reasoning, emit)
	d.addText(text, emit)
}

func (d *openAIDecoder) addText(s string, emit func(Delta)) {
	if s != "" {
		s = strings.ToValidUTF8(s, "\uFFFD")
		d.text.WriteString(s)
		emit(Delta{Text: s})
	}
}

func (d *openAIDecoder) addReasoning(s string, emit func(Delta)) {
	if s != "" {
		s = strings.ToValidUTF8(s, "\uFFFD")
		d.reasoning.WriteString(s)
		emit(Delta{Reasoning: s})
	}
}

// answer ends the answer. What finish_reason says of tools is not asked: some
// servers say "stop" with calls, and "tool_calls" without.
func (d *openAIDecoder) answer(emit func(Delta)) Answer {
	text, reasoning := d.think.flush()
	d.addReasoning(reasoning, emit)
	d.addText(text, emit)
	a := Answer{
		Message: Message{
			Role: Assistant, Text: d.text.String(), Reasoning: d.reasoning.String(),
			Calls: d.calls.done(), Model: d.name, Time: d.now().UTC(),
		},
		Usage: d.usage,
		Stop:  "end",
	}
	if d.field {
		a.Message.Signature = reasoningField
	}
	switch {
	case d.finish == "length":
		a.Stop = "length"
	case d.refused, d.finish == "content_filter":
		a.Stop = "refusal"
	case len(a.Message.Calls) > 0:
		a.Stop = "tools"
	}
	return a
}

func openAIUsage(v gjson.Result) Usage {
	u := Usage{
		Input:  count(v.Get("prompt_tokens")),
		Output: count(v.Get("completion_tokens")),
		Cached: count(v.Get("prompt_tokens_details.cached_tokens")),
	}
	if u.Cached == 0 {
		u.Cached = count(v.Get("prompt_cache_hit_tokens")) // DeepSeek's name
	}
	return u
}

// count is a number of tokens; what can't be one is 0.
func count(v gjson.Result) int {
	if n := v.Int(); n > 0 && n < 1<<40 {
		return int(n)
	}
	return 0
}
