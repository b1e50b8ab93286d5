package sqlfile

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// create makes a database where there is none: whole in a file of another
// name, which then gets this one. So a file under the right name always holds
// a database, and an empty one is damage, never a beginning. Of several
// processes that make it at once, one wins and the others use its file.
func create(ctx context.Context, path string, migrations []string) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*")
	if err != nil {
		return classify(path, err)
	}
	draft := f.Name()
	defer func() {
		for _, s := range append([]string{""}, sidecars...) {
			_ = os.Remove(draft + s) // what is left over is only litter
		}
	}()
	if err := f.Close(); err != nil {
		return classify(path, err)
	}
	d := &DB{path: draft, schema: len(migrations)}
	err = d.openWriter(ctx, migrations)
	if err == nil {
		_, err = d.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	}
	if err := errors.Join(err, d.Close()); err != nil {
		return classify(path, err)
	}
	err = os.Link(draft, path)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil
	case err != nil:
		// A file system without links: whoever comes first creates the name.
		made, cerr := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(cerr, fs.ErrExist) {
			return nil
		}
		if cerr != nil {
			return classify(path, cerr)
		}
		if err := errors.Join(made.Close(), os.Rename(draft, path)); err != nil {
			return classify(path, err)
		}
	}
	return classify(path, syncDir(filepath.Dir(path)))
}

// empty is the error for a file that lost all it had. Its log may have it
// still, so nothing is written to either.
func empty(path string) error {
	return state(path, Damaged, errors.New("the file is empty"))
}
