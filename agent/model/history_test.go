package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"reverie/agent/model/modeltest"
)

// outline shows turns in short.
func outline(ts []turn) string {
	var b strings.Builder
	for _, t := range ts {
		switch t.role {
		case User:
			fmt.Fprintf(&b, "U(%s) ", t.text)
		case Assistant:
			fmt.Fprintf(&b, "A(%s", t.text)
			for _, c := range t.calls {
				fmt.Fprintf(&b, " %s=%s%s", c.ID, c.Name, c.Arguments)
			}
			b.WriteString(") ")
		case Tool:
			b.WriteString("T(")
			for _, r := range t.results {
				fmt.Fprintf(&b, " %s=%s", r.CallID, r.Text)
			}
			b.WriteString(") ")
		}
	}
	return strings.TrimSpace(strings.ReplaceAll(b.String(), "\n\n", "¶"))
}

func u(text string) Message { return Message{Role: User, Text: text} }
func as(text string, calls ...ToolCall) Message {
	return Message{Role: Assistant, Text: text, Calls: calls}
}
func res(id, text string) Message { return Message{Role: Tool, CallID: id, Name: "Recall", Text: text} }
func tc(id, args string) ToolCall { return ToolCall{ID: id, Name: "Recall", Arguments: args} }

func TestHistoriesAreMadeFitForEveryProvider(t *testing.T) {
	t.Parallel()
	const beginning = "U((The beginning of this conversation is left out.))"
	for _, c := range []struct {
		name     string
		messages []Message
		want     string
	}{
		{"a plain one", []Message{u("a"), as("b"), u("c")}, "U(a) A(b) U(c)"},
		{"calls and results", []Message{u("a"), as("", tc("x", "{}"), tc("y", "{}")), res("x", "1"), res("y", "2"), as("b"), u("c")},
			"U(a) A( x=Recall{} y=Recall{}) T( x=1 y=2) A(b) U(c)"},
		{"results in another order", []Message{u("a"), as("", tc("x", "{}"), tc("y", "{}")), res("y", "2"), res("x", "1")},
			"U(a) A( x=Recall{} y=Recall{}) T( x=1 y=2)"},
		{"a call without a result", []Message{u("a"), as("b", tc("x", "{}")), u("c")}, "U(a) A(b x=Recall{}) T( x=" + interrupted + ") U(c)"},
		{"one of two without", []Message{u("a"), as("", tc("x", "{}"), tc("y", "{}")), res("y", "2"), u("c")},
			"U(a) A( x=Recall{} y=Recall{}) T( x=" + interrupted + " y=2) U(c)"},
		{"a result without a call", []Message{u("a"), res("x", "1"), u("b")}, "U(a¶b)"},
		{"the same ids in two answers", []Message{u("a"), as("", tc("x", "{}")), res("x", "1"), as("", tc("x", "{}")), res("x", "2")},
			"U(a) A( x=Recall{}) T( x=1) A( x_2=Recall{}) T( x_2=2)"},
		{"ids that others refuse", []Message{u("a"), as("", tc("functions.Recall:0", "{}")), res("functions.Recall:0", "1")},
			"U(a) A( functions_Recall_0=Recall{}) T( functions_Recall_0=1)"},
		{"broken arguments", []Message{u("a"), as("", tc("x", `{"key":`)), res("x", "1")}, `U(a) A( x=Recall{"invalid":"{\"key\":"}) T( x=1)`},
		{"an empty result", []Message{u("a"), as("", tc("x", "{}")), res("x", " ")}, "U(a) A( x=Recall{}) T( x=(empty))"},
		{"two users in a row", []Message{u("a"), u("b")}, "U(a¶b)"},
		{"an empty answer", []Message{u("a"), as(" "), u("b")}, "U(a¶b)"},
		{"two answers in a row", []Message{u("a"), as("b"), as("c"), u("d")}, "U(a) A(b¶c) U(d)"},
		{"an assistant first", []Message{as("b"), u("c")}, beginning + " A(b) U(c)"},
		{"results first", []Message{res("x", "1"), as("b"), u("c")}, beginning + " A(b) U(c)"},
		{"an answer last", []Message{u("a"), as("b")}, "U(a) A(b) U((The answer broke off. Go on.))"},
		{"nothing", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if got := outline(turns(Request{Messages: c.messages, Tools: []ToolSpec{{Name: "Recall"}}})); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestWithoutToolsCallsAreToldInWords(t *testing.T) {
	t.Parallel()
	got := outline(turns(Request{Messages: []Message{u("a"), as("b", tc("x", `{"key":"k"}`)), res("x", "1"), as("c"), u("d")}}))
	if want := "U(a) A(b\n[called Recall {\"key\":\"k\"}]\n[result of Recall: 1]¶c) U(d)"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAThreadGoesOnWithAnotherProvider(t *testing.T) {
	t.Parallel()
	s := modeltest.OpenAI(t, modeltest.OpenAIText("yes"), modeltest.AnthropicAnswer(block{Text: "yes"}))
	failed := Message{Role: Tool, CallID: "y", Name: "Remember", Text: `{"ok":false}`, Failed: true}
	r := Request{
		Tools: []ToolSpec{{Name: "Recall"}, {Name: "Remember"}},
		Messages: []Message{
			u("a"),
			{Role: Assistant, Text: "look", Reasoning: "hm", Signature: "sig", Model: "anthropic/claude", Calls: []ToolCall{tc("x", "{}"), {ID: "y", Name: "Remember", Arguments: `{"key":"k"}`}}},
			res("x", "1"), failed,
			{Role: Assistant, Text: "half", Partial: true, Model: "ollama/x"},
			u("b"),
		},
	}
	for i, c := range []struct {
		model Model
		want  string
	}{
		{NewOpenAI(testConfig(s.URL)), `[{"content":"a","role":"user"},` +
			`{"content":"look","role":"assistant","tool_calls":[{"function":{"arguments":"{}","name":"Recall"},"id":"x","type":"function"},{"function":{"arguments":"{\"key\":\"k\"}","name":"Remember"},"id":"y","type":"function"}]},` +
			`{"content":"1","role":"tool","tool_call_id":"x"},{"content":"{\"ok\":false}","role":"tool","tool_call_id":"y"},` +
			`{"content":"half","role":"assistant"},{"content":"b","role":"user"}]`},
		{NewAnthropic(testConfig(s.Root)), `[{"content":[{"text":"a","type":"text"}],"role":"user"},` +
			`{"content":[{"text":"look","type":"text"},{"id":"x","input":{},"name":"Recall","type":"tool_use"},{"id":"y","input":{"key":"k"},"name":"Remember","type":"tool_use"}],"role":"assistant"},` +
			`{"content":[{"content":[{"text":"1","type":"text"}],"is_error":false,"tool_use_id":"x","type":"tool_result"},{"content":[{"text":"{\"ok\":false}","type":"text"}],"is_error":true,"tool_use_id":"y","type":"tool_result"}],"role":"user"},` +
			`{"content":[{"text":"half","type":"text"}],"role":"assistant"},{"content":[{"text":"b","type":"text"}],"role":"user"}]`},
	} {
		if _, err := c.model.Stream(context.Background(), r, func(Delta) {}); err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(s.Requests()[i].JSON()["messages"])
		if err != nil || string(got) != c.want {
			t.Errorf("%T sent %s\nwant %s", c.model, got, c.want)
		}
	}
}

func TestResultsAndWhatTheUserSaysNextAreOneMessageForAnthropic(t *testing.T) {
	t.Parallel()
	p := NewAnthropic(Config{Model: "m"}).params(Request{
		Tools:    []ToolSpec{{Name: "Recall"}},
		Messages: []Message{u("a"), as("", tc("x", "{}")), res("x", "1"), u("b")},
	})
	if len(p.Messages) != 3 || len(p.Messages[2].Content) != 2 || p.Messages[2].Content[0].OfToolResult == nil || p.Messages[2].Content[1].OfText == nil {
		b, err := json.Marshal(p.Messages)
		t.Errorf("messages %s, %v", b, err)
	}
}
