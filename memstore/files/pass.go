package files

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"reverie/memstore"
)

// pass is one comparison of folder, store and base, and what comes of it.
type pass struct {
	m      *Mirror
	o      SyncOptions
	base   *base
	report *SyncReport

	folder  *folder // nil where it is gone
	born    int64   // when the folder was made, as in the base
	started time.Time
	git     gitState
	files   map[string]found // what may be memories, by key
	there   map[string]bool  // keys with a file that is no memory now
	claimed map[string]string
	changed bool // the store went on since the base

	contents map[string]*content          // files that differ from the base
	heads    map[string]memstore.Revision // newest revisions since the base
	complete bool                         // heads has every key that ever was
	upTo     int64
	version  memstore.Version // of the revision upTo
	left     int64            // the first revision that did not reach its file; 0 for none
	ours     map[memstore.Version]bool

	do    actions
	next  change
	erase bool // a purged file was among the base's rows
	again bool
	later bool
}

// actions are what was decided.
type actions struct {
	imports []*importing
	forgets []forgetting
	writes  []writing
	removes []removing
}

func (p *pass) close() {
	if p.folder != nil {
		p.folder.close()
	}
}

// run does the pass and returns the new base.
func (p *pass) run(ctx context.Context) (*base, error) {
	p.next = change{set: map[string]row{}, drop: map[string]bool{}}
	p.there, p.claimed, p.ours = map[string]bool{}, map[string]string{}, map[memstore.Version]bool{}
	p.report.Deletions, p.report.Held, p.report.Refused, p.report.Leftover = []Held{}, []Held{}, []Refused{}, []Refused{}
	p.git = p.m.quietGit(ctx)
	if err := p.readHeads(ctx); err != nil {
		return nil, err
	}
	if err := p.readFolder(ctx); err != nil {
		return nil, err
	}
	if err := p.decide(ctx); err != nil {
		return nil, err
	}
	if err := p.act(ctx); err != nil {
		return nil, err
	}
	if err := p.findLeftovers(ctx); err != nil {
		return nil, err
	}
	if now := readGit(p.m.gitRoot); now != p.git {
		p.again = true
	}
	return p.save(ctx)
}

