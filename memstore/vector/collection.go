package vector

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

const (
	idField     = "id"
	vectorField = "vector"
	cosine      = "COSINE"

	loadedState = "LoadStateLoaded"
	loadPause   = 250 * time.Millisecond // between looks at a loading collection
	loadTime    = time.Minute            // that loading may take
)

// A Collection is what Milvus says about one.
type Collection struct {
	ID        string // Milvus's number for it; another one was made anew
	Dimension int    // numbers in a vector
	Metric    string
	Loaded    bool
	problem   string // why it can't hold rows; "" if it can
}

// Has says whether a collection exists.
func (m *Milvus) Has(ctx context.Context, collection string) (bool, error) {
	var a struct {
		Has bool `json:"has"`
	}
	err := m.call(ctx, "collections/has", collection, named{collection}, &a)
	return a.Has, err
}

// Describe returns what a collection is like.
func (m *Milvus) Describe(ctx context.Context, collection string) (Collection, error) {
	var a struct {
		ID     json.Number `json:"collectionID"`
		Load   string      `json:"load"`
		Fields []struct {
			Name    string `json:"name"`
			Type    string `json:"type"`
			Primary bool   `json:"primaryKey"`
			Params  []struct {
				Key   string          `json:"key"`
				Value json.RawMessage `json:"value"`
			} `json:"params"`
		} `json:"fields"`
		Indexes []struct {
			Field  string `json:"fieldName"`
			Metric string `json:"metricType"`
		} `json:"indexes"`
	}
	if err := m.call(ctx, "collections/describe", collection, named{collection}, &a); err != nil {
		return Collection{}, err
	}
	c := Collection{ID: a.ID.String(), Loaded: a.Load == loadedState}
	primary := false
	for _, f := range a.Fields {
		if f.Name == idField && f.Primary && f.Type == "VarChar" {
			primary = true
		}
		if f.Name != vectorField || f.Type != "FloatVector" {
			continue
		}
		for _, p := range f.Params {
			// The number comes as a string.
			if text := unquoted(p.Value); p.Key == "dim" {
				n, err := strconv.Atoi(text)
				if err != nil {
					return c, fmt.Errorf("the Milvus collection %q has the dimension %q, which is no number", collection, text)
				}
				c.Dimension = n
			}
		}
	}
	for _, i := range a.Indexes {
		if i.Field == vectorField {
			c.Metric = i.Metric
		}
	}
	switch {
	case !primary:
		c.problem = "its primary key is no VarChar named id"
	case c.Dimension == 0:
		c.problem = "it has no FloatVector named vector"
	case c.Metric != "" && c.Metric != cosine:
		c.problem = "its metric is " + c.Metric + " and not COSINE"
	}
	return c, nil
}

func unquoted(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// Create makes a collection for vectors of a size and has it loaded. Fields of
// rows beside the key and the vector are dynamic ones. What Milvus would
// otherwise assume is said: the metric, and the key's length in bytes.
func (m *Milvus) Create(ctx context.Context, collection string, dimension int) error {
	type params struct {
		MaxLength string `json:"max_length"`
		Dynamic   bool   `json:"enableDynamicField"`
	}
	body := struct {
		named
		Dimension int    `json:"dimension"`
		Metric    string `json:"metricType"`
		IDType    string `json:"idType"`
		AutoID    bool   `json:"autoID"`
		Primary   string `json:"primaryFieldName"`
		Vector    string `json:"vectorFieldName"`
		Params    params `json:"params"`
	}{named{collection}, dimension, cosine, "VarChar", false, idField, vectorField,
		params{strconv.Itoa(maxID), true}}
	return m.call(ctx, "collections/create", collection, body, nil)
}

// Load brings a collection into memory, where it can be searched, and waits up
// to a minute until it is there.
func (m *Milvus) Load(ctx context.Context, collection string) error {
	ctx, cancel := context.WithTimeout(ctx, loadTime)
	defer cancel()
	if err := m.call(ctx, "collections/load", collection, named{collection}, nil); err != nil {
		return err
	}
	for {
		var a struct {
			State    string `json:"loadState"`
			Progress int    `json:"loadProgress"`
		}
		err := m.call(ctx, "collections/get_load_state", collection, named{collection}, &a)
		if err != nil || a.State == loadedState {
			return err
		}
		if !sleep(ctx, loadPause) {
			return fmt.Errorf("the Milvus collection %q is at %d %% of loading: %w", collection, a.Progress, context.DeadlineExceeded)
		}
	}
}

// Ensure makes the collection where it is missing and loads it where it is
// not loaded. One that can't hold vectors of this size is a DimensionError that
// names the model; one of another kind a SchemaError.
func (m *Milvus) Ensure(ctx context.Context, collection, model string, dimension int) (Collection, error) {
	has, err := m.Has(ctx, collection)
	if err != nil {
		return Collection{}, err
	}
	var created error
	if !has {
		// Another process may be making it at the same time: what is there
		// afterwards decides.
		created = m.Create(ctx, collection, dimension)
	}
	c, err := m.Describe(ctx, collection)
	if err != nil {
		if created != nil {
			err = created
		}
		return c, err
	}
	if err := c.fits(collection, model, dimension); err != nil {
		return c, err
	}
	if !c.Loaded {
		err = m.Load(ctx, collection)
		c.Loaded = err == nil
	}
	return c, err
}

func (c Collection) fits(name, model string, dimension int) error {
	switch {
	case c.problem != "":
		return &SchemaError{name, c.problem}
	case c.Dimension != dimension:
		return &DimensionError{name, c.Dimension, model, dimension}
	}
	return nil
}
