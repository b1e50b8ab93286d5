package model

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// fakeMemory answers the tools of the lifecycle vocabulary as package agent
// does, over a map. It denies forgetting when deny is set.
type fakeMemory struct {
	t       *testing.T
	now     time.Time
	entries map[string][]fakeRevision // by scope and key, oldest first
	n       int
	deny    bool
	calls   []ToolCall
	near    map[string]float64 // score that a search gives to a key whatever the query
}

// fakeShown is how much of a value searches and saves show, in bytes.
const fakeShown = 1 << 10

type fakeRevision struct {
	value, version, writer, op string
	forgotten                  bool
	at                         time.Time
	undo                       int // which revision undoing this one restores, from 1; 0 is none
}

// nothing is what undoing restores where there is nothing to undo.
const nothing = -1

func newFakeMemory(t *testing.T, now time.Time) *fakeMemory {
	return &fakeMemory{t: t, now: now, entries: map[string][]fakeRevision{}}
}

func (f *fakeMemory) write(id string, r fakeRevision) fakeRevision {
	f.n++
	r.version, r.at = fmt.Sprintf("r_%04d", f.n), f.now
	if r.op != "undo" {
		r.undo = len(f.entries[id])
	}
	f.entries[id] = append(f.entries[id], r)
	return r
}

// put saves something as another writer did at another time.
func (f *fakeMemory) put(scope, key, value, writer string, at time.Time) {
	r := f.write(scope+" "+key, fakeRevision{value: value, writer: writer, op: "remember"})
	r.at = at
	f.entries[scope+" "+key][len(f.entries[scope+" "+key])-1] = r
}

func (f *fakeMemory) value(scope, key string) string {
	rs := f.entries[scope+" "+key]
	if len(rs) == 0 || rs[len(rs)-1].forgotten {
		return ""
	}
	return rs[len(rs)-1].value
}

func (f *fakeMemory) run(c ToolCall) map[string]any {
	f.calls = append(f.calls, c)
	var a struct {
		Key, Value, Query, Prefix string
		Expected                  string `json:"expected_version"`
	}
	if err := json.Unmarshal([]byte(c.Arguments), &a); err != nil {
		f.t.Fatalf("arguments of %s are not JSON: %v", c.Name, err)
	}
	scope := scopeOfTool(c)
	id := scope + " " + a.Key
	rs := f.entries[id]
	var last fakeRevision
	if len(rs) > 0 {
		last = rs[len(rs)-1]
	}
	live := len(rs) > 0 && !last.forgotten
	conflict := map[string]any{"ok": false, "kind": "conflict", "error": "it changed", "current": map[string]any{
		"version": last.version, "writer": last.writer, "value": last.value}}
	// begin is a value as results show it that are not about one entry alone.
	begin := func(m map[string]any, value string) map[string]any {
		if m["value"] = value; len(value) > fakeShown {
			m["value"], m["cut"] = value[:fakeShown], true
		}
		return m
	}
	entry := func(key string, r fakeRevision) map[string]any {
		return map[string]any{"scope": scope, "key": key, "value": r.value, "version": r.version, "updated": r.at.Format(time.RFC3339),
			"forgotten": r.forgotten, "provenance": map[string]any{"writer": r.writer, "origin": "explicit", "thread": "t1", "turn": 1, "tool": "Remember"}}
	}
	switch {
	case isTool(c.Name, opSave):
		switch {
		case a.Expected == "none" && live, a.Expected != "" && a.Expected != "none" && a.Expected != last.version:
			return conflict
		case live && last.value == a.Value:
			return map[string]any{"ok": true, "action": "unchanged", "scope": scope, "key": a.Key, "version": last.version, "value": a.Value}
		}
		r := f.write(id, fakeRevision{value: a.Value, writer: "user", op: "remember"})
		out := begin(map[string]any{"ok": true, "action": "remembered", "scope": scope, "key": a.Key, "version": r.version}, a.Value)
		if live {
			out["previous"] = map[string]any{"value": last.value, "version": last.version}
		}
		return out
	case isTool(c.Name, opSearch):
		results := []map[string]any{}
		for other, rs := range f.entries {
			last := rs[len(rs)-1]
			s, key, _ := strings.Cut(other, " ")
			if s != scope || last.forgotten {
				continue
			}
			score := covers(stems(key+" "+last.value), stems(a.Query))
			if score += f.near[key]; score > 0 {
				results = append(results, begin(map[string]any{"scope": s, "key": key, "snippet": last.value[:min(len(last.value), 80)],
					"score": score, "version": last.version, "updated": last.at.Format(time.RFC3339), "writer": last.writer}, last.value))
			}
		}
		return map[string]any{"ok": true, "results": results}
	case isTool(c.Name, opRecall) && a.Key == "":
		list := []map[string]any{}
		for other, rs := range f.entries {
			if s, key, _ := strings.Cut(other, " "); s == scope && !rs[len(rs)-1].forgotten {
				list = append(list, map[string]any{"key": key, "description": rs[len(rs)-1].value, "version": rs[len(rs)-1].version})
			}
		}
		return map[string]any{"ok": true, "entries": list, "total": len(list)}
	case len(rs) == 0, !live && !isTool(c.Name, opUndo, opInspect):
		return map[string]any{"ok": false, "kind": "not_found", "error": "no memory " + a.Key}
	case isTool(c.Name, opRecall):
		return map[string]any{"ok": true, "entry": entry(a.Key, last)}
	case isTool(c.Name, opInspect):
		var history []map[string]any
		for i := len(rs) - 1; i >= 0; i-- {
			h := entry(a.Key, rs[i])
			h["op"], h["recorded"] = rs[i].op, rs[i].at.Format(time.RFC3339)
			history = append(history, h)
		}
		return map[string]any{"ok": true, "entry": entry(a.Key, last), "history": history}
	case a.Expected != last.version:
		return conflict
	case isTool(c.Name, opForget):
		if f.deny {
			return map[string]any{"ok": false, "kind": "denied", "error": "the user said no"}
		}
		r := f.write(id, fakeRevision{writer: "user", op: "forget", forgotten: true, value: ""})
		return map[string]any{"ok": true, "action": "forgot", "scope": scope, "key": a.Key, "version": r.version,
			"previous": map[string]any{"value": last.value, "version": last.version}}
	case isTool(c.Name, opUndo):
		if last.undo == nothing {
			return map[string]any{"ok": false, "kind": "invalid", "error": "nothing to undo"}
		}
		back := fakeRevision{forgotten: true, undo: nothing}
		if last.undo > 0 {
			back = rs[last.undo-1]
		}
		r := f.write(id, fakeRevision{writer: "user", op: "undo", value: back.value, forgotten: back.forgotten, undo: back.undo})
		return map[string]any{"ok": true, "action": "undid", "scope": scope, "key": a.Key, "version": r.version, "value": back.value,
			"further": back.undo != nothing}
	}
	f.t.Fatalf("no such tool: %s", c.Name)
	return nil
}

