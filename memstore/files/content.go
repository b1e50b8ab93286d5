package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"reverie/memstore"
)

// content is what a file says that differs from the base.
type content struct {
	rel  string
	hash hash
	stat stat
	file File
	kind memstore.Kind
}

// settleTime is how long a file must have been left alone before it counts as
// whole: editors that truncate write in several steps.
const settleTime = 150 * time.Millisecond

// unsettledRounds bounds how often a file that keeps changing is waited for.
const unsettledRounds = 5

// readContents reads every file that may differ from the base.
func (p *pass) readContents(ctx context.Context) error {
	seen := time.Unix(0, p.base.scanned)
	var keys []string
	for key, f := range p.files {
		r, ok := p.base.rows[key]
		if !ok || r.path != f.rel || r.stat != f.stat || f.stat.racy(seen) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	p.readAll(keys)
	moving := p.young()
	for range unsettledRounds {
		if len(moving) == 0 {
			return nil
		}
		if err := sleep(ctx, p.m.settle); err != nil {
			return err
		}
		young := moving
		moving = nil
		for _, key := range young {
			c := p.contents[key]
			if c == nil { // it was as in the base, or is no memory
				continue
			}
			if now, err := p.folder.lstat(c.rel); err != nil || now != c.stat {
				moving = append(moving, key)
			}
		}
		p.readAll(moving)
	}
	for _, key := range moving {
		p.later = true
		if p.contents[key] == nil {
			continue
		}
		p.refuse(Refused{Path: p.contents[key].rel, Key: key, Reason: errUnsettled.Error() + "; it is read once it is left alone"})
	}
	return nil
}

// young are the keys of new contents that were written a moment ago.
func (p *pass) young() []string {
	var keys []string
	now := time.Now()
	for key, c := range p.contents {
		if age := now.Sub(time.Unix(0, c.stat.mtime)); age < p.m.settle && age > -time.Hour {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// reading is the result of reading one file.
type reading struct {
	key    string
	rel    string
	hash   hash
	stat   stat
	file   File
	kind   memstore.Kind
	reason string
	err    error
}

// readAll reads files by several processors and takes what they say.
func (p *pass) readAll(keys []string) {
	results := make([]reading, len(keys))
	var wg sync.WaitGroup
	workers := min(len(keys), 2*runtime.GOMAXPROCS(0))
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(keys); i += workers {
				results[i] = p.readOne(keys[i])
			}
		})
	}
	wg.Wait()
	for _, r := range results {
		p.take(r)
	}
}

func (p *pass) readOne(key string) reading {
	r := reading{key: key, rel: p.files[key].rel}
	var b []byte
	b, r.stat, r.err = p.folder.read(r.rel)
	if r.err != nil {
		return r
	}
	r.hash = sha256.Sum256(b)
	if r.hash == p.base.rows[key].hash {
		return r
	}
	r.file, r.kind, r.reason = memoryOf(p.m.scope, key, b)
	return r
}

// take notes the result of a reading.
func (p *pass) take(r reading) {
	known, ok := p.base.rows[r.key]
	switch {
	case errors.Is(r.err, fs.ErrNotExist):
		delete(p.files, r.key)
		delete(p.contents, r.key)
		p.again = true
	case errors.Is(r.err, errUnsettled):
		// Counted as young until it is read whole.
		p.contents[r.key] = &content{rel: r.rel, stat: stat{mtime: time.Now().UnixNano()}}
	case r.err != nil:
		p.refuse(Refused{Path: r.rel, Key: r.key, Reason: "it can't be read: " + reasonOf(r.err)})
	case ok && r.hash == known.hash:
		delete(p.contents, r.key)
		if known.path != r.rel || known.stat != r.stat {
			known.path, known.stat = r.rel, r.stat
			p.next.set[r.key] = known
		}
	case r.reason != "":
		if k, err := memstore.Key(r.file.Name); err == nil {
			p.claimed[k] = r.rel
		}
		p.refuse(Refused{Path: r.rel, Key: r.key, Reason: r.reason})
	default:
		f := p.files[r.key]
		f.stat = r.stat
		p.files[r.key] = f
		p.contents[r.key] = &content{r.rel, r.hash, r.stat, r.file, r.kind}
	}
}

// memoryOf reads the content of a key's file. The reason says why it is no
// memory; what may be saved at all is for the store to say.
func memoryOf(scope memstore.Scope, key string, b []byte) (f File, kind memstore.Kind, reason string) {
	if hasConflictMarkers(b) {
		return f, "", "it has the marks of a merge conflict; resolve it"
	}
	f, err := Parse(b)
	switch {
	case err != nil:
		return f, "", err.Error()
	case strings.TrimSpace(f.Value) == "":
		return f, "", "it has no text; write some, or delete it to forget"
	case f.Name != "" && !nameIs(f.Name, key):
		return f, "", `the name inside is not that of the file; make "name" the path without ".md", or leave it out`
	}
	return f, kindOf(scope, f), ""
}

// kindOf is the kind that a file states: its kind, or a type that is one.
// Only project memories have kinds.
func kindOf(scope memstore.Scope, f File) memstore.Kind {
	if scope != memstore.Project {
		return ""
	}
	if f.Kind != "" {
		return memstore.Kind(strings.ToLower(f.Kind))
	}
	if k := memstore.Kind(strings.ToLower(f.Type)); slices.Contains(memstore.Kinds, k) {
		return k
	}
	return ""
}

// hasConflictMarkers says whether git left both sides of a conflict in a file.
func hasConflictMarkers(b []byte) bool {
	if !bytes.Contains(b, []byte("<<<<<<< ")) {
		return false
	}
	begin, end := false, false
	for line := range strings.SplitSeq(string(b), "\n") {
		begin = begin || strings.HasPrefix(line, "<<<<<<< ")
		end = end || begin && strings.HasPrefix(line, ">>>>>>> ")
	}
	return end
}
