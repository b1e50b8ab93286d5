package slash

import (
	"errors"
	"testing"
)

func TestAPathIsNotACommand(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"/memory": true, "/memory deploy": true, "/help\nmore": true, "/xyz": true,
		"/etc/passwd is broken": false, "/ ": false, "/": false, "hello": false, "//": false, "/1": false,
	} {
		if got := Is(line); got != want {
			t.Errorf("Is(%q) = %v", line, got)
		}
	}
}

func TestACommandIsFoundByItsNameOrAnUnambiguousBeginning(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][2]string{
		"/memory":                {"memory", ""},
		"/mem  deploy day":       {"memory", "deploy day"},
		"/Forget deploy/old-api": {"forget", "deploy/old-api"},
		"/q":                     {"quit", ""},
	} {
		c, args, err := Parse(line)
		if err != nil || c.Name != want[0] || args != want[1] {
			t.Errorf("Parse(%q) = %q, %q, %v", line, c.Name, args, err)
		}
	}
}

func TestAnUnknownCommandNamesTheNearest(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"/memroy": "memory", "/hepl": "help", "/thred": "threads", "/exprt": "export", "/m": "", "/zzzzzz": "",
	} {
		_, _, err := Parse(line)
		var unknown *UnknownError
		if !errors.As(err, &unknown) {
			t.Fatalf("Parse(%q): %v", line, err)
		}
		if unknown.Nearest != want {
			t.Errorf("nearest to %q is %q, want %q", line, unknown.Nearest, want)
		}
	}
}

func TestAnExactMatchIsCompletedFirst(t *testing.T) {
	t.Parallel()
	Commands := Complete("")
	if len(Commands) < 10 {
		t.Fatal("an empty prefix offers all")
	}
	for _, c := range Commands {
		if got := Complete(c.Name); got[0].Name != c.Name {
			t.Errorf("Complete(%q) begins with %q", c.Name, got[0].Name)
		}
	}
}

func FuzzParseNeverPanics(f *testing.F) {
	f.Add("/memory x")
	f.Add("/\xff")
	f.Fuzz(func(t *testing.T, line string) {
		if !Is(line) {
			return
		}
		if c, _, err := Parse(line); err == nil && c.Name == "" {
			t.Errorf("%q is neither a command nor an error", line)
		}
	})
}
