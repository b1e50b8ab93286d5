package tui

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/tui/scripted"
)

// endless is a conversation of n messages in which 200 tokens a second stream
// until it is stopped.
func endless(n int) *scripted.Conversation {
	var past []model.Message
	for i := range n / 2 {
		past = append(past,
			model.Message{Role: model.User, Text: fmt.Sprintf("question %d about the deploys on Thursday", i)},
			model.Message{Role: model.Assistant, Text: fmt.Sprintf("## Answer %d\n\nDeploys go out on *Thursday*, after the standup.\n\n- one\n- two\n\n```go\nfunc f%d() {}\n```\n", i, i)})
	}
	return &scripted.Conversation{Past: past, OnSend: func(ctx context.Context, _ string, emit func(agent.Event), _ func(agent.Approval) agent.Decision) error {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for i := 0; ; i++ {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-tick.C:
			}
			text := "token "
			if i%60 == 59 {
				text = "and\n\n- `code` and *more*\n\n"
			}
			emit(agent.TextDelta{Text: text})
		}
	}}
}

// What someone waits for who types while an answer streams into a long
// conversation: from the bytes of a key at the program's input until the cell
// on the emulated screen has changed, the library's renderer and the emulator
// included.
func BenchmarkKeystrokeToCell(b *testing.B) {
	cfg := config()
	cfg.Conversation, cfg.Now = endless(10_000), time.Now
	s := open(b, cfg, 120, 40, looks()[0])
	s.send("go\r")
	s.see("streaming")
	r := rand.New(rand.NewPCG(1, 2))
	var took []time.Duration
	draft := ""
	prompt := func() string {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.row(s.emu.Height() - 2)
	}
	for b.Loop() {
		time.Sleep(time.Duration(20+r.IntN(60)) * time.Millisecond)
		if len(draft) > 40 {
			s.send("\x15")
			draft = ""
			s.wait("for an empty prompt", func(string) bool { return prompt() == ">" })
		}
		key := string(rune('a' + r.IntN(26)))
		draft += key
		start := time.Now()
		s.send(key)
		s.wait("for the key", func(string) bool { return prompt() == "> "+draft })
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	at := func(percent int) float64 { return float64(took[len(took)*percent/100].Microseconds()) / 1000 }
	b.ReportMetric(0, "ns/op") // the pauses between keys say nothing
	b.ReportMetric(at(50), "p50-ms")
	b.ReportMetric(at(99), "p99-ms")
}

func TestNothingIsPaintedAnewWhileAnAnswerStreams(t *testing.T) {
	t.Parallel()
	cfg := config()
	cfg.Conversation = endless(200)
	s := open(t, cfg, 80, 24, looks()[0])
	s.see("api-gateway")
	s.still()
	s.mu.Lock()
	s.kept = &strings.Builder{}
	s.mu.Unlock()
	s.send("go\r")
	s.see("streaming")
	time.Sleep(600 * time.Millisecond)
	s.mu.Lock()
	defer s.mu.Unlock()
	raw := s.kept.String()
	if raw == "" {
		t.Fatal("nothing was streamed")
	}
	for _, whole := range []string{"\x1b[2J", "\x1b[3J", "\x1b[H\x1b[J", "api-gateway"} {
		if strings.Contains(raw, whole) {
			t.Errorf("%q was written while streaming", whole)
		}
	}
}
