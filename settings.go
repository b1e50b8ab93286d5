package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// A setting is declared once; reading, checking, origins, help and the
// documented default file all come from its row in declared.
type setting struct {
	path    string // as in the file; * stands for one name
	kind    kind
	def     string // as it would stand in the file, without quotes
	choices []string
	env     string
	shared  bool // a project's file may set it: it reaches no further than the project
	doc     string
}

type kind int

const (
	text kind = iota
	truth
	number
	duration // "0" is off; else as time.ParseDuration, with "d" for days
)

var declared = []setting{
	{path: "model", env: "REVERIE_MODEL", shared: true, doc: "The model, as PROVIDER/NAME, or offline. Empty: the first that is available."},
	{path: "theme", def: "auto", env: "REVERIE_THEME", shared: true, doc: "auto, dusk, dawn, mono, or a TOML file with colours of your own."},
	{path: "mouse", kind: truth, def: "false", env: "REVERIE_MOUSE", shared: true, doc: "Let the program have the mouse: the wheel scrolls, the terminal's own selection needs Shift."},
	{path: "plain", kind: truth, def: "false", env: "REVERIE_PLAIN", shared: true, doc: "Plain lines instead of screens, for scripts and screen readers."},
	{path: "memory.enabled", kind: truth, def: "true", env: "REVERIE_MEMORY", doc: "Memory tools, index and facts. false: none of it."},
	{path: "memory.tools", def: "lifecycle", choices: []string{"lifecycle", "files", "notes"}, doc: "Which tools the model has: lifecycle, files or notes."},
	{path: "memory.dir", env: "REVERIE_MEMORY_DIR", doc: "Where this project's memory is kept instead of the data directory."},
	{path: "memory.store", def: "versioned", choices: []string{"versioned", "files"}, doc: "versioned keeps every state; files is a plain folder of Markdown files, without history."},
	{path: "memory.files", def: "auto", choices: []string{"auto", "off"}, doc: "Keep Markdown files in step with memory: auto where the folder exists (reverie memory share makes it), or off."},
	{path: "memory.auto_recall", kind: truth, def: "true", doc: "Attach memories found by meaning to each prompt, where [memory.vector] is configured."},
	{path: "memory.recall_by_words", kind: truth, def: "false", doc: "Attach memories found by words, where no vectors are configured."},
	{path: "memory.recall_limit", kind: number, def: "5", doc: "Memories attached to a prompt, up to 5."},
	{path: "memory.consolidate_interval", kind: duration, def: "0", doc: "Retire exact duplicates of project memory this often, such as 24h or 7d. 0: never."},
	{path: "memory.vector.url", doc: "A Milvus server, such as http://localhost:19530."},
	{path: "memory.vector.token_env", doc: "The environment variable that holds its token: user:password or an API key."},
	{path: "memory.vector.collection", def: "reverie_memory", doc: "The collection's name. Its size is fixed by the first model: another model wants another name."},
	{path: "memory.embeddings.provider", def: "openai", doc: "A provider with an OpenAI-compatible /embeddings."},
	{path: "memory.embeddings.model", doc: "The embedding model, such as text-embedding-3-small."},
	{path: "user_model.enabled", kind: truth, def: "true", env: "REVERIE_USER_MODEL", doc: "Facts about you, in every project."},
	{path: "user_model.dir", env: "REVERIE_USER_MODEL_DIR", doc: "Where the user model is kept instead of the configuration directory."},
	{path: "user_model.consolidate_interval", kind: duration, def: "0", doc: "The same for the user model."},
	{path: "permissions.forget", def: "ask", choices: []string{"ask", "allow", "deny"}, doc: "What happens when the model wants to forget: ask, allow or deny."},
	{path: "providers.*.kind", def: "openai", choices: []string{"openai", "anthropic", "ollama"}, doc: "The protocol that a server of your own speaks."},
	{path: "providers.*.base_url", doc: "Where it answers, such as http://localhost:8000/v1."},
	{path: "providers.*.api_key_env", doc: "The environment variable that holds its key."},
	{path: "providers.*.api_key_cmd", doc: "A command that prints its key."},
	{path: "providers.*.context", kind: number, def: "0", doc: "How many tokens its model's context holds, where that is not known."},
	{path: "keys.*", doc: "Another key for an action, such as latest = \"alt+g\", several with commas between; docs/keys.md lists the actions."},
}

