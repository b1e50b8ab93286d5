package memstore

import (
	"encoding/binary"
	"hash/crc32"
)

// A checksum is CRC-32C (Castagnoli) over the fields of a row, each text
// preceded by its length, so that no two different rows read the same. It is
// there to find accidents of a disk, not people: who can write the file can
// compute it.
var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// summing collects the fields of a row.
type summing []byte

func (b summing) number(n int64) summing { return binary.LittleEndian.AppendUint64(b, uint64(n)) }

func (b summing) text(s string) summing { return append(b.number(int64(len(s))), s...) }

func (b summing) sum() int64 { return int64(crc32.Checksum(b, castagnoli)) }

func checksum(fields ...string) int64 {
	var b summing
	for _, f := range fields {
		b = b.text(f)
	}
	return b.sum()
}

// sum is the checksum of a revision: everything that its row and its key say.
func (r *row) sum() int64 {
	p := &r.Provenance
	b := make(summing, 0, 320+len(r.Description)+len(r.Value))
	b = b.number(r.Seq).number(r.undo).number(bit(r.Forgotten)).number(bit(r.Purged))
	b = b.number(micros(r.Updated)).number(micros(r.Recorded)).number(int64(p.Turn))
	b = b.text(r.Key).text(string(r.Version)).text(string(r.Op)).text(string(r.Undoes)).text(string(r.Kind))
	b = b.text(string(p.Writer)).text(string(p.Origin)).text(p.Thread).text(p.Tool).text(p.Model).text(p.Plan).text(p.Source)
	return b.text(r.Description).text(r.Value).sum()
}

func bit(b bool) int64 {
	if b {
		return 1
	}
	return 0
}
