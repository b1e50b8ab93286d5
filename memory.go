package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"reverie/memstore"
	"reverie/tui/render"
)

// memoryCommand is reverie memory and what is below it; list is the default.
func (a *app) memoryCommand() *cobra.Command {
	top := &cobra.Command{
		Use:   "memory",
		Short: "Look at, search and change what is remembered",
		Long: `Look at, search and change what is remembered.

Reading commands look at the project's memory and at yours; --scope chooses one.
Writing commands change the project's memory unless --scope user is given.
Every change keeps the state before it: see history, undo and restore.`,
		Example: `  reverie memory add deploy/day "We deploy on Fridays only" --kind convention
  reverie memory search deploy
  reverie memory list --json | jq -r '.[].key'`,
		Args: unknownSubcommandArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.memoryList(cmd.Context(), "") },
	}
	a.subFlags(top)
	list := &cobra.Command{
		Use: "list [PREFIX]", Short: "List what is remembered (the default)", Args: argCount(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.memoryList(cmd.Context(), strings.Join(args, ""))
		},
	}
	search := &cobra.Command{
		Use: "search QUERY…", Short: "Find entries by words; - reads a query a line", Args: argCount(1, -1),
		Long: `Find entries by words, best first. The query is plain words: no character in it
has a special meaning. With - and --json, each line of standard input is a query
and each line of the answer is an array.`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.memorySearch(cmd.Context(), args) },
	}
	show := &cobra.Command{
		Use: "show KEY", Short: "Show one entry, with who wrote it, when and why", Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.memoryShow(cmd.Context(), args[0]) },
	}
	history := &cobra.Command{
		Use: "history KEY", Short: "Show every state of an entry, newest first", Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return a.memoryHistory(cmd.Context(), args[0]) },
	}
	where := &cobra.Command{
		Use: "where", Short: "Say where memory is kept", Args: argCount(0, 0),
		RunE: func(cmd *cobra.Command, args []string) error { return a.memoryWhere(cmd.Context()) },
	}
	index := &cobra.Command{
		Use: "index", Short: "Print the index that a model is given at the start of a session", Args: argCount(0, 0),
		RunE: func(cmd *cobra.Command, args []string) error { return a.memoryIndex(cmd.Context()) },
	}
	top.AddCommand(index, list, search, show, history, where, a.addCommand(), a.forgetCommand(), a.undoCommand(),
		a.restoreCommand(), a.purgeCommand(), a.importCommand(), a.exportCommand(), a.adoptCommand(), a.checkCommand(), a.shareCommand(), a.syncCommand(), a.reindexCommand())
	return top
}

func unknownSubcommandArgs(cmd *cobra.Command, args []string) error {
	return unknownSubcommand(cmd, args)
}

// subFlags adds the flags that all subcommands share.
func (a *app) subFlags(cmd *cobra.Command) {
	f := cmd.PersistentFlags()
	f.StringVar(&a.flags.scope, "scope", "", "`SCOPE`: project or user; to read also thread, the notes of the latest conversation")
	f.UintVar(&a.flags.limit, "limit", 0, "at most `N` results (0: all; for search 10)")
	f.BoolVar(&a.flags.json, "json", false, "answer in JSON")
}

func (a *app) memoryList(ctx context.Context, prefix string) error {
	stores, err := a.stores(ctx, memstore.Project, memstore.User)
	if err != nil {
		return err
	}
	all := []memstore.Entry{}
	for _, s := range stores {
		es, err := s.List(ctx, memstore.ListOptions{Prefix: prefix, Limit: int(a.flags.limit)})
		if err != nil {
			return err
		}
		all = append(all, es...)
	}
	if limit := int(a.flags.limit); limit > 0 && len(all) > limit {
		all = all[:limit]
	}
	if a.flags.json {
		return a.json(all)
	}
	if len(all) == 0 {
		a.say("Nothing is remembered%s yet. Add something: reverie memory add KEY VALUE", under(prefix))
		return nil
	}
	wide := 0
	for _, e := range all {
		wide = max(wide, min(render.Width(e.Key), 40))
	}
	for _, e := range all {
		pad := strings.Repeat(" ", max(0, wide-render.Width(e.Key)))
		a.printf("%-7s  %s%s  %s\n", e.Scope, e.Key, pad, oneLine(e.Summary(), 100))
	}
	return nil
}

func under(prefix string) string {
	if prefix == "" {
		return ""
	}
	return " under " + prefix
}

// found is a search's hit in the shape that --json documents.
type found struct {
	Scope       memstore.Scope   `json:"scope"`
	Key         string           `json:"key"`
	Description string           `json:"description"`
	Snippet     string           `json:"snippet"`
	Score       float64          `json:"score"`
	Version     memstore.Version `json:"version"`
}

