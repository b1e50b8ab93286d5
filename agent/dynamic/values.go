package dynamic

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"

	"go.starlark.net/starlark"
	"go.starlark.net/starlarkstruct"
)

// newContext is the argument of resolve: thread, message and turn can't be
// changed, state can.
func newContext(in Input, state *starlark.Dict) starlark.Value {
	return starlarkstruct.FromStringDict(starlarkstruct.Default, starlark.StringDict{
		"thread":  starlark.String(in.Thread),
		"message": starlark.String(in.Message),
		"turn":    starlark.MakeInt(in.Turn),
		"state":   state,
	})
}

func fromState(state map[string]json.RawMessage) (*starlark.Dict, error) {
	d := starlark.NewDict(len(state))
	for k, raw := range state {
		v, err := fromJSON(raw)
		if err != nil {
			return nil, fmt.Errorf("the state %q can't be read: %w", k, err)
		}
		if err := d.SetKey(starlark.String(k), v); err != nil {
			return nil, err
		}
	}
	return d, nil
}

func fromJSON(raw json.RawMessage) (starlark.Value, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	return fromGo(v)
}

func fromGo(v any) (starlark.Value, error) {
	switch v := v.(type) {
	case nil:
		return starlark.None, nil
	case bool:
		return starlark.Bool(v), nil
	case string:
		return starlark.String(v), nil
	case json.Number:
		if n, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return starlark.MakeInt64(n), nil
		}
		f, err := v.Float64()
		return starlark.Float(f), err
	case []any:
		items := make([]starlark.Value, len(v))
		for i, e := range v {
			item, err := fromGo(e)
			if err != nil {
				return nil, err
			}
			items[i] = item
		}
		return starlark.NewList(items), nil
	case map[string]any:
		d := starlark.NewDict(len(v))
		for k, e := range v {
			item, err := fromGo(e)
			if err != nil {
				return nil, err
			}
			if err := d.SetKey(starlark.String(k), item); err != nil {
				return nil, err
			}
		}
		return d, nil
	}
	return nil, fmt.Errorf("a %T is no JSON value", v)
}

// toState writes the state back as JSON, within MaxState.
func toState(d *starlark.Dict) (map[string]json.RawMessage, error) {
	w := writer{left: MaxState}
	out := make(map[string]json.RawMessage, d.Len())
	for _, item := range d.Items() {
		k, ok := starlark.AsString(item[0])
		if !ok {
			return nil, fmt.Errorf("the state has the key %s; keys must be texts", item[0].Type())
		}
		w.left -= len(k)
		v, err := w.toGo(item[1], 0)
		if err != nil {
			return nil, fmt.Errorf("the state %q: %w", k, err)
		}
		if out[k], err = json.Marshal(v); err != nil {
			return nil, fmt.Errorf("the state %q: %w", k, err)
		}
	}
	return out, nil
}

// writer turns values into Go's, counting what they take. A value may contain
// the same list many times, or itself: depth and size are bounded.
type writer struct{ left int }

const maxDepth = 32

func (w *writer) toGo(v starlark.Value, depth int) (any, error) {
	if w.left -= 8; w.left < 0 {
		return nil, fmt.Errorf("the state is larger than %d bytes", MaxState)
	}
	if depth > maxDepth {
		return nil, errors.New("it is nested too deeply")
	}
	switch v := v.(type) {
	case starlark.NoneType:
		return nil, nil
	case starlark.Bool:
		return bool(v), nil
	case starlark.String:
		if w.left -= len(v); w.left < 0 {
			return nil, fmt.Errorf("the state is larger than %d bytes", MaxState)
		}
		return string(v), nil
	case starlark.Int:
		n, ok := v.Int64()
		if !ok {
			return nil, errors.New("a number is too large")
		}
		return n, nil
	case starlark.Float:
		if math.IsInf(float64(v), 0) || math.IsNaN(float64(v)) {
			return nil, errors.New("a number is not finite")
		}
		return float64(v), nil
	case *starlark.Dict:
		out := map[string]any{}
		for _, item := range v.Items() {
			k, ok := starlark.AsString(item[0])
			if !ok {
				return nil, errors.New("the keys of a dict must be texts")
			}
			w.left -= len(k)
			e, err := w.toGo(item[1], depth+1)
			if err != nil {
				return nil, err
			}
			out[k] = e
		}
		return out, nil
	case starlark.Indexable: // lists and tuples
		out := make([]any, 0, min(v.Len(), 1024))
		for i := range v.Len() {
			e, err := w.toGo(v.Index(i), depth+1)
			if err != nil {
				return nil, err
			}
			out = append(out, e)
		}
		return out, nil
	}
	return nil, fmt.Errorf("a %s can't be kept; use texts, numbers, bools, lists and dicts", v.Type())
}

// readResult takes what resolve returned: None, or a dict of wishes.
func readResult(v starlark.Value, state *starlark.Dict) (Output, error) {
	var out Output
	var err error
	if out.State, err = toState(state); err != nil {
		return out, err
	}
	if v == starlark.None {
		return out, nil
	}
	d, ok := v.(*starlark.Dict)
	if !ok {
		return out, fmt.Errorf("resolve returned a %s; it returns None or a dict", v.Type())
	}
	for _, item := range d.Items() {
		k, _ := starlark.AsString(item[0])
		if item[1] == starlark.None {
			continue
		}
		switch k {
		case "add":
			out.Add, err = text(k, item[1])
		case "replace":
			out.Replace, err = text(k, item[1])
		case "model":
			out.Model, err = text(k, item[1])
		case "tools":
			out.Narrow = true
			out.Tools, err = texts(k, item[1])
		default:
			err = fmt.Errorf("resolve returned the key %s; add, replace, model and tools are known", item[0])
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

func text(name string, v starlark.Value) (string, error) {
	s, ok := starlark.AsString(v)
	if !ok {
		return "", fmt.Errorf("%q must be a text, it is a %s", name, v.Type())
	}
	if len(s) > MaxText {
		return "", fmt.Errorf("%q has %d bytes, the limit is %d", name, len(s), MaxText)
	}
	return s, nil
}

func texts(name string, v starlark.Value) ([]string, error) {
	list, ok := v.(starlark.Indexable)
	if _, isText := v.(starlark.String); !ok || isText || list.Len() > 1000 {
		return nil, fmt.Errorf("%q must be a list of texts", name)
	}
	out := make([]string, list.Len())
	for i := range out {
		s, err := text(name, list.Index(i))
		if err != nil {
			return nil, err
		}
		out[i] = s
	}
	return out, nil
}
