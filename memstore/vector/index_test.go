package vector_test

import (
	"strings"
	"testing"

	"reverie/memstore"
)

func TestASearchFindsByMeaningTheClosestFirst(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "rollout-day", "We ship on Fridays after the standup.")
	save(t, r.project, "storage", "Orders live in Postgres.")
	save(t, r.user, "user/editor", "Prefers vim with two spaces.")
	catchUp(t, r.Index)
	for query, want := range map[string]string{
		"when do we deploy releases":   "p:rollout-day",
		"which SQL database is it":     "p:storage",
		"what emacs does the user use": "u:user/editor",
	} {
		got := keys(t, r.Index, query)
		if first, _, _ := strings.Cut(got, " "); first != want {
			t.Errorf("%q finds %s, want %s first", query, got, want)
		}
	}
}

func TestTheCollectionIsMadeOnFirstUseAndSizedToTheModel(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	catchUp(t, r.Index)
	if got := keys(t, r.Index, "anything at all"); got != "" || r.milvus.Dimension(collection) != 0 {
		t.Errorf("without memories: found %q, size %d", got, r.milvus.Dimension(collection))
	}
	r.embeddings.Size = 96
	save(t, r.project, "a", "first")
	catchUp(t, r.Index)
	if got := r.milvus.Dimension(collection); got != 96 {
		t.Errorf("the collection has vectors of %d numbers, want 96", got)
	}
}

func TestARowHasTheFieldsOfItsEntryAndNoText(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	e := save(t, r.project, "release-day", "Friday it is")
	u := save(t, r.user, "user/tea", "Oolong")
	catchUp(t, r.Index)
	rows := r.milvus.Rows(collection)
	p, q := rows["project:/home/ada/app:release-day"], rows["user::user/tea"]
	if p["scope"] != "project" || p["root"] != "/home/ada/app" || p["key"] != "release-day" || p["version"] != string(e.Version) {
		t.Errorf("the project's row is %v", p)
	}
	if q["scope"] != "user" || q["root"] != "" || q["key"] != "user/tea" || q["version"] != string(u.Version) {
		t.Errorf("the user's row is %v", q)
	}
	if len(rows) != 2 || strings.Contains(p["id"]+p["model"], "Friday") {
		t.Errorf("rows are %v", rows)
	}
	for _, req := range r.milvus.Requests() {
		if strings.Contains(req.Body, "Friday it is") || strings.Contains(req.Body, "Oolong") {
			t.Errorf("Milvus was sent a text: %s", req.Body)
		}
	}
}

func TestNameDescriptionAndValueAreEmbedded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	_, err := r.project.Remember(t.Context(), memstore.RememberRequest{Key: "the-name", Description: "the description",
		Value: "the value", Provenance: memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Learned}})
	if err != nil {
		t.Fatal(err)
	}
	catchUp(t, r.Index)
	if got := r.embeddings.Inputs(); len(got) != 1 || got[0] != "the-name\nthe description\n\nthe value" {
		t.Errorf("embedded were %q", got)
	}
}

func TestAHitAnswersWithTheStoresCurrentText(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "release-day", "We release on Friday.")
	catchUp(t, r.Index)
	save(t, r.project, "release-day", "We release on Thursday.")
	m, err := r.Search(t.Context(), "release on Friday", 1)
	if err != nil || len(m) != 1 || m[0].Entry.Value != "We release on Thursday." {
		t.Errorf("found %v, %v", m, err)
	}
}

func TestAForgottenEntryIsNotFoundEvenBeforeItsRowIsDeleted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "We release on Friday.")
	catchUp(t, r.Index)
	forget(t, r.project, "a")
	if got := keys(t, r.Index, "release on Friday"); got != "" {
		t.Errorf("found %s", got)
	}
	if got := hits(t, r.Index, "release on Friday"); got != "" {
		t.Errorf("joined to %s", got)
	}
}

func TestForgettingDeletesTheRow(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "one")
	save(t, r.project, "b", "two")
	catchUp(t, r.Index)
	forget(t, r.project, "a")
	catchUp(t, r.Index)
	if got := strings.Join(r.milvus.Keys(collection), " "); got != "b" {
		t.Errorf("rows are %s, want b", got)
	}
}

func TestPurgingDeletesTheRow(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.user, "user/a", "one")
	catchUp(t, r.Index)
	if _, err := r.user.Purge(t.Context(), memstore.PurgeRequest{Key: "user/a",
		Provenance: memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}}); err != nil {
		t.Fatal(err)
	}
	catchUp(t, r.Index)
	if got := r.milvus.Keys(collection); len(got) != 0 {
		t.Errorf("rows are %v, want none", got)
	}
}

