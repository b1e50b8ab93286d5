//go:build unix

package tui

import (
	"os"

	"golang.org/x/sys/unix"
)

// canSuspend reports whether someone is there to wake the program again: not
// where it leads its session, as in a terminal started with nothing else. The
// system ignores the stop then, and the program would wait for ever.
func canSuspend() bool {
	sid, err := unix.Getsid(0)
	return err == nil && sid != os.Getpid()
}
