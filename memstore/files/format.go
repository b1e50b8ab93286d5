package files

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"reverie/memstore"
)

// File is what a memory file says.
type File struct {
	Name        string // as it stands in the frontmatter; "" where there is none
	Description string
	Kind        string
	Type        string    // what other programs write: "type", or "type" under "metadata"
	Updated     time.Time // with the offset that was written; zero where there is none
	Value       string
	Plain       bool // there is no frontmatter

	head []item // the frontmatter's parts, as they were written
	crlf bool   // lines end with CR LF
}

// FormatError says why a file is no memory file. It does not repeat the text.
type FormatError struct {
	Line   int // from 1; 0 where it is about the whole
	Reason string
}

func (e *FormatError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
	}
	return e.Reason
}

const (
	byteOrderMark = "\ufeff"
	fence         = "---"
)

// Parse reads a memory file. A byte order mark and one line end at the very end
// are no part of the value. Where the lines of a file end with CR LF, they end
// with LF in the value. A file that does not begin with a line "---" is a plain
// note: all of it is the value. What is wrong with a file is a [FormatError].
func Parse(b []byte) (File, error) {
	if !utf8.Valid(b) {
		return File{}, &FormatError{Reason: "it is not UTF-8; convert it"}
	}
	text := strings.TrimPrefix(string(b), byteOrderMark)
	first, _, _ := strings.Cut(text, "\n")
	if strings.TrimRight(first, " \t\r") != fence {
		f := File{Plain: true, crlf: endsLinesWithCRLF(text)}
		f.Value = f.body(text)
		return f, nil
	}
	f := File{crlf: strings.HasSuffix(first, "\r")}
	if f.crlf {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	head, body, ok := cutFrontmatter(text)
	if !ok {
		return File{}, &FormatError{Line: 1, Reason: `the frontmatter has no end; close it with a line "---"`}
	}
	if err := f.readHead(head); err != nil {
		return File{}, err
	}
	f.Value = strings.TrimSuffix(strings.TrimPrefix(body, "\n"), "\n")
	return f, nil
}

// body is the value of a text without frontmatter.
func (f *File) body(text string) string {
	if f.crlf {
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	return strings.TrimSuffix(text, "\n")
}

// endsLinesWithCRLF says whether every line end is CR LF, and there is one.
func endsLinesWithCRLF(text string) bool {
	n := strings.Count(text, "\n")
	return n > 0 && n == strings.Count(text, "\r\n")
}

// cutFrontmatter separates what stands between the first two fences from what
// follows the second.
func cutFrontmatter(text string) (head, body string, ok bool) {
	_, rest, _ := strings.Cut(text, "\n")
	for at := 0; at < len(rest); {
		line, _, more := strings.Cut(rest[at:], "\n")
		next := at + len(line)
		if more {
			next++
		}
		if strings.TrimRight(line, " \t\r") == fence {
			return rest[:at], rest[next:], true
		}
		at = next
	}
	return "", "", false
}

// Render writes an entry as a memory file. Of old, the file that it replaces,
// which may be nil, everything stays as it was written that Reverie does not
// own or that still says the same: foreign keys, comments, the order of keys,
// line ends.
func Render(e memstore.Entry, old *File) []byte {
	var b bytes.Buffer
	b.WriteString(fence + "\n")
	for _, it := range headFor(e, old) {
		b.WriteString(it.raw)
	}
	b.WriteString(fence + "\n\n")
	b.WriteString(e.Value)
	b.WriteString("\n")
	// In a file of CR LF a CR of the value could not be told from the line's.
	if old != nil && old.crlf && !bytes.ContainsRune(b.Bytes(), '\r') {
		return bytes.ReplaceAll(b.Bytes(), []byte("\n"), []byte("\r\n"))
	}
	return b.Bytes()
}

// timeLayout is RFC 3339 with a numeric offset, and a fraction where there is
// one; stores keep microseconds.
const timeLayout = "2006-01-02T15:04:05.999999-07:00"

// timeLayouts are the forms in which times are understood. Those without an
// offset are UTC.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05Z0700", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05 -07:00",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02",
}

// parseTime reads a time as people and other programs write it.
func parseTime(s string) (time.Time, bool) {
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
