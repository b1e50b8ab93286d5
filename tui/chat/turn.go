package chat

import (
	"context"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/agent"
	"reverie/memstore"
	"reverie/tui/feed"
	"reverie/tui/keys"
	"reverie/tui/wording"
)

// run is the shape of everything that a conversation does at length.
type run func(context.Context, func(agent.Event)) error

// begin starts a turn and arms the reading of its events.
func (m *Model) begin(r run, sends bool) tea.Cmd {
	m.turn, m.sends = feed.Start(m.cfg.Context, r), sends
	now := m.cfg.Now()
	m.status.doing, m.status.since, m.status.stopping = "thinking", now, false
	m.script.follow()
	return tea.Batch(next(m.turn), m.startTick())
}

// act does something beside the turns.
func (m *Model) act(r run) tea.Cmd {
	f := feed.Start(m.cfg.Context, r)
	m.acts[f] = true
	return next(f)
}

func next(f *feed.Feed) tea.Cmd { return func() tea.Msg { return f.Next() } }

// Retry sends the last message again.
func (m *Model) Retry() tea.Cmd {
	if m.turn != nil {
		m.Notice("A turn is running; " + m.keys.Key(keys.Stop) + " stops it.")
		return nil
	}
	return m.begin(m.cfg.Conversation.Retry, true)
}

// Forget and Undo are a person's own acts, with the questions that the
// permissions want.
func (m *Model) Forget(scope memstore.Scope, key string) tea.Cmd {
	return m.act(func(ctx context.Context, emit func(agent.Event)) error {
		return m.cfg.Conversation.ForgetByUser(ctx, scope, key, emit)
	})
}

// Undo takes back the last change of a key, or of all where key is empty.
func (m *Model) Undo(scope memstore.Scope, key string) tea.Cmd {
	return m.act(func(ctx context.Context, emit func(agent.Event)) error {
		return m.cfg.Conversation.UndoByUser(ctx, scope, key, emit)
	})
}

// Do runs something long of the agent's as a turn, such as compacting.
func (m *Model) Do(r func(context.Context, func(agent.Event)) error) tea.Cmd {
	if m.turn != nil {
		m.Notice("A turn is running; " + m.keys.Key(keys.Stop) + " stops it.")
		return nil
	}
	return m.begin(r, false)
}

// submit sends what was typed, or queues it while a turn runs.
func (m *Model) submit(q queued) tea.Cmd {
	if m.queue.editing >= 0 {
		m.queue.items[m.queue.editing] = q
		m.queue.editing = -1
		return m.release()
	}
	m.queue.items = append(m.queue.items, q)
	return m.release()
}

// release goes on with a queue that was held back after a stop.
func (m *Model) release() tea.Cmd {
	m.queue.held = false
	return m.dispatch()
}

// dispatch sends the first of the queue when nothing runs. What is being
// edited holds back what stands behind it, so that the order is kept.
func (m *Model) dispatch() tea.Cmd {
	if m.turn != nil || m.queue.held || len(m.queue.items) == 0 || m.queue.editing == 0 {
		return nil
	}
	q := m.queue.items[0]
	m.queue.items = m.queue.items[1:]
	if m.queue.editing > 0 {
		m.queue.editing--
	}
	m.script.add(&item{kind: userItem, text: q.text})
	return m.begin(func(ctx context.Context, emit func(agent.Event)) error {
		return m.cfg.Conversation.Send(ctx, q.text, emit)
	}, true)
}

// batch takes in what has happened in a turn or an act.
func (m *Model) batch(b feed.Batch) tea.Cmd {
	finished := false
	for _, e := range b.Events {
		m.event(b.Feed, e)
		if f, ok := e.(agent.TurnFinished); ok {
			finished = true
			m.finish(b.Feed, f)
		}
	}
	if !b.Done {
		return next(b.Feed)
	}
	if !finished && b.Err != nil && !errors.Is(b.Err, context.Canceled) {
		m.fail(b.Feed, b.Err)
	}
	m.script.settle()
	if m.acts[b.Feed] {
		delete(m.acts, b.Feed)
		return nil
	}
	if b.Feed != m.turn {
		return nil
	}
	m.turn = nil
	m.status.doing, m.status.stopping = "", false
	return m.dispatch()
}

func (m *Model) event(f *feed.Feed, e agent.Event) {
	switch e := e.(type) {
	case agent.TextDelta:
		m.doing("streaming")
		m.script.stream(e.Text)
	case agent.ReasoningDelta:
		m.doing("thinking")
		m.script.reason(e.Text)
	case agent.AnswerDone:
		m.script.answer(e.Message)
	case agent.ToolStarted:
		m.doing(e.Call.Name)
	case agent.ToolFinished:
		m.doing("thinking")
		m.script.tool(e)
	case agent.ApprovalAsked:
		m.doing(asking)
	case agent.ApprovalDone:
		m.doing("thinking")
		if e.Decision == agent.Withdrawn {
			m.Notice("The question was withdrawn: " + orElse(e.Reason, "the turn ended") + ".")
		}
	case agent.Notice:
		m.Notice(e.Text)
	case agent.Waiting:
		m.doing("waiting")
		m.status.until, m.status.reason = m.cfg.Now().Add(e.For), e.Reason
	}
	if f == m.turn && m.turn != nil {
		if u := m.cfg.Conversation.Used(); u != nil {
			m.status.used = u
		}
	}
}

// asking is what a turn does while a question of its waits.
const asking = "waiting for your answer"

// doing sets what the rule says without restarting its clock for the same.
func (m *Model) doing(what string) {
	if m.turn == nil || m.status.doing == what {
		return
	}
	m.status.doing = what
	m.status.until, m.status.reason = time.Time{}, ""
}

func (m *Model) finish(of *feed.Feed, f agent.TurnFinished) {
	m.script.settle()
	m.status.used = f.Used
	switch {
	case f.Stopped:
		m.script.stopped()
	case f.Err != nil:
		m.fail(of, f.Err)
	}
}

func (m *Model) fail(of *feed.Feed, err error) {
	m.script.settle()
	what, advice := wording.Failure(err, of == m.turn && m.sends)
	m.script.add(&item{kind: errorItem, text: what, advice: advice})
}

// The clock in the rule ticks once a second while a turn runs, and not at all
// otherwise.
type tickMsg struct{ feed *feed.Feed }

func (m *Model) startTick() tea.Cmd {
	f := m.turn
	return tea.Tick(time.Second, func(time.Time) tea.Msg { return tickMsg{f} })
}

func (m *Model) tick(t tickMsg) tea.Cmd {
	if m.turn == nil || t.feed != m.turn {
		return nil
	}
	return m.startTick()
}

// doingText is the left part of the rule, or "" when nothing is going on.
func (m *Model) doingText() string {
	if m.turn == nil {
		return ""
	}
	now := m.cfg.Now()
	s := fmt.Sprintf("%s %s", m.status.doing, seconds(now.Sub(m.status.since)))
	if !m.status.until.IsZero() {
		s = fmt.Sprintf("trying again in %s: %s", seconds(max(0, m.status.until.Sub(now))), m.status.reason)
	}
	if m.status.stopping {
		s = "stopping"
	}
	return s
}

func seconds(d time.Duration) string {
	if d < time.Minute {
		return fmt.Sprintf("%ds", int(d.Seconds()))
	}
	return fmt.Sprintf("%dm%02ds", int(d.Minutes()), int(d.Seconds())%60)
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