// talk is a conversation with the offline model.
type talk struct {
	t        *testing.T
	model    *Offline
	memory   *fakeMemory
	tools    []ToolSpec
	messages []Message
	last     []ToolCall // of the last turn
}

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func lifecycleSpecs() []ToolSpec {
	var specs []ToolSpec
	for _, t := range offlineTools {
		if t.name[0] >= 'A' && t.name[0] <= 'Z' {
			specs = append(specs, ToolSpec{Name: t.name})
		}
	}
	return specs
}

func newTalk(t *testing.T) *talk {
	return &talk{t: t, model: NewOffline(func() time.Time { return noon }), memory: newFakeMemory(t, noon), tools: lifecycleSpecs()}
}

// say runs a turn and returns the answer.
func (k *talk) say(text string) string {
	k.t.Helper()
	k.last = nil
	k.messages = append(k.messages, Message{Role: User, Text: text})
	for range 12 {
		streamed := ""
		a, err := k.model.Stream(context.Background(), Request{Messages: k.messages, Tools: k.tools}, func(d Delta) { streamed += d.Text })
		if err != nil {
			k.t.Fatalf("%q: %v", text, err)
		}
		if streamed != a.Message.Text {
			k.t.Fatalf("%q: streamed %q, answered %q", text, streamed, a.Message.Text)
		}
		k.messages = append(k.messages, a.Message)
		if len(a.Message.Calls) == 0 {
			if !strings.HasPrefix(a.Message.Text, "offline: ") {
				k.t.Fatalf("%q: the answer %q does not begin with \"offline:\"", text, a.Message.Text)
			}
			return a.Message.Text
		}
		for _, c := range a.Message.Calls {
			if !toolset(k.tools).has(c.Name) {
				k.t.Fatalf("%q: called %q, which is not offered", text, c.Name)
			}
			k.last = append(k.last, c)
			result := k.memory.run(c)
			b, err := json.Marshal(result)
			if err != nil {
				k.t.Fatal(err)
			}
			k.messages = append(k.messages, Message{Role: Tool, CallID: c.ID, Name: c.Name, Text: string(b), Failed: result["ok"] == false})
		}
	}
	k.t.Fatalf("%q: no end after 12 rounds", text)
	return ""
}

// again is a new session over the same memory.
func (k *talk) again() { k.messages = nil }

func (k *talk) called() string {
	var names []string
	for _, c := range k.last {
		names = append(names, c.Name)
	}
	return strings.Join(names, " ")
}