// quietGit reads git's state, and where a git command is at work waits a moment
// for its end.
func (m *Mirror) quietGit(ctx context.Context) gitState {
	s := readGit(m.gitRoot)
	for i := 0; s.locked && i < 20; i++ {
		if sleep(ctx, 50*time.Millisecond) != nil {
			break
		}
		s = readGit(m.gitRoot)
	}
	return s
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// changesAtOnce is how many revisions are read in one go.
const changesAtOnce = 1000

// readHeads reads what the store gained since the base. A store that does not
// know the base's last revision is another one: then the base says nothing.
func (p *pass) readHeads(ctx context.Context) error {
	if p.base.seq > 0 {
		last, err := p.m.store.Changes(ctx, p.base.seq-1, 1)
		if err != nil {
			return err
		}
		if len(last) == 0 || last[0].Seq != p.base.seq || last[0].Version != p.base.version {
			for k := range p.base.rows {
				p.next.drop[k] = true
			}
			p.base = &base{id: p.base.id, gen: p.base.gen, rows: map[string]row{}}
		}
	}
	p.heads = map[string]memstore.Revision{}
	p.upTo, p.version, p.complete = p.base.seq, p.base.version, p.base.seq == 0
	for {
		next, err := p.m.store.Changes(ctx, p.upTo, changesAtOnce)
		if err != nil {
			return err
		}
		for _, r := range next {
			p.heads[r.Key] = r
			p.upTo, p.version = r.Seq, r.Version
		}
		if len(next) < changesAtOnce {
			p.changed = len(p.heads) > 0
			return nil
		}
	}
}

// readFolder lists the folder and reads what may differ from the base.
func (p *pass) readFolder(ctx context.Context) error {
	p.started = time.Now()
	p.files, p.contents = map[string]found{}, map[string]*content{}
	f, err := openFolder(p.m.dir, p.m.scope == memstore.User)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	p.folder, p.born = f, f.born()
	files, refused, err := f.scan(ctx, func(key string) string { return p.base.rows[key].path })
	if err != nil {
		return err
	}
	p.files = files
	for _, r := range refused {
		p.refuse(r)
	}
	return p.readContents(ctx)
}

func (p *pass) refuse(r Refused) {
	if r.Key != "" {
		if _, other := p.files[r.Key]; !other || p.files[r.Key].rel == r.Path {
			p.there[r.Key] = true
			delete(p.files, r.Key)
			delete(p.contents, r.Key)
		}
	}
	p.report.Refused = append(p.report.Refused, r)
}

// leave notes that a key's newest revision did not reach its file, so that the
// next sync sees it again.
func (p *pass) leave(key string) {
	if h, ok := p.heads[key]; ok && (p.left == 0 || h.Seq < p.left) {
		p.left = h.Seq
	}
}

// save makes what was agreed on the new base.
func (p *pass) save(ctx context.Context) (*base, error) {
	if err := p.followOwn(ctx); err != nil {
		return nil, err
	}
	b := *p.base
	b.seq, b.version = p.upTo, p.version
	if p.left > 0 {
		b.seq, b.version = p.left-1, ""
		if b.seq > 0 {
			at, err := p.m.store.Changes(ctx, b.seq-1, 1)
			if err != nil {
				return nil, err
			}
			if len(at) == 1 {
				b.version = at[0].Version
			}
		}
	}
	// While git is at work its head says nothing about the files.
	if !p.git.locked {
		b.head = p.git.head
	}
	if p.folder != nil {
		b.born = p.born
	}
	p.report.Files = len(p.files)
	for k := range p.next.set {
		delete(p.next.drop, k)
	}
	if b.id != 0 && len(p.next.set)+len(p.next.drop) == 0 && b.seq == p.base.seq && b.head == p.base.head && b.born == p.base.born && !p.outgrown() {
		return p.base, nil
	}
	b.scanned = p.started.UnixNano()
	p.m.hooks.step("before the base")
	saved, err := p.m.base.save(ctx, p.m.dir, b, p.next)
	if err != nil {
		return nil, err
	}
	p.m.hooks.step("after the base")
	if p.erase {
		// The hash of an erased text must not stay in the log.
		if _, err := p.m.base.db.Checkpoint(ctx, time.Second); err != nil {
			return nil, err
		}
	}
	return saved, nil
}

// outgrown says whether a file that had to be read because it was too new
// would not have to be by the time of this pass.
func (p *pass) outgrown() bool {
	seen := time.Unix(0, p.base.scanned)
	for _, f := range p.files {
		if f.stat.racy(seen) && !f.stat.racy(p.started) {
			return true
		}
	}
	return false
}

// followOwn goes on in the stream over the revisions that this pass made. One
// by somebody else calls for another pass.
func (p *pass) followOwn(ctx context.Context) error {
	for len(p.ours) > 0 {
		next, err := p.m.store.Changes(ctx, p.upTo, changesAtOnce)
		if err != nil {
			return err
		}
		for _, r := range next {
			if !p.ours[r.Version] {
				p.again = true
				return nil
			}
			p.upTo, p.version = r.Seq, r.Version
		}
		if len(next) < changesAtOnce {
			return nil
		}
	}
	return nil
}

// sorted puts all lists into order.
func (r SyncReport) sorted() SyncReport {
	for _, keys := range []*[]string{&r.Imported, &r.Written, &r.Forgotten, &r.Removed, &r.FirstSeen} {
		slices.Sort(*keys)
		*keys = slices.Compact(*keys)
	}
	for _, held := range [][]Held{r.Deletions, r.Held} {
		slices.SortFunc(held, func(a, b Held) int { return strings.Compare(a.Path, b.Path) })
	}
	for _, refused := range [][]Refused{r.Refused, r.Leftover} {
		slices.SortFunc(refused, func(a, b Refused) int { return strings.Compare(a.Path, b.Path) })
	}
	return r
}

// source names a file in provenance: its path from the project's root, else
// within the folder.
func (m *Mirror) source(rel string) string {
	p := filepath.Join(m.dir, filepath.FromSlash(rel))
	if m.gitRoot != "" && within(m.gitRoot, p) {
		return filepath.ToSlash(p[len(m.gitRoot)+1:])
	}
	return rel
}