func (a *app) memorySearch(ctx context.Context, args []string) error {
	stores, err := a.stores(ctx, memstore.Project, memstore.User)
	if err != nil {
		return err
	}
	find, err := a.searcher(ctx, stores)
	if err != nil {
		return err
	}
	if len(args) == 1 && args[0] == "-" {
		return a.eachLine(ctx, func(line string) error {
			hits, err := find(line)
			if err != nil {
				return err
			}
			if a.flags.json {
				return a.jsonLine(hits)
			}
			a.printf("%s\n", line)
			a.printHits(hits)
			return nil
		})
	}
	hits, err := find(strings.Join(args, " "))
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.json(hits)
	}
	if len(hits) == 0 {
		a.say("Nothing matches.")
		return nil
	}
	a.printHits(hits)
	return nil
}

func (a *app) printHits(hits []found) {
	for _, h := range hits {
		a.printf("%-7s  %s\n         %s\n", h.Scope, h.Key, h.Snippet)
	}
}

// searcher finds entries in the memories that a search looks at: by words, and
// by meaning where that is configured.
func (a *app) searcher(ctx context.Context, stores []opened) (func(query string) ([]found, error), error) {
	limit := int(a.flags.limit)
	if limit == 0 {
		limit = 10
	}
	x, err := a.semanticOver(stores)
	if err != nil {
		return nil, err
	}
	if x != nil {
		a.catchUpLater(ctx, x)
		return func(query string) ([]found, error) {
			hits, err := x.Joined(ctx, query, limit)
			return shapes(hits), err
		}, nil
	}
	return func(query string) ([]found, error) {
		var all []memstore.Hit
		for _, s := range stores {
			hits, err := s.Search(ctx, query, limit)
			if err != nil {
				return nil, err
			}
			all = append(all, hits...)
		}
		if len(stores) > 1 {
			sortHits(query, all)
		}
		return shapes(all[:min(limit, len(all))]), nil
	}, nil
}

func shapes(hits []memstore.Hit) []found {
	out := make([]found, len(hits))
	for i, h := range hits {
		out[i] = found{h.Entry.Scope, h.Entry.Key, h.Entry.Summary(), h.Snippet, h.Score, h.Entry.Version}
	}
	return out
}

func (a *app) memoryShow(ctx context.Context, key string) error {
	stores, err := a.stores(ctx, memstore.Project, memstore.User)
	if err != nil {
		return err
	}
	e, err := recall(ctx, stores, key)
	if err != nil {
		return err
	}
	if a.flags.json {
		return a.json(e)
	}
	value := strings.TrimRight(e.Value, "\n")
	if a.tty {
		value = render.Clean(value)
	}
	fmt.Fprintln(a.out, value) // byte for byte to a file or a pipe
	a.say("")
	a.sayAbout(e)
	return nil
}

// recall finds a key in the first store that has it.
func recall(ctx context.Context, stores []opened, key string) (memstore.Entry, error) {
	var first error
	for _, s := range stores {
		e, err := s.Recall(ctx, key)
		if err == nil {
			return e, nil
		}
		var nf *memstore.NotFoundError
		if !errors.As(err, &nf) {
			return e, err
		}
		if first == nil || nf.Forgotten {
			first = err
		}
	}
	return memstore.Entry{}, first
}

func (a *app) sayAbout(e memstore.Entry) {
	if e.Description != "" {
		a.say("about    %s", e.Description)
	}
	kind := ""
	if e.Kind != "" {
		kind = ", " + string(e.Kind)
	}
	a.say("key      %s (%s%s)", e.Key, e.Scope, kind)
	a.say("by       %s, %s, %s", e.Provenance.Writer, e.Provenance.Origin, e.Updated.Local().Format("2 Jan 2006 15:04"))
	if from := provenanceDetail(e.Provenance); from != "" {
		a.say("from     %s", from)
	}
	a.say("version  %s", e.Version)
}

func provenanceDetail(p memstore.Provenance) string {
	var parts []string
	for _, d := range []struct{ name, v string }{
		{"thread", p.Thread}, {"tool", p.Tool}, {"model", p.Model}, {"plan", p.Plan}, {"source", p.Source},
	} {
		if d.v != "" {
			parts = append(parts, d.name+" "+d.v)
		}
		if d.name == "thread" && p.Turn > 0 {
			parts = append(parts, fmt.Sprintf("turn %d", p.Turn))
		}
	}
	return strings.Join(parts, ", ")
}

