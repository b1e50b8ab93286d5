package files

import (
	"context"
	"slices"

	"reverie/memstore"
)

const purgedReason = `its entry was purged, and an old copy must not bring it back; delete the file, or, if its text is new, set "updated" in it to the present time`

// newSincePurge says whether a file of a purged key holds a new fact and no old
// copy. The erased texts are not there to compare with, and no hash of them is
// kept, since a short secret could be guessed by it. What is left are times and
// writers: every file that a mirror wrote states when it was updated, so a file
// is new if it states a time later than all that is known of the key, or states
// none and no revision ever came from a file. Times of the file system don't
// count, as a checkout or a copy makes them new.
func newSincePurge(c *content, past []memstore.Revision) bool {
	if c.file.Updated.IsZero() {
		return !slices.ContainsFunc(past, func(r memstore.Revision) bool {
			return r.Op != memstore.OpPurge && r.Provenance.Writer == memstore.ByFile
		})
	}
	return !slices.ContainsFunc(past, func(r memstore.Revision) bool {
		return !c.file.Updated.After(r.Updated) || !c.file.Updated.After(r.Recorded)
	})
}

// leftover notes a file of a purged key that is still there.
func (p *pass) leftover(key, rel, reason string) {
	p.report.Leftover = append(p.report.Leftover, Refused{Path: rel, Key: key, Reason: reason})
}

// findLeftovers looks for purged keys among the files that are no memories.
func (p *pass) findLeftovers(ctx context.Context) error {
	for _, r := range p.report.Refused {
		if r.Key == "" {
			continue
		}
		past, err := p.history(ctx, r.Key)
		if err != nil {
			return err
		}
		if len(past) > 0 && past[0].Op == memstore.OpPurge {
			p.leftover(r.Key, r.Path, r.Reason)
		}
	}
	return nil
}
