package vector

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

// MilvusOptions say where the collection lies.
type MilvusOptions struct {
	// URL is the server, such as http://localhost:19530 or
	// https://CLUSTER.zillizcloud.com.
	URL string
	// Token returns user:password or an API key; both are sent as
	// "Authorization: Bearer". Nil or "" where the server needs none.
	Token  func() string
	Client *http.Client // nil: one that waits up to 30 s for an answer
}

// Milvus is a client of Milvus's RESTful API v2, which self-hosted Milvus (2.4
// and later) and Zilliz Cloud speak alike. Its methods may be called from
// several goroutines at once.
//
// Answers have HTTP status 200 whether or not they are failures: success is
// code 0 in the body, and a message beside code 0 is no failure. Codes that
// pass (1, 2, 8, 103, 1807) are tried again a few times.
type Milvus struct {
	server server
}

// NewMilvus checks the options; it sends nothing.
func NewMilvus(o MilvusOptions) (*Milvus, error) {
	s, err := newServer("Milvus", o.URL, o.Token, o.Client)
	if err != nil {
		return nil, err
	}
	return &Milvus{s}, nil
}

// call sends one request and reads the data of its answer into out, which may
// be nil.
func (m *Milvus) call(ctx context.Context, action, collection string, body, out any) error {
	return m.server.post(ctx, "/v2/vectordb/"+action, body, func(answer []byte) (bool, error) {
		var a struct {
			Code    *int            `json:"code"`
			Message string          `json:"message"`
			Data    json.RawMessage `json:"data"`
		}
		if err := json.Unmarshal(answer, &a); err != nil || a.Code == nil {
			return false, fmt.Errorf("what answers at %s does not speak Milvus's REST API v2; "+
				"check memory.vector.url (Milvus 2.4 or later)", m.server.base)
		}
		if *a.Code != 0 {
			e := &MilvusError{action, collection, *a.Code, clean(a.Message, m.server.secret())}
			return e.passing(), e
		}
		if out == nil {
			return false, nil
		}
		if err := json.Unmarshal(a.Data, out); err != nil {
			return false, fmt.Errorf("read Milvus's answer to %s on collection %q: %w", action, collection, err)
		}
		return false, nil
	})
}

type named struct {
	Collection string `json:"collectionName"`
}

// loaded runs a request and, where the collection was released, loads it and
// runs the request again.
func (m *Milvus) loaded(ctx context.Context, collection string, request func() error) error {
	err := request()
	if !hasCode(err, codeNotLoaded) {
		return err
	}
	if err := m.Load(ctx, collection); err != nil {
		return err
	}
	return request()
}

// Upsert writes rows, in place of those with the same ID.
func (m *Milvus) Upsert(ctx context.Context, collection string, rows []Row) error {
	body := struct {
		named
		Data []Row `json:"data"`
	}{named{collection}, rows}
	return m.loaded(ctx, collection, func() error {
		return m.call(ctx, "entities/upsert", collection, body, nil)
	})
}

// A Found is a row that a search found. Similarity is the cosine, from -1 to 1,
// which Milvus calls the distance.
type Found struct {
	Row
	Similarity float64 `json:"distance"`
}

// Search returns up to limit rows that the filter matches, the closest first.
// It sees every write that was acknowledged before.
func (m *Milvus) Search(ctx context.Context, collection string, vector []float32, filter string, limit int) ([]Found, error) {
	body := struct {
		named
		Data        [][]float32 `json:"data"`
		Field       string      `json:"annsField"`
		Filter      string      `json:"filter"`
		Limit       int         `json:"limit"`
		Fields      []string    `json:"outputFields"`
		Consistency string      `json:"consistencyLevel"`
	}{named{collection}, [][]float32{vector}, vectorField, filter, limit, rowFields, strong}
	var found []Found
	err := m.loaded(ctx, collection, func() error {
		return m.call(ctx, "entities/search", collection, body, &found)
	})
	return found, err
}

// MaxQuery is how many rows a query returns at most: Milvus's own limit.
const MaxQuery = 16384

// Query returns up to MaxQuery rows that the filter matches, without vectors
// and in no order. It sees every write that was acknowledged before.
func (m *Milvus) Query(ctx context.Context, collection, filter string) ([]Row, error) {
	body := struct {
		named
		Filter      string   `json:"filter"`
		Limit       int      `json:"limit"`
		Fields      []string `json:"outputFields"`
		Consistency string   `json:"consistencyLevel"`
	}{named{collection}, filter, MaxQuery, rowFields, strong}
	var rows []Row
	err := m.loaded(ctx, collection, func() error {
		return m.call(ctx, "entities/query", collection, body, &rows)
	})
	return rows, err
}

// Delete removes the rows that the filter matches; none is no error.
func (m *Milvus) Delete(ctx context.Context, collection, filter string) error {
	body := struct {
		named
		Filter string `json:"filter"`
	}{named{collection}, filter}
	return m.loaded(ctx, collection, func() error {
		return m.call(ctx, "entities/delete", collection, body, nil)
	})
}

// strong is the consistency level that shows a reader its own writes.
const strong = "Strong"

var rowFields = []string{"id", "scope", "root", "key", "version", "model"}
