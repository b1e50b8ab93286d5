package model

import (
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// complaint is what a server said went wrong, whatever shape it said it in.
type complaint struct {
	status  int    // HTTP status, or the one that the body names; 0 if none
	kind    string // type and code, in lower case, with a space between
	message string
}

// complaintOf reads the error out of a JSON body. The shapes are those of
// OpenAI ({"error":{"message","type","code"}}), Anthropic (the same below a
// "type":"error"), OpenRouter (a numeric code, and the provider's own words
// in metadata.raw), Ollama ({"error":"text"}), vLLM ({"object":"error",
// "message","code"}), FastAPI ({"detail":"text"} or a list of {"msg"}) and
// gateways ({"message"}, {"errors":[{"message"}]}). ok is false where the body
// holds no error.
func complaintOf(body gjson.Result) (c complaint, ok bool) {
	if body.IsArray() { // Google wraps the whole in a list
		body = body.Get("0")
	}
	e := body.Get("error")
	switch {
	case e.IsObject():
		c.message = e.Get("message").String()
		for _, f := range []string{"type", "code", "status"} {
			c.add(e.Get(f))
		}
		if raw := e.Get("metadata.raw"); raw.Exists() && raw.String() != c.message {
			c.message = strings.TrimPrefix(c.message+": "+raw.String(), ": ")
		}
	case e.Type == gjson.String && e.Str != "":
		c.message = e.Str
	case body.Get("object").String() == "error" || body.Get("type").String() == "error":
		c.message = body.Get("message").String()
	case body.Get("detail").Exists():
		if d := body.Get("detail"); d.IsArray() {
			c.message = d.Get("0.msg").String()
		} else {
			c.message = d.String()
		}
	case body.Get("errors.0").Exists():
		c.message = body.Get("errors.0.message").String()
		if c.message == "" {
			c.message = body.Get("errors.0").String()
		}
	case body.Get("message").Type == gjson.String:
		c.message = body.Get("message").Str
	default:
		return complaint{}, false
	}
	for _, f := range []string{"type", "code", "error_type", "status"} {
		c.add(body.Get(f))
	}
	if c.status == 0 {
		c.status = statusOfKind(c.kind)
	}
	return c, true
}

// add takes a type or code over: a number is a status where it can be one.
func (c *complaint) add(v gjson.Result) {
	if n := v.Int(); (v.Type == gjson.Number || v.Type == gjson.String) && n >= 400 && n < 600 {
		if c.status == 0 {
			c.status = int(n)
		}
		return
	}
	if v.Type == gjson.String && v.Str != "" {
		c.kind = strings.TrimSpace(c.kind + " " + strings.ToLower(v.Str))
	}
}

// statusOfKind gives the status that belongs to an error's type where a
// stream, whose own status is 200, names nothing else. The types are those of
// OpenAI's and Anthropic's references.
func statusOfKind(kind string) int {
	for _, k := range []struct {
		word   string
		status int
	}{
		{"overloaded", 529},
		{"rate_limit", http.StatusTooManyRequests},
		{"insufficient_quota", http.StatusTooManyRequests},
		{"authentication", http.StatusUnauthorized},
		{"invalid_api_key", http.StatusUnauthorized},
		{"permission", http.StatusForbidden},
		{"not_found", http.StatusNotFound},
		{"too_large", http.StatusRequestEntityTooLarge},
		{"timeout", http.StatusGatewayTimeout},
		{"unavailable", http.StatusServiceUnavailable},
		{"invalid_request", http.StatusBadRequest},
		{"api_error", http.StatusInternalServerError},
		{"server_error", http.StatusInternalServerError},
	} {
		if strings.Contains(kind, k.word) {
			return k.status
		}
	}
	return 0
}

// tooLong recognises how servers say that a request does not fit the context:
// OpenAI (maximum context length, exceeds the context window), Anthropic
// (prompt is too long, exceed context limit), llama.cpp (exceeds the available
// context size), vLLM (longer than the maximum model length), Ollama (exceeds
// the context length, prompt too long), LM Studio (greater than the context
// length), Mistral (too large for model with), Gemini (exceeds the maximum
// number of tokens), xAI (maximum prompt length), Groq (reduce the length of
// the messages), TGI (inputs tokens + max_new_tokens must be <=).
var tooLong = regexp.MustCompile(`(?i)context_length_exceeded|exceed_context_size|context_window_exceeded` +
	`|maximum context length|max(imum)? (model|prompt) length` +
	`|exceed(s|ed)?( the| this model's| maximum| max)* ((available )?context (length|size|window|limit)|maximum number of tokens)` +
	`|prompt (is )?too long|input is too long|context (length|size|window) (has been )?exceeded|context the overflows` +
	`|(greater|longer) than the( model's)? context (length|window|size)` +
	`|too large for model with|context window exceeds` +
	`|reduce the length of the (messages|prompt|input)` +
	`|max_new_tokens.{1,3}must be <=`)

// noModel recognises that the model's name is the trouble.
var noModel = regexp.MustCompile(`(?i)model_not_found|model[^.]{0,200}(not found|does not exist|doesn't exist|not (a )?valid|unknown|not loaded|not supported|is not available)|(no such|unknown|invalid) model|not a valid model|no (endpoints|models?) (found|loaded)|not_found_error.*model`)

// noTools recognises that a model can't call tools.
var noTools = regexp.MustCompile(`(?i)does not support tools|tools? (use|calling|choice)?[^.]{0,30}(is |are )?not supported|support tool use|--enable-auto-tool-choice|requires --jinja`)

// money recognises that an account is out of credit, which no waiting mends.
var money = regexp.MustCompile(`(?i)insufficient_quota|insufficient (credits?|balance|funds)|exceeded your current quota|credit balance|billing|payment`)

// problemOf sorts a complaint.
func problemOf(c complaint) Problem {
	text := c.kind + " " + c.message
	switch {
	case c.status == http.StatusRequestEntityTooLarge, c.status != http.StatusTooManyRequests && tooLong.MatchString(text):
		return TooLong
	case c.status == http.StatusTooManyRequests || strings.Contains(c.kind, "rate_limit"):
		return RateLimit
	}
	switch c.status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return Auth
	case http.StatusNotFound:
		return NoModel
	case http.StatusRequestTimeout, http.StatusGatewayTimeout:
		return Timeout
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		if noModel.MatchString(text) {
			return NoModel
		}
		return BadRequest
	}
	switch {
	case c.status >= 500, c.status == 0:
		return Server
	}
	return BadRequest
}

