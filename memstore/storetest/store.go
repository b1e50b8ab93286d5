package storetest

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"reverie/memstore"
)

var storeTests = []test{
	{"a list of the newest has what was saved last first, and its limit keeps those", func(f fixture) {
		at := time.Date(2026, 3, 1, 10, 0, 0, 0, time.UTC)
		for i := range 5 {
			_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{
				Key: fmt.Sprintf("k%d", (i+2)%5), Value: "v", Updated: at.Add(time.Duration(i) * time.Minute), Provenance: person,
			})
			f.must(err)
		}
		got, err := f.s.List(f.ctx(), memstore.ListOptions{Newest: true, Limit: 2})
		f.must(err)
		if len(got) != 2 || got[0].Key != "k1" || got[1].Key != "k0" {
			f.Errorf("the newest two are %v", got)
		}
	}},
	{"an entry comes back as it was saved", func(f fixture) {
		m, err := f.s.Remember(f.ctx(), memstore.RememberRequest{
			Key: "deploy/day", Value: "We deploy on Fridays.\n\nNever later than noon.", Description: "Deploys go out on Friday",
			Kind: memstore.Convention, Provenance: model,
		})
		f.must(err)
		e := f.recall("deploy/day")
		eq(f, "the key", e.Key, "deploy/day")
		eq(f, "the value", e.Value, "We deploy on Fridays.\n\nNever later than noon.")
		eq(f, "the description", e.Description, "Deploys go out on Friday")
		eq(f, "the kind", e.Kind, memstore.Convention)
		eq(f, "the scope", e.Scope, f.s.Scope())
		eq(f, "the version", e.Version, m.Entry.Version)
		eq(f, "forgotten", e.Forgotten, false)
		eq(f, "changed", m.Changed, true)
		eq(f, "the previous version", m.Previous.Version, "")
	}},
	{"an entry of the project is a note unless a kind is given, and keeps its kind", func(f fixture) {
		eq(f, "the first kind", f.save("a", "1").Kind, memstore.Note)
		_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "2", Kind: memstore.Gotcha, Provenance: model})
		f.must(err)
		eq(f, "the kept kind", f.save("a", "3").Kind, memstore.Gotcha)
	}},
	{"an unknown kind is refused", func(f fixture) {
		_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "1", Kind: "opinion", Provenance: model})
		eq(f, "what is invalid", is[*memstore.InvalidError](f, err).What, "kind")
	}},
	{"a missing entry is not found", func(f fixture) {
		_, err := f.s.Recall(f.ctx(), "nothing/here")
		eq(f, "the key named", is[*memstore.NotFoundError](f, err).Key, "nothing/here")
	}},
	{"keys that differ by case or composition alone are one key", func(f fixture) {
		f.save("Straße/CAFE\u0301", "first")
		f.save("STRASSE/café", "second")
		eq(f, "the keys", fmt.Sprint(f.keys(memstore.ListOptions{})), "[strasse/café]")
		eq(f, "the value", f.recall("strasse/Café").Value, "second")
	}},
	{"what is no key is refused", func(f fixture) {
		for _, key := range []string{"", "/a", "a/", "a//b", "a b", "-a", ".a", "a/../b", "a\x00", "a\xff", "a\n", "a:b", "a\u200bb", "a\u202eb"} {
			_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: key, Value: "1", Provenance: model})
			var invalid *memstore.InvalidError
			if !errors.As(err, &invalid) || invalid.What != "key" {
				f.Errorf("key %q: the error is %v, want that it is invalid", key, err)
			}
		}
		eq(f, "what was saved", len(f.keys(memstore.ListOptions{})), 0)
	}},
	{"what is at a limit is saved and what is over it refused with limit and size", testLimits},
	{"what is no text is refused", func(f fixture) {
		for what, r := range map[string]memstore.RememberRequest{
			"value":       {Value: "bad \xff byte"},
			"description": {Value: "fine", Description: "two\nlines"},
			"writer":      {Value: "fine", Provenance: memstore.Provenance{Writer: "somebody"}},
		} {
			r.Key = "a"
			if what != "writer" {
				r.Provenance = model
			}
			_, err := f.s.Remember(f.ctx(), r)
			eq(f, "what is invalid", is[*memstore.InvalidError](f, err).What, what)
		}
		_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: " \n", Provenance: model})
		eq(f, "what is invalid", is[*memstore.InvalidError](f, err).What, "value")
		eq(f, "what was saved", len(f.keys(memstore.ListOptions{})), 0)
	}},
	{"a credential is refused, the error names the rule and not the secret, and nothing is saved", func(f fixture) {
		secret := "gh" + "p_" + strings.Repeat("a1B2c3D4e5", 4)[:36]
		_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "token", Value: "use " + secret + " for releases", Provenance: person})
		if err == nil || strings.Contains(err.Error(), secret) {
			f.Errorf("the error is %v, want a refusal without the secret", err)
		}
		eq(f, "what was saved", len(f.keys(memstore.ListOptions{})), 0)
	}},
	{"without a version a save overwrites", func(f fixture) {
		first := f.save("a", "1")
		m, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "A", Value: "2", Provenance: model})
		f.must(err)
		eq(f, "the previous version", m.Previous.Version, first.Version)
		eq(f, "the previous value", m.Previous.Value, "1")
		eq(f, "the value", f.recall("a").Value, "2")
		if m.Entry.Version == first.Version {
			f.Error("the version did not change")
		}
	}},
	{"a current version is swapped", func(f fixture) {
		first := f.save("a", "1")
		_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "2", Expected: first.Version, Provenance: model})
		f.must(err)
		eq(f, "the value", f.recall("a").Value, "2")
	}},
	{"a stale version is a conflict that carries the current state", func(f fixture) {
		first := f.save("a", "1")
		second := f.save("a", "2")
		_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "3", Expected: first.Version, Provenance: model})
		c := is[*memstore.ConflictError](f, err)
		eq(f, "the current version", c.Current.Version, second.Version)
		eq(f, "the current value", c.Current.Value, "2")
		eq(f, "the value", f.recall("a").Value, "2")
	}},
	{"a version of another key is a conflict", func(f fixture) {
		f.save("a", "same")
		other := f.save("b", "same")
		_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "new", Expected: other.Version, Provenance: model})
		is[*memstore.ConflictError](f, err)
	}},
	{"a version for a key that never was is a conflict without a current one", func(f fixture) {
		_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "1", Expected: "r_aaaaaaaaaaaa", Provenance: model})
		eq(f, "the current version", is[*memstore.ConflictError](f, err).Current.Version, "")
	}},
	{"with none a save only creates", func(f fixture) {
		m, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "1", Expected: memstore.None, Provenance: model})
		f.must(err)
		_, err = f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "1", Expected: memstore.None, Provenance: model})
		eq(f, "the current version", is[*memstore.ConflictError](f, err).Current.Version, m.Entry.Version)
		f.forgetBy(model, "a", m.Entry.Version)
		_, err = f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "2", Expected: memstore.None, Provenance: model})
		f.must(err)
	}},
	{"a version is checked before what is saved", func(f fixture) {
		f.save("a", "1")
		stale := memstore.Version("r_aaaaaaaaaaaa")
		for _, value := range []string{"1", "", strings.Repeat("x", memstore.MaxValue+1)} {
			_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: value, Expected: stale, Provenance: model})
			is[*memstore.ConflictError](f, err)
		}
	}},
	{"saving word for word what is there changes nothing and says so", func(f fixture) {
		first := f.save("a", "1")
		for _, expected := range []memstore.Version{"", first.Version} {
			m, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "1", Expected: expected, Provenance: person})
			f.must(err)
			eq(f, "changed", m.Changed, false)
			eq(f, "the version", m.Entry.Version, first.Version)
		}
		eq(f, "the version", f.recall("a").Version, first.Version)
	}},
	{"forgetting needs the exact version", func(f fixture) {
		first := f.save("a", "1")
		second := f.save("a", "2")
		for _, v := range []memstore.Version{"", memstore.None, first.Version, "r_aaaaaaaaaaaa"} {
			_, err := f.s.Forget(f.ctx(), memstore.ForgetRequest{Key: "a", Expected: v, Provenance: person})
			eq(f, "the current version", is[*memstore.ConflictError](f, err).Current.Version, second.Version)
		}
		eq(f, "the value", f.recall("a").Value, "2")
	}},
	{"what never was can't be forgotten", func(f fixture) {
		_, err := f.s.Forget(f.ctx(), memstore.ForgetRequest{Key: "a", Expected: "r_aaaaaaaaaaaa", Provenance: person})
		is[*memstore.NotFoundError](f, err)
	}},
	{"a forgotten entry is in no recall, list, count or search", func(f fixture) {
		e := f.save("deploy/day", "We deploy on Fridays")
		m, err := f.s.Forget(f.ctx(), memstore.ForgetRequest{Key: "deploy/day", Expected: e.Version, Provenance: model})
		f.must(err)
		eq(f, "forgotten", m.Entry.Forgotten, true)
		eq(f, "the previous value", m.Previous.Value, "We deploy on Fridays")
		_, err = f.s.Recall(f.ctx(), "deploy/day")
		is[*memstore.NotFoundError](f, err)
		eq(f, "the list", len(f.keys(memstore.ListOptions{})), 0)
		n, err := f.s.Count(f.ctx())
		f.must(err)
		eq(f, "the count", n, 0)
		hits, err := f.s.Search(f.ctx(), "deploy Fridays", 10)
		f.must(err)
		eq(f, "the hits", len(hits), 0)
	}},
	{"a list is by key and has what begins with the prefix", func(f fixture) {
		for _, k := range []string{"b", "deploy/day", "deploy", "deployment", "Deploy/Freeze", "a", "デプロイ/日"} {
			f.save(k, "of "+k)
		}
		for prefix, want := range map[string]string{
			"":            "[a b deploy deploy/day deploy/freeze deployment デプロイ/日]",
			"deploy/":     "[deploy/day deploy/freeze]",
			"DEPLOY":      "[deploy deploy/day deploy/freeze deployment]",
			"deploy/f":    "[deploy/freeze]",
			"デプ":          "[デプロイ/日]",
			"nothing":     "[]",
			"%":           "[]",
			"deploy/day/": "[]",
		} {
			eq(f, "the list under "+prefix, fmt.Sprint(f.keys(memstore.ListOptions{Prefix: prefix})), want)
		}
		eq(f, "a limited list", fmt.Sprint(f.keys(memstore.ListOptions{Limit: 2})), "[a b]")
	}},
	{"a count is of live entries", func(f fixture) {
		f.save("a", "1")
		e := f.save("b", "1")
		f.save("b", "2")
		e = f.recall("b")
		f.save("c", "1")
		f.forgetBy(model, "b", e.Version)
		n, err := f.s.Count(f.ctx())
		f.must(err)
		eq(f, "the count", n, 2)
	}},
	{"a search finds what was saved before it and answers with the present text", func(f fixture) {
		f.save("deploy/day", "We deploy on Fridays only")
		f.save("team/lunch", "Lunch is at noon")
		hits, err := f.s.Search(f.ctx(), "when do we deploy?", 10)
		f.must(err)
		if len(hits) == 0 || hits[0].Entry.Key != "deploy/day" {
			f.Fatalf("the hits are %v, want deploy/day first", hits)
		}
		f.save("deploy/day", "We deploy on Thursdays only")
		hits, err = f.s.Search(f.ctx(), "deploy thursdays", 10)
		f.must(err)
		if len(hits) == 0 || !strings.Contains(hits[0].Entry.Value, "Thursdays") || !strings.Contains(hits[0].Snippet, "Thursdays") {
			f.Errorf("the hits are %v, want the new text", hits)
		}
		for _, h := range hits {
			end := 0
			for _, m := range h.Marks {
				if m[0] < end || m[1] <= m[0] || m[1] > len(h.Snippet) {
					f.Errorf("the mark %v does not fit the snippet %q", m, h.Snippet)
				}
				end = m[1]
			}
		}
	}},
	{"no character of a query is an error", func(f fixture) {
		f.save("a", "some text")
		for _, q := range []string{"", " ", "\"", "a AND (", "*", "key:value", "\x00", "\xff", "-a", strings.Repeat("x ", 5000)} {
			if _, err := f.s.Search(f.ctx(), q, 3); err != nil {
				f.Errorf("query %q: %v", q, err)
			}
		}
	}},
	{"a search returns at most its limit", func(f fixture) {
		for i := range 5 {
			f.save(fmt.Sprintf("note/%d", i), "deploys happen")
		}
		hits, err := f.s.Search(f.ctx(), "deploys", 3)
		f.must(err)
		eq(f, "the hits", len(hits), 3)
	}},
	{"of goroutines that swap one version one wins", func(f fixture) {
		v := f.save("a", "0").Version
		var wg sync.WaitGroup
		won := make([]error, 16)
		for i := range won {
			wg.Go(func() {
				_, won[i] = f.s.Remember(context.Background(), memstore.RememberRequest{Key: "a", Value: fmt.Sprint("by ", i), Expected: v, Provenance: model})
			})
		}
		wg.Wait()
		n := 0
		for i, err := range won {
			var c *memstore.ConflictError
			switch {
			case err == nil:
				n++
				eq(f, "the value", f.recall("a").Value, fmt.Sprint("by ", i))
			case !errors.As(err, &c):
				f.Errorf("goroutine %d: %v", i, err)
			}
		}
		eq(f, "the winners", n, 1)
	}},
	{"goroutines that save, read, search and watch do not disturb each other", testConcurrent},
	{"a watcher hears of saves and of forgetting", func(f fixture) {
		ctx, cancel := context.WithCancel(f.ctx())
		defer cancel()
		ch, err := f.s.Watch(ctx)
		f.must(err)
		e := f.save("a", "1")
		hears(f, ch)
		f.forgetBy(model, "a", e.Version)
		hears(f, ch)
	}},
	{"watching ends with its context", func(f fixture) {
		ctx, cancel := context.WithCancel(f.ctx())
		ch, err := f.s.Watch(ctx)
		f.must(err)
		cancel()
		ends(f, ch)
	}},
	{"watching ends with the store", func(f fixture) {
		ch, err := f.s.Watch(f.ctx())
		f.must(err)
		f.must(f.s.Close())
		ends(f, ch)
	}},
	{"a closed store says so to every call", testClosed},
	{"a context that has ended changes nothing", func(f fixture) {
		ctx, cancel := context.WithCancel(f.ctx())
		cancel()
		_, err := f.s.Remember(ctx, memstore.RememberRequest{Key: "a", Value: "1", Provenance: model})
		if !errors.Is(err, context.Canceled) {
			f.Errorf("the error is %v, want that the context was cancelled", err)
		}
		eq(f, "what was saved", len(f.keys(memstore.ListOptions{})), 0)
	}},
}

