package dream

import (
	"reverie/theme"
	"reverie/tui/keys"
)

// block is a part of a detail that is drawn when it comes into sight, so that a
// detail of thousands of entries costs no more than one of three.
type block func(width int, t theme.Theme) []string

// detail is a text of blocks and the place in it that is shown. Places are a
// block and a line in it, since how many lines come before is not known.
type detail struct {
	id     string // what it is of
	blocks []block

	width int
	drawn map[int][]string // blocks as drawn for width

	top  place
	seen place // all before it was shown
	end  bool  // the last line is on the screen
	room int
}

type place struct{ block, line int }

func (p place) before(q place) bool {
	return p.block < q.block || p.block == q.block && p.line < q.line
}

// set changes what the detail is of, beginning at its top, unless it is that.
func (d *detail) set(id string, blocks func() []block) {
	if d.id != id {
		*d = detail{id: id, blocks: blocks()}
	}
}

// fit notes the width that blocks are drawn for. At another one lines break
// elsewhere, so that places within blocks say nothing any more.
func (d *detail) fit(width int) {
	if d.width != width || d.drawn == nil {
		d.top.line, d.seen.line = 0, 0
		d.width, d.drawn = width, map[int][]string{}
	}
}

func (d *detail) lines(i int, t theme.Theme) []string {
	ls, ok := d.drawn[i]
	if !ok {
		ls = d.blocks[i](d.width, t)
		d.drawn[i] = ls
	}
	return ls
}

// view draws from the top on at most height lines, and reports whether by now
// all of the detail was shown, line after line.
func (d *detail) view(width, height int, t theme.Theme) (out []string, all bool) {
	d.fit(width)
	d.room = height
	d.fill(t)
	at := d.top
	for len(out) < height && at.block < len(d.blocks) {
		ls := d.lines(at.block, t)
		n := min(len(ls)-at.line, height-len(out))
		if n > 0 {
			out = append(out, ls[at.line:at.line+n]...)
			at.line += n
		}
		if at.line >= len(ls) {
			at = place{at.block + 1, 0}
		}
	}
	d.end = at.block >= len(d.blocks)
	if !d.seen.before(d.top) && d.seen.before(at) {
		d.seen = at
	}
	return out, d.seen.block >= len(d.blocks)
}

// fill moves the top up where fewer lines than there is room for follow it.
func (d *detail) fill(t theme.Theme) {
	if d.top.block >= len(d.blocks) {
		d.top = place{len(d.blocks), 0}
	} else {
		d.top.line = min(d.top.line, max(0, len(d.lines(d.top.block, t))-1))
	}
	below := -d.top.line
	for i := d.top.block; i < len(d.blocks) && below < d.room; i++ {
		below += len(d.lines(i, t))
	}
	for ; below < d.room; below++ {
		if !d.up(t) {
			return
		}
	}
}

// up moves the top by one line and reports whether there was one.
func (d *detail) up(t theme.Theme) bool {
	if d.top.line > 0 {
		d.top.line--
		return true
	}
	for i := d.top.block - 1; i >= 0; i-- {
		if n := len(d.lines(i, t)); n > 0 {
			d.top = place{i, n - 1}
			return true
		}
	}
	return false
}

func (d *detail) down(t theme.Theme) {
	if d.end || d.top.block >= len(d.blocks) {
		return
	}
	d.top.line++
	for d.top.block < len(d.blocks) && d.top.line >= len(d.lines(d.top.block, t)) {
		d.top = place{d.top.block + 1, 0}
	}
}

// move scrolls.
func (d *detail) move(a keys.Action, t theme.Theme) {
	if d.drawn == nil {
		return
	}
	page := max(1, d.room-1)
	switch a {
	case keys.Down:
		d.down(t)
	case keys.Up:
		d.up(t)
	case keys.PageDown:
		d.forward(page, t)
	case keys.PageUp:
		for range page {
			d.up(t)
		}
	case keys.Top:
		d.top = place{}
	case keys.Bottom:
		d.top = place{len(d.blocks), 0}
		d.fill(t)
	}
}

// forward moves down by up to n lines, but no further than to the end.
func (d *detail) forward(n int, t theme.Theme) {
	for range n {
		if d.top.block >= len(d.blocks) {
			break
		}
		d.down(t)
	}
	d.fill(t)
}
