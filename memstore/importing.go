package memstore

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Outcome is what became of one request of [DB.RememberAll]: a mutation, or the
// typed error that refused it.
type Outcome struct {
	Mutation Mutation
	Err      error
}

// importChunk is how many requests are checked, written and reported at once.
const importChunk = 256

// RememberAll makes many saves in one transaction, in order, each as Remember
// would. A request that is refused has its error in its outcome and does not
// keep the others from being saved. The error is for what ended the whole: then
// nothing was saved, and there are no outcomes.
//
// Texts are checked by several processors while others are written. progress,
// which may be nil, is told how many requests are through; it is called while
// the write lock is held and should be quick.
func (d *DB) RememberAll(ctx context.Context, rs []RememberRequest, progress func(done int)) ([]Outcome, error) {
	ctx, cancel := context.WithCancel(ctx)
	checks := d.checkAhead(ctx, rs)
	defer checks.wg.Wait()
	defer cancel()
	var outcomes []Outcome
	err := d.change(ctx, func(t *txn) error {
		outcomes = make([]Outcome, 0, len(rs))
		for from := 0; from < len(rs); from += importChunk {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-checks.ready[from/importChunk]:
			}
			for _, c := range checks.of[from:min(from+importChunk, len(rs))] {
				o, err := t.rememberChecked(c)
				if err != nil {
					return err
				}
				outcomes = append(outcomes, o)
			}
			if progress != nil {
				progress(len(outcomes))
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return outcomes, nil
}

func (t *txn) rememberChecked(c checked) (Outcome, error) {
	if c.err != nil {
		return Outcome{Err: c.err}, nil
	}
	m, err := t.remember(c.want)
	if err != nil && !isRefusal(err) {
		return Outcome{}, err
	}
	return Outcome{Mutation: m, Err: err}, nil
}

// checked is a request after what can be checked without the store.
type checked struct {
	want want
	err  error // of the key
}

// ahead is the work of checking requests, chunk by chunk.
type ahead struct {
	of    []checked
	ready []chan struct{} // closed when a chunk of them is checked
	wg    sync.WaitGroup
}

// checkAhead starts checking. Its goroutines end with the work or with ctx.
func (d *DB) checkAhead(ctx context.Context, rs []RememberRequest) *ahead {
	chunks := (len(rs) + importChunk - 1) / importChunk
	a := &ahead{of: make([]checked, len(rs)), ready: make([]chan struct{}, chunks)}
	for i := range a.ready {
		a.ready[i] = make(chan struct{})
	}
	now := d.now()
	var next atomic.Int64
	for range min(runtime.GOMAXPROCS(0), chunks) {
		a.wg.Go(func() {
			for ctx.Err() == nil {
				c := int(next.Add(1)) - 1
				if c >= chunks {
					return
				}
				for i := c * importChunk; i < min((c+1)*importChunk, len(rs)); i++ {
					a.of[i].want, a.of[i].err = wanted(d.scope, rs[i], now)
				}
				close(a.ready[c])
			}
		})
	}
	return a
}
