package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"reverie/memstore"
)

// runs and steps of the random comparison.
const (
	runs  = 4
	steps = 150
)

// random compares a store with the model in random sequences of operations. A
// failure names the seed, which makes the same sequence again.
func random(t *testing.T, open func(t *testing.T) memstore.Store) {
	for range runs {
		seed := rand.Uint64()
		Sequence(t, open(t), seed, steps)
		if t.Failed() {
			t.Logf("the seed was %d", seed)
			return
		}
	}
}

// Sequence makes n random operations on an empty store and compares every
// answer with the model's. It closes the store.
func Sequence(t *testing.T, s memstore.Store, seed uint64, n int) {
	t.Helper()
	defer s.Close()
	c := compare{
		fixture: fixture{t, s},
		rnd:     rand.New(rand.NewPCG(seed, 1)),
		m:       &simple{history: s.Capabilities().History, revs: map[string][]state{}},
		past:    []memstore.Version{"r_aaaaaaaaaaaa", "", "not a version"},
	}
	for i := range n {
		c.step = i
		c.one()
		if t.Failed() {
			return
		}
	}
	c.whole()
}

type compare struct {
	fixture
	rnd  *rand.Rand
	m    *simple
	past []memstore.Version // versions that were current once, of any key
	step int
}

func pick[T any](c *compare, from ...T) T { return from[c.rnd.IntN(len(from))] }

// version is the key's current one most of the time.
func (c *compare) version(key string) memstore.Version {
	if s, was := c.m.current(key); was && c.rnd.IntN(10) < 7 {
		return s.version
	}
	return pick(c, c.past...)
}

// one makes one operation on both and compares.
func (c *compare) one() {
	key := pick(c, "a", "a/b", "a/c", "ab", "b", "straße")
	folded := strings.ReplaceAll(key, "ß", "ss")
	as := pick(c, key, strings.ToUpper(key))
	by := pick(c, memstore.ByUser, memstore.ByModel, memstore.ByFile)
	p := memstore.Provenance{Writer: by, Origin: memstore.Explicit}
	revive := c.rnd.IntN(4) == 0
	ctx := context.Background()
	v, _ := c.s.(memstore.Versioned)
	op := c.rnd.IntN(12)
	switch {
	case op < 5:
		value := pick(c, "one", "two", "three")
		kind := pick(c, "", memstore.Note, memstore.Decision)
		expected := pick(c, "", memstore.None, c.version(folded))
		m, err := c.s.Remember(ctx, memstore.RememberRequest{Key: as, Value: value, Kind: kind, Expected: expected, Revive: revive, Provenance: p})
		want, next := c.m.remember(folded, value, kind, expected, by, revive)
		c.check(folded, fmt.Sprintf("remember %s=%s kind %q at %q by %s revive %t", as, value, kind, expected, by, revive), m, err, want, next)
	case op < 8:
		expected := c.version(folded)
		m, err := c.s.Forget(ctx, memstore.ForgetRequest{Key: as, Expected: expected, Provenance: p})
		want, next := c.m.forget(folded, expected, by)
		c.check(folded, fmt.Sprintf("forget %s at %q by %s", as, expected, by), m, err, want, next)
	case v == nil:
		c.reads(folded)
	case op < 10:
		expected := c.version(folded)
		m, err := v.Undo(ctx, memstore.UndoRequest{Key: as, Expected: expected, Revive: revive, Provenance: p})
		want, next := c.m.undo(folded, expected, by, revive)
		c.check(folded, fmt.Sprintf("undo %s at %q by %s revive %t", as, expected, by, revive), m, err, want, next)
	case op < 11:
		to, expected := pick(c, c.past...), pick(c, "", c.version(folded))
		if h := c.m.revs[folded]; len(h) > 0 && c.rnd.IntN(3) > 0 {
			to = h[c.rnd.IntN(len(h))].version
		}
		m, err := v.Restore(ctx, memstore.RestoreRequest{Key: as, To: to, Expected: expected, Revive: revive, Provenance: p})
		want, next := c.m.restore(folded, to, expected, by, revive)
		c.check(folded, fmt.Sprintf("restore %s to %q at %q by %s revive %t", as, to, expected, by, revive), m, err, want, next)
	default:
		c.reads(folded)
	}
}

