package main

import (
	"database/sql"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite"

	"reverie/memstore/search"
)

// fts5 is SQLite's full-text index with its Porter stemmer, ranked by its BM25.
type fts5 struct {
	db   *sql.DB
	find *sql.Stmt
}

func (e *fts5) name() string { return "SQLite FTS5" }

func (e *fts5) open(dir string) error {
	var err error
	e.db, err = sql.Open("sqlite", filepath.Join(dir, "fts.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)&_pragma=cache_size(-262144)")
	if err != nil {
		return err
	}
	e.db.SetMaxOpenConns(1)
	if _, err := e.db.Exec(`create virtual table if not exists entry using fts5(key, value, tokenize = 'porter unicode61')`); err != nil {
		return err
	}
	e.find, err = e.db.Prepare(`select key from entry where entry match ? order by rank limit 10`)
	return err
}

func (e *fts5) build(dir string, c *corpus) error {
	if err := e.open(dir); err != nil {
		return err
	}
	tx, err := e.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert, err := tx.Prepare(`insert into entry(key, value) values(?, ?)`)
	if err != nil {
		return err
	}
	for d := range c.entries {
		if _, err := insert.Exec(d.Key, d.Value); err != nil {
			return err
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	_, err = e.db.Exec(`insert into entry(entry) values('optimize')`)
	return err
}

func (e *fts5) search(query string) (int, error) {
	words := strings.Fields(query)
	for i, w := range words {
		words[i] = `"` + w + `"`
	}
	rows, err := e.find.Query(strings.Join(words, " OR "))
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		var key string
		if err := rows.Scan(&key); err != nil {
			return 0, err
		}
		n++
	}
	return n, rows.Err()
}

func (e *fts5) add(d search.Document) error {
	_, err := e.db.Exec(`insert into entry(key, value) values(?, ?)`, d.Key, d.Value)
	return err
}

func (e *fts5) close() error {
	e.find.Close()
	return e.db.Close()
}
