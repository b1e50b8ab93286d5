package agent

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"reverie/memstore"
	"reverie/memstore/sqlfile"
)

// lastLine is the line of the last tool that finished.
func lastLine(t *testing.T, r *record) *MemoryEvent {
	t.Helper()
	all := eventsOf[ToolFinished](r)
	if len(all) == 0 || all[len(all)-1].Memory == nil {
		t.Fatalf("no line, of %d calls", len(all))
	}
	return all[len(all)-1].Memory
}

func TestUndoWithoutAKeyLeavesWhatSomeoneElseChangedSinceAndSaysWho(t *testing.T) {
	t.Parallel()
	for _, resumed := range []bool{false, true} {
		c := whole(t, script(calls(call("Remember", `{"key":"rel/day","value":"Friday"}`))))
		send(t, c, "remember it")
		remember(t, c.cfg.Project, "rel/day", "Monday")
		if resumed {
			cfg := c.cfg
			cfg.Thread = c.ID()
			if err := c.Close(); err != nil {
				t.Fatal(err)
			}
			c = open(t, cfg)
		}
		r := &record{}
		if err := c.UndoByUser(t.Context(), memstore.Project, "", r.emit); err != nil {
			t.Fatal(err)
		}
		e, err := c.cfg.Project.Recall(t.Context(), "rel/day")
		if err != nil || e.Value != "Monday" {
			t.Errorf("resumed %v: it is %q now, %v", resumed, e.Value, err)
		}
		if l := lastLine(t, r); l.Action != "conflict" || l.Key != "rel/day" || !strings.Contains(l.Problem, "by user") {
			t.Errorf("resumed %v: the line is %+v", resumed, l)
		}
		if err := c.UndoByUser(t.Context(), memstore.Project, "rel/day", r.emit); err != nil {
			t.Fatal(err)
		}
		if e, err := c.cfg.Project.Recall(t.Context(), "rel/day"); err != nil || e.Value != "Friday" {
			t.Errorf("resumed %v: named, it is %q, %v", resumed, e.Value, err)
		}
	}
}

func TestUndoWithoutAKeyWalksBackWhatThisThreadWrote(t *testing.T) {
	t.Parallel()
	c := whole(t, script(calls(call("Remember", `{"key":"a","value":"one"}`), call("Remember", `{"key":"a","value":"two"}`))))
	send(t, c, "remember both")
	r := &record{}
	undo := func() error { return c.UndoByUser(t.Context(), "", "", r.emit) }
	if err := undo(); err != nil {
		t.Fatal(err)
	}
	if l := lastLine(t, r); l.After.Value != "one" || l.Before.Value != "two" || !l.Undo {
		t.Errorf("the first step is %+v", l)
	}
	if err := undo(); err != nil {
		t.Fatal(err)
	}
	if l := lastLine(t, r); !l.After.Forgotten || l.Undo {
		t.Errorf("the second step, the last, is %+v", l)
	}
	if err := undo(); err == nil || !strings.Contains(err.Error(), "nothing to undo") {
		t.Errorf("the third answers %v", err)
	}
}

func TestThreadsFromBeforeVersionsWereKeptAreUndoneByWhatTheyWrote(t *testing.T) {
	t.Parallel()
	for _, someoneElse := range []bool{false, true} {
		dir := t.TempDir()
		old, err := sqlfile.Open(t.Context(), filepath.Join(dir, "threads.db"), sqlfile.Options{Migrations: threadSchema[:1]})
		if err != nil {
			t.Fatal(err)
		}
		err = old.Write(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec(`INSERT INTO threads (id, title, created, updated) VALUES ('told12345', 'old', 1, 1);
				INSERT INTO writes (thread, n, scope, key) VALUES ('told12345', 1, 'project', 'a')`)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := old.Close(); err != nil {
			t.Fatal(err)
		}
		c := whole(t, script(), func(cfg *Config) {
			cfg.Threads, cfg.Thread = openThreads(t, dir), "told12345"
			_, err := cfg.Project.Remember(t.Context(), memstore.RememberRequest{Key: "a", Value: "mine",
				Provenance: memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Explicit, Thread: "told12345"}})
			if err != nil {
				t.Fatal(err)
			}
			if someoneElse {
				remember(t, cfg.Project, "a", "theirs")
			}
		})
		r := &record{}
		if err := c.UndoByUser(t.Context(), "", "", r.emit); err != nil {
			t.Fatal(err)
		}
		want := "undid"
		if someoneElse {
			want = "conflict"
		}
		if l := lastLine(t, r); l.Action != want {
			t.Errorf("someone else %v: %+v", someoneElse, l)
		}
	}
}

// TestWhetherAnUndoIsLeftIsAsTheStoreHasIt walks back over histories of every
// sort and compares what each step promises with what the store does.
func TestWhetherAnUndoIsLeftIsAsTheStoreHasIt(t *testing.T) {
	t.Parallel()
	for _, deeds := range []string{"s", "ss", "sf", "sfs", "sfsu", "suu", "ssuus", "susfuu", "sssuusfuu", "sfuuss"} {
		s := openStore(t, memstore.Project)
		var now memstore.Entry
		p := memstore.Provenance{Writer: memstore.ByUser, Origin: memstore.Explicit}
		step := func(d rune, i int) (memstore.Mutation, error) {
			switch d {
			case 's':
				return s.Remember(t.Context(), memstore.RememberRequest{Key: "k", Value: strings.Repeat("x", i+1), Provenance: p})
			case 'f':
				return s.Forget(t.Context(), memstore.ForgetRequest{Key: "k", Expected: now.Version, Provenance: p})
			}
			return s.Undo(t.Context(), memstore.UndoRequest{Key: "k", Expected: now.Version, Provenance: p})
		}
		for i, d := range deeds + "uuuuuuuuuu" {
			promised := false
			if now.Version != "" {
				h, err := s.History(t.Context(), "k")
				if err != nil {
					t.Fatal(err)
				}
				promised = undoStep(h)
			}
			m, err := step(d, i)
			if d == 'u' && (err == nil) != promised {
				t.Errorf("%s, step %d: promised %v, and it answers %v", deeds, i, promised, err)
			}
			if err != nil {
				break
			}
			now = m.Entry
		}
	}
}
