package guard

import "strings"

// A table states secrets by the heading of a column: the cells below "password"
// are passwords. Only rows of Markdown and lines of comma-separated values
// count, and only values that are secrets by their own look: a cell may as well
// say how a password is made.

// maxTableRows is how many rows below a heading are judged.
const maxTableRows = 200

// tableSecrets returns the secrets in columns that a heading names.
func tableSecrets(text string, words []wordHit) []finding {
	var found []finding
	done := 0 // up to where a table has been read
	for _, w := range words {
		if w.start < done || w.kind == plainKey {
			continue
		}
		from := strings.LastIndexByte(text[:w.start], '\n') + 1
		head, _, _ := strings.Cut(text[from:min(len(text), from+1024)], "\n")
		separator := separatorOf(head)
		if separator == 0 {
			done = min(len(text), from+len(head)+1)
			continue
		}
		secrets, end := columnsBelow(text, from, head, separator)
		found, done = append(found, secrets...), end
	}
	return found
}

func separatorOf(head string) byte {
	switch {
	case strings.Count(head, "|") >= 1:
		return '|'
	case strings.Count(head, "\t") >= 1:
		return '\t'
	case strings.Count(head, ",") >= 1 && !strings.Contains(head, ". "):
		return ','
	}
	return 0
}

// columnsBelow reads the rows below a heading, which begins at from.
func columnsBelow(text string, from int, head string, separator byte) (found []finding, end int) {
	columns := make(map[int]secretKind)
	cells := strings.Split(head, string(separator))
	for i, cell := range cells {
		cell = strings.Trim(cell, " \t\r*_`\"'")
		if hits := findSecretWords(cell); len(hits) > 0 && hits[len(hits)-1].end == len(cell) && len(strings.Fields(cell)) <= 4 {
			columns[i] = hits[len(hits)-1].kind
		}
	}
	end = min(len(text), from+len(head)+1)
	if len(columns) == 0 || len(cells) < 2 {
		return nil, end
	}
	for row := 0; row < maxTableRows && end < len(text); row++ {
		line, _, _ := strings.Cut(text[end:], "\n")
		if len(line) > 4096 || strings.Count(line, string(separator)) < len(cells)-1 {
			break
		}
		at := end
		for i, cell := range strings.Split(line, string(separator)) {
			bare := strings.Trim(cell, " \t\r*_`\"'")
			if kind, named := columns[i]; named && isCellSecret(kind, bare) {
				start := at + strings.Index(cell, bare)
				found = append(found, finding{kindNames[kind], start, start + len(bare)})
			}
			at += len(cell) + 1
		}
		end = min(len(text), end+len(line)+1)
	}
	return found, end
}

func isCellSecret(kind secretKind, cell string) bool {
	switch {
	case len(cell) > maxValue || strings.ContainsAny(cell, " ["):
		return false
	case kind == pin:
		return isPIN(cell)
	case kind == token:
		return len(cell) >= 16 && isOpaqueToken(cell) && !isDigest(cell) && !isUUID(cell)
	}
	return isStrongSecret(cell)
}
