package tui

import (
	"context"
	"flag"
	"fmt"
	"image/color"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"
	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/vt"

	"reverie/theme"
)

var update = flag.Bool("update", false, "write the golden screens anew")

// patience bounds how long a test waits for a screen; it measures nothing.
const patience = 30 * time.Second

// clock is the time in tests: pinned, so that ages and clocks on the screen
// are always the same.
func clock() time.Time { return time.Date(2026, 3, 5, 10, 31, 0, 0, time.UTC) }

// look is how a terminal shows colours.
type look struct {
	name    string
	light   bool
	profile colorprofile.Profile
	theme   theme.Theme
}

func looks() []look {
	return []look{
		{"dark", false, colorprofile.TrueColor, theme.Dusk()},
		{"light", true, colorprofile.TrueColor, theme.Dawn()},
		{"no colour", false, colorprofile.ASCII, theme.Mono()},
	}
}

// stage is the program on an emulated terminal.
type stage struct {
	t       testing.TB
	input   chan string // keys, and the emulator's answers
	ended   chan error
	changed chan struct{}
	mu      sync.Mutex // guards what follows
	emu     *vt.Emulator
	written int
	kept    *strings.Builder // what was written since a test wanted it
}

func (s *stage) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.written += len(p)
	if s.kept != nil {
		s.kept.Write(p)
	}
	n, err := s.emu.Write(p)
	select {
	case s.changed <- struct{}{}:
	default:
	}
	return n, err
}

// open starts the program with a configuration.
func open(t testing.TB, cfg Config, w, h int, l look) *stage {
	t.Helper()
	in, keys := io.Pipe()
	s := &stage{t: t, input: make(chan string, 1_000), ended: make(chan error, 1), changed: make(chan struct{}, 1), emu: vt.NewEmulator(w, h)}
	s.emu.SetDefaultBackgroundColor(color.Black)
	s.emu.SetDefaultForegroundColor(color.White)
	if l.light {
		s.emu.SetDefaultBackgroundColor(color.White)
		s.emu.SetDefaultForegroundColor(color.Black)
	}
	// Without a terminal the renderer leaves carriage returns to the line
	// discipline, so the emulator has to add them.
	_, _ = s.emu.Write([]byte("\x1b[20h"))
	// The emulator's answers to queries come out of its Read, and it blocks
	// until someone takes them, whether the program still reads or not. Both
	// end with the test.
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := s.emu.Read(buf)
			if err != nil {
				return
			}
			s.input <- string(buf[:n])
		}
	}()
	go func() {
		for {
			select {
			case text := <-s.input:
				_, _ = io.WriteString(keys, text)
			case <-ctx.Done():
				return
			}
		}
	}()

	cfg.Input, cfg.Output = in, s
	cfg.Environ = []string{"TERM=xterm-256color", "LANG=C.UTF-8"}
	if cfg.Now == nil {
		cfg.Now = clock
	}
	go func() {
		s.ended <- run(ctx, cfg, tea.WithWindowSize(w, h), tea.WithColorProfile(l.profile), tea.WithoutSignals())
	}()
	t.Cleanup(func() {
		cancel()
		// Closing the emulator itself would race with its Read.
		if c, ok := s.emu.InputPipe().(io.Closer); ok {
			_ = c.Close()
		}
		_ = keys.Close()
	})
	return s
}

func (s *stage) send(text string) {
	s.input <- text
}

func (s *stage) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var rows []string
	for y := range s.emu.Height() {
		rows = append(rows, s.row(y))
	}
	return strings.Join(rows, "\n")
}

func (s *stage) row(y int) string {
	var b strings.Builder
	for x := 0; x < s.emu.Width(); x++ {
		c := s.emu.CellAt(x, y)
		if c == nil || c.Content == "" {
			b.WriteByte(' ')
			continue
		}
		b.WriteString(c.Content)
		x += max(0, c.Width-1)
	}
	return strings.TrimRight(b.String(), " ")
}

