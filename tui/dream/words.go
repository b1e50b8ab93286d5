package dream

import (
	"errors"
	"fmt"
	"strings"

	"reverie/memstore"
	"reverie/planner"
	"reverie/tui/render"
)

// approved is the decision of a receipt whose plan was carried out.
const approved = "approved"

// By is who decided.
func By(r memstore.Receipt) string {
	switch r.By {
	case memstore.ByUser:
		return "you"
	case memstore.BySystem:
		return "the schedule"
	}
	return string(r.By)
}

// Counts says what became of a receipt's operations, or that a dismissed plan
// changed nothing.
func Counts(r memstore.Receipt) string {
	if r.Decision != approved {
		return "nothing was changed"
	}
	s := planner.Summarize(r)
	return fmt.Sprintf("%s applied, %s conflicted, %s failed, %s skipped",
		render.Number(s.Applied), render.Number(s.Conflicted), render.Number(s.Failed), render.Number(s.Skipped))
}

// undoneOf counts what undoing a receipt did.
func undoneOf(r memstore.Receipt) (undone, left int) {
	for _, o := range r.Operations {
		switch o.Undo {
		case "":
		case "undone":
			undone++
		default:
			left++
		}
	}
	return undone, left
}

// Notice is a decision, or its undoing, in one line for the conversation.
func Notice(r memstore.Receipt) string {
	switch {
	case !r.Undone.IsZero():
		undone, left := undoneOf(r)
		return fmt.Sprintf("Dream about the %s memory undone: %s.", r.Scope, some(count{undone, "undone"}, count{left, "left alone"}))
	case r.Decision != approved:
		return fmt.Sprintf("Dream about the %s memory dismissed; nothing was changed.", r.Scope)
	}
	return fmt.Sprintf("Dream about the %s memory %s. /dream can undo it.", r.Scope, brief(r))
}

type count struct {
	n    int
	what string
}

// brief is a receipt in a few words.
func brief(r memstore.Receipt) string {
	if r.Decision != approved {
		return r.Decision + " by " + By(r)
	}
	s := planner.Summarize(r)
	return fmt.Sprintf("%s by %s: %s", r.Decision, By(r), some(
		count{s.Applied, "applied"}, count{s.Conflicted, "conflicted"}, count{s.Failed, "failed"}, count{s.Skipped, "skipped"}))
}

// some lists the counts that are not zero.
func some(counts ...count) string {
	var parts []string
	for _, c := range counts {
		if c.n > 0 {
			parts = append(parts, render.Number(c.n)+" "+c.what)
		}
	}
	return strings.Join(parts, ", ")
}

// Scheduled is the quiet line about a run of the schedule, or "" where it
// changed nothing. What it retires are exact duplicates only.
func Scheduled(r memstore.Receipt) string {
	n, planned := 0, unpack([]memstore.Receipt{r})[0].planned
	for _, o := range r.Operations {
		if o.Result == memstore.Applied {
			n += max(len(planned[o.ID].Sources), 1)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("The schedule retired %s in the %s memory. /dream can undo it.",
		render.Count(n, "exact duplicate", "exact duplicates"), r.Scope)
}

// LookedAt says what a plan without an operation was made of.
func LookedAt(p planner.Plan) string {
	switch p.Considered {
	case 0:
		return fmt.Sprintf("Nothing is remembered in the %s memory yet.", p.Scope)
	case 1:
		return fmt.Sprintf("One %s memory was looked at, and there is no other to compare it with.", p.Scope)
	}
	return fmt.Sprintf("%s %s memories were looked at: none says what another says, replaces another, or belongs with another.",
		render.Number(p.Considered), p.Scope)
}

// Why says in a sentence why there is no dream about a memory.
func Why(t Target) string {
	err := t.Why
	if err == nil {
		err = errNoPlanner
	}
	return sentence(err.Error())
}

func sentence(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + strings.TrimRight(s[1:], ".") + "."
}

// failed says what a decision that ended with an error did, and what to do.
func failed(t task, err error) string {
	var expired *planner.ExpiredError
	var other *planner.DecidedError
	switch {
	case errors.As(err, &expired), errors.As(err, &other), errors.Is(err, planner.ErrNoPlan), errors.Is(err, planner.ErrNotApplied):
		return sentence(err.Error())
	}
	return fmt.Sprintf("%s did not come to its end: %s. The receipt says what was done before.", sentence(string(t))[:len(t)], strings.TrimRight(err.Error(), "."))
}

// Subject names the entries of an operation in a few words: what it takes away,
// or for a merge what it is merged into.
func Subject(o planner.Operation) string {
	if o.Kind == planner.Merge || len(o.Sources) == 0 {
		return o.Survivor.Key
	}
	s := o.Sources[0].Key
	if n := len(o.Sources) - 1; n > 0 {
		s += fmt.Sprintf(" +%s", render.Number(n))
	}
	return s
}

// CannotUndo says why a receipt can't be undone, or "".
func CannotUndo(r memstore.Receipt) string {
	applied := 0
	for _, o := range r.Operations {
		if o.Result == memstore.Applied {
			applied++
		}
		if o.Undo == "" && o.Result == memstore.Applied {
			return ""
		}
	}
	if applied == 0 {
		return "nothing was changed, so there is nothing to undo"
	}
	return "it was undone already"
}

// Subjects names what each line of a receipt is about: as planned or, where the
// plan is not kept, as touched.
func Subjects(r memstore.Receipt) []string {
	x := unpack([]memstore.Receipt{r})[0]
	out := make([]string, len(r.Operations))
	for i, o := range r.Operations {
		out[i] = x.subject(o)
	}
	return out
}
