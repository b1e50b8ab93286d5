package chat

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/memstore"
	"reverie/theme"
	"reverie/tui/render"
	"reverie/tui/scripted"
	"reverie/tui/wording"
)

// long is a conversation of n messages of many sorts and lengths.
func long(n int) []model.Message {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("deploys go out on Thursday after the standup so that support is around and nothing else changes before the holidays")
	sentence := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(words[r.IntN(len(words))] + " ")
		}
		return strings.TrimSpace(b.String())
	}
	var out []model.Message
	for i := range n {
		if i%2 == 0 {
			out = append(out, model.Message{Role: model.User, Text: fmt.Sprintf("question %d: %s", i, sentence(1+r.IntN(30)))})
			continue
		}
		text := fmt.Sprintf("## Answer %d\n\n%s\n\n- %s\n- %s\n\n```go\nfunc f%d() { return }\n```\n\n%s",
			i, sentence(r.IntN(120)), sentence(8), sentence(20), i, sentence(r.IntN(60)))
		out = append(out, model.Message{Role: model.Assistant, Text: text})
	}
	return out
}

func chatOf(messages []model.Message) *Model {
	return New(Config{
		Context: context.Background(), Conversation: &scripted.Conversation{Past: messages},
		Theme: theme.Dusk(), ProjectName: "api-gateway",
		Now: func() time.Time { return time.Date(2026, 3, 5, 10, 31, 0, 0, time.UTC) },
	})
}

// body is the transcript as it is on the screen, without what stands around it.
func body(m *Model, w, h int) []string {
	m.View(w, h)
	return m.script.rows(m.script.width, m.script.height)
}

func TestScrolledUpStreamingMovesNothing(t *testing.T) {
	t.Parallel()
	m := chatOf(long(60))
	m.View(80, 24)
	for range 5 {
		m.script.page(-1)
	}
	before := strings.Join(body(m, 80, 24), "\n")
	for i := range 200 {
		m.script.stream(fmt.Sprintf("word%d ", i))
		if i%20 == 0 {
			m.script.stream("\n\n")
		}
		if got := strings.Join(body(m, 80, 24), "\n"); got != before {
			t.Fatalf("after %d pieces the view moved:\n%s\nwas\n%s", i, got, before)
		}
	}
	m.script.follow()
	if !strings.Contains(strings.Join(body(m, 80, 24), "\n"), "word199") {
		t.Error("following again does not show the latest")
	}
}

func TestAnotherWidthAndBackShowsTheSameFirstLine(t *testing.T) {
	t.Parallel()
	for pages := 1; pages < 40; pages += 3 {
		m := chatOf(long(80))
		m.View(120, 32)
		for range pages {
			m.script.page(-1)
		}
		before := body(m, 120, 32)
		if !m.script.scrolled {
			t.Fatal("not scrolled up")
		}
		for _, w := range []int{80, 40, 200, 20} {
			body(m, w, 32)
		}
		if after := body(m, 120, 32); after[0] != before[0] {
			t.Errorf("%d pages up: the first line is %q, was %q", pages, after[0], before[0])
		}
	}
}

func TestPagingUpAndDownShowsEveryRowOnce(t *testing.T) {
	t.Parallel()
	m := chatOf(long(40))
	m.View(80, 24)
	for range 200 {
		m.script.page(-1)
	}
	m.View(80, 24)
	if m.script.above {
		t.Fatal("not at the start")
	}
	var all []string
	for i := range m.script.items {
		all = append(all, m.script.lines(i)...)
	}
	seen := 0
	for m.script.scrolled {
		rows := body(m, 80, 24)
		for i, r := range rows {
			if r != all[seen+i] {
				t.Fatalf("row %d is %q, want %q", seen+i, r, all[seen+i])
			}
		}
		m.script.scroll(1)
		seen++
	}
	if seen != len(all)-m.script.height {
		t.Errorf("the end is reached after %d rows of %d", seen, len(all))
	}
}

func TestWhatWasDrawnIsKeptWithinABound(t *testing.T) {
	t.Parallel()
	m := chatOf(long(6_000))
	m.View(80, 24)
	for range 3_000 {
		m.script.scroll(-20)
		m.View(80, 24)
	}
	if m.script.cache.bytes > cacheBytes {
		t.Errorf("%d bytes are kept", m.script.cache.bytes)
	}
	total := 0
	for e := m.script.cache.order.Front(); e != nil; e = e.Next() {
		total += e.Value.(*drawn).bytes
	}
	if total != m.script.cache.bytes || m.script.cache.order.Len() != len(m.script.cache.entries) {
		t.Errorf("the count says %d bytes, there are %d", m.script.cache.bytes, total)
	}
}

