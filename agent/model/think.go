package model

import "strings"

// thinkSplitter separates reasoning that a server leaves in the text, between
// <think> and </think> (or <thinking>), from the answer. Only tags that begin
// the answer count: later ones are part of what someone wanted to read. A tag
// may be cut anywhere between pieces.
type thinkSplitter struct {
	state thinkState
	end   string // the closing tag, inside
	held  string // what may be the beginning of a tag
}

type thinkState int

const (
	thinkUndecided thinkState = iota // nothing but white space so far
	thinkInside
	thinkAfter   // behind the closing tag, before the text
	thinkOutside // in the text, for good
)

var thinkTags = []struct{ open, end string }{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
}

// feed takes the next piece and returns the text and reasoning that are
// certain.
func (t *thinkSplitter) feed(piece string) (text, reasoning string) {
	t.held += piece
	if t.state == thinkUndecided && !t.decide() {
		return "", ""
	}
	if t.state == thinkInside {
		at := strings.Index(t.held, t.end)
		if at < 0 {
			keep := overlap(t.held, t.end)
			reasoning = t.held[:len(t.held)-keep]
			t.held = t.held[len(t.held)-keep:]
			return "", reasoning
		}
		reasoning = t.held[:at]
		t.held = t.held[at+len(t.end):]
		t.state = thinkAfter
	}
	if t.state == thinkAfter {
		t.held = strings.TrimLeft(t.held, " \t\r\n")
		if t.held == "" {
			return "", reasoning
		}
		t.state = thinkOutside
	}
	text, t.held = t.held, ""
	return text, reasoning
}

// decide looks whether the answer begins with a tag; false while that is open.
func (t *thinkSplitter) decide() bool {
	start := strings.TrimLeft(t.held, " \t\r\n")
	for _, tag := range thinkTags {
		if strings.HasPrefix(start, tag.open) {
			t.state, t.end, t.held = thinkInside, tag.end, start[len(tag.open):]
			return true
		}
		if strings.HasPrefix(tag.open, start) {
			return false
		}
	}
	t.state = thinkOutside
	return true
}

// flush returns what was held back when nothing follows.
func (t *thinkSplitter) flush() (text, reasoning string) {
	held := t.held
	t.held = ""
	if t.state == thinkInside {
		return "", held
	}
	return held, ""
}

// overlap is how many bytes at the end of s begin tag.
func overlap(s, tag string) int {
	for n := min(len(s), len(tag)-1); n > 0; n-- {
		if strings.HasSuffix(s, tag[:n]) {
			return n
		}
	}
	return 0
}
