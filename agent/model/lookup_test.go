package model

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"reverie/agent/model/modeltest"
)

func TestAnOllamaOnThisMachineIsFound(t *testing.T) {
	t.Parallel()
	s := modeltest.Ollama(t)
	s.Offer("llama3.2:3b", "qwen3:8b")
	for _, host := range []string{s.Root, strings.TrimPrefix(s.Root, "http://"), s.Root + "/"} {
		names, ok := FindOllama(context.Background(), host)
		if !ok || strings.Join(names, " ") != "llama3.2:3b qwen3:8b" {
			t.Errorf("at %s: %v, %v", host, names, ok)
		}
	}
}

func TestWhatIsNoOllamaIsNotFound(t *testing.T) {
	t.Parallel()
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = w.Write([]byte("<html>hello")) }))
	defer page.Close()
	release := make(chan struct{})
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	}))
	defer slow.Close()
	defer close(release)
	for name, host := range map[string]string{
		"another server": page.URL, "a slow one": slow.URL, "nothing": "127.0.0.1:1", "another machine": "192.0.2.1:11434", "no address": "::not an address::",
	} {
		begun := time.Now()
		if names, ok := FindOllama(context.Background(), host); ok {
			t.Errorf("%s: found %v", name, names)
		}
		if d := time.Since(begun); d > 5*time.Second {
			t.Errorf("%s: it took %v", name, d)
		}
	}
}

func TestOllamaHostIsReadAsOllamaReadsIt(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"":                            "http://127.0.0.1:11434/v1",
		"0.0.0.0":                     "http://127.0.0.1:11434/v1",
		"0.0.0.0:8080":                "http://127.0.0.1:8080/v1",
		":8080":                       "http://127.0.0.1:8080/v1",
		"box":                         "http://box:11434/v1",
		"http://box":                  "http://box:80/v1",
		"https://box":                 "https://box:443/v1",
		"https://box:1234/ollama/":    "https://box:1234/ollama/v1",
		"[::1]:11434":                 "http://[::1]:11434/v1",
		"http://127.0.0.1:11434/v1":   "http://127.0.0.1:11434/v1",
		"http://bad host with spaces": "http://127.0.0.1:11434/v1",
	} {
		if got := OllamaURL(host); got != want {
			t.Errorf("%q: %s, want %s", host, got, want)
		}
	}
}

func TestContextWindowsOfKnownNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int{
		"gpt-4o-mini": 128_000, "gpt-4o-2024-08-06": 128_000, "gpt-4": 8_192, "gpt-4.1-nano": 1_047_576, "gpt-4-turbo": 128_000,
		"gpt-5": 400_000, "gpt-5-2025-08-07": 400_000, "gpt-5-mini": 400_000, "gpt-5.9": 0, "gpt-50": 0, "o3": 200_000, "o3-mini": 200_000, "o30": 0,
		"claude-sonnet-4-5-20250929": 200_000, "claude-sonnet-4-6": 1_000_000, "claude-3-5-haiku-latest": 200_000, "claude-opus-4-1": 200_000,
		"anthropic/claude-3-opus": 200_000, "gemini-2.5-flash": 1_048_576, "deepseek-chat": 128_000, "qwen3:8b": 0, "llama3.2": 0, "": 0,
	} {
		if got := windowOf(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
	if n := NewOpenAI(Config{Model: "gpt-4o"}).Window(); n != 128_000 {
		t.Errorf("OpenAI: %d", n)
	}
	if n := NewOpenAI(Config{Name: "ollama", Model: "gpt-oss:20b"}).Window(); n != 0 {
		t.Errorf("Ollama gives a model as much context as it is told to, and the name said %d", n)
	}
	if n := NewOpenAI(Config{Name: "x", Model: "y", Context: 4096}).Window(); n != 4096 {
		t.Errorf("settings: %d", n)
	}
}

func TestAnswersOfClaudeHaveALimit(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]int64{"claude-3-haiku-20240307": 4_096, "claude-3-5-sonnet-latest": 8_192, "claude-sonnet-4-6": 16_384, "other": 8_192} {
		if got := answerLimit(name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}
