package vector_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"reverie/memstore/vector"
	"reverie/memstore/vector/milvustest"
)

func TestSavingAndSearchingGoOnWhileTheServersAreDownAndTheQueueCatchesUp(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "old", "We release on Friday.")
	running(t, r.Index)
	eventually(t, "the first row", func() bool { return len(r.milvus.Keys(collection)) == 1 })

	r.milvus.Kill()
	save(t, r.project, "new", "Orders live in Postgres.")
	forget(t, r.project, "old")
	eventually(t, "a line that says so", func() bool { return len(r.warned.list()) > 0 })
	if got := hits(t, r.Index, "Postgres orders"); got != "p:new" {
		t.Errorf("while down, a search by words finds %q, want p:new", got)
	}
	for range 3 {
		save(t, r.user, "user/more", "Prefers vim "+time.Now().String())
		hits(t, r.Index, "vim editor")
	}
	if got := r.warned.list(); len(got) != 1 || !strings.Contains(got[0], r.milvus.URL()) {
		t.Errorf("warned %q, want one line that names the server", got)
	}

	r.milvus.Revive()
	eventually(t, "the rows of what was saved meanwhile", func() bool {
		return strings.Join(r.milvus.Keys(collection), " ") == "new user/more"
	})
	eventually(t, "a search by meaning", func() bool {
		m, err := r.Search(t.Context(), "which SQL database has orders", 1)
		return err == nil && names(m) == "p:new"
	})
}

func TestEachOutageIsSaidOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "one")
	catchUp(t, r.Index)
	for outage := 1; outage <= 2; outage++ {
		r.embeddings.Kill()
		for range 3 {
			if _, err := r.Search(t.Context(), "anything", 1); err == nil {
				t.Error("a search by meaning without a server succeeds")
			}
			save(t, r.project, "a", fmt.Sprint(outage, time.Now()))
			if err := r.Catchup(t.Context()); err == nil {
				t.Error("catching up without a server succeeds")
			}
			r.clock.advance(time.Minute)
		}
		if got := r.warned.list(); len(got) != outage {
			t.Errorf("outage %d: warned %q", outage, got)
		}
		r.embeddings.Revive()
		catchUp(t, r.Index)
	}
}

func TestWhileAServerIsDownSearchesDoNotAskItEachTime(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "one")
	catchUp(t, r.Index)
	r.milvus.Fail(func(string, int) milvustest.Fault { return milvustest.Fault{Drop: true} })
	keysOf := func() int { return len(r.milvus.Requests()) }
	if _, err := r.Search(t.Context(), "anything", 1); err == nil {
		t.Fatal("the search succeeds")
	}
	before := keysOf()
	for range 5 {
		if _, err := r.Search(t.Context(), "anything", 1); err == nil {
			t.Fatal("the search succeeds")
		}
	}
	if got := keysOf() - before; got != 0 {
		t.Errorf("%d requests to a server that is known to be down", got)
	}
	r.milvus.Fail(nil)
	r.clock.advance(time.Minute)
	if got := keys(t, r.Index, "one"); got != "p:a" {
		t.Errorf("after the outage found %q, want p:a", got)
	}
}

func TestASlowServerHoldsASearchUpForABoundedTime(t *testing.T) {
	t.Parallel()
	for name, slow := range map[string]func(*rig){
		"Milvus": func(r *rig) {
			r.milvus.Fail(func(string, int) milvustest.Fault { return milvustest.Fault{Delay: time.Hour} })
		},
		"embeddings": func(r *rig) {
			r.embeddings.Fail(func(string, int) milvustest.Fault { return milvustest.Fault{Delay: time.Hour} })
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			save(t, r.project, "a", "We release on Friday.")
			catchUp(t, r.Index)
			slow(r)
			r.Hasten(50 * time.Millisecond)
			if got := hits(t, r.Index, "release on Friday"); got != "p:a" {
				t.Errorf("found %q by words, want p:a", got)
			}
			if m, err := r.Recall(t.Context(), "release on Friday", 5); err != nil || len(m) != 0 {
				t.Errorf("recall answers %v, %v; want none", m, err)
			}
			if got := r.warned.list(); len(got) != 1 {
				t.Errorf("warned %q, want one line", got)
			}
		})
	}
}

