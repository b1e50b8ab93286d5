package main

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"reverie/agent"
	"reverie/memstore"
	"reverie/memstore/vector"
)

// catchUpWait is how long a command waits for the servers of search by meaning
// to take what it changed; what they did not take is caught up later.
const catchUpWait = 5 * time.Second

// semantic is search by meaning over both memories, or nil where none is
// configured. It is used while the stores are open.
func (a *app) semantic(st *settings, p place, project, user memstore.Store) (*vector.Index, error) {
	url := st.text("memory.vector.url")
	if url == "" {
		return nil, nil
	}
	name := st.text("memory.embeddings.model")
	if name == "" {
		return nil, usagef("[memory.vector] needs an embedding model: set model in [memory.embeddings]")
	}
	server, err := models{st, a}.provider(st.text("memory.embeddings.provider"))
	if err != nil {
		return nil, err
	}
	if server.kind == "anthropic" {
		return nil, usagef("anthropic has no /embeddings; set another provider in [memory.embeddings]")
	}
	base := server.cfg.BaseURL
	if base == "" {
		base = "https://api.openai.com/v1"
	}
	embedder, err := vector.NewEmbedder(vector.EmbedderOptions{URL: base, Model: name, Key: func() string {
		ctx, cancel := context.WithTimeout(context.Background(), catchUpWait)
		defer cancel()
		key, err := server.cfg.Key(ctx)
		if err != nil {
			a.say("reverie: %s", err)
		}
		return key
	}})
	if err != nil {
		return nil, err
	}
	token := st.text("memory.vector.token_env")
	milvus, err := vector.NewMilvus(vector.MilvusOptions{URL: url, Token: func() string {
		if token == "" {
			return ""
		}
		return a.getenv(token)
	}})
	if err != nil {
		return nil, err
	}
	return vector.New(vector.Options{
		Project: project, User: user, Root: p.root, Embedder: embedder, Milvus: milvus,
		Collection: st.text("memory.vector.collection"), Now: a.now, Warn: func(s string) { a.say("reverie: %s", s) },
	}), nil
}

// meaning makes a store's search one by words and meaning.
type meaning struct {
	*memstore.DB
	index *vector.Index
}

// Search joins what words and meaning find, of this store's scope.
func (m meaning) Search(ctx context.Context, query string, limit int) ([]memstore.Hit, error) {
	if limit <= 0 {
		return m.DB.Search(ctx, query, limit)
	}
	joined, err := m.index.Joined(ctx, query, 3*limit)
	if err != nil {
		return nil, err
	}
	hits := make([]memstore.Hit, 0, limit)
	for _, h := range joined {
		if h.Entry.Scope == m.Scope() && len(hits) < limit {
			hits = append(hits, h)
		}
	}
	return hits, nil
}

// byMeaning and byWords find memories for a prompt.
type byMeaning struct{ index *vector.Index }

func (r byMeaning) Recall(ctx context.Context, prompt string, limit int) ([]agent.Match, error) {
	found, err := r.index.Recall(ctx, prompt, limit)
	return matches(found), err
}

type byWords struct{ lexical *vector.Lexical }

func (r byWords) Recall(ctx context.Context, prompt string, limit int) ([]agent.Match, error) {
	found, err := r.lexical.Recall(ctx, prompt, limit)
	return matches(found), err
}

func matches(found []vector.Match) []agent.Match {
	out := make([]agent.Match, len(found))
	for i, m := range found {
		out[i] = agent.Match{Entry: m.Entry, Score: m.Similarity}
	}
	return out
}

// semanticOver is search by meaning over the memories that a command opened.
func (a *app) semanticOver(all []opened) (*vector.Index, error) {
	st, p, err := a.load()
	if err != nil {
		return nil, err
	}
	var project, user memstore.Store
	for _, o := range all {
		switch o.Scope() {
		case memstore.Project:
			project = o.Store
		case memstore.User:
			user = o.Store
		}
	}
	return a.semantic(st, p, project, user)
}

// catchUpLater brings what this run changed to the servers when it ends. That
// they are down is said and is no failure of the run.
func (a *app) catchUpLater(ctx context.Context, x *vector.Index) {
	a.cleanup = append(a.cleanup, func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), catchUpWait)
		defer cancel()
		_ = x.Catchup(ctx) // told to Warn already, and caught up later
		return nil
	})
}

func (a *app) reindexCommand() *cobra.Command {
	return &cobra.Command{
		Use: "reindex", Short: "Rebuild the collection for search by meaning from the memories", Args: argCount(0, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			all, err := a.stores(ctx, memstore.Project, memstore.User)
			if err != nil {
				return err
			}
			x, err := a.semanticOver(all)
			if err != nil {
				return err
			}
			if x == nil {
				return usagef("no vector store is configured, and search by words needs no index; see [memory.vector] in docs/vector.md")
			}
			n := 0
			tell := a.progress("memories")
			err = x.Reindex(ctx, func(done, total int) { n = total; tell(done, total) })
			if err != nil {
				return err
			}
			a.printf("reindexed  %d memories\n", n)
			return nil
		},
	}
}
