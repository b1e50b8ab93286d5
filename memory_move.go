package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"reverie/agent"
	"reverie/memstore"
	"reverie/memstore/files"
	"reverie/memstore/guard"
	"reverie/tui/render"
)

// importRow is a line of reverie memory import. Fields that it does not name,
// such as those of an exported entry, are passed over.
type importRow struct {
	Key         *string `json:"key"`
	Value       *string `json:"value"`
	Description string  `json:"description"`
	Kind        string  `json:"kind"`
	Updated     string  `json:"updated"`

	Scope     memstore.Scope `json:"scope"`     // of an exported entry: must be the one that it goes to
	Forgotten bool           `json:"forgotten"` // of an exported entry
	Recorded  string         `json:"recorded"`  // of a revision, which is no row
}

// importReport is the answer to reverie memory import.
type importReport struct {
	Saved     int           `json:"saved"`
	Unchanged int           `json:"unchanged"`
	Refused   []refusedLine `json:"refused"`
}

type refusedLine struct {
	Line  int    `json:"line"`
	Key   string `json:"key"`
	Error string `json:"error"`
}

func (r *importReport) refuse(line int, key string, err error) {
	r.Refused = append(r.Refused, refusedLine{line, guard.Mask(key), err.Error()})
}

func (a *app) importCommand() *cobra.Command {
	var dry, revive bool
	cmd := &cobra.Command{
		Use: "import FILE|DIR|-", Short: "Take entries over from JSON lines, a folder or another program", Args: argCount(1, 1),
		Long: `Take entries over from JSON lines, one entry a line:

  {"key":"deploy/day","value":"Fridays only","description":"…","kind":"convention","updated":"2026-03-01T10:00:00Z"}

Only key and value are needed. What can be saved is; lines that are refused are
listed, and then the exit code is 5. Lines written by export --history bring
their whole history.

DIR is a folder of Markdown memories, such as malac's or Claude's. FILE may also
be mecatl's memory.json, with its history, or a thread's state with notes.
--dry-run shows what would be taken over and saves nothing.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			s, err := a.target(ctx)
			if err != nil {
				return err
			}
			if foreign(args[0]) {
				return a.takeOver(ctx, s, args[0], dry, revive)
			}
			b, source, err := a.readInput(args[0])
			if err != nil {
				return err
			}
			var report importReport
			switch {
			case dry:
				return a.previewRows(b, source)
			case isHistory(b):
				report, err = importHistory(ctx, s, b)
			default:
				report, err = a.importRows(ctx, s, b, source, revive)
			}
			if err != nil {
				return err
			}
			return a.reportImport(report)
		},
	}
	cmd.Flags().BoolVar(&dry, "dry-run", false, "show what would be taken over, save nothing")
	cmd.Flags().BoolVar(&revive, "revive", false, "bring keys back that you forgot")
	return cmd
}

// readInput reads a file, or standard input for "-".
func (a *app) readInput(name string) (b []byte, source string, err error) {
	if name == "-" {
		b, err = io.ReadAll(a.in)
		source = "standard input"
	} else {
		b, err = os.ReadFile(name)
		source = filepath.Base(name)
	}
	if err != nil {
		return nil, "", fmt.Errorf("read %s: %w", name, err)
	}
	return bytes.TrimPrefix(b, []byte("\ufeff")), source, nil
}

// isHistory reports whether the first line is a revision.
func isHistory(b []byte) bool {
	line, _, _ := bytes.Cut(bytes.TrimLeft(b, " \t\r\n"), []byte("\n"))
	var r struct {
		Op       string `json:"op"`
		Recorded string `json:"recorded"`
	}
	return json.Unmarshal(line, &r) == nil && r.Op != "" && r.Recorded != ""
}

func importHistory(ctx context.Context, s opened, b []byte) (importReport, error) {
	db, err := s.versioned()
	if err != nil {
		return importReport{}, err
	}
	h, err := db.ImportHistory(ctx, bytes.NewReader(b))
	if err != nil {
		return importReport{}, err
	}
	r := importReport{Saved: h.Saved, Unchanged: h.Unchanged, Refused: []refusedLine{}}
	for _, l := range h.Refused {
		r.refuse(l.Line, l.Key, l.Err)
	}
	return r, nil
}

// rows are what an import is to save, with the line that each is on.
type rows struct {
	requests []memstore.RememberRequest
	lines    []int
}

// readRows reads JSON lines; what is no row is refused in the report.
func readRows(b []byte, scope memstore.Scope, source string, report *importReport) rows {
	var rs rows
	for n, line := range bytes.Split(b, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		r, key, err := parseImportRow(line, scope)
		if err != nil {
			report.refuse(n+1, key, err)
			continue
		}
		r.Provenance = memstore.Provenance{Writer: memstore.ByFile, Origin: memstore.Imported, Source: source}
		rs.requests, rs.lines = append(rs.requests, r), append(rs.lines, n+1)
	}
	return rs
}

func (a *app) importRows(ctx context.Context, s opened, b []byte, source string, revive bool) (importReport, error) {
	report := importReport{Refused: []refusedLine{}}
	rs := readRows(b, s.Scope(), source, &report)
	return report, a.saveRows(ctx, s, rs, revive, &report)
}

// saveRows saves what can be saved and counts it.
func (a *app) saveRows(ctx context.Context, s opened, rs rows, revive bool, report *importReport) error {
	for i := range rs.requests {
		rs.requests[i].Revive = revive
	}
	outcomes, err := s.rememberAll(ctx, rs.requests, a.progress("rows"))
	if err != nil {
		return err
	}
	for i, o := range outcomes {
		var gone *memstore.ForgottenError
		switch {
		case errors.As(o.Err, &gone):
			report.refuse(rs.lines[i], rs.requests[i].Key, errors.New("you forgot this key; --revive brings it back"))
		case o.Err != nil:
			report.refuse(rs.lines[i], rs.requests[i].Key, o.Err)
		case o.Mutation.Changed:
			report.Saved++
		default:
			report.Unchanged++
		}
	}
	slices.SortStableFunc(report.Refused, func(x, y refusedLine) int { return cmp.Compare(x.Line, y.Line) })
	return nil
}

// rememberAll saves many entries, in one transaction where the store can.
func (o opened) rememberAll(ctx context.Context, rs []memstore.RememberRequest, tell func(done, total int)) ([]memstore.Outcome, error) {
	if o.db != nil {
		return o.db.RememberAll(ctx, rs, func(done int) { tell(done, len(rs)) })
	}
	var outcomes []memstore.Outcome
	for i, r := range rs {
		m, err := o.Remember(ctx, r)
		if ctx.Err() != nil {
			return outcomes, ctx.Err()
		}
		outcomes = append(outcomes, memstore.Outcome{Mutation: m, Err: err})
		tell(i+1, len(rs))
	}
	return outcomes, nil
}

// parseImportRow reads one line. The key is returned with an error too, where
// it could be read.
func parseImportRow(line []byte, scope memstore.Scope) (memstore.RememberRequest, string, error) {
	var row importRow
	if bytes.Contains(line, []byte(`\ud`)) || bytes.Contains(line, []byte(`\uD`)) {
		if err := surrogates(line); err != nil {
			return memstore.RememberRequest{}, "", err
		}
	}
	if err := json.Unmarshal(line, &row); err != nil {
		key := ""
		if row.Key != nil {
			key = *row.Key
		}
		var te *json.UnmarshalTypeError
		if errors.As(err, &te) && te.Field != "" {
			return memstore.RememberRequest{}, key, fmt.Errorf("%s is a JSON %s, not text", te.Field, te.Value)
		}
		return memstore.RememberRequest{}, key, errors.New("the line is no JSON object with key and value")
	}
	if row.Key == nil || row.Value == nil {
		key := ""
		if row.Key != nil {
			key = *row.Key
		}
		return memstore.RememberRequest{}, key, errors.New("the line lacks key or value")
	}
	r := memstore.RememberRequest{Key: *row.Key, Value: *row.Value, Description: row.Description, Kind: memstore.Kind(row.Kind)}
	switch {
	case row.Recorded != "":
		return r, r.Key, errors.New("the line is of a history; a file of a history holds nothing else, from its first line on")
	case row.Forgotten:
		return r, r.Key, errors.New("the row is of a forgotten entry; import its history instead")
	case row.Scope != "" && row.Scope != scope:
		return r, r.Key, fmt.Errorf("the row is of the %s memory; import it with --scope %s", row.Scope, row.Scope)
	}
	if scope != memstore.Project {
		r.Kind = ""
	}
	if row.Updated != "" {
		t, err := parseTime(row.Updated)
		if err != nil {
			return r, r.Key, err
		}
		r.Updated = t
	}
	return r, r.Key, nil
}

// parseTime reads RFC 3339, or a date and time without a zone, which is UTC.
func parseTime(s string) (time.Time, error) {
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02"} {
		if t, err := time.Parse(layout, s); err == nil {
			if t.IsZero() {
				break // the store takes it for "now"
			}
			return t.UTC(), nil
		}
	}
	return time.Time{}, errors.New("updated is no time such as 2026-03-01T10:00:00Z")
}

// progress tells how far a long job is, once a second after the first.
func (a *app) progress(what string) func(done, total int) {
	last := time.Now()
	return func(done, total int) {
		if time.Since(last) < time.Second {
			return
		}
		last = time.Now()
		a.say("reverie: %d of %d %s", done, total, what)
	}
}

func (a *app) reportImport(r importReport) error {
	if a.flags.json {
		if err := a.json(r); err != nil {
			return err
		}
	} else {
		a.printf("%d saved, %d unchanged, %d refused\n", r.Saved, r.Unchanged, len(r.Refused))
		for _, l := range r.Refused {
			a.printf("line %d  %s  %s\n", l.Line, oneLine(l.Key, 60), l.Error)
		}
	}
	if len(r.Refused) > 0 {
		return said(&deniedError{fmt.Sprintf("%d lines were refused", len(r.Refused))})
	}
	return nil
}

func (a *app) exportCommand() *cobra.Command {
	var withHistory bool
	cmd := &cobra.Command{
		Use: "export", Short: "Print entries as JSON lines, which import takes", Args: argCount(0, 0),
		Example: "  reverie memory export --history > memory.jsonl\n  reverie memory import memory.jsonl",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			s, err := a.target(ctx)
			if err != nil {
				return err
			}
			out := bufio.NewWriter(a.out)
			if withHistory {
				db, err := s.versioned()
				if err != nil {
					return err
				}
				if _, err := db.ExportHistory(ctx, out); err != nil {
					return err
				}
				return out.Flush()
			}
			all, err := s.List(ctx, memstore.ListOptions{Limit: int(a.flags.limit)})
			if err != nil {
				return err
			}
			enc := json.NewEncoder(out)
			enc.SetEscapeHTML(false)
			for _, e := range all {
				if err := enc.Encode(e); err != nil {
					return fmt.Errorf("write the export: %w", err)
				}
			}
			return out.Flush()
		},
	}
	cmd.Flags().BoolVar(&withHistory, "history", false, "every revision of every key, forgotten ones too")
	return cmd
}

func (a *app) restoreCommand() *cobra.Command {
	return &cobra.Command{
		Use: "restore KEY VERSION", Short: "Bring an earlier state of an entry back, as history shows them", Args: argCount(2, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.history(cmd.Context())
			if err != nil {
				return err
			}
			m, err := s.Restore(cmd.Context(), memstore.RestoreRequest{
				Key: args[0], To: memstore.Version(args[1]), Provenance: byPerson(memstore.Restored),
			})
			if err != nil {
				return err
			}
			return a.changed(m)
		},
	}
}

func (a *app) adoptCommand() *cobra.Command {
	return &cobra.Command{
		Use: "adopt OLD-ROOT", Short: "Take over the memory of a project that was moved or renamed", Args: argCount(1, 1),
		Long: `Take over the memory of a project that was moved or renamed here from OLD-ROOT.
It is done only while nothing is remembered here; the old memory stays as it is.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			_, p, err := a.load()
			if err != nil {
				return err
			}
			old, err := filepath.Abs(args[0])
			if err != nil {
				return fmt.Errorf("adopt %s: %w", args[0], err)
			}
			dir := filepath.Join(p.data, "projects", digest(old))
			if _, err := os.Stat(filepath.Join(dir, memstore.FileName)); err != nil {
				return &notFoundError{"nothing is remembered of a project in " + old}
			}
			s, err := a.history(ctx)
			if err != nil {
				return err
			}
			got, err := s.Adopt(ctx, dir)
			if err != nil {
				return err
			}
			if a.flags.json {
				return a.json(got)
			}
			a.printf("adopted  %d entries with %d revisions from %s\n", got.Entries, got.Revisions, old)
			return nil
		},
	}
}