func TestSavingNeverWaitsForAServer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	asked := make(chan struct{}, 1)
	r.embeddings.Fail(func(string, int) milvustest.Fault {
		select {
		case asked <- struct{}{}:
		default:
		}
		return milvustest.Fault{Delay: time.Hour}
	})
	save(t, r.project, "a", "one")
	running(t, r.Index)
	<-asked // Run waits for the server now.
	save(t, r.project, "b", "two")
	if e, err := r.project.Recall(t.Context(), "b"); err != nil || e.Value != "two" {
		t.Errorf("saved %v, %v", e, err)
	}
}

func TestAHalfFinishedUpsertIsFinishedLater(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]milvustest.Fault{
		"the batch is lost":                {Drop: true},
		"the batch is in, the answer lost": {Drop: true, After: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			const n = 150 // three batches
			for i := range n {
				save(t, r.project, fmt.Sprintf("fact-%03d", i), fmt.Sprintf("value %d", i))
			}
			r.milvus.Fail(func(action string, n int) milvustest.Fault {
				if action == "entities/upsert" && n >= 2 {
					return fault
				}
				return milvustest.Fault{}
			})
			if err := r.Catchup(t.Context()); err == nil {
				t.Fatal("catching up succeeds though batches fail")
			}
			r.milvus.Kill()
			r.milvus.Fail(nil)
			r.milvus.Revive()
			catchUp(t, r.index("/home/ada/app", collection, model))
			if got := len(r.milvus.Keys(collection)); got != n {
				t.Errorf("%d rows, want %d", got, n)
			}
		})
	}
}

func TestAWrongTokenIsSaidAndNotShown(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	token := "root:" + "made-up-" + "pass1"
	r.milvus.Require("root:right")
	m, err := vector.NewMilvus(vector.MilvusOptions{URL: r.milvus.URL(), Token: func() string { return token }})
	if err != nil {
		t.Fatal(err)
	}
	e, err := vector.NewEmbedder(vector.EmbedderOptions{URL: r.embeddings.Base(), Model: model})
	if err != nil {
		t.Fatal(err)
	}
	x := vector.New(vector.Options{Project: r.project, Embedder: e, Milvus: m, Collection: collection, Warn: r.warned.add})
	save(t, r.project, "a", "We release on Friday.")
	err = x.Catchup(t.Context())
	var h *vector.HTTPError
	if !errors.As(err, &h) || h.Status != http.StatusUnauthorized {
		t.Fatalf("the error is %v", err)
	}
	if got := hits(t, x, "release on Friday"); got != "p:a" {
		t.Errorf("found %q by words, want p:a", got)
	}
	got := r.warned.list()
	if len(got) != 1 || !strings.Contains(got[0], "token") || strings.Contains(got[0], "made-up") {
		t.Errorf("warned %q, want one line about the token without it", got)
	}
}

