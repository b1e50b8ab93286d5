package model

import (
	"encoding/json"
	"slices"
	"strings"
)

// op is what a tool does, whatever it is called.
type op string

const (
	opSave    op = "save"
	opRecall  op = "recall"
	opSearch  op = "search"
	opInspect op = "inspect"
	opForget  op = "forget"
	opUndo    op = "undo"
)

// tools says which tool does what in which scope, in the three vocabularies.
// The order is that of preference.
var offlineTools = []struct {
	name  string
	op    op
	scope string // "" for tools that take one
}{
	{"Remember", opSave, "project"},
	{"RememberUser", opSave, "user"},
	{"Recall", opRecall, "project"},
	{"RecallUser", opRecall, "user"},
	{"SearchMemory", opSearch, "project"},
	{"SearchUserModel", opSearch, "user"},
	{"InspectMemory", opInspect, "project"},
	{"InspectUserMemory", opInspect, "user"},
	{"ForgetMemory", opForget, "project"},
	{"ForgetUserMemory", opForget, "user"},
	{"UndoMemory", opUndo, "project"},
	{"UndoUserMemory", opUndo, "user"},
	{"memory_save", opSave, ""},
	{"memory_search", opSearch, ""},
	{"memory_forget", opForget, ""},
	{"memory_read", opRecall, ""},
	{"remember", opSave, "thread"},
	{"recall", opRecall, "thread"},
}

// isTool says whether the named tool does one of these.
func isTool(name string, ops ...op) bool {
	for _, t := range offlineTools {
		if t.name == name {
			return slices.Contains(ops, t.op)
		}
	}
	return false
}

// scopeOfTool is the scope that a call was about.
func scopeOfTool(c ToolCall) string {
	for _, t := range offlineTools {
		if t.name != c.Name || t.scope == "" {
			continue
		}
		return t.scope
	}
	var args struct{ Scope string }
	if json.Unmarshal([]byte(c.Arguments), &args) == nil && args.Scope == "global" {
		return "user"
	}
	return "project"
}

// toolset is what a request offers.
type toolset []ToolSpec

func (ts toolset) has(name string) bool {
	return slices.ContainsFunc(ts, func(t ToolSpec) bool { return t.Name == name })
}

// find is the name of the tool that does op in a scope; "" where there is
// none.
func (ts toolset) find(o op, scope string) string {
	for _, t := range offlineTools {
		if t.op == o && (t.scope == scope || t.scope == "") && ts.has(t.name) {
			return t.name
		}
	}
	return ""
}

// notes says that the notes of the thread are all the memory there is.
func (ts toolset) notes() bool {
	return ts.has("remember") && ts.find(opSave, "project") == ""
}

// none says that there is no memory at all, as with --no-memory.
func (ts toolset) none() bool {
	return !slices.ContainsFunc(ts, func(t ToolSpec) bool { return isTool(t.Name, opSave, opRecall, opSearch) })
}

// scopes are those in which op can be done, the project's first.
func (ts toolset) scopes(o op) []string {
	var out []string
	for _, s := range []string{"project", "user", "thread"} {
		if ts.find(o, s) != "" {
			out = append(out, s)
		}
	}
	return out
}

// make makes a call. Arguments are named as the lifecycle vocabulary names
// them; the files vocabulary says name for key, and takes the scope.
func (ts toolset) make(o op, scope string, args map[string]any) ToolCall {
	name := ts.find(o, scope)
	if strings.HasPrefix(name, "memory_") {
		args = forFiles(name, scope, args)
	}
	b, err := json.Marshal(args)
	if err != nil {
		b = []byte("{}")
	}
	return ToolCall{Name: name, Arguments: string(b)}
}

func forFiles(name, scope string, args map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range args {
		switch k {
		case "key":
			out["name"] = v
		case "expected_version", "prefix":
		default:
			out[k] = v
		}
	}
	if name != "memory_search" {
		out["scope"] = map[bool]string{true: "global", false: "project"}[scope == "user"]
	}
	return out
}

// takes says whether a tool's schema has a property.
func (ts toolset) takes(name, property string) bool {
	for _, t := range ts {
		if t.Name == name {
			var s struct {
				Properties map[string]json.RawMessage `json:"properties"`
			}
			return json.Unmarshal(t.Schema, &s) == nil && s.Properties[property] != nil
		}
	}
	return false
}