func TestWhatIsForgottenAndSavedAgainIsFound(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "We release on Friday.")
	catchUp(t, r.Index)
	forget(t, r.project, "a")
	catchUp(t, r.Index)
	save(t, r.project, "a", "We release on Friday.")
	catchUp(t, r.Index)
	if got := keys(t, r.Index, "release on Friday"); got != "p:a" {
		t.Errorf("found %q, want p:a", got)
	}
}

func TestARowWhoseEntryIsForgottenIsDeletedOnceASearchMeetsIt(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "We release on Friday.")
	catchUp(t, r.Index)
	row := r.milvus.Rows(collection)["project:/home/ada/app:a"]
	forget(t, r.project, "a")
	catchUp(t, r.Index)
	vec := make([]float64, 256)
	vec[0] = 1
	r.milvus.Put(collection, row["id"], row, vec)
	foreign := map[string]string{"scope": "project", "root": "/home/ada/app", "key": "elsewhere", "model": model}
	r.milvus.Put(collection, "project:/home/ada/app:elsewhere", foreign, vec)
	if got := keys(t, r.Index, "release on Friday"); got != "" {
		t.Errorf("found %s", got)
	}
	catchUp(t, r.Index)
	if got := strings.Join(r.milvus.Keys(collection), " "); got != "elsewhere" {
		t.Errorf("rows are %q; want the forgotten one gone, and the one that this store never had left alone", got)
	}
}

func TestASearchSeesTheUserAndThisProjectOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "deploy", "Deploy on Friday.")
	save(t, r.user, "user/deploy", "Likes to deploy on Friday.")
	catchUp(t, r.Index)
	other := open(t, memstore.Project)
	save(t, other, "deploy-there", "Deploy on Friday, over there.")
	y := r.over(other, r.user, "/home/ada/other", collection, model)
	catchUp(t, y)
	if len(r.milvus.Rows(collection)) != 3 {
		t.Fatalf("rows are %v", r.milvus.Rows(collection))
	}
	if got := keys(t, r.Index, "deploy on Friday"); strings.Contains(got, "there") || !strings.Contains(got, "u:user/deploy") || !strings.Contains(got, "p:deploy") {
		t.Errorf("the first project finds %s", got)
	}
	if got := keys(t, y, "deploy on Friday"); strings.Contains(got, "p:deploy ") || !strings.Contains(got, "u:user/deploy") || !strings.Contains(got, "p:deploy-there") {
		t.Errorf("the second project finds %s", got)
	}
}

func TestProjectsWhoseRootsLookAlikeStayApart(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	roots := []string{`/p/a"b`, `/p/a\"b`, `/p/a\`, "/p/a\nb", `/p/a" or scope == "project`, "/p/ä", "/p/a:x", "/p/\xff", "/p/\xfe"}
	for _, root := range roots {
		db := open(t, memstore.Project)
		save(t, db, "fact", "Deploy on Friday.")
		y := r.over(db, nil, root, collection, model)
		catchUp(t, y)
		if got := keys(t, y, "deploy on Friday"); got != "p:fact" {
			t.Errorf("root %q finds %q, want its own only", root, got)
		}
	}
	if got := len(r.milvus.Rows(collection)); got != len(roots) {
		t.Errorf("%d rows for %d roots", got, len(roots))
	}
}

func TestReadersSeeTheirOwnWrites(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "We release on Friday.")
	catchUp(t, r.Index)
	// The server has nothing for readers of other levels: see the test of the
	// client.
	if got := keys(t, r.Index, "release on Friday"); got != "p:a" {
		t.Errorf("found %q right after the write, want p:a", got)
	}
}

func TestNothingNewIsNotEmbeddedAgain(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	save(t, r.project, "a", "one")
	save(t, r.user, "user/b", "two")
	catchUp(t, r.Index)
	before := r.embeddings.Count("embeddings")
	catchUp(t, r.Index)
	catchUp(t, r.index("/home/ada/app", collection, model))
	if got := r.embeddings.Count("embeddings") - before; got != 0 {
		t.Errorf("%d requests for what is there already", got)
	}
}

func TestOnlyTheLatestStateOfAKeyIsEmbedded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, v := range []string{"one", "two", "three"} {
		save(t, r.project, "a", v)
	}
	catchUp(t, r.Index)
	if got := r.embeddings.Inputs(); len(got) != 1 || !strings.HasSuffix(got[0], "three") {
		t.Errorf("embedded were %q, want the last state only", got)
	}
}
