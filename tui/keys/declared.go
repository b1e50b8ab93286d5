package keys

const (
	Send         Action = "send"
	Newline      Action = "newline"
	Complete     Action = "complete"
	HistoryPrev  Action = "history-previous"
	HistoryNext  Action = "history-next"
	Search       Action = "history-search"
	Editor       Action = "editor"
	OpenPaste    Action = "open-paste"
	CopyCode     Action = "copy-code"
	Unfold       Action = "unfold"
	Latest       Action = "latest"
	Left         Action = "left"
	Right        Action = "right"
	WordLeft     Action = "word-left"
	WordRight    Action = "word-right"
	LineStart    Action = "line-start"
	LineEnd      Action = "line-end"
	DeleteBack   Action = "delete-back"
	Delete       Action = "delete"
	DeleteWordL  Action = "delete-word-back"
	DeleteWordR  Action = "delete-word"
	DeleteToEnd  Action = "delete-to-end"
	DeleteToHead Action = "delete-to-start"
	Yank         Action = "yank"
	Transpose    Action = "transpose"
	UndoEdit     Action = "undo-edit"

	Focus    Action = "focus"
	Answer   Action = "answer"
	Stop     Action = "stop"
	Quit     Action = "quit"
	Suspend  Action = "suspend"
	PageUp   Action = "page-up"
	PageDown Action = "page-down"
	Redraw   Action = "redraw"
	Help     Action = "help"

	Down      Action = "down"
	Up        Action = "up"
	Top       Action = "top"
	Bottom    Action = "bottom"
	Filter    Action = "filter"
	Open      Action = "open"
	Older     Action = "older-revision"
	Newer     Action = "newer-revision"
	Diff      Action = "diff"
	Copy      Action = "copy"
	Forget    Action = "draft-forget"
	Forgotten Action = "show-forgotten"
	NextScope Action = "next-scope"
	PrevScope Action = "previous-scope"
	Replan    Action = "replan"
	Target    Action = "target"
	Back      Action = "back"
	Close     Action = "close"

	Approve     Action = "approve"
	Deny        Action = "deny"
	UndoReceipt Action = "undo-receipt"
	Later       Action = "later"
	ScrollDown  Action = "scroll-down"
	ScrollUp    Action = "scroll-up"
	NextAsked   Action = "next-question"
)

