package vector

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
)

const (
	// A request carries up to maxBatch texts and maxBatchBytes. OpenAI takes
	// 2,048 inputs and 300,000 tokens in a request, other servers less.
	maxBatch      = 64
	maxBatchBytes = 256 << 10
	// maxText is how many bytes of a text are embedded: OpenAI's models take
	// 8,192 tokens, and a token is at least two bytes of most text.
	maxText = 16 << 10
	// leastText is where shortening a text that a model calls too long ends.
	leastText = 256
	// harmless is a text that every model takes.
	harmless = "memory"
)

// EmbedderOptions say which model turns text into vectors.
type EmbedderOptions struct {
	// URL is the base of an OpenAI-compatible API, such as
	// https://api.openai.com/v1; /embeddings is added.
	URL   string
	Model string
	// Key returns the API key; nil or "" where the server needs none.
	Key    func() string
	Client *http.Client // nil: one that waits up to 30 s for an answer
}

// An Embedder turns texts into vectors by an OpenAI-compatible /embeddings. Its
// methods may be called from several goroutines at once.
type Embedder struct {
	server server
	model  string
}

// NewEmbedder checks the options; it sends nothing.
func NewEmbedder(o EmbedderOptions) (*Embedder, error) {
	if strings.TrimSpace(o.Model) == "" {
		return nil, errors.New("memory.embeddings names no model")
	}
	s, err := newServer("the embedding server", strings.TrimSuffix(strings.TrimRight(o.URL, "/"), "/embeddings"), o.Key, o.Client)
	if err != nil {
		return nil, err
	}
	return &Embedder{s, o.Model}, nil
}

// Model is the model's name.
func (e *Embedder) Model() string { return e.model }

// Embed returns a vector for each text, in order and all of one size. Texts go
// out in batches. Of a text longer than 16 KiB, or than the model takes, the
// beginning is embedded. Busy servers (429, 5xx) are asked again a few times.
// Errors never hold the key.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, refused, err := e.embedEach(ctx, texts)
	if err == nil && len(refused) > 0 {
		for _, err := range refused {
			return nil, err
		}
	}
	return vectors, err
}

// embedEach leaves the vector of a text nil that the server refuses while it
// takes others, and says why by the text's place.
func (e *Embedder) embedEach(ctx context.Context, texts []string) (vectors [][]float32, refused map[int]error, err error) {
	vectors = make([][]float32, len(texts))
	refused = map[int]error{}
	for lo := 0; lo < len(texts); {
		hi, size := lo, 0
		for hi < len(texts) && hi-lo < maxBatch {
			n := min(len(texts[hi]), maxText)
			if hi > lo && size+n > maxBatchBytes {
				break
			}
			size += n
			hi++
		}
		if err := e.batch(ctx, texts, vectors, refused, lo, hi); err != nil {
			return nil, nil, err
		}
		lo = hi
	}
	return vectors, refused, sameSize(vectors)
}

// batch embeds texts[lo:hi]. Where the server refuses the whole and yet takes
// another text, it goes one by one, to find the text that is to blame.
func (e *Embedder) batch(ctx context.Context, texts []string, vectors [][]float32, refused map[int]error, lo, hi int) error {
	inputs := make([]string, 0, hi-lo)
	for _, t := range texts[lo:hi] {
		inputs = append(inputs, beginning(t, maxText))
	}
	got, err := e.request(ctx, inputs)
	if err == nil {
		copy(vectors[lo:hi], got)
		return nil
	}
	if !unfit(err) {
		return err
	}
	if _, other := e.request(ctx, []string{harmless}); other != nil {
		return err
	}
	for i := lo; i < hi; i++ {
		v, err := e.one(ctx, beginning(texts[i], maxText))
		var r *refusedError
		switch {
		case errors.As(err, &r):
			refused[i] = r.err
		case err != nil:
			return err
		}
		vectors[i] = v
	}
	return nil
}