func ends(f fixture, ch <-chan struct{}) {
	f.Helper()
	timeout := time.After(10 * time.Second)
	for {
		select {
		case _, ok := <-ch:
			if !ok {
				return
			}
		case <-timeout:
			f.Error("the channel is still open")
			return
		}
	}
}

func testLimits(f fixture) {
	long := strings.Repeat("k", memstore.MaxKey)
	m, err := f.s.Remember(f.ctx(), memstore.RememberRequest{
		Key: long, Value: words(memstore.MaxValue), Description: words(memstore.MaxDescription), Provenance: model,
	})
	f.must(err)
	eq(f, "the value's size", len(f.recall(long).Value), memstore.MaxValue)
	for what, r := range map[string]memstore.RememberRequest{
		"key":         {Key: long + "k", Value: "1"},
		"value":       {Key: long, Value: words(memstore.MaxValue + 1)},
		"description": {Key: long, Value: "1", Description: words(memstore.MaxDescription + 1)},
	} {
		r.Provenance = model
		_, err := f.s.Remember(f.ctx(), r)
		l := is[*memstore.LimitError](f, err)
		eq(f, "what is over the limit", l.What, what)
		eq(f, "the size of "+what, l.Size, l.Limit+1)
	}
	eq(f, "the version", f.recall(long).Version, m.Entry.Version)
}

