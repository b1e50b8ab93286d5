package memstore_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"reverie/memstore"
)

// The tests of several processes run this test binary again, which then does
// what the environment says instead of testing.
const (
	childDoes = "REVERIE_TEST_CHILD"
	childDir  = "REVERIE_TEST_CHILD_DIR"
	childN    = "REVERIE_TEST_CHILD_N"
)

func TestMain(m *testing.M) {
	if does := os.Getenv(childDoes); does != "" {
		if err := child(does); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// long says whether the long form of a test is wanted.
func long() bool { return os.Getenv("REVERIE_LONG") == "1" }

func child(does string) error {
	ctx := context.Background()
	n, err := strconv.Atoi(os.Getenv(childN))
	if err != nil {
		return err
	}
	db, err := memstore.Open(ctx, memstore.Options{Dir: os.Getenv(childDir), Scope: memstore.Project})
	if err != nil {
		return err
	}
	defer db.Close()
	switch does {
	case "save":
		return childSave(ctx, db, n)
	case "mix":
		return childMix(ctx, db, n)
	case "read":
		return childRead(ctx, db, n)
	case "hold":
		return childHold(ctx, db)
	}
	return errors.New("no such child: " + does)
}

// childSave saves n times, or for ever, and acknowledges each on a line of its
// own: the key and the version.
func childSave(ctx context.Context, db *memstore.DB, n int) error {
	for i := 0; n == 0 || i < n; i++ {
		m, err := db.Remember(ctx, memstore.RememberRequest{
			Key: fmt.Sprintf("process/%d/%d", os.Getpid(), i%10), Value: fmt.Sprintf("save %d of process %d", i, os.Getpid()), Provenance: model,
		})
		if err != nil {
			return err
		}
		if _, err := fmt.Println(m.Entry.Key, m.Entry.Version); err != nil {
			return err
		}
	}
	return nil
}

// childMix makes n operations of all kinds on keys that other processes work
// on as well. A counter is incremented by compare-and-swap; each increment and
// each other change is acknowledged on a line.
func childMix(ctx context.Context, db *memstore.DB, n int) error {
	for range n {
		key := fmt.Sprint("shared/", rand.IntN(5))
		var m memstore.Mutation
		var err error
		switch rand.IntN(10) {
		case 0, 1, 2, 3:
			m, err = increment(ctx, db)
		case 4, 5:
			m, err = db.Remember(ctx, memstore.RememberRequest{Key: key, Value: fmt.Sprint("value ", rand.IntN(1000)), Provenance: model})
		case 6, 7:
			_, err = db.Recall(ctx, key)
			if err == nil && rand.IntN(4) == 0 {
				_, err = db.Search(ctx, "value", 3)
			}
		default:
			m, err = changeHead(ctx, db, key)
		}
		var conflict *memstore.ConflictError
		var missing *memstore.NotFoundError
		if errors.As(err, &conflict) || errors.As(err, &missing) || errors.Is(err, memstore.ErrNothingToUndo) {
			continue
		}
		if err != nil {
			return err
		}
		if m.Changed {
			fmt.Println(m.Entry.Key, m.Entry.Version)
		}
	}
	return nil
}

func increment(ctx context.Context, db *memstore.DB) (memstore.Mutation, error) {
	r := memstore.RememberRequest{Key: "counter", Value: "count 1", Expected: memstore.None, Provenance: model}
	e, err := db.Recall(ctx, "counter")
	if err == nil {
		at, err := strconv.Atoi(strings.TrimPrefix(e.Value, "count "))
		if err != nil {
			return memstore.Mutation{}, err
		}
		r.Value, r.Expected = fmt.Sprint("count ", at+1), e.Version
	}
	return db.Remember(ctx, r)
}

// changeHead forgets, undoes or restores.
func changeHead(ctx context.Context, db *memstore.DB, key string) (memstore.Mutation, error) {
	h, err := db.History(ctx, key)
	if err != nil {
		return memstore.Mutation{}, err
	}
	switch rand.IntN(3) {
	case 0:
		return db.Forget(ctx, memstore.ForgetRequest{Key: key, Expected: h[0].Version, Provenance: model})
	case 1:
		return db.Undo(ctx, memstore.UndoRequest{Key: key, Expected: h[0].Version, Provenance: model})
	}
	return db.Restore(ctx, memstore.RestoreRequest{Key: key, To: h[rand.IntN(len(h))].Version, Expected: h[0].Version, Provenance: model})
}

// childRead reads n entries and says how much memory the process has in use.
func childRead(ctx context.Context, db *memstore.DB, n int) error {
	for i := range n {
		_, err := db.Recall(ctx, fmt.Sprint("service/", i*50, "/deploy"))
		var missing *memstore.NotFoundError
		if err != nil && !errors.As(err, &missing) {
			return err
		}
	}
	if _, err := db.Count(ctx); err != nil {
		return err
	}
	_, err := fmt.Println(residentMiB())
	return err
}

// childHold keeps a read transaction open until its input ends.
func childHold(ctx context.Context, db *memstore.DB) error {
	release, err := memstore.HoldPages(ctx, db)
	if err != nil {
		return err
	}
	defer release()
	fmt.Println("holding")
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// process is a child that runs.
type process struct {
	*exec.Cmd
	in    io.WriteCloser
	lines *bufio.Scanner
	errs  *strings.Builder
}

func start(t testing.TB, does, dir string, n int) *process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &process{Cmd: exec.Command(exe), errs: &strings.Builder{}}
	p.Env = append(os.Environ(), childDoes+"="+does, childDir+"="+dir, fmt.Sprint(childN, "=", n))
	p.Stderr = p.errs
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if p.in, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Process.Kill() })
	p.lines = bufio.NewScanner(out)
	return p
}

// acks reads the acknowledgements until the child ends.
func (p *process) acks() []string {
	var all []string
	for p.lines.Scan() {
		all = append(all, p.lines.Text())
	}
	return all
}
