//go:build !linux

package files

import "errors"

func (f *folder) exchange(a, b string) error { return errors.ErrUnsupported }

func (f *folder) moveNew(from, to string) error { return errors.ErrUnsupported }

func (f *folder) born() int64 { return 0 }
