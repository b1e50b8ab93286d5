package theme

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// maxFileSize is how large a theme file may be, in bytes. A whole theme needs
// about two kilobytes.
const maxFileSize = 64 << 10

// RoleError is a theme file that names a role which does not exist.
type RoleError struct {
	Path    string // the theme file
	Role    string // what it says
	Nearest string // the role that was probably meant
}

func (e *RoleError) Error() string {
	return fmt.Sprintf("theme %s: role %q is unknown; did you mean %q?", e.Path, e.Role, e.Nearest)
}

// ColorError is a theme file with a colour that is none.
type ColorError struct {
	Path  string // the theme file
	Role  string // the role that has it
	Value string // what it says
}

func (e *ColorError) Error() string {
	return fmt.Sprintf("theme %s: role %q has the colour %q; write #rrggbb, or 0 to 255 for the terminal's palette",
		e.Path, e.Role, e.Value)
}

// Load reads a user's theme, a TOML file that changes any role of a built-in
// theme:
//
//	name = "harbour"        # optional, the file's name without .toml stands in
//	base = "dusk"           # dusk (default), dawn or mono
//
//	[roles]
//	accent = "#7fd1c7"                          # the foreground alone
//	selected = { fg = "#ffffff", bg = "#264653", bold = true }
//
// A role given as a colour keeps the base's attributes; one given as a table is
// replaced as a whole. Its attributes are bold, italic, underline, dim, reverse
// and strike. An unknown role is a *RoleError, a bad colour a *ColorError.
func Load(path string) (Theme, error) {
	data, err := readFile(path)
	if err != nil {
		return Theme{}, err
	}
	var file struct {
		Name  string         `toml:"name"`
		Base  string         `toml:"base"`
		Roles map[string]any `toml:"roles"`
	}
	d := toml.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&file); err != nil {
		return Theme{}, tomlError(path, err)
	}
	if file.Base == "" {
		file.Base = "dusk"
	}
	base, err := Named(file.Base)
	if err != nil {
		return Theme{}, fmt.Errorf("theme %s: base: %w", path, err)
	}
	if file.Name == "" {
		file.Name = baseName(path)
	}
	paints := maps.Clone(base.paints)
	for _, name := range slices.Sorted(maps.Keys(file.Roles)) {
		p, err := override(path, name, paints[name], file.Roles[name])
		if err != nil {
			return Theme{}, err
		}
		paints[name] = p
	}
	return build(file.Name, base.Dark, paints), nil
}

func readFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("read theme: %w", err)
	}
	if info.Size() > maxFileSize {
		return nil, fmt.Errorf("theme %s has %d bytes; a theme may have up to %d", path, info.Size(), maxFileSize)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read theme: %w", err)
	}
	return data, nil
}

// tomlError says where a theme file can't be read.
func tomlError(path string, err error) error {
	var strict *toml.StrictMissingError
	if errors.As(err, &strict) && len(strict.Errors) > 0 {
		key := strings.Join(strict.Errors[0].Key(), ".")
		return fmt.Errorf("theme %s: setting %q is unknown; did you mean %q? (roles belong under [roles])",
			path, key, nearest(key, []string{"name", "base", "roles"}))
	}
	var decode *toml.DecodeError
	if errors.As(err, &decode) {
		row, col := decode.Position()
		return fmt.Errorf("theme %s, line %d, column %d: %w", path, row, col, err)
	}
	return fmt.Errorf("theme %s: %w", path, err)
}

// override is the role called name with what a file says about it.
func override(path, name string, base Paint, value any) (Paint, error) {
	if !slices.Contains(Roles(), name) {
		return Paint{}, &RoleError{Path: path, Role: name, Nearest: nearest(name, Roles())}
	}
	switch v := value.(type) {
	case string:
		base.Foreground = v
	case map[string]any:
		p, err := paintOf(path, name, v)
		if err != nil {
			return Paint{}, err
		}
		base = p
	default:
		return Paint{}, fmt.Errorf("theme %s: role %q must be a colour or a table such as { fg = \"#rrggbb\", bold = true }", path, name)
	}
	for _, c := range []string{base.Foreground, base.Background} {
		if c != "" && !validColor(c) {
			return Paint{}, &ColorError{Path: path, Role: name, Value: c}
		}
	}
	return base, nil
}

func paintOf(path, name string, table map[string]any) (Paint, error) {
	var p Paint
	data, err := toml.Marshal(table)
	if err != nil {
		return p, fmt.Errorf("theme %s: role %q: %w", path, name, err)
	}
	d := toml.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&p); err != nil {
		var strict *toml.StrictMissingError
		if errors.As(err, &strict) && len(strict.Errors) > 0 {
			key := strings.Join(strict.Errors[0].Key(), ".")
			known := []string{"fg", "bg", "bold", "italic", "underline", "dim", "reverse", "strike"}
			return p, fmt.Errorf("theme %s: role %q: %q is unknown; did you mean %q?", path, name, key, nearest(key, known))
		}
		return p, fmt.Errorf("theme %s: role %q: fg and bg are strings, the other settings true or false: %w", path, name, err)
	}
	return p, nil
}

// validColor tells whether c is "#rrggbb", "#rgb" or "0" to "255".
func validColor(c string) bool {
	if hex, ok := strings.CutPrefix(c, "#"); ok {
		_, err := strconv.ParseUint(hex, 16, 32)
		return err == nil && (len(hex) == 6 || len(hex) == 3)
	}
	n, err := strconv.ParseUint(c, 10, 8)
	return err == nil && strconv.FormatUint(n, 10) == c
}

func baseName(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	return strings.TrimSuffix(name, ".toml")
}

// nearest is the candidate with the fewest changes from name.
func nearest(name string, candidates []string) string {
	best, least := "", 0
	for _, c := range candidates {
		d := distance(strings.ToLower(name), c)
		if best == "" || d < least {
			best, least = c, d
		}
	}
	return best
}

// distance is the Levenshtein distance of a and b in bytes; a name longer than
// a hundred bytes is like none and not worth comparing.
func distance(a, b string) int {
	if len(a) > 100 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next := min(row[j+1]+1, row[j]+1, diagonal+cost)
			diagonal, row[j+1] = row[j+1], next
		}
	}
	return row[len(b)]
}