// layer is one place that settings come from, later ones over earlier ones.
type layer struct {
	origin  string // a file's path, "environment" or "flags"
	project bool   // came with a repository: only shared settings count
	values  map[string]string
}

// settings is what holds, and where each value came from.
type settings struct {
	values   map[string]string
	origins  map[string]string
	warnings []string
}

// usageError is a mistake in how the program was called or configured; it
// exits with 2.
type usageError struct{ msg string }

func (e *usageError) Error() string { return e.msg }

func usagef(format string, a ...any) error { return &usageError{fmt.Sprintf(format, a...)} }

// find returns the declaration that path falls under.
func find(path string) (setting, bool) {
	parts := strings.Split(path, ".")
	for _, s := range declared {
		want := strings.Split(s.path, ".")
		if len(want) != len(parts) {
			continue
		}
		ok := true
		for i := range want {
			ok = ok && (want[i] == parts[i] || want[i] == "*" && parts[i] != "")
		}
		if ok {
			return s, true
		}
	}
	return setting{}, false
}

// readLayer reads a TOML file; a missing file is an empty layer.
func readLayer(file string, project bool) (layer, error) {
	l := layer{origin: file, project: project, values: map[string]string{}}
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return l, fmt.Errorf("read settings %s: %w", file, err)
	}
	var tree map[string]any
	if err := toml.Unmarshal(b, &tree); err != nil {
		var de *toml.DecodeError
		if errors.As(err, &de) {
			row, col := de.Position()
			return l, usagef("settings %s, line %d, column %d: %s", file, row, col, strings.TrimPrefix(de.Error(), "toml: "))
		}
		return l, usagef("settings %s: %v", file, err)
	}
	return l, flatten(l, "", tree)
}

func flatten(l layer, prefix string, tree map[string]any) error {
	for k, v := range tree {
		path := strings.TrimPrefix(prefix+"."+k, ".")
		if sub, ok := v.(map[string]any); ok {
			if err := flatten(l, path, sub); err != nil {
				return err
			}
			continue
		}
		s, ok := find(path)
		if !ok {
			return usagef("settings %s: there is no setting %s%s", l.origin, path, nearestHint(path, settingPaths()))
		}
		val, err := s.parse(fmt.Sprint(v))
		if _, isText := v.(string); err != nil || s.kind == text && !isText {
			if err == nil {
				err = fmt.Errorf("it takes text in quotes")
			}
			return usagef("settings %s: %s = %v: %v", l.origin, path, v, err)
		}
		l.values[path] = val
	}
	return nil
}

func (s setting) parse(v string) (string, error) {
	switch s.kind {
	case truth:
		if _, err := strconv.ParseBool(v); err != nil {
			return "", errors.New("it takes true or false")
		}
	case number:
		if n, err := strconv.Atoi(v); err != nil || n < 0 {
			return "", errors.New("it takes a whole number")
		}
	case duration:
		if _, err := parseInterval(v); err != nil {
			return "", err
		}
	}
	if s.choices != nil && !slices.Contains(s.choices, v) {
		return "", fmt.Errorf("it takes %s%s", strings.Join(s.choices, ", "), nearestHint(v, s.choices))
	}
	return v, nil
}

