package vector_test

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"reverie/memstore"
	"reverie/memstore/vector"
	"reverie/memstore/vector/milvustest"
)

func TestRecallNeedsAPromptOfEightCharacters(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "release", "release")
	catchUp(t, r.Index)
	before := r.embeddings.Count("embeddings")
	for prompt, want := range map[string]int{"release": 0, "  release  ": 0, "release!": 1, "releäse!": 0} {
		m, err := r.Recall(t.Context(), prompt, 5)
		if err != nil || len(m) != want {
			t.Errorf("%q recalls %v, %v; want %d", prompt, names(m), err, want)
		}
	}
	if got := r.embeddings.Count("embeddings") - before; got != 2 {
		t.Errorf("%d prompts were embedded, want the two that are long enough", got)
	}
}

func TestRecallTakesUpToFiveMatchesOfEnoughSimilarity(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for i := range 8 {
		save(t, r.project, fmt.Sprintf("deploy/%c", 'a'+i), "deploy on friday")
	}
	save(t, r.project, "unlike", "Orders live in Postgres, and a hundred other things live elsewhere.")
	catchUp(t, r.Index)
	for limit, want := range map[int]int{5: 5, 2: 2, 50: 5, 0: 0, -1: 0} {
		m, err := r.Recall(t.Context(), "when to deploy on friday", limit)
		if err != nil || len(m) != want {
			t.Errorf("limit %d recalls %v, %v; want %d", limit, names(m), err, want)
		}
		for i, match := range m {
			if match.Similarity < vector.MinSimilarity || i > 0 && match.Similarity > m[i-1].Similarity {
				t.Errorf("%s has the similarity %v", match.Entry.Key, match.Similarity)
			}
		}
	}
	if m, err := r.Recall(t.Context(), "something quite different, such as orders", 5); err != nil || len(m) != 0 {
		t.Errorf("a distant prompt recalls %v, %v", names(m), err)
	}
}

func TestRecallAnswersWithTheCurrentTextAndNothingWhileAServerIsDown(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "release", "release on Friday")
	catchUp(t, r.Index)
	save(t, r.project, "release", "release on Thursday")
	m, err := r.Recall(t.Context(), "release on Friday", 5)
	if err != nil || len(m) != 1 || m[0].Entry.Value != "release on Thursday" {
		t.Errorf("recalls %v, %v", m, err)
	}
	r.milvus.Kill()
	for range 2 {
		if m, err := r.Recall(t.Context(), "release on Friday", 5); err != nil || len(m) != 0 {
			t.Errorf("without a server recalls %v, %v", m, err)
		}
	}
	if got := r.warned.list(); len(got) != 1 {
		t.Errorf("warned %q, want one line", got)
	}
}

func TestHitsOfBothSearchesAreJoinedByReciprocalRank(t *testing.T) {
	t.Parallel()
	hit := func(key string) memstore.Hit {
		return memstore.Hit{Entry: memstore.Entry{Scope: memstore.Project, Key: key}, Score: 99}
	}
	got := vector.Join([][]memstore.Hit{
		{hit("words-only"), hit("both"), hit("late")},
		{hit("meaning-only"), hit("both")},
	}, 3)
	var text []string
	for _, h := range got {
		text = append(text, fmt.Sprintf("%s %.6f", h.Entry.Key, h.Score))
	}
	want := "both 0.032258, meaning-only 0.016393, words-only 0.016393"
	if s := strings.Join(text, ", "); s != want {
		t.Errorf("joined to %s, want %s", s, want)
	}
}

func TestJoinedFindsByWordsAndByMeaning(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "meaning", "Rollout happens at the weekend.")
	save(t, r.project, "word", "The deploy script is bin/go.")
	save(t, r.user, "user/drinks", "Drinks oolong.")
	catchUp(t, r.Index)
	got := hits(t, r.Index, "deploy on friday")
	if !strings.Contains(got, "p:meaning") || !strings.Contains(got, "p:word") || strings.Contains(got, "drinks") {
		t.Errorf("joined to %q", got)
	}
	found, err := r.Joined(t.Context(), "deploy on friday", 1)
	if err != nil || len(found) != 1 || found[0].Snippet == "" {
		t.Errorf("with a limit of 1: %v, %v", found, err)
	}
}

