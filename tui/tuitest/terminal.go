// Package tuitest drives a program in a pseudo-terminal and shows what a
// person would see: the cells of the screen after its bytes were replayed in a
// terminal emulator. On top of it, [Story] is a small language for end-to-end
// tests that read like sentences, and [SVG] draws a screen as a picture.
package tuitest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// Options say what to run and in how large a terminal.
type Options struct {
	Args []string // the program and its arguments
	Dir  string
	Env  []string // the whole environment
	Cols int      // 80 unless set
	Rows int      // 24 unless set
	// Light makes the emulated terminal answer that its background is light.
	Light bool
}

// Terminal is a running program and the screen it draws on.
type Terminal struct {
	cmd  *exec.Cmd
	tty  *os.File
	done chan struct{} // closed when the program has ended and all it wrote is on the screen

	mu      sync.Mutex // guards what follows
	emu     *vt.Emulator
	changed chan struct{} // closed and made anew at every change of the screen
	raw     int64         // bytes that the program has written
	last    time.Time     // of the last byte
	alt     Screen        // the last screen seen on the alternate screen
	keep    *strings.Builder
	exit    error
}

// Open starts the program.
func Open(ctx context.Context, o Options) (*Terminal, error) {
	if o.Cols == 0 {
		o.Cols = 80
	}
	if o.Rows == 0 {
		o.Rows = 24
	}
	cmd := exec.CommandContext(ctx, o.Args[0], o.Args[1:]...)
	cmd.Dir, cmd.Env = o.Dir, o.Env
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: uint16(o.Rows), Cols: uint16(o.Cols)})
	if err != nil {
		return nil, fmt.Errorf("start %s in a terminal: %w", o.Args[0], err)
	}
	t := &Terminal{
		cmd: cmd, tty: tty,
		done: make(chan struct{}), changed: make(chan struct{}),
		emu: vt.NewEmulator(o.Cols, o.Rows), last: time.Now(), keep: &strings.Builder{},
	}
	if o.Light {
		t.emu.SetDefaultBackgroundColor(white)
		t.emu.SetDefaultForegroundColor(black)
	} else {
		t.emu.SetDefaultBackgroundColor(black)
		t.emu.SetDefaultForegroundColor(white)
	}
	// The emulator answers queries through its Read, and its Write blocks
	// until someone takes the answer, so this goroutine needs no lock. It
	// ends when the emulator's input is closed.
	go func() { _, _ = io.Copy(tty, t.emu) }()
	go t.replay()
	return t, nil
}

func (t *Terminal) replay() {
	buf := make([]byte, 32<<10)
	for {
		n, err := t.tty.Read(buf)
		if n > 0 {
			t.mu.Lock()
			_, _ = t.emu.Write(buf[:n])
			t.raw += int64(n)
			t.last = time.Now()
			if t.keep.Len() < 8<<20 {
				t.keep.Write(buf[:n])
			}
			if t.emu.IsAltScreen() {
				t.alt = t.screen()
			}
			close(t.changed)
			t.changed = make(chan struct{})
			t.mu.Unlock()
		}
		if err != nil {
			break // EIO: the program closed its side
		}
	}
	err := t.cmd.Wait()
	t.mu.Lock()
	t.exit = err
	close(t.changed)
	t.changed = make(chan struct{})
	t.mu.Unlock()
	// Closing the emulator itself would race with its Read; without its input
	// that ends too.
	if c, ok := t.emu.InputPipe().(io.Closer); ok {
		_ = c.Close()
	}
	close(t.done)
}

// Send writes bytes as if they were typed.
func (t *Terminal) Send(s string) error {
	_, err := io.WriteString(t.tty, s)
	return err
}

// Resize changes the size of the terminal, which the program hears of.
func (t *Terminal) Resize(cols, rows int) error {
	t.mu.Lock()
	t.emu.Resize(cols, rows)
	t.mu.Unlock()
	return pty.Setsize(t.tty, &pty.Winsize{Rows: uint16(rows), Cols: uint16(cols)})
}

// Signal sends a signal to the program.
func (t *Terminal) Signal(s os.Signal) error { return t.cmd.Process.Signal(s) }

// Kill ends the program at once, as kill -9 does, and waits for its end.
func (t *Terminal) Kill() {
	_ = t.cmd.Process.Signal(syscall.SIGKILL)
	<-t.done
	_ = t.tty.Close()
}

// Exited waits up to limit for the program to end and returns its exit code.
func (t *Terminal) Exited(limit time.Duration) (int, error) {
	select {
	case <-t.done:
	case <-time.After(limit):
		return 0, fmt.Errorf("the program still runs after %s", limit)
	}
	_ = t.tty.Close()
	t.mu.Lock()
	defer t.mu.Unlock()
	var ee *exec.ExitError
	if t.exit != nil && !errors.As(t.exit, &ee) {
		return 0, t.exit
	}
	return t.cmd.ProcessState.ExitCode(), nil
}

// Written is how many bytes the program has written so far, and when the last.
func (t *Terminal) Written() (int64, time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.raw, t.last
}

// Raw is what the program has written, up to the first 8 MiB.
func (t *Terminal) Raw() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.keep.String()
}

// Screen is what is to be seen now.
func (t *Terminal) Screen() Screen {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.screen()
}

// LastFull is the last screen that the program drew on the alternate screen,
// which is gone from the terminal once the program has ended.
func (t *Terminal) LastFull() Screen {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.alt
}

// Wait returns when ok holds for the screen, or with an error after limit.
func (t *Terminal) Wait(limit time.Duration, ok func(Screen) bool) error {
	deadline := time.NewTimer(limit)
	defer deadline.Stop()
	for {
		t.mu.Lock()
		s, changed := t.screen(), t.changed
		t.mu.Unlock()
		if ok(s) {
			return nil
		}
		select {
		case <-changed:
		case <-t.done:
			if ok(t.Screen()) {
				return nil
			}
			return errors.New("the program ended")
		case <-deadline.C:
			return fmt.Errorf("not within %s", limit)
		}
	}
}
