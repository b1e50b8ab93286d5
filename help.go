package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// usage prints how a command is called: its own flags in full, and the flags
// that all commands share only for the program itself.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Usage:\n  %s\n", cmd.UseLine())
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s COMMAND …\n", cmd.CommandPath())
	}
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	var rows [][2]string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			rows = append(rows, [2]string{c.Use, c.Short})
		}
	}
	section(&b, "Commands", rows)
	section(&b, "Flags", flagRows(cmd, func(f *pflag.Flag) bool { return !shared(cmd, f) }))
	if rows := flagRows(cmd, func(f *pflag.Flag) bool { return shared(cmd, f) }); cmd.HasParent() {
		b.WriteString("\nFlags that all commands share: reverie --help\n")
	} else {
		section(&b, "Flags that all commands share", rows)
	}
	_, err := fmt.Fprint(cmd.OutOrStdout(), b.String())
	return err
}

// shared says whether a flag is one of those that all commands take.
func shared(cmd *cobra.Command, f *pflag.Flag) bool {
	return cmd.Root().PersistentFlags().Lookup(f.Name) == f || f.Name == "help" || f.Name == "version"
}

func flagRows(cmd *cobra.Command, want func(*pflag.Flag) bool) [][2]string {
	var rows [][2]string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Hidden || !want(f) {
			return
		}
		name, doc := pflag.UnquoteUsage(f)
		left := "    --" + f.Name
		if f.Shorthand != "" {
			left = "-" + f.Shorthand + ", --" + f.Name
		}
		switch {
		case f.Value.Type() == "bool":
		case f.NoOptDefVal != "":
			left += " [" + name + "]"
		default:
			left += " " + name
		}
		rows = append(rows, [2]string{left, doc})
	})
	return rows
}

func section(b *strings.Builder, title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	wide := 0
	for _, r := range rows {
		wide = max(wide, len([]rune(r[0])))
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	for _, r := range rows {
		fmt.Fprintf(b, "  %s%s  %s\n", r[0], strings.Repeat(" ", wide-len([]rune(r[0]))), r[1])
	}
}

// notFoundError says that something other than a memory is not there; it exits
// with 3.
type notFoundError struct{ what string }

func (e *notFoundError) Error() string { return e.what }
