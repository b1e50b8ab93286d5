package model

import (
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// A round is what one message of the user led to.
type round struct {
	text  string
	steps []step
}

// A step is a tool call with its result.
type step struct {
	call   ToolCall
	result outcome
}

// attached begins what auto recall attaches to a prompt. It is no part of what
// the user said.
const attached = "\n\n(Memories that may bear on this message"

// leftOut begins what stands for the turns that are left out of a request; a
// summary in it has no closing mark of its own.
const leftOut = "(Earlier turns of this conversation are left out here."

// said is what the user wrote of a message's text.
func said(text string) string {
	text, _, _ = strings.Cut(text, attached)
	if !strings.HasPrefix(text, leftOut) {
		return text
	}
	if _, rest, ok := strings.Cut(text, "</summary>\n\n"); ok {
		return rest
	}
	_, rest, _ := strings.Cut(text, "\n\n")
	return rest
}

// rounds reads a history. Results go with their calls by id; a call without a
// result did not happen.
func rounds(ms []Message) []round {
	var rs []round
	var open []ToolCall
	for _, m := range ms {
		switch m.Role {
		case User:
			rs = append(rs, round{text: said(m.Text)})
			open = nil
		case Assistant:
			open = m.Calls
		case Tool:
			for _, c := range open {
				if c.ID == m.CallID && len(rs) > 0 {
					last := &rs[len(rs)-1]
					last.steps = append(last.steps, step{call: c, result: outcomeOf(c, m)})
				}
			}
		}
	}
	return rs
}

// memory is what the model knows of an entry from a tool's result.
type memory struct {
	scope, key, value, version string
	writer                     string
	updated                    time.Time
	score                      float64
	snippet, description       string
	cut                        bool // value is the beginning only
}

func (m memory) empty() bool { return m.key == "" }

func (m memory) summary() string {
	if m.description != "" {
		return m.description
	}
	if m.value != "" {
		first, _, _ := strings.Cut(m.value, "\n")
		return first
	}
	return m.snippet
}

// revision is one line of an entry's history.
type revision struct {
	memory
	op, origin string
	recorded   time.Time
	forgotten  bool
	purged     bool
}

// outcome is a tool's result, read.
type outcome struct {
	ok       bool
	action   string // remembered, unchanged, forgot, undid
	entry    memory // written, or read
	previous string
	hadValue bool // there is a previous value
	history  []revision
	found    []memory // of a search or a list
	total    int
	err      string
	why      string // it was denied
	kind     string // conflict, not_found, refused, denied, limit, invalid, unsupported
	next     string
	current  memory // of a conflict
	raw      gjson.Result
}

// outcomeOf reads the result of a call. What is not understood is no success.
func outcomeOf(c ToolCall, m Message) outcome {
	if !gjson.Valid(m.Text) || !gjson.Parse(m.Text).IsObject() {
		o := outcome{ok: !m.Failed, err: strings.TrimSpace(m.Text)}
		if o.ok {
			o.found = noteLines(m.Text)
			o.total = len(o.found)
		}
		return o
	}
	v := gjson.Parse(m.Text)
	args := gjson.Parse(c.Arguments)
	o := outcome{
		ok:     v.Get("ok").Bool() && !m.Failed,
		action: v.Get("action").String(),
		err:    v.Get("error").String(),
		kind:   v.Get("kind").String(),
		why:    v.Get("why").String(),
		next:   v.Get("next").String(),
		total:  count(v.Get("total")),
		raw:    v,
	}
	scope := scopeOfTool(c)
	o.entry = memoryOf(v, scope)
	if e := v.Get("entry"); e.IsObject() {
		o.entry = memoryOf(e, scope)
	}
	if o.entry.key == "" {
		o.entry.key = text(args.Get("key")) + text(args.Get("name"))
	}
	if o.entry.value == "" && o.action != "forgot" && o.action != "undid" {
		o.entry.value = text(args.Get("value")) + text(args.Get("note"))
	}
	if p := v.Get("previous"); p.IsObject() {
		o.previous, o.hadValue = p.Get("value").String(), p.Get("value").String() != ""
	}
	for _, list := range []string{"results", "entries", "notes"} {
		for _, e := range v.Get(list).Array() {
			if e.Type == gjson.String {
				o.found = append(o.found, memory{scope: "thread", value: e.Str})
				continue
			}
			o.found = append(o.found, memoryOf(e, scope))
		}
	}
	o.total = max(o.total, len(o.found))
	for _, h := range v.Get("history").Array() {
		o.history = append(o.history, revisionOf(h, scope))
	}
	if c := v.Get("current"); c.IsObject() {
		o.current = memoryOf(c, scope)
		o.current.key = o.entry.key
	}
	return o
}

func memoryOf(v gjson.Result, scope string) memory {
	m := memory{
		scope:       v.Get("scope").String(),
		key:         v.Get("key").String(),
		value:       v.Get("value").String(),
		version:     v.Get("version").String(),
		writer:      v.Get("writer").String(),
		score:       v.Get("score").Float(),
		snippet:     v.Get("snippet").String(),
		description: v.Get("description").String(),
		cut:         v.Get("cut").Bool(),
		updated:     timeOf(v.Get("updated")),
	}
	if m.key == "" {
		m.key = v.Get("name").String()
	}
	if m.scope == "" || m.scope == "global" {
		m.scope = map[bool]string{true: "user", false: scope}[m.scope == "global"]
	}
	if m.writer == "" {
		m.writer = v.Get("provenance.writer").String()
	}
	return m
}

func revisionOf(v gjson.Result, scope string) revision {
	return revision{
		memory:    memoryOf(v, scope),
		op:        v.Get("op").String(),
		origin:    v.Get("provenance.origin").String(),
		recorded:  timeOf(v.Get("recorded")),
		forgotten: v.Get("forgotten").Bool(),
		purged:    v.Get("purged").Bool(),
	}
}

func timeOf(v gjson.Result) time.Time {
	t, err := time.Parse(time.RFC3339, v.String())
	if err != nil {
		return time.Time{}
	}
	return t
}

// noteLines reads notes that came as plain lines.
func noteLines(text string) []memory {
	var notes []memory
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimLeft(strings.TrimSpace(line), "-* "); line != "" {
			notes = append(notes, memory{scope: "thread", value: line})
		}
	}
	return notes
}

