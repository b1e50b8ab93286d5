package editor

import "reverie/tui/keys"

// Do carries out an editing action and reports whether it was one.
func (e *Editor) Do(a keys.Action) bool {
	acts := map[keys.Action]func(){
		keys.Left: e.Left, keys.Right: e.Right,
		keys.WordLeft: e.WordLeft, keys.WordRight: e.WordRight,
		keys.LineStart: e.Start, keys.LineEnd: e.End,
		keys.DeleteBack: e.Backspace, keys.Delete: e.Delete,
		keys.DeleteWordL: e.CutWordLeft, keys.DeleteWordR: e.CutWordRight,
		keys.DeleteToEnd: e.CutToEnd, keys.DeleteToHead: e.CutToStart,
		keys.Yank: e.Yank, keys.Transpose: e.Transpose, keys.UndoEdit: e.Undo,
		keys.Newline:   func() { e.Insert("\n") },
		keys.OpenPaste: func() { e.OpenPaste() },
	}
	act, ok := acts[a]
	if ok {
		act()
	}
	return ok
}
