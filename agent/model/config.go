package model

import (
	"context"
	"net/http"
	"time"
)

// Limits that hold where a Config leaves them out. They are generous: a local
// server may load a model or read a long prompt for minutes before the first
// byte.
const (
	DefaultFirstByte = 5 * time.Minute
	DefaultStall     = 2 * time.Minute
)

// Config is what an adapter needs to know of a server. Only Model is always
// required.
type Config struct {
	// Name is the provider as shown before the slash: "openai", "ollama", or
	// the name of a custom one.
	Name string
	// Model is the name that the server knows.
	Model string
	// BaseURL is where the API begins, for OpenAI-compatible servers with its
	// "/v1". Empty is the provider's own.
	BaseURL string
	// Key returns the API key, or "" for a server that wants none. It is
	// called for every request, so it may run a command that renews keys. Nil
	// means no key.
	Key func(context.Context) (string, error)
	// HTTP makes the requests; nil is a client that dials for at most 10
	// seconds and has no other limit. Redirects are never followed, whatever
	// it says: a key must not travel to another host.
	HTTP *http.Client
	// FirstByte bounds the time from sending a request to the first event of
	// the answer, and between two events. Stall bounds the silence between two
	// reads once the answer has begun. Zero is the default; negative is none.
	FirstByte, Stall time.Duration
	// Context is the size of the model's context in tokens; 0 looks the name
	// up in a small table.
	Context int
	// Now and Sleep are the clock; nil is the real one. Sleep returns early,
	// with the context's error, when the context ends.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
}

// withDefaults fills in what is left out.
func (c Config) withDefaults() Config {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	if c.FirstByte == 0 {
		c.FirstByte = DefaultFirstByte
	}
	if c.Stall == 0 {
		c.Stall = DefaultStall
	}
	if c.Key == nil {
		c.Key = func(context.Context) (string, error) { return "", nil }
	}
	c.HTTP = clientOf(c.HTTP)
	return c
}

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
