package stories

import (
	"testing"
	"time"
)

func TestWhatIsToldIsKnownAfterQuittingWithProofAndCanBeForgottenAndBroughtBack(t *testing.T) {
	t.Parallel()
	p := newPerson(t)

	s := p.starts()
	s.See("OFFLINE", "remember that deploys go out on Thursday")
	s.Say("remember that we deploy on Fridays only")
	s.See("* remembered", "we deploy on Fridays only")
	s.Say("/quit").Ends(0)

	s = p.starts()
	s.See("project 1")
	s.Say("when do we deploy?")
	s.See("deploy on Fridays only", "by the model, just now")
	s.Say("why?")
	s.See("because someone asked for it")
	s.Say("forget that we deploy on Fridays")
	s.See("FORGET", "1 waiting")
	s.Press("ctrl+g")
	// An approval counts only some time after the focus came.
	time.Sleep(500 * time.Millisecond)
	s.Press("A")
	s.See("* forgot")
	p.runs("", "memory", "list", "--json").answers(p, 0, "[]")
	s.Say("undo")
	s.See("* undid")
	p.runs("", "memory", "list").answers(p, 0, "deploy on Fridays only")
	s.Press("ctrl+d").Ends(0)
}
