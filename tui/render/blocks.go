package render

import "strings"

// What a line of Markdown begins, after CommonMark 0.31.2 (spec.commonmark.org).
// Lines are clean: tabs are spaces.

// indentOf is how many spaces a line begins with.
func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// starts tells whether a line begins a block even right after text.
func starts(line string) bool {
	if indentOf(line) >= 4 {
		return false
	}
	if fenceAt(line).sign != 0 || atx(line) || quoted(line) || thematic(line) {
		return true
	}
	mark := listAt(line)
	if mark.sign == 0 || strings.TrimSpace(line[min(len(line), mark.content):]) == "" {
		return false
	}
	return !mark.ordered() || mark.number == 1
}

// atx tells whether a line is a heading that begins with number signs.
func atx(line string) bool {
	text := strings.TrimLeft(line, " ")
	level := len(text) - len(strings.TrimLeft(text, "#"))
	return indentOf(line) < 4 && level >= 1 && level <= 6 && (len(text) == level || text[level] == ' ')
}

// quoted tells whether a line begins with the mark of a quote.
func quoted(line string) bool {
	return indentOf(line) < 4 && strings.HasPrefix(strings.TrimLeft(line, " "), ">")
}

// thematic tells whether a line is a thematic break.
func thematic(line string) bool {
	if indentOf(line) >= 4 {
		return false
	}
	text := strings.ReplaceAll(line, " ", "")
	return len(text) >= 3 && strings.IndexByte("-_*", text[0]) >= 0 && strings.Trim(text, text[:1]) == ""
}

// underlines tells whether a line makes a heading of the text before it.
func underlines(line string) bool {
	text := strings.TrimSpace(line)
	return indentOf(line) < 4 && text != "" && (strings.Trim(text, "=") == "" || strings.Trim(text, "-") == "")
}

// delimiterRow tells whether a line may be the second of a table.
func delimiterRow(line string) bool {
	return strings.Contains(line, "-") && strings.Trim(line, " |:-") == ""
}

// fenceAt is the fence that a line opens.
func fenceAt(line string) fenceMark {
	indent := indentOf(line)
	if indent >= 4 || len(line) == indent {
		return fenceMark{}
	}
	text := line[indent:]
	sign := text[0]
	if sign != '`' && sign != '~' {
		return fenceMark{}
	}
	length := len(text) - len(strings.TrimLeft(text, text[:1]))
	info := strings.TrimSpace(text[length:])
	if length < 3 || sign == '`' && strings.Contains(info, "`") {
		return fenceMark{}
	}
	return fenceMark{sign: sign, length: length, indent: indent, info: info}
}

// closes tells whether a line closes the fence.
func (f fenceMark) closes(line string) bool {
	text := strings.TrimRight(line, " ")
	indent := indentOf(text)
	return indent < 4 && len(text)-indent >= f.length && strings.Trim(text[indent:], string(f.sign)) == ""
}

// listAt is the mark of the list item that a line begins.
func listAt(line string) listMark {
	indent := indentOf(line)
	text := line[indent:]
	if indent >= 4 || text == "" {
		return listMark{}
	}
	m := listMark{indent: indent, sign: text[0]}
	width := 1
	if strings.IndexByte("-+*", text[0]) < 0 {
		digits := len(text) - len(strings.TrimLeft(text, "0123456789"))
		if digits == 0 || digits > 9 || digits == len(text) || text[digits] != '.' && text[digits] != ')' {
			return listMark{}
		}
		for _, d := range []byte(text[:digits]) {
			m.number = m.number*10 + int(d-'0')
		}
		m.sign, width = text[digits], digits+1
	}
	rest := text[width:]
	spaces := indentOf(rest)
	switch {
	case rest == "" || spaces == len(rest): // an item that begins with an empty line
		spaces = 1
	case spaces == 0:
		return listMark{}
	case spaces > 4: // the item begins with indented code
		spaces = 1
	}
	m.content = indent + width + spaces
	return m
}

// innermost is a line without the indentation and the marks of lists and quotes
// that it may begin with.
func innermost(line string) string {
	for range 16 {
		line = strings.TrimLeft(line, " ")
		switch mark := listAt(line); {
		case strings.HasPrefix(line, ">"):
			line = line[1:]
		case mark.sign != 0 && !thematic(line):
			line = line[min(len(line), mark.content):]
		default:
			return line
		}
	}
	return line
}

// tooDeep is where the marks of lists and quotes that a line begins with get more
// than maxNesting, -1 where they don't: the place of the sign that makes it one.
func tooDeep(line string) int {
	i := 0
	for n := 0; ; n++ {
		i += indentOf(line[i:])
		sign := i
		switch rest := line[i:]; {
		case rest == "":
			return -1
		case rest[0] == '>':
			i++
		case strings.IndexByte("-+*", rest[0]) >= 0 && strings.HasPrefix(rest[1:], " "):
			i += 2
		default:
			digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
			if digits == 0 || digits+1 >= len(rest) || rest[digits] != '.' && rest[digits] != ')' || rest[digits+1] != ' ' {
				return -1
			}
			sign = i + digits
			i += digits + 2
		}
		if n == maxNesting {
			return sign
		}
	}
}

// lazyAfter tells whether text that follows a line without the marks of its
// block still belongs to that line's paragraph.
func lazyAfter(line string) bool {
	return strings.TrimSpace(line) != "" && !atx(line) && !thematic(line) && fenceAt(line).sign == 0
}

// language is the language that a fence names, as Lang has it.
func language(info string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(Clean(info)), " ")
	word = strings.TrimPrefix(strings.Trim(word, "{}"), ".")
	word, _, _ = strings.Cut(word, ",")
	return strings.ToLower(word)
}
