package milvustest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Codes of Milvus's package merr.
const (
	codeNotFound       = 100
	codeNotLoaded      = 101
	codeNotFullyLoaded = 103
	codeInvalid        = 1100
	codeNeedLogin      = 1800
	codeBadFormat      = 1801
	codeMissing        = 1802
	codeBadData        = 1804
)

type refusal struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func refuse(code int, format string, args ...any) *refusal {
	return &refusal{code, fmt.Sprintf(format, args...)}
}

// Milvus is a server of collections.
type Milvus struct {
	host
	// LoadSteps is how often a loading collection is asked for its state
	// before it is loaded.
	LoadSteps int

	collections map[string]*collection
	made        int
}

type collection struct {
	id        int64
	dimension int
	metric    string
	primary   string // type of the primary key
	maxLength int    // in bytes
	vector    string // name of the vector's field
	loading   int    // steps that remain
	state     string
	rows      map[string]row // what a reader with Strong sees
	settled   map[string]row // what every reader sees
}

// A row is an entity: its fields, and its vector.
type row struct {
	fields map[string]string
	vector []float64
}

const (
	notLoaded = "LoadStateNotLoad"
	loading   = "LoadStateLoading"
	loaded    = "LoadStateLoaded"
)

// NewMilvus starts a server, which ends with the test.
func NewMilvus(t testing.TB) *Milvus {
	m := &Milvus{collections: map[string]*collection{}}
	m.start(t, http.HandlerFunc(m.handle))
	return m
}

func (m *Milvus) handle(w http.ResponseWriter, r *http.Request) {
	action, ok := strings.CutPrefix(r.URL.Path, "/v2/vectordb/")
	if !ok || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	body, after, done := m.receive(w, r, action, refusal{codeNeedLogin, "user hasn't authenticated"})
	if done {
		return
	}
	m.mu.Lock()
	answer := m.answer(action, body)
	m.mu.Unlock()
	if !after.strike(w, r) {
		reply(w, answer)
	}
}

// A call has the parameters of all requests.
type call struct {
	Collection  string           `json:"collectionName"`
	Dimension   int              `json:"dimension"`
	Metric      string           `json:"metricType"`
	IDType      string           `json:"idType"`
	Vector      string           `json:"vectorFieldName"`
	Params      map[string]any   `json:"params"`
	Schema      *schema          `json:"schema"`
	Indexes     []index          `json:"indexParams"`
	Data        json.RawMessage  `json:"data"`
	Filter      string           `json:"filter"`
	Limit       int              `json:"limit"`
	Field       string           `json:"annsField"`
	Consistency string           `json:"consistencyLevel"`
	rows        []map[string]any // Data of entities
}

type schema struct {
	Fields []struct {
		Name    string         `json:"fieldName"`
		Type    string         `json:"dataType"`
		Primary bool           `json:"isPrimary"`
		Params  map[string]any `json:"elementTypeParams"`
	} `json:"fields"`
}

type index struct {
	Field  string `json:"fieldName"`
	Metric string `json:"metricType"`
}

func (m *Milvus) answer(action string, body []byte) any {
	var c call
	if err := json.Unmarshal(body, &c); err != nil {
		return refuse(codeBadFormat, "can only accept json format request, error: %v", err)
	}
	if c.Collection == "" {
		return refuse(codeMissing, "missing required parameters, error: collectionName")
	}
	col := m.collections[c.Collection]
	switch action {
	case "collections/has":
		return success(map[string]any{"has": col != nil})
	case "collections/create":
		return m.create(&c)
	}
	if col == nil {
		return refuse(codeNotFound, "can't find collection[database=default][collection=%s]", c.Collection)
	}
	switch action {
	case "collections/describe":
		return col.describe(c.Collection)
	case "collections/drop":
		delete(m.collections, c.Collection)
	case "collections/load":
		if col.state != loaded {
			col.state, col.loading = loading, m.LoadSteps
		}
	case "collections/release":
		col.state = notLoaded
	case "collections/get_load_state":
		return col.loadState()
	case "entities/upsert":
		return col.upsert(&c)
	case "entities/delete":
		return col.delete(&c)
	case "entities/query":
		return col.query(&c)
	case "entities/search":
		return col.search(&c)
	default:
		return refuse(codeInvalid, "no such action: %s", action)
	}
	return success(map[string]any{})
}

