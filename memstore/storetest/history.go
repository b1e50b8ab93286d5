package storetest

import (
	"errors"
	"fmt"
	"time"

	"reverie/memstore"
)

var historyTests = []test{
	{"every state stays in history, newest first, with who wrote it, why and when", func(f fixture) {
		stated := time.Date(2020, 3, 1, 12, 0, 0, 0, time.UTC)
		_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "1", Updated: stated, Provenance: file})
		f.must(err)
		second := f.saveBy(model, "a", "2")
		f.forgetBy(person, "a", second.Version)
		h := f.history("a")
		eq(f, "the revisions", len(h), 3)
		eq(f, "the newest op", h[0].Op, memstore.OpForget)
		eq(f, "the newest is forgotten", h[0].Forgotten, true)
		eq(f, "who forgot", h[0].Provenance, person)
		eq(f, "who wrote the second", h[1].Provenance, model)
		eq(f, "who wrote the first", h[2].Provenance, file)
		eq(f, "the first value", h[2].Value, "1")
		if !h[2].Updated.Equal(stated) || !h[0].Created.Equal(stated) {
			f.Errorf("stated %v and created %v, want %v", h[2].Updated, h[0].Created, stated)
		}
		if d := time.Since(h[2].Recorded); d < 0 || d > time.Hour {
			f.Errorf("recorded %v, want about now", h[2].Recorded)
		}
	}},
	{"a key that never was has no history", func(f fixture) {
		_, err := f.versioned().History(f.ctx(), "a")
		is[*memstore.NotFoundError](f, err)
	}},
	{"every change is in the stream once, in order, without holes", func(f fixture) {
		f.save("a", "1")
		f.save("b", "1")
		f.save("a", "1")
		e := f.save("a", "2")
		e = f.forgetBy(model, "a", e.Version)
		f.undo("a", e.Version)
		all, err := f.versioned().Changes(f.ctx(), 0, 0)
		f.must(err)
		got := ""
		for i, r := range all {
			eq(f, "the number", r.Seq, int64(i+1))
			got += fmt.Sprintf("%s %s, ", r.Op, r.Key)
		}
		eq(f, "the stream", got, "remember a, remember b, remember a, forget a, undo a, ")
		some, err := f.versioned().Changes(f.ctx(), 2, 2)
		f.must(err)
		if len(some) != 2 || some[0].Seq != 3 || some[1].Seq != 4 {
			f.Errorf("the changes after 2, two of them, are %v", some)
		}
	}},
	{"no version is ever used twice", func(f fixture) {
		seen := map[memstore.Version]bool{}
		for i := range 50 {
			e := f.save(fmt.Sprint("k", i%7), fmt.Sprint(i))
			if seen[e.Version] || e.Version == "" {
				f.Errorf("version %q was there before", e.Version)
			}
			seen[e.Version] = true
		}
	}},
	{"a forgotten key is listed with tombstones only when asked for", func(f fixture) {
		f.save("a", "1")
		e := f.save("b", "1")
		f.forgetBy(model, "b", e.Version)
		eq(f, "the live list", fmt.Sprint(f.keys(memstore.ListOptions{})), "[a]")
		eq(f, "the whole list", fmt.Sprint(f.keys(memstore.ListOptions{Forgotten: true})), "[a b]")
		_, err := f.s.Recall(f.ctx(), "b")
		eq(f, "forgotten", is[*memstore.NotFoundError](f, err).Forgotten, true)
		_, err = f.s.Forget(f.ctx(), memstore.ForgetRequest{Key: "b", Expected: f.head("b").Version, Provenance: model})
		eq(f, "forgotten twice", is[*memstore.NotFoundError](f, err).Forgotten, true)
	}},
	{"a model's tombstone comes back by a new save of anybody", func(f fixture) {
		e := f.save("a", "1")
		f.forgetBy(model, "a", e.Version)
		eq(f, "the kind", f.saveBy(file, "a", "2").Kind, memstore.Note)
		eq(f, "the value", f.recall("a").Value, "2")
	}},
	{"a person's tombstone comes back by that person or with their consent", func(f fixture) {
		e := f.save("a", "1")
		tomb := f.forgetBy(person, "a", e.Version)
		for _, p := range []memstore.Provenance{model, file, {Writer: memstore.BySystem, Origin: memstore.Consolidated}} {
			for _, v := range []memstore.Version{"", memstore.None, tomb.Version} {
				_, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "2", Expected: v, Provenance: p})
				eq(f, "who forgot", is[*memstore.ForgottenError](f, err).By, memstore.ByUser)
			}
			_, err := f.versioned().Undo(f.ctx(), memstore.UndoRequest{Key: "a", Expected: tomb.Version, Provenance: p})
			is[*memstore.ForgottenError](f, err)
			_, err = f.versioned().Restore(f.ctx(), memstore.RestoreRequest{Key: "a", To: e.Version, Provenance: p})
			is[*memstore.ForgottenError](f, err)
		}
		eq(f, "the revisions", len(f.history("a")), 2)
		m, err := f.s.Remember(f.ctx(), memstore.RememberRequest{Key: "a", Value: "2", Revive: true, Provenance: model})
		f.must(err)
		f.forgetBy(person, "a", m.Entry.Version)
		f.saveBy(person, "a", "3")
		eq(f, "the value", f.recall("a").Value, "3")
	}},
	{"undoing a change brings the state before it back as a new revision", func(f fixture) {
		first := f.save("a", "1")
		second := f.save("a", "2")
		e := f.undo("a", second.Version)
		eq(f, "the value", f.recall("a").Value, "1")
		h := f.history("a")
		eq(f, "the revisions", len(h), 3)
		eq(f, "the op", h[0].Op, memstore.OpUndo)
		eq(f, "what it undoes", h[0].Undoes, second.Version)
		eq(f, "the origin", h[0].Provenance.Origin, memstore.Undone)
		if e.Version == first.Version || e.Version == second.Version {
			f.Error("the undo has no version of its own")
		}
	}},
	{"repeated undo walks back to a tombstone and then to nothing", func(f fixture) {
		f.save("a", "1")
		f.save("a", "2")
		v := f.save("a", "3").Version
		got := ""
		for range 3 {
			e := f.undo("a", v)
			got += fmt.Sprintf("%q forgotten=%t, ", e.Value, e.Forgotten)
			v = e.Version
		}
		eq(f, "the states", got, `"2" forgotten=false, "1" forgotten=false, "" forgotten=true, `)
		_, err := f.versioned().Undo(f.ctx(), memstore.UndoRequest{Key: "a", Expected: v, Provenance: person})
		if !errors.Is(err, memstore.ErrNothingToUndo) {
			f.Errorf("the error is %v, want that there is nothing to undo", err)
		}
		eq(f, "the revisions", len(f.history("a")), 6)
	}},
	{"undo after a save that followed an undo goes back over both", func(f fixture) {
		f.save("a", "1")
		f.undo("a", f.save("a", "2").Version)
		v := f.save("a", "3").Version
		got := ""
		for range 2 {
			e := f.undo("a", v)
			got += fmt.Sprintf("%q ", e.Value)
			v = e.Version
		}
		// Undoing 3 restores the undo, which stands for 1; undoing that goes
		// where undoing 1 would: before it.
		eq(f, "the states", got, `"1" "" `)
	}},
	{"undoing a forget brings the entry back, and undoing on goes before it", func(f fixture) {
		e := f.save("a", "1")
		tomb := f.forgetBy(model, "a", e.Version)
		back := f.undo("a", tomb.Version)
		eq(f, "the value", f.recall("a").Value, "1")
		gone := f.undo("a", back.Version)
		eq(f, "forgotten", gone.Forgotten, true)
	}},
	{"undo needs the exact version", func(f fixture) {
		first := f.save("a", "1")
		f.save("a", "2")
		for _, v := range []memstore.Version{"", memstore.None, first.Version} {
			_, err := f.versioned().Undo(f.ctx(), memstore.UndoRequest{Key: "a", Expected: v, Provenance: person})
			is[*memstore.ConflictError](f, err)
		}
		_, err := f.versioned().Undo(f.ctx(), memstore.UndoRequest{Key: "b", Expected: first.Version, Provenance: person})
		is[*memstore.NotFoundError](f, err)
	}},
	{"any revision can be restored as a new one", func(f fixture) {
		first := f.save("a", "1")
		f.save("a", "2")
		last := f.save("a", "3")
		m, err := f.versioned().Restore(f.ctx(), memstore.RestoreRequest{Key: "a", To: first.Version, Expected: last.Version, Provenance: person})
		f.must(err)
		eq(f, "the value", f.recall("a").Value, "1")
		eq(f, "the op", m.Op, memstore.OpRestore)
		eq(f, "the origin", m.Entry.Provenance.Origin, memstore.Restored)
		eq(f, "the undone restore", f.undo("a", m.Entry.Version).Value, "3")
	}},
	{"restoring what is there changes nothing", func(f fixture) {
		e := f.save("a", "1")
		m, err := f.versioned().Restore(f.ctx(), memstore.RestoreRequest{Key: "a", To: e.Version, Provenance: person})
		f.must(err)
		eq(f, "changed", m.Changed, false)
		eq(f, "the revisions", len(f.history("a")), 1)
	}},
	{"a revision of another key is not restored", func(f fixture) {
		f.save("a", "1")
		b := f.save("b", "2")
		_, err := f.versioned().Restore(f.ctx(), memstore.RestoreRequest{Key: "a", To: b.Version, Provenance: person})
		eq(f, "the version named", is[*memstore.NotFoundError](f, err).Version, b.Version)
		eq(f, "the value", f.recall("a").Value, "1")
	}},
	{"a restore with a stale version is a conflict", func(f fixture) {
		first := f.save("a", "1")
		f.save("a", "2")
		_, err := f.versioned().Restore(f.ctx(), memstore.RestoreRequest{Key: "a", To: first.Version, Expected: first.Version, Provenance: person})
		is[*memstore.ConflictError](f, err)
	}},
	{"several changes are made together", func(f fixture) {
		a, b := f.save("a", "1"), f.save("b", "1")
		c := f.save("c", "1")
		f.save("c", "2")
		ms, err := f.versioned().Apply(f.ctx(), []memstore.Change{
			{Key: "a", Expected: a.Version, Value: "merged", Provenance: person},
			{Key: "b", Expected: b.Version, Forget: true, Provenance: person},
			{Key: "c", Expected: f.recall("c").Version, Restore: c.Version, Provenance: person},
			{Key: "d", Expected: memstore.None, Value: "new", Provenance: person},
		})
		f.must(err)
		eq(f, "the mutations", len(ms), 4)
		eq(f, "the list", fmt.Sprint(f.keys(memstore.ListOptions{})), "[a c d]")
		eq(f, "what was restored", f.recall("c").Value, "1")
		eq(f, "what was there before the merge", ms[0].Previous.Value, "1")
	}},
	{"of several changes all or none are made", func(f fixture) {
		a, b := f.save("a", "1"), f.save("b", "1")
		f.save("b", "2")
		for what, second := range map[string]memstore.Change{
			"a stale version":    {Key: "b", Expected: b.Version, Value: "3", Provenance: person},
			"no version":         {Key: "b", Value: "3", Provenance: person},
			"a missing entry":    {Key: "z", Expected: b.Version, Forget: true, Provenance: person},
			"two things at once": {Key: "b", Expected: f.recall("b").Version, Forget: true, Value: "3", Provenance: person},
			"nothing to do":      {Key: "b", Expected: f.recall("b").Version, Provenance: person},
			"an over-long value": {Key: "b", Expected: f.recall("b").Version, Value: words(memstore.MaxValue + 1), Provenance: person},
		} {
			_, err := f.versioned().Apply(f.ctx(), []memstore.Change{
				{Key: "a", Expected: a.Version, Value: "changed", Provenance: person}, second,
			})
			if err == nil {
				f.Errorf("with %s: no error", what)
			}
		}
		eq(f, "the value", f.recall("a").Value, "1")
		eq(f, "the revisions", len(f.history("a")), 1)
	}},
}

func (f fixture) history(key string) []memstore.Revision {
	f.Helper()
	h, err := f.versioned().History(f.ctx(), key)
	f.must(err)
	return h
}

// head is the newest revision, a tombstone too.
func (f fixture) head(key string) memstore.Revision {
	f.Helper()
	return f.history(key)[0]
}
