package model

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// linger is how long the end of a stream is waited for once the answer is
// complete: usage may follow, and some servers never close.
const linger = 3 * time.Second

// A decoder collects one answer from its events.
type decoder interface {
	// event takes an event and shows what it brings. done means that nothing
	// follows. A complaint ends the answer.
	event(c chunk, emit func(Delta)) (done bool, bad *complaint)
	// complete says whether the answer is whole although no end was marked.
	complete() bool
	// answer is what came, to be called once.
	answer(emit func(Delta)) Answer
}

// exchange makes one request and reads its answer.
func exchange(ctx context.Context, c Config, s server, d decoder, emit func(Delta),
	send func(ctx context.Context, key string) (*http.Response, error)) (Answer, *failure) {

	ctx, dog := watch(ctx, c.FirstByte, c.Stall)
	defer dog.stop()
	key, f := s.open(ctx, c)
	if f != nil {
		return Answer{}, f
	}
	s.key = key
	res, err := send(ctx, key)
	if err != nil {
		var refused *statusError
		if errors.As(err, &refused) {
			return Answer{}, s.refused(refused, c.Now())
		}
		return Answer{}, s.failed(ctx, err, false)
	}
	defer res.Body.Close()
	f = read(ctx, newChunks(watchedBody{res.Body, dog}), dog, s, d, emit, func(bad complaint) *failure {
		return s.complained(bad, res.Header, c.Now())
	})
	return d.answer(emit), f
}

// read takes the events of an answer until its end.
func read(ctx context.Context, in *chunks, dog *watchdog, s server, d decoder, emit func(Delta),
	complained func(complaint) *failure) *failure {

	begun := false
	for {
		ch, err := in.next()
		if err != nil {
			return ended(ctx, err, begun, in.strange, s, d)
		}
		if ch.done {
			return nil
		}
		dog.event()
		if bad, ok := lateError(ch); ok {
			return complained(bad)
		}
		begun = true
		done, bad := d.event(ch, emit)
		if bad != nil {
			return complained(*bad)
		}
		if done {
			return nil
		}
		if d.complete() {
			dog.closing(linger)
		}
	}
}

// ended judges the end of a stream that had no mark of its end.
func ended(ctx context.Context, err error, begun bool, strange string, s server, d decoder) *failure {
	switch {
	case d.complete():
		return nil
	case errors.Is(err, errNotJSON) && strange != "":
		return s.rubbish("the answer is not JSON: " + strange)
	case errors.Is(err, io.EOF) && !begun && strange != "":
		return s.rubbish(strange)
	}
	return s.failed(ctx, err, begun)
}

// lateError finds an error that came with HTTP status 200.
func lateError(ch chunk) (complaint, bool) {
	e := ch.data.Get("error")
	plain := !ch.data.Get("choices").Exists() && !ch.data.Get("type").Exists()
	if e.Exists() && e.Type != gjson.Null || plain || ch.name == "error" || ch.data.Get("type").String() == "error" {
		c, ok := complaintOf(ch.data)
		return c, ok && (c.message != "" || c.kind != "" || c.status != 0)
	}
	if e := ch.data.Get("choices.0.error"); e.IsObject() {
		return complaintOf(gjson.Parse(`{"error":` + e.Raw + `}`))
	}
	return complaint{}, false
}

// open gets the key for a request, and refuses what can't become one.
func (s server) open(ctx context.Context, c Config) (string, *failure) {
	if !strings.HasPrefix(s.where, "http://") && !strings.HasPrefix(s.where, "https://") {
		return "", &failure{err: &Error{
			Problem: Unreachable, Model: s.model, Where: s.where,
			Detail: "that is no address of a server", Advice: "base_url begins with http:// or https://",
		}}
	}
	key, err := c.Key(ctx)
	if err != nil {
		return "", s.keyless(fmt.Sprintf("no key: %v", err), err)
	}
	key = strings.TrimSpace(key)
	if strings.IndexFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) >= 0 {
		return "", s.keyless("the key has characters that no key has, such as a space or a line break", nil)
	}
	return key, nil
}

// keyless is the failure to get a key.
func (s server) keyless(why string, err error) *failure {
	f := &failure{err: &Error{
		Problem: Auth, Model: s.model, Where: s.where, Detail: s.detail(why), Advice: "Check " + s.keyPlace(),
	}}
	if err != nil {
		f.err.Err = hidden{err: err, text: s.detail(err.Error())}
	}
	return f
}

// listFailure turns the failure of a request that needs no stream into an
// error.
func (s server) listFailure(ctx context.Context, err error, now time.Time) error {
	if err := ctx.Err(); err != nil && !errors.Is(context.Cause(ctx), errNoFirstByte) {
		return err
	}
	var refused *statusError
	if errors.As(err, &refused) {
		return s.refused(refused, now).err
	}
	return s.failed(ctx, err, false).err
}

// list asks a server which models it offers. The shapes are those of OpenAI
// and Anthropic ({"data":[{"id"}]}), a bare list, and {"models":[{"name"}]}.
func list(ctx context.Context, c Config, s server, url string, header func(key string) http.Header) ([]string, error) {
	ctx, dog := watch(ctx, min(c.FirstByte, listTimeout), 0)
	defer dog.stop()
	key, f := s.open(ctx, c)
	if f != nil {
		return nil, f.err
	}
	s.key = key
	body, err := c.get(ctx, url, header(key))
	if err != nil {
		return nil, s.listFailure(ctx, err, c.Now())
	}
	if !gjson.ValidBytes(body) {
		return nil, s.rubbish("the list of models is not JSON").err
	}
	doc := gjson.ParseBytes(body)
	if bad, ok := complaintOf(doc); ok {
		return nil, s.complained(bad, nil, c.Now()).err
	}
	return modelNames(doc), nil
}

// listTimeout bounds the request for a list of models.
const listTimeout = 15 * time.Second

func modelNames(doc gjson.Result) []string {
	items := doc
	for _, f := range []string{"data", "models"} {
		if v := doc.Get(f); v.IsArray() {
			items = v
			break
		}
	}
	var names []string
	for _, m := range items.Array() {
		for _, f := range []string{"id", "name", "model"} {
			if v := m.Get(f); v.Type == gjson.String && v.Str != "" {
				names = append(names, v.Str)
				break
			}
		}
		if m.Type == gjson.String && m.Str != "" {
			names = append(names, m.Str)
		}
	}
	return names
}