// wait waits until a condition holds for the screen's text.
func (s *stage) wait(what string, ok func(string) bool) {
	s.t.Helper()
	deadline := time.After(patience)
	for {
		if ok(s.text()) {
			return
		}
		select {
		case <-s.changed:
		case err := <-s.ended:
			s.t.Fatalf("the program ended (%v) while waiting %s; the screen was\n%s", err, what, s.text())
		case <-deadline:
			s.t.Fatalf("waited in vain %s; the screen was\n%s", what, s.text())
		}
	}
}

func (s *stage) see(texts ...string) {
	s.t.Helper()
	for _, want := range texts {
		s.wait(fmt.Sprintf("to see %q", want), func(screen string) bool { return strings.Contains(screen, want) })
	}
}

func (s *stage) gone(want string) {
	s.t.Helper()
	s.wait(fmt.Sprintf("not to see %q", want), func(screen string) bool { return !strings.Contains(screen, want) })
}

// still waits until the screen has not changed for a moment.
func (s *stage) still() {
	for {
		select {
		case <-s.changed:
		case <-time.After(150 * time.Millisecond):
			return
		}
	}
}

// runs are the stretches of cells with one style, by the names of the theme.
func (s *stage) runs(th theme.Theme) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := styleNames(th)
	var b strings.Builder
	for y := range s.emu.Height() {
		var row []string
		for x := 0; x < s.emu.Width(); {
			name := s.styleAt(x, y, names)
			end := x
			for i := x; i < s.emu.Width(); i++ { // plain blanks between two words of a style belong to it
				next := s.styleAt(i, y, names)
				if next != name && next != "" {
					break
				}
				if next == name {
					end = i
				}
			}
			if name != "" {
				row = append(row, fmt.Sprintf("%d-%d %s", x, end, name))
			}
			x = end + 1
		}
		if len(row) > 0 {
			fmt.Fprintf(&b, "%d: %s\n", y, strings.Join(row, ", "))
		}
	}
	return b.String()
}

func (s *stage) styleAt(x, y int, names map[string]string) string {
	c := s.emu.CellAt(x, y)
	if c == nil {
		return ""
	}
	st := c.Style
	if c.Content == "" || c.Content == " " {
		st.Fg = nil // a blank shows no foreground
		st.Attrs &^= uv.AttrBold | uv.AttrItalic | uv.AttrFaint
	}
	key := styleKey(st)
	if key == styleKey(uv.Style{}) {
		return ""
	}
	if n, ok := names[key]; ok {
		return n
	}
	st.Attrs &^= uv.AttrBold
	if n, ok := names[styleKey(st)]; ok {
		return n + " in bold"
	}
	return key
}

func styleKey(s uv.Style) string {
	return fmt.Sprint(hexOf(s.Fg), " ", hexOf(s.Bg), " ", s.Attrs, " ", s.Underline)
}

func hexOf(c color.Color) string {
	if c == nil {
		return "-"
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// styleNames maps what a cell looks like to the role that looks so. Roles that
// look alike go by the first one's name.
func styleNames(th theme.Theme) map[string]string {
	names := map[string]string{}
	for _, role := range theme.Roles() {
		p := th.Paint(role)
		var s uv.Style
		if p.Foreground != "" {
			s.Fg = p.Style().GetForeground()
		}
		if p.Background != "" {
			s.Bg = p.Style().GetBackground()
		}
		for _, a := range []struct {
			on   bool
			attr uint8
		}{{p.Bold, uv.AttrBold}, {p.Italic, uv.AttrItalic}, {p.Faint, uv.AttrFaint}, {p.Reverse, uv.AttrReverse}, {p.Strike, uv.AttrStrikethrough}} {
			if a.on {
				s.Attrs |= a.attr
			}
		}
		if p.Underline {
			s.Underline = uv.UnderlineSingle
		}
		add(names, s, role)
		if s.Bg != nil || s.Attrs&uv.AttrReverse != 0 || s.Underline != 0 { // a blank in that style
			s.Fg = nil
			s.Attrs &^= uv.AttrBold | uv.AttrItalic | uv.AttrFaint
			add(names, s, role)
		}
	}
	return names
}

func add(names map[string]string, s uv.Style, role string) {
	if _, ok := names[styleKey(s)]; !ok {
		names[styleKey(s)] = role
	}
}
