package memstore

import (
	"slices"
	"time"
)

// Scope says whose memory an entry belongs to.
type Scope string

const (
	Project Scope = "project" // one workspace
	User    Scope = "user"    // the operator, in every workspace
	Thread  Scope = "thread"  // one conversation
)

// Kind sorts entries of the project scope. Entries of other scopes have none.
type Kind string

const (
	Command    Kind = "command"
	Convention Kind = "convention"
	Gotcha     Kind = "gotcha"
	Decision   Kind = "decision"
	Note       Kind = "note" // the default of a project entry
)

// Kinds lists the kinds in the order in which they are shown.
var Kinds = []Kind{Command, Convention, Gotcha, Decision, Note}

// Version is the opaque token of one revision. It is unique to its revision,
// so a token of another key, scope or store never matches.
type Version string

// None as an expected version means that no live entry may exist.
const None Version = "none"

// Writer says who wrote a revision.
type Writer string

const (
	ByUser   Writer = "user"
	ByModel  Writer = "model"
	BySystem Writer = "system"
	ByFile   Writer = "file"
)

// Origin says why a revision was written.
type Origin string

const (
	Explicit     Origin = "explicit"     // someone asked for it
	Edited       Origin = "edited"       // a person edited a file or the entry
	Imported     Origin = "imported"     // taken over from elsewhere
	Learned      Origin = "learned"      // the model saved it unasked
	Consolidated Origin = "consolidated" // an approved plan, or a schedule
	Undone       Origin = "undone"
	Restored     Origin = "restored"
)

// Provenance says who wrote a revision, why, and where it came from. Only
// Writer and Origin are always set.
type Provenance struct {
	Writer Writer `json:"writer"`
	Origin Origin `json:"origin"`
	Thread string `json:"thread,omitempty"` // thread id
	Turn   int    `json:"turn,omitempty"`   // turn in the thread, from 1
	Tool   string `json:"tool,omitempty"`   // the tool that was called
	Model  string `json:"model,omitempty"`  // provider/name
	Plan   string `json:"plan,omitempty"`   // id of the dream's plan
	Source string `json:"source,omitempty"` // a file, or what was imported
}

// Entry is one key's state: as it is now, or as a revision had it.
type Entry struct {
	Scope       Scope      `json:"scope"`
	Key         string     `json:"key"`
	Value       string     `json:"value"`
	Description string     `json:"description"`
	Kind        Kind       `json:"kind"`
	Version     Version    `json:"version"`
	Created     time.Time  `json:"created"` // when the key's first revision was stated, UTC
	Updated     time.Time  `json:"updated"` // when this state was stated, UTC
	Forgotten   bool       `json:"forgotten"`
	Provenance  Provenance `json:"provenance"`
}

// Summary is the description, or the value's first line where there is none.
func (e Entry) Summary() string {
	if e.Description != "" {
		return e.Description
	}
	return firstLine(e.Value)
}

// SortNewest puts what was stated last first; what was stated at one time stays
// in its order.
func SortNewest(entries []Entry) {
	slices.SortStableFunc(entries, func(a, b Entry) int { return b.Updated.Compare(a.Updated) })
}

// Op is what wrote a revision.
type Op string

const (
	OpRemember Op = "remember"
	OpForget   Op = "forget"
	OpUndo     Op = "undo"
	OpRestore  Op = "restore"
	OpPurge    Op = "purge" // the marker a purge leaves
)

// Revision is one state of an entry, written once and never changed.
type Revision struct {
	Entry
	Op       Op        `json:"op"`
	Recorded time.Time `json:"recorded"`         // when it was written here, UTC
	Undoes   Version   `json:"undoes,omitempty"` // for OpUndo: the revision taken back
	Seq      int64     `json:"seq,omitempty"`    // place in the store's stream, from 1, without holes
	Purged   bool      `json:"purged,omitempty"` // the text is gone
}

// Mutation is the answer to a change.
type Mutation struct {
	Entry    Entry    // the state after
	Previous Entry    // the state before; zero Version where there was none
	Op       Op       // what was done
	Changed  bool     // false: the same was there already, nothing was written
	Notes    []string // remarks for the caller to pass on, such as a mended permission
}

// Hit is one result of a search. The snippet is plain text in which Marks
// are the byte ranges [start, end) that matched, in order, not overlapping.
type Hit struct {
	Entry   Entry
	Score   float64
	Snippet string
	Marks   [][2]int
}
