package agent

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"reverie/agent/model"
)

func agentFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// ofFolder is a conversation with the agent of a folder.
func ofFolder(t *testing.T, m model.Model, files map[string]string, change ...func(*Config)) *Conversation {
	t.Helper()
	f, err := LoadFolder(agentFolder(t, files))
	if err != nil {
		t.Fatal(err)
	}
	return whole(t, m, append([]func(*Config){func(cfg *Config) {
		cfg.Vocabulary, cfg.Instructions, cfg.Dynamic = f.Vocabulary(), f.Instructions, f.Dir
	}}, change...)...)
}

func TestAnAgentFolderIsRead(t *testing.T) {
	t.Parallel()
	f, err := LoadFolder(agentFolder(t, map[string]string{
		"agent.toml":      "[agent]\nmodel = \"openai/gpt-4o-mini\"\nmemory = true\n",
		"instructions.md": "\n## Memory\nBe kind.\n",
	}))
	if err != nil || f.Model != "openai/gpt-4o-mini" || !f.Memory || f.Vocabulary() != Notes || f.Instructions != "## Memory\nBe kind." {
		t.Errorf("read is %+v, %v", f, err)
	}
	f, err = LoadFolder(agentFolder(t, map[string]string{"agent.toml": ""}))
	if err != nil || f.Memory || f.Vocabulary() != NoMemory || f.Instructions != "" {
		t.Errorf("an empty one is %+v, %v", f, err)
	}
}

func TestWhatIsWrongWithAnAgentFolderIsNamed(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"[agent]\nmemry = true\n":       `line 2: the key "agent.memry" is not known; did you mean "agent.memory"?`,
		"[agent]\nmodels = \"x\"\n":     `did you mean "agent.model"?`,
		"memory = true\n":               `did you mean "agent.memory"?`,
		"[agent]\nmemory = \"yes\"\n":   "line 2",
		"[agent\n":                      "line 1",
		"[provider.x]\nkind=\"openai\"": "is not known",
	} {
		if _, err := LoadFolder(agentFolder(t, map[string]string{"agent.toml": text})); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "agent.toml") {
			t.Errorf("%q answers %v, want %q", text, err, want)
		}
	}
	if _, err := LoadFolder(t.TempDir()); err == nil || !strings.Contains(err.Error(), "no agent.toml") {
		t.Errorf("an empty folder answers %v", err)
	}
}

func TestSettingsThatAreTheUsersAloneAreIgnoredAndNamed(t *testing.T) {
	t.Parallel()
	f, err := LoadFolder(agentFolder(t, map[string]string{"agent.toml": "[providers.x]\nbase_url = \"http://x\"\n[permissions]\nforget = \"allow\"\n[memory]\nenabled = true\n[agent]\nmemory = true\n"}))
	if err != nil || !f.Memory {
		t.Fatalf("read is %+v, %v", f, err)
	}
	if got := strings.Join(f.Ignored, " "); got != "providers.x permissions memory" {
		t.Errorf("ignored are %s", got)
	}
}

func TestMemoryTrueGivesExactlyTheTwoTools(t *testing.T) {
	t.Parallel()
	m := script()
	c := ofFolder(t, m, map[string]string{"agent.toml": "[agent]\nmemory = true\n"}, func(cfg *Config) {
		remember(t, cfg.Project, "a", "project fact")
		remember(t, cfg.User, "user/b", "user fact")
	})
	send(t, c, "hello")
	r := m.last(t)
	if len(r.Tools) != 2 || r.Tools[0].Name != "remember" || r.Tools[1].Name != "recall" {
		t.Errorf("the tools are %+v", r.Tools)
	}
	if s := r.Stable + r.Volatile; strings.Contains(s, "project fact") || strings.Contains(s, "user fact") || !strings.Contains(s, "# Remembered") {
		t.Errorf("told is %s", s)
	}
}

