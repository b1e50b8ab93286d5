// Reverie is a chat in the terminal whose agent remembers, over a memory that
// its user can see, trust and take back.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reverie/agent"
	"reverie/memstore"
	"reverie/memstore/guard"
)

// Exit codes, as documented in docs/reference.md.
const (
	exitDone     = 0
	exitFailed   = 1
	exitUsage    = 2
	exitNotFound = 3
	exitConflict = 4
	exitRefused  = 5
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	stop()
	os.Exit(code)
}

// app is one run of the program: where it reads and writes, and its flags.
type app struct {
	in       io.Reader
	out, err io.Writer
	tty      bool // standard output is a terminal
	getenv   func(string) string
	now      func() time.Time
	flags    sharedFlags
	settings *settings // once load has read them
	place    place
	folder   *agent.Folder  // of --agent, or nil
	cleanup  []func() error // run last to first at the end

	mu   sync.Mutex   // guards hear
	hear func(string) // gets lines for people instead of standard error
}

// sharedFlags are the flags that every subcommand takes.
type sharedFlags struct {
	config, agent, model   string
	memoryDir, userDir     string
	noMemory, noUserModel  bool
	memoryEvery, userEvery string
	theme                  string
	plain                  bool
	scope                  string // of subcommands
	limit                  uint
	json                   bool
}

func run(ctx context.Context, args []string, in io.Reader, out, errOut io.Writer, getenv func(string) string) (code int) {
	written := &checkedWriter{w: out}
	a := &app{in: in, out: written, err: errOut, getenv: getenv, now: time.Now, tty: terminal(out)}
	defer func() {
		for i := len(a.cleanup) - 1; i >= 0; i-- {
			if err := a.cleanup[i](); err != nil && code == exitDone {
				a.say("reverie: %s", err)
				code = exitFailed
			}
		}
		if written.err != nil && code == exitDone {
			a.say("reverie: writing the output: %s", written.err)
			code = exitFailed
		}
	}()
	root := a.rootCommand()
	root.SetArgs(args)
	root.SetIn(in)
	root.SetOut(a.out)
	root.SetErr(errOut)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	if !errors.Is(err, errSaid) {
		a.say("reverie: %s", strings.ReplaceAll(err.Error(), "\n", " "))
	}
	return exitCode(err)
}

// errSaid wraps an error whose message has been printed already.
var errSaid = errors.New("said")

func said(err error) error { return fmt.Errorf("%w: %w", errSaid, err) }

func exitCode(err error) int {
	var (
		usage     *usageError
		notFound  *memstore.NotFoundError
		conflict  *memstore.ConflictError
		limit     *memstore.LimitError
		invalid   *memstore.InvalidError
		forgotten *memstore.ForgottenError
		refusal   *guard.Refusal
		denied    *deniedError
		noThread  *agent.ThreadNotFoundError
		noThing   *notFoundError
	)
	switch {
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &notFound), errors.As(err, &noThread), errors.As(err, &noThing):
		return exitNotFound
	case errors.As(err, &conflict):
		return exitConflict
	case errors.As(err, &limit), errors.As(err, &invalid), errors.As(err, &forgotten), errors.As(err, &refusal), errors.As(err, &denied):
		return exitRefused
	}
	return exitFailed
}

// deniedError says that a person, or their settings, said no.
type deniedError struct{ what string }

func (e *deniedError) Error() string { return e.what }

