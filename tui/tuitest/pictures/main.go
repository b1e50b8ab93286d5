// Pictures draws the pictures of the README and the guide from real screens:
// it builds the program, uses it in a fresh home, and writes an SVG file for
// each scene into docs/pictures.
//
//	go run ./tui/tuitest/pictures
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"reverie/tui/tuitest"
)

// scene is one picture: what is said in the chat before it is taken.
type scene struct {
	name, title string
	cols, rows  int
	light       bool
	said        []step
}

// step is something typed, and what must be on the screen before the next.
type step struct{ send, see string }

var scenes = []scene{
	{"chat", "A chat in which a fact is saved, found with its writer, and corrected", 80, 24, false, []step{
		{"", "OFFLINE"},
		{"remember that deploys go out on Thursday\r", "* remembered"},
		{"when do deploys go out?\r", "by the model"},
		{"no, on Friday\r", "/undo"},
	}},
}

func main() {
	if err := draw(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "pictures:", err)
		os.Exit(1)
	}
}

func draw(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "reverie-pictures")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	binary := filepath.Join(dir, "reverie")
	build := exec.CommandContext(ctx, "go", "build", "-o", binary, "reverie")
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the program: %w\n%s", err, out)
	}
	for _, sc := range scenes {
		if err := sc.draw(ctx, dir, binary); err != nil {
			return fmt.Errorf("%s: %w", sc.name, err)
		}
	}
	return nil
}

func (sc scene) draw(ctx context.Context, dir, binary string) error {
	home, work := filepath.Join(dir, sc.name, "home"), filepath.Join(dir, sc.name, "api-gateway")
	for _, d := range []string{home, filepath.Join(work, ".git")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	t, err := tuitest.Open(ctx, tuitest.Options{
		Args: []string{binary}, Dir: work, Cols: sc.cols, Rows: sc.rows, Light: sc.light,
		Env: []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "COLORTERM=truecolor",
			"LANG=C.UTF-8", "TZ=UTC", "OLLAMA_HOST=http://127.0.0.1:9"},
	})
	if err != nil {
		return err
	}
	defer t.Kill()
	for _, st := range sc.said {
		if err := t.Send(st.send); err != nil {
			return err
		}
		if err := t.Wait(20*time.Second, func(s tuitest.Screen) bool { return s.Has(st.see) }); err != nil {
			return fmt.Errorf("after %q, %q was not seen: %w; the screen was\n%s", st.send, st.see, err, t.Screen())
		}
		time.Sleep(300 * time.Millisecond) // the screen settles
	}
	out := filepath.Join("docs", "pictures", sc.name+".svg")
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	fmt.Println(out)
	return os.WriteFile(out, []byte(tuitest.SVG(t.Screen(), sc.title)), 0o644)
}
