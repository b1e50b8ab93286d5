package agent

import (
	"context"
	"strings"
	"testing"

	"reverie/agent/model"
	"reverie/memstore"
)

// forgetting is a conversation in which a model wants to forget keys, each in
// a call of its own in one answer.
func forgetting(t *testing.T, p Permission, keys ...string) (*Conversation, *scripted) {
	t.Helper()
	m := script()
	c := whole(t, m, func(cfg *Config) { cfg.Permissions.Forget = p })
	m.steps = append(m.steps, calls(forgetCalls(t, c, keys...)...))
	return c, m
}

func forgetCalls(t *testing.T, c *Conversation, keys ...string) (cs []model.ToolCall) {
	for _, k := range keys {
		e := remember(t, c.cfg.Project, k, "value of "+k)
		cs = append(cs, call("ForgetMemory", `{"key":"`+k+`","expected_version":"`+string(e.Version)+`"}`))
	}
	return cs
}

func isThere(t *testing.T, s memstore.Store, key string) bool {
	t.Helper()
	_, err := s.Recall(t.Context(), key)
	return err == nil
}

// answering decides each question as it is asked.
func answering(c *Conversation, d Decision) *record {
	r := &record{}
	r.on = func(e Event) {
		if a, ok := e.(ApprovalAsked); ok {
			c.Decide(a.Approval.ID, d)
		}
	}
	return r
}

func TestForgettingAsksAndDoesWhatTheAnswerSays(t *testing.T) {
	t.Parallel()
	for d, gone := range map[Decision]bool{Approve: true, ApproveSession: true, Deny: false} {
		c, _ := forgetting(t, Ask, "old/api")
		r := answering(c, d)
		if err := c.Send(t.Context(), "forget the old api", r.emit); err != nil {
			t.Fatal(err)
		}
		if got := !isThere(t, c.cfg.Project, "old/api"); got != gone {
			t.Errorf("%s: forgotten is %v", d, got)
		}
		if got := kinds(r.all()); got != "TurnStarted AnswerDone ToolStarted ApprovalAsked ApprovalDone ToolFinished TextDelta AnswerDone TurnFinished" {
			t.Errorf("%s: events are %s", d, got)
		}
		asked := eventsOf[ApprovalAsked](r)[0].Approval
		if asked.ID != 1 || asked.Tool != "ForgetMemory" || asked.Entry.Value != "value of old/api" || asked.Effect == "" || asked.Turn != 1 || asked.Asked.IsZero() {
			t.Errorf("asked was %+v", asked)
		}
		if done := eventsOf[ApprovalDone](r)[0]; done.ID != 1 || done.Decision != d {
			t.Errorf("done is %+v", done)
		}
		want := "forgot"
		if !gone {
			want = "denied"
		}
		if e := eventsOf[ToolFinished](r)[0]; e.Memory.Action != want || e.Memory.Undo != gone {
			t.Errorf("%s: the line is %+v", d, e.Memory)
		}
		if len(c.Pending()) > 0 {
			t.Errorf("%s: a question still waits", d)
		}
	}
}

func TestApprovedOnceForTheSessionIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	c, m := forgetting(t, Ask, "a")
	if err := c.Send(t.Context(), "forget a", answering(c, ApproveSession).emit); err != nil {
		t.Fatal(err)
	}
	m.steps = append(m.steps, calls(forgetCalls(t, c, "b")...))
	r := send(t, c, "forget b")
	if n := len(eventsOf[ApprovalAsked](r)); n > 0 || isThere(t, c.cfg.Project, "b") {
		t.Errorf("%d questions were asked", n)
	}
	next := open(t, c.cfg)
	m.steps = append(m.steps, calls(forgetCalls(t, next, "c")...))
	r = answering(next, Deny)
	if err := next.Send(t.Context(), "forget c", r.emit); err != nil {
		t.Fatal(err)
	}
	if len(eventsOf[ApprovalAsked](r)) != 1 {
		t.Error("another session did not ask")
	}
}

func TestPermissionsDecideWithoutAsking(t *testing.T) {
	t.Parallel()
	for p, gone := range map[Permission]bool{Allow: true, Never: false} {
		c, _ := forgetting(t, p, "a")
		r := send(t, c, "forget a")
		if n := len(eventsOf[ApprovalAsked](r)); n > 0 || isThere(t, c.cfg.Project, "a") == gone {
			t.Errorf("%s: %d questions, forgotten is not %v", p, n, gone)
		}
		if got := results(t, r)[0]; !gone && (got["kind"] != "denied" || !strings.Contains(got["error"].(string), "permissions.forget")) {
			t.Errorf("%s: answers %v", p, got)
		}
	}
}

