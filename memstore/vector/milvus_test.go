package vector_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"reverie/memstore"
	"reverie/memstore/vector"
	"reverie/memstore/vector/milvustest"
)

func client(t testing.TB, url, token string) *vector.Milvus {
	t.Helper()
	m, err := vector.NewMilvus(vector.MilvusOptions{URL: url, Token: func() string { return token }})
	if err != nil {
		t.Fatal(err)
	}
	m.Hasten()
	return m
}

// filled is a server with a collection of vectors of two numbers.
func filled(t testing.TB, keys ...string) (*milvustest.Milvus, *vector.Milvus) {
	t.Helper()
	s := milvustest.NewMilvus(t)
	m := client(t, s.URL(), "")
	if _, err := m.Ensure(t.Context(), collection, model, 2); err != nil {
		t.Fatal(err)
	}
	var rows []vector.Row
	for i, k := range keys {
		rows = append(rows, vector.Row{ID: k, Scope: memstore.Project, Key: k, Vector: []float32{1, float32(i)}})
	}
	if len(rows) > 0 {
		if err := m.Upsert(t.Context(), collection, rows); err != nil {
			t.Fatal(err)
		}
	}
	return s, m
}

func found(t testing.TB, m *vector.Milvus, filter string) string {
	t.Helper()
	rows, err := m.Search(t.Context(), collection, []float32{1, 0}, filter, 10)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range rows {
		ids = append(ids, r.ID)
	}
	return strings.Join(ids, " ")
}

func TestBothFormsOfATokenAreSentAsBearer(t *testing.T) {
	t.Parallel()
	for _, token := range []string{"root:" + "made-up", "made" + "upapikey0123"} {
		s := milvustest.NewMilvus(t)
		s.Require(token)
		m := client(t, s.URL()+"/", token)
		if _, err := m.Ensure(t.Context(), collection, model, 2); err != nil {
			t.Errorf("%s: %v", token, err)
		}
		if got := s.Requests()[0].Authorization; got != "Bearer "+token {
			t.Errorf("sent %q", got)
		}
	}
}

func TestNoTokenIsSentWhereThereIsNone(t *testing.T) {
	t.Parallel()
	s, _ := filled(t)
	if got := s.Requests()[0].Authorization; got != "" {
		t.Errorf("sent %q", got)
	}
}

func TestFailuresWithStatus200AreErrors(t *testing.T) {
	t.Parallel()
	s, m := filled(t, "a")
	s.Fail(func(string, int) milvustest.Fault { return milvustest.Fault{Code: 1100} })
	err := m.Upsert(t.Context(), collection, []vector.Row{{ID: "b", Vector: []float32{1, 1}}})
	var e *vector.MilvusError
	if !errors.As(err, &e) || e.Code != 1100 || e.Collection != collection || e.Action != "entities/upsert" {
		t.Errorf("the error is %v", err)
	}
	if got := s.Count("entities/upsert"); got != 2 {
		t.Errorf("%d requests, want no second try of one that can't succeed", got-1)
	}
}

func TestAMessageBesideCodeZeroIsNoFailure(t *testing.T) {
	t.Parallel()
	_, m := filled(t)
	// The server of the tests says something in every description.
	if _, err := m.Describe(t.Context(), collection); err != nil {
		t.Error(err)
	}
}

func TestAnAnswerWithoutACodeIsNoMilvus(t *testing.T) {
	t.Parallel()
	for _, body := range []string{`{}`, `{"status":"ok"}`, `<html>hello</html>`, ``, `[]`, `null`, `{"code":"0"}`} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) }))
		defer s.Close()
		if _, err := client(t, s.URL, "").Has(t.Context(), collection); err == nil || !strings.Contains(err.Error(), s.URL) {
			t.Errorf("%q: the error is %v", body, err)
		}
	}
}

func TestCreatingSaysTheMetricAndTheKeysLength(t *testing.T) {
	t.Parallel()
	s, _ := filled(t)
	for _, r := range s.Requests() {
		if r.Action != "collections/create" {
			continue
		}
		var q struct {
			Metric, IDType   string
			MetricType       string
			Dimension        int
			Params           struct{ Max_length string }
			PrimaryFieldName string
		}
		if err := json.Unmarshal([]byte(r.Body), &q); err != nil {
			t.Fatal(err)
		}
		if q.MetricType != "COSINE" || q.IDType != "VarChar" || q.Params.Max_length != fmt.Sprint(vector.MaxID) || q.Dimension != 2 {
			t.Errorf("created by %s", r.Body)
		}
		return
	}
	t.Error("no collection was created")
}

func TestADescriptionHasTheSizeAsANumber(t *testing.T) {
	t.Parallel()
	_, m := filled(t)
	c, err := m.Describe(t.Context(), collection)
	if err != nil || c.Dimension != 2 || c.Metric != "COSINE" || !c.Loaded || c.ID != "455000000000000001" {
		t.Errorf("described as %+v, %v", c, err)
	}
}

