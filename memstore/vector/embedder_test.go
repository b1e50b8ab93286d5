package vector_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"reverie/memstore/vector"
	"reverie/memstore/vector/milvustest"
)

func embedder(t testing.TB, url, key string) *vector.Embedder {
	t.Helper()
	e, err := vector.NewEmbedder(vector.EmbedderOptions{URL: url, Model: model, Key: func() string { return key }})
	if err != nil {
		t.Fatal(err)
	}
	e.Hasten()
	return e
}

func TestVectorsComeInTheOrderOfTheTexts(t *testing.T) {
	t.Parallel()
	for name, set := range map[string]func(*milvustest.Embeddings){
		"in order":   func(*milvustest.Embeddings) {},
		"reversed":   func(s *milvustest.Embeddings) { s.Reverse = true },
		"base64":     func(s *milvustest.Embeddings) { s.Base64 = true },
		"both":       func(s *milvustest.Embeddings) { s.Base64, s.Reverse = true, true },
		"few a time": func(s *milvustest.Embeddings) { s.MaxInput = 64 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := milvustest.NewEmbeddings(t)
			set(s)
			var texts []string
			for i := range 150 {
				texts = append(texts, fmt.Sprintf("text number%d", i))
			}
			got, err := embedder(t, s.Base(), "").Embed(t.Context(), texts)
			if err != nil {
				t.Fatal(err)
			}
			for i, text := range texts {
				if !slices.Equal(got[i], milvustest.Vector(text, 256)) {
					t.Fatalf("the vector of %q is another's", text)
				}
			}
			if n := s.Count("embeddings"); n != 3 {
				t.Errorf("%d requests for 150 texts, want 3", n)
			}
		})
	}
}

func TestABatchIsLimitedInBytes(t *testing.T) {
	t.Parallel()
	s := milvustest.NewEmbeddings(t)
	texts := make([]string, 40)
	for i := range texts {
		texts[i] = strings.Repeat("word ", 3000) // 15,000 bytes
	}
	if _, err := embedder(t, s.Base(), "").Embed(t.Context(), texts); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.Requests() {
		if len(r.Body) > 300<<10 {
			t.Errorf("a request has %d bytes", len(r.Body))
		}
	}
}

func TestOfALongTextTheBeginningIsEmbedded(t *testing.T) {
	t.Parallel()
	s := milvustest.NewEmbeddings(t)
	if _, err := embedder(t, s.Base(), "").Embed(t.Context(), []string{strings.Repeat("ä", 40000)}); err != nil {
		t.Fatal(err)
	}
	if got := s.Inputs()[0]; len(got) > vector.MaxText || !utf8.ValidString(got) {
		t.Errorf("sent %d bytes, valid UTF-8: %v", len(got), utf8.ValidString(got))
	}
}

func TestATextThatTheModelCallsTooLongIsShortened(t *testing.T) {
	t.Parallel()
	s := milvustest.NewEmbeddings(t)
	s.MaxBytes = 1000
	texts := []string{"short one", strings.Repeat("word ", 1000), "short two"}
	got, err := embedder(t, s.Base(), "").Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got[2], milvustest.Vector("short two", 256)) || got[1] == nil {
		t.Error("the vectors beside a text that was shortened are not theirs")
	}
}

func TestBusyServersAreAskedAgain(t *testing.T) {
	t.Parallel()
	for _, status := range []int{429, 500, 502, 503, 504} {
		s := milvustest.NewEmbeddings(t)
		s.Fail(func(_ string, n int) milvustest.Fault {
			if n <= 2 {
				return milvustest.Fault{Status: status, Header: http.Header{"Retry-After": {"0"}}}
			}
			return milvustest.Fault{}
		})
		if _, err := embedder(t, s.Base(), "").Embed(t.Context(), []string{"text"}); err != nil {
			t.Errorf("%d: %v", status, err)
		}
	}
}

func TestAServerIsLeftAloneForAsLongAsItAsks(t *testing.T) {
	t.Parallel()
	s := milvustest.NewEmbeddings(t)
	s.Fail(func(_ string, n int) milvustest.Fault {
		if n == 1 {
			return milvustest.Fault{Status: 429, Header: http.Header{"Retry-After": {"1"}}}
		}
		return milvustest.Fault{}
	})
	start := time.Now()
	if _, err := embedder(t, s.Base(), "").Embed(t.Context(), []string{"text"}); err != nil {
		t.Fatal(err)
	}
	if d := time.Since(start); d < time.Second {
		t.Errorf("asked again after %v, want a second", d)
	}
}

