package model

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// maxErrorBody bounds what is read of an error's body, in bytes.
const maxErrorBody = 64 << 10

// transport is shared by all adapters, and its idle connections with it.
var transport = sync.OnceValue(func() http.RoundTripper {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          10,
		IdleConnTimeout:       time.Minute,
		TLSHandshakeTimeout:   10 * time.Second,
		ExpectContinueTimeout: time.Second,
	}
})

// clientOf returns a client that never follows a redirect: Go takes the
// Authorization header off a request that is sent to another host, but not
// headers such as x-api-key, and never the conversation in its body.
func clientOf(c *http.Client) *http.Client {
	own := http.Client{}
	if c != nil {
		own = *c
	} else {
		own.Transport = transport()
	}
	own.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &own
}

// statusError is an answer whose status is not a success, before anything was
// made of it.
type statusError struct {
	status int
	header http.Header
	body   []byte
}

func (e *statusError) Error() string { return http.StatusText(e.status) }

// doer stands between an SDK and the network. It turns every answer that is
// no success into a statusError itself, since the SDKs read error bodies
// without a bound and can't make sense of those that are not JSON.
type doer struct{ client *http.Client }

func (d doer) Do(req *http.Request) (*http.Response, error) {
	res, err := d.client.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode < 300 {
		return res, nil
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxErrorBody))
	if err != nil && len(body) == 0 && req.Context().Err() != nil {
		return nil, err
	}
	return nil, &statusError{status: res.StatusCode, header: res.Header, body: body}
}

// get reads a small JSON document.
func (c Config) get(ctx context.Context, url string, header http.Header) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	req.Header = header
	res, err := doer{c.HTTP}.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, maxStream))
	if err != nil {
		return nil, err
	}
	return body, nil
}

var (
	errNoFirstByte = errors.New("no answer in time")
	errStalled     = errors.New("the answer stopped coming")
)

// watchdog cancels a request that has gone silent. The time until the first
// event, and between two events, is bounded by firstByte; once there was an
// event, any silence by stall. Bytes that are no event, such as the comments
// of a proxy that waits itself, put off stall and not firstByte.
type watchdog struct {
	firstByte, stall time.Duration
	cancel           context.CancelCauseFunc
	timer            *time.Timer
	last             time.Time // of the last event, or the start
	begun            bool
}

func watch(ctx context.Context, firstByte, stall time.Duration) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	w := &watchdog{firstByte: firstByte, stall: stall, cancel: cancel, last: time.Now()}
	if firstByte > 0 {
		w.timer = time.AfterFunc(firstByte, func() { cancel(errNoFirstByte) })
	}
	return ctx, w
}

// read is told of every read that brought something.
func (w *watchdog) read() {
	if w.begun {
		w.arm()
	}
}

// event is told of every event.
func (w *watchdog) event() {
	w.last, w.begun = time.Now(), true
	w.arm()
}

func (w *watchdog) arm() {
	d := w.stall
	if rest := w.firstByte - time.Since(w.last); w.firstByte > 0 && (d <= 0 || rest < d) {
		d = rest
	}
	if w.timer != nil {
		w.timer.Stop()
	}
	if d > 0 {
		w.timer = time.AfterFunc(d, func() { w.cancel(errStalled) })
	}
}

// closing is told that only the end is missing, and allows d for it.
func (w *watchdog) closing(d time.Duration) {
	if w.timer != nil {
		w.timer.Stop()
	}
	w.timer = time.AfterFunc(d, func() { w.cancel(errStalled) })
	w.begun = false // so that mere reads don't put it off
}

func (w *watchdog) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
	w.cancel(nil)
}

// watchedBody tells the watchdog of what is read.
type watchedBody struct {
	io.Reader
	w *watchdog
}

func (b watchedBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if n > 0 {
		b.w.read()
	}
	return n, err
}
