package model

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// openAIBase is where OpenAI's own API begins.
const openAIBase = "https://api.openai.com/v1"

// OpenAI is a model behind a server that speaks OpenAI's chat completions:
// OpenAI itself, Ollama (whose compatible API under /v1 is used, not its own),
// vLLM, llama.cpp, LM Studio, OpenRouter and the like.
//
// Requests are made with the official SDK. Its decoder of streams is not used:
// it takes "error": null for an error, drops a last event without a blank
// line and one behind a byte order mark, and waits for the connection's end
// after "[DONE]". The body is read by this package instead, which knows what
// such servers send.
type OpenAI struct {
	cfg      Config
	server   server
	base     string
	official bool        // OpenAI's own API
	noUsage  atomic.Bool // the server refuses stream_options
}

// NewOpenAI returns the model cfg.Model of an OpenAI-compatible server. An
// empty cfg.BaseURL is OpenAI's own, or, for the provider "ollama", that of
// [OllamaURL].
func NewOpenAI(cfg Config) *OpenAI {
	cfg = cfg.withDefaults()
	if cfg.Name == "" {
		cfg.Name = "openai"
	}
	m := &OpenAI{cfg: cfg, base: strings.TrimRight(cfg.BaseURL, "/")}
	if m.base == "" {
		m.base = openAIBase
		if cfg.Name == "ollama" {
			m.base = OllamaURL("")
		}
	}
	if u, err := url.Parse(m.base); err == nil {
		m.official = u.Hostname() == "api.openai.com"
	}
	kind := "compatible"
	if cfg.Name == "openai" || cfg.Name == "ollama" {
		kind = cfg.Name
	}
	m.server = newServer(m.Name(), kind, m.base)
	return m
}

func (m *OpenAI) Name() string { return m.cfg.Name + "/" + m.cfg.Model }

// Window is what the settings say, or what is known of the name. A local
// server is given as much context as its start says, so that its window is
// known from the settings alone.
func (m *OpenAI) Window() int {
	if m.cfg.Context > 0 || m.server.local || m.server.kind == "ollama" {
		return m.cfg.Context
	}
	return windowOf(m.cfg.Model)
}

// List asks the server for its models.
func (m *OpenAI) List(ctx context.Context) ([]string, error) {
	return list(ctx, m.cfg, m.server, m.base+"/models", func(key string) http.Header {
		h := http.Header{}
		if key != "" {
			h.Set("Authorization", "Bearer "+key)
		}
		return h
	})
}

// Stream implements [Model].
func (m *OpenAI) Stream(ctx context.Context, r Request, emit func(Delta)) (Answer, error) {
	return attempt(ctx, m.cfg, emit, func(emit func(Delta)) (Answer, *failure) {
		answer, f := m.once(ctx, r, emit)
		if f != nil && refusesUsage(f) && m.noUsage.CompareAndSwap(false, true) {
			return m.once(ctx, r, emit)
		}
		return answer, f
	})
}

// refusesUsage says whether a server stumbled over stream_options, which some
// strict ones don't know.
func refusesUsage(f *failure) bool {
	return f.err.Problem == BadRequest && strings.Contains(f.err.Detail, "stream_options")
}

func (m *OpenAI) once(ctx context.Context, r Request, emit func(Delta)) (Answer, *failure) {
	params, err := m.params(r)
	if err != nil {
		return Answer{}, m.server.rubbish(err.Error())
	}
	d := &openAIDecoder{name: m.Name(), now: m.cfg.Now}
	return exchange(ctx, m.cfg, m.server, d, emit, func(ctx context.Context, key string) (*http.Response, error) {
		options := []option.RequestOption{
			option.WithBaseURL(m.base),
			option.WithHTTPClient(doer{m.cfg.HTTP}),
			option.WithMaxRetries(0),
			option.WithHeader("Accept", "text/event-stream"),
		}
		if key != "" {
			options = append(options, option.WithAPIKey(key))
		}
		// The service alone, and not a client: a client takes keys, addresses
		// and headers from the environment, whichever server is meant.
		service := openai.NewChatCompletionService(options...)
		var res *http.Response
		stream := service.NewStreaming(ctx, params, option.WithResponseInto(&res))
		if err := stream.Err(); err != nil {
			return nil, err
		}
		return res, nil
	})
}

// params makes the SDK's request. The whole system prompt is one message,
// stable part first: servers cache prefixes by themselves, and the chat
// templates of many models take no second system message.
func (m *OpenAI) params(r Request) (openai.ChatCompletionNewParams, error) {
	p := openai.ChatCompletionNewParams{Model: m.cfg.Model}
	if system := strings.TrimSpace(r.Stable + "\n\n" + r.Volatile); system != "" {
		p.Messages = append(p.Messages, openai.SystemMessage(system))
	}
	for _, t := range turns(r) {
		p.Messages = append(p.Messages, m.messages(t)...)
	}
	for _, t := range r.Tools {
		schema := shared.FunctionParameters{}
		if len(t.Schema) > 0 {
			if err := json.Unmarshal(t.Schema, &schema); err != nil {
				return p, err
			}
		}
		p.Tools = append(p.Tools, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: t.Name, Description: openai.String(t.Description), Parameters: schema,
		}))
	}
	if !m.noUsage.Load() {
		p.StreamOptions.IncludeUsage = openai.Bool(true)
	}
	switch {
	case r.MaxTokens <= 0:
	case m.official: // which has replaced max_tokens
		p.MaxCompletionTokens = openai.Int(int64(r.MaxTokens))
	default: // others know the older name alone
		p.MaxTokens = openai.Int(int64(r.MaxTokens))
	}
	return p, nil
}

// messages are a turn in OpenAI's form.
func (m *OpenAI) messages(t turn) []openai.ChatCompletionMessageParamUnion {
	switch t.role {
	case User:
		return []openai.ChatCompletionMessageParamUnion{openai.UserMessage(t.text)}
	case Tool:
		var results []openai.ChatCompletionMessageParamUnion
		for _, res := range t.results {
			results = append(results, openai.ToolMessage(res.Text, res.CallID))
		}
		return results
	}
	var a openai.ChatCompletionAssistantMessageParam
	if t.text != "" {
		a.Content.OfString = openai.String(t.text)
	}
	for _, c := range t.calls {
		a.ToolCalls = append(a.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{
			OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
				ID:       c.ID,
				Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: c.Arguments},
			},
		})
	}
	// DeepSeek, and those who follow it, refuse a round of tools whose
	// reasoning does not come back in the field it came in
	// (api-docs.deepseek.com/guides/thinking_mode). Elsewhere it stays here.
	if t.tooled && t.source.Signature == reasoningField && t.source.Model == m.Name() {
		a.SetExtraFields(map[string]any{reasoningField: t.source.Reasoning})
	}
	return []openai.ChatCompletionMessageParamUnion{{OfAssistant: &a}}
}

// reasoningField is the field of servers that want reasoning back; as a
// message's Signature it says that its reasoning came so.
const reasoningField = "reasoning_content"
