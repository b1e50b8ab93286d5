package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"reverie/agent/model"
	"reverie/memstore"
)

// maxRounds bounds how often a turn asks the model.
const maxRounds = 25

// ErrRounds says that the model kept calling tools without coming to an end.
var ErrRounds = fmt.Errorf("stopped after %d rounds of tool calls without an end; retry to let it go on, or say how to proceed", maxRounds)

// turn is one turn that runs: the user's message and all that follows from it.
type turn struct {
	c        *Conversation
	emit     func(Event)
	n        int
	prompt   string
	explicit bool // the user asked to remember, change or forget something
	began    time.Time

	model  model.Model
	tools  []tool
	shape  shaping // what dynamic scripts made of it
	recall Part    // attached to the prompt in this turn's requests
	read   []Ref   // memories that tools read in this turn

	screened screened // the calls of the last answer

	round *round    // the questions of the answer whose calls run
	asked *question // that of the call that runs, if it has one

	usage     model.Usage
	shortened bool // the thread was shortened after the server said it is too long
}

// Send runs one turn with the user's text: it stores the message, asks the
// model, runs the tools that it calls, until it is done. emit is called from
// this goroutine alone, in order; TurnFinished is its last call, also when
// nothing could be stored. The error is that of TurnFinished; a turn that was
// stopped by ctx ends without one.
func (c *Conversation) Send(ctx context.Context, text string, emit func(Event)) error {
	return c.run(ctx, emit, func(t *turn) error {
		if strings.TrimSpace(text) == "" {
			return errors.New("an empty message is not sent")
		}
		t.prompt = text
		return t.start(ctx)
	})
}

// Retry runs the last turn again after it failed, was stopped, or was broken
// off. Tool calls that were finished stay and are not made again. After a turn
// that was answered it is [ErrNothingToRetry].
func (c *Conversation) Retry(ctx context.Context, emit func(Event)) error {
	return c.run(ctx, emit, func(t *turn) error { return t.restart(ctx) })
}

// run frames a turn: begin makes its message durable, then it goes on until it
// ends, and how it ended is stored and emitted.
func (c *Conversation) run(ctx context.Context, emit func(Event), begin func(*turn) error) error {
	t := &turn{c: c, emit: emit, began: c.cfg.Now()}
	if err := c.acquire(); err != nil {
		emit(TurnFinished{Turn: c.Turn(), Err: err})
		return err
	}
	defer c.release()
	err := c.ready(ctx)
	if err == nil {
		err = begin(t)
	}
	if err != nil {
		emit(TurnFinished{Turn: c.Turn(), Err: err, Elapsed: c.cfg.Now().Sub(t.began)})
		return err
	}
	emit(TurnStarted{Turn: t.n, Text: t.prompt})
	t.prepare(ctx)
	err = t.loop(ctx)
	stopped := ctx.Err() != nil
	if stopped {
		err = nil
	}
	err = errors.Join(err, t.finish(ctx, err, stopped))
	emit(TurnFinished{Turn: t.n, Err: err, Stopped: stopped, Usage: t.usage, Elapsed: c.cfg.Now().Sub(t.began), Used: c.Used()})
	return err
}

// ready sees to it that the thread may be written, and is what the file has.
func (c *Conversation) ready(ctx context.Context) error {
	held := c.log.lock != nil
	if err := c.holdThread(); err != nil {
		return err
	}
	stale, err := c.log.stale(ctx)
	if err == nil && c.log.stored.Load() && (stale || !held || c.log.broken) {
		err = c.reload(ctx)
	}
	return err
}

// start stores the user's message.
func (t *turn) start(ctx context.Context) error {
	c := t.c
	t.n = c.Turn() + 1
	title := c.Title()
	if title == "" {
		title = titleFrom(t.prompt)
	}
	m := model.Message{Role: model.User, Text: t.prompt, Time: c.cfg.Now().UTC()}
	if err := c.log.save(ctx, batch{turn: t.n, title: title, messages: []model.Message{m}, status: turnRunning, preview: titleFrom(t.prompt)}); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn, c.title, c.status = t.n, title, turnRunning
	c.append(m)
	return nil
}

// restart takes the last turn up again, without the answer that failed.
func (t *turn) restart(ctx context.Context) error {
	c := t.c
	if !c.Unfinished() {
		return ErrNothingToRetry
	}
	t.n = c.Turn()
	h := c.History()
	if last := len(h) - 1; h[last].Role == model.Assistant && h[last].Partial {
		if err := c.log.dropLast(ctx); err != nil {
			return err
		}
		c.mu.Lock()
		// A copy: the old slice may be in use where the thread is shown.
		c.history = slices.Clone(h[:last])
		c.sent.dropLast()
		c.mu.Unlock()
	}
	if err := c.log.save(ctx, batch{turn: t.n, status: turnRunning}); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status = turnRunning
	for _, m := range slices.Backward(c.history) {
		if m.Role == model.User {
			t.prompt = m.Text
			break
		}
	}
	return nil
}

// append adds a message to the thread in memory. c.mu is held.
func (c *Conversation) append(m model.Message) {
	c.history = append(c.history, m)
	c.sent.add(m)
}

