package vector_test

import (
	"strings"
	"testing"

	"reverie/memstore"
)

func TestRunFollowsThisProcessAndOthers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	dir := t.TempDir()
	var stores [2]*memstore.DB
	for i := range stores {
		db, err := memstore.Open(t.Context(), memstore.Options{Dir: dir, Scope: memstore.Project})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		stores[i] = db
	}
	x := r.over(stores[0], r.user, "/p", collection, model)
	running(t, x)
	has := func(want string) func() bool {
		return func() bool { return strings.Join(r.milvus.Keys(collection), " ") == want }
	}
	save(t, stores[0], "ours", "one")
	eventually(t, "a row for what this process saved", has("ours"))
	save(t, stores[1], "theirs", "two")
	eventually(t, "a row for what another connection saved", has("ours theirs"))
	save(t, r.user, "user/third", "three")
	eventually(t, "a row for the user's", has("ours theirs user/third"))
	forget(t, stores[1], "ours")
	eventually(t, "the row's deletion", has("theirs user/third"))
}

func TestRunEndsWhenTheStoreIsClosed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ended := make(chan error, 1)
	go func() { ended <- r.Run(t.Context()) }()
	save(t, r.project, "a", "one")
	eventually(t, "a row", func() bool { return len(r.milvus.Keys(collection)) == 1 })
	r.project.Close()
	<-ended
	if got := r.warned.list(); len(got) != 0 {
		t.Errorf("warned %q", got)
	}
}

func TestVectorsThatDoNotFitAreNotPaidForTwice(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.embeddings.Sizes = map[string]int{"words-96": 96}
	save(t, r.project, "a", "one")
	catchUp(t, r.Index)
	y := r.index("/home/ada/app", collection, "words-96")
	before := r.embeddings.Count("embeddings")
	for range 3 {
		if err := y.Catchup(t.Context()); err == nil {
			t.Fatal("catching up succeeds")
		}
	}
	if got := r.embeddings.Count("embeddings") - before; got != 1 {
		t.Errorf("%d requests for vectors that don't fit, want the one that shows it", got)
	}
}

func TestWithoutMemoriesTheServersAreLeftAlone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for range 3 {
		catchUp(t, r.Index)
		keys(t, r.Index, "anything")
	}
	if got, asked := len(r.milvus.Requests()), r.embeddings.Count("embeddings"); got > 1 || asked != 0 {
		t.Errorf("%d requests to Milvus and %d to the embedding server", got, asked)
	}
}

func TestACollectionThatAnotherProcessMadeIsNotFilledTwice(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	catchUp(t, r.Index) // there is none
	save(t, r.user, "user/a", "one")
	catchUp(t, r.index("/home/ada/app", collection, model))
	before := r.embeddings.Count("embeddings")
	catchUp(t, r.Index)
	if got := r.embeddings.Count("embeddings") - before; got != 0 {
		t.Errorf("%d requests for what the other process did", got)
	}
}
