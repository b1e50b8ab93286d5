//go:build !unix

package main

import "time"

// processor is 0 where processor time is not measured.
func processor() time.Duration { return 0 }
