package chat

import (
	"strings"

	"reverie/tui/editor"
	"reverie/tui/slash"
)

// prompt is what is being typed, with the history behind it.
type prompt struct {
	edit    editor.Editor
	width   int    // of the text as drawn last
	chord   string // the first stroke of two, when one waits for its second
	history []entry
	at      int          // the entry shown; len(history) is the draft
	draft   editor.Draft // what was being typed before going into the history
	search  *search      // ^R, or nil
	offer   completion   // commands that may complete what is typed
}

// entry is one earlier prompt. A cleared draft keeps its folded pastes.
type entry struct {
	text  string
	draft *editor.Draft
}

// maxHistory bounds the prompts kept in memory.
const maxHistory = 2_000

type search struct {
	query string
	at    int // the entry that matches, or -1
	saved editor.Draft
}

type completion struct {
	prefix string // what was typed when Tab was first pressed
	chosen int    // how often Tab was pressed since, from 1
	shown  string // what the last Tab put there
	closed string // the text for which Esc closed the list
}

func (p *prompt) init(history []string) {
	for _, h := range history {
		p.record(entry{text: h})
	}
	p.at = len(p.history)
}

func (p *prompt) record(e entry) {
	if n := len(p.history); e.text != "" && (n == 0 || p.history[n-1].text != e.text) {
		p.history = append(p.history, e)
	}
	if len(p.history) > maxHistory {
		p.history = p.history[len(p.history)-maxHistory:]
	}
	p.at = len(p.history)
}

// keepDraft puts what is being typed into the history, so that Up brings it
// back.
func (p *prompt) keepDraft() {
	d := p.edit.Draft()
	p.record(entry{text: p.edit.Text(), draft: &d})
}

func (p *prompt) paste(text string) {
	if p.search != nil {
		p.endSearch(true)
	}
	p.edit.Paste(text)
}

// take empties the prompt and returns what was in it.
func (p *prompt) take() queued {
	q := queued{text: p.edit.Text(), draft: p.edit.Draft()}
	p.record(entry{text: q.text, draft: &q.draft})
	p.edit.Clear()
	return q
}

// older and newer walk through the history; the draft lies behind its end.
func (p *prompt) older() {
	if p.at == 0 {
		return
	}
	if p.at == len(p.history) {
		p.draft = p.edit.Draft()
	}
	p.at--
	p.show(p.at)
}

func (p *prompt) newer() {
	if p.at >= len(p.history) {
		return
	}
	p.at++
	if p.at == len(p.history) {
		p.edit.Restore(p.draft)
		return
	}
	p.show(p.at)
}

func (p *prompt) show(i int) {
	if d := p.history[i].draft; d != nil {
		p.edit.Restore(*d)
		p.edit.ToEnd()
		return
	}
	p.edit.Set(p.history[i].text)
}

func (p *prompt) startSearch() { p.search = &search{at: -1, saved: p.edit.Draft()} }

// find looks for the query in the entries before one, newest first.
func (p *prompt) find(before int) {
	s := p.search
	for i := min(before, len(p.history)) - 1; i >= 0; i-- {
		if strings.Contains(strings.ToLower(p.history[i].text), strings.ToLower(s.query)) {
			s.at = i
			p.show(i)
			return
		}
	}
}

func (p *prompt) searchMore(text string) {
	p.search.query += text
	p.find(len(p.history))
}

func (p *prompt) searchLess() {
	if r := []rune(p.search.query); len(r) > 0 {
		p.search.query = string(r[:len(r)-1])
		p.find(len(p.history))
	}
}

func (p *prompt) searchOlder() {
	if p.search.at < 0 {
		p.find(len(p.history))
		return
	}
	p.find(p.search.at)
}

// endSearch leaves the search, with what it found or with the draft as it was.
func (p *prompt) endSearch(take bool) {
	s := p.search
	p.search = nil
	if !take || s.at < 0 {
		p.edit.Restore(s.saved)
		return
	}
	p.draft = s.saved
	p.at = s.at
}

// offers are the commands that may complete what is typed, and which of them
// Tab chose last.
func (p *prompt) offers() (list []slash.Command, chosen int) {
	text := p.edit.Text()
	if p.offer.chosen > 0 && text == p.offer.shown {
		list = slash.Complete(p.offer.prefix)
		return list, (p.offer.chosen - 1) % len(list)
	}
	if text == p.offer.closed || !strings.HasPrefix(text, "/") || strings.ContainsAny(text, " \n") || strings.Count(text, "/") > 1 {
		return nil, 0
	}
	return slash.Complete(text[1:]), -1
}

// closeOffers hides the list until the text changes, and reports whether
// there was one.
func (p *prompt) closeOffers() bool {
	list, _ := p.offers()
	if len(list) == 0 {
		return false
	}
	p.offer = completion{closed: p.edit.Text()}
	return true
}

// complete is Tab: the first command that fits, again for the next one.
func (p *prompt) complete() {
	list, chosen := p.offers()
	if len(list) == 0 {
		return
	}
	if chosen < 0 {
		p.offer = completion{prefix: p.edit.Text()[1:]}
	}
	c := list[p.offer.chosen%len(list)]
	p.offer.chosen++
	p.offer.shown = "/" + c.Name
	if c.Args != "" && len(list) == 1 {
		p.offer.shown += " "
	}
	p.edit.Set(p.offer.shown)
}
