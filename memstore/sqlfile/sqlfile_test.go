package sqlfile

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var steps = []string{
	"CREATE TABLE a (x TEXT NOT NULL) STRICT",
	"CREATE TABLE b (x TEXT NOT NULL) STRICT; INSERT INTO b SELECT x FROM a",
}

func openAt(t *testing.T, path string, migrations []string) *DB {
	t.Helper()
	d, err := Open(t.Context(), path, Options{Migrations: migrations})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func insert(t *testing.T, d *DB, x string) {
	t.Helper()
	if err := d.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO a VALUES (?)", x)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, d *DB, table string) (n int) {
	t.Helper()
	if err := d.Reader().QueryRow("SELECT count(*) FROM " + table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func reasonIs(t *testing.T, err error, want string) {
	t.Helper()
	var se *StateError
	if !errors.As(err, &se) || se.Reason != want || se.Advice == "" {
		t.Errorf("the error is %v, want a state error: %s", err, want)
	}
}

func TestAFileIsDurableSharedAndErasesWhatIsDeleted(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "x.db"), steps)
	for pragma, want := range map[string]string{
		"journal_mode": "wal", "synchronous": "2", "secure_delete": "1", "busy_timeout": fmt.Sprint(BusyTimeout.Milliseconds()),
		"user_version": "2", "trusted_schema": "0",
	} {
		var got string
		if err := d.Writer().QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", pragma, got, err, want)
		}
	}
	if _, err := d.Reader().Exec("INSERT INTO a VALUES ('1')"); err == nil {
		t.Error("a reader could write")
	}
}

func TestWhatAWriteIsRefusedLeavesNothing(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "x.db"), steps)
	refused := errors.New("refused")
	err := d.Write(t.Context(), func(tx *sql.Tx) error {
		if _, err := tx.Exec("INSERT INTO a VALUES ('1')"); err != nil {
			return err
		}
		return refused
	})
	if !errors.Is(err, refused) {
		t.Errorf("the error is %v", err)
	}
	if n := count(t, d, "a"); n != 0 {
		t.Errorf("there are %d rows", n)
	}
}

func TestAnOldSchemaIsBroughtForwardWithItsRows(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	d := openAt(t, path, steps[:1])
	insert(t, d, "1")
	d.Close()
	d = openAt(t, path, steps)
	if n := count(t, d, "b"); n != 1 {
		t.Errorf("the new table has %d rows, want 1", n)
	}
}

func TestAMigrationThatFailsLeavesTheOldSchema(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	d := openAt(t, path, steps[:1])
	insert(t, d, "1")
	d.Close()
	broken := []string{steps[0], steps[1], "CREATE TABLE c (x); SELECT nothing FROM nowhere"}
	if _, err := Open(t.Context(), path, Options{Migrations: broken}); err == nil {
		t.Fatal("the broken migration was no error")
	}
	d = openAt(t, path, steps[:1])
	var version, tables int
	if err := d.Reader().QueryRow("PRAGMA user_version").Scan(&version); err != nil || version != 1 {
		t.Errorf("the schema is %d, %v; want 1", version, err)
	}
	if err := d.Reader().QueryRow("SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil || tables != 1 {
		t.Errorf("there are %d tables, %v; want 1", tables, err)
	}
}

func TestSeveralThatOpenANewFileAtOnceMigrateItOnce(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "x.db")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			d, err := Open(context.Background(), path, Options{Migrations: steps})
			if err != nil {
				t.Error(err)
				return
			}
			defer d.Close()
			if err := d.Write(context.Background(), func(tx *sql.Tx) error {
				_, err := tx.Exec("INSERT INTO a VALUES ('1')")
				return err
			}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if n := count(t, openAt(t, path, steps), "a"); n != 8 {
		t.Errorf("there are %d rows, want 8", n)
	}
}

func TestANewerSchemaCanOnlyBeRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	d := openAt(t, path, steps)
	insert(t, d, "1")
	old := openAt(t, path, steps[:1])
	if n := count(t, old, "a"); n != 1 {
		t.Errorf("there are %d rows", n)
	}
	reasonIs(t, old.Writable(), Newer)
	reasonIs(t, old.Write(t.Context(), func(*sql.Tx) error { t.Error("it was called"); return nil }), Newer)
}

func TestAWriteWaitsForAnotherAndGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	a, b := openAt(t, path, steps), openAt(t, path, steps)
	err := a.Write(t.Context(), func(tx *sql.Tx) error {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
		defer cancel()
		if err := b.Write(ctx, func(*sql.Tx) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("the waiting write answers %v", err)
		}
		if n := count(t, b, "a"); n != 0 {
			t.Errorf("a reader sees %d rows of the transaction", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	insert(t, b, "1")
}

func TestACancelledWriteLeavesNothing(t *testing.T) {
	t.Parallel()
	d := openAt(t, filepath.Join(t.TempDir(), "x.db"), steps)
	ctx, cancel := context.WithCancel(t.Context())
	err := d.Write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT INTO a VALUES ('1')")
		cancel()
		return err
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
	if n := count(t, d, "a"); n != 0 {
		t.Errorf("there are %d rows", n)
	}
	insert(t, d, "after")
}

func TestACheckpointEmptiesTheLogUnlessOldPagesAreInUse(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	d := openAt(t, path, steps)
	insert(t, d, "first")
	tx, err := d.Reader().Begin()
	if err != nil {
		t.Fatal(err)
	}
	var n int
	if err := tx.QueryRow("SELECT count(*) FROM a").Scan(&n); err != nil {
		t.Fatal(err)
	}
	insert(t, d, "second")
	if done, err := d.Checkpoint(t.Context(), 10*time.Millisecond); err != nil || done {
		t.Errorf("the checkpoint says %t, %v", done, err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	if done, err := d.Checkpoint(t.Context(), time.Second); err != nil || !done {
		t.Errorf("the checkpoint says %t, %v", done, err)
	}
	if fi, err := os.Stat(path + "-wal"); err != nil || fi.Size() != 0 {
		t.Errorf("the log has %d bytes, %v", fi.Size(), err)
	}
}

func TestDeletedTextIsNotLeftInTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	d := openAt(t, path, steps)
	for i := range 200 {
		insert(t, d, strings.Repeat(fmt.Sprint("marigold ", i, " "), 1+i))
	}
	if err := d.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM a")
		return err
	}); err != nil {
		t.Fatal(err)
	}
	d.Close()
	b, err := os.ReadFile(path)
	if err != nil || bytes.Contains(b, []byte("marigold")) {
		t.Errorf("the file still has the text, or %v", err)
	}
}

func TestPathsOfAnyKindAreTakenAsTheyAre(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"a b", "a?mode=memory", "a#b", "100%", "a%41", "ü", "a&b=c", "a;b"} {
		dir := filepath.Join(t.TempDir(), name)
		d := openAt(t, filepath.Join(dir, name+".db"), steps)
		insert(t, d, "1")
		d.Close()
		names, err := os.ReadDir(dir)
		if err != nil || len(names) != 2 || names[1].Name() != name+".db" {
			t.Errorf("%q made %v, %v", name, names, err)
		}
	}
}

func TestAFolderThatCantBeMadeIsSaid(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), filepath.Join(file, "x.db"), Options{Migrations: steps})
	reasonIs(t, err, Unreadable)
	_, err = Open(t.Context(), filepath.Join(file, "below", "x.db"), Options{Migrations: steps})
	reasonIs(t, err, Unreadable)
}

func TestASpecialFileIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "x.db")
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), path, Options{Migrations: steps})
	reasonIs(t, err, Directory)
}

func TestAFolderForEverybodyIsNotClosed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777|os.ModeSticky); err != nil {
		t.Fatal(err)
	}
	var warned []string
	d, err := Open(t.Context(), filepath.Join(dir, "x.db"), Options{Migrations: steps, Warn: func(s string) { warned = append(warned, s) }})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if fi, err := os.Stat(dir); err != nil || fi.Mode().Perm() != 0o777 {
		t.Errorf("the folder has mode %v, %v", fi.Mode(), err)
	}
	if fi, err := os.Stat(filepath.Join(dir, "x.db")); err != nil || fi.Mode().Perm() != 0o600 {
		t.Errorf("the file has mode %v, %v", fi.Mode(), err)
	}
}

func TestAFileDeletedWhileOpenTakesNoWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	d := openAt(t, path, steps)
	insert(t, d, "1")
	// Deleted in the middle of a write: what is then committed is lost, and
	// must not be acknowledged.
	err := d.Write(t.Context(), func(tx *sql.Tx) error {
		if _, err := tx.Exec("INSERT INTO a VALUES ('2')"); err != nil {
			return err
		}
		return os.Remove(path)
	})
	reasonIs(t, err, Missing)
	reasonIs(t, d.Present(), Missing)
}

func TestAFileCutToNothingIsDamageAndNoBeginning(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), path, Options{Migrations: []string{"CREATE TABLE a (b)"}})
	var se *StateError
	if !errors.As(err, &se) || se.Reason != Damaged || se.Path != path {
		t.Fatalf("the answer is %v", err)
	}
	if fi, err := os.Stat(path); err != nil || fi.Size() != 0 {
		t.Errorf("the file was changed: %v, %v", fi, err)
	}
}

func TestOfSeveralWhoMakeADatabaseAtOnceAllUseOne(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "d", "x.db")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			d, err := Open(context.Background(), path, Options{Migrations: []string{"CREATE TABLE a (b)"}})
			if err != nil {
				t.Error(err)
				return
			}
			if err := d.Write(context.Background(), func(tx *sql.Tx) error {
				_, err := tx.Exec("INSERT INTO a VALUES (1)")
				return err
			}); err != nil {
				t.Error(err)
			}
			if err := d.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	d, err := Open(t.Context(), path, Options{Migrations: []string{"CREATE TABLE a (b)"}})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var n int
	if err := d.Reader().QueryRow("SELECT count(*) FROM a").Scan(&n); err != nil || n != 8 {
		t.Errorf("%d rows, %v", n, err)
	}
	left, err := filepath.Glob(path + ".new-*")
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}
