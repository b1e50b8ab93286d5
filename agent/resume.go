package agent

import (
	"context"
	"errors"

	"reverie/agent/model"
)

// openThread begins a new thread, or takes one up where it was.
func (c *Conversation) openThread(ctx context.Context) error {
	t := c.cfg.Threads
	if c.cfg.Thread == "" {
		c.log = &threadLog{threads: t, id: newID("t", 10)}
		return nil
	}
	if t == nil {
		return &ThreadNotFoundError{Ref: c.cfg.Thread}
	}
	info, err := t.Find(ctx, c.cfg.Thread)
	if err != nil {
		return err
	}
	c.log = &threadLog{threads: t, id: info.ID}
	c.log.stored.Store(true)
	c.holdThread() // where it can't, ReadOnly says so
	if err := c.reload(ctx); err != nil {
		c.log.close()
		return err
	}
	return nil
}

// holdThread takes the right to write the thread. Where that can't be had, the
// conversation can only be read, and readOnly says why.
func (c *Conversation) holdThread() error {
	if c.log.threads == nil || c.log.lock != nil {
		return nil
	}
	lock, err := c.log.threads.lock(c.log.id)
	if err == nil {
		if err = c.log.threads.db.Writable(); err != nil {
			err = errors.Join(err, lock.release())
			lock = nil
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.log.lock, c.readOnly = lock, ""
	if err != nil {
		c.readOnly = err.Error()
	}
	return err
}

// reload reads the thread from its file. Where this conversation may write and
// finds a turn that a crash broke off, it marks it: every tool call gets a
// result, and the turn can be tried again.
func (c *Conversation) reload(ctx context.Context) error {
	s, err := c.log.threads.load(ctx, c.log.id)
	if err != nil {
		return err
	}
	c.log.seq, c.log.epoch = s.seq, s.epoch
	c.log.saved, c.log.broken = s.state.clone(), false
	c.mu.Lock()
	c.history, c.state, c.title = s.history, s.state, s.info.Title
	c.turn, c.status, c.writes = s.turn, s.status, s.writes
	writable := c.log.lock != nil
	c.mu.Unlock()
	if last := len(s.history) - 1; s.status == turnRunning && writable && isWhole(s.history[last]) {
		// The crash came between the answer and the checkpoint.
		if err := c.log.save(ctx, batch{turn: s.turn, status: turnDone}); err != nil {
			return err
		}
		c.mu.Lock()
		c.status = turnDone
		c.mu.Unlock()
	} else if s.status == turnRunning && writable {
		open := openCalls(s.history)
		results := make([]model.Message, len(open), len(open)+1)
		for i, call := range open {
			o := fail(kindFailed, "the program ended before this call was finished; whether it took effect is not known", "Check before doing it again.")
			results[i] = c.toolMessage(call, o)
		}
		// The mark says that the turn has no whole answer, as finish's does.
		results = append(results, model.Message{Role: model.Assistant, Partial: true, Time: c.cfg.Now().UTC()})
		if err := c.log.save(ctx, batch{turn: s.turn, messages: results, status: turnBroken}); err != nil {
			return err
		}
		c.mu.Lock()
		c.history = append(c.history, results...)
		c.status = turnBroken
		c.mu.Unlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = sentFrom(c.history, s.summary, s.summaryUpto)
	return nil
}

// isWhole says whether a message ends a turn as it should.
func isWhole(m model.Message) bool {
	return m.Role == model.Assistant && !m.Partial && len(m.Calls) == 0
}

// openCalls are the calls of the last answer that have no result.
func openCalls(history []model.Message) []model.ToolCall {
	done := map[string]bool{}
	for i := len(history) - 1; i >= 0; i-- {
		switch m := history[i]; m.Role {
		case model.Tool:
			done[m.CallID] = true
		case model.Assistant:
			var open []model.ToolCall
			for _, call := range m.Calls {
				if !done[call.ID] {
					open = append(open, call)
				}
			}
			return open
		default:
			return nil
		}
	}
	return nil
}
