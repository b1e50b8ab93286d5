// Package vector finds memories by meaning: it keeps the embeddings of entries
// in a Milvus collection and searches there.
//
// An [Index] follows the revision streams of up to two stores, the project's
// and the user's. What was saved is embedded by an [Embedder] and upserted
// through [Milvus]; what was forgotten or purged is deleted there. The stores
// stay the truth: a row holds no text, a hit answers with the store's current
// entry, and one whose entry is gone is dropped. Nothing that package guard
// refuses is ever sent.
//
// Neither saving nor searching waits for the servers longer than
// [SearchTime]. While one is down, the search by words goes on alone, one line
// says so, and the position in the stream that each store remembers lets the
// index catch up later.
//
// [Lexical] is recall without any server, by the words of a prompt. The package
// knows nothing of conversations and settings.
package vector
