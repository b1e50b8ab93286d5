package planner

import (
	"encoding/json"
	"time"

	"reverie/memstore"
)

// Lifetime is how long a plan may be approved after it was made.
const Lifetime = 10 * time.Minute

// Kind is what an operation does.
type Kind string

const (
	// Retire forgets entries that say the same as the survivor.
	Retire Kind = "retire"
	// Merge folds entries about one subject into the survivor, which then
	// has every detail of all.
	Merge Kind = "merge"
	// Supersede forgets an older statement that the survivor's text says it
	// replaces.
	Supersede Kind = "supersede"
)

// Ref names an entry in one state.
type Ref struct {
	Key     string           `json:"key"`
	Version memstore.Version `json:"version"`
}

// Operation is one step of a plan. Sources are forgotten, the survivor stays
// and afterwards reads as After does. Before holds the exact states the
// operation was planned on: the sources in their order, then the survivor.
type Operation struct {
	ID       string           `json:"id"` // its number in the plan, from "1"
	Kind     Kind             `json:"kind"`
	Sources  []Ref            `json:"sources"`
	Survivor Ref              `json:"survivor"`
	Before   []memstore.Entry `json:"before"`
	After    memstore.Entry   `json:"after"`
	Reason   string           `json:"reason"` // one sentence
}

// Keeps says whether the operation leaves the survivor as it is.
func (o Operation) Keeps() bool {
	b := o.Before[len(o.Before)-1]
	return b.Value == o.After.Value && b.Description == o.After.Description && b.Kind == o.After.Kind
}

// Unsure names entries that look contradictory and that no rule decides. A
// plan changes nothing about them.
type Unsure struct {
	Keys   []string `json:"keys"`
	Reason string   `json:"reason"` // one sentence
}

// Purge names an entry with text that may not be saved any more, such as a
// credential from before it was looked for. Only a person can purge it.
type Purge struct {
	Key    string `json:"key"`    // masked where the key itself holds it
	Rule   string `json:"rule"`   // the guard's rule
	Masked string `json:"masked"` // the value with the text hidden
	Reason string `json:"reason"` // one sentence
}

// Dropped names an operation that a model proposed and the rules refused.
type Dropped struct {
	Keys   []string `json:"keys"`
	Reason string   `json:"reason"`
}

// Plan is a dream's proposal for one scope. It is a value: nothing changes
// until it is applied, and no entry is in two of its operations.
type Plan struct {
	ID         string         `json:"id"`
	Scope      memstore.Scope `json:"scope"`
	Created    time.Time      `json:"created"` // UTC
	Expires    time.Time      `json:"expires"` // Created and [Lifetime]
	Planner    string         `json:"planner"` // "local", or "local+" and the model
	Considered int            `json:"considered"`
	Operations []Operation    `json:"operations"`
	Unsure     []Unsure       `json:"unsure,omitempty"`
	Purge      []Purge        `json:"purge,omitempty"`
	Dropped    []Dropped      `json:"dropped,omitempty"`
	// Note says why a model's help is missing, where it was asked for.
	Note string `json:"note,omitempty"`
}

// Empty says that there is nothing to approve.
func (p Plan) Empty() bool { return len(p.Operations) == 0 }

// Expired says whether it is too late to approve the plan.
func (p Plan) Expired(now time.Time) bool { return !now.Before(p.Expires) }

// Answer is what `dream --json` prints: why there is no dream, or the plan,
// with a receipt once it was decided on.
type Answer struct {
	Reason  string            // why it is not available; Plan is then nil
	Plan    *Plan             // nil where the dream is not available
	Receipt *memstore.Receipt // nil before a decision
}

// MarshalJSON writes the shape that the reference documents.
func (a Answer) MarshalJSON() ([]byte, error) {
	if a.Plan == nil {
		return json.Marshal(struct {
			Available bool   `json:"available"`
			Reason    string `json:"reason"`
		}{false, a.Reason})
	}
	p := *a.Plan
	if p.Operations == nil {
		p.Operations = []Operation{}
	}
	var r *Summary
	if a.Receipt != nil {
		s := Summarize(*a.Receipt)
		r = &s
	}
	return json.Marshal(struct {
		Available bool `json:"available"`
		Plan
		Receipt *Summary `json:"receipt,omitempty"`
	}{true, p, r})
}

// Summary counts a receipt's lines. The four counts add up to Planned.
type Summary struct {
	Planned    int           `json:"planned"`
	Applied    int           `json:"applied"`
	Conflicted int           `json:"conflicted"`
	Failed     int           `json:"failed"`
	Skipped    int           `json:"skipped"`
	Operations []SummaryLine `json:"operations"`
}

// SummaryLine is what became of one operation.
type SummaryLine struct {
	ID     string          `json:"id"`
	Result memstore.Result `json:"result"`
	Error  string          `json:"error"`
}

// Summarize counts what a receipt says.
func Summarize(r memstore.Receipt) Summary {
	s := Summary{Planned: len(r.Operations), Operations: []SummaryLine{}}
	for _, o := range r.Operations {
		switch o.Result {
		case memstore.Applied:
			s.Applied++
		case memstore.Conflicted:
			s.Conflicted++
		case memstore.Failed:
			s.Failed++
		default:
			s.Skipped++
		}
		s.Operations = append(s.Operations, SummaryLine{o.ID, o.Result, o.Error})
	}
	return s
}
