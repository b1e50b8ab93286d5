package files

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"reverie/memstore"
)

// MirrorStore is what a mirror needs of a versioned store; memstore.DB has it.
type MirrorStore interface {
	Scope() memstore.Scope
	Location() string
	List(ctx context.Context, o memstore.ListOptions) ([]memstore.Entry, error)
	History(ctx context.Context, key string) ([]memstore.Revision, error)
	Changes(ctx context.Context, after int64, limit int) ([]memstore.Revision, error)
	RememberAll(ctx context.Context, rs []memstore.RememberRequest, progress func(done int)) ([]memstore.Outcome, error)
	Forget(ctx context.Context, r memstore.ForgetRequest) (memstore.Mutation, error)
	Watch(ctx context.Context) (<-chan struct{}, error)
}

// MirrorOptions say what a mirror keeps in step.
type MirrorOptions struct {
	Store MirrorStore
	Dir   string // the folder of memory files; it is not made
	// GitRoot is the working tree that the folder is in, "" for none. Git
	// explains files that vanish, and the folder must not lead out of it.
	GitRoot string
	Now     func() time.Time // nil: time.Now
	Warn    func(string)     // told in a sentence what goes on without; may be nil
}

// Mirror keeps a folder of memory files and a versioned store in step. The
// files are the truth for people and the history stays: what differs from what
// both last agreed on, the base, becomes a revision by memstore.ByFile; what
// the store gained since reaches its file. Where both changed, the file wins
// and the other state is the revision before.
//
// A process that is killed at any point leaves both sides whole: the next sync
// finds what was done from the history, undoes no write that was acknowledged
// and takes no old file for a new fact. Several processes may mirror one
// folder; a lock lets one sync at a time.
type Mirror struct {
	store   MirrorStore
	scope   memstore.Scope
	dir     string
	gitRoot string
	now     func() time.Time
	warn    func(string)

	mu     sync.Mutex // one sync at a time in this process
	lock   *flock.Flock
	base   *baseFile
	warned map[string]bool
	closed bool

	poll   time.Duration // how often to look where the system can't tell of changes
	settle time.Duration // how long a file must have been left alone
	hooks  hooks
}

// hooks let tests stop a sync at any step and make writing fail.
type hooks struct {
	step  func(name string)
	write func(rel string) error
}

// ErrMirrorClosed is the answer of a mirror after Close.
var ErrMirrorClosed = errors.New("the mirror of the memory files is closed")

const pollEvery = 2 * time.Second

// NewMirror prepares a mirror. Nothing is compared before the first
// [Mirror.Sync]. The folder may be missing then; the base lies beside the store
// in [BaseName].
func NewMirror(ctx context.Context, o MirrorOptions) (*Mirror, error) {
	scope := o.Store.Scope()
	if indexName(scope) == "" {
		return nil, fmt.Errorf("mirroring the %s memory in %s: only project and user memories have files", scope, o.Dir)
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("finding the memory files in %s: %w", o.Dir, err)
	}
	m := &Mirror{
		store: o.Store, scope: scope, dir: dir, gitRoot: o.GitRoot, now: o.Now, warn: o.Warn,
		warned: map[string]bool{}, poll: pollEvery, settle: settleTime, hooks: hooks{step: func(string) {}},
	}
	if m.now == nil {
		m.now = time.Now
	}
	if m.warn == nil {
		m.warn = func(string) {}
	}
	if err := m.stays(); err != nil {
		return nil, err
	}
	beside := filepath.Dir(o.Store.Location())
	if m.base, err = openBase(ctx, filepath.Join(beside, BaseName), m.warn); err != nil {
		return nil, err
	}
	m.lock = flock.New(filepath.Join(beside, "mirror.lock"), flock.SetPermissions(0o600))
	return m, nil
}

// stays checks that a folder within a working tree does not lead out of it by a
// link that came with the repository.
func (m *Mirror) stays() error {
	if m.gitRoot == "" {
		return nil
	}
	root, err := filepath.Abs(m.gitRoot)
	if err != nil {
		return fmt.Errorf("finding the repository of %s: %w", m.dir, err)
	}
	m.gitRoot = root
	if !within(root, m.dir) {
		return nil
	}
	real, err := filepath.EvalSymlinks(m.dir)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("finding the memory files in %s: %w", m.dir, err)
	}
	if root, err = filepath.EvalSymlinks(root); err != nil {
		return fmt.Errorf("finding the repository of %s: %w", m.dir, err)
	}
	if !within(root, real) {
		return fmt.Errorf("the memory files in %s lead out of the project by a symbolic link to %s; they are not used", m.dir, real)
	}
	return nil
}

