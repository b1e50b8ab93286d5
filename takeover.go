package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"reverie/memstore"
	"reverie/memstore/files"
	"reverie/memstore/guard"
	"reverie/tui/render"
)

// foreign reports whether an import is of a folder or of another program's
// file, and not of JSON lines.
func foreign(name string) bool {
	if name == "-" {
		return false
	}
	st, err := os.Stat(name)
	if err != nil {
		return false
	}
	ext := strings.ToLower(filepath.Ext(name))
	return st.IsDir() || ext == ".json" || ext == ".md"
}

// takeOver saves what a folder or another program's file holds.
func (a *app) takeOver(ctx context.Context, s opened, name string, dry, revive bool) error {
	t, err := files.ReadFolder(name)
	if err != nil {
		return err
	}
	if dry {
		return a.previewTakeover(t)
	}
	report := importReport{Refused: []refusedLine{}}
	if t.HasHistory() && s.db != nil {
		var lines bytes.Buffer
		if err := t.WriteHistory(&lines, s.Scope()); err != nil {
			return err
		}
		if report, err = importHistory(ctx, s, lines.Bytes()); err != nil {
			return err
		}
	} else {
		rs := rows{requests: t.Requests(s.Scope())}
		for i := range rs.requests {
			rs.lines = append(rs.lines, i+1)
		}
		if err := a.saveRows(ctx, s, rs, revive, &report); err != nil {
			return err
		}
	}
	for _, x := range t.Skipped {
		report.Refused = append(report.Refused, refusedLine{Key: guard.Mask(x.Path), Error: x.Reason})
	}
	return a.reportImport(report)
}

// previewTakeover shows what an import would take over. What may not be saved
// is named as the import would, and credentials are shown by no preview.
func (a *app) previewTakeover(t files.Takeover) error {
	scope := a.previewScope()
	kept := []files.Row{}
	for i, q := range t.Requests(scope) {
		r := t.Rows[i]
		r.History = nil
		if err := memstore.Admit(scope, q); err != nil {
			t.Skipped = append(t.Skipped, files.Refused{Path: r.Source, Key: guard.Mask(r.Key), Reason: err.Error()})
			continue
		}
		kept = append(kept, r)
	}
	t.Rows, t.Forgotten = kept, nil
	if a.flags.json {
		return a.json(t)
	}
	from := ""
	if t.From != "" {
		from = ", written by " + t.From
	}
	a.printf("would take over %s%s\n", render.Count(len(t.Rows), "entry", "entries"), from)
	for _, r := range t.Rows {
		kind := string(r.Kind)
		if kind == "" {
			kind = "-"
		}
		a.printf("%s  %-10s  %s  %s\n", r.Updated.Local().Format("2006-01-02"), kind, r.Key, oneLine(r.Value, 60))
	}
	for _, x := range t.Skipped {
		a.printf("not %s: %s\n", x.Path, x.Reason)
	}
	return nil
}

// previewScope is the memory that an import goes to.
func (a *app) previewScope() memstore.Scope {
	if a.flags.scope != "" {
		return memstore.Scope(a.flags.scope)
	}
	return memstore.Project
}

// previewRows shows what an import of JSON lines would save.
func (a *app) previewRows(b []byte, source string) error {
	report := importReport{Refused: []refusedLine{}}
	scope := a.previewScope()
	rs := readRows(b, scope, source, &report)
	for i, r := range rs.requests {
		if err := memstore.Admit(scope, r); err != nil {
			report.refuse(rs.lines[i], r.Key, err)
			continue
		}
		report.Saved++
		if !a.flags.json {
			a.printf("%s  %s\n", r.Key, oneLine(r.Value, 80))
		}
	}
	if !a.flags.json {
		a.printf("nothing was saved yet; these would be, where they are not there already:\n")
	}
	return a.reportImport(report)
}

// surrogates refuses half a surrogate pair, which JSON's decoder would replace
// silently by U+FFFD.
func surrogates(line []byte) error {
	bad := errors.New(`the line has half a surrogate pair (\ud800 to \udfff), which is no character`)
	for i := 0; i+6 <= len(line); i++ {
		if line[i] != '\\' {
			continue
		}
		if line[i+1] != 'u' {
			i++ // an escaped character, perhaps a backslash
			continue
		}
		n, err := strconv.ParseUint(string(line[i+2:i+6]), 16, 32)
		if err != nil || n < 0xd800 || n > 0xdfff {
			continue
		}
		if n >= 0xdc00 || i+12 > len(line) || line[i+6] != '\\' || line[i+7] != 'u' {
			return bad
		}
		low, err := strconv.ParseUint(string(line[i+8:i+12]), 16, 32)
		if err != nil || low < 0xdc00 || low > 0xdfff {
			return bad
		}
		i += 11
	}
	return nil
}
