package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"sync"
	"syscall"

	"reverie/memstore"
)

// act does what was decided: first what files say, then what the store says.
// Whatever is done is noted in the next base; a kill before that leaves states
// that decide knows.
func (p *pass) act(ctx context.Context) error {
	if err := p.doImports(ctx); err != nil {
		return err
	}
	if err := p.doForgets(ctx); err != nil {
		return err
	}
	if p.folder == nil {
		for _, w := range p.do.writes {
			p.leave(w.key)
		}
		return nil
	}
	p.doRemoves()
	return p.doWrites(ctx)
}

func (p *pass) doImports(ctx context.Context) error {
	if len(p.do.imports) == 0 {
		return nil
	}
	origin := memstore.Edited
	if p.base.id == 0 {
		origin = memstore.Imported
	}
	requests := make([]memstore.RememberRequest, len(p.do.imports))
	for i, im := range p.do.imports {
		requests[i] = memstore.RememberRequest{
			Key: im.key, Value: im.content.file.Value, Description: im.content.file.Description, Kind: im.content.kind,
			Expected: im.expected, Updated: im.updated, Revive: true,
			Provenance: memstore.Provenance{Writer: memstore.ByFile, Origin: origin, Source: p.m.source(im.content.rel)},
		}
	}
	p.m.hooks.step("before an import")
	outcomes, err := p.m.store.RememberAll(ctx, requests, nil)
	if err != nil {
		return err
	}
	p.m.hooks.step("after an import")
	for i, o := range outcomes {
		p.imported(p.do.imports[i], o)
	}
	return nil
}

func (p *pass) imported(im *importing, o memstore.Outcome) {
	var conflict *memstore.ConflictError
	switch {
	case errors.As(o.Err, &conflict):
		p.again = true
		p.leave(im.key)
	case o.Err != nil:
		p.leave(im.key)
		p.refuse(Refused{Path: im.content.rel, Key: im.key, Reason: o.Err.Error()})
	default:
		v := o.Mutation.Entry.Version
		p.next.set[im.key] = row{path: im.content.rel, version: v, hash: im.content.hash, stat: im.content.stat}
		if !o.Mutation.Changed {
			return
		}
		p.ours[v] = true
		p.report.Imported = append(p.report.Imported, im.key)
		if p.base.id == 0 {
			p.report.FirstSeen = append(p.report.FirstSeen, im.key)
		}
	}
}

func (p *pass) doForgets(ctx context.Context) error {
	for _, f := range p.do.forgets {
		p.m.hooks.step("before a forget")
		m, err := p.m.store.Forget(ctx, memstore.ForgetRequest{Key: f.key, Expected: f.expected, Provenance: memstore.Provenance{
			Writer: memstore.ByFile, Origin: memstore.Edited, Source: p.m.source(p.base.rows[f.key].path),
		}})
		var conflict *memstore.ConflictError
		var missing *memstore.NotFoundError
		switch {
		case errors.As(err, &conflict):
			p.again = true
			p.leave(f.key)
			continue
		case err != nil && !errors.As(err, &missing):
			return err
		}
		p.m.hooks.step("after a forget")
		if m.Changed {
			p.ours[m.Entry.Version] = true
			p.report.Forgotten = append(p.report.Forgotten, f.key)
		}
		delete(p.next.set, f.key)
		p.next.drop[f.key] = true
	}
	return nil
}

// stillAs looks at a file once more before it is replaced or removed: an edit
// of this moment is imported first. It returns what is there.
func (p *pass) stillAs(rel string, want hash) ([]byte, bool, error) {
	return p.folder.still(rel, want)
}

func (p *pass) doRemoves() {
	for _, r := range p.do.removes {
		_, same, err := p.stillAs(r.rel, r.now)
		if err == nil && !same {
			p.again = true
			p.leave(r.key)
			continue
		}
		p.m.hooks.step("before a removal")
		if err == nil {
			err = p.m.mayWrite(r.rel)
		}
		if err == nil {
			err = p.folder.remove(r.rel)
		}
		if err != nil {
			p.cannotWrite(r.key, r.rel, err)
			if r.head.Op == memstore.OpPurge {
				p.leftover(r.key, r.rel, "it could not be deleted: "+reasonOf(err))
			}
			continue
		}
		p.m.hooks.step("after a removal")
		delete(p.next.set, r.key)
		delete(p.files, r.key)
		p.next.drop[r.key] = true
		p.erase = p.erase || r.head.Op == memstore.OpPurge
		p.report.Removed = append(p.report.Removed, r.key)
	}
}

