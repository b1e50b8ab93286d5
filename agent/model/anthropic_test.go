package model

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"reverie/agent/model/modeltest"
)

type block = modeltest.AnthropicBlock

func TestAnAnthropicStreamIsUnderstood(t *testing.T) {
	t.Parallel()
	s := modeltest.Anthropic(t, modeltest.AnthropicAnswer(
		block{Thinking: "let me see", Signature: "sig=="},
		block{Text: "I'll look."},
		block{Call: modeltest.Call{ID: "toolu_1", Name: "Recall", Arguments: `{"key":"a"}`}},
		block{Call: modeltest.Call{ID: "toolu_2", Name: "Recall", Arguments: ``}},
	))
	var got streamed
	a, err := NewAnthropic(testConfig(s.URL)).Stream(context.Background(), hello, got.emit)
	if err != nil {
		t.Fatal(err)
	}
	if a.Message.Text != "I'll look." || got.text != a.Message.Text || a.Message.Reasoning != "let me see" || got.reasoning != a.Message.Reasoning {
		t.Errorf("text %q, reasoning %q; streamed %q, %q", a.Message.Text, a.Message.Reasoning, got.text, got.reasoning)
	}
	if calls(a) != `Recall{"key":"a"};Recall{};` || a.Stop != "tools" || a.Message.Signature != "sig==" {
		t.Errorf("calls %s, stop %s, signature %s", calls(a), a.Stop, a.Message.Signature)
	}
	if a.Usage != (Usage{Input: 20, Output: 9, Cached: 7}) {
		t.Errorf("usage %+v", a.Usage)
	}
}

func TestTheStablePartOfThePromptIsCached(t *testing.T) {
	t.Parallel()
	s := modeltest.Anthropic(t, modeltest.AnthropicAnswer(block{Text: "yes"}))
	cfg := testConfig(s.URL)
	cfg.Key = func(context.Context) (string, error) { return "made-up", nil }
	schema := `{"type":"object","required":["key"],"properties":{"key":{"type":"string"}},"additionalProperties":false}`
	_, err := NewAnthropic(cfg).Stream(context.Background(), Request{Stable: "You are a test.", Volatile: "# Date", Messages: hello.Messages,
		Tools: []ToolSpec{{Name: "Recall", Description: "reads", Schema: json.RawMessage(schema)}}}, func(Delta) {})
	if err != nil {
		t.Fatal(err)
	}
	got := s.Last()
	system, err := json.Marshal(got.JSON()["system"])
	if want := `[{"cache_control":{"type":"ephemeral"},"text":"You are a test.","type":"text"},{"text":"# Date","type":"text"}]`; err != nil || string(system) != want {
		t.Errorf("system %s (%v)", system, err)
	}
	if !strings.Contains(string(got.Body), schema) {
		t.Errorf("the schema is not sent as it is: %s", got.Body)
	}
	if got.Path != "/v1/messages" || got.Header.Get("X-Api-Key") != "made-up" || got.Header.Get("Anthropic-Version") == "" || got.JSON()["max_tokens"] == nil {
		t.Errorf("path %s, headers %v, body %s", got.Path, got.Header, got.Body)
	}
}

func TestTheStablePartIsTheSameBytesEveryTime(t *testing.T) {
	t.Parallel()
	r := Request{Stable: "You are a test.", Messages: hello.Messages}
	for _, n := range []string{"Remember", "Recall", "SearchMemory"} {
		r.Tools = append(r.Tools, ToolSpec{Name: n, Schema: json.RawMessage(`{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"},"c":{"enum":["x"]}},"required":["b","a"],"additionalProperties":false}`)})
	}
	first := map[string]string{}
	for range 20 {
		a, err := json.Marshal(NewAnthropic(Config{Model: "m"}).params(r))
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewOpenAI(Config{Model: "m"}).params(r)
		if err != nil {
			t.Fatal(err)
		}
		o, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		for name, body := range map[string]string{"anthropic": string(a), "openai": string(o)} {
			if first[name] == "" {
				first[name] = body
			}
			if body != first[name] {
				t.Fatalf("%s: %s\nat first %s", name, body, first[name])
			}
		}
	}
}

func TestThinkingGoesBackAsItCame(t *testing.T) {
	t.Parallel()
	s := modeltest.Anthropic(t,
		modeltest.AnthropicAnswer(block{Thinking: "one", Signature: "s1"}, block{Redacted: "xyz"}, block{Thinking: "two", Signature: "s2"},
			block{Call: modeltest.Call{ID: "toolu_1", Name: "Recall", Arguments: `{}`}}),
		modeltest.AnthropicAnswer(block{Text: "yes"}), modeltest.AnthropicAnswer(block{Text: "yes"}))
	m := NewAnthropic(testConfig(s.URL))
	r := Request{Messages: hello.Messages, Tools: []ToolSpec{{Name: "Recall"}}}
	a, err := m.Stream(context.Background(), r, func(Delta) {})
	if err != nil {
		t.Fatal(err)
	}
	if a.Message.Reasoning != "one\n\ntwo" {
		t.Errorf("reasoning %q", a.Message.Reasoning)
	}
	r.Messages = append(append([]Message(nil), hello.Messages...), a.Message, Message{Role: Tool, CallID: "toolu_1", Text: "{}"})
	if _, err := m.Stream(context.Background(), r, func(Delta) {}); err != nil {
		t.Fatal(err)
	}
	content, err := json.Marshal(s.Last().JSON()["messages"].([]any)[1].(map[string]any)["content"])
	want := `[{"signature":"s1","thinking":"one","type":"thinking"},{"data":"xyz","type":"redacted_thinking"},{"signature":"s2","thinking":"two","type":"thinking"},{"id":"toolu_1","input":{},"name":"Recall","type":"tool_use"}]`
	if err != nil || string(content) != want {
		t.Errorf("sent back %s\nwant %s", content, want)
	}
	cfg := testConfig(s.URL)
	cfg.Model = "other"
	if _, err := NewAnthropic(cfg).Stream(context.Background(), r, func(Delta) {}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(s.Last().Body), "thinking") {
		t.Errorf("another model got the thinking: %s", s.Last().Body)
	}
}

func TestOddAnthropicStreams(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, body, text, calls, stop string
	}{
		{"one message, not streamed", `{"type":"message","content":[{"type":"text","text":"yes"},{"type":"tool_use","id":"a","name":"Recall","input":{"key":"c"}}],"stop_reason":"tool_use","usage":{"input_tokens":1,"output_tokens":1}}`,
			"yes", `Recall{"key":"c"};`, "tools"},
		{"input whole at the start", "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"tool_use\",\"name\":\"Recall\",\"input\":{\"key\":\"c\"}}}\n\ndata: {\"type\":\"message_stop\"}\n\n",
			"", `Recall{"key":"c"};`, "tools"},
		{"types only in the event lines", "event: content_block_delta\ndata: {\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"yes\"}}\n\nevent: message_stop\ndata: {}\n\n",
			"yes", "", "end"},
		{"no message_stop", "data: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\"ye\"}}\n\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"max_tokens\"}}\n\n",
			"ye", "", "length"},
		{"a refusal", "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"refusal\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n", "", "", "refusal"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.Anthropic(t, modeltest.Response{Body: []string{c.body}})
			a, err := NewAnthropic(testConfig(s.URL)).Stream(context.Background(), hello, func(Delta) {})
			if err != nil || a.Message.Text != c.text || calls(a) != c.calls || a.Stop != c.stop {
				t.Errorf("%q %s %s, %v", a.Message.Text, calls(a), a.Stop, err)
			}
		})
	}
}