// answer puts an error into the model's words.
func answer(m memstore.Mutation, err error) string {
	var (
		conflict  *memstore.ConflictError
		notFound  *memstore.NotFoundError
		forgotten *memstore.ForgottenError
	)
	switch {
	case err == nil && m.Changed:
		return ok
	case err == nil:
		return same
	case errors.As(err, &conflict):
		return conflicted
	case errors.As(err, &notFound):
		return missing
	case errors.As(err, &forgotten):
		return guarded
	case errors.Is(err, memstore.ErrNothingToUndo):
		return nothing
	}
	return err.Error()
}

func (c *compare) check(key, what string, m memstore.Mutation, err error, want string, next state) {
	c.Helper()
	if got := answer(m, err); got != want {
		c.Errorf("step %d, %s: the answer is %q, the model's %q", c.step, what, got, want)
		return
	}
	var conflict *memstore.ConflictError
	if errors.As(err, &conflict) && conflict.Current.Version != next.version {
		c.Errorf("step %d, %s: the conflict names %q, the model %q", c.step, what, conflict.Current.Version, next.version)
	}
	if err != nil {
		return
	}
	e := m.Entry
	if e.Value != next.value || e.Forgotten != next.forgotten || e.Kind != next.kind && !e.Forgotten || e.Key != key {
		c.Errorf("step %d, %s: the state is %+v, the model's %+v", c.step, what, e, next)
	}
	if !m.Changed {
		return
	}
	if before, _ := c.m.current(key); m.Previous.Version != before.version {
		c.Errorf("step %d, %s: the state before is %q, the model's %q", c.step, what, m.Previous.Version, before.version)
	}
	c.past = append(c.past, e.Version)
	c.m.commit(key, next, e.Version)
}

// reads compares what can be read of one key.
func (c *compare) reads(key string) {
	c.Helper()
	e, err := c.s.Recall(context.Background(), key)
	want, live := c.m.live(key)
	if live != (err == nil) || e.Value != want.value && live || e.Version != want.version && live {
		c.Errorf("step %d: recall %s is %+v and %v, the model's %+v", c.step, key, e, err, want)
	}
	prefix := pick(c, "", "a", "a/", "b", "str", "zzz")
	if got, want := c.keys(memstore.ListOptions{Prefix: strings.ToUpper(prefix)}), c.m.list(prefix, false); !slices.Equal(got, want) {
		c.Errorf("step %d: the list under %q is %v, the model's %v", c.step, prefix, got, want)
	}
	n, err := c.s.Count(context.Background())
	if want := len(c.m.list("", false)); err != nil || n != want {
		c.Errorf("step %d: the count is %d and %v, the model's %d", c.step, n, err, want)
	}
}

// whole compares all of history and the stream at the end.
func (c *compare) whole() {
	c.Helper()
	for _, key := range c.m.list("", true) {
		c.reads(key)
	}
	v, versioned := c.s.(memstore.Versioned)
	if !versioned {
		return
	}
	if got, want := c.keys(memstore.ListOptions{Forgotten: true}), c.m.list("", true); !slices.Equal(got, want) {
		c.Errorf("the list with tombstones is %v, the model's %v", got, want)
	}
	for key, want := range c.m.revs {
		h, err := v.History(context.Background(), key)
		if err != nil || len(h) != len(want) {
			c.Errorf("the history of %s has %d revisions and %v, the model's %d", key, len(h), err, len(want))
			continue
		}
		for i, r := range h {
			if w := want[len(want)-1-i]; r.Version != w.version || r.Value != w.value || r.Forgotten != w.forgotten || r.Provenance.Writer != w.writer {
				c.Errorf("revision %s of %s is %+v, the model's %+v", r.Version, key, r, w)
			}
		}
	}
	all, err := v.Changes(context.Background(), 0, 0)
	if err != nil || len(all) != len(c.m.all) {
		c.Fatalf("the stream has %d revisions and %v, the model's %d", len(all), err, len(c.m.all))
	}
	for i, r := range all {
		if r.Seq != int64(i+1) || string(r.Version) != c.m.all[i] {
			c.Errorf("place %d of the stream is %s with number %d, the model's %s", i+1, r.Version, r.Seq, c.m.all[i])
		}
	}
}
