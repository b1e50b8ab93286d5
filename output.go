package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"golang.org/x/term"

	"reverie/tui/render"
)

// terminal reports whether w is a terminal.
func terminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// safe is text as it may be shown on standard output: made harmless for a
// terminal, byte for byte for a pipe or a file.
func (a *app) safe(s string) string {
	if terminal(a.out) || terminal(a.err) {
		return render.Clean(s)
	}
	return s
}

// json writes one value as JSON and ends the line.
func (a *app) json(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// jsonLine writes one value as JSON on a line of its own.
func (a *app) jsonLine(v any) error {
	e := json.NewEncoder(a.out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

func (a *app) printf(format string, args ...any) {
	fmt.Fprintf(a.out, "%s", a.safe(fmt.Sprintf(format, args...)))
}

// say writes a line for people to standard error.
func (a *app) say(format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if terminal(a.err) {
		s = render.Clean(s)
	}
	fmt.Fprintln(a.err, s)
}

func oneLine(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// lineReader reads lines of any length.
type lineReader struct{ r *bufio.Reader }

func newLineReader(r io.Reader) *lineReader { return &lineReader{bufio.NewReader(r)} }

// next returns the next line without its end, or io.EOF.
func (l *lineReader) next() (string, error) {
	s, err := l.r.ReadString('\n')
	if err != nil && (s == "" || !errors.Is(err, io.EOF)) {
		return "", err
	}
	return strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r"), nil
}

// sortByScore puts the best first; equal scores keep their order.
func sortByScore(hits []found) {
	slices.SortStableFunc(hits, func(x, y found) int { return cmp.Compare(y.Score, x.Score) })
}
