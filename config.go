package main

import (
	"strings"

	"github.com/spf13/cobra"

	"reverie/memstore/guard"
)

func (a *app) configCommand() *cobra.Command {
	top := &cobra.Command{
		Use: "config", Short: "Show the settings and where they come from", Args: unknownSubcommandArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.configShow() },
	}
	top.PersistentFlags().BoolVar(&a.flags.json, "json", false, "answer in JSON")
	show := &cobra.Command{
		Use: "show", Short: "Print what holds and where each value came from (the default)", Args: argCount(0, 0),
		RunE: func(cmd *cobra.Command, args []string) error { return a.configShow() },
	}
	path := &cobra.Command{
		Use: "path", Short: "Print the path of your settings file", Args: argCount(0, 0),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, p, err := a.load()
			if err != nil {
				return err
			}
			a.printf("%s\n", p.config)
			return nil
		},
	}
	def := &cobra.Command{
		Use: "default", Short: "Print a documented settings file to start from", Args: argCount(0, 0),
		Example: "  mkdir -p ~/.config/reverie\n  reverie config default > ~/.config/reverie/config.toml",
		RunE: func(cmd *cobra.Command, args []string) error {
			a.printf("%s", defaultFile())
			return nil
		},
	}
	top.AddCommand(show, path, def)
	return top
}

// configShow prints every setting that is declared or set. A value that names
// a secret's place is no secret, but one that looks like a key is masked.
func (a *app) configShow() error {
	st, _, err := a.load()
	if err != nil {
		return err
	}
	type row struct {
		Setting string `json:"setting"`
		Value   string `json:"value"`
		Origin  string `json:"origin"`
	}
	rows := []row{}
	wide := 0
	for _, path := range sortedKeys(st.values) {
		rows = append(rows, row{path, guard.Mask(st.values[path]), st.origins[path]})
		wide = max(wide, len(path))
	}
	if a.flags.json {
		return a.json(rows)
	}
	for _, r := range rows {
		a.printf("%s%s  %-24s  %s\n", r.Setting, strings.Repeat(" ", wide-len(r.Setting)), quoteEmpty(r.Value), r.Origin)
	}
	return nil
}

func quoteEmpty(s string) string {
	if s == "" {
		return `""`
	}
	return s
}
