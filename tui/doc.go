// Package tui is the Bubble Tea program. Its root only routes: it knows which
// pane has the keyboard and where each is drawn. The panes are the packages
// below it, what they show safely is render's, and how it looks is theme's.
package tui
