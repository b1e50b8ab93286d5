package files

import (
	"io/fs"
	"time"
)

// stat is what the file system says of a file. While it is the same, the
// content is taken to be the same, unless the file changed too lately for its
// time to tell (see racy).
type stat struct {
	size, mtime  int64 // bytes, nanoseconds
	inode, ctime int64 // 0 where the system does not say
}

func statOf(fi fs.FileInfo) stat {
	s := stat{size: fi.Size(), mtime: fi.ModTime().UnixNano()}
	s.inode, s.ctime = identity(fi)
	return s
}

// timeGrain is more than the coarsest clock of a file system.
const timeGrain = 2 * time.Second

// racy says whether a file that was seen in this state at a time may have
// changed since without another state: two writes within one tick of the file
// system's clock.
func (s stat) racy(seen time.Time) bool {
	return s.mtime >= seen.Add(-timeGrain).UnixNano()
}
