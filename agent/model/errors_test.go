package model

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"reverie/agent/model/modeltest"
)

// complaints are answers of servers that did not do what was asked.
var complaints = []struct {
	name   string
	status int
	body   string
	want   Problem
	says   string // in the detail
	do     string // in the advice
}{
	{"OpenAI, wrong key", 401, `{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}`, Auth, "Incorrect API key", "Check the key"},
	{"Anthropic, wrong key", 401, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, Auth, "invalid", "Check the key"},
	{"forbidden", 403, `{"error":"forbidden"}`, Auth, "forbidden", "Check the key"},
	{"OpenAI, no such model", 404, `{"error":{"message":"The model 'm' does not exist or you do not have access to it.","type":"invalid_request_error","code":"model_not_found"}}`, NoModel, "does not exist", "model"},
	{"Ollama, no such model", 404, `{"error":{"message":"model 'm' not found","type":"api_error"}}`, NoModel, "not found", "model"},
	{"OpenRouter, no such model", 400, `{"error":{"message":"m is not a valid model ID","code":400}}`, NoModel, "not a valid model", "model"},
	{"nothing at that path", 404, "404 page not found", NoModel, "404 page", "base_url"},
	{"OpenAI, too long", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens.","type":"invalid_request_error","code":"context_length_exceeded"}}`, TooLong, "8192", "Compact"},
	{"OpenAI, too long, newer", 400, `{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error"}}`, TooLong, "exceeds", "Compact"},
	{"Anthropic, too long", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}`, TooLong, "210000", "Compact"},
	{"Anthropic, too long with the answer", 400, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000\"}}", TooLong, "190000", "Compact"},
	{"Anthropic, too large", 413, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`, TooLong, "maximum size", "Compact"},
	{"llama.cpp, too long", 400, `{"error":{"code":400,"message":"request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}`, TooLong, "4096", "Compact"},
	{"vLLM, too long", 400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens","type":"BadRequestError","code":400}`, TooLong, "4096", "Compact"},
	{"vLLM, too long, newer", 400, `{"error":{"message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096.","type":"BadRequestError","code":400}}`, TooLong, "5000", "Compact"},
	{"Ollama, too long", 400, `{"error":{"message":"the input length exceeds the context length","type":"invalid_request_error"}}`, TooLong, "exceeds", "Compact"},
	{"Ollama, too long, older", 400, `{"error":"prompt too long; exceeded max context length by 20 tokens"}`, TooLong, "20 tokens", "Compact"},
	{"LM Studio, too long", 400, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length."}`, TooLong, "greater", "Compact"},
	{"Mistral, too long", 400, `{"object":"error","message":"Prompt contains 40000 tokens, too large for model with 32768 maximum context length","code":3051}`, TooLong, "40000", "Compact"},
	{"Gemini, too long", 400, `[{"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).","status":"INVALID_ARGUMENT"}}]`, TooLong, "1048576", "Compact"},
	{"Groq, too much at once", 413, `{"error":{"message":"Request too large for model in organization on tokens per minute (TPM): Limit 6000, Requested 9000","type":"tokens","code":"rate_limit_exceeded"}}`, TooLong, "per minute", "Compact"},
	{"no tools", 400, `{"error":{"message":"registry.ollama.ai/library/m does not support tools","type":"api_error"}}`, BadRequest, "support tools", "--no-memory"},
	{"FastAPI", 422, `{"detail":[{"loc":["body","x"],"msg":"field required"}]}`, BadRequest, "field required", "model"},
	{"out of credit", 402, `{"error":{"message":"Insufficient credits","code":402}}`, BadRequest, "Insufficient", "credit"},
	{"out of quota", 429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`, RateLimit, "quota", "credit"},
	{"not implemented", 501, `{"error":{"message":"tools is not supported"}}`, Server, "tools", "model"},
	{"a redirect", 308, ``, BadRequest, "redirects", "base_url"},
}

func TestErrorsOfServersAreSortedByWhatToDo(t *testing.T) {
	t.Parallel()
	for _, c := range complaints {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.OpenAI(t, modeltest.Error(c.status, c.body, "Location", "https://elsewhere.example/v1"))
			_, err := NewOpenAI(testConfig(s.URL)).Stream(context.Background(), hello, func(Delta) {})
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %v", err)
			}
			if e.Problem != c.want || e.Status != c.status {
				t.Errorf("problem %q, status %d, want %q and %d", e.Problem, e.Status, c.want, c.status)
			}
			if !strings.Contains(e.Detail, c.says) || !strings.Contains(e.Advice, c.do) {
				t.Errorf("detail %q, advice %q, want %q and %q in them", e.Detail, e.Advice, c.says, c.do)
			}
			if e.Model != "test/m" || e.Where != s.Root {
				t.Errorf("model %q at %q", e.Model, e.Where)
			}
			for _, command := range []string{"/retry", "/model", "/compact", "/new"} {
				if strings.Contains(e.Advice, command) {
					t.Errorf("the advice %q names a command of an interface", e.Advice)
				}
			}
		})
	}
}

func TestErrorsInAStreamAreSortedToo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		body []string
		want Problem
		keep string
	}{
		{"OpenRouter, in the middle", modeltest.SSE(chunkText("half"), `{"id":"g","error":{"code":502,"message":"Provider disconnected"},"choices":[{"delta":{"content":""},"finish_reason":"error"}]}`), Server, "half"},
		{"an error of a choice", modeltest.SSE(chunkText("half"), `{"choices":[{"delta":{},"error":{"code":403,"message":"flagged"}}]}`), Auth, "half"},
		{"only finish_reason", modeltest.SSE(chunkText("half"), `{"choices":[{"delta":{},"finish_reason":"error"}]}`), Server, "half"},
		{"vLLM", modeltest.SSE(chunkText("half"), `{"object":"error","message":"out of memory","code":500}`), Server, "half"},
		{"Anthropic", []string{"event: content_block_delta\ndata: " + chunkText("half") + "\n\n", "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"overloaded_error\",\"message\":\"Overloaded\"}}\n\n"}, Server, "half"},
		{"plain words", []string{"data: " + chunkText("half") + "\n\nevent: error\ndata: it fell over\n\n"}, Server, "half"},
		{"too long, with status 200", modeltest.SSE(`{"error":{"message":"This model's maximum context length is 10 tokens","code":"context_length_exceeded"}}`), TooLong, ""},
		{"one JSON error, with status 200", []string{`{"error": {"message": "invalid api key", "code": 401}}`}, Auth, ""},
		{"a web page", []string{"<!DOCTYPE html><html><head><title>Sign in</title></head></html>"}, Rubbish, ""},
		{"words that are no events", []string{"hello there\nthis is no model\n"}, Interrupted, ""},
		{"data that is no JSON", []string{"data: hello there\n\n"}, Rubbish, ""},
		{"a broken event in the middle", []string{"data: " + chunkText("half") + "\n\ndata: {\"choices\": [}\n\ndata: " + chunkText("x") + "\n\n"}, Rubbish, "half"},
		{"broken JSON", []string{`{"choices": [}`}, Rubbish, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.OpenAI(t)
			for range maxAttempts {
				s.Add(modeltest.Response{Body: c.body})
			}
			a, err := NewOpenAI(testConfig(s.URL)).Stream(context.Background(), hello, func(Delta) {})
			if !IsProblem(err, c.want) {
				t.Fatalf("error %v, want %q", err, c.want)
			}
			if a.Message.Text != c.keep || !a.Message.Partial {
				t.Errorf("kept %q, partial %v", a.Message.Text, a.Message.Partial)
			}
			if n := len(s.Requests()); c.keep != "" && n != 1 {
				t.Errorf("what was shown already was asked for %d times", n)
			}
		})
	}
}

func TestAKeyIsInNoError(t *testing.T) {
	t.Parallel()
	key := "sk-" + strings.Repeat("madeup", 5)
	bodies := map[string]modeltest.Response{
		"echoed":          modeltest.Error(401, `{"error":{"message":"Incorrect API key provided: `+key+`."}}`),
		"echoed in parts": modeltest.Error(401, `{"error":{"message":"Incorrect API key provided: `+key[:8]+`****`+key[20:]+`."}}`),
		"in a header":     modeltest.Error(400, `bad header: Authorization: Bearer `+key),
		"at the cut":      modeltest.Error(400, `{"error":"`+strings.Repeat("x", detailLimit-10)+" "+key+`"}`),
		"in a stream":     {Body: modeltest.SSE(`{"error":{"message":"key ` + key + ` is over its limit","code":403}}`)},
		"in a page":       {Body: []string{"<html><title>" + key + "</title>"}},
	}
	for name, r := range bodies {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.OpenAI(t, r)
			cfg := testConfig(s.URL)
			cfg.Key = func(context.Context) (string, error) { return key, nil }
			_, err := NewOpenAI(cfg).Stream(context.Background(), hello, func(Delta) {})
			if err == nil {
				t.Fatal("no error")
			}
			for e := err; e != nil; e = errors.Unwrap(e) {
				if strings.Contains(e.Error(), "madeup") {
					t.Errorf("the key is in %q", e)
				}
			}
		})
	}
}

func TestAPasswordInTheAddressIsInNoError(t *testing.T) {
	t.Parallel()
	cfg := testConfig("http://user:" + "made-up-pass" + "@127.0.0.1:1/v1")
	_, err := NewOpenAI(cfg).Stream(context.Background(), hello, func(Delta) {})
	if err == nil || strings.Contains(err.Error(), "made-up-pass") {
		t.Errorf("error %v", err)
	}
}

func TestAKeyThatCannotBeHadIsAnAuthProblem(t *testing.T) {
	t.Parallel()
	cfg := testConfig("http://127.0.0.1:1/v1")
	cfg.Key = func(context.Context) (string, error) { return "", errors.New("the command failed") }
	_, err := NewOpenAI(cfg).Stream(context.Background(), hello, func(Delta) {})
	if !IsProblem(err, Auth) || !strings.Contains(err.Error(), "the command failed") {
		t.Errorf("error %v", err)
	}
}

func TestWhatCannotBecomeARequestIsSaid(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		base, key string
		want      Problem
		do        string
	}{
		"no scheme":     {"localhost:8000/v1", "", Unreachable, "http://"},
		"another":       {"ftp://localhost/v1", "", Unreachable, "http://"},
		"no address":    {"::", "", Unreachable, "http://"},
		"a broken key":  {"http://127.0.0.1:1/v1", "made\nup", Auth, "Check"},
		"a pasted word": {"http://127.0.0.1:1/v1", "made up", Auth, "Check"},
	} {
		cfg := testConfig(c.base)
		cfg.Key = func(context.Context) (string, error) { return c.key, nil }
		_, err := NewOpenAI(cfg).Stream(context.Background(), hello, func(Delta) {})
		if !IsProblem(err, c.want) || !strings.Contains(err.Error(), c.do) || c.key != "" && strings.Contains(err.Error(), c.key) {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := NewOpenAI(cfg).List(context.Background()); !IsProblem(err, c.want) {
			t.Errorf("%s, listing: %v", name, err)
		}
	}
}

func TestAServerThatIsDownIsUnreachable(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	clock := &noSleep{}
	cfg := testConfig("http://" + addr + "/v1")
	cfg.Name, cfg.Sleep = "ollama", clock.sleep
	var got streamed
	_, err = NewOpenAI(cfg).Stream(context.Background(), hello, got.emit)
	if !IsProblem(err, Unreachable) || !strings.Contains(err.Error(), "ollama serve") {
		t.Errorf("error %v", err)
	}
	if len(clock.waits) != maxAttempts-1 || len(got.waits) != maxAttempts-1 || !strings.Contains(got.waits[0].Reason, addr) {
		t.Errorf("waited %v, announced %+v", clock.waits, got.waits)
	}
	if _, err := NewOpenAI(cfg).List(context.Background()); !IsProblem(err, Unreachable) {
		t.Errorf("listing: %v", err)
	}
}

func TestAServerThatDoesNotSpeakHTTPIsRubbish(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { // ends with the listener
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("SSH-2.0-test\r\n"))
			_ = c.Close()
		}
	}()
	defer l.Close()
	_, err = NewOpenAI(testConfig("http://"+l.Addr().String())).Stream(context.Background(), hello, func(Delta) {})
	if !IsProblem(err, Rubbish) {
		t.Errorf("error %v", err)
	}
}

func TestRetriesHonourRetryAfter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, header, value string
		want                time.Duration
	}{
		{"seconds", "Retry-After", "7", 7 * time.Second},
		{"a date", "Retry-After", noon.Add(20 * time.Second).Format(http.TimeFormat), 20 * time.Second},
		{"a date that has passed", "Retry-After", noon.Add(-time.Hour).Format(http.TimeFormat), 0},
		{"milliseconds", "Retry-After-Ms", "1500", 1500 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.OpenAI(t, modeltest.Error(429, `{"error":{"message":"slow down"}}`, c.header, c.value), modeltest.OpenAIText("yes"))
			clock := &noSleep{}
			cfg := testConfig(s.URL)
			cfg.Sleep = clock.sleep
			a, err := NewOpenAI(cfg).Stream(context.Background(), hello, func(Delta) {})
			if err != nil || a.Message.Text != "yes" {
				t.Fatalf("%q, %v", a.Message.Text, err)
			}
			if len(clock.waits) != 1 || clock.waits[0] != c.want {
				t.Errorf("waited %v, want %v", clock.waits, c.want)
			}
		})
	}
}

func TestRetriesAreBounded(t *testing.T) {
	t.Parallel()
	for _, status := range []int{429, 500, 502, 503, 529} {
		s := modeltest.OpenAI(t)
		for range maxAttempts {
			s.Add(modeltest.Error(status, `{"error":{"message":"later"}}`))
		}
		clock := &noSleep{}
		cfg := testConfig(s.URL)
		cfg.Sleep = clock.sleep
		_, err := NewOpenAI(cfg).Stream(context.Background(), hello, func(Delta) {})
		if err == nil || len(s.Requests()) != maxAttempts {
			t.Errorf("HTTP %d: %d requests, %v", status, len(s.Requests()), err)
		}
		for i, w := range clock.waits {
			middle := time.Second << i
			if w < middle*3/4 || w > middle*5/4 {
				t.Errorf("HTTP %d: wait %d is %v", status, i+1, w)
			}
		}
	}
}

func TestWhatWaitingDoesNotMendIsNotRetried(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]modeltest.Response{
		"a wrong key":        modeltest.Error(401, `{}`),
		"out of quota":       modeltest.Error(429, `{"error":{"message":"no","code":"insufficient_quota"}}`),
		"an hour":            modeltest.Error(429, `{}`, "Retry-After", "3600"),
		"the server says no": modeltest.Error(500, `{}`, "X-Should-Retry", "false"),
		"a bad request":      modeltest.Error(400, `{}`),
	} {
		s := modeltest.OpenAI(t, r)
		if _, err := NewOpenAI(testConfig(s.URL)).Stream(context.Background(), hello, func(Delta) {}); err == nil || len(s.Requests()) != 1 {
			t.Errorf("%s: %d requests, %v", name, len(s.Requests()), err)
		}
	}
}

func TestASilentServerTimesOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		response modeltest.Response
		keep     string
	}{
		"before its answer":      {modeltest.Response{Before: time.Hour}, ""},
		"after the headers":      {modeltest.Response{Body: []string{": wait\n\n"}, Hang: true}, ""},
		"with comments only":     {modeltest.Response{Body: []string{": 1\n\n", ": 2\n\n", ": 3\n\n", ": 4\n\n"}, Between: 80 * time.Millisecond, Hang: true}, ""},
		"in the answer":          {modeltest.Response{Body: modeltest.SSE(chunkText("half")), Hang: true}, "half"},
		"in the answer, a piece": {modeltest.Response{Body: append(modeltest.SSE(chunkText("half")), "data: {"), Hang: true}, "half"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := modeltest.OpenAI(t, c.response)
			cfg := testConfig(s.URL)
			cfg.FirstByte, cfg.Stall = 200*time.Millisecond, 100*time.Millisecond
			ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancel()
			a, err := NewOpenAI(cfg).Stream(ctx, hello, func(Delta) {})
			if !IsProblem(err, Timeout) || a.Message.Text != c.keep {
				t.Errorf("%q, %v", a.Message.Text, err)
			}
		})
	}
}

func TestCancellingEndsAStreamAtOnce(t *testing.T) {
	t.Parallel()
	type how struct {
		response modeltest.Response
		when     func(Delta) bool
		keep     string
	}
	for name, c := range map[string]how{
		"before the answer": {modeltest.Response{Before: time.Hour}, nil, ""},
		"in the answer":     {modeltest.Response{Body: modeltest.SSE(chunkText("half")), Hang: true}, func(d Delta) bool { return d.Text != "" }, "half"},
		"in a wait":         {modeltest.Error(503, `{}`, "Retry-After", "50"), func(d Delta) bool { return d.Wait > 0 }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, anthropic := range []bool{false, true} {
				s := modeltest.OpenAI(t, c.response)
				cfg := testConfig(s.URL)
				cfg.Sleep = nil
				var m Model = NewOpenAI(cfg)
				if anthropic && c.keep == "" {
					m = NewAnthropic(cfg)
				}
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if c.when == nil {
					time.AfterFunc(50*time.Millisecond, cancel)
				}
				begun := time.Now()
				a, err := m.Stream(ctx, hello, func(d Delta) {
					if c.when != nil && c.when(d) {
						time.AfterFunc(10*time.Millisecond, cancel)
					}
				})
				if !errors.Is(err, context.Canceled) || a.Message.Text != c.keep || !a.Message.Partial {
					t.Errorf("%q, partial %v, %v", a.Message.Text, a.Message.Partial, err)
				}
				if d := time.Since(begun); d > 5*time.Second {
					t.Errorf("it took %v", d)
				}
			}
		})
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	asked := make(chan http.Header, 1)
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { asked <- r.Header }))
	defer other.Close()
	s := modeltest.Anthropic(t, modeltest.Error(307, ``, "Location", other.URL))
	cfg := testConfig(s.URL)
	cfg.Key = func(context.Context) (string, error) { return "made-up", nil }
	_, err := NewAnthropic(cfg).Stream(context.Background(), hello, func(Delta) {})
	if err == nil || len(asked) != 0 {
		t.Errorf("error %v, the other host was asked %d times", err, len(asked))
	}
}
