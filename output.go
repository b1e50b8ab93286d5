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

	"reverie/memstore"
	"reverie/memstore/search"
	"reverie/tui/render"
)

// terminal reports whether w is a terminal.
func terminal(w any) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// checkedWriter keeps the first error of writing to standard output, so that
// no answer is lost silently.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(b []byte) (int, error) {
	n, err := c.w.Write(b)
	if err != nil && c.err == nil {
		c.err = err
	}
	return n, err
}

// terminal is standard output itself, for the program that draws on it.
func (a *app) terminal() io.Writer {
	if c, ok := a.out.(*checkedWriter); ok {
		return c.w
	}
	return a.out
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

// printf writes text for people to standard output. It is made harmless for a
// terminal even where it goes to a pipe: what reads the pipe often shows it.
func (a *app) printf(format string, args ...any) {
	fmt.Fprint(a.out, render.Clean(fmt.Sprintf(format, args...)))
}

// say writes a line for people to standard error, or, while a screen is drawn,
// hands it to that.
func (a *app) say(format string, args ...any) {
	line := render.Clean(fmt.Sprintf(format, args...))
	a.mu.Lock()
	hear := a.hear
	a.mu.Unlock()
	if hear != nil {
		hear(strings.TrimPrefix(line, "reverie: "))
		return
	}
	fmt.Fprintln(a.err, line)
}

// tell says who hears lines instead of standard error; nil: nobody.
func (a *app) tell(hear func(string)) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.hear = hear
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

// sortHits puts the best of several memories first. Their scores come from
// different collections: a hit without any of the query's words, which a memory
// may answer where its entries belong together, never stands before one that
// has some.
func sortHits(query string, hits []memstore.Hit) {
	has := make(map[string]bool, len(hits))
	id := func(h memstore.Hit) string { return string(h.Entry.Scope) + " " + h.Entry.Key }
	for _, h := range hits {
		marked := len(h.Marks) > 0
		if !marked {
			_, marks := search.Snippet(query, h.Entry.Key+" "+h.Entry.Description, 1000)
			marked = len(marks) > 0
		}
		has[id(h)] = marked
	}
	slices.SortStableFunc(hits, func(x, y memstore.Hit) int {
		if a, b := has[id(x)], has[id(y)]; a != b {
			if a {
				return -1
			}
			return 1
		}
		return cmp.Compare(y.Score, x.Score)
	})
}