func success(data any) any { return map[string]any{"code": 0, "data": data} }

func (m *Milvus) create(c *call) any {
	if m.collections[c.Collection] != nil {
		return refuse(65535, "create duplicate collection with different parameters, collection: %s", c.Collection)
	}
	col := &collection{dimension: c.Dimension, metric: cmp.Or(c.Metric, "COSINE"), primary: cmp.Or(c.IDType, "Int64"),
		vector: cmp.Or(c.Vector, "vector"), state: loading, loading: m.LoadSteps, rows: map[string]row{}, settled: map[string]row{}}
	length := c.Params["max_length"]
	if c.Schema != nil {
		col.dimension, col.metric = 0, ""
		for _, f := range c.Schema.Fields {
			switch {
			case f.Primary:
				col.primary, length = f.Type, f.Params["max_length"]
			case f.Type == "FloatVector":
				col.vector = f.Name
				col.dimension = number(f.Params["dim"])
			}
		}
		for _, i := range c.Indexes {
			if i.Field == col.vector {
				col.metric = i.Metric
			}
		}
		if len(c.Indexes) == 0 {
			col.state = notLoaded
		}
	}
	if col.dimension < 2 || col.dimension > 32768 {
		return refuse(codeInvalid, "invalid dimension: %d. should be in range 2 ~ 32768", col.dimension)
	}
	if col.primary == "VarChar" {
		if col.maxLength = number(length); col.maxLength < 1 {
			return refuse(codeInvalid, "type param(max_length) should be specified for the field(id) of collection %s", c.Collection)
		}
	}
	if col.state == loading && col.loading == 0 {
		col.state = loaded
	}
	m.made++
	col.id = 455000000000000000 + int64(m.made) // beyond what a float64 holds
	m.collections[c.Collection] = col
	return success(map[string]any{})
}

// number reads one that may be a string; 0 where it is none.
func number(v any) int {
	n, err := strconv.Atoi(fmt.Sprint(v))
	if err != nil {
		return 0
	}
	return n
}

func (c *collection) describe(name string) any {
	param := func(key string, n int) []any {
		return []any{map[string]any{"key": key, "value": strconv.Itoa(n)}}
	}
	primary := map[string]any{"name": "id", "type": c.primary, "primaryKey": true}
	if c.primary == "VarChar" {
		primary["params"] = param("max_length", c.maxLength)
	}
	indexes := []any{}
	if c.metric != "" {
		indexes = append(indexes, map[string]any{"fieldName": c.vector, "indexName": c.vector, "metricType": c.metric})
	}
	return map[string]any{"code": 0, "message": "alias not found;", "data": map[string]any{
		"collectionName": name, "collectionID": c.id, "load": c.state, "consistencyLevel": "Bounded",
		"fields":  []any{primary, map[string]any{"name": c.vector, "type": "FloatVector", "primaryKey": false, "params": param("dim", c.dimension)}},
		"indexes": indexes, "enableDynamicField": true,
	}}
}

func (c *collection) loadState() any {
	if c.state == notLoaded {
		return success(map[string]any{"loadState": notLoaded})
	}
	progress := 100
	if c.state == loading && c.loading > 0 {
		c.loading--
		progress = 50
	} else {
		c.state = loaded
	}
	return success(map[string]any{"loadState": c.state, "loadProgress": progress})
}

// usable is nil where the collection can be read.
func (c *collection) usable() *refusal {
	switch c.state {
	case notLoaded:
		return refuse(codeNotLoaded, "collection not loaded[collection=%d]", c.id)
	case loading:
		return refuse(codeNotFullyLoaded, "collection not fully loaded[collection=%d]", c.id)
	}
	return nil
}

