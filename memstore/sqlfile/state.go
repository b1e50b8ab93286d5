package sqlfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// Reasons of a [StateError].
const (
	Damaged    = "damaged"            // not a database, or its structure is broken
	Newer      = "newer"              // written by a newer version; reading works
	Foreign    = "of another program" // a database, but not one of ours
	Unreadable = "unreadable"         // permissions, or the disk reports errors
	ReadOnly   = "read-only"          // reading works
	Full       = "full"               // the disk, or a quota
	Missing    = "missing"            // deleted or moved while it was open
	Symlink    = "symlink"            // a symbolic link stands in its place
	Directory  = "directory"          // a directory stands in its place
	Busy       = "busy"               // another process kept the lock for too long
)

// A StateError says that a database file can't be used as asked, why, and
// what to do.
type StateError struct {
	Path   string
	Reason string // one of the constants above
	Advice string
	Err    error // what the system or SQLite said; may be nil
}

func (e *StateError) Error() string {
	s := fmt.Sprintf("the database file %s is %s", e.Path, e.phrase())
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	if e.Advice != "" {
		s += "; " + e.Advice
	}
	return s
}

func (e *StateError) Unwrap() error { return e.Err }

func (e *StateError) phrase() string {
	switch e.Reason {
	case Newer:
		return "of a newer version"
	case Full:
		return "on a full disk"
	case Symlink:
		return "a symbolic link"
	case Directory:
		return "a directory"
	}
	return e.Reason
}

var advice = map[string]string{
	Damaged:    "it was left as it is; check it, recover what can be, or restore a backup",
	Newer:      "it can be read but not changed; update this program",
	Foreign:    "choose another folder",
	Unreadable: "check its owner, its permissions and the disk",
	ReadOnly:   "it can be read but not changed; make the file and its folder writable",
	Full:       "nothing was written; free some space and try again",
	Missing:    "it was deleted or moved while it was open; start again",
	Symlink:    "links are refused here; name the real place",
	Directory:  "move the directory away",
	Busy:       "another process keeps it locked; try again",
}

func state(path, reason string, err error) *StateError {
	return &StateError{Path: path, Reason: reason, Advice: advice[reason], Err: err}
}

// classify turns what SQLite or the system said about the file into a
// [StateError] where it is one; other errors stay as they are.
func classify(path string, err error) error {
	var already *StateError
	if err == nil || errors.As(err, &already) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	if reason := reasonOf(err); reason != "" {
		return state(path, reason, err)
	}
	return err
}

func reasonOf(err error) string {
	var se *sqlite.Error
	if errors.As(err, &se) {
		switch se.Code() {
		case lib.SQLITE_READONLY_DBMOVED:
			return Missing
		}
		switch se.Code() & 0xff {
		case lib.SQLITE_FULL:
			return Full
		case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
			return Damaged
		case lib.SQLITE_READONLY:
			return ReadOnly
		case lib.SQLITE_CANTOPEN, lib.SQLITE_IOERR, lib.SQLITE_PERM, lib.SQLITE_AUTH:
			return Unreadable
		case lib.SQLITE_BUSY, lib.SQLITE_PROTOCOL, lib.SQLITE_LOCKED:
			return Busy
		}
		return ""
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return Full
	case errors.Is(err, syscall.EROFS):
		return ReadOnly
	case errors.Is(err, fs.ErrNotExist):
		return Missing
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EIO):
		return Unreadable
	}
	return ""
}

// code is SQLite's primary result code, 0 where the error is not SQLite's.
func code(err error) int {
	var se *sqlite.Error
	if errors.As(err, &se) {
		return se.Code() & 0xff
	}
	return 0
}
