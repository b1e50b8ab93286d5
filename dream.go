package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"reverie/agent/model"
	"reverie/memstore"
	"reverie/planner"
	"reverie/tui/plain"
)

// dreamFlags are those of reverie dream.
type dreamFlags struct {
	approve, dismiss bool
	undo             string
	model            string
}

func (a *app) dreamCommand() *cobra.Command {
	var f dreamFlags
	cmd := &cobra.Command{
		Use: "dream", Short: "Propose a clean-up of the memory, to approve or dismiss as a whole",
		Long: `Propose a clean-up of the whole memory: duplicates to retire, entries on one
subject to merge, old values that newer ones replace. Nothing changes until you
approve the plan, and an approved plan can be undone.`,
		Example: `  reverie dream                          show the plan and ask
  reverie dream --json                   the plan as JSON, nothing decided
  reverie dream --approve                apply it at once
  reverie dream receipts                 earlier decisions
  reverie dream --undo RECEIPT           take one back`,
		Args: unknownSubcommandArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return a.dream(cmd.Context(), f) },
	}
	p := cmd.PersistentFlags()
	p.StringVar(&a.flags.scope, "scope", "", "`SCOPE`: project (the default) or user")
	p.BoolVar(&a.flags.json, "json", false, "answer in JSON")
	p.UintVar(&a.flags.limit, "limit", 20, "at most `N` receipts")
	cmd.Flags().BoolVar(&f.approve, "approve", false, "apply the plan without asking")
	cmd.Flags().BoolVar(&f.dismiss, "dismiss", false, "dismiss the plan without asking")
	cmd.Flags().StringVar(&f.undo, "undo", "", "take an applied plan back, by its `RECEIPT`")
	cmd.Flags().StringVar(&f.model, "dream-model", "", "let `PROVIDER/NAME` word merges, within the same checks")
	cmd.AddCommand(&cobra.Command{
		Use: "receipts", Short: "List decisions on earlier plans, the schedule's too", Args: argCount(0, 0),
		RunE: func(cmd *cobra.Command, args []string) error { return a.receipts(cmd.Context()) },
	})
	return cmd
}

func (a *app) dream(ctx context.Context, f dreamFlags) error {
	if f.approve && f.dismiss || f.undo != "" && (f.approve || f.dismiss) {
		return usagef("--approve, --dismiss and --undo exclude each other")
	}
	s, err := a.dreamSession(ctx, f)
	var no *planner.UnavailableError
	if errors.As(err, &no) {
		if a.flags.json {
			return a.json(planner.Answer{Reason: no.Reason})
		}
		return err
	}
	if err != nil {
		return err
	}
	if f.undo != "" {
		return a.undoReceipt(ctx, s, f.undo)
	}
	plan, err := s.Plan(ctx, a.progress("steps of the plan"))
	if err != nil {
		return err
	}
	decision := ""
	switch {
	case f.approve:
		decision = "approve"
	case f.dismiss:
		decision = "dismiss"
	}
	if !a.flags.json {
		if err := plain.WritePlan(a.out, plan, a.now()); err != nil {
			return err
		}
		if decision == "" && !plan.Empty() && terminal(a.in) {
			decision = a.askDecision()
		}
	}
	answer := planner.Answer{Plan: &plan}
	if decision != "" && !plan.Empty() {
		r, err := a.decide(ctx, s, plan, decision)
		if err != nil {
			return err
		}
		answer.Receipt = &r
	}
	if a.flags.json {
		err = a.json(answer)
	} else if answer.Receipt != nil {
		err = plain.WriteReceipt(a.out, *answer.Receipt, a.now())
	}
	if err == nil && answer.Receipt != nil {
		err = partly(*answer.Receipt)
	}
	return err
}

// partly says whether an approved plan came to nothing, or was broken off.
func partly(r memstore.Receipt) error {
	s := planner.Summarize(r)
	switch {
	case s.Failed+s.Skipped > 0:
		return said(fmt.Errorf("%d of %d operations were not applied", s.Planned-s.Applied, s.Planned))
	case s.Conflicted > 0 && s.Applied == 0:
		return said(&memstore.ConflictError{Scope: r.Scope})
	}
	return nil
}

