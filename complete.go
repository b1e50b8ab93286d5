package main

import (
	"github.com/spf13/cobra"

	"reverie/memstore"
)

// most is how many completions are offered at once.
const most = 200

// completeKeys offers the keys that begin as the first argument does.
func (a *app) completeKeys(cmd *cobra.Command, args []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	stores, err := a.stores(cmd.Context(), memstore.Project, memstore.User)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var all []cobra.Completion
	for _, s := range stores {
		es, err := s.List(cmd.Context(), memstore.ListOptions{Prefix: begun, Limit: most})
		if err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		for _, e := range es {
			all = append(all, cobra.CompletionWithDesc(e.Key, oneLine(e.Summary(), 60)))
		}
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// completeThreads offers the ids of the latest conversations.
func (a *app) completeThreads(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	t, err := a.openThreads(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	list, err := t.List(cmd.Context(), most)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var all []cobra.Completion
	for _, i := range list {
		all = append(all, cobra.CompletionWithDesc(i.ID, oneLine(i.Title, 60)))
	}
	return all, cobra.ShellCompDirectiveNoFileComp
}

// completeWords offers fixed words for a flag.
func completeWords(cmd *cobra.Command, flag string, words ...string) {
	// The error is for a flag that does not exist, which the tests would show.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// addCompletions completes keys, threads and the words that flags take.
func (a *app) addCompletions(root *cobra.Command) {
	completeWords(root, "theme", "auto", "dusk", "dawn", "mono")
	for _, top := range root.Commands() {
		for _, cmd := range append(top.Commands(), top) {
			if cmd.Flag("scope") != nil {
				completeWords(cmd, "scope", "project", "user", "thread")
			}
			if cmd.Flag("kind") != nil {
				completeWords(cmd, "kind", "command", "convention", "gotcha", "decision", "note")
			}
			switch top.Name() + " " + cmd.Name() {
			case "memory list", "memory show", "memory history", "memory add", "memory forget", "memory undo", "memory restore", "memory purge":
				cmd.ValidArgsFunction = a.completeKeys
			case "threads show", "threads export", "threads rename", "threads delete":
				cmd.ValidArgsFunction = a.completeThreads
			}
		}
	}
}
