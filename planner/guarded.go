package planner

import (
	"errors"
	"fmt"

	"reverie/memstore"
	"reverie/memstore/guard"
)

// refusal says whether an entry holds text that may not be saved, such as a
// credential from before that was looked for. Such an entry is in no
// operation: only a person can purge it.
func refusal(e memstore.Entry) (Purge, bool) {
	err := guard.Check(guard.Input{
		Key: e.Key, Description: e.Description, Value: e.Value,
		Person: e.Provenance.Writer == memstore.ByUser,
	})
	if err == nil {
		return Purge{}, false
	}
	p := Purge{Key: guard.Mask(e.Key), Masked: guard.Mask(e.Value), Reason: "It may not be saved any more."}
	var r *guard.Refusal
	if errors.As(err, &r) {
		p.Rule = r.Rule
		p.Reason = fmt.Sprintf("Rule %s refuses its %s: purge it with `reverie memory purge`.", r.Rule, r.Field)
		if r.Field == "key" && p.Key == e.Key {
			p.Key = "[withheld: " + r.Rule + "]"
		}
		if r.Field == "value" && p.Masked == e.Value {
			p.Masked = "[withheld: " + r.Rule + "]"
		}
	}
	return p, true
}

// refused says why a text that an operation would write may not be saved.
func refused(e memstore.Entry) error {
	return guard.Check(guard.Input{Key: e.Key, Description: e.Description, Value: e.Value})
}
