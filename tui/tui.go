package tui

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	tea "charm.land/bubbletea/v2"

	"reverie/agent"
	"reverie/memstore"
	"reverie/theme"
	"reverie/tui/chat"
	"reverie/tui/dream"
	"reverie/tui/keys"
	"reverie/tui/render"
)

// Conversation is what the interface needs of the agent.
type Conversation = chat.Conversation

// Config says what the interface shows and works with. Only Conversation is
// needed; what is nil is not offered.
type Config struct {
	Conversation Conversation
	Project      memstore.Store // nil: no project memory
	User         memstore.Store // nil: no user model
	ProjectName  string
	Offline      bool   // the model is the built-in rules
	DataDir      string // where memory stays, for the first screen

	Theme     string                                 // a built-in theme's name; "" and "auto" follow the terminal
	LoadTheme func(name string) (theme.Theme, error) // for /theme NAME; nil: the built-in ones
	Glyphs    theme.Glyphs                           // the zero value: chosen by the environment
	Keys      map[string][]string                    // changed keys by action, as keys.New takes them

	Input   io.Reader // nil: standard input
	Output  io.Writer // nil: standard output
	Environ []string  // nil: os.Environ()
	Now     func() time.Time

	History []string // prompts of earlier sessions, oldest first

	// Threads lists conversations, newest first; Open goes on with one, and
	// with "" begins a new one. Both may be slow.
	Threads func(ctx context.Context) ([]Thread, error)
	Open    func(ctx context.Context, id string) (Conversation, error)
	// Models lists what the configured servers offer; SetModel changes to one
	// and says whether it is the built-in rules.
	Models   func(ctx context.Context) ([]string, error)
	SetModel func(ctx context.Context, name string) (offline bool, err error)
	// Context returns the parts that the last request carried.
	Context func() []Part
	// Compact makes the oldest turns shorter for the model.
	Compact func(ctx context.Context, emit func(agent.Event)) error
	// Dream are the memories that /dream may plan for.
	Dream []dream.Target
	// Notices are lines from outside for the conversation, such as what a
	// schedule did; nil: none.
	Notices <-chan string
	// Choose begins with the list of conversations.
	Choose bool
}

// Thread is one conversation in the list.
type Thread struct {
	ID, Title, Preview string
	Updated            time.Time
	Turns              int
}

// Part is one piece of what a request carried.
type Part struct {
	Name   string // such as "project index"
	Reason string // why it is there, one sentence
	Size   int    // bytes
	Text   string
}

// CheckKeys reports what is wrong with changed keys, as [Config.Keys] takes
// them, without showing anything; nil: nothing.
func CheckKeys(changes map[string][]string) error {
	_, err := keys.New(changes)
	return err
}

// framesPerSecond is how often the screen is brought up to date at most. At 60 a
// key could wait a whole 16 ms for the next frame; each frame costs a little even
// when nothing has changed, though nothing is written then.
const framesPerSecond = 120

// ErrInterrupted says that a signal ended the program.
var ErrInterrupted = errors.New("interrupted")

// Run shows the interface until the person quits. The terminal is as before
// when it returns, after an error, a signal or a panic too. What the interface
// has begun has then ended.
func Run(ctx context.Context, cfg Config) error { return run(ctx, cfg) }

func run(ctx context.Context, cfg Config, more ...tea.ProgramOption) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if cfg.Environ == nil {
		cfg.Environ = os.Environ()
	}
	m, err := newRoot(ctx, cfg)
	if err != nil {
		return err
	}
	// Until the terminal says otherwise it counts code points, as the
	// library's renderer takes for granted too.
	render.Graphemes(false)
	options := []tea.ProgramOption{tea.WithContext(ctx), tea.WithEnvironment(cfg.Environ), tea.WithFPS(framesPerSecond)}
	if cfg.Input != nil {
		options = append(options, tea.WithInput(cfg.Input))
	}
	if cfg.Output != nil {
		options = append(options, tea.WithOutput(cfg.Output))
	}
	_, err = tea.NewProgram(m, append(options, more...)...).Run()
	m.restore(cfg.Output)
	cancel()
	wait(m.chat)
	switch {
	case errors.Is(err, tea.ErrProgramPanic):
		return fmt.Errorf("the interface failed, which is a fault of ours; what was said is kept: %w", err)
	case errors.Is(err, tea.ErrInterrupted):
		return ErrInterrupted
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	}
	return err
}

// wait gives what still runs a moment to end; its context has ended already.
func wait(c *chat.Model) {
	done := make(chan struct{})
	go func() { c.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(3 * time.Second):
	}
}

func newRoot(ctx context.Context, cfg Config) (*root, error) {
	if cfg.Conversation == nil {
		return nil, errors.New("tui: a conversation is needed")
	}
	km, err := keys.New(cfg.Keys)
	if err != nil {
		return nil, err
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.LoadTheme == nil {
		cfg.LoadTheme = theme.Named
	}
	m := &root{ctx: ctx, cfg: cfg, keys: km, dark: true, name: cfg.Theme}
	if m.name == "" {
		m.name = "auto"
	}
	if m.theme, err = m.themeNow(); err != nil {
		return nil, err
	}
	m.build()
	return m, nil
}
