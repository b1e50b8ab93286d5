package model

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// A request is made at most maxAttempts times. Between them is a wait of 1, 2
// and 4 seconds, each up to a quarter shorter or longer by chance, or as long
// as the server asks, up to maxWait each time. A server that asks for more is
// not waited for.
const (
	maxAttempts = 4
	firstWait   = time.Second
	maxWait     = time.Minute
)

// attempt makes a request until it succeeds, fails for good, or enough was
// tried. What has shown a piece of the answer to the user is never repeated.
func attempt(ctx context.Context, c Config, emit func(Delta), once func(emit func(Delta)) (Answer, *failure)) (Answer, error) {
	shown := false
	relay := func(d Delta) {
		shown = true
		emit(d)
	}
	for n := 1; ; n++ {
		answer, f := once(relay)
		if ctx.Err() != nil && f != nil {
			answer.Message.Partial = true
			return answer, ctx.Err()
		}
		if f == nil {
			return answer, nil
		}
		answer.Message.Partial = true
		if !f.retry || shown || n == maxAttempts {
			return answer, f.err
		}
		wait := backoff(n)
		if f.asked {
			wait = f.after
		}
		if wait > maxWait {
			f.err.Advice = fmt.Sprintf("The server asks to wait %s; try again then, or choose another model", wait.Round(time.Second))
			return answer, f.err
		}
		emit(Delta{Wait: wait, Reason: reason(f.err)})
		if err := c.Sleep(ctx, wait); err != nil {
			return answer, ctx.Err()
		}
	}
}

// backoff is the wait after attempt n, counted from 1.
func backoff(n int) time.Duration {
	d := firstWait << (n - 1)
	return d*3/4 + rand.N(d/2)
}

// reason says in few words why there is a wait.
func reason(e *Error) string {
	s := string(e.Problem)
	if e.Status != 0 {
		s += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	return s + " at " + e.Where
}
