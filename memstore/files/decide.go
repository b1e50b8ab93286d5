package files

import (
	"context"
	"errors"
	"slices"
	"time"

	"reverie/memstore"
)

// importing is a file that becomes a revision.
type importing struct {
	key      string
	content  *content
	expected memstore.Version
	updated  time.Time
}

type forgetting struct {
	key      string
	expected memstore.Version
}

// writing is an entry that goes to its file. What is in the file must still
// have the hash; the zero hash stands for no file.
type writing struct {
	key  string
	rel  string
	head memstore.Revision
	now  hash
}

type removing struct {
	key, rel string
	now      hash
	head     memstore.Revision
}

// decide goes through the keys of which something is not as in the base.
func (p *pass) decide(ctx context.Context) error {
	keys := map[string]bool{}
	for k := range p.contents {
		keys[k] = true
	}
	for k := range p.heads {
		keys[k] = true
	}
	var missing []string
	for k, r := range p.base.rows {
		if _, ok := p.files[k]; ok && r.held != "" {
			keys[k] = true
		}
		if r.path != "" && !p.there[k] && p.files[k].rel == "" {
			missing = append(missing, k)
			delete(keys, k)
		}
	}
	order := make([]string, 0, len(keys))
	for k := range keys {
		order = append(order, k)
	}
	slices.Sort(order)
	for _, k := range order {
		if err := p.decideOne(ctx, k); err != nil {
			return err
		}
	}
	slices.Sort(missing)
	return p.decideMissing(ctx, missing)
}

func (p *pass) decideOne(ctx context.Context, key string) error {
	_, has := p.files[key]
	switch {
	case p.there[key]:
		// A file that is no memory is left alone, and with it the entry.
		p.leave(key)
		return nil
	case p.contents[key] != nil:
		return p.decideChanged(ctx, key, p.contents[key])
	case has:
		p.decideSame(key)
		return nil
	}
	if h, ok := p.heads[key]; ok && !h.Forgotten {
		p.write(key, pathOf(key), h, hash{})
	} else {
		p.next.drop[key] = true
	}
	return nil
}

// decideSame is for a file that is as in the base: only the store may have
// changed.
func (p *pass) decideSame(key string) {
	r := p.row(key)
	if r.held != "" {
		r.held = ""
		p.next.set[key] = r
	}
	p.followStore(key, r)
}

// row is the base's row of a key, with what this pass changed.
func (p *pass) row(key string) row {
	if r, ok := p.next.set[key]; ok {
		return r
	}
	return p.base.rows[key]
}

// followStore brings the store's newer state into a file that says nothing new.
func (p *pass) followStore(key string, r row) {
	h, ok := p.heads[key]
	switch {
	case !ok || h.Version == r.version:
	case h.Forgotten:
		p.do.removes = append(p.do.removes, removing{key, r.path, r.hash, h})
	default:
		p.write(key, r.path, h, r.hash)
	}
}

func (p *pass) write(key, rel string, h memstore.Revision, now hash) {
	p.do.writes = append(p.do.writes, writing{key, rel, h, now})
}

// decideChanged is for a file that differs from the base, or has none.
func (p *pass) decideChanged(ctx context.Context, key string, c *content) error {
	past, err := p.history(ctx, key)
	if err != nil {
		return err
	}
	known, based := p.base.rows[key]
	if len(past) == 0 {
		p.importFile(key, c, memstore.None, time.Time{})
		return nil
	}
	head := past[0]
	agreed := row{path: c.rel, version: head.Version, hash: c.hash, stat: c.stat}
	if head.Op == memstore.OpPurge && !newSincePurge(c, past) {
		if based {
			p.next.drop[key], p.erase = true, true
		}
		p.hold(key, c.rel, purgedReason)
		p.leftover(key, c.rel, purgedReason)
		return nil
	}
	if !head.Forgotten && says(c, head) {
		p.next.set[key] = agreed
		if p.base.id == 0 && head.Provenance.Writer == memstore.ByFile && head.Provenance.Origin == memstore.Imported {
			// A first sync that was killed took it and told nobody.
			p.report.FirstSeen = append(p.report.FirstSeen, key)
		}
		return nil
	}
	at := slices.IndexFunc(past, func(r memstore.Revision) bool { return based && r.Version == known.version })
	switch {
	case at >= 0 && slices.ContainsFunc(past[:at+1], func(r memstore.Revision) bool { return !r.Forgotten && says(c, r) }):
		// The base's text in another form, or one that an earlier sync wrote
		// and could not note: nothing new.
		agreed.version = known.version
		p.next.set[key] = agreed
		p.heads[key] = head
		p.followStore(key, agreed)
	case at < 0 && slices.ContainsFunc(past, func(r memstore.Revision) bool { return !r.Forgotten && says(c, r) }):
		// An old copy, and no base to say that somebody put it there. Where the
		// file's deletion was the forget, its return takes that back.
		p.heads[key] = head
		switch {
		case head.Forgotten && head.Provenance.Writer == memstore.ByFile:
			p.importFile(key, c, head.Version, time.Time{})
			return nil
		case head.Forgotten:
			p.hold(key, c.rel, "it is an old copy of an entry that was forgotten; delete it, or edit it to have it back")
			return nil
		}
		p.write(key, c.rel, head, c.hash)
	default:
		var stated time.Time
		if at >= 0 {
			stated = past[at].Updated
		}
		p.importFile(key, c, head.Version, stated)
	}
	return nil
}

// importFile has a file become a revision. A time that the base's revision had
// already was left standing by whoever edited the text.
func (p *pass) importFile(key string, c *content, expected memstore.Version, stated time.Time) {
	updated := c.file.Updated
	if updated.IsZero() || !stated.IsZero() && updated.Truncate(time.Microsecond).Equal(stated) {
		updated = time.Unix(0, c.stat.mtime)
		if now := p.m.now(); updated.After(now) {
			updated = now
		}
	}
	p.do.imports = append(p.do.imports, &importing{key, c, expected, updated})
}

func (p *pass) hold(key, rel, reason string) {
	p.report.Held = append(p.report.Held, Held{Key: key, Path: rel, Reason: reason})
}

// says reports whether a file says what a revision says. A kind that is left
// out is whatever it was.
func says(c *content, r memstore.Revision) bool {
	return c.file.Value == r.Value && c.file.Description == r.Description && (c.kind == "" || c.kind == r.Kind) && !r.Purged
}

// history is all revisions of a key, newest first; none where it never was.
func (p *pass) history(ctx context.Context, key string) ([]memstore.Revision, error) {
	if _, ok := p.heads[key]; !ok && p.complete {
		return nil, nil
	}
	past, err := p.m.store.History(ctx, key)
	var missing *memstore.NotFoundError
	if errors.As(err, &missing) {
		return nil, nil
	}
	return past, err
}
