package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// notes makes up n documents of words that repeat.
func notes(n int) []Document {
	r := rand.New(rand.NewPCG(1, 2))
	var out []Document
	for i := range n {
		var words []string
		for range 5 + r.IntN(20) {
			words = append(words, fmt.Sprintf("word%c%c", 'a'+r.IntN(5), 'a'+r.IntN(20)))
		}
		out = append(out, Document{
			Key: fmt.Sprintf("area/note-%d", i), Value: strings.Join(words, " "),
			Description: words[0], Updated: time.Unix(int64(1e9+i*60), 0),
		})
	}
	return out
}

// sameAnswers fails unless two indexes give the same answers to all words.
func sameAnswers(t *testing.T, got, want *Index) {
	t.Helper()
	if got.Len() != want.Len() {
		t.Fatalf("%d documents, want %d", got.Len(), want.Len())
	}
	for _, q := range []string{"wordaa", "wordab wordcd", "wordee words wordzz", "note 7 wordba", "wordbb wordbc wordbd wordbe", "wordz"} {
		g, w := got.Search(q, 20), want.Search(q, 20)
		if !slices.Equal(keys(g), keys(w)) {
			t.Errorf("%q: %v, want %v", q, g, w)
			continue
		}
		for i := range g {
			if math.Abs(g[i].Score-w[i].Score) > 1e-12 {
				t.Errorf("%q: %v scores %v, want %v", q, g[i].Key, g[i].Score, w[i].Score)
			}
		}
	}
}

func TestWhatWasDeletedIsGoneFromTheStatistics(t *testing.T) {
	t.Parallel()
	docs := notes(400)
	x, fresh := New(), New()
	x.Load(slices.Values(docs))
	for i, d := range docs {
		switch {
		case i%3 == 0:
			x.Delete(d.Key)
		default:
			fresh.Put(d)
		}
	}
	x.Delete("never there")
	sameAnswers(t, x, fresh)
	if x.vocab.pairs != fresh.vocab.pairs || x.docs.kin != fresh.docs.kin || x.docs.total != fresh.docs.total {
		t.Errorf("statistics %d %v %d, want %d %v %d", x.vocab.pairs, x.docs.kin, x.docs.total, fresh.vocab.pairs, fresh.docs.kin, fresh.docs.total)
	}
}

func TestWhatWasReplacedIsGoneFromTheStatistics(t *testing.T) {
	t.Parallel()
	docs := notes(300)
	x, fresh := New(), New()
	for i, d := range docs {
		x.Put(Document{Key: docs[(i*7)%len(docs)].Key, Value: "other " + d.Value})
	}
	x.Load(slices.Values(docs[:150]))
	for _, d := range docs[150:] {
		x.Put(d)
	}
	fresh.Load(slices.Values(docs))
	sameAnswers(t, x, fresh)
	if hits := x.Search("other", 10); len(hits) != 0 {
		t.Errorf("a word that was replaced finds %v", hits)
	}
}

func TestNothingIsLeftOfAnEmptiedIndex(t *testing.T) {
	t.Parallel()
	x := New()
	docs := notes(50)
	x.Load(slices.Values(docs))
	for _, d := range docs {
		x.Delete(d.Key)
	}
	if x.Len() != 0 || x.vocab.table.used != 0 || x.vocab.pairs != 0 || x.docs.total != 0 || x.docs.kin != (kinship{}) {
		t.Errorf("left: %d documents, %d terms, %d pairs, length %d, %v", x.Len(), x.vocab.table.used, x.vocab.pairs, x.docs.total, x.docs.kin)
	}
	x.Put(docs[0])
	if hits := x.Search(docs[0].Description, 1); len(hits) != 1 {
		t.Errorf("an emptied index does not find what is put into it: %v", hits)
	}
}

func TestLoadingEqualsPuttingOneByOne(t *testing.T) {
	t.Parallel()
	docs := append(notes(700), Document{Key: "area/note-3", Value: "wordaa again"},
		Document{Key: "callName/use", Value: "other"}, Document{Key: "other", Value: "callName use"})
	loaded, put := New(), New()
	loaded.Load(slices.Values(docs))
	for _, d := range docs {
		put.Put(d)
	}
	sameAnswers(t, loaded, put)
	if got := keys(loaded.Search("callname", 5)); !slices.Equal(got, []string{"other"}) {
		t.Errorf("callname finds %v", got)
	}
}

func TestSearchingAndWritingAtOnce(t *testing.T) {
	t.Parallel()
	x := New()
	docs := notes(200)
	x.Load(slices.Values(docs))
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 200 {
				d := docs[(i*13+w)%len(docs)]
				switch w {
				case 0:
					x.Put(d)
				case 1:
					x.Delete(d.Key)
				default:
					x.Search(d.Value, 5)
				}
			}
		})
	}
	wg.Wait()
	x.Load(slices.Values(docs))
	if x.Len() != len(docs) {
		t.Errorf("%d documents, want %d", x.Len(), len(docs))
	}
}

func TestNeighboursCountOnlyWhereTheyAreAlike(t *testing.T) {
	t.Parallel()
	var ordered []Document
	for i := range 300 {
		topic := i / 10
		ordered = append(ordered, Document{Key: fmt.Sprint(i),
			Value: fmt.Sprintf("topic%d about%d thing%d detail%d", topic, topic, topic, i)})
	}
	shuffled := slices.Clone(ordered)
	rand.New(rand.NewPCG(3, 4)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	x, y := New(), New()
	x.Load(slices.Values(ordered))
	y.Load(slices.Values(shuffled))
	if x.bond() != 1 {
		t.Errorf("bond of ordered documents is %v, want 1", x.bond())
	}
	if y.bond() > .1 {
		t.Errorf("bond of shuffled documents is %v, want 0", y.bond())
	}
	if hits := x.Search("detail42", 3); len(hits) != 3 || hits[0].Key != "42" {
		t.Errorf("got %v, want 42 and its neighbours", hits)
	}
	if hits := y.Search("detail42", 3); len(hits) != 1 {
		t.Errorf("got %v, want 42 alone", hits)
	}
}

func TestNeighboursAreOfOneThread(t *testing.T) {
	t.Parallel()
	x := New()
	for i := range 200 {
		x.Put(Document{Key: fmt.Sprint(i), Thread: fmt.Sprint(i / 10),
			Value: fmt.Sprintf("topic%d about%d thing%d detail%d", i/10, i/10, i/10, i)})
	}
	for _, h := range x.Search("detail40", 10) {
		if h.Key < "40" {
			t.Errorf("%s of another thread is found beside 40", h.Key)
		}
	}
}

func TestAnIndexForgetsWhereDocumentsWere(t *testing.T) {
	t.Parallel()
	tab := newTable()
	at := func(n uint32) string { return fmt.Sprint("key", n) }
	const size = 500
	r := rand.New(rand.NewPCG(5, 6))
	in := map[uint32]bool{}
	for range 20000 {
		n := uint32(r.IntN(size))
		if h := hashOf(at(n)) % 64; in[n] {
			tab.remove(h, n)
		} else {
			tab.add(h, n)
		}
		in[n] = !in[n]
	}
	for n := range size {
		got, ok := tab.find(hashOf(at(uint32(n)))%64, at(uint32(n)), at)
		if ok != in[uint32(n)] || ok && got != uint32(n) {
			t.Fatalf("key%d: %d %v, want %v", n, got, ok, in[uint32(n)])
		}
	}
}
