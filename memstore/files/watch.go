package files

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

const (
	// debounce is how long the mirror waits after a sign of a change: a save is
	// several signs.
	debounce = 50 * time.Millisecond
	// retryAfter is when it looks again at what could not be done.
	retryAfter = time.Second
)

// Watch keeps folder and store in step until ctx ends, and tells of every sync
// that changed something or held something back for the first time. What keeps
// a sync from being done is told to MirrorOptions.Warn once, and tried again
// after the next change.
func (m *Mirror) Watch(ctx context.Context, tell func(SyncReport)) error {
	stored, err := m.store.Watch(ctx)
	if err != nil {
		return err
	}
	w := newFolderWatch(m.dir)
	defer w.close()
	due := time.NewTimer(0)
	defer due.Stop()
	var said string
	next := time.Now() // when due is set to; zero where it is not
	soon := func(d time.Duration) {
		if t := time.Now().Add(d); next.IsZero() || t.Before(next) {
			next = t
			due.Reset(d)
		}
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case _, ok := <-stored:
			if !ok {
				return nil
			}
			soon(debounce / 10)
			continue
		case e, ok := <-w.events():
			if !ok {
				w.fs = nil
			} else if e.Has(fsnotify.Chmod) && !e.Has(fsnotify.Write) {
				continue
			}
			soon(debounce)
			continue
		case _, ok := <-w.errors():
			// Signs were lost, or no more will come.
			if !ok {
				w.fs = nil
			}
			soon(debounce)
			continue
		case <-due.C:
			next = time.Time{}
		}
		blind := w.follow()
		again, err := m.syncAndTell(ctx, tell, &said)
		switch {
		case ctx.Err() != nil || errors.Is(err, ErrMirrorClosed):
			return nil
		case err != nil:
			soon(m.poll)
		case again:
			soon(retryAfter)
		case blind:
			soon(m.poll)
		}
	}
}

// syncAndTell syncs and tells of it unless it did nothing and held back what it
// did before. An error is told once. Again means to look soon at what could not
// be done.
func (m *Mirror) syncAndTell(ctx context.Context, tell func(SyncReport), said *string) (again bool, err error) {
	r, err := m.Sync(ctx, SyncOptions{})
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, ErrMirrorClosed) {
			m.mu.Lock()
			m.sayOnce("the memory files are not in step: " + err.Error())
			m.mu.Unlock()
		}
		return false, err
	}
	if held := heldText(r); r.Changed() || held != *said {
		*said = held
		tell(r)
	}
	return r.later, nil
}

// heldText stands for all that a report holds back or refuses.
func heldText(r SyncReport) string {
	var b strings.Builder
	for _, h := range slices.Concat(r.Deletions, r.Held) {
		b.WriteString(h.Path + "\n" + h.Reason + "\n")
	}
	for _, x := range r.Refused {
		b.WriteString(x.Path + "\n" + x.Reason + "\n")
	}
	b.WriteString(r.ReadOnly)
	return b.String()
}

// folderWatch hears of changes in a folder and those below it, as far as the
// system tells of them.
type folderWatch struct {
	dir  string
	fs   *fsnotify.Watcher // nil where there is none
	seen map[string]bool
}

func newFolderWatch(dir string) *folderWatch {
	w := &folderWatch{dir: dir, seen: map[string]bool{}}
	if fs, err := fsnotify.NewWatcher(); err == nil {
		w.fs = fs
	}
	return w
}

func (w *folderWatch) close() {
	if w.fs != nil {
		w.fs.Close()
	}
}

func (w *folderWatch) events() chan fsnotify.Event {
	if w.fs == nil {
		return nil
	}
	return w.fs.Events
}

func (w *folderWatch) errors() chan error {
	if w.fs == nil {
		return nil
	}
	return w.fs.Errors
}

// follow watches every folder that there is now. It is called before each
// look at the folder, so that what comes after the look is heard. Blind means
// that something can't be watched and must be looked at from time to time.
func (w *folderWatch) follow() (blind bool) {
	if w.fs == nil {
		return true
	}
	watched := map[string]bool{}
	for _, p := range w.fs.WatchList() {
		watched[p] = true
	}
	err := filepath.WalkDir(w.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			if p == w.dir {
				return fs.ErrNotExist
			}
			return nil
		}
		if p != w.dir && strings.HasPrefix(d.Name(), ".") {
			return fs.SkipDir
		}
		if !watched[p] && w.fs.Add(p) != nil {
			blind = true
		}
		return nil
	})
	return blind || err != nil
}
