package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"reverie/agent"
	"reverie/agent/model"
	"reverie/memstore"
	"reverie/memstore/vector"
	"reverie/tui"
	"reverie/tui/plain"
)

// chatFlags are those of reverie without a subcommand.
type chatFlags struct {
	prompt      string
	json        bool
	showContext bool
	continued   bool
	resume      string
	fresh       bool
	dreamModel  string
}

// pick is what --resume holds when no thread is named.
const pick = "?"

func (c *chatFlags) register(f *pflag.FlagSet) {
	f.StringVarP(&c.prompt, "prompt", "p", "", "one turn with this `TEXT`, then exit; what is piped in is added to it")
	f.BoolVar(&c.json, "json", false, "with -p: answer in JSON")
	f.BoolVar(&c.showContext, "show-context", false, "with -p --json: also what the model was told, part by part")
	f.BoolVar(&c.continued, "continue", false, "go on with the latest conversation")
	f.StringVar(&c.resume, "resume", "", "go on with a conversation: `THREAD`, or choose one")
	f.Lookup("resume").NoOptDefVal = pick
	f.StringVar(&c.dreamModel, "dream-model", "", "let `PROVIDER/NAME` word the merges of a dream, within the same checks")
	f.BoolVar(&c.fresh, "new", false, "begin a new conversation (the default)")
}

// chat is reverie itself: the screens, plain lines, or one turn with -p.
func (a *app) chat(cmd *cobra.Command, args []string, f chatFlags) error {
	ctx := cmd.Context()
	once := cmd.Flags().Changed("prompt")
	if f.resume == pick && len(args) == 1 {
		f.resume = args[0]
	}
	switch {
	case f.json && !once, f.showContext && !f.json:
		return usagef("--json goes with -p, and --show-context with -p --json")
	case f.continued && f.resume != "", f.continued && f.fresh, f.fresh && f.resume != "":
		return usagef("--continue, --resume and --new exclude each other")
	case f.resume == pick && (once || a.flags.plain || !a.screens()):
		return usagef("--resume without a thread needs a screen to choose on; name one, as reverie threads list shows them")
	}
	s, err := a.session(ctx, f)
	if err != nil {
		return err
	}
	switch {
	case once:
		if s.index != nil {
			a.catchUpLater(ctx, s.index)
		}
		return errors.Join(a.once(ctx, s, f), s.scheduleOnce(ctx, a))
	}
	lines, stop := s.keepUp(ctx, a)
	defer stop()
	switch {
	case a.screens() && !s.st.truth("plain"):
		cfg, err := s.screens(ctx, a)
		if err != nil {
			return err
		}
		cfg.Notices = lines
		return tui.Run(ctx, cfg)
	}
	cfg := s.plain(a)
	cfg.Notices = lines
	return plain.Run(ctx, cfg)
}

// screens reports whether there is a terminal that can show screens.
func (a *app) screens() bool {
	return terminal(a.in) && a.tty && a.getenv("TERM") != "dumb" && a.getenv("TERM") != ""
}

// session is what a conversation is made of.
type session struct {
	st      *settings
	place   place
	models  models
	threads *agent.Threads
	talk    *talk
	project memstore.Store // nil when disabled
	user    memstore.Store
	opened  []opened
	index   *vector.Index // search by meaning, or nil
	// dreamModel words merges of a dream, where --dream-model names one.
	dreamModel model.Model
	resume     bool // a thread is to be chosen first
}

