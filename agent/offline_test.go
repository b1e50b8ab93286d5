package agent

import (
	"strings"
	"testing"

	"reverie/agent/model"
	"reverie/memstore"
)

// TestTheOfflineModelUsesTheSameToolsAsEveryOther goes the way of a first
// session, with a new conversation in its middle.
func TestTheOfflineModelUsesTheSameToolsAsEveryOther(t *testing.T) {
	t.Parallel()
	now := clock()
	c := whole(t, model.NewOffline(now), func(cfg *Config) { cfg.Now = now })
	answer := func(c *Conversation, text string, d Decision) string {
		t.Helper()
		r := answering(c, d)
		if err := c.Send(t.Context(), text, r.emit); err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		var all []string
		for _, a := range eventsOf[AnswerDone](r) {
			all = append(all, a.Message.Text)
		}
		return strings.Join(all, "\n")
	}
	answer(c, "remember that we deploy on Fridays only", Deny)
	list, err := c.cfg.Project.List(t.Context(), memstore.ListOptions{})
	if err != nil || len(list) != 1 || list[0].Provenance.Origin != memstore.Explicit || list[0].Provenance.Model != "offline" {
		t.Fatalf("saved are %+v, %v", list, err)
	}
	c = open(t, c.cfg)
	if got := answer(c, "when do we deploy?", Deny); !strings.Contains(got, "Fridays only") || !strings.Contains(got, list[0].Key) {
		t.Errorf("the question is answered with %q", got)
	}
	if got := answer(c, "why?", Deny); !strings.Contains(got, "offline") {
		t.Errorf("the source is told as %q", got)
	}
	answer(c, "forget that", Deny)
	if !isThere(t, c.cfg.Project, list[0].Key) {
		t.Error("it was forgotten against the answer")
	}
	answer(c, "forget "+list[0].Key, Approve)
	if isThere(t, c.cfg.Project, list[0].Key) {
		t.Error("it was not forgotten")
	}
	answer(c, "undo", Approve)
	if !isThere(t, c.cfg.Project, list[0].Key) {
		t.Error("it did not come back")
	}
}
