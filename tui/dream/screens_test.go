package dream

import (
	"flag"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"

	"reverie/memstore"
	"reverie/theme"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// scenes are what the pane looks like in each of its states.
var scenes = []struct {
	name string
	rows int
	play func(*testing.T, int, int) *stand
}{
	{"plan", 32, func(t *testing.T, w, h int) *stand {
		s := sit(t, w, h, choices()...)
		s.press("j")
		return s
	}},
	{"reading", 16, func(t *testing.T, w, h int) *stand {
		s := sit(t, w, h, choices()...)
		s.press("j", "j", "enter", "pgdown")
		return s
	}},
	{"expired", 16, func(t *testing.T, w, h int) *stand {
		s := sit(t, w, h, choices()...)
		s.now = s.now.Add(9 * 60e9)
		s.press("A")
		return s
	}},
	{"receipt", 32, func(t *testing.T, w, h int) *stand {
		c := &script{receipts: []memstore.Receipt{decidedGateway(t), scheduledReceipt()}}
		c.plan.Scope, c.plan.Considered, c.plan.Planner = memstore.Project, 40, "local"
		return sit(t, w, h, Target{Scope: memstore.Project, Session: c, Count: 40})
	}},
	{"planning", 12, func(t *testing.T, w, h int) *stand {
		s, _ := idle(t, w, h, choices()...)
		s.m.Update(progressMsg{of: s.m, target: s.m.now(), job: s.m.now().job, at: [2]int{21_000, 84_000}, running: true})
		return s
	}},
	{"unavailable", 12, func(t *testing.T, w, h int) *stand {
		return sit(t, w, h, NewTarget(memstore.Project, bare{}, nil, nil))
	}},
}

func TestScreensLookAsTheyDid(t *testing.T) {
	t.Parallel()
	for _, scene := range scenes {
		for _, width := range []int{40, 80, 120} {
			t.Run(fmt.Sprintf("%s at %d", scene.name, width), func(t *testing.T) {
				t.Parallel()
				s := scene.play(t, width, scene.rows)
				golden(t, fmt.Sprintf("%s-%d", scene.name, width), s)
			})
		}
	}
}

// golden compares the cells of the pane under every look with the file of its
// name: the rows once, since they are the same, and the runs of styles of each.
func golden(t *testing.T, name string, s *stand) {
	t.Helper()
	var b strings.Builder
	screen := ""
	for _, l := range []struct {
		name  string
		theme theme.Theme
	}{{"dark", theme.Dusk()}, {"light", theme.Dawn()}, {"no colour", theme.Mono()}} {
		s.m.SetTheme(l.theme)
		emu := vt.NewEmulator(s.w, s.h)
		_, _ = emu.Write([]byte(strings.ReplaceAll(s.m.View(s.w, s.h), "\n", "\r\n")))
		if text := rows(emu); text != screen {
			if screen != "" {
				t.Errorf("%s shows other text:\n%s", l.name, text)
			}
			screen = text
			fmt.Fprintf(&b, "%s\n", text)
		}
		fmt.Fprintf(&b, "== %s\n%s", l.name, runs(emu, l.theme))
		if err := emu.Close(); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != b.String() {
		t.Errorf("the screen differs from %s (go test ./tui/dream -update writes it anew); it is now\n%s", path, b.String())
	}
}

func rows(emu *vt.Emulator) string {
	var out []string
	for y := range emu.Height() {
		var b strings.Builder
		for x := 0; x < emu.Width(); x++ {
			c := emu.CellAt(x, y)
			if c == nil || c.Content == "" {
				b.WriteByte(' ')
				continue
			}
			b.WriteString(c.Content)
			x += max(0, c.Width-1)
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return strings.Join(out, "\n")
}

// runs are the stretches of cells with one style, by the names of the theme;
// blanks within a stretch belong to it.
func runs(emu *vt.Emulator, th theme.Theme) string {
	names := map[string]string{}
	for _, role := range theme.Roles() {
		k := look(cellOf(th, role))
		if _, ok := names[k]; !ok {
			names[k] = role
		}
	}
	var b strings.Builder
	for y := range emu.Height() {
		var row []string
		for x := 0; x < emu.Width(); x++ {
			name := nameAt(emu, x, y, names)
			if name == "" {
				continue
			}
			end := x
			for i := x + 1; i < emu.Width(); i++ {
				if n := nameAt(emu, i, y, names); n == name {
					end = i
				} else if n != "" {
					break
				}
			}
			row = append(row, fmt.Sprintf("%d-%d %s", x, end, name))
			x = end
		}
		if len(row) > 0 {
			fmt.Fprintf(&b, "%d: %s\n", y, strings.Join(row, ", "))
		}
	}
	return b.String()
}

// cellOf is how a terminal shows a letter of a role.
func cellOf(th theme.Theme, role string) uv.Style {
	emu := vt.NewEmulator(2, 1)
	defer emu.Close()
	_, _ = emu.Write([]byte(th.Paint(role).Style().Render("x")))
	if c := emu.CellAt(0, 0); c != nil {
		return c.Style
	}
	return uv.Style{}
}

func nameAt(emu *vt.Emulator, x, y int, names map[string]string) string {
	c := emu.CellAt(x, y)
	if c == nil || strings.TrimSpace(c.Content) == "" && c.Style.Bg == nil && c.Style.Attrs&uv.AttrReverse == 0 {
		return ""
	}
	k := look(c.Style)
	if k == look(uv.Style{}) {
		return ""
	}
	if n, ok := names[k]; ok {
		return n
	}
	return k
}

func look(s uv.Style) string {
	hex := func(c color.Color) string {
		if c == nil {
			return "-"
		}
		r, g, b, _ := c.RGBA()
		return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
	}
	return fmt.Sprint(hex(s.Fg), " ", hex(s.Bg), " ", s.Attrs, " ", s.Underline)
}
