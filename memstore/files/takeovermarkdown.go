package files

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"reverie/memstore"
)

// typeKinds are the kinds that types of other programs become. Feedback is how
// someone wants work to be done.
var typeKinds = map[string]memstore.Kind{"feedback": memstore.Convention}

// markdownFile takes one memory file.
func (t *taking) markdownFile(dir, rel string) error {
	p := filepath.Join(dir, rel)
	rel = filepath.ToSlash(rel)
	b, err := readLimited(p, maxFile)
	if err != nil {
		t.skip(rel, "", err.Error())
		return nil
	}
	if hasConflictMarkers(b) {
		t.skip(rel, "", "it has the marks of a merge conflict; resolve it first")
		return nil
	}
	f, err := Parse(b)
	if err != nil {
		t.skip(rel, "", err.Error())
		return nil
	}
	if strings.TrimSpace(f.Value) == "" {
		t.skip(rel, "", "it has no text")
		return nil
	}
	key := takenKey(rel, f)
	if key == "" {
		t.skip(rel, "", "neither its name nor the one inside makes a key")
		return nil
	}
	row := Row{Key: key, Value: f.Value, Description: oneLine(f.Description), Updated: f.Updated, Source: rel}
	row.Kind = takenKind(f)
	if f.Name != "" && row.Description == "" && !nameIs(f.Name, key) {
		row.Description = oneLine(f.Name)
	}
	if row.Updated.IsZero() {
		if fi, err := os.Stat(p); err == nil {
			row.Updated = fi.ModTime()
		}
	}
	row.Updated = row.Updated.UTC()
	t.mark(f)
	t.add(row)
	return nil
}

// mark notes whose files these are.
func (t *taking) mark(f File) {
	switch {
	case t.From != "":
	case f.Type != "":
		t.From = "claude"
	case f.Name != "":
		t.From = "malac"
	}
}

// takenKey is the key of a file that another program wrote: its path, which is
// unique, else the name inside.
func takenKey(rel string, f File) string {
	stem := rel[:len(rel)-len(extension)]
	if f.Name != "" {
		if k, err := memstore.Key(f.Name); err == nil && !strings.Contains(stem, "/") {
			return k
		}
	}
	if k, err := memstore.Key(stem); err == nil {
		return k
	}
	if k := slug(stem); k != "" {
		return k
	}
	return slug(f.Name)
}

func takenKind(f File) memstore.Kind {
	if k := memstore.Kind(strings.ToLower(f.Kind)); slices.Contains(memstore.Kinds, k) {
		return k
	}
	if k := kindOf(memstore.Project, File{Type: f.Type}); k != "" {
		return k
	}
	return typeKinds[strings.ToLower(f.Type)]
}

// oneLine is a description in the form that entries have.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
