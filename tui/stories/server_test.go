package stories

import (
	"encoding/json"
	"net"
	"strings"
	"testing"
	"time"

	"reverie/agent/model/modeltest"
	"reverie/tui/tuitest"
)

// uses points the person at a scripted server.
func (p *person) uses(s *modeltest.Server) {
	p.env = append(p.env, "OPENAI_API_KEY=made-up-key", "OPENAI_BASE_URL="+s.URL, "REVERIE_MODEL=openai/gpt-x")
}

// sent is a request as the server got it: the system text and the rest.
type sent struct {
	system  string
	history string
}

func requests(t *testing.T, s *modeltest.Server) []sent {
	t.Helper()
	var out []sent
	for _, r := range s.Requests() {
		messages, _ := r.JSON()["messages"].([]any)
		var x sent
		for _, m := range messages {
			b, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			if m.(map[string]any)["role"] == "system" {
				x.system += string(b)
			} else {
				x.history += string(b)
			}
		}
		out = append(out, x)
	}
	return out
}

func TestAServersModelSavesTwiceInOneTurnAndIsToldTheFactsOnlyInTheSuffix(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	srv := modeltest.OpenAI(t,
		modeltest.OpenAICalls(
			modeltest.Call{ID: "c1", Name: "Remember", Arguments: `{"key":"deploy/day","value":"We deploy on Fridays only"}`},
			modeltest.Call{ID: "c2", Name: "RememberUser", Arguments: `{"key":"tea","value":"Drinks oolong only"}`}),
		modeltest.OpenAIText("Both are noted."),
		modeltest.OpenAIText("Gladly."),
	)
	p.uses(srv)
	s := p.starts()
	s.See("openai/gpt-x")
	s.Say("we deploy on Fridays only, and mind my tea")
	s.See("* remembered", "deploy/day", "user/tea", "Both are noted.")
	s.Say("what now?").See("Gladly.")
	s.Say("/quit").Ends(0)

	reqs := requests(t, srv)
	if len(reqs) != 3 {
		t.Fatalf("%d requests", len(reqs))
	}
	if strings.Contains(reqs[0].system, "oolong") {
		t.Error("the first request knows the fact already")
	}
	for i, r := range reqs[1:] {
		if !strings.Contains(r.system, "oolong") {
			t.Errorf("request %d lacks the user's fact in its suffix", i+2)
		}
	}
	// The history has the fact only where the model itself said it: in its call
	// and that call's result.
	if n := strings.Count(reqs[2].history, "oolong"); n != strings.Count(reqs[1].history, "oolong") {
		t.Errorf("the fact came into the history: %d times", n)
	}
	p.runs("", "memory", "history", "user/tea", "--json").answers(p, 0, `"writer": "model"`, `"tool": "RememberUser"`, `"model": "openai/gpt-x"`)

	// Another session knows it without any history.
	srv.Add(modeltest.OpenAIText("Oolong."))
	p.runs("", "-p", "which tea?").answers(p, 0, "Oolong.")
	last := requests(t, srv)[3]
	if !strings.Contains(last.system, "oolong") || strings.Contains(last.history, "oolong") {
		t.Error("the fact is not in the suffix alone")
	}
	if !strings.Contains(last.system, "deploy/day") {
		t.Error("the project's index is not in the prompt")
	}
}

func TestAServerThatFailsIsSaidTheTextStaysAndRetryWorks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answer modeltest.Response
		see    string
	}{
		"wrong key":       {modeltest.Error(401, `{"error":{"message":"Incorrect API key provided"}}`), "OPENAI_API_KEY"},
		"rate limit":      {modeltest.Error(429, `{"error":{"message":"quota","code":"insufficient_quota"}}`), "429"},
		"broken off":      {cut(modeltest.OpenAIText("Half an answer that never ends properly")), "/retry"},
		"a page of HTML":  {modeltest.Response{Status: 200, Header: map[string]string{"Content-Type": "text/html"}, Body: []string{"<html>login</html>"}}, "/retry"},
		"no such model":   {modeltest.Error(404, `{"error":{"message":"model not found"}}`), "models that the server offers"},
		"a bad parameter": {modeltest.Error(400, `{"error":{"message":"bad request"}}`), "400"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPerson(t)
			srv := modeltest.OpenAI(t, c.answer, modeltest.OpenAIText("Here I am."))
			p.uses(srv)
			s := p.starts()
			s.See("openai/gpt-x").Say("are you there?")
			s.See(c.see, "are you there?")
			s.Say("/retry").See("Here I am.")
			s.Say("/quit").Ends(0)
			r := p.runs("", "threads", "list", "--json").answers(p, 0, "are you there?")
			if strings.Contains(r.out+s.Term.Raw(), "made-up-key") {
				t.Error("the key is shown")
			}
		})
	}
}

// cut ends a stream after its first pieces.
func cut(r modeltest.Response) modeltest.Response {
	r.Body, r.Cut = r.Body[:2], true
	return r
}

func TestAServerThatHangsIsLeftAtOnce(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	srv := modeltest.OpenAI(t, modeltest.Response{Status: 200, Hang: true}, modeltest.OpenAIText("Here I am."))
	p.uses(srv)
	s := p.starts()
	s.See("openai/gpt-x").Say("are you there?")
	s.WaitFor("for the request", func(tuitest.Screen) bool { return len(srv.Requests()) == 1 })
	begin := time.Now()
	s.Press("ctrl+c").See("Stopped")
	if d := time.Since(begin); d > 5*time.Second {
		t.Errorf("stopping took %s", d)
	}
	s.Say("/retry").See("Here I am.")
	s.Say("/quit").Ends(0)
}

func TestAServerThatIsDownIsNamed(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	p := newPerson(t)
	p.env = append(p.env, "OPENAI_API_KEY=made-up-key", "OPENAI_BASE_URL=http://"+addr+"/v1")
	p.runs("", "-p", "hello").answers(p, 1).complains(p, addr, "unreachable")
	p.runs("", "threads", "list").answers(p, 0, "hello")
}
