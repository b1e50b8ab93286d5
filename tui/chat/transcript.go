package chat

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/theme"
	"reverie/tui/render"
)

// transcript is the conversation as a list of items and the place in it that
// is looked at. The place is an item and an offset in its text, never a row, so
// that it means the same at every width.
type transcript struct {
	theme    theme.Theme
	items    []*item
	live     *item // the answer that is coming in, or nil
	cache    cache
	at       place // the first thing shown, unless following
	scrolled bool  // up, so that at holds

	unfoldKey string // the key that unfolds, for hints

	sought string // what /find looked for
	found  int    // the item it found
	copied int    // how many code blocks back the last copy was

	// As drawn last.
	width, height int
	top           spot
	above, below  bool
}

// place is where the first row shown begins: an item, how many letters and
// digits of its drawn text come before, and, among rows with the same count
// (empty ones), the how-manieth.
type place struct{ item, letters, tie int }

// spot is a row of an item as drawn at the present width.
type spot struct{ item, row int }

func (t *transcript) init(th theme.Theme, unfoldKey string) {
	*t = transcript{theme: th, unfoldKey: unfoldKey, width: t.width, height: t.height}
	t.cache.clear()
}

func (t *transcript) setTheme(th theme.Theme) {
	t.theme = th
	t.cache.clear()
	if t.live != nil {
		t.restream()
	}
}

func (t *transcript) add(it *item) {
	t.settle()
	if n := len(t.items); n > 0 && joinTools(t.items[n-1], it) {
		return
	}
	t.items = append(t.items, it)
}

// stream adds a piece to the answer that is coming in.
func (t *transcript) stream(text string) {
	it := t.answering()
	if it.stream == nil {
		it.stream = render.NewStream(t.textWidth(), t.theme)
	}
	it.text += text
	it.stream.Write(text)
	it.rev++
}

// reason adds a piece of the model's reasoning to the answer to come.
func (t *transcript) reason(text string) {
	it := t.answering()
	it.reasoning += text
	it.rev++
}

func (t *transcript) answering() *item {
	if t.live == nil {
		t.live = &item{kind: answerItem}
		t.items = append(t.items, t.live)
	}
	return t.live
}

// answer takes over the whole answer, which may be more than was streamed.
func (t *transcript) answer(msg model.Message) {
	if t.live == nil && msg.Text == "" {
		return
	}
	it := t.answering()
	it.text, it.partial = msg.Text, msg.Partial
	if msg.Reasoning != "" {
		it.reasoning = msg.Reasoning
	}
	t.settle()
}

// settle ends the answer that was coming in; what had come stays. An answer
// without any text, only tool calls, leaves nothing unless it reasoned.
func (t *transcript) settle() {
	it := t.live
	if it == nil {
		return
	}
	t.live = nil
	it.stream = nil
	it.rev++
	if it.text == "" && it.reasoning == "" && t.items[len(t.items)-1] == it {
		t.items = t.items[:len(t.items)-1]
	}
}

// stopped marks the last answer as broken off by the person.
func (t *transcript) stopped() {
	for i := len(t.items) - 1; i >= 0 && t.items[i].kind != userItem; i-- {
		if t.items[i].kind == answerItem {
			t.items[i].partial = true
			t.items[i].rev++
			return
		}
	}
	t.items = append(t.items, &item{kind: noticeItem, text: "Stopped."})
}

func (t *transcript) tool(e agent.ToolFinished) { t.add(ofFinished(e)) }

// unfold shows or folds reasoning and long texts of the whole transcript.
func (t *transcript) unfold() {
	on := true
	for _, it := range t.items {
		if it.unfolded {
			on = false
		}
	}
	for _, it := range t.items {
		if it.unfolded != on {
			it.unfolded = on
			it.rev++
		}
	}
}

func (t *transcript) restream() {
	t.live.stream = render.NewStream(t.textWidth(), t.theme)
	t.live.stream.Write(t.live.text)
	t.live.rev++
}

// follow shows the latest from now on.
func (t *transcript) follow() { t.scrolled = false }

// resize takes a new size; the place stays.
func (t *transcript) resize(width, height int) {
	if width != t.width {
		t.width = width
		if t.live != nil && t.live.stream != nil {
			t.restream()
		}
	}
	t.height = height
}

// rows draws what is visible: at most height rows. Only visible items are
// drawn, and those that were drawn before come from the cache.
func (t *transcript) rows(width, height int) []string {
	t.resize(width, height)
	if height <= 0 || len(t.items) == 0 {
		t.above, t.below = false, false
		return nil
	}
	top := t.bottomTop()
	t.below = false
	if t.scrolled {
		if s := t.spotOf(t.at); before(s, top) {
			top, t.below = s, true
		}
	}
	t.top = top
	t.above = top.item > 0 || top.row > 0
	var out []string
	for i := top.item; i < len(t.items) && len(out) < height; i++ {
		lines := t.lines(i)
		if i == top.item {
			lines = lines[min(top.row, len(lines)):]
		}
		out = append(out, lines[:min(len(lines), height-len(out))]...)
	}
	return out
}

// bottomTop is the first row shown when the last one is at the bottom.
func (t *transcript) bottomTop() spot {
	return t.up(spot{len(t.items) - 1, len(t.lines(len(t.items) - 1))}, t.height)
}

// up goes n rows up from a spot, to the start at most.
func (t *transcript) up(s spot, n int) spot {
	for n > s.row && s.item > 0 {
		n -= s.row
		s.item--
		s.row = len(t.lines(s.item))
	}
	s.row = max(0, s.row-n)
	return s
}

// down goes n rows down from a spot, to the end at most.
func (t *transcript) down(s spot, n int) spot {
	for {
		left := len(t.lines(s.item)) - s.row
		if n < left || s.item == len(t.items)-1 {
			s.row += min(n, left)
			return s
		}
		n -= left
		s = spot{s.item + 1, 0}
	}
}

func before(a, b spot) bool { return a.item < b.item || a.item == b.item && a.row < b.row }

// scroll moves the view by rows, negative ones up. At the end it follows the
// latest again.
func (t *transcript) scroll(rows int) {
	if len(t.items) == 0 || t.height <= 0 {
		return
	}
	end := t.bottomTop()
	top := end
	if t.scrolled {
		if s := t.spotOf(t.at); before(s, end) {
			top = s
		}
	}
	if rows < 0 {
		top = t.up(top, -rows)
	} else {
		top = t.down(top, rows)
	}
	t.look(top, end)
}

func (t *transcript) look(top, end spot) {
	t.scrolled = before(top, end)
	if t.scrolled {
		t.at = t.placeOf(top)
	}
}

// page scrolls by a page less two rows for context.
func (t *transcript) page(direction int) { t.scroll(direction * max(1, t.height-2)) }

// showWords puts the first row of an item that has the words near the top. An
// item that is folded shows all of itself, since they may be in what is hidden.
func (t *transcript) showWords(i int, low string) {
	it := t.items[i]
	rowOf := func() int {
		for row, line := range t.lines(i) {
			if strings.Contains(strings.ToLower(ansi.Strip(line)), low) {
				return row
			}
		}
		return -1
	}
	row := rowOf()
	if row < 0 && !it.unfolded {
		it.unfolded = true
		it.rev++
		row = rowOf()
	}
	// A row or two above give it context.
	t.look(t.up(spot{i, max(0, row)}, min(2, t.height/4)), t.bottomTop())
}
