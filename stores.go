package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"reverie/memstore"
	"reverie/memstore/files"
	"reverie/tui/render"
)

// opened is the memory of one scope, as the settings have it. It is closed
// when the run ends.
type opened struct {
	memstore.Store
	db     *memstore.DB  // nil: a plain folder of files, without history
	mirror *files.Mirror // nil: no folder is kept in step with the database
}

// versioned is the database, for what needs history.
func (o opened) versioned() (*memstore.DB, error) {
	if o.db == nil {
		return nil, fmt.Errorf("the %s memory in %s: %w; memory.store = \"versioned\" keeps it", o.Scope(), o.Location(), memstore.ErrUnsupported)
	}
	return o.db, nil
}

// folder is where a scope's memories lie as files.
func (p place) folder(scope memstore.Scope) string {
	if scope == memstore.User {
		return p.notes
	}
	return filepath.Join(p.root, ".reverie", "memory")
}

// gitRoot is the project's working tree, "" where it is none.
func (p place) gitRoot(scope memstore.Scope) string {
	if _, err := os.Lstat(filepath.Join(p.root, ".git")); err != nil || scope == memstore.User {
		return ""
	}
	return p.root
}

// open opens the memory of a scope and looks at its folder.
func (a *app) open(ctx context.Context, p place, scope memstore.Scope) (opened, error) {
	if scope == memstore.Thread {
		return a.openNotes(ctx)
	}
	st, _, err := a.load()
	if err != nil {
		return opened{}, err
	}
	warn := func(s string) { a.say("reverie: %s", s) }
	if st.text("memory.store") == "files" {
		s, err := files.Open(ctx, files.StoreOptions{Dir: p.folder(scope), Scope: scope, Now: a.now, Warn: warn})
		if err != nil {
			return opened{}, fmt.Errorf("open %s memory: %w", scope, err)
		}
		a.cleanup = append(a.cleanup, s.Close)
		return opened{Store: s}, nil
	}
	db, err := a.openDB(ctx, p, scope)
	if err != nil {
		return opened{}, err
	}
	o := opened{Store: db, db: db}
	if st.text("memory.files") == "off" {
		return o, nil
	}
	if _, err := os.Stat(p.folder(scope)); errors.Is(err, fs.ErrNotExist) {
		return o, nil
	}
	o.mirror, err = a.openMirror(ctx, p, db)
	return o, err
}

// openDB opens the database of a scope, to be closed when the run ends.
func (a *app) openDB(ctx context.Context, p place, scope memstore.Scope) (*memstore.DB, error) {
	db, err := memstore.Open(ctx, a.storeOptions(p, scope))
	if err != nil {
		return nil, fmt.Errorf("open %s memory: %w", scope, err)
	}
	a.cleanup = append(a.cleanup, db.Close)
	return db, nil
}

// newMirror ties a database to its folder, which exists; nothing is synced yet.
func (a *app) newMirror(ctx context.Context, p place, db *memstore.DB) (*files.Mirror, error) {
	m, err := files.NewMirror(ctx, files.MirrorOptions{
		Store: db, Dir: p.folder(db.Scope()), GitRoot: p.gitRoot(db.Scope()), Now: a.now,
		Warn: func(s string) { a.say("reverie: %s", s) },
	})
	if err != nil {
		return nil, fmt.Errorf("the %s memory's files: %w", db.Scope(), err)
	}
	return m, nil
}

// openNotes is a copy of the notes of the latest conversation, for looking at
// them: they belong to the conversation, and change there.
func (a *app) openNotes(ctx context.Context) (opened, error) {
	threads, err := a.openThreads(ctx)
	if err != nil {
		return opened{}, err
	}
	latest, err := threads.Latest(ctx)
	if err != nil {
		return opened{}, err
	}
	notes, err := threads.Notes(ctx, latest.ID)
	if err != nil {
		return opened{}, err
	}
	s := memstore.NewPlain(memstore.Thread)
	for i, n := range notes {
		_, err := s.Remember(ctx, memstore.RememberRequest{Key: fmt.Sprintf("note/%03d", i+1), Value: n, Updated: latest.Updated,
			Provenance: memstore.Provenance{Writer: memstore.ByModel, Origin: memstore.Explicit, Thread: latest.ID}})
		if err != nil {
			return opened{}, fmt.Errorf("the notes of thread %s: %w", latest.ID, err)
		}
	}
	return opened{Store: s}, nil
}