// dreamSession plans for the one memory that --scope names.
func (a *app) dreamSession(ctx context.Context, f dreamFlags) (*planner.Session, error) {
	st, _, err := a.load()
	if err != nil {
		return nil, err
	}
	if !st.truth("memory.enabled") || a.flags.scope == string(memstore.User) && !st.truth("user_model.enabled") {
		_, err := planner.Available(nil)
		return nil, err
	}
	db, err := a.target(ctx)
	if err != nil {
		return nil, err
	}
	v, err := planner.Available(db.Store)
	if err != nil {
		return nil, err
	}
	p := &planner.Planner{}
	if f.model != "" {
		m, err := models{st, a}.make(ctx, f.model)
		if err != nil {
			return nil, err
		}
		c, err := a.bareConversation(ctx)
		if err != nil {
			return nil, err
		}
		p.Model, p.ModelName = dreamModel{c.Informed(m)}, f.model
	}
	return planner.NewSession(p, v, a.now), nil
}

// dreamModel lets a language model answer the planner's prompts.
type dreamModel struct{ m model.Model }

func (d dreamModel) Complete(ctx context.Context, system, prompt string) (string, error) {
	answer, err := d.m.Stream(ctx, model.Request{
		Stable:   system,
		Messages: []model.Message{{Role: model.User, Text: prompt}},
	}, func(model.Delta) {})
	return answer.Message.Text, err
}

func (a *app) askDecision() string {
	for {
		fmt.Fprint(a.err, "\nType approve or dismiss, or nothing to leave it: ")
		line, err := newLineReader(a.in).next()
		if err != nil && !errors.Is(err, io.EOF) {
			return ""
		}
		switch strings.TrimSpace(line) {
		case "approve", "dismiss":
			return strings.TrimSpace(line)
		case "":
			return ""
		}
	}
}

func (a *app) decide(ctx context.Context, s *planner.Session, p planner.Plan, decision string) (memstore.Receipt, error) {
	if decision == "approve" {
		return s.Approve(ctx, p.ID, memstore.ByUser)
	}
	return s.Dismiss(ctx, p.ID, memstore.ByUser)
}

func (a *app) undoReceipt(ctx context.Context, s *planner.Session, id string) error {
	r, err := s.Undo(ctx, id, memstore.ByUser)
	var none *memstore.NotFoundError
	if errors.As(err, &none) {
		return &notFoundError{fmt.Sprintf("there is no receipt %s; reverie dream receipts lists them", id)}
	}
	if err != nil {
		return err
	}
	if a.flags.json {
		err = a.json(r)
	} else {
		err = plain.WriteReceipt(a.out, r, a.now())
	}
	tried, undone := 0, 0
	for _, o := range r.Operations {
		if o.Undo != "" {
			tried++
		}
		if o.Undo == "undone" {
			undone++
		}
	}
	if err == nil && tried > 0 && undone == 0 {
		err = said(&memstore.ConflictError{Scope: r.Scope})
	}
	return err
}

func (a *app) receipts(ctx context.Context) error {
	stores, err := a.stores(ctx, memstore.Project, memstore.User)
	if err != nil {
		return err
	}
	all := []memstore.Receipt{}
	for _, s := range stores {
		db, err := s.versioned()
		if err != nil {
			return err
		}
		rs, err := db.ReceiptList(ctx, int(a.flags.limit))
		if err != nil {
			return err
		}
		all = append(all, rs...)
	}
	if a.flags.json {
		return a.json(all)
	}
	if len(all) == 0 {
		a.say("No plan has been decided on yet.")
	}
	for _, r := range all {
		s := planner.Summarize(r)
		undone := ""
		if !r.Undone.IsZero() {
			undone = ", undone " + r.Undone.Local().Format("2006-01-02 15:04")
		}
		a.printf("%s  %s  %-7s  %s by %s: %d applied, %d conflicted, %d failed, %d skipped%s\n", r.ID,
			r.Decided.Local().Format("2006-01-02 15:04"), r.Scope, r.Decision, r.By, s.Applied, s.Conflicted, s.Failed, s.Skipped, undone)
	}
	return nil
}
