package files

import (
	"context"
	"fmt"

	"reverie/memstore"
)

// decideMissing is for keys whose files are gone. It is a forget only where
// nothing else explains it.
func (p *pass) decideMissing(ctx context.Context, missing []string) error {
	var gone []string
	for _, key := range missing {
		r, h := p.base.rows[key], p.heads[key]
		switch {
		case h.Version != "" && h.Forgotten:
			p.next.drop[key] = true
			p.erase = p.erase || h.Op == memstore.OpPurge
			continue
		case p.o.Restore && p.folder != nil && p.claimed[key] == "":
			if err := p.restore(ctx, key); err != nil {
				return err
			}
			continue
		case h.Version != "" && h.Version != r.version:
			reborn, err := p.forgottenSince(ctx, key, r.version)
			if err != nil {
				return err
			}
			if reborn || r.held != "" && !p.accepted() {
				p.rewrite(key, h)
				continue
			}
		}
		gone = append(gone, key)
	}
	explained := p.explain(gone)
	for _, key := range gone {
		p.decideGone(key, explained)
	}
	return p.confirm(ctx)
}

// rewrite writes a file that is gone, where there is a folder.
func (p *pass) rewrite(key string, h memstore.Revision) {
	if p.folder == nil {
		p.leave(key)
		return
	}
	p.write(key, p.base.rows[key].path, h, hash{})
}

// restore writes a file that is gone again, with the entry as it is.
func (p *pass) restore(ctx context.Context, key string) error {
	past, err := p.history(ctx, key)
	if err != nil {
		return err
	}
	if len(past) == 0 || past[0].Forgotten {
		p.next.drop[key] = true
		return nil
	}
	p.heads[key] = past[0]
	p.rewrite(key, past[0])
	return nil
}

// accepted says whether a missing file is a forget whatever explains it.
func (p *pass) accepted() bool { return p.o.AcceptDeletions && !p.o.Restore }

func (p *pass) decideGone(key, explained string) {
	r := p.base.rows[key]
	reason := r.held
	if reason == "" {
		reason = explained
	}
	renamed := p.claimed[key]
	switch {
	case p.accepted():
	case reason == "" && renamed != "":
		reason = fmt.Sprintf("its name stands in %s, which seems to be the same file renamed; correct the name in it", renamed)
	case reason != "" && r.held == "" && !p.git.locked:
		r.held = reason
		p.next.set[key] = r
	}
	p.later = p.later || p.git.locked
	h, changed := p.heads[key]
	if reason != "" && !p.accepted() {
		if changed && h.Version != r.version && renamed == "" && r.held != "" {
			p.rewrite(key, h)
			return
		}
		p.leave(key)
		p.report.Deletions = append(p.report.Deletions, Held{Key: key, Path: r.path, Reason: reason})
		return
	}
	expected := r.version
	if changed {
		expected = h.Version
	}
	p.do.forgets = append(p.do.forgets, forgetting{key, expected})
}

// forgottenSince says whether a key was forgotten after a version, so that its
// file was deleted by a mirror.
func (p *pass) forgottenSince(ctx context.Context, key string, v memstore.Version) (bool, error) {
	past, err := p.history(ctx, key)
	if err != nil {
		return false, err
	}
	for _, r := range past {
		if r.Version == v {
			return false, nil
		}
		if r.Forgotten {
			return true, nil
		}
	}
	return false, nil
}

// explain says what else than a person who means to forget may have deleted
// files; "" for nothing. All files at once, or most of many, are taken for a
// folder that went away. The only file of a folder is a forget where the folder
// is still the one of the base: made at the same time, as far as the file system
// tells, and with its generated list.
func (p *pass) explain(gone []string) string {
	fresh, all := 0, 0
	for _, key := range gone {
		if p.base.rows[key].held == "" {
			fresh++
		}
	}
	for _, r := range p.base.rows {
		if r.path != "" && r.held == "" {
			all++
		}
	}
	switch {
	case p.folder == nil:
		return "the whole folder is gone"
	case p.git.doing != "":
		return "git was in the middle of " + p.git.doing
	case p.git.locked:
		return "a git command was at work"
	case p.git.head != p.base.head:
		return "git checked out another commit, or stashed, since the file was last seen"
	case p.born != 0 && p.base.born != 0 && p.born != p.base.born:
		return "the folder was deleted and made anew"
	case len(p.files)+len(p.there) == 0 && p.base.list != "" && !exists(p.m.listPath()):
		return "the folder was emptied, and the generated list went with it"
	case fresh > 1 && fresh == all:
		return fmt.Sprintf("all %d files were gone at once", all)
	case fresh > 3 && 2*fresh > all:
		return fmt.Sprintf("%d of %d files were gone at once", fresh, all)
	}
	return ""
}

// confirm looks again at what is to be forgotten: editors that save by
// renaming leave no file for a moment, and git deletes files before it says so.
func (p *pass) confirm(ctx context.Context) error {
	if len(p.do.forgets) == 0 || p.accepted() {
		return nil
	}
	if err := sleep(ctx, p.m.settle); err != nil {
		return err
	}
	sure := p.do.forgets[:0]
	if readGit(p.m.gitRoot) == p.git {
		for _, f := range p.do.forgets {
			if _, err := p.folder.lstat(p.base.rows[f.key].path); err == nil {
				p.again = true
				continue
			}
			sure = append(sure, f)
		}
	} else {
		p.again = true
	}
	p.do.forgets = sure
	return nil
}
