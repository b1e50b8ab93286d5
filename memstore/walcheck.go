package memstore

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// checkLog looks for a damaged part in the write-ahead log of a store that is
// not open here. SQLite takes the first frame whose checksum does not fit for
// the end of the log, so that what was committed behind it would be lost
// without a word. Where there is such a part, the log is copied and the answer
// is a sentence; otherwise it is empty.
//
// A log that another process appends to may look so for a moment: it is looked
// at twice.
func checkLog(path string) (string, error) {
	lost, err := lostCommits(path + "-wal")
	if err != nil || lost == 0 {
		return "", err
	}
	time.Sleep(50 * time.Millisecond)
	again, err := lostCommits(path + "-wal")
	if err != nil || again != lost {
		return "", err
	}
	kept := path + "-wal.damaged"
	if err := copyFile(path+"-wal", kept); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("keeping the damaged log: %w", err)
	}
	return fmt.Sprintf("the write-ahead log is damaged; what %d transactions behind the damage wrote is lost, and a copy of the log was kept as %s", lost, kept), nil
}

// lostCommits counts the transactions in a log that stand behind a frame whose
// checksum does not fit. The format is that of
// https://www.sqlite.org/fileformat.html#walformat.
func lostCommits(wal string) (int, error) {
	f, err := os.Open(wal)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("reading the log: %w", err)
	}
	defer f.Close()
	var head [32]byte
	if _, err := io.ReadFull(f, head[:]); err != nil {
		return 0, nil // shorter than a header: an empty log
	}
	var order binary.ByteOrder = binary.LittleEndian
	if head[3]&1 == 1 {
		order = binary.BigEndian
	}
	sum := walSum{order: order}
	sum.add(head[:24])
	sound := sum.is(head[24:])
	salt := bytes.Clone(head[16:24])
	frame := make([]byte, 24+pageSize)
	lost := 0
	for first := true; ; first = false {
		if _, err := io.ReadFull(f, frame); err != nil {
			return lost, nil
		}
		if first && !sound {
			copy(salt, frame[8:16]) // the header may not know it any more
		}
		if !bytes.Equal(frame[8:16], salt) {
			// From here on all is left over from before the log began anew,
			// unless frames of this log follow.
			sound = false
			continue
		}
		if sound {
			sum.add(frame[:8])
			sum.add(frame[24:])
			sound = sum.is(frame[16:24])
		}
		if !sound && binary.BigEndian.Uint32(frame[4:]) != 0 {
			lost++ // the last frame of a transaction names the file's size
		}
	}
}

// walSum is the running checksum of a log.
type walSum struct {
	order binary.ByteOrder
	a, b  uint32
}

func (s *walSum) add(p []byte) {
	for ; len(p) >= 8; p = p[8:] {
		s.a += s.order.Uint32(p) + s.b
		s.b += s.order.Uint32(p[4:]) + s.a
	}
}

func (s *walSum) is(p []byte) bool {
	return binary.BigEndian.Uint32(p) == s.a && binary.BigEndian.Uint32(p[4:]) == s.b
}
