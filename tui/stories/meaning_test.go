package stories

import (
	"fmt"
	"strings"
	"testing"

	"reverie/memstore/vector/milvustest"
)

func TestSearchByMeaningFindsSurvivesAnOutageAndCatchesUp(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	milvus, embeddings := milvustest.NewMilvus(t), milvustest.NewEmbeddings(t)
	p.env = append(p.env, "MILVUS_TOKEN=made:up")
	milvus.Require("made:up")
	p.settings(fmt.Sprintf("model = \"offline\"\n[memory.vector]\nurl = %q\ntoken_env = \"MILVUS_TOKEN\"\ncollection = \"reverie_test\"\n[memory.embeddings]\nprovider = \"local\"\nmodel = \"hashed\"\n[providers.local]\nbase_url = %q\n",
		milvus.URL(), embeddings.Base()))
	p.runs("", "memory", "add", "deploy/day", "We deploy on Fridays only").answers(p, 0)
	p.runs("", "memory", "add", "ci/runner", "CI runs on arm64").answers(p, 0)
	if n := len(milvus.Keys("reverie_test")); n != 2 {
		t.Fatalf("%d rows", n)
	}
	p.runs("", "memory", "search", "deploy on Fridays").answers(p, 0, "deploy/day")

	// The server is down: saving and searching go on.
	milvus.Kill()
	p.runs("", "memory", "add", "team/size", "Seven people are in the team").answers(p, 0)
	p.runs("", "memory", "search", "team").answers(p, 0, "team/size")
	milvus.Revive()
	p.runs("", "memory", "search", "people in the team").answers(p, 0, "team/size")
	if n := len(milvus.Keys("reverie_test")); n != 3 {
		t.Errorf("%d rows after catching up", n)
	}
	p.runs("", "memory", "forget", "ci/runner").answers(p, 0)
	if keys := strings.Join(milvus.Keys("reverie_test"), " "); strings.Contains(keys, "ci/runner") {
		t.Errorf("a forgotten entry is still in the collection: %s", keys)
	}
	p.runs("", "memory", "reindex").answers(p, 0, "reindexed")
	p.runs("", "memory", "add", "x", "the password is hun"+"ter2-and-more").answers(p, 5)
}
