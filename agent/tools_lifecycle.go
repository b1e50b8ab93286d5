package agent

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"reverie/memstore"
	"reverie/memstore/guard"
)

// names are the tools that one tool's answers point to.
type names struct {
	remember, recall, search, inspect, forget, undo string
}

var (
	projectNames = names{"Remember", "Recall", "SearchMemory", "InspectMemory", "ForgetMemory", "UndoMemory"}
	userNames    = names{"RememberUser", "RecallUser", "SearchUserModel", "InspectUserMemory", "ForgetUserMemory", "UndoUserMemory"}
)

// lifecycle is the lifecycle vocabulary over one store.
type lifecycle struct {
	store memstore.Store
	scope memstore.Scope
	names names
	ask   Permission
}

func lifecycleTools(cfg Config) []tool {
	var out []tool
	if cfg.Project != nil {
		out = append(out, lifecycle{cfg.Project, memstore.Project, projectNames, cfg.Permissions.Forget}.tools()...)
	}
	if cfg.User != nil {
		out = append(out, lifecycle{cfg.User, memstore.User, userNames, cfg.Permissions.Forget}.tools()...)
	}
	return out
}

const keyHelp = `short lower-case key, segments separated by "/", for example "deploy/day"`

// tools are those of one scope. The ones that need complete history are there
// only where the store has it.
func (l lifecycle) tools() []tool {
	n := l.names
	what, many, keyText := "a fact about this project", "facts about this project", keyHelp
	if l.scope == memstore.User {
		what, many, keyText = "a fact or preference of the user that holds in every project",
			"facts and preferences of the user", `short lower-case key such as "editor"; "user/" is put before it`
	}
	key := param{name: "key", kind: "string", required: true, description: keyText}
	version := param{name: "expected_version", kind: "string", required: true,
		description: "the exact current version, as the last result about this key gave it"}
	limit := param{name: "limit", kind: "integer", description: "at most this many results"}

	remember := []param{key,
		{name: "value", kind: "string", required: true, description: "the fact, in words that stand alone"},
		{name: "description", kind: "string", description: "one line for the index, left out when the value is one short line"},
	}
	if l.scope == memstore.Project {
		remember = append(remember, kindParam())
	}
	remember = append(remember, param{name: "expected_version", kind: "string",
		description: `leave out to save whatever is there; the version you read, to change only that; "none" to save only if the key is new`})

	out := []tool{
		{name: n.remember, params: remember, run: l.remember, saves: l.saves,
			description: "Save " + what + " under a key. Saving an existing key replaces it. Call it when the user asks to remember something, or states a lasting decision, convention, correction or preference."},
		{name: n.recall, params: []param{
			{name: "key", kind: "string", description: "the key to read whole"},
			{name: "prefix", kind: "string", description: `instead of key: list the keys below this one, for example "deploy"`},
			limit,
		}, run: l.recall,
			description: "Read one saved entry whole by its key, or list keys under a prefix. Without arguments it lists all keys."},
		{name: n.search, params: []param{
			{name: "query", kind: "string", required: true, description: "plain words to look for"}, limit,
		}, run: l.search,
			description: "Find " + many + " by words, best match first. Use it before answering from memory and before saving something that may be there already."},
	}
	if _, ok := versioned(l.store); !ok {
		return out
	}
	return append(out,
		tool{name: n.inspect, params: []param{key}, run: l.inspect,
			description: "Show the current version of an entry, who wrote it, when and why, and its history. Use it when asked how something is known, and before forgetting or undoing."},
		tool{name: n.forget, params: []param{key, version}, run: l.forget, question: l.forgetQuestion,
			description: "Forget an entry that is wrong, obsolete or no longer wanted. The user may be asked to approve. It can be undone."},
		tool{name: n.undo, params: []param{key, version}, run: l.undo,
			description: "Take the last change of an entry back; repeated, it goes further back."},
	)
}

func kindParam() param {
	p := param{name: "kind", kind: "string", description: "what sort of fact it is; note where nothing else fits"}
	for _, k := range memstore.Kinds {
		p.enum = append(p.enum, string(k))
	}
	return p
}

// full is the key as the store has it: user facts lie under "user/".
func (l lifecycle) full(key string) string {
	key = strings.TrimSpace(key)
	if l.scope != memstore.User {
		return key
	}
	return underUser(key)
}

func underUser(key string) string {
	if lower := strings.ToLower(key); lower == "user" || strings.HasPrefix(lower, "user/") {
		return key
	}
	return "user/" + key
}

