package model

import (
	"context"
	"strings"
	"testing"
	"time"

	"reverie/agent/model/modeltest"
)

// aimockFixtures is what the mock answers to which message.
const aimockFixtures = `{"fixtures":[
	{"match":{"userMessage":"hello"},"response":{"content":"Hello from the other side, in several pieces.","reasoning":"be kind","usage":{"prompt_tokens":5,"completion_tokens":7,"total_tokens":12,"input_tokens":5,"output_tokens":7}}},
	{"match":{"userMessage":"save both","hasToolResult":true},"response":{"content":"Both are saved."}},
	{"match":{"userMessage":"save both"},"response":{"toolCalls":[
		{"name":"Remember","arguments":"{\"key\":\"a\",\"value\":\"1\"}"},{"name":"Remember","arguments":"{\"key\":\"b\",\"value\":\"2\"}"}]}},
	{"match":{"userMessage":"too much"},"response":{"error":{"message":"This model's maximum context length is 10 tokens","type":"invalid_request_error","code":"context_length_exceeded"},"status":400}},
	{"match":{"userMessage":"cut it"},"response":{"content":"This answer is going to be cut long before its end is reached."},"truncateAfterChunks":2},
	{"match":{"userMessage":"slowly"},"response":{"content":"This answer takes its time."},"latency":400}
]}`

// providersAt are the adapters for one server.
func providersAt(root string) map[string]func(Config) Model {
	return map[string]func(Config) Model{
		"openai": func(c Config) Model {
			c.Name, c.Model, c.BaseURL = "openai", "gpt-4o-mini", root+"/v1"
			return NewOpenAI(c)
		},
		"ollama": func(c Config) Model {
			c.Name, c.Model, c.BaseURL = "ollama", "llama3.2", OllamaURL(root)
			return NewOpenAI(c)
		},
		"anthropic": func(c Config) Model {
			c.Name, c.Model, c.BaseURL = "anthropic", "claude-sonnet-4-5", root
			return NewAnthropic(c)
		},
	}
}

func TestAgainstAServerThatOthersWrote(t *testing.T) {
	t.Parallel()
	root := modeltest.Aimock(t, aimockFixtures)
	key := func(context.Context) (string, error) { return "made-up-key", nil }
	base := Config{Key: key, Sleep: (&noSleep{}).sleep}
	for name, open := range providersAt(root) {
		m := open(base)
		t.Run(name+" streams text, reasoning and usage", func(t *testing.T) {
			var got streamed
			a, err := m.Stream(t.Context(), hello, got.emit)
			if err != nil || a.Message.Text != "Hello from the other side, in several pieces." || got.text != a.Message.Text || a.Message.Reasoning != "be kind" {
				t.Errorf("%+v, %v", a, err)
			}
			if a.Usage != (Usage{Input: 5, Output: 7}) {
				t.Errorf("usage %+v", a.Usage)
			}
		})
		t.Run(name+" goes a round with two tools", func(t *testing.T) {
			r := Request{Messages: []Message{u("save both")}, Tools: []ToolSpec{{Name: "Remember", Schema: []byte(`{"type":"object","properties":{"key":{"type":"string"},"value":{"type":"string"}}}`)}}}
			a, err := m.Stream(t.Context(), r, func(Delta) {})
			if err != nil || a.Stop != "tools" || calls(a) != `Remember{"key":"a","value":"1"};Remember{"key":"b","value":"2"};` {
				t.Fatalf("%+v, %v", a, err)
			}
			r.Messages = append(r.Messages, a.Message)
			for _, c := range a.Message.Calls {
				r.Messages = append(r.Messages, Message{Role: Tool, CallID: c.ID, Name: c.Name, Text: `{"ok":true}`})
			}
			if a, err = m.Stream(t.Context(), r, func(Delta) {}); err != nil || a.Message.Text != "Both are saved." {
				t.Errorf("%+v, %v", a, err)
			}
		})
		t.Run(name+" knows what is too long", func(t *testing.T) {
			if _, err := m.Stream(t.Context(), Request{Messages: []Message{u("too much")}}, func(Delta) {}); !IsProblem(err, TooLong) {
				t.Errorf("error %v", err)
			}
		})
		t.Run(name+" keeps what came of a cut answer", func(t *testing.T) {
			a, err := m.Stream(t.Context(), Request{Messages: []Message{u("cut it")}}, func(Delta) {})
			if !IsProblem(err, Interrupted) || !strings.HasPrefix("This answer is going to be cut long", a.Message.Text) || !a.Message.Partial {
				t.Errorf("%+v, %v", a, err)
			}
		})
		t.Run(name+" is cancelled in a slow answer", func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(200*time.Millisecond, cancel)
			begun := time.Now()
			if _, err := m.Stream(ctx, Request{Messages: []Message{u("slowly")}}, func(Delta) {}); err == nil || time.Since(begun) > 5*time.Second {
				t.Errorf("after %v: %v", time.Since(begun), err)
			}
		})
	}
}

func TestChaosOfAServerThatOthersWrote(t *testing.T) {
	t.Parallel()
	for flag, want := range map[string][]Problem{
		"--chaos-ratelimit": {RateLimit}, "--chaos-drop": {Server}, "--chaos-malformed": {Rubbish}, "--chaos-disconnect": {Interrupted, Unreachable},
	} {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			root := modeltest.Aimock(t, aimockFixtures, flag, "1")
			for name, open := range providersAt(root) {
				clock := &noSleep{}
				_, err := open(Config{Sleep: clock.sleep}).Stream(t.Context(), hello, func(Delta) {})
				ok := false
				for _, p := range want {
					ok = ok || IsProblem(err, p)
				}
				if !ok {
					t.Errorf("%s: %v, want one of %v", name, err, want)
				}
				if flag == "--chaos-ratelimit" && len(clock.waits) != maxAttempts-1 {
					t.Errorf("%s: waited %v", name, clock.waits)
				}
			}
		})
	}
}
