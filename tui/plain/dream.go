package plain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"reverie/memstore"
	"reverie/planner"
	"reverie/theme"
	"reverie/tui/dream"
	"reverie/tui/render"
)

// fewKeys is how many sources of one operation are named unless all are asked
// for; a group may have thousands.
const fewKeys = 8

// uncut is a width that no line reaches: plain lines are as long as they are.
const uncut = 1 << 20

// DreamUsage is what /dream takes in plain mode.
const DreamUsage = "/dream [project|user], then /dream approve or /dream dismiss; /dream show N, /dream receipts [RECEIPT], /dream undo [RECEIPT]"

// Dream returns what /dream does in plain mode, for [Config.Commands]. It
// shows a plan, and takes the decision on the plan that it showed last, in
// words. now is the clock, nil for the system's.
func Dream(targets []dream.Target, now func() time.Time) func(ctx context.Context, args string, out io.Writer) error {
	if now == nil {
		now = time.Now
	}
	return (&dreams{targets: targets, now: now}).command
}

// dreams is where /dream stands between its calls.
type dreams struct {
	targets []dream.Target
	now     func() time.Time
	at      int    // the memory that is meant unless one is named
	shown   string // the plan that was shown last
}

func (d *dreams) command(ctx context.Context, args string, out io.Writer) error {
	word, rest, _ := strings.Cut(strings.TrimSpace(args), " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "approve", "dismiss":
		if rest != "" && rest != d.shown {
			return errors.New("only the plan that was shown last can be decided on; /dream shows one")
		}
		return d.decide(ctx, word, out)
	case "show":
		return d.show(rest, out)
	case "receipts":
		return d.receipts(ctx, rest, out)
	case "undo":
		return d.undo(ctx, rest, out)
	}
	if rest != "" || !d.choose(memstore.Scope(word)) {
		return errors.New("say " + DreamUsage)
	}
	return d.plan(ctx, out)
}

// choose makes a memory the one that is meant; none stays with the present
// one, or at first takes the first where there is a dream.
func (d *dreams) choose(s memstore.Scope) bool {
	for i, t := range d.targets {
		if t.Scope == s || s == "" && d.targets[d.at].Session == nil && t.Session != nil {
			d.at = i
			return true
		}
	}
	return s == ""
}

func (d *dreams) target() (dream.Target, error) {
	if len(d.targets) == 0 {
		return dream.Target{}, &planner.UnavailableError{Reason: dream.Why(dream.Target{})}
	}
	t := d.targets[d.at]
	if t.Session == nil {
		return t, fmt.Errorf("no dream about the %s memory: %s", t.Scope, dream.Why(t))
	}
	return t, nil
}

func (d *dreams) plan(ctx context.Context, out io.Writer) error {
	t, err := d.target()
	if err != nil {
		return err
	}
	p, err := t.Session.Plan(ctx, nil)
	if err != nil {
		return fmt.Errorf("planning for the %s memory: %w", t.Scope, err)
	}
	d.shown = p.ID
	if err := WritePlan(out, p, d.now()); err != nil || p.Empty() {
		return err
	}
	_, err = fmt.Fprintf(out, "/dream approve or /dream dismiss decides on all of it; it %s\n", dream.Left(p.Expires, d.now()))
	return err
}

// current is the plan that was shown last, while it can be decided on.
func (d *dreams) current() (dream.Session, planner.Plan, error) {
	t, err := d.target()
	if err != nil {
		return nil, planner.Plan{}, err
	}
	p, ok := t.Session.Current()
	if !ok || p.ID != d.shown {
		return nil, p, errors.New("no plan was shown; /dream shows one")
	}
	return t.Session, p, nil
}

func (d *dreams) show(number string, out io.Writer) error {
	_, p, err := d.current()
	if err != nil {
		return err
	}
	for _, o := range p.Operations {
		if o.ID == number {
			l := lines{out: out}
			l.operation(o, d.now(), len(o.Sources))
			return l.err
		}
	}
	return fmt.Errorf("the plan has no operation %q; it has %s", render.Line(number, 20), render.Count(len(p.Operations), "operation", "operations"))
}

func (d *dreams) decide(ctx context.Context, word string, out io.Writer) error {
	s, p, err := d.current()
	if err != nil {
		return err
	}
	if p.Empty() {
		return errors.New("the plan is empty; there is nothing to " + word)
	}
	do := s.Approve
	if word == "dismiss" {
		do = s.Dismiss
	}
	r, err := do(ctx, p.ID, memstore.ByUser)
	if r.ID != "" { // where applying ended early, it says what was done
		if e := WriteReceipt(out, r, d.now()); err == nil {
			err = e
		}
	}
	return err
}

// maxReceipts bounds how many earlier decisions are listed.
const maxReceipts = 30

func (d *dreams) receipts(ctx context.Context, id string, out io.Writer) error {
	t, err := d.target()
	if err != nil {
		return err
	}
	rs, err := t.Session.Receipts(ctx, maxReceipts)
	if err != nil {
		return err
	}
	l := lines{out: out}
	for _, r := range rs {
		switch {
		case id == r.ID:
			return WriteReceipt(out, r, d.now())
		case id == "":
			l.say("%s  %s  %s by %s: %s%s", r.ID, render.Ago(r.Decided, d.now()), r.Decision, dream.By(r), dream.Counts(r), undoneAt(r, d.now()))
		}
	}
	switch {
	case id != "":
		return fmt.Errorf("the %s memory has no receipt %q among its latest %d", t.Scope, render.Line(id, 40), maxReceipts)
	case len(rs) == 0:
		l.say("No plan for the %s memory has been decided on yet.", t.Scope)
	}
	return l.err
}