// existing is the key under which an entry lies: as full gives it or, for a
// user fact that a person's file put elsewhere, as it was written.
func (l lifecycle) existing(ctx context.Context, key string) string {
	full, plain := l.full(key), strings.TrimSpace(key)
	if full == plain {
		return full
	}
	if _, err := l.store.Recall(ctx, full); err == nil {
		return full
	}
	if e, err := l.store.Recall(ctx, plain); err == nil {
		return e.Key
	}
	return full
}

func (l lifecycle) remember(ctx context.Context, t *turn, a arguments) outcome {
	return t.save(ctx, l, memstore.RememberRequest{
		Key: l.full(a.text("key")), Value: a.text("value"), Description: a.text("description"),
		Kind: memstore.Kind(a.text("kind")), Expected: memstore.Version(a.text("expected_version")),
		Provenance: t.provenance(l.names.remember),
	})
}

func (l lifecycle) saves(a arguments) (memstore.Scope, guard.Input) {
	return l.scope, saving(l.full(a.text("key")), a.text("description"), a.text("value"))
}

// listLimit and searchLimit bound what one call answers; normal, then most.
const (
	listNormal, listMost     = 100, 500
	searchNormal, searchMost = 8, 50
)

func (l lifecycle) recall(ctx context.Context, t *turn, a arguments) outcome {
	if key := a.text("key"); key != "" {
		e, err := l.store.Recall(ctx, l.existing(ctx, key))
		if err != nil {
			return explain(err, l.scope, a.text("key"), l.names)
		}
		return outcome{result: entryResult{OK: true, Entry: masked(e)}, read: []Ref{{l.scope, e.Key}}}
	}
	prefix := a.text("prefix")
	if prefix != "" && !strings.HasPrefix("user/", strings.ToLower(prefix)) {
		prefix = l.full(prefix)
	}
	entries, err := l.store.List(ctx, memstore.ListOptions{Prefix: prefix})
	if err != nil {
		return explain(err, l.scope, a.text("key"), l.names)
	}
	r := listResult{OK: true, Entries: []listEntry{}, Total: len(entries)}
	limit := a.limit(listNormal, listMost)
	for _, e := range entries[:min(limit, len(entries))] {
		r.Entries = append(r.Entries, listEntry{e.Key, cut(mask(e.Summary()), memstore.MaxDescription), e.Version})
	}
	if more := len(entries) - limit; more > 0 {
		r.More = fmt.Sprintf("%d more; give a prefix, a larger limit, or use %s", more, l.names.search)
	}
	return outcome{result: r}
}

func (l lifecycle) search(ctx context.Context, t *turn, a arguments) outcome {
	limit := a.limit(searchNormal, searchMost)
	hits, err := l.store.Search(ctx, searchable(a.text("query")), limit)
	if err != nil {
		return explain(err, l.scope, a.text("key"), l.names)
	}
	r := searchResult{OK: true, Results: []searchHit{}}
	o := outcome{}
	for _, h := range hits {
		r.Results = append(r.Results, found(h))
		o.read = append(o.read, Ref{l.scope, h.Entry.Key})
	}
	r.More = searchNote(r.Results, l.names)
	o.result = r
	return o
}

// maxQuery bounds what is searched for, in bytes and in words: a pasted file
// takes a search longer than a person waits, and finds nothing better.
const (
	maxQuery      = 4 << 10
	maxQueryWords = 64
)

// searchable is the part of a query that is searched for.
func searchable(query string) string {
	short := beginning(query, maxQuery)
	words := strings.Fields(short)
	if len(words) <= maxQueryWords {
		return short
	}
	return strings.Join(words[:maxQueryWords], " ")
}

// searchNote says what a model should know of a search's results.
func searchNote(hits []searchHit, n names) string {
	if len(hits) == 0 {
		return "nothing matches; try other words, or say that nothing is saved about it"
	}
	for _, h := range hits {
		if h.Cut {
			return "values marked cut show only their beginning; " + n.recall + " reads one whole"
		}
	}
	return ""
}

// historyShown bounds how many revisions an inspection shows.
const historyShown = 20

func (l lifecycle) inspect(ctx context.Context, t *turn, a arguments) outcome {
	v, ok := versioned(l.store)
	if !ok {
		return explain(memstore.ErrUnsupported, l.scope, "", l.names)
	}
	key := l.existing(ctx, a.text("key"))
	revisions, err := v.History(ctx, key)
	if err != nil {
		return explain(err, l.scope, a.text("key"), l.names)
	}
	if len(revisions) == 0 {
		return explain(&memstore.NotFoundError{Scope: l.scope, Key: key}, l.scope, key, l.names)
	}
	r := entryResult{OK: true, Entry: masked(revisions[0].Entry)}
	for i, rev := range revisions {
		if i == historyShown {
			r.More = fmt.Sprintf("%d older revisions are not shown", len(revisions)-i)
			break
		}
		rev.Entry = masked(rev.Entry)
		rev.Value, _ = shown(rev.Value)
		r.History = append(r.History, rev)
	}
	return outcome{result: r, read: []Ref{{l.scope, r.Entry.Key}}}
}

