package model

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"
	"github.com/anthropics/anthropic-sdk-go/packages/param"
	"github.com/tidwall/gjson"
)

// anthropicBase is where Anthropic's own API is.
const anthropicBase = "https://api.anthropic.com"

// Anthropic is a model behind Anthropic's Messages API, or a server that
// speaks it. Requests are made with the official SDK; see [OpenAI] for why the
// answer is read here.
type Anthropic struct {
	cfg    Config
	server server
	base   string
}

// NewAnthropic returns the model cfg.Model of Anthropic's API.
func NewAnthropic(cfg Config) *Anthropic {
	cfg = cfg.withDefaults()
	if cfg.Name == "" {
		cfg.Name = "anthropic"
	}
	m := &Anthropic{cfg: cfg, base: strings.TrimSuffix(strings.TrimRight(cfg.BaseURL, "/"), "/v1")}
	if m.base == "" {
		m.base = anthropicBase
	}
	kind := "compatible"
	if cfg.Name == "anthropic" {
		kind = cfg.Name
	}
	m.server = newServer(m.Name(), kind, m.base)
	return m
}

func (m *Anthropic) Name() string { return m.cfg.Name + "/" + m.cfg.Model }

// Window is what the settings say, or what is known of the name.
func (m *Anthropic) Window() int {
	if m.cfg.Context > 0 {
		return m.cfg.Context
	}
	return windowOf(m.cfg.Model)
}

// List asks the server for its models.
func (m *Anthropic) List(ctx context.Context) ([]string, error) {
	return list(ctx, m.cfg, m.server, m.base+"/v1/models?limit=1000", func(key string) http.Header {
		h := http.Header{"Anthropic-Version": {"2023-06-01"}}
		if key != "" {
			h.Set("X-Api-Key", key)
		}
		return h
	})
}

// Stream implements [Model].
func (m *Anthropic) Stream(ctx context.Context, r Request, emit func(Delta)) (Answer, error) {
	return attempt(ctx, m.cfg, emit, func(emit func(Delta)) (Answer, *failure) {
		d := &anthropicDecoder{name: m.Name(), now: m.cfg.Now}
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
			service := anthropic.NewMessageService(options...)
			var res *http.Response
			stream := service.NewStreaming(ctx, m.params(r), option.WithResponseInto(&res))
			if err := stream.Err(); err != nil {
				return nil, err
			}
			return res, nil
		})
	})
}

// params makes the SDK's request. The stable part of the system prompt ends
// with a cache breakpoint, which covers the tools before it too; the volatile
// part follows in a block of its own.
func (m *Anthropic) params(r Request) anthropic.MessageNewParams {
	p := anthropic.MessageNewParams{Model: m.cfg.Model, MaxTokens: int64(r.MaxTokens)}
	if p.MaxTokens <= 0 {
		p.MaxTokens = answerLimit(m.cfg.Model)
	}
	if strings.TrimSpace(r.Stable) != "" {
		p.System = append(p.System, anthropic.TextBlockParam{
			Text: r.Stable, CacheControl: anthropic.NewCacheControlEphemeralParam(),
		})
	}
	if strings.TrimSpace(r.Volatile) != "" {
		p.System = append(p.System, anthropic.TextBlockParam{Text: r.Volatile})
	}
	for _, t := range r.Tools {
		schema := t.Schema
		if len(schema) == 0 {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		p.Tools = append(p.Tools, anthropic.ToolUnionParam{OfTool: &anthropic.ToolParam{
			Name: t.Name, Description: anthropic.String(t.Description),
			// As it is: the SDK's own type writes what it doesn't know in no
			// fixed order, and the cache wants the same bytes each time.
			InputSchema: param.Override[anthropic.ToolInputSchemaParam](schema),
		}})
	}
	for _, t := range turns(r) {
		p.Messages = m.append(p.Messages, t)
	}
	return p
}

// append adds a turn. Results of tools are a user's message in this API, and
// what the user says next belongs in the same one, behind them.
func (m *Anthropic) append(ms []anthropic.MessageParam, t turn) []anthropic.MessageParam {
	var blocks []anthropic.ContentBlockParamUnion
	role := anthropic.MessageParamRoleUser
	switch t.role {
	case User:
		blocks = append(blocks, anthropic.NewTextBlock(t.text))
	case Tool:
		for _, res := range t.results {
			blocks = append(blocks, anthropic.NewToolResultBlock(res.CallID, res.Text, res.Failed))
		}
	default:
		role = anthropic.MessageParamRoleAssistant
		blocks = m.assistant(t)
	}
	if n := len(ms); n > 0 && ms[n-1].Role == role {
		ms[n-1].Content = append(ms[n-1].Content, blocks...)
		return ms
	}
	return append(ms, anthropic.MessageParam{Role: role, Content: blocks})
}

func (m *Anthropic) assistant(t turn) []anthropic.ContentBlockParamUnion {
	var blocks []anthropic.ContentBlockParamUnion
	// Thinking goes back with its signature, unchanged and first, to the model
	// that it came from: the API wants it in a round of tools, and refuses
	// another's.
	if t.source.Model == m.Name() && !t.source.Partial {
		blocks = append(blocks, thinkingBlocks(t.source)...)
	}
	if t.text != "" {
		// A text must not end in white space where it ends the message.
		blocks = append(blocks, anthropic.NewTextBlock(strings.TrimRight(t.text, " \t\r\n")))
	}
	for _, c := range t.calls {
		blocks = append(blocks, anthropic.NewToolUseBlock(c.ID, json.RawMessage(c.Arguments), c.Name))
	}
	return blocks
}

// thinkingBlocks reads a Signature: that of one thinking block, or a JSON list
// of the blocks where there were several, or redacted ones.
func thinkingBlocks(m Message) []anthropic.ContentBlockParamUnion {
	if !strings.HasPrefix(m.Signature, "[") {
		if m.Signature == "" {
			return nil
		}
		return []anthropic.ContentBlockParamUnion{anthropic.NewThinkingBlock(m.Signature, m.Reasoning)}
	}
	var blocks []anthropic.ContentBlockParamUnion
	for _, b := range gjson.Parse(m.Signature).Array() {
		switch b.Get("type").String() {
		case "thinking":
			blocks = append(blocks, anthropic.NewThinkingBlock(b.Get("signature").String(), b.Get("thinking").String()))
		case "redacted_thinking":
			blocks = append(blocks, anthropic.NewRedactedThinkingBlock(b.Get("data").String()))
		}
	}
	return blocks
}