func TestTwoQuestionsWaitAtOnceAndAreAnsweredInAnyOrder(t *testing.T) {
	t.Parallel()
	c, _ := forgetting(t, Ask, "a", "b")
	r := &record{}
	r.on = func(e Event) {
		if a, ok := e.(ApprovalAsked); ok && a.Approval.ID == 2 {
			if p := c.Pending(); len(p) != 2 || p[0].ID != 1 || p[1].ID != 2 {
				t.Errorf("waiting are %+v", p)
			}
			c.Decide(2, Approve)
			go c.Decide(1, Deny)
		}
	}
	if err := c.Send(t.Context(), "forget both", r.emit); err != nil {
		t.Fatal(err)
	}
	if !isThere(t, c.cfg.Project, "a") || isThere(t, c.cfg.Project, "b") {
		t.Error("the answers were mixed up")
	}
	if n := len(eventsOf[ApprovalDone](r)); n != 2 {
		t.Errorf("%d questions are said to be done", n)
	}
	if c.Decide(1, Approve) || c.Decide(2, Approve) || c.Decide(3, Approve) {
		t.Error("a question that does not wait could be answered")
	}
}

func TestStoppingATurnWithdrawsItsQuestions(t *testing.T) {
	t.Parallel()
	c, _ := forgetting(t, Ask, "a", "b")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	r := &record{}
	r.on = func(e Event) {
		if a, ok := e.(ApprovalAsked); ok && a.Approval.ID == 2 {
			stop()
		}
	}
	if err := c.Send(ctx, "forget both", r.emit); err != nil {
		t.Fatal(err)
	}
	for _, d := range eventsOf[ApprovalDone](r) {
		if d.Decision != Withdrawn || !strings.Contains(d.Reason, "stopped") {
			t.Errorf("done is %+v", d)
		}
	}
	if n := len(eventsOf[ApprovalDone](r)); n != 2 || !isThere(t, c.cfg.Project, "a") || !isThere(t, c.cfg.Project, "b") || len(c.Pending()) > 0 {
		t.Errorf("%d questions are done, %d wait", n, len(c.Pending()))
	}
	if end := eventsOf[TurnFinished](r)[0]; !end.Stopped || len(eventsOf[ToolFinished](r)) != 2 {
		t.Errorf("the turn ended with %+v", end)
	}
	if err := checkHistory(c.History()); err != nil {
		t.Error(err)
	}
}

func TestAnEntryThatChangesWhileTheQuestionWaitsIsSaidAndNotForgotten(t *testing.T) {
	t.Parallel()
	c, _ := forgetting(t, Ask, "a")
	r := &record{}
	r.on = func(e Event) {
		if _, ok := e.(ApprovalAsked); ok {
			remember(t, c.cfg.Project, "a", "changed meanwhile")
		}
	}
	if err := c.Send(t.Context(), "forget a", r.emit); err != nil {
		t.Fatal(err)
	}
	if done := eventsOf[ApprovalDone](r); len(done) != 1 || done[0].Decision != Withdrawn || !strings.Contains(done[0].Reason, "changed while") {
		t.Errorf("done is %+v", done)
	}
	got := results(t, r)[0]
	if current, _ := got["current"].(map[string]any); got["kind"] != "conflict" || current["value"] != "changed meanwhile" {
		t.Errorf("the tool answers %v", got)
	}
	if !isThere(t, c.cfg.Project, "a") {
		t.Error("it was forgotten")
	}
}

func TestAChangeThatComesWithTheApprovalIsAConflict(t *testing.T) {
	t.Parallel()
	c, _ := forgetting(t, Ask, "a")
	r := &record{}
	r.on = func(e Event) {
		if a, ok := e.(ApprovalAsked); ok {
			remember(t, c.cfg.Project, "a", "changed meanwhile")
			c.Decide(a.Approval.ID, Approve)
		}
	}
	if err := c.Send(t.Context(), "forget a", r.emit); err != nil {
		t.Fatal(err)
	}
	if got := results(t, r)[0]; got["kind"] != "conflict" || !isThere(t, c.cfg.Project, "a") {
		t.Errorf("the tool answers %v", got)
	}
}

