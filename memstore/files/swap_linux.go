package files

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// exchange has two names in the folder change places at once; see rename(2). It
// is errors.ErrUnsupported where the file system can't.
func (f *folder) exchange(a, b string) error { return f.renameat2(a, b, unix.RENAME_EXCHANGE) }

// moveNew renames a file to a name that must be free.
func (f *folder) moveNew(from, to string) error { return f.renameat2(from, to, unix.RENAME_NOREPLACE) }

func (f *folder) renameat2(from, to string, flags uint) error {
	// The root opens folders without leaving it by a link.
	a, err := f.root.Open(filepath.Dir(filepath.FromSlash(from)))
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := f.root.Open(filepath.Dir(filepath.FromSlash(to)))
	if err != nil {
		return err
	}
	defer b.Close()
	err = unix.Renameat2(int(a.Fd()), path.Base(from), int(b.Fd()), path.Base(to), flags)
	if errors.Is(err, unix.EINVAL) {
		return errors.ErrUnsupported
	}
	if err != nil {
		return fmt.Errorf("renaming %s: %w", to, err)
	}
	return nil
}

// born is when the folder was made, in ns; 0 where the file system does not
// say.
func (f *folder) born() int64 {
	var s unix.Statx_t
	if err := unix.Statx(unix.AT_FDCWD, f.path, 0, unix.STATX_BTIME, &s); err != nil || s.Mask&unix.STATX_BTIME == 0 {
		return 0
	}
	return s.Btime.Sec*1e9 + int64(s.Btime.Nsec)
}
