package model

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"reverie/agent/model/modeltest"
)

// noSleep is a clock that does not wait, and notes how long it was asked to.
type noSleep struct{ waits []time.Duration }

func (n *noSleep) sleep(ctx context.Context, d time.Duration) error {
	n.waits = append(n.waits, d)
	return ctx.Err()
}

func testConfig(url string) Config {
	return Config{Name: "test", Model: "m", BaseURL: url, Now: func() time.Time { return noon }, Sleep: (&noSleep{}).sleep}
}

var hello = Request{Messages: []Message{{Role: User, Text: "hello"}}}

// streamed is what a stream showed.
type streamed struct {
	text, reasoning string
	waits           []Delta
}

func (s *streamed) emit(d Delta) {
	s.text += d.Text
	s.reasoning += d.Reasoning
	if d.Wait > 0 {
		s.waits = append(s.waits, d)
	}
}

func calls(a Answer) string {
	var b strings.Builder
	for _, c := range a.Message.Calls {
		b.WriteString(c.Name + c.Arguments + ";")
	}
	return b.String()
}

func chunkText(s string) string { return `{"choices":[{"index":0,"delta":{"content":"` + s + `"}}]}` }

const (
	chunkStop = `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`
	done      = "data: [DONE]\n\n"
)

// oddStreams are bodies that servers were seen to send.
var oddStreams = []struct {
	name            string
	body            []string
	text, reasoning string
	calls           string
	stop            string
	usage           Usage
}{
	{name: "OpenAI", body: modeltest.OpenAIText("Hello, world").Body, text: "Hello, world", usage: Usage{12, 5, 4}},
	{name: "OpenAI with two parallel calls", body: modeltest.OpenAICalls(
		modeltest.Call{ID: "a", Name: "Remember", Arguments: `{"key":"a/b","value":"1"}`},
		modeltest.Call{ID: "b", Name: "Recall", Arguments: `{"key":"c"}`}).Body,
		calls: `Remember{"key":"a/b","value":"1"};Recall{"key":"c"};`, stop: "tools", usage: Usage{12, 5, 4}},
	{name: "Ollama without ids, index and usage, and with stop", body: modeltest.OllamaCalls(
		modeltest.Call{Name: "Remember", Arguments: `{"key":"a"}`}, modeltest.Call{Name: "Remember", Arguments: `{"key":"b"}`}).Body,
		calls: `Remember{"key":"a"};Remember{"key":"b"};`, stop: "tools"},
	{name: "arguments as an object", body: append(modeltest.SSE(
		`{"choices":[{"delta":{"tool_calls":[{"id":"x","function":{"name":"Recall","arguments":{"key":"c"}}}]}}]}`, chunkStop), done),
		calls: `Recall{"key":"c"};`, stop: "tools"},
	{name: "fragments without index, id or type", body: append(modeltest.SSE(
		`{"choices":[{"delta":{"tool_calls":[{"function":{"name":"Recall","arguments":""}}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"{\"key\":"}}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"\"c\"}"}}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"function":{"name":"Recall","arguments":"{}"}}]}}]}`, chunkStop), done),
		calls: `Recall{"key":"c"};Recall{};`, stop: "tools"},
	{name: "id and name with every fragment", body: append(modeltest.SSE(
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"Recall","arguments":"{\"key\""}}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"Recall","arguments":":\"c\"}"}}]}}]}`, chunkStop), done),
		calls: `Recall{"key":"c"};`, stop: "tools"},
	{name: "all calls under number 0", body: append(modeltest.SSE(
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"Recall","arguments":"{\"key\":\"c\"}"}}]}}]}`,
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"y","function":{"name":"Recall","arguments":"{\"key\":\"d\"}"}}]}}]}`, chunkStop), done),
		calls: `Recall{"key":"c"};Recall{"key":"d"};`, stop: "tools"},
	{name: "arguments in a string in a string", body: append(modeltest.SSE(
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","function":{"name":"Recall","arguments":"\"{\\\"key\\\":\\\"c\\\"}\""}}]}}]}`, chunkStop), done),
		calls: `Recall{"key":"c"};`, stop: "tools"},
	{name: "no arguments at all", body: append(modeltest.SSE(
		`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"x","type":"function","function":{"name":"recall"}}]}}]}`, chunkStop), done),
		calls: `recall{};`, stop: "tools"},
	{name: "the older function_call", body: append(modeltest.SSE(
		`{"choices":[{"delta":{"function_call":{"name":"recall","arguments":"{"}}}]}`,
		`{"choices":[{"delta":{"function_call":{"arguments":"}"}}}]}`,
		`{"choices":[{"delta":{},"finish_reason":"function_call"}]}`), done),
		calls: `recall{};`, stop: "tools"},
	{name: "reasoning_content", body: append(modeltest.SSE(
		`{"choices":[{"delta":{"role":"assistant","content":null,"reasoning_content":"hm"}}]}`,
		`{"choices":[{"delta":{"content":null,"reasoning_content":"m"}}]}`,
		`{"choices":[{"delta":{"content":"yes","reasoning_content":null}}]}`, chunkStop), done), text: "yes", reasoning: "hmm"},
	{name: "reasoning", body: append(modeltest.SSE(
		`{"choices":[{"delta":{"content":"","reasoning":"hm"}}]}`, chunkText("yes"), chunkStop), done), text: "yes", reasoning: "hm"},
	{name: "think tags cut in the middle", body: append(modeltest.SSE(
		chunkText("\\n<th"), chunkText("ink>hm"), chunkText("m</thi"), chunkText("nk>\\n\\nye"), chunkText("s <think>"), chunkStop), done),
		text: "yes <think>", reasoning: "hmm"},
	{name: "typed parts", body: append(modeltest.SSE(
		`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},{"type":"text","text":"yes"}]}}]}`, chunkStop), done),
		text: "yes", reasoning: "hm"},
	{name: "comments between the events", body: append([]string{": OPENROUTER PROCESSING\n\n", ": OPENROUTER PROCESSING\n\n"},
		append(modeltest.SSE(chunkText("yes"), chunkStop), done)...), text: "yes"},
	{name: "byte order mark and CRLF", body: []string{"\xef\xbb\xbfdata: " + chunkText("yes") + "\r\n\r\n", "data: " + chunkStop + "\r\n\r\ndata: [DONE]\r\n\r\n"}, text: "yes"},
	{name: "no space behind the colon", body: []string{"data:" + chunkText("yes") + "\n\ndata:" + chunkStop + "\n\ndata:[DONE]\n\n"}, text: "yes"},
	{name: "no blank lines between", body: []string{"data: " + chunkText("ye") + "\ndata: " + chunkText("s") + "\ndata: " + chunkStop + "\ndata: [DONE]\n"}, text: "yes"},
	{name: "JSON lines without data:", body: []string{chunkText("ye") + "\n" + chunkText("s") + "\n" + chunkStop + "\n"}, text: "yes"},
	{name: "one completion, not streamed", body: []string{`{
		"id": "c1", "choices": [{"index": 0, "message": {"role": "assistant", "content": "yes", "tool_calls": [
		{"id": "x", "type": "function", "function": {"name": "Recall", "arguments": "{}"}}]}, "finish_reason": "tool_calls"}],
		"usage": {"prompt_tokens": 3, "completion_tokens": 2}}`}, text: "yes", calls: "Recall{};", stop: "tools", usage: Usage{3, 2, 0}},
	{name: "[DONE] missing", body: modeltest.SSE(chunkText("yes"), chunkStop), text: "yes"},
	{name: "finish_reason missing", body: append(modeltest.SSE(chunkText("yes")), done), text: "yes"},
	{name: "the last event without its blank line", body: []string{"data: " + chunkText("yes") + "\n\ndata: " + chunkStop}, text: "yes"},
	{name: "usage in every chunk, null at first", body: append(modeltest.SSE(
		`{"choices":[{"delta":{"content":"yes"}}],"usage":null,"error":null}`,
		`{"choices":[{"delta":{},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":2,"prompt_cache_hit_tokens":1}}`), done),
		text: "yes", usage: Usage{3, 2, 1}},
	{name: "an empty first chunk of filters", body: append(modeltest.SSE(
		`{"choices":[],"prompt_filter_results":[{"prompt_index":0}]}`, chunkText("yes"), chunkStop), done), text: "yes"},
	{name: "an empty answer", body: append(modeltest.SSE(chunkStop), done)},
	{name: "tool_calls announced and none sent", body: append(modeltest.SSE(chunkText("yes"), `{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}`), done), text: "yes"},
	{name: "cut by its length", body: append(modeltest.SSE(chunkText("ye"), `{"choices":[{"delta":{},"finish_reason":"length"}]}`), done), text: "ye", stop: "length"},
	{name: "a refusal", body: append(modeltest.SSE(`{"choices":[{"delta":{"refusal":"no"}}]}`, chunkStop), done), text: "no", stop: "refusal"},
}

