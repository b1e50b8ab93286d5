package modeltest

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

// Aimock starts @copilotkit/aimock, a server of many providers that others
// wrote and check daily against the real ones, and returns its address. What
// it answers is in fixtures, as its documentation has them. It is a Node.js
// program; REVERIE_AIMOCK is the path of its dist/cli.js, and without it the
// test is skipped.
func Aimock(t testing.TB, fixtures string, args ...string) string {
	t.Helper()
	script := os.Getenv("REVERIE_AIMOCK")
	if script == "" {
		t.Skip("REVERIE_AIMOCK is not set to the dist/cli.js of @copilotkit/aimock")
	}
	file := filepath.Join(t.TempDir(), "fixtures.json")
	if err := os.WriteFile(file, []byte(fixtures), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", append([]string{script, "--port", "0", "--fixtures", file}, args...)...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = cmd.Stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address := make(chan string, 1)
	read := make(chan struct{})
	go func() { // ends with the process
		defer close(read)
		at := regexp.MustCompile(`http://[0-9.]+:[0-9]+`)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if u := at.FindString(lines.Text()); u != "" && len(address) == 0 {
				address <- u
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		<-read
		_ = cmd.Wait()
	})
	select {
	case u := <-address:
		return u
	case <-time.After(time.Minute):
		t.Fatal("the mock did not say where it listens")
	}
	return ""
}
