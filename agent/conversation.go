package agent

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"reverie/agent/dynamic"
	"reverie/agent/model"
	"reverie/memstore"
)

// Vocabularies of memory tools, as the setting memory.tools names them.
const (
	Lifecycle = "lifecycle" // Remember, Recall, … over project and user model
	Files     = "files"     // memory_save, memory_search, … over both scopes
	Notes     = "notes"     // remember, recall over the thread's own notes
	NoMemory  = "none"      // no tool, no index, no fact
)

// Permission says what happens when a tool wants to forget.
type Permission string

const (
	Ask   Permission = "ask" // a person decides each time
	Allow Permission = "allow"
	Never Permission = "deny"
)

// Permissions are the rules that tools keep to. The zero value asks.
type Permissions struct {
	Forget Permission
}

// Recaller finds the memories that come close to a prompt, best first. Recall
// is given a few seconds; an error is shown once and the turn goes on.
type Recaller interface {
	Recall(ctx context.Context, prompt string, limit int) ([]Match, error)
}

// Match is a memory that was found for a prompt.
type Match struct {
	Entry memstore.Entry
	Score float64 // similarity, 0 to 1
}

// Config says what a conversation is made of.
type Config struct {
	Model model.Model
	// Models makes a model from its name, provider/name, for dynamic scripts
	// that choose one. Nil: they can't.
	Models func(ctx context.Context, name string) (model.Model, error)

	Project memstore.Store // nil: no project memory
	User    memstore.Store // nil: no user model

	Threads *Threads // nil: the thread is kept in memory only
	Thread  string   // id of the thread to go on with; "" begins a new one

	Vocabulary  string // Lifecycle (also for ""), Files, Notes or NoMemory
	Permissions Permissions

	Persona      string // who the model is; "" is [DefaultPersona]
	Instructions string // of an agent folder
	ProjectName  string
	ProjectRoot  string

	AutoRecall  Recaller // nil: none
	RecallLimit int      // matches attached to a prompt, 1 to 5; 0 is 5

	// Dynamic is an agent folder whose dynamic/*.star run at the start of
	// every turn; "" is none.
	Dynamic string
	// FilePath gives the path of an entry's file, or "" where it has none.
	// The files vocabulary shows it in the index.
	FilePath func(scope memstore.Scope, key string) string

	Now func() time.Time // nil: time.Now
}

// DefaultPersona is what a model is told it is where nothing else is set.
const DefaultPersona = "You are Reverie, an assistant in a terminal that remembers between sessions. " +
	"Answer briefly and plainly, in Markdown where it helps. Say so when you do not know."

var (
	// ErrBusy says that a turn runs already.
	ErrBusy = errors.New("a turn is running; wait for it or stop it first")
	// ErrNothingToRetry says that the last turn needs no second try.
	ErrNothingToRetry = errors.New("nothing to retry: the last turn was answered")
	// ErrClosed says that the conversation was closed.
	ErrClosed = errors.New("the conversation is closed")
)

// Conversation is one thread in use: it sends turns to the model, runs its
// tools and keeps the thread. Its methods may be called from several
// goroutines; Send, Retry and Compact run one at a time and answer [ErrBusy]
// while another runs.
type Conversation struct {
	cfg     Config
	memory  *memory // what the model may see and change
	tools   []tool
	asks    *approvals
	scripts *dynamic.Scripts

	turning     chan struct{} // holds a token while nothing runs
	stableCache []Part        // of the session; used by the turn that runs
	stableIndex int           // the budget of the index in it

	mu        sync.Mutex
	model     model.Model
	log       *threadLog
	history   []model.Message // all of the thread; only ever appended to or replaced
	sent      sentMessages    // what of it goes to the model
	state     state
	title     string
	turn      int        // number of the last turn
	status    turnStatus // how it ended
	writes    []write    // memories written in this thread, oldest first
	context   []Part     // what the last request carried
	used      []Ref
	readOnly  string // why nothing can be sent, or ""
	failedOne bool   // auto recall has failed and that was said
	closed    bool
}

// New opens a conversation: a new thread, or the one that cfg names, where it
// was. It returns an error where the thread does not exist or can't be read,
// and where an agent folder's scripts can't be parsed.
func New(ctx context.Context, cfg Config) (*Conversation, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	c := &Conversation{
		cfg:     cfg,
		model:   cfg.Model,
		asks:    newApprovals(cfg.Now),
		turning: make(chan struct{}, 1),
		state:   state{},
		status:  turnDone,
	}
	c.turning <- struct{}{}
	c.memory = newMemory(cfg)
	c.tools = toolsFor(cfg)
	if cfg.Dynamic != "" {
		if c.scripts, err = dynamic.Load(cfg.Dynamic); err != nil {
			return nil, err
		}
	}
	if err := c.openThread(ctx); err != nil {
		return nil, err
	}
	if err := c.memory.begin(ctx); err != nil {
		c.log.close()
		return nil, err
	}
	return c, nil
}

