package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"reverie/agent/model"
)

// The models that stand for a provider when only its key is there.
const (
	defaultOpenAI    = "gpt-4o-mini"
	defaultAnthropic = "claude-sonnet-4-5"
)

// models makes models from their names, by the settings and the environment
// of one run.
type models struct {
	st *settings
	a  *app
}

// choose returns the model of the settings, or the first that is available:
// Anthropic's or OpenAI's where a key is set, an Ollama that answers on the
// loopback, else the built-in one.
func (m models) choose(ctx context.Context) (model.Model, error) {
	if name := m.st.text("model"); name != "" {
		return m.make(ctx, name)
	}
	switch {
	case m.a.getenv("ANTHROPIC_API_KEY") != "":
		return m.make(ctx, "anthropic/"+defaultAnthropic)
	case m.a.getenv("OPENAI_API_KEY") != "":
		return m.make(ctx, "openai/"+defaultOpenAI)
	}
	if names, ok := model.FindOllama(ctx, m.a.getenv("OLLAMA_HOST")); ok && len(names) > 0 {
		return m.make(ctx, "ollama/"+names[0])
	}
	return m.make(ctx, "offline")
}

// make returns the model called provider/name, or offline.
func (m models) make(_ context.Context, full string) (model.Model, error) {
	if full == "offline" {
		return model.NewOffline(m.a.now), nil
	}
	provider, name, ok := strings.Cut(full, "/")
	if !ok || name == "" {
		return nil, usagef("model %q: it takes PROVIDER/NAME, such as openai/%s, or offline", full, defaultOpenAI)
	}
	p, err := m.provider(provider)
	if err != nil {
		return nil, err
	}
	p.cfg.Model = name
	return p.model(), nil
}

// provider is a server and the protocol that it speaks.
type provider struct {
	kind string
	cfg  model.Config
}

func (p provider) model() interface {
	model.Model
	model.Lister
} {
	switch p.kind {
	case "anthropic":
		return model.NewAnthropic(p.cfg)
	default:
		return model.NewOpenAI(p.cfg)
	}
}

func (m models) provider(name string) (provider, error) {
	custom := m.st.under("providers")
	if slices.Contains(custom, name) {
		at := "providers." + name + "."
		get := func(k string) string { return m.st.text(at + k) }
		p := provider{kind: get("kind"), cfg: model.Config{Name: name, BaseURL: get("base_url"), Now: m.a.now}}
		if p.kind == "ollama" && p.cfg.BaseURL == "" {
			p.cfg.BaseURL = model.OllamaURL(m.a.getenv("OLLAMA_HOST"))
		}
		if p.cfg.BaseURL == "" && p.kind != "anthropic" {
			return p, usagef("provider %s has no base_url; set it in [providers.%s]", name, name)
		}
		p.cfg.Context, _ = strconv.Atoi(get("context")) // checked when it was read; 0 is not known
		p.cfg.Key = m.key(name, get("api_key_env"), get("api_key_cmd"))
		return p, nil
	}
	switch name {
	case "openai":
		base := m.a.getenv("OPENAI_BASE_URL")
		if base == "" && m.a.getenv("OPENAI_API_KEY") == "" {
			return provider{}, usagef("openai needs a key: export OPENAI_API_KEY, or set OPENAI_BASE_URL to a server of your own")
		}
		return provider{"openai", model.Config{Name: name, BaseURL: base, Key: m.key(name, "OPENAI_API_KEY", ""), Now: m.a.now}}, nil
	case "anthropic":
		base := m.a.getenv("ANTHROPIC_BASE_URL")
		if base == "" && m.a.getenv("ANTHROPIC_API_KEY") == "" {
			return provider{}, usagef("anthropic needs a key: export ANTHROPIC_API_KEY")
		}
		return provider{"anthropic", model.Config{Name: name, BaseURL: base, Key: m.key(name, "ANTHROPIC_API_KEY", ""), Now: m.a.now}}, nil
	case "ollama":
		return provider{"ollama", model.Config{Name: name, BaseURL: model.OllamaURL(m.a.getenv("OLLAMA_HOST")), Now: m.a.now}}, nil
	}
	known := append([]string{"openai", "anthropic", "ollama"}, custom...)
	return provider{}, usagef("there is no provider %q%s; known are %s", name, nearestHint(name, known), strings.Join(known, ", "))
}

// key reads a key from the environment or from a command's output when it is
// needed. Neither is ever printed.
func (m models) key(provider, env, command string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		if command == "" {
			if env == "" {
				return "", nil
			}
			return m.a.getenv(env), nil
		}
		cmd := exec.CommandContext(ctx, "sh", "-c", command)
		var errOut bytes.Buffer
		cmd.Stderr = &errOut
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("api_key_cmd of provider %s failed: %w: %s", provider, err, oneLine(errOut.String(), 200))
		}
		key := strings.TrimSpace(string(out))
		if key == "" {
			return "", fmt.Errorf("api_key_cmd of provider %s printed no key", provider)
		}
		return key, nil
	}
}

// offered lists what every configured server offers, as PROVIDER/NAME, and
// which servers could not say.
func (m models) offered(ctx context.Context) ([]string, error) {
	var all []string
	var problems []error
	for _, name := range append([]string{"anthropic", "openai", "ollama"}, m.st.under("providers")...) {
		p, err := m.provider(name)
		if err != nil {
			continue // not configured
		}
		names, err := p.model().List(ctx)
		if err != nil {
			if name != "ollama" {
				problems = append(problems, err)
			}
			continue
		}
		for _, n := range names {
			all = append(all, name+"/"+n)
		}
	}
	return append(all, "offline"), errors.Join(problems...)
}
