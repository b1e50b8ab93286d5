package vector

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"

	"reverie/memstore/guard"
)

const (
	requestTime = 30 * time.Second // for one request
	maxTries    = 4                // of one request, in all
	firstPause  = 200 * time.Millisecond
	longestWait = 20 * time.Second // that a server's Retry-After may ask for
	maxAnswer   = 256 << 20
	maxMessage  = 300 // bytes of a server's own words in an error
)

// A server is an address that takes JSON, with a secret that authorises.
type server struct {
	name   string // for errors
	base   string // without a slash at the end
	secret func() string
	client *http.Client
	tries  int
	pause  time.Duration // before the second try; it doubles
}

// newServer checks an address. Redirects are refused: a memory goes to the host
// that the user named and to no other.
func newServer(name, address string, secret func() string, client *http.Client) (server, error) {
	u, err := url.Parse(strings.TrimSpace(address))
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return server{}, fmt.Errorf("the address of %s must begin with http:// or https:// and name a host", name)
	case u.User != nil:
		return server{}, fmt.Errorf("the address of %s must hold no user name or password; give them as the token", name)
	case u.RawQuery != "" || u.Fragment != "":
		return server{}, fmt.Errorf("the address of %s must end with its path, without ? or #", name)
	}
	var c http.Client
	if client != nil {
		c = *client
	}
	c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.Timeout = cmp.Or(c.Timeout, requestTime)
	if secret == nil {
		secret = func() string { return "" }
	}
	return server{name, strings.TrimRight(u.String(), "/"), secret, &c, maxTries, firstPause}, nil
}

// post sends a request and returns the answer's body, trying again where the
// server says that it is busy. check looks at a body with HTTP status 200 and
// may find a failure in it, which it says whether to retry.
func (s *server) post(ctx context.Context, path string, body any, check func([]byte) (again bool, err error)) error {
	encoded, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encode a request for %s: %w", s.name, err)
	}
	pause := s.pause
	for try := 1; ; try++ {
		answer, wait, err := s.once(ctx, path, encoded)
		again := wait > 0
		if err == nil {
			again, err = check(answer)
		}
		if err == nil || !again || try == s.tries {
			return err
		}
		if !sleep(ctx, max(pause, wait)) {
			return err
		}
		pause *= 2
	}
}

// once is one try. wait is above zero where another may help, and how long the
// server asks to wait before it.
func (s *server) once(ctx context.Context, path string, body []byte) (answer []byte, wait time.Duration, err error) {
	at := s.base + path
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, at, bytes.NewReader(body))
	if err != nil {
		return nil, 0, err
	}
	secret := s.secret()
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	// Every request may be sent twice: net/http may do so where a connection
	// that was kept open turns out to be closed. It does not send this header.
	req.Header["Idempotency-Key"] = nil
	if secret != "" {
		req.Header.Set("Authorization", "Bearer "+secret)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
		return nil, 0, &UnreachableError{s.name, at, err}
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		return nil, 0, &UnreachableError{s.name, at, err}
	}
	if resp.StatusCode == http.StatusOK {
		return answer, 0, nil
	}
	return nil, retryAfter(resp), &HTTPError{s.name, at, resp.StatusCode, s.message(answer, secret)}
}

// retryAfter is zero where the same request would fail again.
func retryAfter(resp *http.Response) time.Duration {
	switch resp.StatusCode {
	case http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusBadGateway,
		http.StatusServiceUnavailable, http.StatusGatewayTimeout:
	default:
		return 0
	}
	h := resp.Header.Get("Retry-After")
	wait := time.Duration(1)
	if n, err := strconv.Atoi(h); err == nil {
		wait = time.Duration(n) * time.Second
	} else if t, err := http.ParseTime(h); err == nil {
		wait = time.Until(t)
	}
	return min(max(wait, 1), longestWait)
}

// message is what a server says about a failure, fit to be shown: servers quote
// keys, and what they were sent.
func (s *server) message(body []byte, secret string) string {
	var said struct {
		Message string          `json:"message"`
		Error   json.RawMessage `json:"error"`
	}
	text := string(body)
	if json.Unmarshal(body, &said) == nil {
		var inner struct {
			Message string `json:"message"`
		}
		var plain string
		switch {
		case said.Message != "":
			text = said.Message
		case json.Unmarshal(said.Error, &inner) == nil && inner.Message != "":
			text = inner.Message
		case json.Unmarshal(said.Error, &plain) == nil && plain != "":
			text = plain
		}
	}
	return clean(text, secret)
}

// clean makes a server's words one short line without credentials.
func clean(text, secret string) string {
	text = strings.ToValidUTF8(text, "�")
	if secret != "" {
		text = strings.ReplaceAll(text, secret, "…")
		if user, password, ok := strings.Cut(secret, ":"); ok && user != "" && len(password) >= 4 {
			text = strings.ReplaceAll(text, password, "…")
		}
	}
	text = guard.Mask(text)
	text = strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.C, r)
	}), " ")
	return beginning(text, maxMessage)
}

// beginning is at most n bytes of text, ending with a whole character.
func beginning(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "")
}

// sleep says whether it slept to the end. It does not begin where ctx ends
// before.
func sleep(ctx context.Context, d time.Duration) bool {
	if end, ok := ctx.Deadline(); ok && time.Until(end) <= d {
		return false
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}
