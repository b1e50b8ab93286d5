package vector_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"reverie/memstore"
)

// secretStore is a store from before the guard: it has what the guard refuses.
type secretStore struct {
	memstore.Store
	entries []memstore.Entry
}

func (s *secretStore) Recall(_ context.Context, key string) (memstore.Entry, error) {
	for _, e := range s.entries {
		if e.Key == key {
			return e, nil
		}
	}
	return memstore.Entry{}, &memstore.NotFoundError{Scope: memstore.Project, Key: key}
}

func (s *secretStore) List(context.Context, memstore.ListOptions) ([]memstore.Entry, error) {
	return s.entries, nil
}

func secret() string { return "ghp_" + strings.Repeat("a1B2", 9) }

func TestASecretIsNeverSent(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	at := func(key, description, value string) memstore.Entry {
		return memstore.Entry{Scope: memstore.Project, Key: key, Description: description, Value: value, Version: "v"}
	}
	s := &secretStore{Store: memstore.NewPlain(memstore.Project), entries: []memstore.Entry{
		at("value", "", "The token is "+secret()),
		at("description", "uses "+secret(), "see there"),
		at("url", "", "postgres://ada:"+"hunter2made"+"up@db.example.com/app"),
		at("fine", "", "We release on Friday."),
	}}
	x := r.over(s, nil, "/p", collection, model)
	catchUp(t, x)
	if _, err := x.Search(t.Context(), "what is "+secret()+" for", 3); err != nil {
		t.Fatal(err)
	}
	if _, err := x.Recall(t.Context(), "please use "+secret()+" to log in", 3); err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{secret(), "hunter2made"} {
		if r.embeddings.Sent(text) || r.milvus.Sent(text) {
			t.Errorf("%s was sent", text)
		}
	}
	if got := r.milvus.Keys(collection); !slices.Equal(got, []string{"fine"}) {
		t.Errorf("rows are %v, want the one without a secret", got)
	}
	warned := strings.Join(r.warned.list(), "\n")
	if strings.Contains(warned, secret()) || strings.Count(warned, "\n") != 2 || !strings.Contains(warned, "url-password") {
		t.Errorf("warned %q, want a line for each, without the secret", warned)
	}
}

func TestAnEntryThatBecomesRefusedLosesItsRow(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	s := &secretStore{Store: memstore.NewPlain(memstore.Project),
		entries: []memstore.Entry{{Scope: memstore.Project, Key: "a", Value: "harmless", Version: "1"}}}
	x := r.over(s, nil, "/p", collection, model)
	catchUp(t, x)
	s.entries[0].Value = "The token is " + secret()
	catchUp(t, x)
	if got := r.milvus.Keys(collection); len(got) != 0 {
		t.Errorf("rows are %v, want none", got)
	}
}

func TestAStoreWithoutHistoryIsComparedWithTheCollection(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	s := memstore.NewPlain(memstore.Project)
	save(t, s, "a", "We release on Friday.")
	save(t, s, "b", "Orders live in Postgres.")
	save(t, s, "c", "Prefers vim.")
	x := r.over(s, nil, "/p", collection, model)
	catchUp(t, x)
	save(t, s, "b", "Orders live in a car.")
	forget(t, s, "c")
	before := len(r.embeddings.Inputs())
	catchUp(t, r.over(s, nil, "/p", collection, model))
	if got := r.embeddings.Inputs()[before:]; len(got) != 1 || !strings.Contains(got[0], "a car") {
		t.Errorf("embedded again were %q, want what changed", got)
	}
	if got := strings.Join(r.milvus.Keys(collection), " "); got != "a b" {
		t.Errorf("rows are %q, want a b", got)
	}
	if got := keys(t, x, "automobile orders"); !strings.HasPrefix(got, "p:b") {
		t.Errorf("found %q, want p:b first", got)
	}
}
