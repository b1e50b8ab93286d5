package vector

import (
	"context"
	"errors"

	"reverie/memstore"
)

// A ghost is a row whose entry was forgotten: a process ended between writing a
// row and looking whether it still holds. It is never shown, and the next
// catch-up deletes it. An entry that this store never had may be another
// machine's, and its row is left alone.

func (x *Index) noteGhost(s tagged, key string, err error) {
	var n *memstore.NotFoundError
	if !errors.As(err, &n) || !n.Forgotten {
		return
	}
	x.mu.Lock()
	if x.ghosts[s.Scope()] == nil {
		x.ghosts[s.Scope()] = map[string]bool{}
	}
	x.ghosts[s.Scope()][key] = true
	x.mu.Unlock()
	x.wake()
}

func (x *Index) layGhosts(ctx context.Context, s tagged) error {
	var keys []string
	x.mu.Lock()
	for key := range x.ghosts[s.Scope()] {
		keys = append(keys, key)
	}
	x.mu.Unlock()
	if err := x.put(ctx, s, keys, nil); err != nil {
		return err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, key := range keys {
		delete(x.ghosts[s.Scope()], key)
	}
	return nil
}
