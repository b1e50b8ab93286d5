package vector

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"reverie/memstore"
)

// pageSize is how many revisions are worked through before the position is
// noted.
const pageSize = 256

// Catchup brings the collection to the state of the stores: what was saved
// since is embedded and upserted, what was forgotten or purged is deleted. It
// goes on where it, or another process, stopped; when it returns nil, nothing
// is left. An error of a server is told to Warn, once an outage.
func (x *Index) Catchup(ctx context.Context) error {
	leave, err := x.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := x.catchup(ctx, nil); err != nil {
		return x.failed(ctx, err)
	}
	return nil
}

func (x *Index) catchup(ctx context.Context, progress func(n int)) error {
	for _, s := range x.stores {
		err := x.follow(ctx, s, progress)
		if hasCode(err, codeNotFound) {
			// Somebody dropped the collection: once more, from the beginning.
			x.learn(nil)
			err = x.follow(ctx, s, progress)
		}
		if err != nil {
			return err
		}
		if err := x.layGhosts(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

func (x *Index) follow(ctx context.Context, s tagged, progress func(n int)) error {
	if w, ok := s.Store.(interface{ Writable() error }); ok && w.Writable() != nil {
		// No position can be kept in a store that a newer version made, and
		// nothing changes but by that version, which follows it itself.
		return nil
	}
	if s.versioned != nil {
		return x.followStream(ctx, s, progress)
	}
	return x.compare(ctx, s, progress)
}

// followStream works through a store's stream, page by page.
func (x *Index) followStream(ctx context.Context, s tagged, progress func(n int)) error {
	var seen int64 // of the stream, while there was nothing to make a collection for
	for {
		before, existed, err := x.collection(ctx)
		if err != nil {
			return err
		}
		p, mark, err := x.position(ctx, s, before)
		if err != nil {
			return err
		}
		if !existed {
			p.Seq = seen
		}
		page, err := s.versioned.Changes(ctx, p.Seq, pageSize)
		if err != nil || len(page) == 0 {
			return err
		}
		if !existed {
			// Another process may have made it since it was asked for.
			x.learn(nil)
			if before, existed, err = x.collection(ctx); err != nil {
				return err
			} else if existed {
				continue
			}
		}
		keys, err := s.heads(ctx, page)
		if err != nil {
			return err
		}
		if err := x.put(ctx, s, keys, progress); err != nil {
			return err
		}
		after, exists, err := x.collection(ctx)
		switch {
		case err != nil:
			return err
		case !exists:
			seen = page[len(page)-1].Seq
			continue
		case existed && after.ID != before.ID:
			continue // another one by now: from the beginning
		}
		p.Collection, p.Seq = after.ID, page[len(page)-1].Seq
		if err := x.move(ctx, s, mark, p); err != nil {
			return err
		}
	}
}

// heads are the keys of a page whose present state is in it. The others come
// again further on.
func (t tagged) heads(ctx context.Context, page []memstore.Revision) ([]string, error) {
	last := make(map[string]memstore.Version, len(page))
	for _, r := range page {
		last[r.Key] = r.Version
	}
	var keys []string
	for key, version := range last {
		e, err := t.Recall(ctx, key)
		if err != nil && !isGone(err) {
			return nil, err
		}
		if err != nil || e.Version == version {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, nil
}

// compare brings a store without a stream up to date, by comparing what it has
// with what the collection has.
func (x *Index) compare(ctx context.Context, s tagged, progress func(n int)) error {
	entries, err := s.List(ctx, memstore.ListOptions{})
	if err != nil {
		return err
	}
	_, exists, err := x.collection(ctx)
	if err != nil {
		return err
	}
	there := map[string]string{}
	if exists {
		rows, err := x.o.Milvus.Query(ctx, x.o.Collection, x.own(s))
		if err != nil {
			return err
		}
		if len(rows) >= MaxQuery {
			return fmt.Errorf("the %s memory has %d vectors or more, which a store without history can't be compared with; "+
				"set memory.store to the versioned one", s.Scope(), MaxQuery)
		}
		for _, r := range rows {
			there[r.Key] = r.Version
		}
	}
	var keys []string
	for _, e := range entries {
		if there[e.Key] != s.version(e) {
			keys = append(keys, e.Key)
		}
		delete(there, e.Key)
	}
	keys = slices.AppendSeq(keys, maps.Keys(there))
	return x.put(ctx, s, keys, progress)
}

// Reindex builds the rows of both stores anew. Nothing is deleted before the
// servers have shown that they can take new ones. progress, which may be nil,
// is told how many of how many entries are done.
func (x *Index) Reindex(ctx context.Context, progress func(done, total int)) error {
	leave, err := x.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	if err := x.clear(ctx); err != nil {
		return err
	}
	done, total := 0, 0
	for _, s := range x.stores {
		n, err := s.Count(ctx)
		if err != nil {
			return err
		}
		total += n
	}
	return x.catchup(ctx, func(n int) {
		if done = min(done+n, total); progress != nil {
			progress(done, total)
		}
	})
}

// clear deletes the rows of both stores. The positions go back first, so that
// an end in the middle leaves nothing out.
func (x *Index) clear(ctx context.Context) error {
	x.learn(nil)
	probe, err := x.o.Embedder.Embed(ctx, []string{harmless})
	if err != nil {
		return err
	}
	c, err := x.ready(ctx, len(probe[0]))
	if err != nil {
		return err
	}
	for _, s := range x.stores {
		if s.versioned != nil {
			p, mark, err := x.position(ctx, s, c)
			if err != nil {
				return err
			}
			p.Seq = 0
			if err := x.move(ctx, s, mark, p); err != nil {
				return err
			}
		}
		if err := x.o.Milvus.Delete(ctx, x.o.Collection, inScope(s.Scope(), s.root)); err != nil {
			return err
		}
	}
	return nil
}