func (a *app) purgeCommand() *cobra.Command {
	var yes bool
	cmd := &cobra.Command{
		Use: "purge KEY", Short: "Erase an entry for good, with its history and every trace kept here", Args: argCount(1, 1),
		Long: `Erase an entry for good: its value, descriptions and sources in every revision,
in receipts, and in the messages of conversations that carried them. A marker
without text remains, so that an old file can't bring it back.

Out of reach are git history, the servers of model providers, and backups.`,
		RunE: func(cmd *cobra.Command, args []string) error { return a.purge(cmd.Context(), args[0], yes) },
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func (a *app) purge(ctx context.Context, key string, yes bool) error {
	o, err := a.target(ctx)
	if err != nil {
		return err
	}
	s, err := o.versioned()
	if err != nil {
		return fmt.Errorf("%w; there, forget deletes the file", err)
	}
	revs, err := s.History(ctx, key)
	if err != nil {
		return err
	}
	if !yes {
		if err := a.confirm(fmt.Sprintf("Erase %s %s and its %s for good?", s.Scope(), revs[0].Key, render.Count(len(revs), "revision", "revisions"))); err != nil {
			return err
		}
	}
	done, err := a.purgeEverywhere(ctx, s, revs)
	if err != nil {
		return err
	}
	if o.mirror != nil {
		r, err := o.mirror.Sync(ctx, files.SyncOptions{})
		if err != nil {
			return err
		}
		for _, x := range r.Leftover {
			if x.Key == done.Key {
				done.Leftover = append(done.Leftover, filepath.Join(o.mirror.Dir(), x.Path))
			}
		}
	}
	texts, err := a.leftovers(s, revs)
	if err != nil {
		return err
	}
	for _, path := range texts {
		if !slices.Contains(done.Leftover, path) {
			done.Leftover = append(done.Leftover, path)
		}
	}
	if a.flags.json {
		if err := a.json(done); err != nil {
			return err
		}
	} else {
		a.printf("purged  %s %s: %s, %s, %s\n", s.Scope(), done.Key, render.Count(done.Revisions, "revision", "revisions"),
			render.Count(len(done.Receipts), "receipt", "receipts"), render.Count(done.Messages, "message", "messages"))
		a.say("Out of reach: git history, the servers of model providers, backups, and copies that other programs made.")
		for _, k := range done.Elsewhere {
			a.say("The same text stands in %s too; it was left alone.", k)
		}
	}
	switch {
	case len(done.Leftover) > 0:
		return fmt.Errorf("pending: the text still stands in %s; delete it there, or let reverie write there and purge again", strings.Join(done.Leftover, ", "))
	case done.Pending:
		return fmt.Errorf("pending: another process still holds old pages of %s; what was erased may be in its log until that process ends, and the next write after that removes it", s.Location())
	}
	return nil
}

// certain is how many bytes a text must have to be told from others that
// happen to hold it.
const certain = 8

// leftovers are files beside the database and in the folder of memory files
// that still hold a text that was erased: copies that a repair made, and files
// that were not taken or could not be written.
func (a *app) leftovers(s *memstore.DB, revs []memstore.Revision) ([]string, error) {
	_, p, err := a.load()
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	for _, r := range revs {
		for _, t := range []string{strings.TrimSpace(r.Value), strings.TrimSpace(r.Description)} {
			if len(t) >= certain {
				texts = append(texts, []byte(t))
			}
		}
	}
	found := []string{}
	look := func(path string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case !d.Type().IsRegular() || live(d.Name()):
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("looking for what was erased in %s: %w", path, err)
		}
		if slices.ContainsFunc(texts, func(t []byte) bool { return bytes.Contains(b, t) }) {
			found = append(found, path)
		}
		return nil
	}
	folder := p.folder(s.Scope())
	dirs := []string{filepath.Dir(s.Location()), folder}
	if s.Scope() == memstore.Project {
		dirs[1] = filepath.Dir(folder) // REVERIE.md lies beside it
	}
	for _, dir := range dirs {
		if err := filepath.WalkDir(dir, look); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// live are the databases in use, which are erased from by themselves.
func live(name string) bool {
	for _, db := range []string{memstore.FileName, "threads.db", files.BaseName} {
		if name == db || name == db+"-wal" || name == db+"-shm" {
			return true
		}
	}
	return false
}

// confirm asks a person to type yes. Where nobody is there to ask, because the
// input is empty, the command itself is what they said.
func (a *app) confirm(question string) error {
	if terminal(a.in) {
		a.say("%s Type yes:", question)
	}
	answer, err := newLineReader(a.in).next()
	if errors.Is(err, io.EOF) && !terminal(a.in) {
		return nil
	}
	if err != nil || strings.TrimSpace(answer) != "yes" {
		return &deniedError{"not confirmed; nothing was erased"}
	}
	return nil
}

// purgeReport is what a purge erased, conversations included.
type purgeReport struct {
	memstore.Purged
	Messages int `json:"messages"`
	// Leftover are files that still hold the text.
	Leftover []string `json:"leftover"`
}

// purgeEverywhere erases an entry from its store and from the conversations
// that carried it.
func (a *app) purgeEverywhere(ctx context.Context, s *memstore.DB, revs []memstore.Revision) (purgeReport, error) {
	var texts []string
	for _, r := range revs {
		texts = append(texts, r.Value, r.Description)
	}
	done, err := s.Purge(ctx, memstore.PurgeRequest{Key: revs[0].Key, Provenance: byPerson(memstore.Explicit)})
	report := purgeReport{Purged: done, Leftover: []string{}}
	if err != nil {
		return report, err
	}
	dirs, err := a.threadFolders(s.Scope())
	if err != nil {
		return report, err
	}
	for _, dir := range dirs {
		t, err := agent.OpenThreads(ctx, dir, agent.ThreadsOptions{Now: a.now})
		if err != nil {
			return report, err
		}
		r, err := t.Redact(ctx, s.Scope(), revs[0].Key, texts)
		err = errors.Join(err, t.Close())
		report.Messages += r.Messages
		report.Pending = report.Pending || r.Pending
		if err != nil {
			return report, err
		}
	}
	return report, nil
}

// threadFolders are the folders of conversations that may have carried a
// memory: this project's, or, of the user model, every project's.
func (a *app) threadFolders(scope memstore.Scope) ([]string, error) {
	_, p, err := a.load()
	if err != nil {
		return nil, err
	}
	pattern := filepath.Join(p.project, "threads.db")
	if scope == memstore.User {
		pattern = filepath.Join(p.data, "projects", "*", "threads.db")
	}
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("find the conversations of %s: %w", p.root, err)
	}
	for i := range files {
		files[i] = filepath.Dir(files[i])
	}
	return files, nil
}