// words is harmless text of exactly n bytes.
func words(n int) string {
	return strings.Repeat("word ", n/5+1)[:n-1] + "."
}

func testConcurrent(f fixture) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ch, err := f.s.Watch(ctx)
	f.must(err)
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 15 {
				key := fmt.Sprintf("g%d/k%d", g, i%5)
				m, err := f.s.Remember(ctx, memstore.RememberRequest{Key: key, Value: fmt.Sprint("value ", i), Provenance: model})
				if err != nil {
					f.Error(err)
					return
				}
				if _, err := f.s.Search(ctx, "value", 3); err != nil {
					f.Error(err)
				}
				if e, err := f.s.Recall(ctx, key); err != nil || e.Version != m.Entry.Version {
					f.Errorf("recalling %s: version %s and %v, want %s", key, e.Version, err, m.Entry.Version)
				}
				if _, err := f.s.List(ctx, memstore.ListOptions{}); err != nil {
					f.Error(err)
				}
			}
		})
	}
	wg.Wait()
	hears(f, ch)
	n, err := f.s.Count(ctx)
	f.must(err)
	eq(f, "the count", n, 20)
}

func testClosed(f fixture) {
	e := f.save("a", "1")
	f.must(f.s.Close())
	f.must(f.s.Close())
	ctx := f.ctx()
	calls := map[string]func() error{
		"Remember": func() error {
			_, err := f.s.Remember(ctx, memstore.RememberRequest{Key: "a", Value: "2", Provenance: model})
			return err
		},
		"Recall": func() error { _, err := f.s.Recall(ctx, "a"); return err },
		"List":   func() error { _, err := f.s.List(ctx, memstore.ListOptions{}); return err },
		"Count":  func() error { _, err := f.s.Count(ctx); return err },
		"Forget": func() error {
			_, err := f.s.Forget(ctx, memstore.ForgetRequest{Key: "a", Expected: e.Version, Provenance: model})
			return err
		},
		"Search": func() error { _, err := f.s.Search(ctx, "a", 1); return err },
		"Watch":  func() error { _, err := f.s.Watch(ctx); return err },
	}
	for name, call := range calls {
		if err := call(); !errors.Is(err, memstore.ErrClosed) {
			f.Errorf("%s answers %v, want that the store is closed", name, err)
		}
	}
}
