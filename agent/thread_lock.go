package agent

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

// InUseError says that another process, or another conversation of this one,
// has the thread open for writing.
type InUseError struct{ Thread string }

func (e *InUseError) Error() string {
	return fmt.Sprintf("thread %s is open elsewhere; here it can only be read until it is closed there", e.Thread)
}

// threadLock is the right to write one thread. The system gives it back when
// the process ends, however it ends.
type threadLock struct{ file *flock.Flock }

// lock takes the right to write a thread, or answers an [InUseError] at once.
func (t *Threads) lock(id string) (*threadLock, error) {
	dir := filepath.Join(t.dir, "locks")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("locking thread %s: %w", id, err)
	}
	f := flock.New(filepath.Join(dir, filepath.Base(id)+".lock"), flock.SetPermissions(0o600))
	ok, err := f.TryLock()
	if err != nil {
		return nil, fmt.Errorf("locking thread %s: %w", id, err)
	}
	if !ok {
		return nil, errors.Join(&InUseError{Thread: id}, f.Close())
	}
	return &threadLock{f}, nil
}

func (l *threadLock) release() error {
	if l == nil {
		return nil
	}
	return l.file.Close()
}

// remove gives up the lock of a thread that is gone, with its file. Nobody can
// be waiting for it, as nobody waits for locks.
func (l *threadLock) remove() {
	os.Remove(l.file.Path())
	l.file.Close()
}