func TestAStreamedAnswerEndsAsItWouldHaveBeenDrawnAtOnce(t *testing.T) {
	t.Parallel()
	text := long(2)[1].Text
	m := chatOf(nil)
	m.View(80, 60)
	for i := 0; i < len(text); i += 3 {
		m.script.stream(text[i:min(len(text), i+3)])
		m.View(80, 60)
	}
	m.script.answer(model.Message{Text: text})
	got := strings.Join(body(m, 80, 60), "\n")
	whole := chatOf([]model.Message{{Role: model.Assistant, Text: text}})
	if want := strings.Join(body(whole, 80, 60), "\n"); got != want {
		t.Errorf("streamed:\n%s\nat once:\n%s", got, want)
	}
}

func TestFindGoesToTheMessageWithTheWords(t *testing.T) {
	t.Parallel()
	m := chatOf(long(60))
	m.View(80, 24)
	m.Find("question 20:")
	if rows := strings.Join(body(m, 80, 24), "\n"); !strings.Contains(rows, "question 20:") {
		t.Errorf("it is not shown:\n%s", rows)
	}
}

func TestAStoredWriteShowsItsKeyAndValue(t *testing.T) {
	t.Parallel()
	m := chatOf([]model.Message{
		{Role: model.User, Text: "remember it"},
		{Role: model.Assistant, Calls: []model.ToolCall{{ID: "1", Name: "Remember", Arguments: `{"key":"build/command","value":"make\n all","description":"how to build"}`}}},
		{Role: model.Tool, CallID: "1", Text: "Saved build/command at version r_1."},
	})
	rows := ansi.Strip(strings.Join(body(m, 80, 24), "\n"))
	if !strings.Contains(rows, "* remembered  project build/command   make all") || strings.Contains(rows, "how to build") {
		t.Errorf("the screen was\n%s", rows)
	}
}

func TestAWriteKeepsTheWordsAroundItsChangeAsFarAsTheyFit(t *testing.T) {
	t.Parallel()
	w := wording.OfMemory(agent.MemoryEvent{Action: "remembered", Scope: memstore.User, Key: "user/editor", Undo: true,
		Before: memstore.Entry{Version: "r_1", Value: "my favourite editor is vim, for now"},
		After:  memstore.Entry{Version: "r_2", Value: "my favourite editor is emacs, for now"}})
	for width, want := range map[int]string{
		100: "* remembered  user/editor   my favourite editor is vim=>emacs, for now ",
		76:  "* remembered  user/editor   my favourite editor is vim=>emacs, for …",
		60:  "* remembered  user/editor   … editor is vim=>emacs",
		46:  "* remembered  user/editor   vim=>emacs",
	} {
		m := chatOf(nil)
		m.script.resize(width, 10)
		got := ansi.Strip(m.script.memory(w)[0])
		if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "/undo") || render.Width(got) != width {
			t.Errorf("at %d: %q, want %q", width, got, want)
		}
	}
}

func TestFindShowsTheRowWithTheWords(t *testing.T) {
	t.Parallel()
	m := chatOf([]model.Message{
		{Role: model.User, Text: "a long one"},
		{Role: model.Assistant, Text: strings.Repeat("filler\n\n", 100) + "the needle\n\n" + strings.Repeat("filler\n\n", 100)},
		{Role: model.User, Text: strings.Repeat("folded\n", 40) + "a thimble"},
		{Role: model.Assistant, Text: strings.Repeat("last\n\n", 60)},
	})
	m.View(80, 24)
	for _, words := range []string{"needle", "thimble"} {
		m.Find(words)
		if rows := strings.Join(body(m, 80, 24), "\n"); !strings.Contains(rows, words) {
			t.Errorf("%q is not to be seen:\n%s", words, ansi.Strip(rows))
		}
	}
}

// A key while 200 tokens a second stream into a conversation of 10,000
// messages: what a keystroke costs until the screen is made.
func BenchmarkKeystrokeWhileStreaming(b *testing.B) {
	m := chatOf(long(10_000))
	m.View(120, 40)
	key := tea.KeyPressMsg{Code: 'a', Text: "a"}
	var took []time.Duration
	n := 0
	for b.Loop() {
		n++
		if n%2 == 0 {
			m.script.stream("token and ")
		}
		if n%200 == 0 {
			m.script.stream("\n\n")
			m.prompt.edit.Clear()
		}
		start := time.Now()
		m.Update(key)
		m.View(120, 40)
		took = append(took, time.Since(start))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds()), "p99-µs")
}
