package milvustest

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"hash/fnv"
	"math"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// Embeddings is a server of POST /v1/embeddings. Set its fields before it is
// asked.
type Embeddings struct {
	host
	Size     int             // numbers in a vector
	Sizes    map[string]int  // of single models, where they differ
	Base64   bool            // vectors come in base64
	Reverse  bool            // vectors come in reverse order, with their index
	MaxInput int             // inputs in a request; 0: any number
	MaxBytes int             // of an input; 0: any
	Refuses  string          // an input with this word is refused
	Models   map[string]bool // nil: any
}

// NewEmbeddings starts a server, which ends with the test.
func NewEmbeddings(t testing.TB) *Embeddings {
	e := &Embeddings{Size: 256}
	e.start(t, http.HandlerFunc(e.handle))
	return e
}

// Base is the address that a client adds /embeddings to.
func (e *Embeddings) Base() string { return e.URL() + "/v1" }

// Inputs are all texts that were sent, in order.
func (e *Embeddings) Inputs() []string {
	var all []string
	for _, r := range e.Requests() {
		var q struct{ Input []string }
		if json.Unmarshal([]byte(r.Body), &q) == nil {
			all = append(all, q.Input...)
		}
	}
	return all
}

func failure(message string) any {
	return map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error"}}
}

func (e *Embeddings) handle(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/v1/embeddings" || r.Method != http.MethodPost {
		http.NotFound(w, r)
		return
	}
	sent := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	body, after, done := e.receive(w, r, "embeddings", failure("Incorrect API key provided: "+sent))
	if done {
		return
	}
	var q struct {
		Model string
		Input []string
	}
	problem := ""
	switch err := json.Unmarshal(body, &q); {
	case err != nil:
		problem = err.Error()
	case e.Models != nil && !e.Models[q.Model]:
		problem = "model " + q.Model + " does not exist"
	case e.MaxInput > 0 && len(q.Input) > e.MaxInput:
		problem = "too many inputs"
	}
	for _, text := range q.Input {
		switch {
		case e.MaxBytes > 0 && len(text) > e.MaxBytes:
			problem = "maximum context length exceeded"
		case e.Refuses != "" && strings.Contains(text, e.Refuses), text == "":
			problem = "an input is not valid"
		}
	}
	if problem != "" {
		w.WriteHeader(http.StatusBadRequest)
		reply(w, failure(problem))
		return
	}
	if after.strike(w, r) {
		return
	}
	size := e.Size
	if n := e.Sizes[q.Model]; n > 0 {
		size = n
	}
	data := []any{}
	for i, text := range q.Input {
		v := Vector(text, size)
		var shown any = v
		if e.Base64 {
			var raw []byte
			for _, f := range v {
				raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(f))
			}
			shown = base64.StdEncoding.EncodeToString(raw)
		}
		data = append(data, map[string]any{"object": "embedding", "index": i, "embedding": shown})
	}
	if e.Reverse {
		slices.Reverse(data)
	}
	reply(w, map[string]any{"object": "list", "model": q.Model, "data": data})
}

// meanings are words that mean the same to the model.
var meanings = func() map[string]string {
	m := map[string]string{}
	for _, group := range []string{
		"deploy release ship rollout", "friday weekend", "car automobile vehicle", "database postgres sql",
		"editor vim emacs", "test check verify", "error failure bug", "doctor physician", "tea beverage drink",
	} {
		words := strings.Fields(group)
		for _, w := range words {
			m[w] = words[0]
		}
	}
	return m
}()

var empty = map[string]bool{"a": true, "an": true, "and": true, "are": true, "at": true, "do": true, "for": true, "how": true,
	"i": true, "in": true, "is": true, "it": true, "my": true, "of": true, "on": true, "our": true, "the": true, "to": true,
	"we": true, "what": true, "when": true, "which": true, "with": true}

// Vector is the model: each word, or what it means, adds to two places of the
// vector that its hash chooses, and the whole has length 1. Texts that share
// meanings are close, others are about at right angles. The same text always
// has the same vector.
func Vector(text string, size int) []float32 {
	v := make([]float64, size)
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for _, w := range words {
		if meanings[w] == "" && len(w) > 3 {
			w = strings.TrimSuffix(w, "s")
		}
		w = cmp.Or(meanings[w], w)
		if empty[w] {
			continue
		}
		h := fnv.New64a()
		h.Write([]byte(w))
		sum := h.Sum64()
		for range 2 {
			sign := 1.0
			if sum&1 == 1 {
				sign = -1
			}
			v[(sum>>1)%uint64(size)] += sign
			sum = sum*0x9e3779b97f4a7c15 + 1
			sum ^= sum >> 29
		}
	}
	length := 0.0
	for _, f := range v {
		length += f * f
	}
	if length == 0 {
		v[0], length = 1, 1
	}
	out := make([]float32, size)
	for i, f := range v {
		out[i] = float32(f / math.Sqrt(length))
	}
	return out
}
