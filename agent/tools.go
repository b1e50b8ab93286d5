package agent

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"reverie/agent/model"
	"reverie/memstore"
	"reverie/memstore/guard"
)

// tool is one thing that a model can call.
type tool struct {
	name, description string
	params            []param
	run               func(ctx context.Context, t *turn, a arguments) outcome
	// saves is set for a tool that saves a text: where, and what the guard
	// will check.
	saves func(a arguments) (memstore.Scope, guard.Input)
	// question is set for a tool that a person has to agree to: what to ask
	// before it runs. ok is false where there is nothing to ask, because the
	// call will fail anyway.
	question func(ctx context.Context, t *turn, a arguments) (p Approval, s memstore.Store, ok bool)
}

// param is one argument of a tool.
type param struct {
	name, description string
	kind              string   // "string" or "integer"
	required          bool     // an optional one may be left out, null or ""
	enum              []string // what a string may be
}

// arguments are a call's checked arguments: strings and ints by name. What was
// left out is not in it.
type arguments map[string]any

func (a arguments) text(name string) string { s, _ := a[name].(string); return s }

// limit is the argument limit within 1 and most, or normal where left out.
func (a arguments) limit(normal, most int) int {
	n, ok := a["limit"].(int)
	if !ok || n < 1 {
		return normal
	}
	return min(n, most)
}

// toolsFor makes the tools of a vocabulary over the stores that there are.
func toolsFor(cfg Config) []tool {
	switch cfg.Vocabulary {
	case Lifecycle:
		return lifecycleTools(cfg)
	case Files:
		return filesTools(cfg)
	case Notes:
		return notesTools()
	}
	return nil
}

// spec describes a tool to a model. All arguments are listed as required and
// optional ones may be null: providers that check arguments strictly demand
// that, and others accept it. A model that leaves an optional one out is
// understood just as well.
func (t tool) spec() model.ToolSpec {
	type property struct {
		Type        any    `json:"type"`
		Description string `json:"description"`
		Enum        []any  `json:"enum,omitempty"`
	}
	var props bytes.Buffer
	required := []string{}
	for i, p := range t.params {
		prop := property{Type: p.kind, Description: p.description}
		for _, e := range p.enum {
			prop.Enum = append(prop.Enum, e)
		}
		if !p.required {
			prop.Type = []string{p.kind, "null"}
			if len(p.enum) > 0 {
				prop.Enum = append(prop.Enum, nil)
			}
		}
		if i > 0 {
			props.WriteByte(',')
		}
		fmt.Fprintf(&props, "%s:%s", mustJSON(p.name), mustJSON(prop))
		required = append(required, p.name)
	}
	schema := fmt.Sprintf(`{"type":"object","properties":{%s},"required":%s,"additionalProperties":false}`, props.Bytes(), mustJSON(required))
	return model.ToolSpec{Name: t.name, Description: t.description, Schema: json.RawMessage(schema)}
}

// mustJSON writes a value of our own making, of plain texts and numbers, which
// can't fail.
func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte(strconv.Quote(err.Error()))
	}
	return b
}

// parse checks what a model wrote as arguments. The error says what is wrong
// and what to write instead.
func (t tool) parse(text string) (arguments, error) {
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &raw); err != nil {
		return nil, fmt.Errorf("the arguments of %s are no JSON object (%w); call it again with %s", t.name, err, t.shape())
	}
	a := arguments{}
	for name, v := range raw {
		i := slices.IndexFunc(t.params, func(p param) bool { return p.name == name })
		if i < 0 {
			return nil, fmt.Errorf("%s has no argument %q; it takes %s", t.name, cut(oneLine(name), 64), t.shape())
		}
		if err := t.params[i].read(v, a); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
	}
	for _, p := range t.params {
		if _, ok := a[p.name]; p.required && !ok {
			return nil, fmt.Errorf("%s needs the argument %q; it takes %s", t.name, p.name, t.shape())
		}
	}
	return a, nil
}

// shape shows a tool's arguments as a model may write them.
func (t tool) shape() string {
	parts := make([]string, len(t.params))
	for i, p := range t.params {
		parts[i] = fmt.Sprintf("%q: %s", p.name, p.kind)
		if !p.required {
			parts[i] += " (optional)"
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// read takes one argument. A number written as a text is understood, as small
// models write it; null and, for an optional one, "" and "null" mean that it is
// left out.
func (p param) read(v json.RawMessage, a arguments) error {
	if bytes.Equal(bytes.TrimSpace(v), []byte("null")) {
		return nil
	}
	var s string
	isText := json.Unmarshal(v, &s) == nil
	if p.kind == "integer" {
		var f float64
		if isText {
			if s == "" {
				return nil
			}
			v = json.RawMessage(s)
		}
		if err := json.Unmarshal(v, &f); err != nil || f != float64(int(f)) {
			return fmt.Errorf("the argument %q must be a whole number", p.name)
		}
		a[p.name] = int(f)
		return nil
	}
	if !isText {
		return fmt.Errorf("the argument %q must be a text in quotes", p.name)
	}
	if len(p.enum) > 0 && s != "" {
		s = strings.ToLower(strings.TrimSpace(s))
		if !slices.Contains(p.enum, s) {
			return fmt.Errorf("the argument %q must be one of %s", p.name, strings.Join(p.enum, ", "))
		}
	}
	if !p.required && (s == "" || s == "null") {
		return nil
	}
	a[p.name] = s
	return nil
}

// find returns a tool by name, first exactly, then whatever the case.
func findTool(tools []tool, name string) (tool, bool) {
	for _, t := range tools {
		if t.name == name {
			return t, true
		}
	}
	for _, t := range tools {
		if strings.EqualFold(t.name, strings.TrimSpace(name)) {
			return t, true
		}
	}
	return tool{}, false
}

func toolNames(tools []tool) string {
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.name
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
