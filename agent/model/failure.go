package model

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"time"

	"github.com/tidwall/gjson"
)

// failure is a failed attempt, and whether and when to make another one.
type failure struct {
	err   *Error
	retry bool
	after time.Duration // what the server asked for
	asked bool          // that it did
}

// server is what errors say of the one that was asked. key is taken out of
// every text.
type server struct {
	model string // provider/name
	where string // scheme, host and port
	local bool   // the host is this machine
	kind  string // "openai", "anthropic", "ollama": whose advice fits
	key   string
}

func newServer(model, kind, base string) server {
	s := server{model: model, kind: kind, where: "(not an address)"}
	if u, err := url.Parse(base); err == nil && u.Host != "" {
		s.where = u.Scheme + "://" + u.Host
		s.local = isLoopback(u.Hostname())
	}
	return s
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return strings.EqualFold(host, "localhost") || ip != nil && ip.IsLoopback()
}

// detailLimit is how much of what a server said is shown, in bytes.
const detailLimit = 300

// credential matches what looks like a key, so that a server's echo of one in
// another spelling is masked too.
var credential = regexp.MustCompile(`(?i)(bearer\s+|x-api-key:?\s*)\S+|\b(sk|rk|pk|key|gsk|xai|hf|nvapi|AIza)[-_][A-Za-z0-9*_-]{6,}`)

// mask takes the key, and what looks like one, out of a text.
func (s server) mask(text string) string {
	if len(s.key) >= 4 {
		text = strings.ReplaceAll(text, s.key, "[key]")
		text = strings.ReplaceAll(text, url.QueryEscape(s.key), "[key]")
	}
	return credential.ReplaceAllString(text, "[key]")
}

// detail is what is shown of a server's words: masked before it is cut, so
// that no cut leaves half a key.
func (s server) detail(text string) string { return excerpt(s.mask(text), detailLimit) }

// complained makes a failure of what a server said.
func (s server) complained(c complaint, h http.Header, now time.Time) *failure {
	p := problemOf(c)
	f := &failure{
		err:   &Error{Problem: p, Model: s.model, Where: s.where, Detail: s.detail(c.message), Status: c.status},
		retry: worthRetrying(c, p),
	}
	f.after, f.asked = retryAfter(h, now)
	if h.Get("X-Should-Retry") == "false" { // both SDKs' servers send it
		f.retry = false
	}
	f.err.Advice = s.advice(p, c)
	return f
}

// refused makes a failure of an answer that is no success.
func (s server) refused(e *statusError, now time.Time) *failure {
	c, ok := complaint{}, false
	if gjson.ValidBytes(e.body) {
		c, ok = complaintOf(gjson.ParseBytes(e.body))
	}
	if !ok {
		c.message = strings.TrimSpace(string(e.body))
		if strings.HasPrefix(c.message, "<") {
			c.message = pageTitle(e.body)
		}
	}
	c.status = e.status
	if e.status < 400 {
		c.message = "it redirects to " + withoutSecrets(e.header.Get("Location"))
	}
	return s.complained(c, e.header, now)
}

func withoutSecrets(location string) string {
	u, err := url.Parse(location)
	if err != nil || u.Host == "" {
		return "another address"
	}
	return u.Scheme + "://" + u.Host + u.Path
}

