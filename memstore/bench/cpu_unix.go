//go:build unix

package main

import (
	"syscall"
	"time"
)

// processor is the processor time that this process has used, of all cores
// together.
func processor() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