func (c *collection) upsert(q *call) any {
	if err := json.Unmarshal(q.Data, &q.rows); err != nil {
		return refuse(codeBadData, "fail to deal the insert data, error: %v", err)
	}
	rows := map[string]row{}
	var ids []string
	for _, data := range q.rows {
		r := row{fields: map[string]string{}}
		for k, v := range data {
			if k != c.vector {
				r.fields[k] = fmt.Sprint(v)
				continue
			}
			numbers, _ := v.([]any)
			for _, n := range numbers {
				f, _ := n.(float64)
				r.vector = append(r.vector, f)
			}
		}
		id := r.fields["id"]
		switch {
		case len(r.vector) != c.dimension:
			return refuse(codeBadData, "fail to deal the insert data, error: dim %d does not match schema's %d", len(r.vector), c.dimension)
		case id == "":
			return refuse(codeBadData, "fail to deal the insert data, error: no primary key")
		case c.primary == "VarChar" && len(id) > c.maxLength:
			return refuse(codeInvalid, "length of varchar field id exceeds max length, length: %d, max length: %d", len(id), c.maxLength)
		}
		rows[id] = r
		ids = append(ids, id)
	}
	for id, r := range rows {
		c.rows[id] = r
	}
	return success(map[string]any{"upsertCount": len(rows), "upsertIds": ids})
}

func (c *collection) delete(q *call) any {
	if q.Filter == "" {
		return refuse(codeMissing, "missing required parameters, error: filter")
	}
	match, err := parseFilter(q.Filter)
	if err != nil {
		return refuse(codeInvalid, "failed to create delete plan: cannot parse expression: %v", err)
	}
	// A deletion by the primary key alone needs nothing in memory.
	if !strings.HasPrefix(q.Filter, "id in ") {
		if r := c.usable(); r != nil {
			return r
		}
	}
	for id, r := range c.rows {
		if match(r.fields) {
			delete(c.rows, id)
		}
	}
	return success(map[string]any{"deleteCount": 0})
}

// visible are the rows that a reader sees.
func (c *collection) visible(q *call) (map[string]row, func(map[string]string) bool, *refusal) {
	if r := c.usable(); r != nil {
		return nil, nil, r
	}
	match, err := parseFilter(q.Filter)
	if err != nil {
		return nil, nil, refuse(codeInvalid, "failed to create query plan: cannot parse expression: %v", err)
	}
	if q.Consistency == "Strong" {
		return c.rows, match, nil
	}
	return c.settled, match, nil
}

func (c *collection) query(q *call) any {
	rows, match, refused := c.visible(q)
	if refused != nil {
		return refused
	}
	found := []map[string]string{}
	for _, r := range rows {
		if match(r.fields) && len(found) < q.Limit {
			found = append(found, r.fields)
		}
	}
	return success(found)
}

func (c *collection) search(q *call) any {
	rows, match, refused := c.visible(q)
	if refused != nil {
		return refused
	}
	var vectors [][]float64
	if err := json.Unmarshal(q.Data, &vectors); err != nil || len(vectors) != 1 || len(vectors[0]) != c.dimension {
		return refuse(codeBadFormat, "can only accept json format request, error: dimension: %d, but length of the vector differs", c.dimension)
	}
	if q.Field != c.vector {
		return refuse(codeBadFormat, "cannot find a vector field named: %s", q.Field)
	}
	type hit struct {
		fields   map[string]string
		distance float64
	}
	var hits []hit
	for _, r := range rows {
		if match(r.fields) {
			hits = append(hits, hit{r.fields, similarity(vectors[0], r.vector)})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.distance, a.distance), cmp.Compare(a.fields["id"], b.fields["id"]))
	})
	found := []map[string]any{}
	for _, h := range hits[:min(len(hits), q.Limit)] {
		f := map[string]any{"distance": h.distance}
		for k, v := range h.fields {
			f[k] = v
		}
		found = append(found, f)
	}
	return success(found)
}

// similarity is the cosine.
func similarity(a, b []float64) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += a[i] * b[i]
		aa += a[i] * a[i]
		bb += b[i] * b[i]
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return dot / math.Sqrt(aa*bb)
}