func TestStreamsOfOddServersAreUnderstood(t *testing.T) {
	t.Parallel()
	for _, c := range oddStreams {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.OpenAI(t, modeltest.Response{Body: c.body})
			var got streamed
			a, err := NewOpenAI(testConfig(s.URL)).Stream(context.Background(), hello, got.emit)
			if err != nil {
				t.Fatal(err)
			}
			if a.Message.Text != c.text || got.text != c.text {
				t.Errorf("text %q, streamed %q, want %q", a.Message.Text, got.text, c.text)
			}
			if a.Message.Reasoning != c.reasoning || got.reasoning != c.reasoning {
				t.Errorf("reasoning %q, streamed %q, want %q", a.Message.Reasoning, got.reasoning, c.reasoning)
			}
			if calls(a) != c.calls {
				t.Errorf("calls %s, want %s", calls(a), c.calls)
			}
			if c.stop == "" {
				c.stop = "end"
			}
			if a.Stop != c.stop || a.Usage != c.usage {
				t.Errorf("stop %q and usage %+v, want %q and %+v", a.Stop, a.Usage, c.stop, c.usage)
			}
			ids := map[string]bool{}
			for _, call := range a.Message.Calls {
				if call.ID == "" || ids[call.ID] {
					t.Errorf("the id %q of %s is empty or not its own", call.ID, call.Name)
				}
				ids[call.ID] = true
			}
		})
	}
}

