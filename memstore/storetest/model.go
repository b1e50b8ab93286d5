package storetest

import (
	"slices"
	"strings"

	"reverie/memstore"
)

// simple is a store without files, processes or speed: what a store answers,
// said once more in the plainest way. Keys are folded already.
type simple struct {
	history bool
	revs    map[string][]state
	all     []string // versions in the order of the stream
}

// state is a revision. undo is the index in the key's history that undoing it
// restores, absent for the time before the key, or nowhere.
type state struct {
	value     string
	kind      memstore.Kind
	forgotten bool
	writer    memstore.Writer
	version   memstore.Version
	undo      int
}

const (
	absent  = -1
	nowhere = -2
)

// answers of the model
const (
	ok         = "ok"
	same       = "unchanged"
	conflicted = "conflict"
	missing    = "not found"
	guarded    = "forgotten by a person"
	nothing    = "nothing to undo"
)

func (m *simple) current(key string) (state, bool) {
	h := m.revs[key]
	if len(h) == 0 {
		return state{}, false
	}
	return h[len(h)-1], true
}

func (m *simple) live(key string) (state, bool) {
	s, was := m.current(key)
	return s, was && !s.forgotten
}

func (m *simple) holds(key string, expected memstore.Version) bool {
	s, was := m.current(key)
	switch expected {
	case "":
		return true
	case memstore.None:
		return !was || s.forgotten
	}
	return was && s.version == expected
}

// blocked says whether bringing the key back needs consent.
func (m *simple) blocked(key string, by memstore.Writer, revive bool) bool {
	s, was := m.current(key)
	return was && s.forgotten && s.writer == memstore.ByUser && by != memstore.ByUser && !revive
}

func (m *simple) remember(key, value string, kind memstore.Kind, expected memstore.Version, by memstore.Writer, revive bool) (string, state) {
	s, was := m.current(key)
	switch {
	case !m.holds(key, expected):
		return conflicted, s
	case m.blocked(key, by, revive):
		return guarded, s
	}
	if kind == "" {
		kind = memstore.Note
		if was {
			kind = s.kind
		}
	}
	if was && !s.forgotten && s.value == value && s.kind == kind {
		return same, s
	}
	return ok, state{value: value, kind: kind, writer: by, undo: len(m.revs[key]) - 1}
}

func (m *simple) forget(key string, expected memstore.Version, by memstore.Writer) (string, state) {
	s, was := m.current(key)
	switch {
	case !was:
		return missing, s
	case s.version != expected:
		return conflicted, s
	case s.forgotten:
		return missing, s
	}
	return ok, state{kind: s.kind, forgotten: true, writer: by, undo: len(m.revs[key]) - 1}
}

func (m *simple) undo(key string, expected memstore.Version, by memstore.Writer, revive bool) (string, state) {
	s, was := m.current(key)
	switch {
	case !was:
		return missing, s
	case s.version != expected:
		return conflicted, s
	case s.undo == nowhere:
		return nothing, s
	}
	next := state{kind: s.kind, forgotten: true, undo: nowhere}
	if s.undo != absent {
		back := m.revs[key][s.undo]
		next.undo = back.undo
		if !back.forgotten {
			next = back
		}
	}
	if !next.forgotten && m.blocked(key, by, revive) {
		return guarded, s
	}
	next.writer = by
	return ok, next
}

func (m *simple) restore(key string, to, expected memstore.Version, by memstore.Writer, revive bool) (string, state) {
	s, was := m.current(key)
	switch {
	case !was:
		return missing, s
	case !m.holds(key, expected):
		return conflicted, s
	}
	i := slices.IndexFunc(m.revs[key], func(r state) bool { return r.version == to })
	if i < 0 {
		return missing, s
	}
	back := m.revs[key][i]
	switch {
	case back.forgotten && s.forgotten:
		return same, s
	case !back.forgotten && m.blocked(key, by, revive):
		return guarded, s
	case !back.forgotten && !s.forgotten && back.value == s.value && back.kind == s.kind:
		return same, s
	}
	next := state{value: back.value, kind: back.kind, forgotten: back.forgotten, writer: by, undo: len(m.revs[key]) - 1}
	if next.forgotten {
		next.kind = s.kind
	}
	return ok, next
}

// commit takes what an operation answered into the history, under the version
// that the store gave it.
func (m *simple) commit(key string, s state, v memstore.Version) {
	s.version = v
	m.all = append(m.all, string(v))
	if !m.history {
		delete(m.revs, key)
		if s.forgotten {
			return
		}
	}
	m.revs[key] = append(m.revs[key], s)
}

// list is the keys under a prefix, in order.
func (m *simple) list(prefix string, tombstones bool) []string {
	keys := []string{}
	for k := range m.revs {
		_, live := m.live(k)
		if strings.HasPrefix(k, prefix) && (live || tombstones) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}
