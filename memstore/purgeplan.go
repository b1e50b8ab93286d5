package memstore

import (
	"encoding/json"
	"strings"
)

// planTexts are the members of a plan that hold an entry's text, or quote it.
var planTexts = []string{"value", "description", "reason", "provenance", "text", "snippet"}

// erasePlan empties the texts of the operations in a plan that name key. What
// is in the list "operations", or in any other list of the plan, counts as one
// operation.
func erasePlan(plan json.RawMessage, key string) (json.RawMessage, bool, error) {
	if len(plan) == 0 || !strings.Contains(string(plan), key) && !mayEscape(key) {
		return plan, false, nil
	}
	var whole any
	if err := json.Unmarshal(plan, &whole); err != nil {
		return nil, false, err
	}
	changed := false
	switch top := whole.(type) {
	case map[string]any:
		for _, member := range top {
			if list, ok := member.([]any); ok {
				changed = eraseList(list, key) || changed
			}
		}
		if changed {
			break
		}
		if names(top, key) {
			changed = eraseTexts(top)
		}
	case []any:
		changed = eraseList(top, key)
	}
	if !changed {
		return plan, false, nil
	}
	out, err := json.Marshal(whole)
	return out, true, err
}

// mayEscape says whether JSON may write the key in another way than it is.
func mayEscape(key string) bool {
	return strings.ContainsFunc(key, func(r rune) bool { return r >= 0x80 })
}

func eraseList(list []any, key string) (changed bool) {
	for _, op := range list {
		if names(op, key) {
			changed = eraseTexts(op) || changed
		}
	}
	return changed
}

// names says whether any string within v is the key.
func names(v any, key string) bool {
	switch v := v.(type) {
	case string:
		return v == key
	case []any:
		for _, e := range v {
			if names(e, key) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if names(e, key) {
				return true
			}
		}
	}
	return false
}

// eraseTexts empties all texts within v.
func eraseTexts(v any) (changed bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			changed = eraseTexts(e) || changed
		}
	case map[string]any:
		for _, name := range planTexts {
			switch old := v[name].(type) {
			case string:
				changed = changed || old != ""
				v[name] = ""
			case map[string]any:
				// Of a provenance, who and why may stay.
				for m := range old {
					if m != "writer" && m != "origin" {
						delete(old, m)
						changed = true
					}
				}
			}
		}
		for _, e := range v {
			changed = eraseTexts(e) || changed
		}
	}
	return changed
}
