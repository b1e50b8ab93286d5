package vector

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// A position says how far a store's stream is in the collection, for one model
// and one root. It is kept in the store as a mark. When anything but Seq is
// not as now, because the collection was made anew, the model was changed, or
// the store was taken over by another project, everything is embedded again.
type position struct {
	Seq        int64  `json:"seq"`
	Collection string `json:"collection"` // Milvus's number for it
	Model      string `json:"model"`
	Root       string `json:"root,omitempty"`
}

// markName is the mark's name for a collection on a server.
func (x *Index) markName() string {
	sum := sha256.Sum256([]byte(x.o.Milvus.server.base + "\x00" + x.o.Collection))
	return "vector " + hex.EncodeToString(sum[:8])
}

// position returns how far the store's stream is in a collection, and the mark
// that says so.
func (x *Index) position(ctx context.Context, s tagged, c Collection) (p position, mark string, err error) {
	p = position{Collection: c.ID, Model: x.o.Embedder.Model(), Root: s.root}
	mark, err = s.versioned.Mark(ctx, x.markName())
	if err != nil {
		return p, "", fmt.Errorf("read how far the vectors of the %s memory are: %w", s.Scope(), err)
	}
	var noted position
	if json.Unmarshal([]byte(mark), &noted) != nil {
		return p, mark, nil // none so far
	}
	p.Seq = noted.Seq
	if p != noted {
		p.Seq = 0
	}
	return p, mark, nil
}

// move notes a new position, unless another process noted one since: then that
// one holds, and what it leaves out is done again.
func (x *Index) move(ctx context.Context, s tagged, mark string, p position) error {
	text, err := json.Marshal(p)
	if err != nil || string(text) == mark {
		return err
	}
	if _, err := s.versioned.SetMark(ctx, x.markName(), mark, string(text)); err != nil {
		return fmt.Errorf("note how far the vectors of the %s memory are: %w", s.Scope(), err)
	}
	return nil
}
