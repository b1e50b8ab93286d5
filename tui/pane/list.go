package pane

import "reverie/tui/keys"

// List is the marked row of a list and the first row shown. It holds no rows,
// so that it costs the same for ten and for fifty thousand.
type List struct {
	At, Top int
	page    int // rows shown last
}

// Move handles the keys that move through n rows and reports whether it was
// one of them.
func (l *List) Move(a keys.Action, n int) bool {
	switch a {
	case keys.Down:
		l.At++
	case keys.Up:
		l.At--
	case keys.Top:
		l.At = 0
	case keys.Bottom:
		l.At = n - 1
	case keys.PageDown:
		l.At += max(1, l.page-1)
	case keys.PageUp:
		l.At -= max(1, l.page-1)
	default:
		return false
	}
	l.At = max(0, min(l.At, n-1))
	return true
}

// Window is which of n rows are shown in a height: [from, to), with the marked
// one among them.
func (l *List) Window(height, n int) (from, to int) {
	l.page = height
	l.At = max(0, min(l.At, n-1))
	l.Top = max(0, min(l.Top, l.At, n-height))
	if l.At >= l.Top+height {
		l.Top = l.At - height + 1
	}
	return l.Top, min(n, l.Top+height)
}