func (cfg Config) withDefaults() (Config, error) {
	if cfg.Model == nil {
		return cfg, errors.New("a conversation needs a model")
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Persona == "" {
		cfg.Persona = DefaultPersona
	}
	if cfg.RecallLimit <= 0 || cfg.RecallLimit > maxRecall {
		cfg.RecallLimit = maxRecall
	}
	if cfg.Vocabulary == "" {
		cfg.Vocabulary = Lifecycle
	}
	if !slices.Contains([]string{Lifecycle, Files, Notes, NoMemory}, cfg.Vocabulary) {
		return cfg, fmt.Errorf("memory tools %q are not known; %s, %s, %s and %s are", cfg.Vocabulary, Lifecycle, Files, Notes, NoMemory)
	}
	switch cfg.Permissions.Forget {
	case "":
		cfg.Permissions.Forget = Ask
	case Ask, Allow, Never:
	default:
		return cfg, fmt.Errorf("permission %q for forgetting is not known; ask, allow and deny are", cfg.Permissions.Forget)
	}
	if cfg.Vocabulary == Notes || cfg.Vocabulary == NoMemory {
		// Notes are the only memory such an agent has.
		cfg.Project, cfg.User, cfg.AutoRecall = nil, nil, nil
	}
	return cfg, nil
}

// Close frees the thread for other processes. The stores stay open: they are
// the caller's. It waits for a running turn, which the caller stops first.
func (c *Conversation) Close() error {
	<-c.turning
	defer func() { c.turning <- struct{}{} }()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil
	}
	c.closed = true
	return c.log.close()
}

// acquire takes the right to run a turn; the caller gives it back with
// release.
func (c *Conversation) acquire() error {
	select {
	case <-c.turning:
	default:
		return ErrBusy
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		c.turning <- struct{}{}
		return ErrClosed
	}
	return nil
}

func (c *Conversation) release() { c.turning <- struct{}{} }

// History is the whole thread, oldest first. The slice is shared: the caller
// must not change it.
func (c *Conversation) History() []model.Message {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.history[:len(c.history):len(c.history)]
}

// Title names the thread: its first message cut to a line, or what it was
// renamed to. It is empty before the first message.
func (c *Conversation) Title() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.title
}

// ID is the thread's id.
func (c *Conversation) ID() string { return c.log.id }

// Turn is the number of the thread's last turn, 0 before the first.
func (c *Conversation) Turn() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.turn
}

// Model is the name of the model in use, provider/name.
func (c *Conversation) Model() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.model.Name()
}

// SetModel goes on with another model from the next request on.
func (c *Conversation) SetModel(m model.Model) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.model = m
}

// ReadOnly says why nothing can be sent in this thread, or "".
func (c *Conversation) ReadOnly() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.readOnly
}

// Unfinished says that the last turn was broken off, by a crash, a stop or an
// error, so that [Conversation.Retry] can go on with it.
func (c *Conversation) Unfinished() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.turn > 0 && c.status != turnDone
}

// Busy says that a turn runs or a question waits, so that nothing else should
// change the memory now.
func (c *Conversation) Busy() bool { return len(c.turning) == 0 || len(c.asks.pending()) > 0 }

// Notes are the thread's own notes, oldest first.
func (c *Conversation) Notes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state.notes()
}

// Used are the memories whose text the last request carried: what tools and
// auto recall found for this turn, then the user facts.
func (c *Conversation) Used() []Ref {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.used)
}

// Decide answers a waiting approval; false: it does not wait any more, or d
// is no answer. A program that nobody sits at answers [Unasked], so that the
// model can say what to do. It may be called from within emit.
func (c *Conversation) Decide(id int, d Decision) bool { return c.asks.decide(id, d) }

// Pending are the approvals that wait, oldest first.
func (c *Conversation) Pending() []Approval { return c.asks.pending() }

// Rename gives the thread another title.
func (c *Conversation) Rename(ctx context.Context, title string) error {
	title = titleFrom(title)
	if title == "" {
		return errors.New("a title needs at least one visible character")
	}
	if err := c.log.rename(ctx, title); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.title = title
	return nil
}
