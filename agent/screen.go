package agent

import (
	"bytes"
	"encoding/json"
	"strings"

	"reverie/agent/model"
	"reverie/memstore"
	"reverie/memstore/guard"
)

// What a model wants to save may be what the guard refuses, and its call must
// not carry that text into the thread, an event or the next request. So the
// calls of an answer are screened before the answer is kept: a save that would
// be refused has its arguments withheld and is not run, and in any other call
// what looks like a credential is blanked where the call is kept and shown.

// withheld stands for an argument that the guard refused.
const withheld = "[withheld]"

// maxScreened bounds, in bytes, the arguments that are screened. No store
// takes a value that is nearly as long.
const maxScreened = 4 * memstore.MaxValue

// screened is the calls of an answer as they may be kept and shown.
type screened struct {
	calls   []model.ToolCall
	refused []*outcome // what a save comes to that the guard refuses, or nil
}

func screen(tools []tool, calls []model.ToolCall) screened {
	s := screened{calls: make([]model.ToolCall, len(calls)), refused: make([]*outcome, len(calls))}
	for i, call := range calls {
		s.calls[i] = call
		if len(call.Arguments) > maxScreened {
			continue
		}
		tl, _ := findTool(tools, call.Name)
		if a, err := tl.parse(call.Arguments); err == nil && tl.saves != nil {
			scope, in := tl.saves(a)
			if err := guard.Check(in); err != nil {
				o := refused(err, scope, "", names{})
				s.refused[i], s.calls[i].Arguments = &o, withhold(a)
				continue
			}
		}
		s.calls[i].Arguments = maskArguments(call.Arguments)
	}
	return s
}

// withhold is the arguments of a refused save: their names alone.
func withhold(a arguments) string {
	out := map[string]string{}
	for name := range a {
		out[name] = withheld
	}
	return string(mustJSON(out))
}

// maskArguments blanks what looks like a credential in the texts of a call's
// arguments, and leaves everything else as the model wrote it. What is no JSON
// object goes as a whole where it holds a credential.
func maskArguments(text string) string {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v map[string]any
	if d.Decode(&v) != nil || d.More() {
		if mask(text) != text {
			return "{}"
		}
		return text
	}
	changed := false
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case string:
			m := mask(v)
			changed = changed || m != v
			return m
		case []any:
			for i := range v {
				v[i] = walk(v[i])
			}
		case map[string]any:
			out := make(map[string]any, len(v))
			for k, x := range v {
				m := mask(k)
				changed = changed || m != k
				out[m] = walk(x)
			}
			return out
		}
		return v
	}
	masked := walk(v)
	if !changed {
		return text
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(masked) != nil {
		return "{}"
	}
	return strings.TrimSpace(b.String())
}

// saving is what a store checks of a save: the key as it is kept.
func saving(key, description, value string) guard.Input {
	if k, err := memstore.Key(key); err == nil {
		key = k
	}
	return guard.Input{Key: key, Description: description, Value: value}
}