// wrote says whether a step changed memory.
func (s step) wrote() bool {
	return s.result.ok && (s.result.action == "remembered" || s.result.action == "forgot" || s.result.action == "undid")
}

// touched are the entries that a round put before the user: written, quoted
// or explained; the most important first.
func (r round) touched() []memory {
	for i := len(r.steps) - 1; i >= 0; i-- {
		s := r.steps[i]
		if s.result.ok && !s.result.entry.empty() && (s.wrote() || s.result.action == "unchanged") {
			return []memory{s.result.entry}
		}
	}
	in := parse(r.text)
	if in.kind == intentChanges {
		return nil // it looked at many entries, and none was meant
	}
	for i := len(r.steps) - 1; i >= 0; i-- {
		s := r.steps[i]
		// What stood in the way of a change was quoted, with its version.
		if s.result.kind == "conflict" && !s.result.current.empty() && s.result.current.version != "" {
			return []memory{s.result.current}
		}
		if isTool(s.call.Name, opInspect, opRecall) && s.result.ok && s.result.entry.version != "" {
			return []memory{s.result.entry}
		}
	}
	if in.kind == intentAsk {
		return quoted(in.text, r.steps)
	}
	return nil
}

// lastWritten is what the newest write in the conversation changed.
func lastWritten(past []round) (memory, bool) {
	for i := len(past) - 1; i >= 0; i-- {
		for j := len(past[i].steps) - 1; j >= 0; j-- {
			if s := past[i].steps[j]; s.wrote() {
				return s.result.entry, true
			}
		}
	}
	return memory{}, false
}

// inFocus are the entries that "that", "no" and "actually" may be about: those
// of the round before, or of an earlier one where only small talk and
// questions about it came between. Behind a list, or an undo of nothing, it is
// far: what was quoted before is meant only where there is no choice.
func inFocus(past []round) (focus []memory, far bool) {
	for i := len(past) - 1; i >= 0; i-- {
		if t := past[i].touched(); len(t) > 0 {
			return t, far
		}
		switch parse(past[i].text).kind {
		case intentWhy, intentThanks, intentHello, intentDismiss, intentHelp:
		case intentList, intentChanges, intentUndo:
			far = true
			if m := past[i].listed(); len(m) == 1 {
				return m, far
			}
		default:
			return nil, far
		}
	}
	return nil, far
}

// listed are the entries that a list showed.
func (r round) listed() []memory {
	var all []memory
	for _, s := range r.steps {
		if isTool(s.call.Name, opRecall) && s.result.ok {
			all = append(all, s.result.found...)
		}
	}
	return all
}

// lastTouched are the entries that were last put before the user, however
// long ago.
func lastTouched(past []round) []memory {
	for i := len(past) - 1; i >= 0; i-- {
		if t := past[i].touched(); len(t) > 0 {
			return t
		}
	}
	return nil
}

// pending are the numbered choices that wait for a number: those of the round
// before, unless one was taken; a number that was none of them is passed over.
func pending(past []round) []memory {
	for i := len(past) - 1; i >= 0; i-- {
		in := parse(past[i].text)
		switch {
		case in.kind == intentForget && len(past[i].steps) > 0:
			for _, s := range past[i].steps {
				if isTool(s.call.Name, opForget) {
					return nil
				}
			}
			_, several := candidates(in.text, past[i].steps)
			return several
		case in.kind == intentPick && len(past[i].steps) == 0:
		default:
			return nil
		}
	}
	return nil
}