// mayWrite lets a test say no.
func (m *Mirror) mayWrite(rel string) error {
	if m.hooks.write == nil {
		return nil
	}
	return m.hooks.write(rel)
}

// writtenAtOnce is how many files are written at the same time where there are
// many: most of the time goes into waiting for the disk.
const writtenAtOnce = 8

// written is the result of writing one file.
type written struct {
	row   row
	again bool
	err   error
}

func (p *pass) doWrites(ctx context.Context) error {
	results := make([]written, len(p.do.writes))
	workers := 1
	if len(p.do.writes) > 4*writtenAtOnce {
		workers = writtenAtOnce
	}
	var wg sync.WaitGroup
	work := func(w int) {
		for i := w; i < len(results) && ctx.Err() == nil; i += workers {
			results[i] = p.writeOne(p.do.writes[i])
		}
	}
	for w := 1; w < workers; w++ {
		wg.Go(func() { work(w) })
	}
	work(0)
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return err
	}
	folders := map[string]string{}
	for i, r := range results {
		w := p.do.writes[i]
		switch {
		case r.err != nil:
			p.cannotWrite(w.key, w.rel, r.err)
		case r.again:
			p.again = true
			p.leave(w.key)
			delete(p.next.set, w.key)
		default:
			p.next.set[w.key] = r.row
			p.files[w.key] = found{rel: w.rel, key: w.key, stat: r.row.stat}
			p.report.Written = append(p.report.Written, w.key)
			folders[path.Dir(w.rel)] = w.rel
		}
	}
	for _, rel := range folders {
		if err := p.folder.sync(rel); err != nil {
			return fmt.Errorf("writing the memory files in %s: %w", p.m.dir, err)
		}
	}
	return nil
}

func (p *pass) writeOne(w writing) written {
	if p.m.scope == memstore.User && isUserIndex(w.rel) || isGenerated(w.rel) {
		return written{err: errReserved}
	}
	old, same, err := p.stillAs(w.rel, w.now)
	if err != nil || !same {
		return written{again: err == nil, err: err}
	}
	var before *File
	if old != nil {
		if f, err := Parse(old); err == nil {
			before = &f
		}
	}
	b := Render(w.head.Entry, before)
	p.m.hooks.step("before a write")
	if err := p.m.mayWrite(w.rel); err != nil {
		return written{err: err}
	}
	if !bytes.Equal(b, old) {
		err := p.folder.swap(w.rel, b, w.now, func() { p.m.hooks.step("before an exchange") })
		if errors.Is(err, errChanged) {
			return written{again: true}
		}
		if err != nil {
			return written{err: err}
		}
	}
	p.m.hooks.step("after a write")
	st, err := p.folder.lstat(w.rel)
	if errors.Is(err, fs.ErrNotExist) {
		return written{again: true}
	}
	return written{row: row{path: w.rel, version: w.head.Version, hash: sha256.Sum256(b), stat: st}, err: err}
}

// errReserved says that a key's file would be a generated list.
var errReserved = errors.New("its file would have the name of a generated list")

// cannotWrite says that an entry did not reach its file, and goes on. The store
// has it.
func (p *pass) cannotWrite(key, rel string, err error) {
	delete(p.next.set, key)
	switch {
	case isReadOnly(err):
		p.leave(key)
		p.report.ReadOnly = reasonOf(err)
		p.m.sayOnce(fmt.Sprintf("the memory files in %s can't be written (%s); memory goes on without them", p.m.dir, reasonOf(err)))
	case errors.Is(err, errReserved), errors.Is(err, errNoFile), errors.Is(err, syscall.ENOTDIR), errors.Is(err, syscall.EISDIR),
		errors.Is(err, fs.ErrExist), errors.Is(err, syscall.ENAMETOOLONG):
		// Trying again would not help: the entry is agreed to have no file.
		p.next.set[key] = row{version: p.heads[key].Version}
		p.hold(key, rel, "the entry has no file: "+reasonOf(err))
	default:
		p.leave(key)
		p.hold(key, rel, "the file could not be written: "+reasonOf(err))
	}
}

// isReadOnly says whether writing fails for every file alike.
func isReadOnly(err error) bool {
	return errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}
