package files

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"reverie/memstore"
)

// Tests of several processes run this test binary again, which then syncs
// instead of testing and ends itself at a step.
const (
	childRoot = "REVERIE_TEST_MIRROR_ROOT"
	childHome = "REVERIE_TEST_MIRROR_HOME"
	childStep = "REVERIE_TEST_MIRROR_STEP"
)

type child struct {
	cmd *exec.Cmd
	out *bytes.Buffer
}

// startChild syncs the world in another process, which is gone at the n-th
// step; 0 has it finish.
func startChild(t *testing.T, w *world, n int) *child {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := &child{cmd: exec.CommandContext(t.Context(), exe), out: &bytes.Buffer{}}
	c.cmd.Env = append(os.Environ(), childRoot+"="+w.root, childHome+"="+w.home, fmt.Sprintf("%s=%d", childStep, n))
	c.cmd.Stdout, c.cmd.Stderr = c.out, c.out
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// diedThere is the exit code of a child that was gone at its step.
const diedThere = 42

func childSync(t *testing.T, w *world, n int) {
	t.Helper()
	c := startChild(t, w, n)
	err := c.cmd.Wait()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != diedThere) {
		t.Fatalf("%v: %s", err, c.out)
	}
}

func childMain(root string) int {
	ctx := context.Background()
	if err := childRun(ctx, root); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func childRun(ctx context.Context, root string) error {
	n, err := strconv.Atoi(os.Getenv(childStep))
	if err != nil {
		return err
	}
	db, err := memstore.Open(ctx, memstore.Options{Dir: filepath.Join(os.Getenv(childHome), "store"), Scope: memstore.Project})
	if err != nil {
		return err
	}
	defer db.Close()
	m, err := NewMirror(ctx, MirrorOptions{Store: db, Dir: filepath.Join(root, ".reverie", "memory"), GitRoot: root})
	if err != nil {
		return err
	}
	defer m.Close()
	at := 0
	m.hooks.step = func(string) {
		if at++; at == n {
			os.Exit(diedThere) // no deferred call runs, as after a kill
		}
	}
	_, err = m.Sync(ctx, SyncOptions{})
	return err
}