func TestAStreamMayBeCutAnywhereBetweenItsBytes(t *testing.T) {
	t.Parallel()
	for _, c := range oddStreams {
		whole := strings.Join(c.body, "")
		for _, size := range []int{1, 2, 3, 7, 61} {
			d := &openAIDecoder{now: time.Now}
			_, dog := watch(context.Background(), 0, 0)
			f := read(context.Background(), newChunks(slowReader{strings.NewReader(whole), size}), dog, server{}, d, func(Delta) {},
				func(bad complaint) *failure { return server{}.complained(bad, nil, noon) })
			dog.stop()
			if f != nil {
				t.Errorf("%s, %d bytes at a time: %v", c.name, size, f.err)
				continue
			}
			if a := d.answer(func(Delta) {}); a.Message.Text != c.text || calls(a) != c.calls {
				t.Errorf("%s, %d bytes at a time: %q %s", c.name, size, a.Message.Text, calls(a))
			}
		}
	}
}

type slowReader struct {
	r    *strings.Reader
	size int
}

func (s slowReader) Read(p []byte) (int, error) { return s.r.Read(p[:min(len(p), s.size)]) }

func TestAStreamThatBreaksOffKeepsWhatHadCome(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]modeltest.Response{
		"connection cut":           {Body: modeltest.SSE(chunkText("half an")), Cut: true},
		"closed without an end":    {Body: modeltest.SSE(chunkText("half an"))},
		"closed in a line":         {Body: append(modeltest.SSE(chunkText("half an")), `data: {"choices":[{"delta":{"con`)},
		"connection cut in a line": {Body: append(modeltest.SSE(chunkText("half an")), `data: {"choices":[{"delta":{"con`), Cut: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.OpenAI(t, r)
			a, err := NewOpenAI(testConfig(s.URL)).Stream(context.Background(), hello, func(Delta) {})
			if !IsProblem(err, Interrupted) {
				t.Fatalf("error %v, want %q", err, Interrupted)
			}
			if a.Message.Text != "half an" || !a.Message.Partial {
				t.Errorf("kept %q, partial %v", a.Message.Text, a.Message.Partial)
			}
		})
	}
}

func TestAServerThatNeverClosesDoesNotHoldTheAnswer(t *testing.T) {
	t.Parallel()
	s := modeltest.OpenAI(t, modeltest.Response{Body: append(modeltest.SSE(chunkText("yes"), chunkStop), done), Hang: true})
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	a, err := NewOpenAI(testConfig(s.URL)).Stream(ctx, hello, func(Delta) {})
	if err != nil || a.Message.Text != "yes" {
		t.Fatalf("%q, %v", a.Message.Text, err)
	}
}

func TestARequestSaysWhatTheServerNeeds(t *testing.T) {
	t.Parallel()
	s := modeltest.OpenAI(t, modeltest.OpenAIText("yes"))
	cfg := testConfig(s.URL)
	cfg.Key = func(context.Context) (string, error) { return "made-up", nil }
	_, err := NewOpenAI(cfg).Stream(context.Background(), Request{
		Stable: "You are a test.", Volatile: "# Date", MaxTokens: 77,
		Messages: hello.Messages,
		Tools:    []ToolSpec{{Name: "Recall", Description: "reads", Schema: json.RawMessage(`{"type":"object","properties":{"key":{"type":"string"}}}`)}},
	}, func(Delta) {})
	if err != nil {
		t.Fatal(err)
	}
	got := s.Last()
	want := `{"max_tokens":77,"messages":[{"content":"You are a test.\n\n# Date","role":"system"},{"content":"hello","role":"user"}],"model":"m","stream":true,"stream_options":{"include_usage":true},"tools":[{"function":{"description":"reads","name":"Recall","parameters":{"properties":{"key":{"type":"string"}},"type":"object"}},"type":"function"}]}`
	b, err := json.Marshal(got.JSON())
	if err != nil || string(b) != want {
		t.Errorf("sent %s\nwant %s (%v)", b, want, err)
	}
	if got.Path != "/v1/chat/completions" || got.Header.Get("Authorization") != "Bearer made-up" {
		t.Errorf("path %s, authorization %s", got.Path, got.Header.Get("Authorization"))
	}
}

