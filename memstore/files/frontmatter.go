package files

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"go.yaml.in/yaml/v4"

	"reverie/memstore"
)

// own are the keys of the frontmatter that are ours, in their order.
var own = []string{"name", "description", "kind", "updated"}

// An item is a part of the frontmatter: a key with its value, or comments.
type item struct {
	key string // "" for what is no key
	raw string // whole lines, as they were written
}

// maxHead bounds the frontmatter, in bytes.
const maxHead = 32 << 10

// readHead reads the frontmatter, whose lines end with LF.
func (f *File) readHead(text string) error {
	if len(text) > maxHead {
		return &FormatError{Line: 1, Reason: fmt.Sprintf("the frontmatter has %d bytes, the limit is %d", len(text), maxHead)}
	}
	if !strings.HasSuffix(text, "\n") && text != "" {
		text += "\n"
	}
	top, err := mapping(text)
	if err != nil {
		return err
	}
	if f.head, err = split(text, top); err != nil {
		return err
	}
	for i := 0; i+1 < len(top); i += 2 {
		if err := f.set(top[i].Value, top[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// mapping parses the frontmatter into keys and values in turn. Line numbers of
// what it finds count from the frontmatter's first line.
func mapping(text string) (top []*yaml.Node, err error) {
	var doc yaml.Node
	err = yaml.Unmarshal([]byte(text), &doc)
	if err != nil {
		// People write "description: Mind: the gap", which YAML forbids.
		if quoted := colons.ReplaceAllStringFunc(text, quote); quoted != text && yaml.Unmarshal([]byte(quoted), &doc) == nil {
			err = nil
		}
	}
	if err != nil {
		// What the decoder says may quote the text.
		return nil, &FormatError{Line: yamlLine(err), Reason: "the frontmatter is no valid YAML"}
	}
	if onlyComments(text) {
		return nil, nil
	}
	if len(doc.Content) == 0 {
		return nil, &FormatError{Line: 1, Reason: notMapping}
	}
	m := doc.Content[0]
	if m.Kind != yaml.MappingNode || m.Style&yaml.FlowStyle != 0 {
		return nil, &FormatError{Line: m.Line + 1, Reason: notMapping}
	}
	return m.Content, nil
}

const notMapping = `the frontmatter is no list of "key: value" lines`

func onlyComments(text string) bool {
	for line := range strings.Lines(text) {
		if !isComment(line) {
			return false
		}
	}
	return true
}

// colons finds a name or description whose text has a colon and no quotes.
var colons = regexp.MustCompile(`(?m)^(?:name|description): *[\pL\pN].*: .*$`)

func quote(line string) string {
	key, text, _ := strings.Cut(line, ":")
	return key + ": " + scalar(strings.TrimSpace(text))
}

// yamlLine finds the line that an error of the decoder is about.
func yamlLine(err error) int {
	var l *yaml.LoadError
	if errors.As(err, &l) && l.Mark.Line > 0 {
		return l.Mark.Line + 1
	}
	return 1
}

// split cuts the frontmatter's lines into items.
func split(text string, top []*yaml.Node) ([]item, error) {
	lines := strings.SplitAfter(text, "\n")
	if n := len(lines); n > 0 && lines[n-1] == "" {
		lines = lines[:n-1]
	}
	if len(top) == 0 {
		if text == "" {
			return nil, nil
		}
		return []item{{raw: text}}, nil
	}
	var items []item
	add := func(key string, from, to int) {
		if from < to {
			items = append(items, item{key, strings.Join(lines[from:to], "")})
		}
	}
	add("", 0, top[0].Line-1)
	seen := map[string]bool{}
	for i := 0; i < len(top); i += 2 {
		key, from, to := top[i], top[i].Line-1, len(lines)
		if i+2 < len(top) {
			to = top[i+2].Line - 1
		}
		if key.Kind != yaml.ScalarNode || key.Anchor != "" || from >= to || key.Column != 1 {
			return nil, &FormatError{Line: key.Line + 1, Reason: "the frontmatter has not one key a line"}
		}
		if seen[key.Value] {
			return nil, &FormatError{Line: key.Line + 1, Reason: "the frontmatter has a key twice"}
		}
		seen[key.Value] = true
		// Comments after a value of ours outlive it.
		end := to
		for slices.Contains(own, key.Value) && end > from+1 && isComment(lines[end-1]) {
			end--
		}
		add(key.Value, from, end)
		add("", end, to)
	}
	return items, nil
}

func isComment(line string) bool {
	line = strings.TrimRight(line, " \t\n")
	return line == "" || line[0] == '#'
}

// set takes the value of one key.
func (f *File) set(key string, v *yaml.Node) error {
	switch key {
	case "name", "description", "kind", "updated":
	case "type":
		if v.Kind == yaml.ScalarNode {
			f.Type = v.Value
		}
		return nil
	case "metadata":
		for i := 0; v.Kind == yaml.MappingNode && i+1 < len(v.Content); i += 2 {
			if v.Content[i].Value == "type" && f.Type == "" && v.Content[i+1].Kind == yaml.ScalarNode {
				f.Type = v.Content[i+1].Value
			}
		}
		return nil
	default:
		return nil
	}
	if v.Kind != yaml.ScalarNode || v.Anchor != "" {
		return &FormatError{Line: v.Line + 1, Reason: fmt.Sprintf("%s in the frontmatter is no plain text", key)}
	}
	s := v.Value
	if v.Tag == "!!null" && v.Style == 0 {
		s = ""
	}
	if v.Style&(yaml.LiteralStyle|yaml.FoldedStyle) != 0 {
		s = strings.TrimRight(s, "\n")
	}
	switch key {
	case "name":
		f.Name = s
	case "description":
		f.Description = s
	case "kind":
		f.Kind = s
	case "updated":
		if s == "" {
			return nil
		}
		t, ok := parseTime(s)
		if !ok {
			return &FormatError{Line: v.Line + 1, Reason: "updated is no time such as 2026-03-01T10:00:00+00:00"}
		}
		f.Updated = t
	}
	return nil
}

// headFor is the frontmatter of an entry in place of old's.
func headFor(e memstore.Entry, old *File) []item {
	want := map[string]string{"name": e.Key, "description": e.Description, "kind": string(e.Kind)}
	if !e.Updated.IsZero() {
		want["updated"] = e.Updated.Format(timeLayout)
	}
	if old == nil {
		old = &File{}
	}
	var items []item
	written := map[string]bool{}
	for _, it := range old.head {
		i := slices.Index(own, it.key)
		if i < 0 {
			items = append(items, it)
			continue
		}
		written[it.key] = true
		switch {
		case old.says(it.key, want[it.key], e):
			items = append(items, it)
		case want[it.key] != "":
			items = append(items, line(it.key, want[it.key]))
		}
	}
	for _, key := range own {
		if !written[key] && want[key] != "" {
			items = slices.Insert(items, placeFor(key, items), line(key, want[key]))
		}
	}
	return items
}

// placeFor is where a key of ours belongs among items: after those that come
// before it in order, else first.
func placeFor(key string, items []item) int {
	at := 0
	for i, it := range items {
		if slices.Contains(own[:slices.Index(own, key)], it.key) {
			at = i + 1
		}
	}
	return at
}

// says reports whether what stands in the file for a key means the same.
func (f *File) says(key, want string, e memstore.Entry) bool {
	switch key {
	case "name":
		return f.Name != "" && nameIs(f.Name, want)
	case "description":
		return f.Description == want && want != ""
	case "kind":
		return f.Kind == want && want != ""
	}
	return f.Updated.Truncate(time.Microsecond).Equal(e.Updated.Truncate(time.Microsecond)) && !f.Updated.IsZero()
}

func line(key, value string) item {
	if key != "updated" {
		value = scalar(value)
	}
	return item{key, key + ": " + value + "\n"}
}

// notPlain are words that YAML takes for something else than text.
var notPlain = []string{"true", "false", "yes", "no", "on", "off", "null", "y", "n"}

// scalar writes a text of one line as a YAML scalar: as it is where it is
// plainly text, else in double quotes.
func scalar(s string) string {
	if isPlain(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func isPlain(s string) bool {
	for i, r := range s {
		if i == 0 && !unicode.IsLetter(r) || !unicode.IsPrint(r) {
			return false
		}
	}
	return s != "" && !strings.HasSuffix(s, " ") && !strings.HasSuffix(s, ":") &&
		!strings.Contains(s, ": ") && !strings.Contains(s, " #") &&
		!slices.Contains(notPlain, strings.ToLower(s))
}
