package stories

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"reverie/agent/model/modeltest"
)

// mock is the address of a server that others wrote.
type mock struct{ url string }

func startMock(t *testing.T, fixtures string, args ...string) mock {
	t.Helper()
	return mock{modeltest.Aimock(t, fixtures, args...)}
}

// journal is what was sent to the server, as one text.
func (m mock) journal(t *testing.T) string {
	t.Helper()
	res, err := http.Get(m.url + "/__aimock/journal")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// speaks points the person's environment at the server, as each provider has
// it, and returns the name of a model there.
func (p *person) speaks(m mock, provider string) string {
	switch provider {
	case "anthropic":
		p.env = append(p.env, "ANTHROPIC_API_KEY=made-up-key", "ANTHROPIC_BASE_URL="+m.url)
		return "anthropic/claude-sonnet-4-5"
	case "ollama":
		p.env = append(p.env, "OLLAMA_HOST="+m.url)
		return "ollama/llama3.2"
	}
	p.env = append(p.env, "OPENAI_API_KEY=made-up-key", "OPENAI_BASE_URL="+m.url+"/v1")
	return "openai/gpt-4o-mini"
}

type answer struct {
	Thread, Text, Model, Error string
	Turn                       int
	Usage                      struct{ Input, Output int }
	Calls                      []struct {
		Name      string
		Arguments map[string]any
		Result    map[string]any
		Error     string
	} `json:"tool_calls"`
}

func (p *person) asks(model, text string, code int) answer {
	p.t.Helper()
	r := p.runs("", "-p", text, "--json", "--model", model).answers(p, code)
	var a answer
	if err := json.Unmarshal([]byte(r.out), &a); err != nil {
		p.t.Fatalf("%v: %s\n%s", err, r.out, r.err)
	}
	return a
}

var providers = []string{"openai", "anthropic", "ollama"}

func TestEachProviderSavesByToolCallsAndAnswers(t *testing.T) {
	t.Parallel()
	const fixtures = `{"fixtures":[
		{"match":{"userMessage":"deploy on Fridays","hasToolResult":true},"response":{"content":"Noted: Fridays it is.","usage":{"prompt_tokens":50,"completion_tokens":7,"total_tokens":57,"input_tokens":50,"output_tokens":7}}},
		{"match":{"userMessage":"deploy on Fridays"},"response":{"toolCalls":[
			{"name":"Remember","arguments":{"key":"deploy/day","value":"We deploy on Fridays"}},
			{"name":"RememberUser","arguments":{"key":"user/role","value":"Runs the releases"}}]}}]}`
	for _, provider := range providers {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			m := startMock(t, fixtures, "--strict")
			p := newPerson(t)
			model := p.speaks(m, provider)
			a := p.asks(model, "remember that we deploy on Fridays; I run the releases", 0)
			if len(a.Calls) != 2 || a.Calls[0].Error+a.Calls[1].Error != "" || a.Text != "Noted: Fridays it is." {
				t.Fatalf("the answer is %+v", a)
			}
			if a.Usage.Input == 0 || a.Usage.Output == 0 {
				t.Errorf("usage is %+v", a.Usage)
			}
			p.runs("", "memory", "list").answers(p, 0, "deploy/day", "user/role")
			p.runs("", "memory", "history", "deploy/day").answers(p, 0, "model")
			if !strings.Contains(m.journal(t), "deploy on Fridays") {
				t.Error("the server's journal lacks the prompt")
			}
		})
	}
}

func TestARateLimitIsWaitedForAsTheServerSays(t *testing.T) {
	t.Parallel()
	for _, provider := range providers {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			m := startMock(t, `{"fixtures":[{"match":{"userMessage":"hello"},"response":{"content":"Hi there."}}]}`, "--chaos-ratelimit", "0.5")
			p := newPerson(t)
			model := p.speaks(m, provider)
			// Half of all requests are refused; with retries most turns work, and
			// one that does not says what happened.
			worked := 0
			for range 4 {
				r := p.runs("", "-p", "hello", "--model", model)
				switch {
				case r.code == 0 && strings.Contains(r.out, "Hi there."):
					worked++
				case !strings.Contains(r.err, "rate limit"):
					t.Fatalf("exit %d: %s", r.code, r.err)
				}
			}
			if worked == 0 {
				t.Error("no turn got through")
			}
		})
	}
}

func TestABrokenServerIsSaidAndTheTextStays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ chaos, want string }{
		{"--chaos-drop", "server"},
		{"--chaos-malformed", "rubbish"},
		{"--chaos-disconnect", ""},
	} {
		for _, provider := range providers {
			t.Run(fmt.Sprint(c.chaos, provider), func(t *testing.T) {
				t.Parallel()
				m := startMock(t, `{"fixtures":[{"match":{"userMessage":"hello"},"response":{"content":"Hi."}}]}`, c.chaos, "1")
				p := newPerson(t)
				r := p.runs("", "-p", "hello", "--model", p.speaks(m, provider)).answers(p, 1)
				r.complains(p, "reverie: ", c.want)
				p.runs("", "threads", "list", "--json").answers(p, 0, "hello")
			})
		}
	}
}

func TestASlowFirstTokenIsWaitedFor(t *testing.T) {
	t.Parallel()
	m := startMock(t, `{"fixtures":[{"match":{"userMessage":"hello"},"response":{"content":"Worth the wait."}}]}`, "--chaos-latency", "3000")
	for _, provider := range providers {
		t.Run(provider, func(t *testing.T) {
			t.Parallel()
			p := newPerson(t)
			p.runs("", "-p", "hello", "--model", p.speaks(m, provider)).answers(p, 0, "Worth the wait.")
		})
	}
}