func TestNothingIsTakenFromTheEnvironment(t *testing.T) {
	for name, value := range map[string]string{
		"OPENAI_API_KEY": "of-another", "OPENAI_BASE_URL": "http://127.0.0.1:1", "OPENAI_ORG_ID": "org", "OPENAI_PROJECT_ID": "proj",
		"OPENAI_CUSTOM_HEADERS": "X-Other: 1", "ANTHROPIC_API_KEY": "of-another", "ANTHROPIC_AUTH_TOKEN": "t", "ANTHROPIC_BASE_URL": "http://127.0.0.1:1",
	} {
		t.Setenv(name, value)
	}
	s := modeltest.OpenAI(t, modeltest.OpenAIText("yes"), modeltest.AnthropicAnswer(modeltest.AnthropicBlock{Text: "yes"}))
	for _, m := range []Model{NewOpenAI(testConfig(s.URL)), NewAnthropic(testConfig(s.Root))} {
		if _, err := m.Stream(context.Background(), hello, func(Delta) {}); err != nil {
			t.Fatal(err)
		}
		for _, h := range []string{"Authorization", "X-Api-Key", "Openai-Organization", "Openai-Project", "X-Other"} {
			if v := s.Last().Header.Get(h); v != "" {
				t.Errorf("%T sent %s: %s", m, h, v)
			}
		}
	}
}

func TestAServerThatRefusesStreamOptionsIsAskedWithoutThem(t *testing.T) {
	t.Parallel()
	s := modeltest.OpenAI(t,
		modeltest.Error(422, `{"detail":[{"msg":"extra fields not permitted: stream_options"}]}`),
		modeltest.OpenAIText("yes"), modeltest.OpenAIText("again"))
	m := NewOpenAI(testConfig(s.URL))
	for range 2 {
		if _, err := m.Stream(context.Background(), hello, func(Delta) {}); err != nil {
			t.Fatal(err)
		}
	}
	got := s.Requests()
	if len(got) != 3 || got[0].JSON()["stream_options"] == nil || got[1].JSON()["stream_options"] != nil || got[2].JSON()["stream_options"] != nil {
		t.Errorf("%d requests, the options in them: %v %v", len(got), got[0].JSON()["stream_options"], got[1].JSON()["stream_options"])
	}
}

func TestReasoningGoesBackInARoundOfToolsWhereItCameInItsField(t *testing.T) {
	t.Parallel()
	s := modeltest.OpenAI(t, modeltest.OpenAIText("yes"), modeltest.OpenAIText("yes"))
	history := []Message{
		{Role: User, Text: "a"},
		{Role: Assistant, Reasoning: "hm", Signature: reasoningField, Model: "test/m", Calls: []ToolCall{{ID: "x", Name: "Recall", Arguments: "{}"}}},
		{Role: Tool, CallID: "x", Name: "Recall", Text: "{}"},
	}
	tools := []ToolSpec{{Name: "Recall"}}
	send := func(model string) any {
		cfg := testConfig(s.URL)
		cfg.Model = model
		if _, err := NewOpenAI(cfg).Stream(context.Background(), Request{Messages: history, Tools: tools}, func(Delta) {}); err != nil {
			t.Fatal(err)
		}
		return s.Last().JSON()["messages"].([]any)[1].(map[string]any)["reasoning_content"]
	}
	if got := send("m"); got != "hm" {
		t.Errorf("the model got %v back", got)
	}
	if got := send("other"); got != nil {
		t.Errorf("another model got %v", got)
	}
}

func TestListNamesTheModels(t *testing.T) {
	t.Parallel()
	for name, doc := range map[string]string{
		"OpenAI":  `{"object":"list","data":[{"id":"a"},{"id":"b"}]}`,
		"a list":  `[{"id":"a"},{"id":"b"}]`,
		"by name": `{"models":[{"name":"a"},{"model":"b"}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(modelNamesOf(doc), " "); got != "a b" {
				t.Errorf("got %q", got)
			}
		})
	}
	s := modeltest.OpenAI(t)
	s.Offer("one", "two")
	for _, m := range []Lister{NewOpenAI(testConfig(s.URL)), NewAnthropic(testConfig(s.Root))} {
		got, err := m.List(context.Background())
		if err != nil || strings.Join(got, " ") != "one two" {
			t.Errorf("%T: %v, %v", m, got, err)
		}
	}
}

func modelNamesOf(doc string) []string { return modelNames(gjson.Parse(doc)) }
