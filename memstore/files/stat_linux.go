package files

import (
	"io/fs"
	"syscall"
)

// identity is a file's number and the time at which anything about it changed.
func identity(fi fs.FileInfo) (inode, ctime int64) {
	s, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return int64(s.Ino), s.Ctim.Nano()
}
