package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"reverie/memstore"
	"reverie/memstore/files"
	"reverie/tui/render"
)

func (a *app) shareCommand() *cobra.Command {
	return &cobra.Command{
		Use: "share", Short: "Keep this memory as Markdown files too, to read, edit and commit", Args: argCount(0, 0),
		Long: `Make the folder .reverie/memory in the project and keep it in step with the
memory from now on: a change in a file becomes a revision, a new memory becomes a
file. With --scope user the folder is yours, in the configuration directory.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.syncFiles(cmd.Context(), true, files.SyncOptions{Restore: true})
		},
	}
}

func (a *app) syncCommand() *cobra.Command {
	var o files.SyncOptions
	cmd := &cobra.Command{
		Use: "sync", Short: "Bring memory and its files in step, and say what differs", Args: argCount(0, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.AcceptDeletions && o.Restore {
				return usagef("--accept-deletions and --restore exclude each other")
			}
			return a.syncFiles(cmd.Context(), false, o)
		},
	}
	cmd.Flags().BoolVar(&o.Restore, "restore", false, "write the files that are gone again")
	cmd.Flags().BoolVar(&o.AcceptDeletions, "accept-deletions", false, "forget the memories whose files are gone")
	return cmd
}

// syncFiles keeps one memory in step with its folder; share makes the folder.
func (a *app) syncFiles(ctx context.Context, share bool, o files.SyncOptions) error {
	st, p, err := a.load()
	if err != nil {
		return err
	}
	scopes, err := a.scopes(memstore.Project)
	if err != nil {
		return err
	}
	scope := scopes[0]
	if scope == memstore.Thread {
		return usagef("--scope takes project or user here")
	}
	dir := p.folder(scope)
	switch {
	case st.text("memory.store") == "files":
		return usagef("with memory.store = \"files\" the files in %s are the memory; there is nothing to keep in step", dir)
	case st.text("memory.files") == "off":
		return usagef("memory.files is off; set it to auto to keep files")
	}
	if share {
		mode := os.FileMode(0o755) // the project's, to be committed
		if scope == memstore.User {
			mode = 0o700
		}
		if err := os.MkdirAll(dir, mode); err != nil {
			return fmt.Errorf("make the folder of memory files: %w", err)
		}
	} else if _, err := os.Stat(dir); err != nil {
		return &notFoundError{"there is no folder " + dir + "; reverie memory share makes it"}
	}
	db, err := a.openDB(ctx, p, scope)
	if err != nil {
		return err
	}
	m, err := a.newMirror(ctx, p, db)
	if err != nil {
		return err
	}
	a.cleanup = append(a.cleanup, m.Close)
	r, err := m.Sync(ctx, o)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.json(r)
	}
	a.printSync(dir, r)
	if share && scope == memstore.Project {
		a.say("Commit %s and %s to share them.", shown(p.root, dir), shown(p.root, filepath.Join(filepath.Dir(dir), "REVERIE.md")))
	}
	return nil
}

// shown is a path as seen from a root, where it lies below.
func shown(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && !strings.HasPrefix(rel, "..") {
		return rel
	}
	return path
}

func (a *app) printSync(dir string, r files.SyncReport) {
	a.printf("%s: %s\n", dir, render.Count(r.Files, "file", "files"))
	for _, x := range []struct {
		what string
		keys []string
	}{
		{"imported", r.Imported}, {"written", r.Written}, {"forgotten", r.Forgotten}, {"removed", r.Removed},
	} {
		for _, k := range x.keys {
			a.printf("%-10s  %s\n", x.what, k)
		}
	}
	for _, x := range []struct {
		what string
		held []files.Held
	}{{"gone, kept", r.Deletions}, {"held back", r.Held}} {
		for _, h := range x.held {
			a.printf("%-10s  %s  %s\n", x.what, h.Path, h.Reason)
		}
	}
	for _, x := range r.Refused {
		a.printf("%-10s  %s  %s\n", "no memory", x.Path, x.Reason)
	}
	if len(r.Deletions) > 0 {
		a.say("Forget what is gone: reverie memory sync --accept-deletions. Write it again: reverie memory sync --restore")
	}
	if r.ReadOnly != "" {
		a.say("reverie: the files can't be written: %s", r.ReadOnly)
	}
}