func TestSavingWhatAPersonForgotAsksThatPerson(t *testing.T) {
	t.Parallel()
	for d, back := range map[Decision]bool{Approve: true, Deny: false} {
		m := script(calls(call("Remember", `{"key":"old/api","value":"It is at /v2 now."}`)))
		c := whole(t, m)
		e := remember(t, c.cfg.Project, "old/api", "It is at /v1.")
		if _, err := c.cfg.Project.Forget(t.Context(), memstore.ForgetRequest{Key: e.Key, Expected: e.Version,
			Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}}); err != nil {
			t.Fatal(err)
		}
		r := answering(c, d)
		if err := c.Send(t.Context(), "where is the api?", r.emit); err != nil {
			t.Fatal(err)
		}
		asked := eventsOf[ApprovalAsked](r)
		if len(asked) != 1 || asked[0].Approval.Tool != "Remember" || !strings.Contains(asked[0].Approval.Effect, "/v2") {
			t.Fatalf("asked was %+v", asked)
		}
		if isThere(t, c.cfg.Project, "old/api") != back {
			t.Errorf("%s: it is back: %v", d, !back)
		}
		if got := results(t, r)[0]; back != (got["ok"] == true) {
			t.Errorf("%s: answers %v", d, got)
		}
	}
}

func TestUndoingWhatAPersonForgotAsksThatPersonUnlessTheyWantIt(t *testing.T) {
	t.Parallel()
	for prompt, questions := range map[string]int{
		"where is the api?": 1, "remember where the api is": 1, "no, it is at /v2": 1, "undo that": 0, "bring the api back": 0,
	} {
		m := script()
		c := whole(t, m)
		e := remember(t, c.cfg.Project, "old/api", "It is at /v1.")
		gone, err := c.cfg.Project.Forget(t.Context(), memstore.ForgetRequest{Key: e.Key, Expected: e.Version,
			Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}})
		if err != nil {
			t.Fatal(err)
		}
		m.steps = append(m.steps, calls(call("UndoMemory", `{"key":"old/api","expected_version":"`+string(gone.Entry.Version)+`"}`)))
		r := answering(c, Deny)
		if err := c.Send(t.Context(), prompt, r.emit); err != nil {
			t.Fatal(err)
		}
		if n := len(eventsOf[ApprovalAsked](r)); n != questions || isThere(t, c.cfg.Project, "old/api") != (questions == 0) {
			t.Errorf("%q asks %d questions and answers %v", prompt, n, results(t, r))
		}
	}
}

func TestAPersonForgetsAndTakesItBack(t *testing.T) {
	t.Parallel()
	c := whole(t, script())
	remember(t, c.cfg.Project, "deploy/day", "Friday")
	r := answering(c, Approve)
	if err := c.ForgetByUser(t.Context(), memstore.Project, "deploy/day", r.emit); err != nil {
		t.Fatal(err)
	}
	if isThere(t, c.cfg.Project, "deploy/day") || len(eventsOf[ApprovalAsked](r)) != 1 {
		t.Fatal("it was not asked, or not forgotten")
	}
	h, err := c.cfg.Project.(memstore.Versioned).History(t.Context(), "deploy/day")
	if err != nil || h[0].Provenance.Writer != memstore.ByUser || h[0].Provenance.Origin != memstore.Explicit || h[0].Provenance.Thread != c.ID() {
		t.Errorf("provenance is %+v, %v", h[0].Provenance, err)
	}
	if err := c.UndoByUser(t.Context(), "", "", r.emit); err != nil {
		t.Fatal(err)
	}
	if e, err := c.cfg.Project.Recall(t.Context(), "deploy/day"); err != nil || e.Value != "Friday" || e.Provenance.Writer != memstore.ByUser || e.Provenance.Origin != memstore.Undone {
		t.Errorf("after undo it is %+v, %v", e, err)
	}
	lines := eventsOf[ToolFinished](r)
	if len(lines) != 2 || lines[0].Memory.Action != "forgot" || lines[1].Memory.Action != "undid" {
		t.Errorf("the lines are %+v", lines)
	}
	denied := answering(c, Deny)
	if err := c.ForgetByUser(t.Context(), memstore.Project, "deploy/day", denied.emit); err != nil || !isThere(t, c.cfg.Project, "deploy/day") {
		t.Errorf("denied, it answers %v", err)
	}
}