// worthRetrying says whether the same request may well succeed in a while.
func worthRetrying(c complaint, p Problem) bool {
	if money.MatchString(c.kind + " " + c.message) {
		return false
	}
	switch p {
	case RateLimit, Server:
		return c.status != http.StatusNotImplemented && !noTools.MatchString(c.message)
	case Timeout:
		return c.status != 0
	}
	return false
}

// retryAfter reads how long a server asks to wait: Retry-After in seconds or
// as a date (RFC 9110), or retry-after-ms, which OpenAI and Anthropic send.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms >= 0 && ms < 1e12 {
		return time.Duration(ms * float64(time.Millisecond)), true
	}
	v := strings.TrimSpace(h.Get("Retry-After"))
	if v == "" {
		return 0, false
	}
	if s, err := strconv.ParseFloat(v, 64); err == nil && s >= 0 && s < 1e9 {
		return time.Duration(s * float64(time.Second)), true
	}
	if t, err := http.ParseTime(v); err == nil {
		return max(0, t.Sub(now)), true
	}
	return 0, false
}

var (
	titleTag = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	anyTag   = regexp.MustCompile(`(?s)<[^>]*>`)
)

// pageTitle says in few words what an HTML page is.
func pageTitle(page []byte) string {
	if m := titleTag.FindSubmatch(page); m != nil {
		return "a web page titled " + strconv.Quote(excerpt(string(m[1]), 80))
	}
	return "a web page: " + excerpt(anyTag.ReplaceAllString(string(page), " "), 80)
}

// excerpt is text on one line, cut to about n bytes at a character's border.
func excerpt(s string, n int) string {
	s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " ")
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xC0 == 0x80 {
		n--
	}
	return s[:n] + "…"
}
