package sqlfile

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// small mounts a file system of 256 KiB, where that is allowed.
func small(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if os.Geteuid() != 0 {
		t.Skip("mounting a small file system needs root")
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=256k,mode=700"); err != nil {
		t.Skip("no small file system can be mounted here:", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func TestAFullDiskIsSaidAndKeepsWhatWasAcknowledged(t *testing.T) {
	dir := small(t)
	d, err := Open(t.Context(), filepath.Join(dir, "x.db"), Options{Migrations: steps})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	saved := 0
	for err == nil && saved < 1000 {
		err = d.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec("INSERT INTO a VALUES (?)", strings.Repeat("x", 5000))
			return err
		})
		if err == nil {
			saved++
		}
	}
	reasonIs(t, err, Full)
	if n := count(t, d, "a"); n != saved || saved == 0 {
		t.Errorf("there are %d rows, %d were acknowledged", n, saved)
	}
	var says string
	if err := d.Reader().QueryRow("PRAGMA integrity_check").Scan(&says); err != nil || says != "ok" {
		t.Errorf("the integrity check says %q, %v", says, err)
	}
	d.Close()
}

func TestAFullDiskAtTheStartIsSaid(t *testing.T) {
	dir := small(t)
	if err := os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 250<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), filepath.Join(dir, "store", "x.db"), Options{Migrations: steps})
	reasonIs(t, err, Full)
}

func TestAReadOnlyDiskIsReadAndSaysSo(t *testing.T) {
	dir := small(t)
	path := filepath.Join(dir, "x.db")
	d := openAt(t, path, steps)
	insert(t, d, "1")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip("the file system can't be made read-only:", err)
	}
	d = openAt(t, path, steps)
	if n := count(t, d, "a"); n != 1 {
		t.Errorf("there are %d rows", n)
	}
	reasonIs(t, d.Writable(), ReadOnly)
	d.Close()
	_, err := Open(t.Context(), filepath.Join(dir, "new", "x.db"), Options{Migrations: steps})
	reasonIs(t, err, ReadOnly)
}