// failed makes a failure of an error of the network or of reading. begun says
// that part of the answer had come.
func (s server) failed(ctx context.Context, err error, begun bool) *failure {
	e := &Error{Model: s.model, Where: s.where, Err: withoutURL(err)}
	f := &failure{err: e}
	cause := context.Cause(ctx)
	var unknownHost *net.DNSError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var netErr net.Error
	switch {
	case errors.Is(cause, errNoFirstByte):
		e.Problem, e.Detail, e.Err = Timeout, errNoFirstByte.Error(), cause
	case errors.Is(cause, errStalled):
		e.Problem, e.Detail, e.Err = Timeout, errStalled.Error(), cause
	case errors.Is(err, errTooLarge), errors.Is(err, errNotJSON):
		e.Problem, e.Detail = Rubbish, err.Error()
	case begun:
		e.Problem, e.Detail = Interrupted, "the answer broke off"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		e.Problem, e.Detail = Interrupted, "the server closed the connection without an answer"
		f.retry = true
	case errors.As(err, &unknownHost):
		e.Problem, e.Detail = Unreachable, "the name "+unknownHost.Name+" is not known"
		f.retry = unknownHost.IsTemporary
	case errors.As(err, &certificate), errors.As(err, &authority):
		e.Problem, e.Detail = Unreachable, "its certificate is not trusted: "+s.detail(e.Err.Error())
	case strings.Contains(err.Error(), "malformed HTTP"), strings.Contains(err.Error(), "HTTP response to HTTPS"):
		e.Problem, e.Detail = Rubbish, "it does not speak HTTP(S) as the address says"
	case errors.As(err, &netErr) && netErr.Timeout():
		e.Problem, e.Detail = Unreachable, "it does not answer"
		f.retry = true
	default:
		e.Problem, e.Detail = Unreachable, s.detail(e.Err.Error())
		f.retry = true
	}
	e.Advice = s.advice(e.Problem, complaint{})
	e.Err = hidden{err: e.Err, text: s.detail(e.Err.Error())}
	return f
}

// hidden is an error whose text has no key; errors.Is and As see what it was.
type hidden struct {
	err  error
	text string
}

func (h hidden) Error() string { return h.text }
func (h hidden) Unwrap() error { return h.err }

// withoutURL takes off the layer of net/http that repeats the whole address.
func withoutURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// rubbish is a failure to understand what came.
func (s server) rubbish(what string) *failure {
	return &failure{err: &Error{
		Problem: Rubbish, Model: s.model, Where: s.where, Detail: s.detail(what),
		Advice: s.advice(Rubbish, complaint{}),
	}}
}

// advice says what a person can do. It names no command of an interface: each
// has its own, and some have none.
func (s server) advice(p Problem, c complaint) string {
	text := c.kind + " " + c.message
	switch p {
	case Unreachable:
		switch {
		case s.kind == "ollama":
			return "Start it with \"ollama serve\", or set OLLAMA_HOST"
		case s.local:
			return "Start the server, or choose another model"
		}
		return "Check the network and base_url; the model offline works without one"
	case Timeout:
		return "The server may be loading the model or be overloaded: try again, or choose another model"
	case Auth:
		return "Check the key in " + s.keyPlace() + "; it may be wrong, expired, or not allowed this model"
	case RateLimit:
		if money.MatchString(text) {
			return "The account is out of credit: check its plan and billing, or choose another model"
		}
		return "Wait a moment and try again, or choose another model"
	case TooLong:
		return "Compact the conversation, or begin a new one"
	case NoModel:
		return s.modelAdvice(c)
	case Server:
		return "The trouble is at the server: try again in a while, or choose another model"
	case Interrupted:
		return "What had come is kept"
	case Rubbish:
		return "This may be no model server: check base_url (OpenAI-compatible ones usually end in /v1)"
	}
	switch {
	case c.status >= 300 && c.status < 400:
		return "Set base_url to the address that it redirects to"
	case noTools.MatchString(text):
		return "This model or server can't use tools: choose another model, or start with --no-memory"
	case money.MatchString(text):
		return "The account is out of credit: check its plan and billing, or choose another model"
	}
	return "The server did not accept the request: choose another model"
}

func (s server) modelAdvice(c complaint) string {
	if c.message == "" || !strings.Contains(strings.ToLower(c.kind+" "+c.message), "model") {
		return "Nothing is at that address: check base_url (OpenAI-compatible servers usually end in /v1), and the model's name"
	}
	if s.kind == "ollama" {
		_, name, _ := strings.Cut(s.model, "/")
		return fmt.Sprintf("\"ollama pull %s\" fetches it, or choose a model that is there", name)
	}
	return "Choose one of the models that the server offers"
}

func (s server) keyPlace() string {
	switch s.kind {
	case "openai":
		return "OPENAI_API_KEY"
	case "anthropic":
		return "ANTHROPIC_API_KEY"
	}
	return "the variable or command that the provider's settings name"
}