// forgetQuestion is what a person is asked before an entry is forgotten. There
// is none where the call can't succeed.
func (l lifecycle) forgetQuestion(ctx context.Context, t *turn, a arguments) (Approval, memstore.Store, bool) {
	if l.ask != Ask || t.c.asks.allowed(l.names.forget) {
		return Approval{}, nil, false
	}
	e, err := l.store.Recall(ctx, l.existing(ctx, a.text("key")))
	if err != nil || e.Version != memstore.Version(a.text("expected_version")) {
		return Approval{}, nil, false
	}
	return Approval{Tool: l.names.forget, Scope: l.scope, Key: e.Key, Entry: e, Turn: t.n, Effect: forgetEffect}, l.store, true
}

const forgetEffect = "Leaves a tombstone: the entry is hidden everywhere and can be brought back."

func (l lifecycle) forget(ctx context.Context, t *turn, a arguments) outcome {
	key := l.existing(ctx, a.text("key"))
	expected := memstore.Version(a.text("expected_version"))
	if l.ask == Never {
		return refusedBy(memstore.Scope(l.scope), key, "forgetting is switched off by the setting permissions.forget", "Tell the user that they can change the setting, or forget it themselves with: reverie memory forget "+key)
	}
	p := t.provenance(l.names.forget)
	if q := t.asked; q != nil {
		switch t.round.wait(ctx, q) {
		case Approve, ApproveSession:
			p.Origin = memstore.Explicit // the person agreed
			expected = q.Entry.Version
		case Deny:
			return refusedBy(l.scope, key, "the user said no", "Leave it as it is, and do not ask again unless the user brings it up.")
		case Unasked:
			return unasked(l.scope, key, "forget")
		default:
			return l.withdrawn(ctx, q)
		}
	}
	m, err := l.store.Forget(context.WithoutCancel(ctx), memstore.ForgetRequest{Key: key, Expected: expected, Provenance: p})
	if err != nil {
		return refused(err, l.scope, key, l.names)
	}
	return wrote("forgot", m, l.store)
}

func (l lifecycle) undo(ctx context.Context, t *turn, a arguments) outcome {
	v, ok := versioned(l.store)
	if !ok {
		return explain(memstore.ErrUnsupported, l.scope, "", l.names)
	}
	r := memstore.UndoRequest{
		Key:      l.undoable(ctx, v, a.text("key")),
		Expected: memstore.Version(a.text("expected_version")),
		// The user's own wish to undo is consent enough.
		Revive:     wishesUndo(t.prompt),
		Provenance: t.provenance(l.names.undo),
	}
	r.Provenance.Origin = memstore.Undone
	m, err := v.Undo(context.WithoutCancel(ctx), r)
	var forgotten *memstore.ForgottenError
	if errors.As(err, &forgotten) {
		if o, agreed := t.consent(ctx, l, l.names.undo, r.Key, "You forgot this key. It is brought back as it was."); !agreed {
			return o
		}
		r.Revive = true
		m, err = v.Undo(context.WithoutCancel(ctx), r)
	}
	if err != nil {
		return refused(err, l.scope, r.Key, l.names)
	}
	return undid(ctx, m, v)
}

// undoable is the key whose history is meant, a forgotten one's too.
func (l lifecycle) undoable(ctx context.Context, v memstore.Versioned, key string) string {
	full := l.full(key)
	if full == key {
		return full
	}
	if _, err := v.History(ctx, full); err != nil {
		var missing *memstore.NotFoundError
		if _, err2 := v.History(ctx, key); err2 == nil && errors.As(err, &missing) {
			return key
		}
	}
	return full
}

// save is what every tool that saves does. Where a person forgot the key, that
// person is asked before it comes back.
func (t *turn) save(ctx context.Context, l lifecycle, r memstore.RememberRequest) outcome {
	m, err := l.store.Remember(context.WithoutCancel(ctx), r)
	var forgotten *memstore.ForgottenError
	if errors.As(err, &forgotten) {
		if o, agreed := t.consent(ctx, l, l.names.remember, r.Key, "You forgot this key. It is saved again, with: "+cut(oneLine(r.Value), 200)); !agreed {
			return o
		}
		r.Revive = true
		r.Provenance.Origin = memstore.Explicit
		if r.Expected == "" {
			r.Expected = memstore.None // the answer was about a key that is forgotten
		}
		m, err = l.store.Remember(context.WithoutCancel(ctx), r)
	}
	if err != nil {
		return refused(err, l.scope, r.Key, l.names)
	}
	return wrote("remembered", m, l.store)
}