func TestACollectionOfAnotherSizeIsNamedWithWhatToDo(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.embeddings.Sizes = map[string]int{"words-96": 96}
	save(t, r.project, "a", "We release on Friday.")
	catchUp(t, r.Index)
	y := r.index("/home/ada/app", collection, "words-96")
	check := func(what string, err error) {
		var d *vector.DimensionError
		if !errors.As(err, &d) || d.Collection != collection || d.Has != 256 || d.Makes != 96 || d.Model != "words-96" {
			t.Errorf("%s: the error is %v", what, err)
		}
	}
	check("catching up", y.Catchup(t.Context()))
	r.clock.advance(time.Minute)
	_, err := y.Search(t.Context(), "release on Friday", 1)
	check("searching", err)
	check("reindexing", y.Reindex(t.Context(), nil))
	if got := len(r.milvus.Keys(collection)); got != 1 {
		t.Errorf("%d rows remain, want the one that was there", got)
	}
	if got := hits(t, y, "release on Friday"); got != "p:a" {
		t.Errorf("found %q by words, want p:a", got)
	}
	line := strings.Join(r.warned.list(), "\n")
	for _, part := range []string{collection, "256", "96", "reverie memory reindex", "memory.vector.collection"} {
		if !strings.Contains(line, part) {
			t.Errorf("the line lacks %q: %s", part, line)
		}
	}
	z := r.index("/home/ada/app", "reverie_96", "words-96")
	if err := z.Reindex(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := keys(t, z, "release on Friday"); got != "p:a" {
		t.Errorf("in the new collection found %q, want p:a", got)
	}
}

func TestAReleasedCollectionIsLoadedAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.milvus.LoadSteps = 1
	save(t, r.project, "a", "We release on Friday.")
	catchUp(t, r.Index)
	r.milvus.Release(collection)
	if got := keys(t, r.Index, "release on Friday"); got != "p:a" {
		t.Errorf("found %q, want p:a", got)
	}
	r.milvus.Release(collection)
	save(t, r.project, "b", "Orders live in Postgres.")
	y := r.index("/home/ada/app", collection, model)
	catchUp(t, y)
	if got := keys(t, y, "which SQL database"); !strings.HasPrefix(got, "p:b") {
		t.Errorf("found %q, want p:b first", got)
	}
	if got := r.warned.list(); len(got) != 0 {
		t.Errorf("warned %q", got)
	}
}

func TestADroppedCollectionIsMadeAnewFromTheStores(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "We release on Friday.")
	save(t, r.user, "user/b", "Prefers vim.")
	catchUp(t, r.Index)
	r.milvus.Drop(collection)
	if got := keys(t, r.Index, "release on Friday"); got != "" {
		t.Errorf("found %q in what was dropped", got)
	}
	catchUp(t, r.Index)
	if got := strings.Join(r.milvus.Keys(collection), " "); got != "a user/b" {
		t.Errorf("rows are %q, want both", got)
	}
	// Another process, which starts later, sees that it is another collection.
	r.milvus.Drop(collection)
	save(t, r.project, "c", "Orders live in Postgres.")
	catchUp(t, r.index("/home/ada/app", collection, model))
	if got := strings.Join(r.milvus.Keys(collection), " "); got != "a c user/b" {
		t.Errorf("rows are %q, want all three", got)
	}
}

func TestAnotherModelOfTheSameSizeEmbedsEverythingAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "We release on Friday.")
	catchUp(t, r.Index)
	y := r.index("/home/ada/app", collection, "other-256")
	if got := keys(t, y, "release on Friday"); got != "" {
		t.Errorf("found %q among vectors of another model", got)
	}
	catchUp(t, y)
	if got := keys(t, y, "release on Friday"); got != "p:a" {
		t.Errorf("found %q, want p:a", got)
	}
	catchUp(t, r.Index) // and back
	if got := keys(t, r.Index, "release on Friday"); got != "p:a" {
		t.Errorf("back at the first model found %q, want p:a", got)
	}
}

func TestASchemaOfSomeoneElseIsAnError(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	resp, err := http.Post(r.milvus.URL()+"/v2/vectordb/collections/create", "application/json",
		strings.NewReader(`{"collectionName":"`+collection+`","dimension":256}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	save(t, r.project, "a", "one")
	var s *vector.SchemaError
	if err := r.Catchup(t.Context()); !errors.As(err, &s) || s.Collection != collection {
		t.Errorf("the error is %v", err)
	}
}

func TestAnEndedContextIsNoOutage(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "We release on Friday.")
	catchUp(t, r.Index)
	r.embeddings.Fail(func(string, int) milvustest.Fault { return milvustest.Fault{Delay: time.Hour} })
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := r.Search(ctx, "release", 1); err == nil {
		t.Error("the search succeeds")
	}
	if got := r.warned.list(); len(got) != 0 {
		t.Errorf("warned %q", got)
	}
}