func within(dir, p string) bool {
	return p == dir || strings.HasPrefix(p, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// Dir is the folder of memory files.
func (m *Mirror) Dir() string { return m.dir }

// Close ends the use of the base. The store stays open.
func (m *Mirror) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil
	}
	m.closed = true
	return errors.Join(m.base.close(), m.lock.Close())
}

// SyncOptions change what a sync does.
type SyncOptions struct {
	// AcceptDeletions takes every missing file for a forget, also where
	// something else may explain it.
	AcceptDeletions bool
	// Restore writes every missing file again and forgets nothing, whatever
	// AcceptDeletions says. It is for sharing a memory, and for whoever wants
	// back what was deleted. A file that seems to be renamed stays held back.
	Restore bool
}

// Held is something that was not done, why, and what to do.
type Held struct {
	Key    string `json:"key"`
	Path   string `json:"path"` // within the folder, with slashes
	Reason string `json:"reason"`
}

// SyncReport says what a sync did; keys are in order.
type SyncReport struct {
	Imported  []string `json:"imported"`   // files that became revisions
	Written   []string `json:"written"`    // entries that reached their files
	Forgotten []string `json:"forgotten"`  // entries whose files were deleted
	Removed   []string `json:"removed"`    // files whose entries were forgotten
	FirstSeen []string `json:"first_seen"` // imported from a folder that was never mirrored here, such as one that came with a clone
	// Deletions are entries that stay although their files are gone, because
	// something else explains it; AcceptDeletions forgets them, Restore writes their files again.
	Deletions []Held `json:"deletions"`
	// Held are files that are memories and were not taken all the same.
	Held    []Held    `json:"held"`
	Refused []Refused `json:"refused"` // files that are no memories
	// Leftover are files of purged keys that are still there and may hold the
	// erased text, each with the reason. They may be among Held or Refused too.
	Leftover []Refused `json:"leftover"`
	Files    int       `json:"files"` // memories in the folder
	// ReadOnly says why files could not be written; "" where they could. What
	// was not written is written once it can be.
	ReadOnly string `json:"read_only,omitempty"`

	later bool // something may be done soon that could not be done now
}

// Changed says whether the sync changed a file or an entry.
func (r SyncReport) Changed() bool {
	return len(r.Imported)+len(r.Written)+len(r.Forgotten)+len(r.Removed) > 0
}

// maxPasses bounds how often a sync begins anew because a file or the store
// changed under it. What remains is for the next sync.
const maxPasses = 5

// Sync compares folder and store with their base, and acts on what differs.
// The error is for what ended it: what was done until then is kept, and the
// next sync goes on from there.
func (m *Mirror) Sync(ctx context.Context, o SyncOptions) (SyncReport, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return SyncReport{}, ErrMirrorClosed
	}
	ok, err := m.lock.TryLockContext(ctx, 5*time.Millisecond)
	if err != nil || !ok {
		return SyncReport{}, fmt.Errorf("waiting for another process that syncs %s: %w", m.dir, err)
	}
	defer m.lock.Unlock()
	report := SyncReport{
		Imported: []string{}, Written: []string{}, Forgotten: []string{}, Removed: []string{}, FirstSeen: []string{},
	}
	b, err := m.base.load(ctx, m.dir)
	if err != nil {
		return report, err
	}
	changed := false
	for range maxPasses {
		p := &pass{m: m, o: o, base: b, report: &report, again: false}
		b, err = p.run(ctx)
		p.close()
		if err != nil {
			return report.sorted(), err
		}
		changed = changed || p.changed
		report.later = p.again || p.later
		if !p.again {
			break
		}
	}
	if err := m.syncIndex(ctx, b, changed || report.Changed(), &report); err != nil {
		return report.sorted(), err
	}
	return report.sorted(), nil
}

// sayOnce warns of something that goes on, one time.
func (m *Mirror) sayOnce(s string) {
	if !m.warned[s] {
		m.warned[s] = true
		m.warn(s)
	}
}
