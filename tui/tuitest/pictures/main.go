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

// scene is one picture: what is in the memory before, and what is said in the
// chat until it is taken.
type scene struct {
	name, title string
	cols, rows  int
	light       bool
	known       [][2]string // keys with values
	said        []step
}

// step is something typed, and what must be on the screen before the next.
type step struct{ send, see string }

// talk is a conversation about a fact that is saved, found and corrected.
var talk = []step{
	{"", "OFFLINE"},
	{"remember that deploys go out on Thursday\r", "* remembered"},
	{"when do deploys go out?\r", "by the model"},
	{"no, on Friday\r", "/undo"},
}

// gateway is what a project may have in its memory.
var gateway = [][2]string{
	{"build/command", "make all"},
	{"ci/runner", "CI runs on arm64 machines."},
	{"deploy/day", "We only tag releases on Thursday, after the 14:00 standup."},
	{"deploy/freeze", "No deploys before holidays."},
	{"notes/ci", "CI runs on arm64 machines."},
	{"packages", "We use npm."},
	{"packages/new", "We use pnpm instead of npm."},
	{"retro/notes", "The retro is on Thursdays at noon. Notes go into the wiki."},
	{"retro/room", "The retro is on Thursdays at noon. It is in the blue room."},
}

var scenes = []scene{
	{"chat", "A chat in which a fact is saved, found with its writer, and corrected", 80, 24, false, nil, talk},
	{"chat-light", "The same chat on a light background", 80, 24, true, nil, talk},
	{"approval", "A question waits while someone types", 80, 24, false, gateway, []step{
		{"", "OFFLINE"},
		{"when do deploys go out?\r", "offline:"},
		{"forget deploy/freeze\r", "1 waiting"},
		{"and tell the team", "the team"},
	}},
	{"memory", "The memory beside the chat", 120, 32, false, gateway, []step{
		{"", "OFFLINE"},
		{"when do we tag releases?\r", "offline:"},
		{"no, on Monday\r", "/undo"},
		{"/memory deploy\r", "token"},
		{"\r", "Enter read"},
		{"j", "1=>2"},
		{"\r", "Esc list"},
	}},
	{"dream", "A plan that tidies the memory", 120, 32, false, gateway, []step{
		{"", "OFFLINE"},
		{"/dream\r", "approve all"},
		{"j", "2 viewed"},
		{"j", "3 viewed"},
	}},
	{"first", "The first start without a model", 80, 24, false, nil, []step{{"", "OFFLINE"}}},
	{"narrow", "A small terminal", 40, 12, false, nil, talk[:3]},
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
	env := []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "COLORTERM=truecolor",
		"LANG=C.UTF-8", "TZ=UTC", "OLLAMA_HOST=http://127.0.0.1:9"}
	for _, kv := range sc.known {
		add := exec.CommandContext(ctx, binary, "memory", "add", kv[0], kv[1])
		add.Dir, add.Env = work, env
		if out, err := add.CombinedOutput(); err != nil {
			return fmt.Errorf("add %s: %w: %s", kv[0], err, out)
		}
	}
	t, err := tuitest.Open(ctx, tuitest.Options{
		Args: []string{binary}, Dir: work, Env: env, Cols: sc.cols, Rows: sc.rows, Light: sc.light,
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
