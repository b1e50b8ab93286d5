package modeltest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Call is a tool call in a scripted answer.
type Call struct{ ID, Name, Arguments string }

// SSE makes server-sent events of JSON documents, one a piece.
func SSE(documents ...string) []string {
	out := make([]string, 0, len(documents))
	for _, d := range documents {
		out = append(out, "data: "+d+"\n\n")
	}
	return out
}

// Error is an answer with a status and a JSON body.
func Error(status int, body string, header ...string) Response {
	r := Response{Status: status, Body: []string{body}, Header: map[string]string{"Content-Type": "application/json"}}
	for i := 0; i+1 < len(header); i += 2 {
		r.Header[header[i]] = header[i+1]
	}
	return r
}

// OpenAIText is an answer of text in OpenAI's stream, a few characters a
// piece, with usage in a last chunk.
func OpenAIText(text string) Response {
	events := SSE(`{"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}`)
	for _, piece := range split(text) {
		events = append(events, SSE(fmt.Sprintf(`{"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":%s},"finish_reason":null}]}`, quoted(piece)))...)
	}
	return Response{Body: append(events, openAIEnd("stop")...)}
}

// OpenAICalls is an answer with tool calls in OpenAI's stream: index, id and
// name first, then the arguments in fragments.
func OpenAICalls(calls ...Call) Response {
	events := SSE(`{"id":"c1","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"role":"assistant","content":null},"finish_reason":null}]}`)
	for i, c := range calls {
		events = append(events, SSE(fmt.Sprintf(`{"id":"c1","choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":%s,"type":"function","function":{"name":%s,"arguments":""}}]},"finish_reason":null}]}`,
			i, quoted(c.ID), quoted(c.Name)))...)
		for _, piece := range split(c.Arguments) {
			events = append(events, SSE(fmt.Sprintf(`{"id":"c1","choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"function":{"arguments":%s}}]},"finish_reason":null}]}`, i, quoted(piece)))...)
		}
	}
	return Response{Body: append(events, openAIEnd("tool_calls")...)}
}

func openAIEnd(reason string) []string {
	return append(SSE(
		`{"id":"c1","choices":[{"index":0,"delta":{},"finish_reason":"`+reason+`"}]}`,
		`{"id":"c1","choices":[],"usage":{"prompt_tokens":12,"completion_tokens":5,"total_tokens":17,"prompt_tokens_details":{"cached_tokens":4}}}`,
	), "data: [DONE]\n\n")
}

// OllamaText is an answer as Ollama's compatible API streams it: the role in
// every chunk, usage only at the end.
func OllamaText(text string) Response {
	var events []string
	for _, piece := range split(text) {
		events = append(events, SSE(fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion.chunk","model":"test-model","choices":[{"index":0,"delta":{"role":"assistant","content":%s},"finish_reason":null}]}`, quoted(piece)))...)
	}
	return Response{Body: append(events, append(SSE(`{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop"}]}`), "data: [DONE]\n\n")...)}
}

// OllamaCalls is an answer with whole tool calls, without ids, that ends with
// "stop".
func OllamaCalls(calls ...Call) Response {
	var events []string
	for _, c := range calls {
		events = append(events, SSE(fmt.Sprintf(`{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"role":"assistant","content":"","tool_calls":[{"function":{"name":%s,"arguments":%s}}]},"finish_reason":null}]}`,
			quoted(c.Name), quoted(c.Arguments)))...)
	}
	return Response{Body: append(events, append(SSE(`{"id":"chatcmpl-1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"stop"}]}`), "data: [DONE]\n\n")...)}
}

// AnthropicBlock is a content block of a scripted answer.
type AnthropicBlock struct {
	Text      string
	Thinking  string
	Signature string
	Redacted  string
	Call      Call
}

// AnthropicAnswer is an answer in the stream of the Messages API.
func AnthropicAnswer(blocks ...AnthropicBlock) Response {
	events := []string{event("message_start", `{"type":"message_start","message":{"id":"msg_1","type":"message","role":"assistant","content":[],"model":"test","stop_reason":null,"usage":{"input_tokens":10,"cache_creation_input_tokens":3,"cache_read_input_tokens":7,"output_tokens":1}}}`),
		event("ping", `{"type":"ping"}`)}
	stop := "end_turn"
	for i, b := range blocks {
		begin, deltas := b.parts()
		if b.Call.Name != "" {
			stop = "tool_use"
		}
		events = append(events, event("content_block_start", fmt.Sprintf(`{"type":"content_block_start","index":%d,"content_block":%s}`, i, begin)))
		for _, d := range deltas {
			events = append(events, event("content_block_delta", fmt.Sprintf(`{"type":"content_block_delta","index":%d,"delta":%s}`, i, d)))
		}
		events = append(events, event("content_block_stop", fmt.Sprintf(`{"type":"content_block_stop","index":%d}`, i)))
	}
	return Response{Body: append(events,
		event("message_delta", `{"type":"message_delta","delta":{"stop_reason":"`+stop+`","stop_sequence":null},"usage":{"output_tokens":9}}`),
		event("message_stop", `{"type":"message_stop"}`))}
}

// parts are a block's beginning and its deltas.
func (b AnthropicBlock) parts() (begin string, deltas []string) {
	switch {
	case b.Call.Name != "":
		for _, p := range split(b.Call.Arguments) {
			deltas = append(deltas, `{"type":"input_json_delta","partial_json":`+quoted(p)+`}`)
		}
		return fmt.Sprintf(`{"type":"tool_use","id":%s,"name":%s,"input":{}}`, quoted(b.Call.ID), quoted(b.Call.Name)), deltas
	case b.Redacted != "":
		return `{"type":"redacted_thinking","data":` + quoted(b.Redacted) + `}`, nil
	case b.Thinking != "" || b.Signature != "":
		for _, p := range split(b.Thinking) {
			deltas = append(deltas, `{"type":"thinking_delta","thinking":`+quoted(p)+`}`)
		}
		return `{"type":"thinking","thinking":"","signature":""}`, append(deltas, `{"type":"signature_delta","signature":`+quoted(b.Signature)+`}`)
	}
	for _, p := range split(b.Text) {
		deltas = append(deltas, `{"type":"text_delta","text":`+quoted(p)+`}`)
	}
	return `{"type":"text","text":""}`, deltas
}

func event(name, data string) string { return "event: " + name + "\ndata: " + data + "\n\n" }

// split cuts a text into pieces of up to seven characters.
func split(text string) []string {
	var out []string
	runes := []rune(text)
	for len(runes) > 0 {
		n := min(7, len(runes))
		out = append(out, string(runes[:n]))
		runes = runes[n:]
	}
	return out
}

func quoted(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return `""`
	}
	return strings.TrimSpace(b.String())
}