func (a *app) memoryHistory(ctx context.Context, key string) error {
	stores, err := a.stores(ctx, memstore.Project, memstore.User)
	if err != nil {
		return err
	}
	revs, err := revisions(ctx, stores, key)
	if err != nil {
		return err
	}
	if limit := int(a.flags.limit); limit > 0 && len(revs) > limit {
		revs = revs[:limit]
	}
	if a.flags.json {
		return a.json(revs)
	}
	for i, r := range revs {
		state := oneLine(r.Value, 100)
		switch {
		case r.Purged:
			state = "(purged)"
		case r.Forgotten:
			state = "(forgotten)"
		}
		a.printf("%3d  %s  %-8s %-6s %-12s %s  %s\n", len(revs)-i, r.Version, r.Op, r.Provenance.Writer, r.Provenance.Origin,
			r.Recorded.Local().Format("2 Jan 2006 15:04"), state)
	}
	return nil
}

func revisions(ctx context.Context, stores []opened, key string) ([]memstore.Revision, error) {
	var first error
	for _, s := range stores {
		db, err := s.versioned()
		if err != nil {
			return nil, err
		}
		revs, err := db.History(ctx, key)
		if err == nil {
			return revs, nil
		}
		var nf *memstore.NotFoundError
		if !errors.As(err, &nf) {
			return nil, err
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func (a *app) memoryWhere(ctx context.Context) error {
	stores, err := a.stores(ctx, memstore.Project, memstore.User)
	if err != nil {
		return err
	}
	_, p, err := a.load()
	if err != nil {
		return err
	}
	type row struct {
		Scope    memstore.Scope `json:"scope"`
		Location string         `json:"location"`
		Entries  int            `json:"entries"`
		Root     string         `json:"root,omitempty"`
	}
	rows := []row{}
	for _, s := range stores {
		n, err := s.Count(ctx)
		if err != nil {
			return err
		}
		r := row{Scope: s.Scope(), Location: s.Location(), Entries: n}
		if r.Scope == memstore.Project {
			r.Root = p.root
		}
		rows = append(rows, r)
	}
	if a.flags.json {
		return a.json(rows)
	}
	for _, r := range rows {
		a.printf("%-7s  %s  (%s)\n", r.Scope, r.Location, render.Count(r.Entries, "entry", "entries"))
		if r.Root != "" {
			a.printf("         of the project in %s\n", r.Root)
		}
	}
	return nil
}

// memoryIndex prints what a session that begins now would tell the model.
func (a *app) memoryIndex(ctx context.Context) error {
	c, err := a.bareConversation(ctx)
	if err != nil {
		return err
	}
	p := c.Index()
	if a.flags.json {
		return a.json(p)
	}
	a.printf("%s", strings.TrimPrefix(p.Text, "\n"))
	return nil
}

// byPerson is the provenance of what someone does on the command line.
func byPerson(o memstore.Origin) memstore.Provenance {
	return memstore.Provenance{Writer: memstore.ByUser, Origin: o, Source: "command line"}
}

func (a *app) addCommand() *cobra.Command {
	var description, kind, expected string
	cmd := &cobra.Command{
		Use: "add KEY [VALUE|-]", Short: "Save an entry; - or nothing reads the value from standard input", Args: argCount(1, 2),
		Long: `Save an entry. What was there before stays in its history.

Keys are 1 to 128 bytes: segments separated by /, each beginning with a letter or
digit, then letters, digits, _, - and dots. Values hold up to 64 KiB.`,
		Example: `  reverie memory add deploy/day "We deploy on Fridays only" --kind convention
  reverie memory add user/editor "Prefers vim" --scope user
  reverie memory add runbook/restore - < restore.md`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			if cmd.Flags().Changed("expected-version") && expected == "" {
				return usagef("--expected-version takes a version, or none; it is empty")
			}
			k, err := parseKind(kind)
			if err != nil {
				return err
			}
			value, err := a.valueArg(args)
			if err != nil {
				return err
			}
			s, err := a.target(ctx)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("description") {
				// The same value again changes nothing; another may not fit the
				// description any more.
				if e, err := s.Recall(ctx, args[0]); err == nil && e.Value == value {
					description = e.Description
				}
			}
			m, err := s.Remember(ctx, memstore.RememberRequest{
				Key: args[0], Value: value, Description: description, Kind: k,
				Expected: memstore.Version(expected), Provenance: byPerson(memstore.Explicit),
			})
			if err != nil {
				return err
			}
			return a.changed(m)
		},
	}
	cmd.Flags().StringVar(&description, "description", "", "one `LINE` for the index, up to 512 bytes")
	cmd.Flags().StringVar(&kind, "kind", "", "`KIND`: command, convention, gotcha, decision or note")
	cmd.Flags().StringVar(&expected, "expected-version", "", "save only if `VERSION` is current; none: only create")
	return cmd
}

func parseKind(s string) (memstore.Kind, error) {
	var names []string
	for _, k := range memstore.Kinds {
		if s == string(k) || s == "" {
			return memstore.Kind(s), nil
		}
		names = append(names, string(k))
	}
	return "", usagef("--kind %q: it takes %s%s", s, strings.Join(names, ", "), nearestHint(s, names))
}

// valueArg is the value given, or what is piped in.
func (a *app) valueArg(args []string) (string, error) {
	if len(args) == 2 && args[1] != "-" {
		return args[1], nil
	}
	if len(args) < 2 && terminal(a.in) {
		return "", usagef("reverie memory add takes a value, or - to read it from standard input")
	}
	// One byte over the limit is enough for the store to refuse it with its size.
	b, err := io.ReadAll(a.in)
	if err != nil {
		return "", fmt.Errorf("read the value from standard input: %w", err)
	}
	return strings.TrimSuffix(string(b), "\n"), nil
}

func (a *app) forgetCommand() *cobra.Command {
	var expected string
	cmd := &cobra.Command{
		Use: "forget KEY", Short: "Forget an entry; its history stays, and undo brings it back", Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			s, err := a.target(ctx)
			if err != nil {
				return err
			}
			v := memstore.Version(expected)
			if v == "" {
				e, err := s.Recall(ctx, args[0])
				if err != nil {
					return a.elsewhere(ctx, args[0], err)
				}
				v = e.Version
			}
			m, err := s.Forget(ctx, memstore.ForgetRequest{Key: args[0], Expected: v, Provenance: byPerson(memstore.Explicit)})
			if err != nil {
				return err
			}
			return a.changed(m)
		},
	}
	cmd.Flags().StringVar(&expected, "expected-version", "", "only if `VERSION` is current")
	return cmd
}

func (a *app) undoCommand() *cobra.Command {
	var expected string
	cmd := &cobra.Command{
		Use: "undo KEY", Short: "Take the last change of an entry back; again: the one before it", Args: argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			s, err := a.history(ctx)
			if err != nil {
				return err
			}
			v := memstore.Version(expected)
			if v == "" {
				revs, err := s.History(ctx, args[0])
				if err != nil {
					return a.elsewhere(ctx, args[0], err)
				}
				v = revs[0].Version
			}
			m, err := s.Undo(ctx, memstore.UndoRequest{Key: args[0], Expected: v, Provenance: byPerson(memstore.Undone)})
			if err != nil {
				return err
			}
			return a.changed(m)
		},
	}
	cmd.Flags().StringVar(&expected, "expected-version", "", "only if `VERSION` is current")
	return cmd
}

