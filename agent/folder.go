package agent

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// maxInstructions bounds instructions.md, in bytes.
const maxInstructions = 256 << 10

// Folder is an agent folder: what its agent.toml and instructions.md say. Its
// scripts are read by [New], by [Config].Dynamic.
type Folder struct {
	Dir          string
	Model        string // provider/name; "" leaves the choice to the settings
	Memory       bool   // the agent has notes of its own
	Instructions string
	// Ignored are the keys of agent.toml that only the user's own settings can
	// set, to be named in a warning.
	Ignored []string
}

// usersOwn are the settings that reach beyond an agent. In an agent folder,
// which may have come with a repository, they count for nothing.
var usersOwn = []string{"providers", "permissions", "memory", "user_model", "keys", "theme", "mouse", "plain"}

// Vocabulary is the only memory that an agent of this folder has.
func (f Folder) Vocabulary() string {
	if f.Memory {
		return Notes
	}
	return NoMemory
}

// LoadFolder reads an agent folder. A folder without agent.toml is an error;
// so is a key in it that is not known, with the nearest that is. Settings that
// are the user's alone are no error: they are ignored and listed.
func LoadFolder(dir string) (Folder, error) {
	f := Folder{Dir: dir}
	path := filepath.Join(dir, "agent.toml")
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("%s is no agent folder: it has no agent.toml", dir)
	}
	if err != nil {
		return f, fmt.Errorf("reading the agent folder: %w", err)
	}
	var file struct {
		Agent struct {
			Model  string `toml:"model"`
			Memory bool   `toml:"memory"`
		} `toml:"agent"`
	}
	err = toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(&file)
	if f.Ignored, err = tomlError(path, b, err); err != nil {
		return f, err
	}
	f.Model, f.Memory = strings.TrimSpace(file.Agent.Model), file.Agent.Memory
	text, err := os.ReadFile(filepath.Join(dir, "instructions.md"))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return f, fmt.Errorf("reading the agent folder: %w", err)
	case len(text) > maxInstructions:
		return f, fmt.Errorf("%s has %d bytes, the limit is %d", filepath.Join(dir, "instructions.md"), len(text), maxInstructions)
	}
	f.Instructions = strings.TrimSpace(string(text))
	return f, nil
}

// tomlError says where a file is wrong and, of a key that is not known, which
// one is near. Keys that are the user's alone are listed instead.
func tomlError(path string, text []byte, err error) (ignored []string, _ error) {
	if err == nil {
		return nil, nil
	}
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) {
		for _, e := range strict.Errors {
			row, _ := e.Position()
			key := strings.Join(e.Key(), ".")
			root, _, _ := strings.Cut(key, ".")
			if slices.Contains(usersOwn, root) && (root != "memory" || isTable(text, root)) {
				ignored = append(ignored, key)
				continue
			}
			return nil, fmt.Errorf("%s, line %d: the key %q is not known; did you mean %q?", path, row, key, nearestKey(key))
		}
		return ignored, nil
	}
	var syntax *toml.DecodeError
	if errors.As(err, &syntax) {
		row, column := syntax.Position()
		return nil, fmt.Errorf("%s, line %d, column %d: %w", path, row, column, err)
	}
	return nil, fmt.Errorf("%s: %w", path, err)
}

func isTable(text []byte, key string) bool {
	var all map[string]any
	if toml.Unmarshal(text, &all) != nil {
		return false
	}
	_, ok := all[key].(map[string]any)
	return ok
}

// nearestKey is the known key that differs least from got.
func nearestKey(got string) string {
	best, at := "", -1
	for _, known := range []string{"agent.model", "agent.memory"} {
		last := got[strings.LastIndexByte(got, '.')+1:]
		d := edits(last, known[len("agent."):])
		if at < 0 || d < at {
			best, at = known, d
		}
	}
	return best
}

// edits is how many letters have to be put in, taken out or replaced to make b
// of a (Levenshtein's distance).
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			above := row[j+1]
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, above+1, row[j]+1)
			diagonal = above
		}
	}
	return row[len(b)]
}
