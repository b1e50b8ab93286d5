package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/tui/render"
)

// threadsCommand is reverie threads and what is below it; list is the default.
func (a *app) threadsCommand() *cobra.Command {
	var yes bool
	top := &cobra.Command{
		Use: "threads", Short: "List, show, move and delete conversations",
		Long: `Conversations of this project. THREAD is an id, or the beginning of one.`,
		Args: unknownSubcommandArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.threadsList(cmd.Context()) },
	}
	top.PersistentFlags().BoolVar(&a.flags.json, "json", false, "answer in JSON")
	top.PersistentFlags().UintVar(&a.flags.limit, "limit", 0, "at most `N` threads")
	sub := func(use, short string, least, most int, run func(context.Context, *agent.Threads, []string) error) {
		top.AddCommand(&cobra.Command{Use: use, Short: short, Args: argCount(least, most),
			RunE: func(cmd *cobra.Command, args []string) error {
				t, err := a.openThreads(cmd.Context())
				if err != nil {
					return err
				}
				return run(cmd.Context(), t, args)
			}})
	}
	top.PersistentFlags().BoolVar(&yes, "yes", false, "do not ask before deleting")
	top.AddCommand(&cobra.Command{Use: "list", Short: "List conversations, the latest first (the default)", Args: argCount(0, 0),
		RunE: func(cmd *cobra.Command, args []string) error { return a.threadsList(cmd.Context()) }})
	sub("show THREAD", "Print a conversation", 1, 1, a.threadsShow)
	sub("export THREAD", "Print a conversation as JSON, with its notes, to take elsewhere", 1, 1, a.threadsExport)
	sub("import FILE|-", "Take a conversation over that was exported", 1, 1, a.threadsImport)
	sub("rename THREAD TITLE", "Give a conversation another title", 2, 2, func(ctx context.Context, t *agent.Threads, args []string) error {
		i, err := t.Find(ctx, args[0])
		if err != nil {
			return err
		}
		return t.Rename(ctx, i.ID, args[1])
	})
	sub("delete THREAD", "Delete a conversation for good", 1, 1, func(ctx context.Context, t *agent.Threads, args []string) error {
		i, err := t.Find(ctx, args[0])
		if err != nil {
			return err
		}
		if !yes {
			if err := a.confirm(fmt.Sprintf("Delete the conversation %q for good?", oneLine(i.Title, 60))); err != nil {
				return err
			}
		}
		if err := t.Delete(ctx, i.ID); err != nil {
			return err
		}
		a.printf("deleted  %s  %s\n", i.ID, oneLine(i.Title, 80))
		return nil
	})
	return top
}

func (a *app) openThreads(ctx context.Context) (*agent.Threads, error) {
	_, p, err := a.load()
	if err != nil {
		return nil, err
	}
	t, err := agent.OpenThreads(ctx, p.project, agent.ThreadsOptions{Now: a.now, Warn: func(m string) { a.say("reverie: %s", m) }})
	if err != nil {
		return nil, err
	}
	a.cleanup = append(a.cleanup, t.Close)
	return t, nil
}

func (a *app) threadsList(ctx context.Context) error {
	t, err := a.openThreads(ctx)
	if err != nil {
		return err
	}
	all, err := t.List(ctx, int(a.flags.limit))
	if err != nil {
		return err
	}
	if a.flags.json {
		if all == nil {
			all = []agent.ThreadInfo{}
		}
		return a.json(all)
	}
	if len(all) == 0 {
		a.say("There is no conversation here yet. Start one: reverie")
		return nil
	}
	for _, i := range all {
		a.printf("%s  %s  %9s  %s\n", i.ID, i.Updated.Local().Format("2006-01-02 15:04"), render.Count(i.Turns, "turn", "turns"), oneLine(i.Title, 80))
	}
	return nil
}

func (a *app) threadsShow(ctx context.Context, t *agent.Threads, args []string) error {
	i, err := t.Find(ctx, args[0])
	if err != nil {
		return err
	}
	ms, err := t.Messages(ctx, i.ID)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.json(ms)
	}
	for _, m := range ms {
		switch m.Role {
		case model.User:
			a.printf("» %s\n\n", m.Text)
		case model.Assistant:
			if m.Text != "" {
				a.printf("« %s\n\n", m.Text)
			}
			for _, c := range m.Calls {
				a.printf("* %s %s\n", c.Name, oneLine(c.Arguments, 200))
			}
		}
	}
	return nil
}

func (a *app) threadsExport(ctx context.Context, t *agent.Threads, args []string) error {
	i, err := t.Find(ctx, args[0])
	if err != nil {
		return err
	}
	return t.Export(ctx, i.ID, a.out)
}

func (a *app) threadsImport(ctx context.Context, t *agent.Threads, args []string) error {
	in := a.in
	if args[0] != "-" {
		f, err := os.Open(args[0])
		if err != nil {
			return fmt.Errorf("import a thread: %w", err)
		}
		defer func() { _ = f.Close() }()
		in = f
	}
	b, err := io.ReadAll(in)
	if err != nil {
		return fmt.Errorf("import a thread from %s: %w", args[0], err)
	}
	i, err := t.Import(ctx, strings.NewReader(string(b)))
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.json(i)
	}
	a.printf("imported  %s  %s\n", i.ID, oneLine(i.Title, 80))
	return nil
}