// one embeds a text, or its beginning where the model takes no more.
func (e *Embedder) one(ctx context.Context, text string) ([]float32, error) {
	for {
		got, err := e.request(ctx, []string{text})
		switch {
		case err == nil:
			return got[0], nil
		case !unfit(err):
			return nil, err
		case len(text) <= leastText:
			return nil, &refusedError{err}
		}
		text = beginning(text, len(text)/2)
	}
}

// unfit says that the server refused what it was sent, rather than everything.
func unfit(err error) bool {
	var h *HTTPError
	return errors.As(err, &h) && (h.Status == http.StatusBadRequest ||
		h.Status == http.StatusRequestEntityTooLarge || h.Status == http.StatusUnprocessableEntity)
}

// request is one call of POST /embeddings, as the OpenAI API reference
// describes it under "Create embeddings".
func (e *Embedder) request(ctx context.Context, inputs []string) ([][]float32, error) {
	body := struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}{e.model, inputs}
	var vectors [][]float32
	err := e.server.post(ctx, "/embeddings", body, func(answer []byte) (again bool, err error) {
		vectors, err = readEmbeddings(answer, len(inputs))
		if err != nil {
			err = fmt.Errorf("the embedding server at %s answered for model %s: %s", e.server.base, e.model,
				clean(err.Error(), e.server.secret()))
		}
		return false, err
	})
	return vectors, err
}

// readEmbeddings reads an answer for n texts. Vectors are put in the order of
// their index; a server that counts none sends them in order.
func readEmbeddings(answer []byte, n int) ([][]float32, error) {
	var a struct {
		Data []struct {
			Index     *int      `json:"index"`
			Embedding embedding `json:"embedding"`
		} `json:"data"`
		Error json.RawMessage `json:"error"`
	}
	if err := json.Unmarshal(answer, &a); err != nil {
		return nil, fmt.Errorf("it is no list of embeddings: %w", err)
	}
	if len(a.Data) == 0 && len(a.Error) > 0 && string(a.Error) != "null" {
		// Some servers report failures with HTTP 200.
		return nil, errors.New(string(a.Error))
	}
	if len(a.Data) != n {
		return nil, fmt.Errorf("%d vectors for %d texts", len(a.Data), n)
	}
	vectors := make([][]float32, n)
	for i, d := range a.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
		}
		if at < 0 || at >= n || vectors[at] != nil {
			return nil, fmt.Errorf("a vector has the index %d, which is outside or there twice", at)
		}
		if len(d.Embedding) == 0 {
			return nil, errors.New("a vector is empty")
		}
		vectors[at] = d.Embedding
	}
	return vectors, sameSize(vectors)
}

// sameSize checks the vectors that are there.
func sameSize(vectors [][]float32) error {
	size := 0
	for _, v := range vectors {
		switch {
		case v == nil:
		case size == 0:
			size = len(v)
		case len(v) != size:
			return fmt.Errorf("the embedding server sent vectors of %d and of %d numbers", size, len(v))
		}
	}
	return nil
}

// An embedding is an array of numbers, or these as little-endian float32 in
// base64, which some servers send unasked.
type embedding []float32

func (e *embedding) UnmarshalJSON(b []byte) error {
	var numbers []float32
	if len(b) > 0 && b[0] == '"' {
		var text string
		if err := json.Unmarshal(b, &text); err != nil {
			return err
		}
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil || len(raw)%4 != 0 {
			return errors.New("a vector in base64 is damaged")
		}
		for i := 0; i < len(raw); i += 4 {
			numbers = append(numbers, math.Float32frombits(binary.LittleEndian.Uint32(raw[i:])))
		}
	} else if err := json.Unmarshal(b, &numbers); err != nil {
		return err
	}
	for _, n := range numbers {
		if f := float64(n); math.IsNaN(f) || math.IsInf(f, 0) {
			return errors.New("a vector has a component that is no number")
		}
	}
	*e = numbers
	return nil
}
