package files

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"path/filepath"
)

var errChanged = errors.New("the file changed in this moment")

// still says whether a file has a content, and returns it; the zero hash stands
// for no file.
func (f *folder) still(rel string, want hash) ([]byte, bool, error) {
	b, _, err := f.read(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, want == hash{}, nil
	case errors.Is(err, errUnsettled):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	return b, sha256.Sum256(b) == want, nil
}

// swap replaces a file as [folder.write] does if it still has a content; the
// zero hash stands for no file. Otherwise the error is errChanged, and the file
// is as somebody else left it.
//
// The slow part, waiting for the disk, comes before the last look. Where the
// system can exchange two names at once, what came out is looked at too, and put
// back if it is not what was expected: then a save between look and exchange is
// not lost either. Elsewhere that moment remains. A program that opened the old
// file before and writes to it after the exchange is not seen.
// The function before is called between look and exchange.
func (f *folder) swap(rel string, content []byte, want hash, before func()) error {
	t, err := f.prepare(rel, content)
	if err != nil {
		return err
	}
	// It removes the temporary name, which after an exchange is the old file.
	defer t.Cleanup()
	if err := t.Sync(); err != nil {
		return err
	}
	if _, same, err := f.still(rel, want); err != nil || !same {
		return errors.Join(err, changedIf(err == nil))
	}
	before()
	tmp := filepath.Base(t.Name()) // at the folder's top, wherever the file is
	if want == (hash{}) {
		err = f.moveNew(tmp, rel)
		if errors.Is(err, fs.ErrExist) {
			return errChanged
		}
	} else {
		err = f.exchange(tmp, rel)
		if errors.Is(err, fs.ErrNotExist) {
			return errChanged // deleted in this moment
		}
	}
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		return t.CloseAtomicallyReplace()
	case err != nil || want == hash{}:
		return err
	}
	return f.checkSwapped(tmp, rel, want, sha256.Sum256(content))
}

func changedIf(b bool) error {
	if b {
		return errChanged
	}
	return nil
}

// checkSwapped looks at what an exchange brought out, and puts it back where it
// is not what was expected. Where somebody saved once more until then, that save
// is the newest, and stays.
func (f *folder) checkSwapped(tmp, rel string, want, ours hash) error {
	if _, same, err := f.still(tmp, want); err == nil && same {
		return nil
	}
	if err := f.exchange(tmp, rel); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return errChanged
		}
		return err
	}
	if _, same, err := f.still(tmp, ours); err == nil && same {
		return errChanged
	}
	return errors.Join(errChanged, f.exchange(tmp, rel))
}
