package vector

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"reverie/memstore"
)

// maxID is the size of the primary key, in bytes, as Milvus counts a VarChar's
// max_length.
const maxID = 512

// A Row is what a collection holds of an entry: where it is, and no text.
type Row struct {
	ID      string         `json:"id"`
	Scope   memstore.Scope `json:"scope"`
	Root    string         `json:"root"` // "" for the user scope
	Key     string         `json:"key"`
	Version string         `json:"version"` // of the state that was embedded
	Model   string         `json:"model"`   // that embedded it
	Vector  []float32      `json:"vector,omitempty"`
}

// rowID is the primary key. A key holds no ":", so no two entries share one.
func rowID(scope memstore.Scope, root, key string) string {
	id := string(scope) + ":" + root + ":" + key
	if len(id) <= maxID {
		return id
	}
	sum := sha256.Sum256([]byte(root + "\x00" + key))
	return string(scope) + ":sha256:" + hex.EncodeToString(sum[:])
}

// rootOf is a project's root as a row has it. JSON is UTF-8, paths need not be.
func rootOf(scope memstore.Scope, root string) string {
	switch {
	case scope != memstore.Project:
		return ""
	case !utf8.ValidString(root):
		return "hex:" + hex.EncodeToString([]byte(root))
	}
	return root
}

// quote writes a string for a filter expression, whose strings are in double
// quotes with a backslash before what would end or change them.
func quote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "\x00", "").Replace(s) + `"`
}

// inScope matches all rows of one store.
func inScope(scope memstore.Scope, root string) string {
	return `(scope == ` + quote(string(scope)) + ` and root == ` + quote(root) + `)`
}

// withIDs matches rows by their primary key.
func withIDs(ids []string) string {
	quoted := make([]string, len(ids))
	for i, id := range ids {
		quoted[i] = quote(id)
	}
	return `id in [` + strings.Join(quoted, ", ") + `]`
}
