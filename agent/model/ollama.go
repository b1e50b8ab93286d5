package model

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// ollamaPatience is how long an Ollama on this machine may take to answer.
const ollamaPatience = 200 * time.Millisecond

// ollamaRoot reads OLLAMA_HOST as Ollama does: with or without scheme and
// port, and with an address to listen on where one to call is needed.
func ollamaRoot(host string) *url.URL {
	host = strings.TrimSpace(host)
	if host == "" {
		host = "127.0.0.1"
	}
	defaultPort := "80"
	if !strings.Contains(host, "://") {
		host, defaultPort = "http://"+host, "11434"
	}
	u, err := url.Parse(host)
	if err != nil || u.Host == "" {
		u, defaultPort = &url.URL{Scheme: "http", Host: "127.0.0.1"}, "11434"
	}
	name, port := u.Hostname(), u.Port()
	switch {
	case port != "":
	case u.Scheme == "https":
		port = "443"
	default:
		port = defaultPort
	}
	switch name {
	case "", "0.0.0.0":
		name = "127.0.0.1"
	case "::":
		name = "::1"
	}
	u.Host = net.JoinHostPort(name, port)
	u.Path = strings.TrimRight(u.Path, "/")
	return u
}

// OllamaURL is the base URL of the OpenAI-compatible API of the Ollama at
// host, which is as OLLAMA_HOST has it; empty is 127.0.0.1:11434.
func OllamaURL(host string) string {
	return strings.TrimSuffix(ollamaRoot(host).String(), "/v1") + "/v1"
}

// FindOllama says whether an Ollama answers on the loopback within 200
// milliseconds, and which models it has, in its order: the last changed first.
// host is as OLLAMA_HOST has it; empty is 127.0.0.1:11434. One on another
// machine is not looked for: it would get the conversation without anyone
// having chosen it.
func FindOllama(ctx context.Context, host string) ([]string, bool) {
	root := ollamaRoot(host)
	if !isLoopback(root.Hostname()) {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(ctx, ollamaPatience)
	defer cancel()
	body, err := Config{HTTP: clientOf(nil)}.get(ctx, root.JoinPath("api/tags").String(), http.Header{})
	if err != nil || !gjson.ValidBytes(body) {
		return nil, false
	}
	models := gjson.GetBytes(body, "models")
	if !models.IsArray() {
		return nil, false
	}
	return modelNames(models), true
}