// parseInterval reads "0", "36h" or "7d".
func parseInterval(v string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(v, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n >= 0 && n < 10000 {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	d, err := time.ParseDuration(v)
	if err != nil || d < 0 {
		return 0, errors.New("it takes a time such as 24h or 7d, or 0 for never")
	}
	if d > 0 && d < time.Minute {
		return 0, errors.New("less than a minute is too often")
	}
	return d, nil
}

func settingPaths() []string {
	var all []string
	for _, s := range declared {
		all = append(all, s.path)
	}
	return all
}

// merge lays the layers over the defaults.
func merge(layers []layer) *settings {
	st := &settings{values: map[string]string{}, origins: map[string]string{}}
	for _, s := range declared {
		if !strings.Contains(s.path, "*") {
			st.values[s.path], st.origins[s.path] = s.def, "default"
		}
	}
	for _, l := range layers {
		for _, path := range sortedKeys(l.values) {
			s, _ := find(path)
			// A theme's name reaches no further than the project; a path does.
			if l.project && (!s.shared || path == "theme" && isPath(l.values[path])) {
				st.warnings = append(st.warnings, fmt.Sprintf("%s sets %s, which only your own settings may; it is ignored", l.origin, path))
				continue
			}
			st.values[path], st.origins[path] = l.values[path], l.origin
		}
	}
	return st
}

// environment is the layer of the declared variables that are set.
func environment(getenv func(string) string) (layer, error) {
	l := layer{origin: "environment", values: map[string]string{}}
	for _, s := range declared {
		v := ""
		if s.env != "" {
			v = getenv(s.env)
		}
		if v == "" {
			continue
		}
		val, err := s.parse(v)
		if err != nil {
			return l, usagef("%s=%s: %v", s.env, v, err)
		}
		l.values[s.path] = val
	}
	return l, nil
}

func (st *settings) text(path string) string { return st.values[path] }
func (st *settings) truth(path string) bool  { b, _ := strconv.ParseBool(st.values[path]); return b }
func (st *settings) interval(path string) time.Duration {
	d, _ := parseInterval(st.values[path])
	return d
}

// under returns the names that stand for * below a prefix, such as the
// providers that are configured.
func (st *settings) under(prefix string) []string {
	var names []string
	for _, path := range sortedKeys(st.values) {
		if rest, ok := strings.CutPrefix(path, prefix+"."); ok {
			name, _, _ := strings.Cut(rest, ".")
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func sortedKeys(m map[string]string) []string {
	var ks []string
	for k := range m {
		ks = append(ks, k)
	}
	slices.Sort(ks)
	return ks
}

// defaultFile is a documented settings file in which every line that sets
// something is commented out.
func defaultFile() string {
	var b strings.Builder
	b.WriteString("# Reverie's settings. What is commented out holds by default.\n")
	table := ""
	for _, s := range declared {
		dir, name := "", s.path
		if i := strings.LastIndex(s.path, "."); i >= 0 {
			dir, name = s.path[:i], s.path[i+1:]
		}
		if dir != table {
			fmt.Fprintf(&b, "\n# [%s]\n", strings.ReplaceAll(dir, "*", "NAME"))
			table = dir
		}
		val := strconv.Quote(s.def)
		if s.kind == truth || s.kind == number {
			val = s.def
		}
		fmt.Fprintf(&b, "\n# %s\n", s.doc)
		if s.env != "" {
			fmt.Fprintf(&b, "# The environment's %s overrides it.\n", s.env)
		}
		fmt.Fprintf(&b, "# %s = %s\n", strings.ReplaceAll(name, "*", "ACTION"), val)
	}
	return b.String()
}

// place is where things are kept for one run.
type place struct {
	config  string // the user's settings file
	data    string // the data directory
	root    string // the project's root, symlinks resolved
	project string // the folder of this project's memory and threads
	memory  string
	user    string
	notes   string // the folder of the user's memories as files
}

func findPlace(getenv func(string) string, cwd string) (place, error) {
	home := getenv("HOME")
	if home == "" {
		h, err := os.UserHomeDir()
		if err != nil {
			return place{}, fmt.Errorf("find the home directory: %w; set HOME", err)
		}
		home = h
	}
	base := func(name, def string) string {
		if v := getenv(name); filepath.IsAbs(v) {
			return filepath.Join(v, "reverie")
		}
		return filepath.Join(home, def, "reverie")
	}
	root, err := projectRoot(cwd)
	if err != nil {
		return place{}, err
	}
	conf, data := base("XDG_CONFIG_HOME", ".config"), base("XDG_DATA_HOME", ".local/share")
	p := place{config: filepath.Join(conf, "config.toml"), data: data, root: root}
	p.project = filepath.Join(data, "projects", digest(root))
	p.memory, p.user, p.notes = p.project, filepath.Join(conf, "usermodel"), filepath.Join(conf, "memory")
	return p, nil
}

// projectRoot is the nearest directory at or above dir that has a .git, else
// dir itself, with symbolic links resolved.
func projectRoot(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("find the project of %s: %w", dir, err)
	}
	for at := real; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return real, nil
		}
	}
}
