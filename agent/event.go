package agent

import (
	"time"

	"reverie/agent/model"
	"reverie/memstore"
)

// Event is something that happened in a turn, in order, as emitted by
// [Conversation.Send]. The set is closed: a switch over these types is whole.
type Event interface{ event() }

type (
	// TurnStarted: the user's message is stored.
	TurnStarted struct {
		Turn int
		Text string
	}
	// TextDelta is a piece of the answer; ReasoningDelta of the model's
	// reasoning.
	TextDelta      struct{ Text string }
	ReasoningDelta struct{ Text string }
	// AnswerDone ends one answer of the model; tool calls may follow, and
	// then another answer.
	AnswerDone struct{ Message model.Message }
	// ToolStarted and ToolFinished frame each tool call. Memory is set where
	// the tool wrote, or tried to write, a memory.
	ToolStarted  struct{ Call model.ToolCall }
	ToolFinished struct {
		Call   model.ToolCall
		Result string // as the model gets it
		Error  string // empty when it worked
		Memory *MemoryEvent
	}
	// ApprovalAsked: a question waits; the turn goes on when it is answered
	// with [Conversation.Decide]. ApprovalDone says how it ended.
	ApprovalAsked struct{ Approval Approval }
	ApprovalDone  struct {
		ID       int
		Decision Decision
		Reason   string // for Withdrawn: why the question is moot
	}
	// Notice is a line for the user that is no part of the conversation.
	Notice struct{ Text string }
	// Waiting: the provider is asked again after For.
	Waiting struct {
		For    time.Duration
		Reason string
	}
	// TurnFinished ends the turn, whatever happened. Err is nil, or says what
	// happened and what to do; Stopped is set when the user stopped it.
	TurnFinished struct {
		Turn    int
		Err     error
		Stopped bool
		Usage   model.Usage
		Elapsed time.Duration
		Used    []Ref // memories that the last request carried, for the status line
	}
)

func (TurnStarted) event()    {}
func (TextDelta) event()      {}
func (ReasoningDelta) event() {}
func (AnswerDone) event()     {}
func (ToolStarted) event()    {}
func (ToolFinished) event()   {}
func (ApprovalAsked) event()  {}
func (ApprovalDone) event()   {}
func (Notice) event()         {}
func (Waiting) event()        {}
func (TurnFinished) event()   {}

// Ref names a memory.
type Ref struct {
	Scope memstore.Scope `json:"scope"`
	Key   string         `json:"key"`
}

// MemoryEvent describes one memory write for the line in the conversation.
type MemoryEvent struct {
	Action  string // "remembered", "forgot", "undid", "restored", "unchanged", "refused", "conflict", "denied"
	Scope   memstore.Scope
	Key     string
	Before  memstore.Entry // zero Version where there was nothing
	After   memstore.Entry // zero Version where nothing was written
	Problem string         // for refused, conflict, denied
	Undo    bool           // /undo can take it back
}

// Decision answers an approval.
type Decision string

const (
	Approve        Decision = "approve"
	ApproveSession Decision = "approve for this session" // this tool is not asked for again
	Deny           Decision = "deny"
	Unasked        Decision = "unasked"   // nobody is there to ask
	Withdrawn      Decision = "withdrawn" // the turn was stopped, or the entry changed
)

// Approval is a question that waits for a person.
type Approval struct {
	ID      int    // 1, 2, … within the process, as /approve N names it
	Tool    string // "ForgetMemory", …
	Scope   memstore.Scope
	Key     string
	Entry   memstore.Entry // what will be changed or forgotten, whole
	Effect  string         // one sentence: what approving does
	Asked   time.Time
	Turn    int
	Changed string // set when the entry changed while the question waited
}