func TestACollectionThatWasCreatedUnloadedIsLoaded(t *testing.T) {
	t.Parallel()
	s := milvustest.NewMilvus(t)
	s.LoadSteps = 2
	resp, err := http.Post(s.URL()+"/v2/vectordb/collections/create", "application/json", strings.NewReader(
		`{"collectionName":"`+collection+`","schema":{"fields":[
			{"fieldName":"id","dataType":"VarChar","isPrimary":true,"elementTypeParams":{"max_length":512}},
			{"fieldName":"vector","dataType":"FloatVector","elementTypeParams":{"dim":"2"}}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	m := client(t, s.URL(), "")
	if c, err := m.Ensure(t.Context(), collection, model, 2); err != nil || !c.Loaded {
		t.Fatalf("ensured as %+v, %v", c, err)
	}
	if got := found(t, m, ""); got != "" {
		t.Errorf("found %q", got)
	}
}

func TestTheDistanceIsTheSimilarity(t *testing.T) {
	t.Parallel()
	_, m := filled(t, "same", "diagonal")
	rows, err := m.Search(t.Context(), collection, []float32{2, 0}, "", 10)
	if err != nil || len(rows) != 2 {
		t.Fatalf("found %v, %v", rows, err)
	}
	if rows[0].ID != "same" || rows[0].Similarity != 1 || rows[1].Similarity < 0.70 || rows[1].Similarity > 0.71 {
		t.Errorf("found %+v, want 1 and cos 45°", rows)
	}
}

func TestOnlyAStrongReadSeesAWriteRightAway(t *testing.T) {
	t.Parallel()
	s, m := filled(t, "a")
	resp, err := http.Post(s.URL()+"/v2/vectordb/entities/search", "application/json",
		strings.NewReader(`{"collectionName":"`+collection+`","data":[[1,0]],"annsField":"vector","limit":5}`))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var weak struct{ Data []any }
	if err := json.NewDecoder(resp.Body).Decode(&weak); err != nil || len(weak.Data) != 0 {
		t.Fatalf("the server shows a weak reader %v, %v: it is of no use for this test", weak.Data, err)
	}
	if got := found(t, m, ""); got != "a" {
		t.Errorf("the client finds %q, want a", got)
	}
	if rows, err := m.Query(t.Context(), collection, ""); err != nil || len(rows) != 1 {
		t.Errorf("the client queries %v, %v; want a", rows, err)
	}
}

func TestFiltersAreEscaped(t *testing.T) {
	t.Parallel()
	texts := []string{`plain`, `say "hi"`, `back\slash`, `\`, `"`, `\"`, "new\nline", "tab\t", "carriage\r", "ümlaut 日本", `" or id != "`, `'`}
	s, m := filled(t, texts...)
	for _, text := range texts {
		if got, err := m.Search(t.Context(), collection, []float32{1, 0}, "id == "+vector.Quote(text), 10); err != nil || len(got) != 1 || got[0].ID != text {
			t.Errorf("%q finds %v, %v", text, got, err)
		}
	}
	if err := m.Delete(t.Context(), collection, "id in ["+vector.Quote(`" or id != "`)+"]"); err != nil {
		t.Fatal(err)
	}
	if got := len(s.Rows(collection)); got != len(texts)-1 {
		t.Errorf("%d rows remain, want one deleted", got)
	}
}

func FuzzQuotedStringsMatchThemselvesOnly(f *testing.F) {
	for _, s := range []string{"", `"`, `\`, `\"`, "\n", `" or "" == "`, "\x00", "a\u2028b", `\u0041`, "\x7f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ReplaceAll(strings.ToValidUTF8(s, "?"), "\x00", "")
		match, err := milvustest.ParseFilter("key == " + vector.Quote(s))
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if !match(map[string]string{"key": s}) || match(map[string]string{"key": s + "x"}) {
			t.Errorf("%q does not match itself only", s)
		}
	})
}

func TestPrimaryKeysStayWithinTheirBytesAndApart(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("/größe", 200)
	ids := map[string]string{}
	for _, root := range []string{"", "/p", "/p:a", long, long + "x"} {
		for _, key := range []string{"a", "a/b", strings.Repeat("ä", 64)} {
			for _, scope := range []memstore.Scope{memstore.Project, memstore.User} {
				id := vector.RowID(scope, root, key)
				what := fmt.Sprintf("%s %s %s", scope, root, key)
				if other, ok := ids[id]; ok || len(id) > vector.MaxID {
					t.Errorf("%s has the id of %s, or one of %d bytes", what, other, len(id))
				}
				ids[id] = what
			}
		}
	}
}

func TestAnIDThatIsTooLongInBytesIsRefusedByTheServerOfTheTests(t *testing.T) {
	t.Parallel()
	_, m := filled(t)
	// 300 characters, but 600 bytes.
	err := m.Upsert(t.Context(), collection, []vector.Row{{ID: strings.Repeat("ä", 300), Vector: []float32{1, 0}}})
	var e *vector.MilvusError
	if !errors.As(err, &e) || e.Code != 1100 {
		t.Errorf("the error is %v", err)
	}
}

func TestPassingCodesAreTriedAgain(t *testing.T) {
	t.Parallel()
	for code, passes := range map[int]bool{1: true, 2: true, 8: true, 103: true, 1807: true, 3: false, 5: false, 1100: false, 65535: false} {
		s, m := filled(t, "a")
		s.Fail(func(action string, n int) milvustest.Fault {
			if action == "entities/search" && n <= 2 {
				return milvustest.Fault{Code: code}
			}
			return milvustest.Fault{}
		})
		_, err := m.Search(t.Context(), collection, []float32{1, 0}, "", 1)
		if (err == nil) != passes {
			t.Errorf("code %d: %v", code, err)
		}
	}
}

func TestACodeThatDoesNotPassAfterAFewTriesIsAnError(t *testing.T) {
	t.Parallel()
	s, m := filled(t, "a")
	s.Fail(func(string, int) milvustest.Fault { return milvustest.Fault{Code: 2} })
	var e *vector.MilvusError
	if _, err := m.Search(t.Context(), collection, []float32{1, 0}, "", 1); !errors.As(err, &e) || e.Code != 2 {
		t.Errorf("the error is %v", err)
	}
	if got := s.Count("entities/search"); got != 4 {
		t.Errorf("%d tries, want 4", got)
	}
}

func TestARetryDoesNotOutlastItsContext(t *testing.T) {
	t.Parallel()
	s, m := filled(t, "a")
	s.Fail(func(string, int) milvustest.Fault {
		return milvustest.Fault{Status: http.StatusServiceUnavailable, Header: http.Header{"Retry-After": {"15"}}}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if _, err := m.Search(ctx, collection, []float32{1, 0}, "", 1); err == nil || ctx.Err() != nil {
		t.Errorf("the error is %v, after the context's end: %v", err, ctx.Err())
	}
}

func TestOfTwoProcessesThatMakeTheCollectionBothGoOn(t *testing.T) {
	t.Parallel()
	s := milvustest.NewMilvus(t)
	first, second := client(t, s.URL(), ""), client(t, s.URL(), "")
	s.Fail(func(action string, n int) milvustest.Fault {
		if action == "collections/create" && n == 1 {
			// The other makes it between the question and the making.
			if err := first.Create(t.Context(), collection, 2); err != nil {
				t.Error(err)
			}
		}
		return milvustest.Fault{}
	})
	if c, err := second.Ensure(t.Context(), collection, model, 2); err != nil || c.Dimension != 2 {
		t.Errorf("ensured as %+v, %v", c, err)
	}
	if got := s.Count("collections/create"); got != 2 {
		t.Errorf("%d tried to make it, want both", got)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	var reached atomic.Bool
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) }))
	defer elsewhere.Close()
	s := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusTemporaryRedirect))
	defer s.Close()
	_, err := client(t, s.URL, "made-up").Has(t.Context(), collection)
	if err == nil || reached.Load() || !strings.Contains(err.Error(), "redirect") {
		t.Errorf("the error is %v, the other host was reached: %v", err, reached.Load())
	}
}

