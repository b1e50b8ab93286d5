package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/agent"
	"reverie/tui/scripted"
)

// asking is a conversation whose questions arrive when a test says so.
func asking() (*scripted.Conversation, Config) {
	c := talk()
	cfg := config()
	cfg.Conversation = c
	return c, cfg
}

func TestQuestionsNeverTakeAKeyFromTheDraft(t *testing.T) {
	t.Parallel()
	for seed := range 16 {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			stolenKeys(t, rand.New(rand.NewPCG(uint64(seed), 7)))
		})
	}
}

func stolenKeys(t *testing.T, r *rand.Rand) {
	c, cfg := asking()
	d := drive(t, cfg, 40+r.IntN(100), 8+r.IntN(40))
	if r.IntN(2) == 0 {
		d.send(tea.KeyboardEnhancementsMsg{Flags: 3})
	}
	var want strings.Builder
	put := func(s string) { want.WriteString(s) }
	d.typing("x") // so that the draft is not empty, where some keys mean more
	put("x")
	asked := 0
	keysOf := []string{"A", "X", "U", "a", "x", "n", "j", "k", "q", "y", "?", "/", "d", "f", "[", "]", ".", "1", "é", "漢", "space"}
	for range 200 {
		d.wait(time.Duration(r.IntN(900)) * time.Millisecond)
		switch r.IntN(10) {
		case 0:
			asked++
			a := old()
			a.ID = asked
			d.events(agent.ApprovalAsked{Approval: a})
		case 1:
			if asked > 0 {
				d.events(agent.ApprovalDone{ID: 1 + r.IntN(asked), Decision: agent.Withdrawn, Reason: "it changed"})
			}
		case 2:
			text := []string{"AAAA", "A", "a\nA\nX", strings.Repeat("A line\n", 40), "/approve 1"}[r.IntN(5)]
			d.send(tea.PasteMsg{Content: text})
			put(text)
		case 3: // a key held down, marked as repeated or not
			k := press(keysOf[r.IntN(len(keysOf))])
			marked := r.IntN(2) == 0
			for i := range 2 + r.IntN(20) {
				k.IsRepeat = marked && i > 0
				d.send(k)
				put(k.Text)
				d.wait(33 * time.Millisecond)
			}
		default:
			k := press(keysOf[r.IntN(len(keysOf))])
			d.send(k)
			put(k.Text)
		}
	}
	if got := d.root.chat.Typed(); got != want.String() {
		t.Errorf("the draft is %q, want %q", got, want.String())
	}
	if n := len(c.Decided()); n > 0 {
		t.Errorf("%d questions were answered: %v", n, c.Decided())
	}
}
