package stories

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"reverie/tui/tuitest"
)

var binary string

func TestMain(m *testing.M) { os.Exit(build(m)) }

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "reverie-stories")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "reverie")
	cmd := exec.Command("go", "build", "-o", binary, "reverie")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// touched looks at the program's sources, so that go test knows that results
// depend on them and answers none from its cache once they changed. It sees
// only what is read while a test runs.
var touched = sync.OnceValue(func() error { return touch(filepath.Join("..", "..")) })

func touch(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && path != root:
			return filepath.SkipDir
		case filepath.Ext(path) == ".go" && !strings.HasSuffix(path, "_test.go") || d.Name() == "go.mod":
			_, err = os.ReadFile(path)
		}
		return err
	})
}

// person is someone with a home and a project of their own.
type person struct {
	t          *testing.T
	home, work string
	env        []string // beyond what every run has
}

func newPerson(t *testing.T) *person {
	t.Helper()
	if err := touched(); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	p := &person{t: t, home: filepath.Join(dir, "home"), work: filepath.Join(dir, "api-gateway")}
	for _, d := range []string{p.home, filepath.Join(p.work, ".git")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func (p *person) environment() []string {
	return append([]string{
		"HOME=" + p.home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "TZ=UTC",
		"COLORTERM=truecolor",
		// Nothing answers there, so that an Ollama on this machine changes no test.
		"OLLAMA_HOST=http://127.0.0.1:9",
	}, p.env...)
}

// starts the program in a terminal.
func (p *person) starts(args ...string) *tuitest.Story {
	p.t.Helper()
	return p.startsIn(80, 24, args...)
}

func (p *person) startsIn(cols, rows int, args ...string) *tuitest.Story {
	p.t.Helper()
	return tuitest.Begin(p.t, tuitest.Options{
		Args: append([]string{binary}, args...), Dir: p.work, Env: p.environment(), Cols: cols, Rows: rows,
	})
}

// result is what a command answered.
type result struct {
	out, err string
	code     int
}

// runs the program without a terminal.
func (p *person) runs(stdin string, args ...string) result {
	p.t.Helper()
	return p.runsIn(p.work, stdin, args...)
}
