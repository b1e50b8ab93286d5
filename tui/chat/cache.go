package chat

import "container/list"

// cacheBytes bounds what is kept of drawn items.
const cacheBytes = 4 << 20

// cache keeps what was drawn of items, for one width and revision each, and
// drops what was not used longest.
type cache struct {
	entries map[*item]*list.Element
	order   *list.List // most recently used first
	bytes   int
}

type drawn struct {
	of         *item
	width, rev int
	lead       bool // drawn with an empty row before it
	lines      []string
	bytes      int
}

func (c *cache) clear() { *c = cache{entries: map[*item]*list.Element{}, order: list.New()} }

func (c *cache) get(it *item, width int, lead bool) ([]string, bool) {
	e, ok := c.entries[it]
	if !ok {
		return nil, false
	}
	d := e.Value.(*drawn)
	if d.width != width || d.rev != it.rev || d.lead != lead {
		return nil, false
	}
	c.order.MoveToFront(e)
	return d.lines, true
}

func (c *cache) put(it *item, width int, lead bool, lines []string) {
	if e, ok := c.entries[it]; ok {
		c.remove(e)
	}
	d := &drawn{of: it, width: width, rev: it.rev, lead: lead, lines: lines, bytes: 64}
	for _, l := range lines {
		d.bytes += len(l) + 16
	}
	c.bytes += d.bytes
	c.entries[it] = c.order.PushFront(d)
	for c.bytes > cacheBytes && c.order.Len() > 1 {
		c.remove(c.order.Back())
	}
}

func (c *cache) remove(e *list.Element) {
	d := c.order.Remove(e).(*drawn)
	delete(c.entries, d.of)
	c.bytes -= d.bytes
}
