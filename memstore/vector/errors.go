package vector

import (
	"errors"
	"fmt"
	"net/http"
)

// HTTPError is an answer that is no success in HTTP's own terms.
type HTTPError struct {
	Server  string // "the embedding server" or "Milvus"
	URL     string
	Status  int
	Message string // what the server said, shortened, without the key
}

func (e *HTTPError) Error() string {
	text := fmt.Sprintf("%s at %s answered %d %s", e.Server, e.URL, e.Status, http.StatusText(e.Status))
	if e.Message != "" {
		text += ": " + e.Message
	}
	switch {
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		text += "; check its key or token"
	case e.Status >= 300 && e.Status < 400:
		text += "; redirects are not followed, so set the address that it names"
	}
	return text
}

// UnreachableError says that a server gave no answer.
type UnreachableError struct {
	Server string
	URL    string
	Err    error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("%s at %s can't be reached: %v", e.Server, e.URL, e.Err)
}

func (e *UnreachableError) Unwrap() error { return e.Err }

// MilvusError is a failure that Milvus reports in the body of its answer, which
// has HTTP status 200 most of the time. The codes are those of Milvus's package
// merr.
type MilvusError struct {
	Action     string // the end of the path, such as "entities/upsert"
	Collection string
	Code       int
	Message    string
}

func (e *MilvusError) Error() string {
	text := fmt.Sprintf("Milvus refused %s on collection %q: %s (code %d)", e.Action, e.Collection, e.Message, e.Code)
	if e.denied() {
		text += "; check the token, which is user:password or an API key"
	}
	return text
}

// Codes of Milvus that decide what is done next.
const (
	codeNotReady       = 1
	codeUnavailable    = 2
	codeRateLimit      = 8
	codeNotFound       = 100
	codeNotLoaded      = 101
	codeNotFullyLoaded = 103
	codeNotLogged      = 1400
	codeNotPermitted   = 1401
	codeNeedLogin      = 1800
	codeHTTPRateLimit  = 1807
)

// passing says that the same request may succeed in a moment.
func (e *MilvusError) passing() bool {
	switch e.Code {
	case codeNotReady, codeUnavailable, codeRateLimit, codeNotFullyLoaded, codeHTTPRateLimit:
		return true
	}
	return false
}

func (e *MilvusError) denied() bool {
	return e.Code == codeNotLogged || e.Code == codeNotPermitted || e.Code == codeNeedLogin
}

func hasCode(err error, code int) bool {
	var m *MilvusError
	return errors.As(err, &m) && m.Code == code
}

// DimensionError says that a collection was made for vectors of another size
// than the embedding model makes. A collection's size can't be changed.
type DimensionError struct {
	Collection string
	Has        int // numbers in a vector of the collection
	Model      string
	Makes      int // numbers in a vector of the model
}

func (e *DimensionError) Error() string {
	return fmt.Sprintf("the Milvus collection %q holds vectors of %d numbers, but the embedding model %s makes %d: "+
		"set another memory.vector.collection and run reverie memory reindex", e.Collection, e.Has, e.Model, e.Makes)
}

// SchemaError says that a collection of this name was made by something else.
type SchemaError struct {
	Collection string
	Reason     string
}

func (e *SchemaError) Error() string {
	return fmt.Sprintf("the Milvus collection %q can't hold memories: %s: set another memory.vector.collection "+
		"and run reverie memory reindex", e.Collection, e.Reason)
}

// refusedError says that an embedding server took other texts but not this one.
type refusedError struct{ err error }

func (e *refusedError) Error() string { return e.err.Error() }
func (e *refusedError) Unwrap() error { return e.err }
