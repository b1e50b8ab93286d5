package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/google/renameio/v2"

	"reverie/memstore"
)

// maxFile bounds a memory file, in bytes: a value at its limit, its
// frontmatter, and CR before LF.
const maxFile = memstore.MaxValue + 2*maxHead

// Refused is a file that is no memory, and why. It is left as it is.
type Refused struct {
	Path   string `json:"path"` // within the folder, with slashes
	Key    string `json:"key,omitempty"`
	Reason string `json:"reason"`
}

// folder is a folder of memory files. Reading and writing stay within it,
// whatever links there are.
type folder struct {
	root    *os.Root
	path    string
	private bool // files and folders that are made are for their owner alone
	// left is the time before which a killed process must have left a temporary
	// file for it to be removed.
	left time.Time
}

func openFolder(dir string, private bool) (*folder, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("finding the memory files in %s: %w", dir, err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the memory files: %w", err)
	}
	return &folder{root: root, path: dir, private: private, left: time.Now().Add(-time.Minute)}, nil
}

func (f *folder) close() error { return f.root.Close() }

// found is a file that may be a memory.
type found struct {
	rel  string // path within the folder, with slashes
	key  string
	stat stat
}

// scan lists the files that may be memories, one a key. Where several stand
// for a key, it is the one that prefer names, else the one that is spelled as
// the key, else the first; the others are refused.
func (f *folder) scan(ctx context.Context, prefer func(key string) string) (map[string]found, []Refused, error) {
	files := map[string]found{}
	var refused []Refused
	err := filepath.WalkDir(f.path, func(p string, d fs.DirEntry, err error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if p == f.path {
			return err
		}
		rel := filepath.ToSlash(p[len(f.path)+1:])
		if errors.Is(err, fs.ErrNotExist) {
			return nil // gone since it was listed
		}
		if err != nil {
			refused = append(refused, Refused{Path: rel, Reason: "it can't be read: " + reasonOf(err)})
			return nil
		}
		if d.IsDir() {
			if strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		one, reason := f.look(rel, d)
		switch {
		case reason != "":
			refused = append(refused, Refused{Path: rel, Key: one.key, Reason: reason})
		case one.key != "":
			refused = keepOne(files, one, prefer, refused)
		}
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("looking at the memory files in %s: %w", f.path, err)
	}
	return files, refused, nil
}

// look judges a file by what its folder says of it. Without key and reason it
// is none of our business.
func (f *folder) look(rel string, d fs.DirEntry) (one found, reason string) {
	switch {
	case temporaries.MatchString(d.Name()):
		f.sweep(rel, d)
		return one, ""
	case !isMemoryFile(d.Name()) && d.Type()&fs.ModeSymlink != 0 && !strings.HasPrefix(d.Name(), "."):
		// A link to a folder would be one whose memories are not seen.
		if fi, err := os.Stat(filepath.Join(f.path, filepath.FromSlash(rel))); err == nil && fi.IsDir() {
			return one, "it is a symbolic link; links are not followed"
		}
		return one, ""
	case !isMemoryFile(d.Name()) || isGenerated(rel):
		return one, ""
	}
	key, err := keyOf(rel)
	if err != nil {
		return one, "its name makes no key: " + err.Error()
	}
	one = found{rel: rel, key: key}
	if d.Type()&fs.ModeSymlink != 0 {
		return one, "it is a symbolic link; links are not followed"
	}
	if !d.Type().IsRegular() {
		return one, "it is no regular file"
	}
	fi, err := d.Info()
	if errors.Is(err, fs.ErrNotExist) {
		return found{}, ""
	}
	if err != nil {
		return one, "it can't be read: " + reasonOf(err)
	}
	one.stat = statOf(fi)
	switch {
	case fi.Size() == 0:
		return one, "it is empty; write something, or delete it to forget"
	case fi.Size() > maxFile:
		return one, fmt.Sprintf("it has %d bytes, the limit is %d", fi.Size(), maxFile)
	}
	return one, ""
}

// sweep removes what a killed process left of a write. An old file that was
// just exchanged keeps its time of writing, so the time of renaming counts too.
func (f *folder) sweep(rel string, d fs.DirEntry) {
	fi, err := d.Info()
	if err != nil || !d.Type().IsRegular() {
		return
	}
	if s := statOf(fi); max(s.mtime, s.ctime) < f.left.UnixNano() {
		_ = f.root.Remove(filepath.FromSlash(rel)) // or next time
	}
}

func keepOne(files map[string]found, one found, prefer func(string) string, refused []Refused) []Refused {
	other, ok := files[one.key]
	if !ok {
		files[one.key] = one
		return refused
	}
	best := prefer(one.key)
	if best == "" || best != one.rel && best != other.rel {
		best = pathOf(one.key)
	}
	if one.rel == best {
		one, other = other, one
		files[other.key] = other
	}
	return append(refused, Refused{Path: one.rel, Key: one.key, Reason: fmt.Sprintf("%s is the same key; keys don't differ by case", other.rel)})
}

// errNoFile says that something else than a file has the name.
var errNoFile = errors.New("it is no regular file")

// errUnsettled says that a file changed while it was read.
var errUnsettled = errors.New("it is being written")

// read returns a file's content with the state that it had.
func (f *folder) read(rel string) ([]byte, stat, error) {
	// Opening must not wait for the other end of a pipe.
	h, err := f.root.OpenFile(filepath.FromSlash(rel), os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, stat{}, err
	}
	defer h.Close()
	before, err := h.Stat()
	if err != nil {
		return nil, stat{}, err
	}
	if !before.Mode().IsRegular() {
		return nil, stat{}, errNoFile
	}
	b := make([]byte, 0, min(before.Size(), maxFile)+1)
	for len(b) <= maxFile {
		n, err := h.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, stat{}, err
		}
		if len(b) == cap(b) {
			b = slices.Grow(b, 512)
		}
	}
	after, err := h.Stat()
	if err != nil {
		return nil, stat{}, err
	}
	if statOf(before) != statOf(after) || int64(len(b)) != after.Size() {
		return nil, stat{}, errUnsettled
	}
	return b, statOf(after), nil
}

// lstat is the state of a file now.
func (f *folder) lstat(rel string) (stat, error) {
	fi, err := f.root.Lstat(filepath.FromSlash(rel))
	if err != nil {
		return stat{}, err
	}
	return statOf(fi), nil
}

// write puts a file in its place as a whole: whoever reads sees the old or the
// new one. The content is on the disk when it returns, the name once the
// folder was synced.
func (f *folder) write(rel string, content []byte) error {
	t, err := f.prepare(rel, content)
	if err != nil {
		return err
	}
	defer t.Cleanup()
	return t.CloseAtomicallyReplace()
}

// prepare writes content to a temporary file at the folder's top, for the caller
// to put in a file's place.
func (f *folder) prepare(rel string, content []byte) (*renameio.PendingFile, error) {
	rel = filepath.FromSlash(rel)
	file, dir := fs.FileMode(0o644), fs.FileMode(0o755)
	if f.private {
		file, dir = 0o600, 0o700
	}
	if d := filepath.Dir(rel); d != "." {
		if err := f.root.MkdirAll(d, dir); err != nil {
			return nil, err
		}
	}
	t, err := renameio.NewPendingFile(rel, renameio.WithRoot(f.root), renameio.WithPermissions(file), renameio.WithExistingPermissions())
	if err != nil {
		return nil, err
	}
	if _, err := t.Write(content); err != nil {
		return nil, errors.Join(err, t.Cleanup())
	}
	return t, nil
}

// sync makes names in the folder of a file durable.
func (f *folder) sync(rel string) error {
	d, err := f.root.Open(filepath.Dir(filepath.FromSlash(rel)))
	if err != nil {
		return err
	}
	// Some file systems can't sync a directory; they keep names by themselves.
	_ = d.Sync()
	return d.Close()
}

// remove deletes a file and the folders that it leaves empty.
func (f *folder) remove(rel string) error {
	if err := f.root.Remove(filepath.FromSlash(rel)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for d := path.Dir(rel); d != "."; d = path.Dir(d) {
		if f.root.Remove(filepath.FromSlash(d)) != nil {
			break
		}
	}
	return nil
}

// reasonOf says what went wrong without the path, which is named beside it.
func reasonOf(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
