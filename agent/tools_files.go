package agent

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"reverie/memstore"
	"reverie/memstore/guard"
)

// The files vocabulary: named memories in two scopes, of which "global" is the
// user's. None of its tools asks.

var filesNames = names{remember: "memory_save", recall: "memory_read", search: "memory_search", forget: "memory_forget"}

const global = "global"

// filesView is the stores by the names that this vocabulary has for them.
type filesView struct {
	project, user memstore.Store
	ask           Permission
}

func filesTools(cfg Config) []tool {
	f := filesView{cfg.Project, cfg.User, cfg.Permissions.Forget}
	scopes := f.scopes()
	if len(scopes) == 0 {
		return nil
	}
	name := param{name: "name", kind: "string", required: true, description: `short lower-case name, for example "release-day"`}
	scope := param{name: "scope", kind: "string", enum: scopes,
		description: "project: this repository, shared with everyone who works on it; global: the user, in every project"}
	needed := scope
	needed.required = true
	save := []param{name,
		{name: "description", kind: "string", description: "one line for the index"},
		{name: "value", kind: "string", required: true, description: "the fact, in words that stand alone"},
		needed,
	}
	if f.project != nil {
		k := kindParam()
		k.description = "for project memories: " + k.description
		save = append(save, k)
	}
	return []tool{
		{name: "memory_save", params: save, run: f.save, saves: filesSaves,
			description: "Save one fact under a short name, with a one-line description and a scope. Saving an existing name replaces it. Save corrections and decisions with their reasons; not what the code or git history already records."},
		{name: "memory_search", run: f.search,
			params: []param{
				{name: "query", kind: "string", required: true, description: "plain words to look for"}, scope,
				{name: "limit", kind: "integer", description: "at most this many results"},
			},
			description: "Find memories of both scopes by words, best match first."},
		{name: "memory_read", params: []param{name, scope}, run: f.read,
			description: "Read one memory whole by its name, as the index shows it."},
		{name: "memory_forget", params: []param{name, scope}, run: f.forget,
			description: "Delete a memory that turned out to be wrong or obsolete."},
	}
}

func (f filesView) scopes() (out []string) {
	if f.project != nil {
		out = append(out, string(memstore.Project))
	}
	if f.user != nil {
		out = append(out, global)
	}
	return out
}

// in are the stores that a call is about: one, or without a scope both.
func (f filesView) in(scope string) (out []memstore.Store) {
	if f.project != nil && scope != global {
		out = append(out, f.project)
	}
	if f.user != nil && scope != string(memstore.Project) {
		out = append(out, f.user)
	}
	return out
}

// find returns the first entry that goes by a name, in the project before the
// user's, with and without "user/" there.
func (f filesView) find(ctx context.Context, name, scope string) (memstore.Store, memstore.Entry, error) {
	name = strings.TrimSuffix(strings.TrimSpace(name), ".md")
	var first error
	for _, s := range f.in(scope) {
		l := lifecycle{store: s, scope: s.Scope()}
		e, err := s.Recall(ctx, l.existing(ctx, name))
		if err == nil {
			return s, e, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, memstore.Entry{}, first
}

func (f filesView) save(ctx context.Context, t *turn, a arguments) outcome {
	s := f.project
	r := memstore.RememberRequest{Value: a.text("value"), Description: a.text("description"), Provenance: t.provenance("memory_save")}
	if a.text("scope") == global {
		s = f.user
	} else {
		r.Kind = memstore.Kind(a.text("kind"))
	}
	r.Key = filesKey(a)
	// Nothing asks here: where a person forgot the key, their own words in
	// this turn decide.
	r.Revive = asksForMemory(t.prompt)
	m, err := s.Remember(context.WithoutCancel(ctx), r)
	if err != nil {
		return refused(err, s.Scope(), r.Key, filesNames)
	}
	return wrote("remembered", m, s)
}

// filesKey is the key that a save names.
func filesKey(a arguments) string {
	key := strings.TrimSpace(a.text("name"))
	if a.text("scope") == global {
		key = underUser(key)
	}
	return strings.TrimSuffix(key, ".md")
}

func filesSaves(a arguments) (memstore.Scope, guard.Input) {
	scope := memstore.Project
	if a.text("scope") == global {
		scope = memstore.User
	}
	return scope, saving(filesKey(a), a.text("description"), a.text("value"))
}

func (f filesView) search(ctx context.Context, t *turn, a arguments) outcome {
	limit := a.limit(searchNormal, searchMost)
	var hits []memstore.Hit
	for _, s := range f.in(a.text("scope")) {
		h, err := s.Search(ctx, searchable(a.text("query")), limit)
		if err != nil {
			return explain(err, s.Scope(), "", filesNames)
		}
		hits = append(hits, h...)
	}
	slices.SortStableFunc(hits, func(a, b memstore.Hit) int { return cmp.Compare(b.Score, a.Score) })
	r := searchResult{OK: true, Results: []searchHit{}}
	o := outcome{}
	for _, h := range hits[:min(limit, len(hits))] {
		r.Results = append(r.Results, found(h))
		o.read = append(o.read, Ref{h.Entry.Scope, h.Entry.Key})
	}
	r.More = searchNote(r.Results, filesNames)
	o.result = r
	return o
}

func (f filesView) read(ctx context.Context, t *turn, a arguments) outcome {
	_, e, err := f.find(ctx, a.text("name"), a.text("scope"))
	if err != nil {
		return explain(err, memstore.Project, a.text("name"), filesNames)
	}
	return outcome{result: entryResult{OK: true, Entry: masked(e)}, read: []Ref{{e.Scope, e.Key}}}
}

func (f filesView) forget(ctx context.Context, t *turn, a arguments) outcome {
	s, e, err := f.find(ctx, a.text("name"), a.text("scope"))
	if err != nil {
		return explain(err, memstore.Project, a.text("name"), filesNames)
	}
	if f.ask == Never {
		return refusedBy(e.Scope, e.Key, "forgetting is switched off by the setting permissions.forget", "Tell the user that they can change the setting, or delete the file themselves.")
	}
	m, err := s.Forget(context.WithoutCancel(ctx), memstore.ForgetRequest{Key: e.Key, Expected: e.Version, Provenance: t.provenance("memory_forget")})
	if err != nil {
		return refused(err, e.Scope, e.Key, filesNames)
	}
	return wrote("forgot", m, s)
}
