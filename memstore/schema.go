package memstore

// migrations bring a store's schema forward, one script a version. What was
// released is never edited.
//
// An entry is a key and the place of its newest revision. A revision is one
// row, addressed by its place in the stream. Rows of revisions are never
// deleted, so that the next free rowid is always one more than the last and
// the stream has no holes.
//
// Times are microseconds since 1970 in UTC. In revisions, undo is what undoing
// this revision restores: the seq of a revision, or one of the constants
// undoToAbsence and undoNothing; flags are flagForgotten and flagPurged; source
// is the rest of the provenance as JSON, or nothing. sum is the checksum that checksum.go defines;
// SQLite does not notice a flipped bit within a value.
var migrations = []string{`
CREATE TABLE store (
	id    INTEGER PRIMARY KEY CHECK (id = 1),
	scope TEXT NOT NULL
) STRICT;

CREATE TABLE entries (
	id      INTEGER PRIMARY KEY,
	key     TEXT NOT NULL UNIQUE,
	head    INTEGER NOT NULL,
	live    INTEGER NOT NULL,
	created INTEGER NOT NULL
) STRICT;

CREATE TABLE revisions (
	seq         INTEGER PRIMARY KEY,
	entry       INTEGER NOT NULL REFERENCES entries (id),
	version     TEXT NOT NULL,
	op          TEXT NOT NULL,
	undoes      TEXT NOT NULL,
	undo        INTEGER NOT NULL,
	flags       INTEGER NOT NULL,
	updated     INTEGER NOT NULL,
	recorded    INTEGER NOT NULL,
	kind        TEXT NOT NULL,
	writer      TEXT NOT NULL,
	origin      TEXT NOT NULL,
	source      TEXT NOT NULL,
	description TEXT NOT NULL,
	value       TEXT NOT NULL,
	sum         INTEGER NOT NULL
) STRICT;
CREATE INDEX revisions_entry ON revisions (entry, seq);

CREATE TABLE receipts (
	n        INTEGER PRIMARY KEY,
	id       TEXT NOT NULL UNIQUE,
	planner  TEXT NOT NULL,
	decision TEXT NOT NULL,
	by       TEXT NOT NULL,
	decided  INTEGER NOT NULL,
	undone   INTEGER,
	plan     TEXT NOT NULL,
	sum      INTEGER NOT NULL
) STRICT;

CREATE TABLE receipt_operations (
	receipt INTEGER NOT NULL REFERENCES receipts (n),
	n       INTEGER NOT NULL,
	line    TEXT NOT NULL,
	sum     INTEGER NOT NULL,
	PRIMARY KEY (receipt, n)
) STRICT;

CREATE TABLE marks (
	name  TEXT PRIMARY KEY,
	value TEXT NOT NULL,
	sum   INTEGER NOT NULL
) STRICT;
`}

const (
	// undoToAbsence: the key did not exist before, so undoing leaves a
	// tombstone.
	undoToAbsence = 0
	// undoNothing: there is no state before this one to go back to.
	undoNothing = -1

	flagForgotten = 1
	flagPurged    = 2
)
