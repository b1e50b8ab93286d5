package memstore_test

import (
	"fmt"
	"os"
	"strings"
)

// residentMiB is the memory of this process that is in use, SQLite's own too;
// 0 where the system does not say.
func residentMiB() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kib float64
		if _, err := fmt.Sscanf(line, "VmRSS: %f kB", &kib); err == nil {
			return kib / 1024
		}
	}
	return 0
}