// prepare does what comes before the first request: dynamic scripts and auto
// recall. Neither can make the turn fail.
func (t *turn) prepare(ctx context.Context) {
	c := t.c
	c.mu.Lock()
	t.model = c.model
	c.mu.Unlock()
	t.tools = c.tools
	t.explicit = asksForMemory(t.prompt) || corrects(t.prompt)
	t.runScripts(ctx)
	t.attach(ctx)
}

// loop asks the model and runs its tools until it calls none.
func (t *turn) loop(ctx context.Context) error {
	for range maxRounds {
		answer, err := t.ask(ctx)
		if err != nil {
			return err
		}
		if len(answer.Message.Calls) == 0 {
			return t.check(answer)
		}
		if err := t.runCalls(ctx, answer.Message.Calls); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return ErrRounds
}

// check says what is odd about a last answer.
func (t *turn) check(a model.Answer) error {
	switch {
	case a.Stop == "length":
		t.emit(Notice{Text: "The answer was cut: it reached the model's limit for one answer."})
	case a.Stop == "refusal" && a.Message.Text == "":
		return fmt.Errorf("%s refused to answer; say it differently, or choose another model", t.model.Name())
	case strings.TrimSpace(a.Message.Text) == "":
		return fmt.Errorf("%s gave an empty answer; retry, or choose another model", t.model.Name())
	}
	return nil
}

// ask makes one request and keeps its answer.
func (t *turn) ask(ctx context.Context) (model.Answer, error) {
	c := t.c
	r := t.request(ctx)
	if shorter, err := t.makeRoom(ctx); err != nil {
		return model.Answer{}, err
	} else if shorter {
		r = t.request(ctx)
	}
	answer, err := t.stream(ctx, r)
	if model.IsProblem(err, model.TooLong) && !t.shortened && ctx.Err() == nil {
		t.shortened = true
		if shorter, e := t.shorten(ctx); e != nil {
			return answer, e
		} else if shorter {
			answer, err = t.stream(ctx, t.request(ctx))
		}
	}
	t.usage.Input += answer.Usage.Input
	t.usage.Output += answer.Usage.Output
	t.usage.Cached += answer.Usage.Cached
	m := answer.Message
	m.Role, m.Model, m.Time = model.Assistant, t.model.Name(), c.cfg.Now().UTC()
	if err != nil || ctx.Err() != nil {
		// Calls of a broken answer were not run and may be half: only the text
		// is kept. finish stores it, marked.
		m.Calls, m.Signature, m.Partial = nil, "", true
		answer.Message = m
		return answer, t.keep(ctx, m, errors.Join(err, ctx.Err()))
	}
	answer.Message = m // its calls run as the model made them
	t.screened = screen(t.tools, m.Calls)
	m.Calls = t.screened.calls
	if m.Text == "" && len(m.Calls) == 0 {
		return answer, nil
	}
	return answer, t.keep(ctx, m, nil)
}

// keep stores an answer, whole or broken, and passes err on.
func (t *turn) keep(ctx context.Context, m model.Message, err error) error {
	if err != nil && m.Text == "" {
		return err // finish marks the turn
	}
	if e := t.c.log.save(ctx, batch{turn: t.n, messages: []model.Message{m}, preview: titleFrom(m.Text), model: m.Model}); e != nil {
		return errors.Join(err, e)
	}
	t.c.mu.Lock()
	t.c.append(m)
	t.c.mu.Unlock()
	t.emit(AnswerDone{Message: m})
	return err
}

// stream makes one request and passes on what comes.
func (t *turn) stream(ctx context.Context, r model.Request) (model.Answer, error) {
	return t.model.Stream(ctx, r, func(d model.Delta) {
		if d.Wait > 0 {
			t.emit(Waiting{For: d.Wait, Reason: d.Reason})
		}
		if d.Reasoning != "" {
			t.emit(ReasoningDelta{Text: d.Reasoning})
		}
		if d.Text != "" {
			t.emit(TextDelta{Text: d.Text})
		}
	})
}

// finish checkpoints the turn: how it ended, the thread's state, and, where it
// has no whole answer, a mark in the history.
func (t *turn) finish(ctx context.Context, err error, stopped bool) error {
	c := t.c
	b := batch{turn: t.n, status: turnDone, model: t.model.Name()}
	switch {
	case stopped:
		b.status = turnStopped
	case err != nil:
		b.status = turnFailed
	}
	c.mu.Lock()
	b.state = c.state.clone()
	last := c.history[len(c.history)-1]
	c.mu.Unlock()
	if b.status != turnDone && !(last.Role == model.Assistant && last.Partial) {
		b.messages = []model.Message{{Role: model.Assistant, Partial: true, Model: t.model.Name(), Time: c.cfg.Now().UTC()}}
	}
	e := c.log.save(ctx, b)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.status = b.status
	for _, m := range b.messages {
		c.append(m)
	}
	return e
}

// provenance is that of a write that this turn's model makes.
func (t *turn) provenance(tool string) memstore.Provenance {
	p := memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Learned, Thread: t.c.log.id, Turn: t.n, Tool: tool, Model: t.model.Name()}
	if t.explicit {
		p.Origin = memstore.Explicit
	}
	return p
}