func TestNoKeyIsInAnError(t *testing.T) {
	t.Parallel()
	key := "sk-" + strings.Repeat("madeup", 6)
	s := milvustest.NewEmbeddings(t)
	s.Require("another")
	_, err := embedder(t, s.Base(), key).Embed(t.Context(), []string{"text"})
	var h *vector.HTTPError
	if !errors.As(err, &h) || h.Status != 401 || strings.Contains(err.Error(), "madeup") || !strings.Contains(err.Error(), "Incorrect API key") {
		t.Errorf("the error is %v", err)
	}
	s.Kill()
	_, err = embedder(t, s.Base(), key).Embed(t.Context(), []string{"text"})
	var u *vector.UnreachableError
	if !errors.As(err, &u) || strings.Contains(err.Error(), "madeup") || !strings.Contains(err.Error(), s.URL()) {
		t.Errorf("the error is %v", err)
	}
}

func TestAnswersThatAreNoVectorsAreErrors(t *testing.T) {
	t.Parallel()
	for _, body := range []string{
		``, `{}`, `[]`, `<html>`, `{"data":[]}`, `{"data":[{"embedding":[]},{"embedding":[1]}]}`,
		`{"data":[{"embedding":[1,2]}]}`, `{"data":[{"embedding":[1,2]},{"embedding":[1]}]}`,
		`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`,
		`{"data":[{"index":5,"embedding":[1]},{"index":-1,"embedding":[1]}]}`,
		`{"data":[{"embedding":"????"},{"embedding":"AAAA"}]}`, `{"data":[{"embedding":"AADAfw=="},{"embedding":"AADAfw=="}]}`,
		`{"error":{"message":"model overloaded"}}`, `{"data":[{"embedding":null},{"embedding":null}]}`,
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }))
		got, err := embedder(t, s.URL, "").Embed(t.Context(), []string{"one", "two"})
		s.Close()
		if err == nil {
			t.Errorf("%q is read as %v", body, got)
		}
	}
}

func TestAServerThatCountsNoIndexSendsInOrder(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"data":[{"embedding":[1,0]},{"embedding":[0,1]}]}`)
	}))
	defer s.Close()
	got, err := embedder(t, s.URL, "").Embed(t.Context(), []string{"one", "two"})
	if err != nil || got[0][0] != 1 || got[1][1] != 1 {
		t.Errorf("read as %v, %v", got, err)
	}
}

func TestTheAddressMayNameTheEndpointItself(t *testing.T) {
	t.Parallel()
	s := milvustest.NewEmbeddings(t)
	for _, url := range []string{s.Base(), s.Base() + "/", s.Base() + "/embeddings", s.Base() + "/embeddings/"} {
		if _, err := embedder(t, url, "").Embed(t.Context(), []string{"text"}); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestAWaitEndsWithItsContext(t *testing.T) {
	t.Parallel()
	s := milvustest.NewEmbeddings(t)
	s.Fail(func(string, int) milvustest.Fault { return milvustest.Fault{Delay: time.Hour} })
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := embedder(t, s.Base(), "").Embed(ctx, []string{"text"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the error is %v", err)
	}
}

func TestAMemoryThatTheServerRefusesDoesNotHoldUpTheOthers(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.embeddings.Refuses = "poison"
	save(t, r.project, "a", "We release on Friday.")
	save(t, r.project, "b", "This is poison.")
	save(t, r.project, "c", "Orders live in Postgres.")
	catchUp(t, r.Index)
	if got := strings.Join(r.milvus.Keys(collection), " "); got != "a c" {
		t.Errorf("rows are %q, want a c", got)
	}
	if got := r.warned.list(); len(got) != 1 || !strings.Contains(got[0], "project memory b") {
		t.Errorf("warned %q", got)
	}
}

func TestAModelThatTheServerLacksIsAnErrorAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.embeddings.Models = map[string]bool{}
	for i := range 20 {
		save(t, r.project, fmt.Sprintf("fact-%d", i), strings.Repeat("long ", 500))
	}
	var h *vector.HTTPError
	if err := r.Catchup(t.Context()); !errors.As(err, &h) || !strings.Contains(err.Error(), model) {
		t.Errorf("the error is %v", err)
	}
	if got := r.embeddings.Count("embeddings"); got > 2 {
		t.Errorf("%d requests to find out", got)
	}
}

func FuzzAnswersOfAnyKindAreReadOrRefused(f *testing.F) {
	f.Add(`{"data":[{"index":0,"embedding":[1,2]}]}`)
	f.Add(`{"data":[{"index":0,"embedding":"AAAAAA=="}]}`)
	f.Add(`{"error":"x"}`)
	f.Fuzz(func(t *testing.T, body string) {
		got, err := vector.ReadEmbeddings([]byte(body), 1)
		if err == nil && (len(got) != 1 || len(got[0]) == 0) {
			t.Errorf("read as %v", got)
		}
	})
}

func TestAQueryThatTheServerRefusesIsNoOutage(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.embeddings.Refuses = "poison"
	save(t, r.project, "a", "We release on Friday.")
	catchUp(t, r.Index)
	if _, err := r.Search(t.Context(), "is this poison", 1); err == nil {
		t.Error("the search succeeds")
	}
	if got := keys(t, r.Index, "release on Friday"); got != "p:a" || len(r.warned.list()) != 0 {
		t.Errorf("the next search finds %q; warned %q", got, r.warned.list())
	}
}
