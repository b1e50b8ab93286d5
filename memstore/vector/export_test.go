package vector

import "time"

// Hasten shortens the times that a test would wait for.
func (x *Index) Hasten(search time.Duration) {
	x.firstRetry, x.searchTime = 20*time.Millisecond, search
	x.o.Milvus.server.pause, x.o.Embedder.server.pause = time.Millisecond, time.Millisecond
}

func (e *Embedder) Hasten() { e.server.pause = time.Millisecond }
func (m *Milvus) Hasten()   { m.server.pause = time.Millisecond }

var (
	RowID     = rowID
	Quote     = quote
	Beginning = beginning
	Clean     = clean
	Join      = join

	ReadEmbeddings = readEmbeddings
)

const (
	MaxID   = maxID
	MaxText = maxText

	LexicalBar = lexicalBar
)

// At returns the same recall with another bar.
func (l *Lexical) At(bar float64) *Lexical {
	return &Lexical{stores: l.stores, bar: bar, least: l.least}
}