func (a *app) rootCommand() *cobra.Command {
	var chat chatFlags
	root := &cobra.Command{
		Use:   "reverie",
		Short: "A chat in the terminal whose agent remembers",
		Long: `Reverie is a chat whose agent remembers, over a memory that you can see, trust
and take back. It runs without a key or a network, with rules only; with a
model it does more: set OPENAI_API_KEY or ANTHROPIC_API_KEY, or start Ollama.`,
		Example: `  reverie                                     start the chat
  reverie -p "remember that we deploy on Fridays only"
  reverie -p "when do we deploy?"
  git diff | reverie -p "what does this change?"
  reverie memory                              what is remembered
  reverie memory history deploy/day           every earlier state, who and why
  reverie memory undo deploy/day              take the last change back`,
		Version:       version(),
		Args:          a.noArgs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, args []string) error { return a.chat(cmd, args, chat) },
	}
	root.SetUsageFunc(usage)
	root.SetVersionTemplate("reverie {{.Version}}\n")
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(flagError)

	p := root.PersistentFlags()
	f := &a.flags
	p.StringVar(&f.config, "config", "", "settings `FILE` instead of the usual one")
	p.StringVar(&f.agent, "agent", "", "agent folder `DIR` with agent.toml and instructions.md")
	p.StringVar(&f.model, "model", "", "model as `PROVIDER/NAME`, or offline")
	p.StringVar(&f.memoryDir, "memory-dir", "", "keep project memory in `DIR`")
	p.StringVar(&f.userDir, "user-model-dir", "", "keep the user model in `DIR`")
	p.BoolVar(&f.noUserModel, "no-user-model", false, "without facts about the user")
	p.BoolVar(&f.noMemory, "no-memory", false, "a private session without any memory")
	p.StringVar(&f.memoryEvery, "memory-consolidate-interval", "", "retire exact duplicates of project memory every `TIME`, such as 24h")
	p.StringVar(&f.userEvery, "user-model-consolidate-interval", "", "the same `TIME` for the user model")
	p.StringVar(&f.theme, "theme", "", "`THEME`: auto, dusk, dawn, mono, or a TOML file")
	p.BoolVar(&f.plain, "plain", false, "plain lines instead of screens")
	p.SortFlags = false

	l := root.Flags()
	l.SortFlags = false
	chat.register(l)
	root.AddCommand(a.memoryCommand(), a.dreamCommand(), a.threadsCommand(), a.configCommand(), a.completionCommand(root))
	a.addCompletions(root)
	root.InitDefaultHelpFlag()
	root.InitDefaultVersionFlag()
	return root
}

// noArgs refuses words that are no subcommand, naming the nearest one.
func (a *app) noArgs(cmd *cobra.Command, args []string) error {
	if cmd.Flags().Changed("resume") && len(args) <= 1 {
		return nil // the thread of --resume THREAD
	}
	return unknownSubcommand(cmd, args)
}

func unknownSubcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() {
		if !c.Hidden {
			names = append(names, c.Name())
		}
	}
	return usagef("%s has no subcommand %q%s (see %s --help)", cmd.CommandPath(), args[0], nearestHint(args[0], names), cmd.CommandPath())
}

func flagError(cmd *cobra.Command, err error) error {
	msg := err.Error()
	if name, ok := strings.CutPrefix(msg, "unknown flag: --"); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return usagef("%s has no flag --%s%s", cmd.CommandPath(), name, nearestHint("--"+name, names))
	}
	return usagef("%s: %s (see %s --help)", cmd.CommandPath(), oneLine(guard.Mask(msg), 120), cmd.CommandPath())
}

// argCount checks the number of arguments, naming what is expected.
func argCount(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return usagef("%s takes: %s", cmd.CommandPath(), strings.TrimPrefix(cmd.UseLine(), "reverie "))
		}
		return nil
	}
}

func (a *app) completionCommand(root *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use:       "completion bash|zsh|fish",
		Short:     "Print a completion script for a shell",
		Example:   "  source <(reverie completion bash)\n  reverie completion fish > ~/.config/fish/completions/reverie.fish",
		ValidArgs: []string{"bash", "zsh", "fish"},
		Args:      argCount(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(a.out, true)
			case "zsh":
				return root.GenZshCompletion(a.out)
			case "fish":
				return root.GenFishCompletion(a.out, true)
			}
			return usagef("no completion for %q; it takes bash, zsh or fish", args[0])
		},
	}
}

// version is the module's version where it was built from one, else the
// commit that it was built from.
func version() string {
	bi, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := bi.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	rev, dirty := "", ""
	for _, s := range bi.Settings {
		switch {
		case s.Key == "vcs.revision" && len(s.Value) >= 12:
			rev = s.Value[:12]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = ", changed"
		}
	}
	if rev == "" {
		return "development build"
	}
	return "development build of " + rev + dirty
}
