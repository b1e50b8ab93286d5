package files

import (
	"path"
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"reverie/memstore"
)

const extension = ".md"

// pathOf is the file of a key where there is none yet.
func pathOf(key string) string { return key + extension }

// keyOf is the key that a path within the folder stands for.
func keyOf(rel string) (string, error) {
	return memstore.Key(rel[:len(rel)-len(extension)])
}

// leftovers are files that editors, git and programs that copy folders put
// beside a file, with its extension: the sides of a merge, and copies of what
// they could not join.
var leftovers = regexp.MustCompile(`(?i)[_.](base|local|remote|backup)[_.]\d+\.md$|\.sync-conflict-[^/]*\.md$|\.(bak|orig|tmp)\.md$`)

// temporaries are the names that our own writing uses until a file is whole.
var temporaries = regexp.MustCompile(`^\..+\.md[0-9]+$`)

// isMemoryFile says whether a name in the folder is one that memories have.
// What begins with a dot or another mark is an editor's, or hidden on purpose.
func isMemoryFile(name string) bool {
	if len(name) <= len(extension) || !strings.EqualFold(name[len(name)-len(extension):], extension) {
		return false
	}
	switch name[0] {
	case '.', '#', '~', '$':
		return false
	}
	return !leftovers.MatchString(name)
}

// isGenerated says whether a path within the folder is an index that Reverie
// or another program made.
func isGenerated(rel string) bool {
	return rel == userIndex || rel == projectIndex || rel == "MALAC.md"
}

// nameIs says whether the name inside a file is the key's: the key itself or,
// where it is no valid key, a title that makes the key.
func nameIs(name, key string) bool {
	if k, err := memstore.Key(name); err == nil {
		return k == key
	}
	return slug(name) == key || slug(name) == path.Base(key)
}

// slug makes a key of a title: words joined by "-", what a key can't have left
// out. It is "" where nothing remains.
func slug(title string) string {
	var segments []string
	for s := range strings.SplitSeq(norm.NFC.String(title), "/") {
		var b strings.Builder
		gap := false
		for _, r := range s {
			switch {
			case unicode.In(r, unicode.L, unicode.Nd, unicode.Nl), b.Len() > 0 && (r == '_' || r == '.' || unicode.In(r, unicode.Mn, unicode.Mc)):
				if gap && b.Len() > 0 {
					b.WriteByte('-')
				}
				gap = false
				b.WriteRune(r)
			default:
				gap = true
			}
		}
		if b.Len() > 0 {
			segments = append(segments, strings.TrimRight(b.String(), "."))
		}
	}
	key, err := memstore.Key(strings.Join(segments, "/"))
	if err != nil {
		return ""
	}
	return key
}
