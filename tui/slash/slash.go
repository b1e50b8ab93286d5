// Package slash is the one list of commands that a line beginning with a slash
// can give: their names, arguments and help, how a line is read, and what may
// complete it. What a command does is its caller's.
package slash

import (
	"fmt"
	"sort"
	"strings"
)

// Command is one slash command.
type Command struct {
	Name string // without the slash
	Args string // as shown in help, such as "[KEY]"
	Help string // a sentence without its full stop
}

// Commands lists all of them in the order of the help.
var Commands = []Command{
	{"memory", "[WORDS]", "Look at what is remembered, filtered by words"},
	{"dream", "", "Review a plan that tidies the memory"},
	{"context", "", "Show what the last request carried, and why"},
	{"threads", "[WORDS]", "List conversations and go to one"},
	{"new", "", "Begin a new conversation"},
	{"model", "[NAME]", "Show the models on offer, or change to one"},
	{"undo", "[KEY]", "Take back the last memory written here, or the last change of a key"},
	{"forget", "KEY", "Forget a memory; it can be undone"},
	{"approve", "N", "Approve question N"},
	{"deny", "N", "Deny question N"},
	{"retry", "", "Send the last message again after it failed"},
	{"compact", "", "Summarise the oldest turns for the model; the thread keeps them"},
	{"export", "[FILE]", "Write the conversation as Markdown"},
	{"find", "[WORDS]", "Find words in this conversation; again without words for the next one up"},
	{"theme", "[NAME]", "Change the colours: auto, dusk, dawn, mono"},
	{"mouse", "", "Switch the mouse wheel on or off"},
	{"close", "", "Close the pane"},
	{"help", "", "Show keys and commands"},
	{"quit", "", "Quit"},
}

// UnknownError says that no command has this name, and which one is nearest.
type UnknownError struct{ Name, Nearest string }

func (e *UnknownError) Error() string {
	if e.Nearest == "" {
		return fmt.Sprintf("there is no command /%s; /help lists them", e.Name)
	}
	return fmt.Sprintf("there is no command /%s; did you mean /%s?", e.Name, e.Nearest)
}

// Is reports whether a line is meant as a command: a slash and then a letter at
// its start, and no second slash in the word, so that a path is not one.
func Is(line string) bool {
	name, ok := strings.CutPrefix(line, "/")
	if !ok {
		return false
	}
	name, _, _ = strings.Cut(name, " ")
	name, _, _ = strings.Cut(name, "\n")
	return name != "" && isLetter(name[0]) && !strings.Contains(name, "/")
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// Parse reads a line that [Is] a command into its name and arguments. A name
// that is the beginning of only one command stands for it.
func Parse(line string) (Command, string, error) {
	name, args, _ := strings.Cut(strings.TrimPrefix(line, "/"), " ")
	name = strings.ToLower(strings.TrimSpace(name))
	matches := Complete(name)
	if len(matches) == 1 || len(matches) > 0 && matches[0].Name == name {
		return matches[0], strings.TrimSpace(args), nil
	}
	return Command{}, "", &UnknownError{Name: name, Nearest: nearest(name)}
}

// Complete returns the commands that begin with a prefix, an exact match first.
func Complete(prefix string) []Command {
	prefix = strings.ToLower(prefix)
	var out []Command
	for _, c := range Commands {
		if strings.HasPrefix(c.Name, prefix) {
			out = append(out, c)
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Name == prefix && out[j].Name != prefix })
	return out
}

func nearest(name string) string {
	names := make([]string, len(Commands))
	for i, c := range Commands {
		names[i] = c.Name
	}
	return Nearest(name, names)
}

// Nearest is the one of some names that a mistyped one most likely stands for,
// or "".
func Nearest(name string, names []string) string {
	best, least := "", 1+len(name)/2
	for _, n := range names {
		if d := distance(name, n); d < least {
			best, least = n, d
		}
	}
	return best
}

// distance counts the insertions, deletions, substitutions and swaps of
// neighbours that turn a into b (optimal string alignment).
func distance(a, b string) int {
	before, row := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next := make([]int, len(b)+1)
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row = row, next
	}
	return row[len(b)]
}