// elsewhere adds to an error that a key is not in the project's memory that
// the user's has it.
func (a *app) elsewhere(ctx context.Context, key string, err error) error {
	var none *memstore.NotFoundError
	if a.flags.scope != "" || !errors.As(err, &none) || none.Forgotten {
		return err
	}
	_, p, lerr := a.load()
	if lerr != nil {
		return err
	}
	user, oerr := a.open(ctx, p, memstore.User)
	if oerr != nil {
		return err
	}
	if _, rerr := user.Recall(ctx, key); rerr != nil {
		return err
	}
	return fmt.Errorf("%w; the user model has it: add --scope user", err)
}

// changed prints what a change did.
func (a *app) changed(m memstore.Mutation) error {
	for _, n := range m.Notes {
		a.say("reverie: %s", n)
	}
	if a.flags.json {
		return a.json(m.Entry)
	}
	e := m.Entry
	switch {
	case !m.Changed:
		a.printf("unchanged   %s %s  %s\n", e.Scope, e.Key, e.Version)
	case e.Forgotten:
		a.printf("forgotten   %s %s  %s\n", e.Scope, e.Key, e.Version)
	case m.Op == memstore.OpUndo || m.Op == memstore.OpRestore:
		a.printf("restored    %s %s  %s\n            %s\n", e.Scope, e.Key, e.Version, oneLine(e.Value, 100))
	default:
		a.printf("remembered  %s %s  %s\n", e.Scope, e.Key, e.Version)
	}
	return nil
}

// eachLine calls f for each line of standard input, however long.
func (a *app) eachLine(ctx context.Context, f func(string) error) error {
	r := newLineReader(a.in)
	for {
		line, err := r.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read standard input: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f(line); err != nil {
			return err
		}
	}
}
