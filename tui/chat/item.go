package chat

import (
	"encoding/json"
	"strings"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/memstore"
	"reverie/tui/render"
	"reverie/tui/wording"
)

type kind int

const (
	userItem kind = iota
	answerItem
	memoryItem
	toolItem
	noticeItem
	errorItem
)

// item is one thing in the transcript. rev grows with every change, so that
// what was drawn before is known to be stale.
type item struct {
	kind      kind
	rev       int
	text      string
	stream    *render.Stream // while the answer comes in
	reasoning string
	partial   bool // the answer was stopped or broken off
	memory    wording.Memory
	advice    string // for an error: what to do
	about     string // for a tool: what it looked for
	failed    bool   // for a tool
	unfolded  bool
}

// fromHistory makes the items of a stored conversation.
func fromHistory(messages []model.Message) []*item {
	var out []*item
	calls := map[string]model.ToolCall{}
	for _, msg := range messages {
		switch msg.Role {
		case model.User:
			out = append(out, &item{kind: userItem, text: msg.Text})
		case model.Assistant:
			for _, c := range msg.Calls {
				calls[c.ID] = c
			}
			if msg.Text != "" || msg.Partial {
				out = append(out, &item{kind: answerItem, text: msg.Text, reasoning: msg.Reasoning, partial: msg.Partial})
			}
		case model.Tool:
			call := calls[msg.CallID]
			if call.Name == "" {
				call.Name = msg.Name
			}
			out = append(out, ofStoredCall(call, msg.Failed, msg.Text))
		}
	}
	return out
}

// writes are the tools that change a memory, with the word for what they did.
var writes = map[string]struct {
	verb  string
	scope memstore.Scope
}{
	"Remember":         {"remembered", memstore.Project},
	"ForgetMemory":     {"forgot", memstore.Project},
	"UndoMemory":       {"undid", memstore.Project},
	"RememberUser":     {"remembered", memstore.User},
	"ForgetUserMemory": {"forgot", memstore.User},
	"UndoUserMemory":   {"undid", memstore.User},
	"memory_save":      {"remembered", memstore.Project},
	"memory_forget":    {"forgot", memstore.Project},
	"remember":         {"remembered", memstore.Thread},
}

func ofStoredCall(c model.ToolCall, failed bool, result string) *item {
	w, ok := writes[c.Name]
	if !ok {
		return ofCall(c, failed, result)
	}
	args := arguments(c.Arguments)
	m := wording.Memory{Verb: w.verb, Scope: w.scope, Key: first(args, "key", "name"), Failed: failed}
	if args["scope"] == "global" {
		m.Scope = memstore.User
	}
	m.Detail = orElse(strings.Join(strings.Fields(first(args, "value", "note")), " "), args["description"])
	if failed {
		m.Verb, m.Detail = "refused", memstore.Entry{Value: result}.Summary()
	}
	return &item{kind: memoryItem, memory: m}
}

func ofFinished(e agent.ToolFinished) *item {
	if e.Memory != nil {
		return &item{kind: memoryItem, memory: wording.OfMemory(*e.Memory)}
	}
	return ofCall(e.Call, e.Error != "", orElse(e.Error, e.Result))
}

// ofCall is a tool that only looked: its name and the argument that tells
// most, with the error or, unfolded, the result.
func ofCall(c model.ToolCall, failed bool, result string) *item {
	about := memstore.Entry{Value: first(arguments(c.Arguments), "query", "key", "prefix", "name")}.Summary()
	return &item{kind: toolItem, text: c.Name, about: about, advice: strings.TrimSpace(result), failed: failed}
}

// joinTools puts a call on the line of the one before it, where both looked
// for the same and neither failed.
func joinTools(before, it *item) bool {
	if before.kind != toolItem || it.kind != toolItem || before.failed || it.failed || before.about != it.about {
		return false
	}
	before.text += ", " + it.text
	before.advice = strings.TrimSpace(before.advice + "\n\n" + it.advice)
	before.rev++
	return true
}

// arguments reads the strings out of a call's arguments, which may be invalid.
func arguments(text string) map[string]string {
	var raw map[string]any
	out := map[string]string{}
	if json.Unmarshal([]byte(text), &raw) != nil {
		return out
	}
	for k, v := range raw {
		if s, ok := v.(string); ok {
			out[k] = s
		}
	}
	return out
}

func first(args map[string]string, names ...string) string {
	for _, n := range names {
		if args[n] != "" {
			return args[n]
		}
	}
	return ""
}
