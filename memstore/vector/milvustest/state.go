package milvustest

import (
	"maps"
	"slices"
)

// What follows is for tests to arrange and to look at what a server holds.

// Release takes a collection out of memory, as an administrator would.
func (m *Milvus) Release(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.collections[name].state = notLoaded
}

// Drop removes a collection.
func (m *Milvus) Drop(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.collections, name)
}

// Settle lets readers of every consistency level see what was written.
func (m *Milvus) Settle(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.collections[name].settled = maps.Clone(m.collections[name].rows)
}

// Rows are the fields of all rows, by primary key.
func (m *Milvus) Rows(name string) map[string]map[string]string {
	m.mu.Lock()
	defer m.mu.Unlock()
	rows := map[string]map[string]string{}
	if c := m.collections[name]; c != nil {
		for id, r := range c.rows {
			rows[id] = r.fields
		}
	}
	return rows
}

// Keys are the "key" fields of all rows, sorted.
func (m *Milvus) Keys(name string) []string {
	keys := []string{}
	for _, f := range m.Rows(name) {
		keys = append(keys, f["key"])
	}
	slices.Sort(keys)
	return keys
}

// Dimension is how many numbers a vector of the collection has; 0 where there
// is none of this name.
func (m *Milvus) Dimension(name string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c := m.collections[name]; c != nil {
		return c.dimension
	}
	return 0
}

// Put writes a row behind the client's back.
func (m *Milvus) Put(name, id string, fields map[string]string, vector []float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := maps.Clone(fields)
	f["id"] = id
	m.collections[name].rows[id] = row{f, vector}
}