// declared is every key of the interface.
var declared = []Binding{
	{Send, Prompt, []string{"enter"}, "send", "Send the message; while a turn runs, queue it; on an empty prompt after a stop, send what is held"},
	{Newline, Prompt, []string{"ctrl+j", "shift+enter", "alt+enter"}, "newline", "Begin a new line"},
	{Complete, Prompt, []string{"tab"}, "complete", "Complete a command; never moves the keyboard elsewhere"},
	{HistoryPrev, Prompt, []string{"up", "ctrl+p"}, "earlier", "Move a line up; from the first line, take a queued message back to edit it, or an earlier one from the history; the draft is kept"},
	{HistoryNext, Prompt, []string{"down", "ctrl+n"}, "later", "Move a line down; from the last line, a later message, and at last the draft"},
	{Search, Prompt, []string{"ctrl+r"}, "search history", "Search the history; again for an older match"},
	{Editor, Prompt, []string{"ctrl+x ctrl+e"}, "editor", "Edit the draft in $VISUAL or $EDITOR"},
	{OpenPaste, Prompt, []string{"ctrl+x ctrl+o"}, "open paste", "Open the folded paste at the cursor, or the last one"},
	{CopyCode, Prompt, []string{"ctrl+x ctrl+y"}, "copy code", "Copy the latest code block as it was written; again for the one before"},
	{Unfold, Prompt, []string{"ctrl+x ctrl+u"}, "unfold", "Unfold or fold reasoning and long results"},
	{Latest, Prompt, []string{"esc", "ctrl+end"}, "latest", "One step back: close the completion, else go to the latest message"},
	{Left, Prompt, []string{"left", "ctrl+b"}, "", "Move one character left"},
	{Right, Prompt, []string{"right", "ctrl+f"}, "", "Move one character right"},
	{WordLeft, Prompt, []string{"alt+b", "alt+left", "ctrl+left"}, "", "Move one word left"},
	{WordRight, Prompt, []string{"alt+f", "alt+right", "ctrl+right"}, "", "Move one word right"},
	{LineStart, Prompt, []string{"ctrl+a", "home"}, "", "Move to the start of the line"},
	{LineEnd, Prompt, []string{"ctrl+e", "end"}, "", "Move to the end of the line"},
	{DeleteBack, Prompt, []string{"backspace", "ctrl+h"}, "", "Delete the character before the cursor"},
	{Delete, Prompt, []string{"delete"}, "", "Delete the character after the cursor"},
	{DeleteWordL, Prompt, []string{"ctrl+w", "alt+backspace"}, "", "Cut the word before the cursor"},
	{DeleteWordR, Prompt, []string{"alt+d"}, "", "Cut the word after the cursor"},
	{DeleteToEnd, Prompt, []string{"ctrl+k"}, "", "Cut to the end of the line"},
	{DeleteToHead, Prompt, []string{"ctrl+u"}, "", "Cut to the start of the line"},
	{Yank, Prompt, []string{"ctrl+y"}, "", "Put back what was cut last"},
	{Transpose, Prompt, []string{"ctrl+t"}, "", "Swap the two characters at the cursor"},
	{UndoEdit, Prompt, []string{"ctrl+_", "ctrl+/"}, "", "Undo the last change of the draft"},

	{Focus, Global, []string{"ctrl+o"}, "pane", "Move the keyboard between the chat and the pane beside it"},
	{Answer, Global, []string{"ctrl+g"}, "answer", "Go to the question that waits"},
	{Stop, Global, []string{"ctrl+c"}, "stop", "Stop the turn and hold what is queued; else clear the draft, which Up brings back; twice on an empty prompt, quit"},
	{Quit, Global, []string{"ctrl+d"}, "quit", "Quit when the prompt is empty, wherever the keyboard is; else delete the character after the cursor in the prompt"},
	{Suspend, Global, []string{"ctrl+z"}, "suspend", "Suspend; the shell's fg comes back"},
	{PageUp, Global, []string{"pgup"}, "scroll", "Scroll up a page"},
	{PageDown, Global, []string{"pgdown"}, "", "Scroll down a page"},
	{Redraw, Global, []string{"ctrl+l"}, "", "Draw the screen anew"},
	{Help, Global, []string{"f1", "?"}, "help", "This help; ? only when nothing is being typed, and ? with a space or other text after it is typed"},

	{Down, Pane, []string{"j", "down"}, "down", "Move down"},
	{Up, Pane, []string{"k", "up"}, "up", "Move up"},
	{Top, Pane, []string{"g", "home"}, "", "Go to the first"},
	{Bottom, Pane, []string{"G", "end"}, "", "Go to the last"},
	{Filter, Pane, []string{"/"}, "filter", "Filter as you type"},
	{Open, Pane, []string{"enter"}, "open", "Open or choose what is marked"},
	{Older, Pane, []string{"["}, "older", "An older revision"},
	{Newer, Pane, []string{"]"}, "newer", "A newer revision"},
	{Diff, Pane, []string{"d"}, "diff", "Compare with the revision shown from now on; again, with the one before it"},
	{Copy, Pane, []string{"y"}, "copy", "Copy the text as it is"},
	{Forget, Pane, []string{"f"}, "forget", "Draft /forget for the entry in the prompt; nothing is changed yet"},
	{Forgotten, Pane, []string{"."}, "forgotten", "Show or hide forgotten entries"},
	{NextScope, Pane, []string{"l", "right"}, "scope", "The next scope: project, user, thread"},
	{PrevScope, Pane, []string{"h", "left"}, "", "The scope before"},
	{Replan, Pane, []string{"R"}, "replan", "Make a new plan"},
	{Target, Pane, []string{"t"}, "target", "Plan for the other memory"},
	{Back, Pane, []string{"esc"}, "back", "One step back, never destructive"},
	{Close, Pane, []string{"q"}, "close", "Close the pane"},

	{Approve, Approval, []string{"A"}, "approve", "Approve: a fresh press, no sooner than 300 ms after the question got the keyboard"},
	{Deny, Approval, []string{"X"}, "deny", "Deny, by the same rule"},
	{Later, Approval, []string{"esc"}, "later", "Back to the prompt; the question goes on waiting"},
	{ScrollDown, Approval, []string{"j", "down"}, "scroll", "Scroll the text of the question down"},
	{ScrollUp, Approval, []string{"k", "up"}, "", "Scroll the text of the question up"},
	{NextAsked, Approval, []string{"n"}, "next", "The next question that waits"},
	{UndoReceipt, Approval, []string{"U"}, "undo", "Undo an applied plan by its receipt"},
}