func TestUndoWithoutAKeyTakesTheThreadsLastWriteBackAfterARestartToo(t *testing.T) {
	t.Parallel()
	m := script(calls(call("Remember", `{"key":"a","value":"one"}`), call("RememberUser", `{"key":"b","value":"two"}`)))
	c := whole(t, m)
	send(t, c, "remember both")
	cfg := c.cfg
	cfg.Thread = c.ID()
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	c = open(t, cfg)
	if err := c.UndoByUser(t.Context(), memstore.Project, "", func(Event) {}); err != nil {
		t.Fatal(err)
	}
	if isThere(t, c.cfg.User, "user/b") || !isThere(t, c.cfg.Project, "a") {
		t.Error("another write was taken back than the last")
	}
}

func TestAPersonsWishWaitsBesideATurn(t *testing.T) {
	t.Parallel()
	c, _ := forgetting(t, Ask, "a")
	remember(t, c.cfg.Project, "mine", "x")
	asked := make(chan struct{})
	r := &record{}
	r.on = func(e Event) {
		if _, ok := e.(ApprovalAsked); ok {
			close(asked)
		}
	}
	done := make(chan error)
	go func() { done <- c.Send(context.Background(), "forget a", r.emit) }()
	<-asked
	mine := make(chan error)
	go func() {
		mine <- c.ForgetByUser(context.Background(), memstore.Project, "mine", answering(c, Approve).emit)
	}()
	if err := <-mine; err != nil || isThere(t, c.cfg.Project, "mine") || len(c.Pending()) != 1 {
		t.Errorf("the wish answers %v, %d wait", err, len(c.Pending()))
	}
	c.Decide(1, Approve)
	if err := <-done; err != nil || isThere(t, c.cfg.Project, "a") {
		t.Errorf("the turn answers %v", err)
	}
}

func TestWhereNobodyIsThereToAskThatIsSaidAndHowToDoIt(t *testing.T) {
	t.Parallel()
	for _, own := range []bool{false, true} {
		c, m := forgetting(t, Ask, "old/api")
		r := answering(c, Unasked)
		err := error(nil)
		if own {
			err = c.ForgetByUser(t.Context(), memstore.Project, "old/api", r.emit)
		} else {
			err = c.Send(t.Context(), "forget old/api", r.emit)
		}
		if err != nil || !isThere(t, c.cfg.Project, "old/api") {
			t.Fatalf("by hand %v: %v, or it was forgotten", own, err)
		}
		f := eventsOf[ToolFinished](r)[0]
		for _, want := range []string{"nobody is there to ask", "in the chat", "reverie memory forget old/api"} {
			if !strings.Contains(f.Memory.Problem, want) || !strings.Contains(f.Result, want) {
				t.Errorf("by hand %v: %q is not in %q", own, want, f.Result)
			}
		}
		if f.Memory.Action != "denied" || strings.Contains(f.Result, "said no") {
			t.Errorf("by hand %v: %s", own, f.Result)
		}
		if d := eventsOf[ApprovalDone](r); len(d) != 1 || d[0].Decision != Unasked {
			t.Errorf("by hand %v: decided was %+v", own, d)
		}
		if !own && len(m.sent()) != 2 {
			t.Errorf("asked %d times", len(m.sent()))
		}
	}
}

func TestTheOfflineModelTellsADenialFromNobodyBeingThere(t *testing.T) {
	t.Parallel()
	for d, want := range map[Decision]string{Deny: "you did not allow it", Unasked: "nobody is there to ask: in the chat it is asked for, and reverie memory forget --scope user user/editor does it"} {
		now := clock()
		c := whole(t, model.NewOffline(now), func(cfg *Config) { cfg.Now = now })
		remember(t, c.cfg.User, "user/editor", "my editor is vim")
		r := answering(c, d)
		if err := c.Send(t.Context(), "forget user/editor", r.emit); err != nil {
			t.Fatal(err)
		}
		all := eventsOf[AnswerDone](r)
		if got := all[len(all)-1].Message.Text; !strings.Contains(got, want) || d == Unasked && strings.Contains(got, "did not allow") {
			t.Errorf("%s: %q", d, got)
		}
	}
}
