package memstore_test

import (
	"testing"

	"reverie/memstore"
	"reverie/memstore/storetest"
)

func open(t testing.TB, dir string) *memstore.DB {
	t.Helper()
	db, err := memstore.Open(t.Context(), memstore.Options{Dir: dir, Scope: memstore.Project})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestTheSQLiteStoreKeepsItsPromises(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) memstore.Store { return open(t, t.TempDir()) })
}

func TestThePlainStoreKeepsItsPromises(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) memstore.Store { return memstore.NewPlain(memstore.Project) })
}