// openMirror keeps a folder that exists in step with a database: now, and once
// more at the end of the run, so that what the run wrote reaches its files.
func (a *app) openMirror(ctx context.Context, p place, db *memstore.DB) (*files.Mirror, error) {
	m, err := a.newMirror(ctx, p, db)
	if err != nil {
		return nil, err
	}
	a.cleanup = append(a.cleanup, func() error {
		// The run's own context may have ended; what it wrote is to reach its
		// file all the same.
		_, err := m.Sync(context.WithoutCancel(ctx), files.SyncOptions{})
		return errors.Join(err, m.Close())
	})
	r, err := m.Sync(ctx, files.SyncOptions{})
	if err != nil {
		return nil, fmt.Errorf("the %s memory's files in %s: %w", db.Scope(), m.Dir(), err)
	}
	for _, line := range syncLines(db.Scope(), r) {
		a.say("reverie: %s", line)
	}
	return m, nil
}

// syncLines says what a person should hear of a sync that they did not ask
// for.
func syncLines(scope memstore.Scope, r files.SyncReport) []string {
	var lines []string
	if n := len(r.FirstSeen); n > 0 {
		lines = append(lines, fmt.Sprintf("%s came with the %s memory's files: %s", render.Count(n, "memory", "memories"), scope, someOf(r.FirstSeen)))
	}
	if n := len(r.Deletions); n > 0 {
		lines = append(lines, fmt.Sprintf("the files of %s are gone, but the memories stay: %s. reverie memory sync says why; with --accept-deletions it forgets them, with --restore it writes them again",
			render.Count(n, string(scope)+" memory", string(scope)+" memories"), r.Deletions[0].Reason))
	}
	if n := len(r.Refused) + len(r.Held); n > 0 {
		lines = append(lines, fmt.Sprintf("%s of the %s memory %s not taken; reverie memory sync names them with the reason",
			render.Count(n, "file", "files"), scope, map[bool]string{true: "was", false: "were"}[n == 1]))
	}
	if r.ReadOnly != "" {
		lines = append(lines, fmt.Sprintf("the %s memory's files can't be written: %s", scope, r.ReadOnly))
	}
	return lines
}

// someOf names up to five of many.
func someOf(names []string) string {
	if len(names) <= 5 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:5], ", "), len(names)-5)
}

func (a *app) storeOptions(p place, scope memstore.Scope) memstore.Options {
	dir := p.memory
	if scope == memstore.User {
		dir = p.user
	}
	return memstore.Options{Dir: dir, Scope: scope, Now: a.now, Warn: func(s string) { a.say("reverie: %s", s) }}
}

// scopes says which memories a command works on: the one of --scope, or these.
func (a *app) scopes(unless ...memstore.Scope) ([]memstore.Scope, error) {
	switch s := memstore.Scope(a.flags.scope); s {
	case "":
		return unless, nil
	case memstore.Project, memstore.User, memstore.Thread:
		return []memstore.Scope{s}, nil
	}
	return nil, usagef("--scope %q: it takes project, user or thread%s", a.flags.scope, nearestHint(a.flags.scope, []string{"project", "user", "thread"}))
}

// stores opens the memories that a command looks at.
func (a *app) stores(ctx context.Context, unless ...memstore.Scope) ([]opened, error) {
	_, p, err := a.load()
	if err != nil {
		return nil, err
	}
	scopes, err := a.scopes(unless...)
	if err != nil {
		return nil, err
	}
	var all []opened
	for _, scope := range scopes {
		o, err := a.open(ctx, p, scope)
		if err != nil {
			return nil, err
		}
		all = append(all, o)
	}
	return all, nil
}

// target opens the one memory that a writing command changes.
func (a *app) target(ctx context.Context) (opened, error) {
	if a.flags.scope == string(memstore.Thread) {
		return opened{}, usagef("notes of a conversation change in that conversation; --scope takes project or user here")
	}
	all, err := a.stores(ctx, memstore.Project)
	if err != nil {
		return opened{}, err
	}
	x, err := a.semanticOver(all)
	if err != nil {
		return opened{}, err
	}
	if x != nil {
		a.catchUpLater(ctx, x)
	}
	return all[0], nil
}

// history opens the one memory that a command changes by its history.
func (a *app) history(ctx context.Context) (*memstore.DB, error) {
	o, err := a.target(ctx)
	if err != nil {
		return nil, err
	}
	return o.versioned()
}
