package keys

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write docs/keys.md anew")

func TestTheKeysPageIsWhatTheDeclarationSays(t *testing.T) {
	t.Parallel()
	path := filepath.Join("..", "..", "docs", "keys.md")
	if *update {
		if err := os.WriteFile(path, []byte(Page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != Page() {
		t.Fatal("docs/keys.md is stale: run go test ./tui/keys -update")
	}
}

func TestTwoActionsOnOneKeyAreAnError(t *testing.T) {
	t.Parallel()
	for _, changes := range []map[string][]string{
		{"search": {"x"}},              // no such action
		{"send": {"ctrl+j"}},           // newline has it
		{"focus": {"ctrl+w"}},          // a global key against the prompt's
		{"draft-forget": {"ctrl+o"}},   // a pane's against a global one
		{"editor": {"ctrl+s"}},         // flow control
		{"editor": {"alt+1"}},          // multiplexers
		{"editor": {"ctrl+space"}},     // input methods
		{"history-search": {`ctrl+\`}}, // SIGQUIT
		{"approve": {"R"}},             // replan has it in the same pane
		{"replan": {"U"}},              // and the other way round
		{"send": {"ctrl+x"}},           // begins two-stroke keys
		{"focus": {"ctrl+x"}},          // everywhere too
		{"search": {"ctrl+w ctrl+w"}},  // its first stroke is a key
		{"send": {"a"}},                // types a character
		{"quit": {"space"}},            // so does this
	} {
		if _, err := New(changes); err == nil {
			t.Errorf("%v was accepted", changes)
		}
	}
}

func TestAKeyThatNoTerminalSendsIsAnErrorThatNamesTheNearest(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"enterr": `"enter"`, "cntrl+g": `"ctrl"`, "alt+ctrl+g": "order", "ctrl+G": "small", "shift+a": "character",
		"pageup": `"pgup"`, "ctrl+": "no key", "": "no key", "a b c": "no key", "f99": "did you mean",
	} {
		_, err := New(map[string][]string{"redraw": {key}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q in it", key, err, want)
		}
	}
	if _, err := New(map[string][]string{"redaw": {"ctrl+v"}}); err == nil || !strings.Contains(err.Error(), `"redraw"`) {
		t.Errorf("an unknown action: %v", err)
	}
}

func TestEveryDeclaredKeyIsOneThatATerminalSends(t *testing.T) {
	t.Parallel()
	for _, b := range declared {
		for _, k := range b.Keys {
			if err := valid(k); err != nil {
				t.Error(err)
			}
		}
	}
}

func TestAQuestionsOwnKeysMayBeThoseOfPanes(t *testing.T) {
	t.Parallel()
	if _, err := New(map[string][]string{"next-question": {"l"}, "approve": {"Y"}, "focus": {"alt+o"}}); err != nil {
		t.Error(err)
	}
}

func TestOneKeyMayMeanDifferentThingsAtDifferentPlaces(t *testing.T) {
	t.Parallel()
	m, err := New(map[string][]string{"history-search": {"ctrl+v"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Action(Prompt, "enter"); got != Send {
		t.Errorf("enter in the prompt is %q", got)
	}
	if got := m.Action(Pane, "enter"); got != Open {
		t.Errorf("enter in a pane is %q", got)
	}
	if got := m.Action(Prompt, "ctrl+v"); got != Search {
		t.Errorf("the changed key is %q", got)
	}
	if got := m.Action(Prompt, "ctrl+r"); got != "" {
		t.Errorf("the former key still is %q", got)
	}
	if !m.Prefix(Prompt, "ctrl+x") || m.Action(Prompt, "ctrl+x ctrl+e") != Editor {
		t.Error("two strokes in a row are not found")
	}
}

func TestNoDeclaredKeyApprovesByEnterOrSpace(t *testing.T) {
	t.Parallel()
	m := Default()
	for _, a := range []Action{Approve, Deny} {
		for _, k := range m.Of(a) {
			if k == "enter" || k == "space" || strings.HasPrefix(k, "ctrl+") {
				t.Errorf("%s is on %s", a, k)
			}
		}
	}
}

func TestKeysAreShownAsPeopleWriteThem(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"ctrl+g": "^G", "shift+enter": "Shift+Enter", "pgup": "PgUp", "ctrl+x ctrl+e": "^X^E", "A": "A", "ctrl+_": "^_", "ctrl+end": "Ctrl+End",
	} {
		if got := Show(in); got != want {
			t.Errorf("Show(%q) = %q, want %q", in, got, want)
		}
	}
}
