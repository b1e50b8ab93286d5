package model

import (
	"regexp"
	"strings"
)

// windows are the context windows of well-known models in tokens, by what
// their names begin with; the first that fits counts. They are the figures of
// the makers' own model pages (platform.openai.com/docs/models,
// platform.claude.com/docs/en/build-with-claude/context-windows,
// ai.google.dev/gemini-api/docs/models, api-docs.deepseek.com,
// docs.mistral.ai, docs.x.ai). A name that is not here is not guessed.
var windows = []struct {
	name   string
	tokens int
}{
	{"gpt-5-chat", 128_000},
	{"gpt-5.1-chat", 128_000},
	{"gpt-5.2-chat", 128_000},
	{"gpt-5-mini", 400_000},
	{"gpt-5-nano", 400_000},
	{"gpt-5-codex", 400_000},
	{"gpt-5.1", 400_000},
	{"gpt-5.2", 400_000},
	{"gpt-4.1", 1_047_576},
	{"gpt-4o", 128_000},
	{"chatgpt-4o", 128_000},
	{"gpt-4-turbo", 128_000},
	{"gpt-4-0125", 128_000},
	{"gpt-4-1106", 128_000},
	{"gpt-4-32k", 32_768},
	{"gpt-3.5-turbo", 16_385},
	{"gpt-oss", 131_072},
	{"o1-mini", 128_000},
	{"o1-preview", 128_000},
	{"o1", 200_000},
	{"o3", 200_000},
	{"o4-mini", 200_000},
	{"claude-opus-4-6", 1_000_000},
	{"claude-opus-4-7", 1_000_000},
	{"claude-opus-4-8", 1_000_000},
	{"claude-sonnet-4-6", 1_000_000},
	{"claude-opus-5", 1_000_000},
	{"claude-sonnet-5", 1_000_000},
	{"claude-fable-5", 1_000_000},
	{"claude-mythos-5", 1_000_000},
	{"claude-opus-4", 200_000},
	{"claude-sonnet-4", 200_000},
	{"claude-haiku-4", 200_000},
	{"claude-3", 200_000},
	{"gemini-1.5-pro", 2_097_152},
	{"gemini-1.5-flash", 1_048_576},
	{"gemini-2.0-flash", 1_048_576},
	{"gemini-2.5", 1_048_576},
	{"deepseek-chat", 128_000},
	{"deepseek-reasoner", 128_000},
	{"mistral-large", 128_000},
	{"mistral-small", 128_000},
	{"ministral", 128_000},
	{"grok-3", 131_072},
	{"grok-4", 256_000},
}

// exact names, of which longer ones are other models.
var exactWindows = map[string]int{
	"gpt-5":      400_000,
	"gpt-4":      8_192,
	"gpt-4-0613": 8_192,
}

var dated = regexp.MustCompile(`-(\d{8}|\d{4}-\d{2}-\d{2}|latest)$`)

// windowOf is the context window of a model in tokens, 0 if it is not known.
func windowOf(model string) int {
	model = strings.ToLower(model)
	model = model[strings.LastIndex(model, "/")+1:] // as OpenRouter has them
	if n := exactWindows[dated.ReplaceAllString(model, "")]; n > 0 {
		return n
	}
	for _, w := range windows {
		rest, ok := strings.CutPrefix(model, w.name)
		if ok && (rest == "" || strings.ContainsAny(rest[:1], "-.:@")) {
			return w.tokens
		}
	}
	return 0
}

// answerLimit is how many tokens an answer of a Claude model may have where
// the request does not say: the API wants a number. The oldest allow 4,096 or
// 8,192 (platform.claude.com/docs/en/about-claude/models); all since Claude
// 3.7 allow more than the 16,384 that are asked for here.
func answerLimit(model string) int64 {
	switch {
	case strings.Contains(model, "claude-3-5"):
		return 8_192
	case strings.Contains(model, "claude-3-opus"), strings.Contains(model, "claude-3-sonnet"), strings.Contains(model, "claude-3-haiku"):
		return 4_096
	case strings.Contains(model, "claude"):
		return 16_384
	}
	return 8_192
}
