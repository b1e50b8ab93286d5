package theme

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "harbour.toml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAThemeFileChangesRoles(t *testing.T) {
	t.Parallel()
	theme, err := Load(write(t, `
base = "dawn"
[roles]
accent = "#123456"
user = "4"
selected = { fg = "#fff", bg = "#264653", underline = true }
`))
	if err != nil {
		t.Fatal(err)
	}
	if theme.Name != "harbour" || theme.Dark {
		t.Errorf("it is %q, dark %v", theme.Name, theme.Dark)
	}
	if got := theme.Paint("accent").Foreground; got != "#123456" {
		t.Errorf("accent is %s", got)
	}
	if got := theme.Paint("user"); got.Foreground != "4" || !got.Bold {
		t.Errorf("a colour alone makes user %+v", got)
	}
	if got := theme.Paint("selected"); got != (Paint{Foreground: "#fff", Background: "#264653", Underline: true}) {
		t.Errorf("a table makes selected %+v", got)
	}
	if theme.Paint("text") != Dawn().Paint("text") {
		t.Error("what the file does not name changed")
	}
	if Dawn().Paint("accent").Foreground == "#123456" {
		t.Error("the built-in theme changed")
	}
}

func TestAThemeFileMayHaveANameAndNothingElse(t *testing.T) {
	t.Parallel()
	theme, err := Load(write(t, `name = "mine"`))
	if err != nil || theme.Name != "mine" || !theme.Dark {
		t.Errorf("it is %q, dark %v, %v", theme.Name, theme.Dark, err)
	}
}

func TestABadThemeFileSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"an unknown role", "[roles]\nacent = \"#ffffff\"", `did you mean "accent"?`},
		{"a bad colour", "[roles]\naccent = \"#12345\"", `"#12345"`},
		{"a colour by name", "[roles]\naccent = \"red\"", `"red"`},
		{"a number out of range", "[roles]\naccent = \"256\"", `"256"`},
		{"a bad background", "[roles]\naccent = { bg = \"nope\" }", `"nope"`},
		{"a number", "[roles]\naccent = 7", "must be a colour"},
		{"an unknown attribute", "[roles]\naccent = { bald = true }", `did you mean "bold"?`},
		{"an attribute that is no truth", "[roles]\naccent = { bold = \"yes\" }", "true or false"},
		{"an unknown setting", "bass = \"dusk\"", `did you mean "base"?`},
		{"an unknown base", "base = \"dask\"", `did you mean "dusk"?`},
		{"no TOML", "[roles\n", "line 1"},
		{"a huge file", strings.Repeat("# long\n", 20_000), "65536"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			path := write(t, test.text)
			_, err := Load(path)
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

func TestErrorsOfAThemeFileHaveTypes(t *testing.T) {
	t.Parallel()
	var role *RoleError
	if _, err := Load(write(t, "[roles]\nnothing = \"1\"")); !errors.As(err, &role) || role.Role != "nothing" {
		t.Errorf("an unknown role is %v", err)
	}
	var bad *ColorError
	if _, err := Load(write(t, "[roles]\nbad = \"\"")); err != nil {
		t.Errorf("an empty colour, the terminal's own, is %v", err)
	}
	if _, err := Load(write(t, "[roles]\nbad = \"x\"")); !errors.As(err, &bad) || bad.Role != "bad" {
		t.Errorf("a bad colour is %v", err)
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none.toml")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there is %v", err)
	}
}
