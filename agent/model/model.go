// Package model is what a language model is to Reverie: something that reads
// a request and streams an answer, perhaps with tool calls. Each provider has
// an adapter in this package. It leaves the turn loop, tools and prompts to
// package agent.
package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// Role says who speaks in a Message.
type Role string

const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool" // the result of one tool call
)

// Message is one message of a conversation's history.
type Message struct {
	Role      Role       `json:"role"`
	Text      string     `json:"text,omitempty"`
	Reasoning string     `json:"reasoning,omitempty"` // shown folded; sent back only where a provider requires it
	Signature string     `json:"signature,omitempty"` // what a provider needs to accept its reasoning back
	Calls     []ToolCall `json:"calls,omitempty"`     // of an assistant
	CallID    string     `json:"call_id,omitempty"`   // of a tool result
	Name      string     `json:"name,omitempty"`      // of a tool result: the tool
	Failed    bool       `json:"failed,omitempty"`    // of a tool result
	Time      time.Time  `json:"time,omitzero"`
	Model     string     `json:"model,omitempty"` // who answered, provider/name
	// Partial marks an answer that was stopped or broken off.
	Partial bool `json:"partial,omitempty"`
}

// ToolCall is what a model asks for. Arguments are JSON as the model wrote
// them, possibly invalid; ID is never empty (an adapter makes one up).
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// ToolSpec describes a tool to a model. Schema is a JSON schema of an object.
type ToolSpec struct {
	Name        string
	Description string
	Schema      json.RawMessage
}

// Request is everything a model gets. Stable is the part of the system prompt
// that does not change within a session, so that providers can cache it;
// Volatile follows it and is rebuilt for every request.
type Request struct {
	Stable    string
	Volatile  string
	Messages  []Message
	Tools     []ToolSpec
	MaxTokens int // of the answer; 0 leaves it to the adapter
}

// Delta is a piece of a streamed answer.
type Delta struct {
	Text      string
	Reasoning string
	// Wait is set while an adapter waits to try again: how long, and why.
	Wait   time.Duration
	Reason string
}

// Usage counts tokens; all zero where a server does not say.
type Usage struct {
	Input  int `json:"input"`
	Output int `json:"output"`
	Cached int `json:"cached,omitempty"`
}

// Answer is a whole answer.
type Answer struct {
	Message Message // Role Assistant
	Usage   Usage
	Stop    string // "end", "tools", "length", "refusal"
}

// Model is one language model.
type Model interface {
	// Name is provider/name, such as "openai/gpt-4o-mini", or "offline".
	Name() string
	// Window is the size of its context in tokens, 0 if not known.
	Window() int
	// Stream sends a request and calls emit with each piece as it comes, from
	// the calling goroutine. It returns the whole answer; with an error, what
	// had come until then. It ends promptly when ctx does.
	Stream(ctx context.Context, r Request, emit func(Delta)) (Answer, error)
}

// Lister is a provider that can say which models it offers.
type Lister interface {
	List(ctx context.Context) ([]string, error)
}

// Problem sorts failures by what a caller does about them.
type Problem string

const (
	Unreachable Problem = "unreachable" // nothing answers there
	Timeout     Problem = "timeout"
	Auth        Problem = "auth"       // 401, 403
	RateLimit   Problem = "rate limit" // 429
	TooLong     Problem = "too long"   // the context does not fit
	BadRequest  Problem = "bad request"
	Server      Problem = "server"      // 5xx
	Interrupted Problem = "interrupted" // the stream broke off
	Rubbish     Problem = "rubbish"     // what came can't be understood
	NoModel     Problem = "no model"    // 404, or the name is not known
)

// Error is a failed request. Its text never contains a key.
type Error struct {
	Problem Problem
	Model   string // provider/name
	Where   string // scheme, host and port of the server
	Detail  string // what the server said, cut to a few hundred characters
	Advice  string // what the user can do
	Status  int    // HTTP status, 0 if none
	Err     error
}

func (e *Error) Error() string {
	s := fmt.Sprintf("%s at %s: %s", e.Model, e.Where, e.Problem)
	if e.Status != 0 {
		s += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	if e.Advice != "" {
		s += ". " + e.Advice
	}
	return s
}

func (e *Error) Unwrap() error { return e.Err }

// IsProblem reports whether err is an Error of kind p.
func IsProblem(err error, p Problem) bool {
	var e *Error
	return errors.As(err, &e) && e.Problem == p
}
