package sqlfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// sidecars are what SQLite puts beside a database.
var sidecars = []string{"-wal", "-shm", "-journal"}

// place makes the folder and the file where they are missing and sees to it
// that both are private and are what they should be. It never opens a file
// that exists (see the package's comment on locks).
func place(ctx context.Context, path string, migrations []string, warn func(string)) error {
	dir := filepath.Dir(path)
	made, err := placeDir(dir, warn)
	if err != nil {
		return err
	}
	if err := placeIgnore(dir, filepath.Base(path), made); err != nil {
		// A missing .gitignore breaks nothing, and a folder that can only be
		// read never gets one.
		if reason := reasonOf(err); reason != ReadOnly && reason != Unreadable {
			return classify(path, err)
		}
	}
	switch err := placeFile(path, warn); {
	case errors.Is(err, fs.ErrNotExist):
		if err := create(ctx, path, migrations); err != nil {
			return err
		}
		if err := placeFile(path, warn); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	for _, s := range sidecars {
		if err := placeFile(path+s, warn); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

func placeDir(dir string, warn func(string)) (made bool, err error) {
	fi, err := os.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeDirs(dir); err != nil {
			return false, classify(dir, err)
		}
		return true, nil
	}
	if err != nil {
		return false, classify(dir, err)
	}
	if fi.Mode()&fs.ModeSymlink != 0 {
		return false, state(dir, Symlink, nil)
	}
	if !fi.IsDir() {
		return false, state(dir, Unreadable, errors.New("it is no directory"))
	}
	// A folder with the sticky bit, such as /tmp, is everybody's by intention.
	if wide := fi.Mode().Perm() &^ 0o700; wide != 0 && fi.Mode()&fs.ModeSticky == 0 {
		mend(dir, fi, 0o700, warn)
	}
	return false, nil
}

// makeDirs is os.MkdirAll with each new folder's name made durable.
func makeDirs(dir string) error {
	parent := filepath.Dir(dir)
	if _, err := os.Stat(parent); errors.Is(err, fs.ErrNotExist) && parent != dir {
		if err := makeDirs(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(parent)
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	// Some file systems can't sync a directory; they keep names by themselves.
	_ = d.Sync()
	return d.Close()
}

// placeFile checks a file that exists. A missing one is [fs.ErrNotExist].
func placeFile(path string, warn func(string)) error {
	fi, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fs.ErrNotExist
	case err != nil:
		return classify(path, err)
	case fi.Mode()&fs.ModeSymlink != 0:
		return state(path, Symlink, nil)
	case fi.IsDir():
		return state(path, Directory, nil)
	case !fi.Mode().IsRegular():
		return state(path, Unreadable, errors.New("it is no regular file"))
	}
	if fi.Mode().Perm()&^0o600 != 0 {
		mend(path, fi, 0o600, warn)
	}
	return nil
}

// mend takes away permissions beyond keep. Where that fails, the warning says
// so: memory that others can read is still better than none.
func mend(path string, fi fs.FileInfo, keep fs.FileMode, warn func(string)) {
	was := fi.Mode().Perm()
	if err := os.Chmod(path, was&keep); err != nil {
		warn(fmt.Sprintf("others can reach %s (mode %04o), and that could not be mended: %v", path, was, err))
		return
	}
	warn(fmt.Sprintf("others could reach %s (mode %04o); it is private now (mode %04o)", path, was, was&keep))
}

// placeIgnore writes a .gitignore where there is none: for everything in a
// folder that is ours, for the database alone in one that has other things.
func placeIgnore(dir, base string, made bool) error {
	path := filepath.Join(dir, ".gitignore")
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text := "*\n"
	if !made {
		names, err := os.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, n := range names {
			if !strings.Contains(n.Name(), ".db") {
				text = "/" + base + "*\n"
				break
			}
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
