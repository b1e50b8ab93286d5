// Package memstore is the versioned memory: entries under keys in one scope,
// every earlier state of each, who wrote it and why, and the way back.
//
// A [Store] holds the memory of one [Scope]; a [Versioned] one keeps complete
// history. [Open] opens the durable one, in a SQLite file; [NewPlain] makes a
// small one in memory, without history. The sub-package storetest says in tests
// what each of them promises.
//
// # What holds
//
// Keys ([Key]) are folded by case and composition, so that no two differ by
// these alone. What is over a limit or breaks a rule of form is refused with an
// error that names the rule, the limit and the size; nothing is cut, and a
// refused call changes nothing.
//
// Every change appends a [Revision] and alters none. A revision has a [Version],
// a random token that matches only itself; expecting one makes a write a
// compare-and-swap, and a token that is not current, or comes from another key
// or store, is a [ConflictError] with the state that is. Forgetting writes a
// tombstone. Where a person wrote it, bringing the key back, by saving, undoing
// or restoring, takes that person or their consent ([ForgottenError]).
//
// Undo is a new revision with the state before, and can itself be followed
// further back, never forth: see [Versioned]. Only [DB.Purge], which a person
// asks for, erases text.
//
// All texts that are saved, by whomever and on whatever way (a save, an import,
// an applied plan, an undo, a restored state), pass the sub-package guard.
// What it refuses is in no error, receipt or log.
//
// The changes of a store are one stream, numbered from 1 without holes, the
// same for all processes: who has seen n has seen all up to n. Order is that of
// the stream; clocks only say times. [DB.Watch] tells when the stream went on,
// and [DB.Search] reads it to its end before it answers, so that no result is
// stale.
//
// What a call of a [DB] acknowledged survives a killed process and power loss;
// what it refused, or a cancelled context ended, left nothing. Whatever is
// wrong with the file is a [StateError], and no file is overwritten or made anew
// over another one. [CheckDir] and [DB.Check] find damage down to a flipped bit,
// since every revision has a checksum, and save what can be saved into a new
// file.
//
// # What is left to others
//
// The package knows nothing of language models, conversations or screens.
// What may not be saved is decided by guard; ranking is search's; how a SQLite
// file is opened and kept private is sqlfile's; memories as Markdown files are
// files', and embeddings vector's. The messages of conversations that carried a
// purged text are the caller's to clean.
package memstore