func TestAddressesThatCanNotBeMeantAreRefused(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "localhost:19530", "ftp://x", "http://", "http://ada:" + "pw@host", "http://host/?a=b", "://", "http://host/#x"} {
		if _, err := vector.NewMilvus(vector.MilvusOptions{URL: address}); err == nil || strings.Contains(err.Error(), "pw@") {
			t.Errorf("%q: the error is %v", address, err)
		}
		if _, err := vector.NewEmbedder(vector.EmbedderOptions{URL: address, Model: "m"}); err == nil {
			t.Errorf("%q is an address of an embedding server", address)
		}
	}
}

func TestAServersWordsAreShownShortWithoutTheToken(t *testing.T) {
	t.Parallel()
	token := "root:" + "made-up-password"
	for text, want := range map[string]string{
		"wrong token " + token:                      "wrong token …",
		"password made-up-password is wrong":        "password … is wrong",
		"line\none\x1b[31m\ttwo":                    "line one [31m two",
		"key " + "ghp_" + strings.Repeat("a1B2", 9): "",
	} {
		got := vector.Clean(text, token)
		if want != "" && got != want || strings.Contains(got, "ghp_a1B2") {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
	if got := vector.Clean(strings.Repeat("ä", 1000), ""); len(got) > 300 || !strings.HasSuffix(got, "ä") {
		t.Errorf("a long message is shown in %d bytes", len(got))
	}
}
