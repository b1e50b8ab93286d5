package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport says which parts of the house each part may know. A part is the
// first folder of an import path; the leaves of tui are named with it.
var mayImport = map[string][]string{
	"memstore":    {"memstore"},
	"planner":     {"planner", "memstore"},
	"agent":       {"agent", "memstore"},
	"theme":       {},
	"tui/render":  {"theme"},
	"tui/tuitest": {"tui/tuitest"},
	"tui":         {"tui", "tui/render", "tui/tuitest", "theme", "agent", "planner", "memstore"},
	"main":        {"memstore", "planner", "agent", "theme", "tui", "tui/render", "tui/tuitest"},
}

func part(path string) string {
	rest, ours := strings.CutPrefix(path, "reverie/")
	if path == "reverie" {
		return "main"
	}
	if !ours {
		return ""
	}
	for _, leaf := range []string{"tui/render", "tui/tuitest"} {
		if rest == leaf || strings.HasPrefix(rest, leaf+"/") {
			return leaf
		}
	}
	top, _, _ := strings.Cut(rest, "/")
	return top
}

func TestImportsRunOneWay(t *testing.T) {
	t.Parallel()
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}`, "./...").CombinedOutput()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) < 8 {
		t.Fatalf("go list names only %d packages", len(lines))
	}
	for _, line := range lines {
		f := strings.Fields(line)
		from := part(f[0])
		allowed, known := mayImport[from]
		if !known {
			t.Errorf("%s is in no part of the house; top-level folders are given", f[0])
		}
		for _, to := range f[1:] {
			if p := part(to); p != "" && !slices.Contains(allowed, p) {
				t.Errorf("%s imports %s, which %s may not know", f[0], to, from)
			}
		}
	}
}
