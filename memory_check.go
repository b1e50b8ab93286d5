package main

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"reverie/memstore"
	"reverie/tui/render"
)

func (a *app) checkCommand() *cobra.Command {
	var repair bool
	cmd := &cobra.Command{
		Use: "check", Short: "Verify every revision; --repair rebuilds or recovers", Args: argCount(0, 0),
		Long: `Verify everything that is kept: the file's structure, a checksum of every revision,
and that histories are whole. With --repair, what can be derived is rebuilt in
place; after real damage, everything sound is copied into a new file beside the
damaged one, which stays as it is.`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.check(cmd.Context(), repair) },
	}
	cmd.Flags().BoolVar(&repair, "repair", false, "rebuild what is derived, or recover what can be into a new file")
	return cmd
}

func (a *app) check(ctx context.Context, repair bool) error {
	st, p, err := a.load()
	if err != nil {
		return err
	}
	if st.text("memory.store") == "files" {
		return usagef("check verifies the database, and with memory.store = \"files\" there is none; reverie memory list names files that are no memories")
	}
	scopes, err := a.scopes(memstore.Project, memstore.User)
	if err != nil {
		return err
	}
	if scopes[0] == memstore.Thread {
		return usagef("--scope takes project or user here")
	}
	reports := []memstore.Report{}
	wrong := 0
	for _, scope := range scopes {
		r, err := memstore.CheckDir(ctx, a.storeOptions(p, scope), repair)
		if errors.Is(err, fs.ErrNotExist) {
			a.say("reverie: there is no %s memory yet", scope)
			continue
		}
		if err != nil {
			return err
		}
		reports = append(reports, r)
		if !r.OK && !r.Rebuilt {
			wrong++
		}
		if !a.flags.json {
			a.printReport(scope, r)
		}
	}
	if a.flags.json {
		if err := a.json(reports); err != nil {
			return err
		}
	}
	if wrong > 0 {
		return said(errors.New("the memory is damaged"))
	}
	return nil
}

func (a *app) printReport(scope memstore.Scope, r memstore.Report) {
	state := "in order"
	switch {
	case r.Rebuilt:
		state = "rebuilt"
	case !r.OK:
		state = "DAMAGED"
	}
	a.printf("%-7s  %s  %s: %s, %s\n", scope, r.Path, state, render.Count(r.Entries, "entry", "entries"), render.Count(r.Revisions, "revision", "revisions"))
	for _, p := range r.Problems {
		a.printf("         %s\n", p)
	}
	if len(r.Keys) > 0 {
		a.printf("         affected: %s\n", strings.Join(r.Keys, ", "))
	}
	rec := r.Recovered
	if rec == nil {
		if !r.OK && !r.Rebuilt {
			a.say("Recover what can be: reverie memory check --repair --scope %s", scope)
		}
		return
	}
	a.printf("         recovered %s and %s into %s\n", render.Count(rec.Entries, "entry", "entries"), render.Count(rec.Revisions, "revision", "revisions"), rec.Path)
	if len(rec.Lost) > 0 {
		a.printf("         lost: %s\n", strings.Join(rec.Lost, ", "))
	}
	if len(rec.Older) > 0 {
		a.printf("         without their newest state: %s\n", strings.Join(rec.Older, ", "))
	}
	a.printf("         %s\n", rec.Advice)
}