func TestReindexBuildsTheRowsAnew(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "We release on Friday.")
	save(t, r.project, "gone", "nothing")
	forget(t, r.project, "gone")
	save(t, r.user, "user/b", "Prefers vim.")
	catchUp(t, r.Index)
	vec := make([]float64, 256)
	vec[0] = 1
	r.milvus.Put(collection, "project:/home/ada/app:stale", map[string]string{"scope": "project", "root": "/home/ada/app", "key": "stale"}, vec)
	r.milvus.Put(collection, "project:/elsewhere:other", map[string]string{"scope": "project", "root": "/elsewhere", "key": "other"}, vec)
	var said []string
	if err := r.Reindex(t.Context(), func(done, total int) { said = append(said, fmt.Sprintf("%d/%d", done, total)) }); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(r.milvus.Keys(collection), " "); got != "a other user/b" {
		t.Errorf("rows are %q; want ours anew and the other project's as it was", got)
	}
	if len(said) == 0 || said[len(said)-1] != "2/2" {
		t.Errorf("progress was %v", said)
	}
}

func TestAReindexThatIsCutShortIsFinishedByTheNextCatchUp(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for i := range 100 {
		save(t, r.project, fmt.Sprintf("fact-%02d", i), "value")
	}
	catchUp(t, r.Index)
	r.milvus.Fail(func(action string, n int) milvustest.Fault {
		if action == "entities/upsert" && n >= 2 {
			return milvustest.Fault{Code: 5}
		}
		return milvustest.Fault{}
	})
	if err := r.Reindex(t.Context(), nil); err == nil {
		t.Fatal("reindexing succeeds though a batch fails")
	}
	r.milvus.Fail(nil)
	catchUp(t, r.index("/home/ada/app", collection, model))
	if got := len(r.milvus.Keys(collection)); got != 100 {
		t.Errorf("%d rows, want 100", got)
	}
}

func TestAStoreTakenOverByAnotherProjectIsEmbeddedUnderItsNewRoot(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "We release on Friday.")
	catchUp(t, r.Index)
	y := r.index("/home/ada/moved", collection, model)
	catchUp(t, y)
	if got := keys(t, y, "release on Friday"); got != "p:a" {
		t.Errorf("found %q, want p:a", got)
	}
}

func TestAChangeOvertakenWhileItIsWrittenIsMadeGood(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "first")
	save(t, r.project, "b", "first")
	other := r.index("/home/ada/app", collection, model)
	var changed atomic.Bool
	r.embeddings.Fail(func(string, int) milvustest.Fault {
		// The texts are read and their vectors on the way. Another process
		// changes the store and brings the collection up to date meanwhile.
		if changed.CompareAndSwap(false, true) {
			a, err := r.project.Recall(t.Context(), "a")
			if err == nil {
				by := memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}
				_, err = r.project.Forget(t.Context(), memstore.ForgetRequest{Key: "a", Expected: a.Version, Provenance: by})
				_, saved := r.project.Remember(t.Context(), memstore.RememberRequest{Key: "b", Value: "second", Provenance: by})
				err = errors.Join(err, saved, other.Catchup(t.Context()))
			}
			if err != nil {
				t.Error(err)
			}
		}
		return milvustest.Fault{}
	})
	catchUp(t, r.Index)
	rows := r.milvus.Rows(collection)
	e, err := r.project.Recall(t.Context(), "b")
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 1 || rows["project:/home/ada/app:b"]["version"] != string(e.Version) {
		t.Errorf("rows are %v, want b in version %s only", rows, e.Version)
	}
}