func (a *app) session(ctx context.Context, f chatFlags) (*session, error) {
	st, p, err := a.load()
	if err != nil {
		return nil, err
	}
	s := &session{st: st, place: p, models: models{st, a}, resume: f.resume == pick}
	cfg := agent.Config{
		Vocabulary:  st.text("memory.tools"),
		Permissions: agent.Permissions{Forget: agent.Permission(st.text("permissions.forget"))},
		ProjectName: filepath.Base(p.root), ProjectRoot: p.root,
		Models: s.models.make, Now: a.now,
	}
	if a.folder != nil {
		cfg.Vocabulary, cfg.Instructions, cfg.Dynamic = a.folder.Vocabulary(), a.folder.Instructions, a.folder.Dir
	}
	if cfg.Model, err = s.models.choose(ctx); err != nil {
		return nil, err
	}
	if f.dreamModel != "" {
		if s.dreamModel, err = s.models.make(ctx, f.dreamModel); err != nil {
			return nil, err
		}
	}
	if !st.truth("memory.enabled") {
		cfg.Vocabulary = agent.NoMemory
	}
	if err := a.openMemory(ctx, s, &cfg); err != nil {
		return nil, err
	}
	s.threads, err = agent.OpenThreads(ctx, p.project, agent.ThreadsOptions{
		Now: a.now, Warn: func(m string) { a.say("reverie: %s", m) },
	})
	if err != nil {
		return nil, err
	}
	a.cleanup = append(a.cleanup, s.threads.Close)
	cfg.Threads = s.threads
	if cfg.Thread, err = s.thread(ctx, f); err != nil {
		return nil, err
	}
	conv, err := agent.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	s.talk = &talk{cfg: cfg, now: conv}
	a.cleanup = append(a.cleanup, s.talk.close)
	if why := conv.ReadOnly(); why != "" {
		a.say("reverie: %s", why)
	}
	return s, nil
}

// bareConversation is one that is kept nowhere, for what a conversation would
// tell a model.
func (a *app) bareConversation(ctx context.Context) (*agent.Conversation, error) {
	st, p, err := a.load()
	if err != nil {
		return nil, err
	}
	cfg := agent.Config{Model: model.NewOffline(a.now), Vocabulary: st.text("memory.tools"), Now: a.now}
	if !st.truth("memory.enabled") {
		cfg.Vocabulary = agent.NoMemory
	}
	if err := a.openMemory(ctx, &session{st: st, place: p}, &cfg); err != nil {
		return nil, err
	}
	c, err := agent.New(ctx, cfg)
	if err != nil {
		return nil, err
	}
	a.cleanup = append(a.cleanup, c.Close)
	return c, nil
}

// openMemory opens the memories that the settings allow, and what finds and
// recalls them.
func (a *app) openMemory(ctx context.Context, s *session, cfg *agent.Config) error {
	if cfg.Vocabulary == agent.NoMemory || cfg.Vocabulary == agent.Notes {
		return nil
	}
	all := []memstore.Scope{memstore.Project}
	if s.st.truth("user_model.enabled") {
		all = append(all, memstore.User)
	}
	for _, scope := range all {
		o, err := a.open(ctx, s.place, scope)
		if err != nil {
			return err
		}
		s.opened = append(s.opened, o)
	}
	x, err := a.semanticOver(s.opened)
	if err != nil {
		return err
	}
	s.index = x
	for _, o := range s.opened {
		store := o.Store
		if x != nil && o.db != nil {
			store = meaning{o.db, x}
		}
		if o.Scope() == memstore.User {
			s.user, cfg.User = store, store
		} else {
			s.project, cfg.Project = store, store
		}
	}
	limit, _ := strconv.Atoi(s.st.text("memory.recall_limit"))
	switch cfg.RecallLimit = limit; {
	case limit == 0:
	case x != nil && s.st.truth("memory.auto_recall"):
		cfg.AutoRecall = byMeaning{x}
	case x == nil && s.st.truth("memory.recall_by_words"):
		cfg.AutoRecall = byWords{vector.NewLexical(s.stores()...)}
	}
	cfg.FilePath = s.filePath
	return nil
}

// stores are the memories of this session.
func (s *session) stores() []memstore.Store {
	var all []memstore.Store
	for _, o := range s.opened {
		all = append(all, o.Store)
	}
	return all
}

// filePath is where an entry's file lies, "" where it has none: within the
// project as seen from its root.
func (s *session) filePath(scope memstore.Scope, key string) string {
	for _, o := range s.opened {
		if o.Scope() == scope && (o.mirror != nil || o.db == nil) {
			return shown(s.place.root, filepath.Join(s.place.folder(scope), filepath.FromSlash(key)+".md"))
		}
	}
	return ""
}

