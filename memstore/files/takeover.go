package files

import (
	"bytes"
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

	"reverie/memstore"
)

// Row is an entry that can be taken over from another program.
type Row struct {
	Key         string        `json:"key"`
	Value       string        `json:"value"`
	Description string        `json:"description"`
	Kind        memstore.Kind `json:"kind"` // "" where none was stated
	Updated     time.Time     `json:"updated"`
	Source      string        `json:"source"` // the file, from the folder that was read
	// History is all revisions, oldest first, where the program kept them. The
	// last one says the same as the row.
	History []memstore.Revision `json:"history,omitempty"`
}

// Takeover is what a folder holds that can be taken over, and what can't.
// Nothing was saved yet, and the guard has not seen it.
type Takeover struct {
	From    string    `json:"from"` // "malac", "claude", "mecatl" or "maiden"; "" where nothing says
	Rows    []Row     `json:"rows"` // by key
	Skipped []Refused `json:"skipped"`
	// Forgotten are keys that were forgotten there: no entries, but with a
	// history that ends with a tombstone.
	Forgotten []Row `json:"forgotten,omitempty"`
}

// Requests are the rows as requests to save them.
func (t Takeover) Requests(scope memstore.Scope) []memstore.RememberRequest {
	rs := make([]memstore.RememberRequest, len(t.Rows))
	for i, r := range t.Rows {
		rs[i] = memstore.RememberRequest{
			Key: r.Key, Value: r.Value, Description: r.Description, Updated: r.Updated,
			Provenance: memstore.Provenance{Writer: memstore.ByFile, Origin: memstore.Imported, Source: r.Source},
		}
		if scope == memstore.Project {
			rs[i].Kind = r.Kind
		}
	}
	return rs
}

// HasHistory says whether any row or forgotten key has earlier revisions.
func (t Takeover) HasHistory() bool {
	return len(t.Forgotten) > 0 || slices.ContainsFunc(t.Rows, func(r Row) bool { return len(r.History) > 0 })
}

// WriteHistory writes all revisions as lines that memstore.DB.ImportHistory
// takes, for a store of this scope. A row without history is one revision.
// Versions follow from the originals, so that taking over again changes
// nothing.
func (t Takeover) WriteHistory(w io.Writer, scope memstore.Scope) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, row := range slices.Concat(t.Rows, t.Forgotten) {
		past := row.History
		if len(past) == 0 {
			past = []memstore.Revision{row.only()}
		}
		for _, r := range past {
			r.Scope = scope
			if scope != memstore.Project {
				r.Kind = ""
			} else if r.Kind == "" {
				r.Kind = memstore.Note
			}
			if err := enc.Encode(r); err != nil {
				return fmt.Errorf("writing the history of %s: %w", row.Key, err)
			}
		}
	}
	return nil
}

// only is a row as the one revision of its key.
func (r Row) only() memstore.Revision {
	return memstore.Revision{
		Entry: memstore.Entry{
			Key: r.Key, Value: r.Value, Description: r.Description, Kind: r.Kind, Updated: r.Updated,
			Version:    token([]byte("taken over"), []byte(r.Source), []byte(r.Key), []byte(r.Value), []byte(r.Description), []byte(r.Kind)),
			Provenance: memstore.Provenance{Writer: memstore.ByFile, Origin: memstore.Imported, Source: r.Source},
		},
		Op: memstore.OpRemember, Recorded: r.Updated,
	}
}

// ErrNothingToTake says that a folder holds nothing in a form that is known.
var ErrNothingToTake = errors.New("there is nothing here to take over")

// maxTakeover bounds a JSON file that is read, in bytes. The largest that
// mecatl writes is 8 MiB.
const maxTakeover = 64 << 20

// ReadFolder reads a folder that another program wrote, or one file of it:
//
//   - malac's .malac/memory, or the folder that .malac lies in: Markdown with
//     name, description, kind, updated. MEMORY.md and MALAC.md are lists.
//   - Folders in Claude's style: Markdown with name, description and a type, or
//     one under metadata. A type that is a kind is the kind, feedback becomes
//     a convention. MEMORY.md is a list.
//   - mecatl's memory.json, with its history.
//   - maiden's thread state, {"history": […], "state": {"memory.notes": […]}}:
//     each note becomes an entry below notes/.
//   - Reverie's own memory files.
//
// Names become keys: spaces and what keys can't have become "-". What can't be
// taken over, two names that make one key among it, is listed with its reason.
// Nothing is changed.
func ReadFolder(dir string) (Takeover, error) {
	fi, err := os.Stat(dir)
	if err != nil {
		return Takeover{}, fmt.Errorf("reading what to take over: %w", err)
	}
	t := &taking{keys: map[string]string{}}
	if fi.IsDir() {
		err = t.folder(dir)
	} else {
		err = t.json(filepath.Dir(dir), filepath.Base(dir))
	}
	if err != nil {
		return Takeover{}, err
	}
	if len(t.Rows)+len(t.Skipped)+len(t.Forgotten) == 0 {
		return Takeover{}, fmt.Errorf("reading %s: %w; it takes malac's and Claude's memory folders, mecatl's memory.json and maiden's thread state", dir, ErrNothingToTake)
	}
	slices.SortFunc(t.Rows, func(a, b Row) int { return strings.Compare(a.Key, b.Key) })
	slices.SortFunc(t.Forgotten, func(a, b Row) int { return strings.Compare(a.Key, b.Key) })
	return t.Takeover, nil
}