func TestMemoryOffIsNoToolAndNotOnePromptByteMore(t *testing.T) {
	t.Parallel()
	var seen []model.Request
	for _, toml := range []string{"[agent]\nmemory = false\n", "[agent]\n"} {
		m := script()
		c := ofFolder(t, m, map[string]string{"agent.toml": toml, "instructions.md": "Be kind."}, func(cfg *Config) {
			cfg.Persona, cfg.ProjectName, cfg.ProjectRoot = "P", "", ""
		})
		send(t, c, "hello")
		seen = append(seen, m.last(t))
	}
	for _, r := range seen {
		if r.Stable != "P\n\n# Instructions\nBe kind.\n" || r.Volatile != "# Date\nToday is Tuesday, 3 March 2026.\n" || len(r.Tools) != 0 || len(r.Messages) != 1 {
			t.Errorf("sent was %q, %q, %v", r.Stable, r.Volatile, r.Tools)
		}
	}
}

const topics = `
def resolve(ctx):
    s = ctx.state
    s["turns"] = s.get("turns", 0) + 1
    if "code" in ctx.message:
        return {"add": "Turn %d is about code." % ctx.turn, "model": "test/coder", "tools": []}
    if "poem" in ctx.message:
        return {"replace": "You are a poet."}
    if "note" in ctx.message:
        s["memory.notes"] = s.get("memory.notes", []) + ["from a script"]
`

func TestScriptsShapeTheTurnTheyRunIn(t *testing.T) {
	t.Parallel()
	m, coder := script(), script()
	coder.name = "test/coder"
	c := ofFolder(t, m, map[string]string{"agent.toml": "[agent]\nmemory = true\n", "dynamic/topics.star": topics}, func(cfg *Config) {
		cfg.Models = func(_ context.Context, name string) (model.Model, error) {
			if name != "test/coder" {
				return nil, errors.New("not configured")
			}
			return coder, nil
		}
	})
	send(t, c, "write code")
	r := coder.last(t)
	if len(r.Tools) != 0 || !strings.Contains(r.Volatile, "Turn 1 is about code.") || len(m.sent()) > 0 {
		t.Errorf("the coder was sent %+v", r)
	}
	send(t, c, "a poem")
	if r := m.last(t); !strings.HasPrefix(r.Stable, "You are a poet.\n") || strings.Contains(r.Stable, "Reverie") || len(r.Tools) != 2 {
		t.Errorf("the poet was told %s", r.Stable)
	}
	send(t, c, "take note")
	r = m.last(t)
	if !strings.Contains(r.Volatile, "from a script") || !strings.HasPrefix(r.Stable, DefaultPersona) || strings.Contains(r.Volatile, "For this turn") {
		t.Errorf("the third turn was told %s\n%s", r.Stable, r.Volatile)
	}
	c = reopen(t, c)
	if string(c.state["turns"]) != "3" {
		t.Errorf("the state is %s", c.state["turns"])
	}
}

func TestAScriptThatFailsIsShownAndTheTurnGoesOn(t *testing.T) {
	t.Parallel()
	m := script()
	c := ofFolder(t, m, map[string]string{
		"agent.toml":     "[agent]\n",
		"dynamic/a.star": "def resolve(ctx):\n    fail('broken on purpose')\n",
		"dynamic/b.star": "def resolve(ctx):\n    return {'add': 'b ran', 'model': 'test/none'}\n",
	})
	r := send(t, c, "hello")
	n := eventsOf[Notice](r)
	if len(n) != 2 || !strings.Contains(n[0].Text, "dynamic/a.star") || !strings.Contains(n[0].Text, "broken on purpose") || !strings.Contains(n[1].Text, "test/none") {
		t.Errorf("notices are %v", n)
	}
	if got := m.last(t); !strings.Contains(got.Volatile, "b ran") {
		t.Errorf("the suffix is %s", got.Volatile)
	}
}
