package files

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"reverie/memstore"
)

// isUserIndex says whether a path is the user's list, on file systems too that
// do not tell capitals apart.
func isUserIndex(rel string) bool { return strings.EqualFold(rel, userIndex) }

// syncIndex writes the generated list where it is not up to date. It lists what
// has a file, so that after a checkout it is what was committed with the files.
// While git is in the middle of something only a conflict in it is resolved.
func (m *Mirror) syncIndex(ctx context.Context, b *base, changed bool, report *SyncReport) error {
	dir, links := m.dir, ""
	if m.scope == memstore.Project {
		dir, links = filepath.Dir(m.dir), filepath.Base(m.dir)
	}
	if !exists(m.dir) || report.ReadOnly != "" {
		return nil
	}
	f, err := openFolder(dir, m.scope == memstore.User)
	if err != nil {
		return err
	}
	defer f.close()
	name := indexName(m.scope)
	if !changed && b.list != "" && b.list == stamp(f, name) {
		return nil
	}
	if readGit(m.gitRoot).doing != "" {
		if old, _, err := f.read(name); err != nil || !hasConflictMarkers(old) {
			return m.noteList(ctx, b, "")
		}
	}
	entries, err := m.store.List(ctx, memstore.ListOptions{})
	if err != nil {
		return err
	}
	entries = slices.DeleteFunc(entries, func(e memstore.Entry) bool {
		r := b.rows[e.Key]
		return r.path == "" || r.held != ""
	})
	content := renderIndex(m.scope, entries, links, func(key string) string { return b.rows[key].path })
	if err := m.mayWrite(name); err != nil {
		return nil
	}
	m.hooks.step("before the list")
	_, refused, err := writeIndex(f, name, content)
	switch {
	case err != nil && isReadOnly(err):
		m.sayOnce(fmt.Sprintf("the list %s can't be written: %s", filepath.Join(dir, name), reasonOf(err)))
		return nil
	case err != nil:
		return fmt.Errorf("writing the list %s: %w", filepath.Join(dir, name), err)
	case refused != nil:
		report.Refused = append(report.Refused, *refused)
		return nil
	}
	m.hooks.step("after the list")
	return m.noteList(ctx, b, stamp(f, name))
}

// noteList records the list as it was written; "" has the next sync look at it
// again.
func (m *Mirror) noteList(ctx context.Context, b *base, list string) error {
	if b.list == list {
		return nil
	}
	next := *b
	next.list = list
	_, err := m.base.save(ctx, m.dir, next, change{})
	return err
}

// listPath is where the generated list lies.
func (m *Mirror) listPath() string {
	dir := m.dir
	if m.scope == memstore.Project {
		dir = filepath.Dir(dir)
	}
	return filepath.Join(dir, indexName(m.scope))
}

// stamp is the state of a list as it is kept in the base; "" where there is
// none.
func stamp(f *folder, name string) string {
	s, err := f.lstat(name)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d %d %d", s.size, s.mtime, s.inode, s.ctime)
}
