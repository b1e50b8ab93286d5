// Package modeltest has scripted model servers for tests: one that speaks
// OpenAI's chat completions, one for Anthropic's messages, one that behaves
// like Ollama. Each answers the requests it gets with the responses it was
// given, in order, and records what was sent. They listen on the loopback and
// end with the test. Nothing here knows package model, so that its own tests
// can use them.
package modeltest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Response is one scripted answer.
type Response struct {
	Status int               // 200 if 0
	Header map[string]string // Content-Type is text/event-stream if not set
	// Body is sent piece by piece, each flushed, so that a reader sees the
	// borders between them.
	Body []string
	// Before is waited before anything is sent, Between before each piece but
	// the first. Waiting ends when the client goes away.
	Before, Between time.Duration
	// Cut closes the connection after the body, in the middle of the answer.
	Cut bool
	// Hang keeps the connection open after the body until the client goes
	// away.
	Hang bool
}

// Request is what a server was sent.
type Request struct {
	Method, Path string
	Header       http.Header
	Body         []byte
}

// JSON is the body as Go values.
func (r Request) JSON() map[string]any {
	var v map[string]any
	if json.Unmarshal(r.Body, &v) != nil {
		return nil
	}
	return v
}

// Server is a scripted server.
type Server struct {
	// URL is the address to give to an adapter as its base URL.
	URL string
	// Root is the address without a path.
	Root string

	t      testing.TB
	mu     sync.Mutex
	script []Response
	models []string
	got    []Request
	done   chan struct{}
}

// OpenAI is a server of OpenAI's kind. The names are what it offers.
func OpenAI(t testing.TB, responses ...Response) *Server { return start(t, "/v1", responses) }

// Anthropic is a server of Anthropic's kind.
func Anthropic(t testing.TB, responses ...Response) *Server { return start(t, "", responses) }

// Ollama is a server like Ollama: OpenAI-compatible under /v1, with its own
// list of models under /api/tags.
func Ollama(t testing.TB, responses ...Response) *Server { return start(t, "/v1", responses) }

func start(t testing.TB, path string, responses []Response) *Server {
	s := &Server{t: t, script: responses, models: []string{"test-model"}, done: make(chan struct{})}
	h := httptest.NewServer(http.HandlerFunc(s.serve))
	s.Root, s.URL = h.URL, h.URL+path
	t.Cleanup(func() {
		close(s.done) // lets what hangs go, so that Close can end
		h.CloseClientConnections()
		h.Close()
	})
	return s
}

// Offer sets the names of the models that the server lists.
func (s *Server) Offer(models ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.models = models
}

// Add appends to the script.
func (s *Server) Add(responses ...Response) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.script = append(s.script, responses...)
}

// Requests are the requests for answers so far, oldest first; those for the
// list of models are not among them.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.got...)
}

// Last is the newest request.
func (s *Server) Last() Request {
	all := s.Requests()
	if len(all) == 0 {
		s.t.Helper()
		s.t.Fatal("the server got no request")
	}
	return all[len(all)-1]
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		s.list(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client went away
	}
	s.mu.Lock()
	s.got = append(s.got, Request{r.Method, r.URL.Path, r.Header.Clone(), body})
	if len(s.script) == 0 {
		n := len(s.got)
		s.mu.Unlock()
		s.t.Errorf("request %d is one more than the script has answers for", n)
		http.Error(w, "the script is at its end", http.StatusTeapot)
		return
	}
	next := s.script[0]
	s.script = s.script[1:]
	s.mu.Unlock()
	s.play(w, r, next)
}

// wait returns false when the client or the test ended first.
func (s *Server) wait(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-r.Context().Done():
	case <-s.done:
	}
	return false
}

func (s *Server) play(w http.ResponseWriter, r *http.Request, next Response) {
	if !s.wait(r, next.Before) {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for k, v := range next.Header {
		w.Header().Set(k, v)
	}
	if next.Status != 0 {
		w.WriteHeader(next.Status)
	}
	flusher := w.(http.Flusher)
	for i, piece := range next.Body {
		if i > 0 && !s.wait(r, next.Between) {
			return
		}
		if _, err := io.WriteString(w, piece); err != nil {
			return
		}
		flusher.Flush()
	}
	switch {
	case next.Hang:
		flusher.Flush()
		s.wait(r, time.Hour)
	case next.Cut:
		flusher.Flush()
		panic(http.ErrAbortHandler) // closes the connection without the end of the body
	}
}

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	models := s.models
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	var doc any
	switch {
	case strings.HasSuffix(r.URL.Path, "/api/tags"):
		doc = map[string]any{"models": named("name", models)}
	case strings.HasSuffix(r.URL.Path, "/models"):
		doc = map[string]any{"object": "list", "data": named("id", models)}
	default:
		http.NotFound(w, r)
		return
	}
	if err := json.NewEncoder(w).Encode(doc); err != nil {
		s.t.Errorf("the list of models was not sent: %v", err)
	}
}

func named(field string, names []string) []map[string]string {
	out := make([]map[string]string, 0, len(names))
	for _, n := range names {
		out = append(out, map[string]string{field: n})
	}
	return out
}