func undoneAt(r memstore.Receipt, now time.Time) string {
	if r.Undone.IsZero() {
		return ""
	}
	return ", undone " + render.Ago(r.Undone, now)
}

// undo takes back a receipt, or the latest that can be.
func (d *dreams) undo(ctx context.Context, id string, out io.Writer) error {
	t, err := d.target()
	if err != nil {
		return err
	}
	if id == "" {
		rs, err := t.Session.Receipts(ctx, maxReceipts)
		if err != nil {
			return err
		}
		for _, r := range rs {
			if id == "" && dream.CannotUndo(r) == "" {
				id = r.ID
			}
		}
		if id == "" {
			return fmt.Errorf("no receipt of the %s memory can be undone", t.Scope)
		}
	}
	r, err := t.Session.Undo(ctx, id, memstore.ByUser)
	if err != nil {
		return err
	}
	return WriteReceipt(out, r, d.now())
}

// lines writes lines and keeps the first error.
type lines struct {
	out io.Writer
	err error
}

// say writes one line; text from outside among args is made safe here.
func (l *lines) say(format string, args ...any) {
	for i, a := range args {
		if text, ok := a.(string); ok {
			args[i] = render.Line(text, uncut)
		}
	}
	l.write(fmt.Sprintf(format, args...))
}

func (l *lines) write(line string) {
	if l.err == nil {
		_, l.err = fmt.Fprintln(l.out, line)
	}
}

// WritePlan writes a plan as plain lines: every operation with its entries, its
// reason, and the texts before and after; then what the plan only says.
func WritePlan(out io.Writer, p planner.Plan, now time.Time) error {
	l := lines{out: out}
	if p.Empty() {
		l.say("Nothing to do. %s", dream.LookedAt(p))
	} else {
		l.say("%s on %s, planner: %s", render.Count(len(p.Operations), "operation", "operations"),
			render.Count(p.Considered, string(p.Scope)+" memory", string(p.Scope)+" memories"), p.Planner)
	}
	for _, o := range p.Operations {
		l.operation(o, now, fewKeys)
	}
	for _, u := range p.Unsure {
		l.say("looks contradictory, nothing is changed: %s", strings.Join(u.Keys, ", "))
		l.say("  %s", u.Reason)
	}
	for _, x := range p.Purge {
		l.say("may not be kept: %s", x.Key)
		l.say("  %s", x.Reason)
		l.say("  %s", x.Masked)
	}
	for _, x := range p.Dropped {
		l.say("left out of the plan: %s", strings.Join(x.Keys, ", "))
		l.say("  %s", x.Reason)
	}
	if p.Note != "" {
		l.say("%s", p.Note)
	}
	return l.err
}

// operation writes one with at most so many of its sources named.
func (l *lines) operation(o planner.Operation, now time.Time, most int) {
	survivor := o.Before[len(o.Before)-1]
	sources := o.Before[:len(o.Before)-1]
	l.say("%s %s", o.ID, string(o.Kind))
	l.say("  why: %s", o.Reason)
	l.about("survivor", survivor, now)
	for _, e := range sources[:min(most, len(sources))] {
		l.about("source", e, now)
	}
	if n := len(sources) - most; n > 0 {
		l.say("  and %s more: /dream show %s names all", render.Number(n), o.ID)
	}
	seen := map[string]bool{}
	for _, e := range sources {
		if text := e.Value + "\x00" + e.Description; !seen[text] {
			seen[text] = true
			l.say("  before %s, which is then forgotten:", e.Key)
			l.diff(e.Value, "")
			l.described(e.Description, "")
		}
	}
	if o.Keeps() {
		l.say("  same %s:", survivor.Key)
	} else {
		l.say("  before and after %s:", survivor.Key)
	}
	l.diff(survivor.Value, o.After.Value)
	l.described(survivor.Description, o.After.Description)
	if survivor.Kind != o.After.Kind {
		l.say("    kind %s, then %s", string(survivor.Kind), string(o.After.Kind))
	}
}

func (l *lines) about(name string, e memstore.Entry, now time.Time) {
	l.say("  %s: %s, %s, %s, %s", name, e.Key, string(e.Version), string(e.Provenance.Writer), render.Ago(e.Updated, now))
}

func (l *lines) diff(before, after string) {
	for _, line := range render.DiffLines(before, after, uncut, theme.Theme{}) {
		l.write("    " + line)
	}
}

func (l *lines) described(before, after string) {
	if before != "" || after != "" {
		l.write("    described as:")
		l.diff(before, after)
	}
}

// WriteReceipt writes a receipt as plain lines: the outcome of every operation
// and, where it was undone, of every undoing.
func WriteReceipt(out io.Writer, r memstore.Receipt, now time.Time) error {
	l := lines{out: out}
	l.say("receipt %s, %s by %s %s: %s", r.ID, r.Decision, dream.By(r), render.Ago(r.Decided, now), dream.Counts(r))
	subjects := dream.Subjects(r)
	for i, o := range r.Operations {
		if r.Decision == "approved" {
			l.say("  %s %s %s %s%s", string(o.Result), o.ID, o.Kind, subjects[i], because(o.Error))
		}
	}
	if !r.Undone.IsZero() {
		l.say("undone %s", render.Ago(r.Undone, now))
	}
	for i, o := range r.Operations {
		if o.Undo != "" {
			l.say("  %s %s %s%s", o.Undo, o.ID, subjects[i], because(o.UndoError))
		}
	}
	if dream.CannotUndo(r) == "" {
		l.say("Take it back: /dream undo %s, in a shell reverie dream --undo %s", r.ID, r.ID)
	}
	return l.err
}

func because(why string) string {
	if why == "" {
		return ""
	}
	return ": " + why
}