// thread is the id of the thread to go on with, or "" for a new one.
func (s *session) thread(ctx context.Context, f chatFlags) (string, error) {
	switch {
	case f.continued:
		latest, err := s.threads.Latest(ctx)
		var none *agent.ThreadNotFoundError
		if errors.As(err, &none) {
			return "", nil
		}
		return latest.ID, err
	case f.resume != "" && f.resume != pick:
		t, err := s.threads.Find(ctx, f.resume)
		return t.ID, err
	}
	return "", nil
}

// turnJSON is the answer to -p --json.
type turnJSON struct {
	Thread  string       `json:"thread"`
	Turn    int          `json:"turn"`
	Text    string       `json:"text"`
	Calls   []callJSON   `json:"tool_calls"`
	Usage   model.Usage  `json:"usage"`
	Model   string       `json:"model"`
	Error   string       `json:"error,omitempty"`
	Context []agent.Part `json:"context,omitempty"`
}

type callJSON struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
	Result    json.RawMessage `json:"result"`
	Error     string          `json:"error"`
}

// raw keeps JSON as it is and quotes everything else.
func raw(s string) json.RawMessage {
	if json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	b, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`""`)
	}
	return b
}

// once runs one turn and prints the answer.
func (a *app) once(ctx context.Context, s *session, f chatFlags) error {
	text, err := a.promptText(f.prompt)
	if err != nil {
		return err
	}
	conv := s.talk.current()
	out := turnJSON{Thread: conv.ID(), Calls: []callJSON{}, Model: conv.Model()}
	var answers []string
	var denied error
	err = conv.Send(ctx, text, func(e agent.Event) {
		switch e := e.(type) {
		case agent.TurnStarted:
			out.Turn = e.Turn
		case agent.AnswerDone:
			if t := strings.TrimSpace(e.Message.Text); t != "" {
				answers = append(answers, t)
			}
		case agent.ToolFinished:
			out.Calls = append(out.Calls, callJSON{e.Call.Name, raw(e.Call.Arguments), raw(e.Result), e.Error})
		case agent.ApprovalAsked:
			// Nobody is there to ask.
			conv.Decide(e.Approval.ID, agent.Unasked)
			denied = &deniedError{fmt.Sprintf("%s of %s %s needs a person's approval: do it in the chat, or with reverie memory forget",
				e.Approval.Tool, e.Approval.Scope, e.Approval.Key)}
		case agent.Notice:
			a.say("reverie: %s", e.Text)
		case agent.Waiting:
			a.say("reverie: trying again in %s: %s", e.For.Round(100e6), e.Reason)
		case agent.TurnFinished:
			out.Usage = e.Usage
		}
	})
	out.Text, out.Model = strings.Join(answers, "\n\n"), conv.Model()
	if err != nil {
		out.Error = err.Error()
	}
	if f.showContext {
		out.Context = conv.Context()
	}
	if f.json {
		if jerr := a.json(out); jerr != nil {
			return jerr
		}
	} else if out.Text != "" {
		a.printf("%s\n", out.Text)
	}
	if err == nil {
		err = denied
	}
	return err
}

// promptText is the text of -p with what is piped in below it. "-" is only
// what is piped in.
func (a *app) promptText(p string) (string, error) {
	piped := ""
	if f, ok := a.in.(*os.File); ok {
		st, err := f.Stat()
		if err == nil && (st.Mode()&fs.ModeNamedPipe != 0 || st.Mode().IsRegular()) {
			b, err := io.ReadAll(f)
			if err != nil {
				return "", fmt.Errorf("read standard input: %w", err)
			}
			piped = strings.TrimRight(string(b), "\n")
		}
	}
	if p == "-" {
		p = ""
	}
	text := strings.TrimSpace(p)
	if strings.TrimSpace(piped) != "" {
		text = strings.TrimPrefix(text+"\n\n"+piped, "\n\n")
	}
	if strings.TrimSpace(text) == "" {
		return "", usagef("-p takes a text, or something piped in")
	}
	return text, nil
}
