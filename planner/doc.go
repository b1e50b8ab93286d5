// Package planner is the dream: it reads a snapshot of a memory, finds entries
// that say the same, that replace one another or that complete each other,
// and proposes a [Plan] that a person approves or dismisses as a whole.
//
// Finding is local and deterministic: no network, no model, no randomness but
// the plan's id. Its rules prefer leaving entries alone: two entries count as
// saying the same only when every word that carries meaning is in both, in
// the same relation. What only looks contradictory is listed and untouched. A
// model may be asked, through [Writer], to word merges and to judge unsure
// pairs; what it answers passes the same rules or is dropped.
//
// Applying goes operation by operation through the store's receipts, each
// pinned to the versions it was planned on, and can be undone the same way.
// A [Scheduler] retires exact duplicates without being asked. How plans look
// on a screen or a command line is for others.
package planner