// taking is a takeover being read.
type taking struct {
	Takeover
	keys map[string]string // where each key came from
}

func (t *taking) skip(rel, key, reason string) {
	t.Skipped = append(t.Skipped, Refused{Path: rel, Key: key, Reason: reason})
}

// add takes a row unless its key is taken.
func (t *taking) add(r Row) {
	if from, ok := t.keys[r.Key]; ok {
		t.skip(r.Source, r.Key, fmt.Sprintf("%s makes the same key", from))
		return
	}
	t.keys[r.Key] = r.Source
	if len(r.History) > 0 && r.History[len(r.History)-1].Forgotten {
		t.Forgotten = append(t.Forgotten, r)
		return
	}
	t.Rows = append(t.Rows, r)
}

// folder reads all that is known in a folder.
func (t *taking) folder(dir string) error {
	// Someone may name the project, or the folder that the memories lie in.
	for _, sub := range []string{filepath.Join(".malac", "memory"), filepath.Join(".reverie", "memory"), "memory"} {
		if fi, err := os.Stat(filepath.Join(dir, sub)); err == nil && fi.IsDir() && (sub != "memory" || !hasMemories(dir)) {
			return t.folder(filepath.Join(dir, sub))
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("reading what to take over: %w", err)
	}
	for _, e := range entries {
		if strings.EqualFold(filepath.Ext(e.Name()), ".json") && e.Type().IsRegular() {
			if err := t.json(dir, e.Name()); err != nil && !errors.Is(err, ErrNothingToTake) {
				return err
			}
		}
	}
	return t.markdown(dir)
}

// hasMemories says whether a folder itself holds something to take over.
func hasMemories(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if isMemoryFile(e.Name()) && !isList(e.Name()) || e.Name() == "memory.json" {
			return true
		}
	}
	return false
}

// isList says whether a file lists memories and is none.
func isList(name string) bool {
	return slices.Contains([]string{"MEMORY.md", "MALAC.md", "REVERIE.md", "README.md", "CLAUDE.md", "AGENTS.md"}, name)
}

// json reads a file of mecatl or maiden. One of another form is
// ErrNothingToTake where nothing says that it should be one of theirs.
func (t *taking) json(dir, name string) error {
	b, err := readLimited(filepath.Join(dir, name), maxTakeover)
	if err != nil {
		t.skip(name, "", err.Error())
		return nil
	}
	if !strings.EqualFold(filepath.Ext(name), ".json") && isMemoryFile(name) {
		return t.markdownFile(dir, name)
	}
	var saved time.Time
	if fi, err := os.Stat(filepath.Join(dir, name)); err == nil {
		saved = fi.ModTime().UTC()
	}
	return t.document(name, b, saved)
}

// document takes what a JSON file holds that was saved at a time.
func (t *taking) document(name string, b []byte, saved time.Time) error {
	b = bytes.TrimPrefix(b, []byte(byteOrderMark))
	var top map[string]json.RawMessage
	if err := json.Unmarshal(b, &top); err != nil {
		var list []json.RawMessage
		if json.Unmarshal(b, &list) == nil && name == "memory.json" {
			return t.mecatlList(name, list)
		}
		t.skip(name, "", "it is no JSON object")
		return nil
	}
	switch {
	case top["state"] != nil:
		return t.maiden(name, top, saved)
	case top["entries"] != nil || name == "memory.json":
		return t.mecatl(name, top)
	}
	return fmt.Errorf("reading %s: %w", name, ErrNothingToTake)
}

func readLimited(p string, limit int64) ([]byte, error) {
	f, err := os.Open(p)
	if err != nil {
		return nil, errors.New("it can't be read: " + reasonOf(err))
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil || !fi.Mode().IsRegular() {
		return nil, errNoFile
	}
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, errors.New("it can't be read: " + reasonOf(err))
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("it has over %d bytes, the limit", limit)
	}
	return b, nil
}

// markdown reads the memory files of a folder and of those below it.
func (t *taking) markdown(dir string) error {
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		rel, relErr := filepath.Rel(dir, p)
		if err != nil || relErr != nil {
			if p == dir {
				return errors.Join(err, relErr)
			}
			t.skip(filepath.ToSlash(rel), "", "it can't be read: "+reasonOf(errors.Join(err, relErr)))
			return nil
		}
		if d.IsDir() {
			if p != dir && strings.HasPrefix(d.Name(), ".") {
				return fs.SkipDir
			}
			return nil
		}
		if !isMemoryFile(d.Name()) || isList(rel) {
			return nil
		}
		if !d.Type().IsRegular() {
			t.skip(filepath.ToSlash(rel), "", "it is a symbolic link or no file; name the real place")
			return nil
		}
		return t.markdownFile(dir, rel)
	})
	if err != nil {
		return fmt.Errorf("reading what to take over from %s: %w", dir, err)
	}
	return nil
}
