package vector

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"slices"

	"reverie/memstore"
	"reverie/memstore/guard"
)

const (
	upsertSize = 64 // rows in a request: with 3,072 numbers each some 2.5 MB
	maxRounds  = 5  // in which entries may change while they are embedded
)

// put makes the rows of some keys what the store has now. Others may write to
// the store and to the collection at the same time, and a row of theirs may be
// overtaken by an older one from here; so every state is looked at again once
// its row is written.
func (x *Index) put(ctx context.Context, s tagged, keys []string, progress func(n int)) error {
	for round := 0; len(keys) > 0 && round < maxRounds; round++ {
		var changed []string
		for chunk := range slices.Chunk(keys, upsertSize) {
			wrote, err := x.putSome(ctx, s, chunk)
			if err != nil {
				return err
			}
			again, err := s.changed(ctx, wrote)
			if err != nil {
				return err
			}
			changed = append(changed, again...)
			if progress != nil {
				progress(live(wrote))
			}
		}
		keys = changed
	}
	return nil
}

// putSome writes up to upsertSize rows, and deletes those of keys that are gone
// or may not be sent. It returns the state of each key that it went by.
func (x *Index) putSome(ctx context.Context, s tagged, keys []string) (map[string]memstore.Version, error) {
	wrote := make(map[string]memstore.Version, len(keys))
	var rows []Row
	var texts, gone []string
	for _, key := range keys {
		e, err := s.Recall(ctx, key)
		switch {
		case isGone(err):
			wrote[key] = ""
			gone = append(gone, s.rowID(key))
			continue
		case err != nil:
			return nil, err
		}
		wrote[key] = e.Version
		if err := guard.Check(guard.Input{Key: e.Key, Description: e.Description, Value: e.Value, Person: typed(e)}); err != nil {
			x.leftOut(e, err)
			gone = append(gone, s.rowID(key))
			continue
		}
		rows = append(rows, Row{ID: s.rowID(key), Scope: s.Scope(), Root: s.root, Key: key,
			Version: s.version(e), Model: x.o.Embedder.Model()})
		texts = append(texts, textOf(e))
	}
	c, exists, err := x.collection(ctx)
	if err != nil {
		return nil, err
	}
	vectors, refused, err := x.embed(ctx, c, exists, texts)
	if err != nil {
		return nil, err
	}
	for _, i := range slices.Backward(slices.Sorted(maps.Keys(refused))) {
		x.leftOut(memstore.Entry{Scope: rows[i].Scope, Key: rows[i].Key}, refused[i])
		gone = append(gone, rows[i].ID)
		rows, vectors = slices.Delete(rows, i, i+1), slices.Delete(vectors, i, i+1)
	}
	if len(rows) > 0 {
		if _, err := x.ready(ctx, len(vectors[0])); err != nil {
			return nil, err
		}
		for i := range rows {
			rows[i].Vector = vectors[i]
		}
		if err := x.o.Milvus.Upsert(ctx, x.o.Collection, rows); err != nil {
			return nil, err
		}
		x.outage.end()
	}
	return wrote, x.remove(ctx, gone)
}

// remove deletes rows; where there is no collection there are none.
func (x *Index) remove(ctx context.Context, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	if _, exists, err := x.collection(ctx); err != nil || !exists {
		return err
	}
	return x.o.Milvus.Delete(ctx, x.o.Collection, withIDs(ids))
}

// changed are the keys whose state is no longer the one that was written.
func (t tagged) changed(ctx context.Context, wrote map[string]memstore.Version) ([]string, error) {
	var keys []string
	for key, version := range wrote {
		e, err := t.Recall(ctx, key)
		if err != nil && !isGone(err) {
			return nil, err
		}
		if e.Version != version {
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// live is how many of the keys have an entry.
func live(wrote map[string]memstore.Version) int {
	n := 0
	for _, v := range wrote {
		if v != "" {
			n++
		}
	}
	return n
}

// version is what a row says of the state it was made from. Tokens of a store
// without history need not outlive the process, so that there it is a digest.
func (t tagged) version(e memstore.Entry) string {
	if t.versioned != nil {
		return string(e.Version)
	}
	sum := sha256.Sum256([]byte(textOf(e)))
	return hex.EncodeToString(sum[:16])
}

// textOf is what is embedded of an entry: name, description and value.
func textOf(e memstore.Entry) string {
	text := e.Key
	if e.Description != "" {
		text += "\n" + e.Description
	}
	return text + "\n\n" + e.Value
}

// typed says whether a person at the keyboard wrote the entry, for the guard.
func typed(e memstore.Entry) bool {
	return e.Provenance.Writer == memstore.ByUser && e.Provenance.Origin != memstore.Imported
}

func isGone(err error) bool {
	var n *memstore.NotFoundError
	return errors.As(err, &n)
}

// leftOut tells once why an entry has no vector.
func (x *Index) leftOut(e memstore.Entry, err error) {
	name := string(e.Scope) + " memory " + e.Key
	var r *guard.Refusal
	if errors.As(err, &r) && r.Field == "key" {
		name = "a " + string(e.Scope) + " memory"
	}
	x.mu.Lock()
	first := !x.told[name]
	x.told[name] = true
	x.mu.Unlock()
	if first {
		x.o.Warn(fmt.Sprintf("%s is left out of the search by meaning: %v", name, err))
	}
}
