// Package milvustest has servers for tests: one that speaks Milvus's RESTful
// API v2 as documented, with its state and its errors, and one that speaks the
// OpenAI-compatible /embeddings with a small model of its own, whose vectors
// follow from the words of a text. Both can be killed and brought back at the
// same address, be slow, and fail as told; both keep what they were sent.
//
// They are written from Milvus's API reference and know nothing of the client
// that they test.
package milvustest

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// A Request is one that a server received, also one that it failed.
type Request struct {
	Action        string // the path behind the API's own part, such as "entities/upsert"
	Body          string
	Authorization string
}

// A Fault is what goes wrong with a request. The zero Fault is none.
type Fault struct {
	Code   int           // Milvus's code, in an answer with HTTP status 200
	Status int           // an HTTP status other than 200
	Body   string        // of an answer with a Status
	Header http.Header   // of an answer with a Status
	Delay  time.Duration // before anything else; ends when the client leaves
	Drop   bool          // the connection is cut without an answer
	After  bool          // the request is carried out, then the fault strikes
}

// A host is a server at an address that outlives it.
type host struct {
	t    testing.TB
	addr string
	mux  http.Handler

	mu       sync.Mutex
	server   *http.Server
	done     chan struct{}
	requests []Request
	counts   map[string]int
	fault    func(action string, n int) Fault
	token    string
}

func (h *host) start(t testing.TB, handler http.Handler) {
	h.t, h.mux, h.counts = t, handler, map[string]int{}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	h.addr = l.Addr().String()
	h.serve(l)
	t.Cleanup(h.Kill)
}

func (h *host) serve(l net.Listener) {
	s, done := &http.Server{Handler: h.mux}, make(chan struct{})
	h.mu.Lock()
	h.server, h.done = s, done
	h.mu.Unlock()
	go func() {
		defer close(done)
		_ = s.Serve(l) // it ends with ErrServerClosed when the test kills it
	}()
}

// URL is the server's address, which stays the same when it is killed.
func (h *host) URL() string { return "http://" + h.addr }

// Kill cuts all connections; from then on nobody listens at the address. The
// state stays.
func (h *host) Kill() {
	h.mu.Lock()
	s, done := h.server, h.done
	h.server = nil
	h.mu.Unlock()
	if s == nil {
		return
	}
	_ = s.Close()
	<-done
}

// Revive brings a killed server back.
func (h *host) Revive() {
	h.t.Helper()
	var err error
	for range 50 {
		var l net.Listener
		if l, err = net.Listen("tcp", h.addr); err == nil {
			h.serve(l)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	h.t.Fatalf("listen at %s again: %v", h.addr, err)
}

// Fail has a function decide what goes wrong: it is given the action and how
// often it was asked for since, from 1. It may be called by several requests at
// once, and may make requests itself. Nil is for nothing.
func (h *host) Fail(fault func(action string, n int) Fault) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fault, h.counts = fault, map[string]int{}
}

// Require has the server refuse requests that don't carry the token.
func (h *host) Require(token string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.token = token
}

// Requests are those that were received so far, the oldest first.
func (h *host) Requests() []Request {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]Request(nil), h.requests...)
}

// Count is how many requests for an action were received.
func (h *host) Count(action string) int {
	n := 0
	for _, r := range h.Requests() {
		if r.Action == action {
			n++
		}
	}
	return n
}

// Sent says whether a text is in anything that was received.
func (h *host) Sent(text string) bool {
	for _, r := range h.Requests() {
		if strings.Contains(r.Body, text) {
			return true
		}
	}
	return false
}

// receive notes a request and answers it where a fault or the token says so.
// after is what to do once it was carried out.
func (h *host) receive(w http.ResponseWriter, r *http.Request, action string, unauthorised any) (body []byte, after Fault, done bool) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, Fault{}, true
	}
	h.mu.Lock()
	h.requests = append(h.requests, Request{action, string(body), r.Header.Get("Authorization")})
	h.counts[action]++
	n, fault, token := h.counts[action], h.fault, h.token
	h.mu.Unlock()
	var f Fault
	if fault != nil {
		f = fault(action, n)
	}
	if token != "" && r.Header.Get("Authorization") != "Bearer "+token {
		w.WriteHeader(http.StatusUnauthorized)
		reply(w, unauthorised)
		return nil, Fault{}, true
	}
	if f.After {
		return body, f, false
	}
	return body, Fault{}, f.strike(w, r)
}

// strike says whether the request is answered by it.
func (f Fault) strike(w http.ResponseWriter, r *http.Request) bool {
	if f.Delay > 0 {
		select {
		case <-time.After(f.Delay):
		case <-r.Context().Done():
			return true
		}
	}
	switch {
	case f.Drop:
		panic(http.ErrAbortHandler)
	case f.Status != 0:
		for k, v := range f.Header {
			w.Header()[k] = v
		}
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, f.Body)
	case f.Code != 0:
		reply(w, refusal{f.Code, "as told by the test"})
	default:
		return false
	}
	return true
}

func reply(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // a client that left can't be told
}
