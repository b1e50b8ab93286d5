//go:build !unix

package tui

// canSuspend reports whether the system can suspend a program at all.
func canSuspend() bool { return false }
