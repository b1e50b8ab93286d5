package dream

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"reverie/tui/keys"
	"reverie/tui/pane"
	"reverie/tui/render"
)

// key does what a key means here. Deciding keys are those of questions; the
// others are those of panes.
func (m *Model) key(k tea.KeyPressMsg) tea.Cmd {
	stroke := k.String()
	armed := m.armed
	m.armed, m.note = "", ""
	t := m.now()
	if t == nil {
		return m.leave(m.action(stroke))
	}
	switch m.cfg.Keys.Action(keys.Approval, stroke) {
	case keys.Approve:
		m.armed = armed
		return m.approve(t, k)
	case keys.Deny:
		return m.dismiss(t, k)
	case keys.UndoReceipt:
		return m.undo(t, k)
	}
	switch a := m.action(stroke); a {
	case keys.Replan:
		return m.replan(t, k)
	case keys.Target:
		return m.turn()
	case keys.Open:
		if is, _ := t.row(t.list.At); is != none {
			t.reading = true
		}
	case keys.Back, keys.Close:
		return m.leave(a)
	default:
		m.move(t, a)
	}
	return nil
}

func (m *Model) action(stroke string) keys.Action {
	if a := m.cfg.Keys.Action(keys.Pane, stroke); a != "" {
		return a
	}
	return m.cfg.Keys.Action(keys.Global, stroke)
}

func (m *Model) move(t *target, a keys.Action) {
	if t.reading {
		t.detail.move(a, m.cfg.Theme)
		return
	}
	t.list.Move(a, t.rows())
}

func (m *Model) wheel(b tea.MouseButton) {
	t := m.now()
	if t == nil {
		return
	}
	a := map[tea.MouseButton]keys.Action{tea.MouseWheelUp: keys.Up, tea.MouseWheelDown: keys.Down}[b]
	if !t.reading {
		t.list.Move(a, t.rows())
		return
	}
	for range 3 {
		t.detail.move(a, m.cfg.Theme)
	}
}

// leave is Esc and q: Esc goes one step back, which is to stop planning, to go
// from the detail to the list, or to close.
func (m *Model) leave(a keys.Action) tea.Cmd {
	t := m.now()
	switch {
	case a != keys.Back && a != keys.Close:
		return nil
	case a == keys.Back && t != nil && t.stopPlanning():
		return nil
	case a == keys.Back && t != nil && t.reading:
		t.reading = false
		return nil
	}
	return m.Ask(pane.CloseMsg{})
}

// turn goes to the next memory that has something in it.
func (m *Model) turn() tea.Cmd {
	for n := 1; n < len(m.targets); n++ {
		if i := (m.at + n) % len(m.targets); m.targets[i].Count > 0 {
			m.at = i
			m.since()
			m.ticking = ""
			return m.open()
		}
	}
	m.note = "no other memory has something in it"
	return nil
}

func (m *Model) replan(t *target, k tea.KeyPressMsg) tea.Cmd {
	switch {
	case k.IsRepeat:
		return nil
	case t.Session == nil:
		m.note = noDream
		return nil
	case t.job != nil:
		m.note = busy(t.job.task)
		return nil
	}
	return m.plan(false)
}

// approve is A: all of the plan, at the second press where not all of it was
// viewed.
func (m *Model) approve(t *target, k tea.KeyPressMsg) tea.Cmd {
	if why := m.cannot(t, "approve"); why != "" {
		m.note = why
		return nil
	}
	if t.plan.Expired(m.cfg.Now()) {
		m.note = m.expired(t)
		return nil
	}
	id := t.plan.ID
	return m.press(k, func() tea.Cmd {
		// What was viewed, and the time, may be others than at the press.
		switch n := t.unviewed(); {
		case t.plan == nil || t.plan.ID != id:
			return nil
		case t.plan.Expired(m.cfg.Now()):
			m.note = m.expired(t)
			return nil
		case n > 0 && m.armed != id:
			m.armed = id
			m.note = fmt.Sprintf("%s not viewed: press %s once more to approve all", render.Number(n), m.cfg.Keys.Key(keys.Approve))
			return nil
		}
		return m.decide(approving, id, t.Session.Approve)
	})
}

func (m *Model) dismiss(t *target, k tea.KeyPressMsg) tea.Cmd {
	if why := m.cannot(t, "dismiss"); why != "" {
		m.note = why
		return nil
	}
	id := t.plan.ID
	return m.press(k, func() tea.Cmd {
		if t.plan == nil || t.plan.ID != id {
			return nil
		}
		return m.decide(dismissing, id, t.Session.Dismiss)
	})
}

// undo is U: the receipt under the mark.
func (m *Model) undo(t *target, k tea.KeyPressMsg) tea.Cmd {
	r, ok := t.marked()
	switch {
	case t.Session == nil:
		m.note = noDream
	case t.job != nil:
		m.note = busy(t.job.task)
	case !ok:
		m.note = "go to a receipt first: it is the marked one that is undone"
	default:
		m.note = CannotUndo(r.Receipt)
	}
	if m.note != "" {
		return nil
	}
	return m.press(k, func() tea.Cmd {
		if now, ok := t.marked(); !ok || now.ID != r.ID {
			return nil
		}
		return m.decide(undoing, r.ID, t.Session.Undo)
	})
}

const noDream = "there is no dream here"

// cannot says why there is nothing to decide on, or "".
func (m *Model) cannot(t *target, verb string) string {
	switch {
	case t.Session == nil:
		return noDream
	case t.job != nil:
		return busy(t.job.task)
	case t.plan == nil:
		return fmt.Sprintf("there is no plan to %s: %s makes one", verb, m.cfg.Keys.Key(keys.Replan))
	case t.plan.Empty():
		return fmt.Sprintf("the plan is empty: there is nothing to %s", verb)
	}
	return ""
}

func (m *Model) expired(t *target) string {
	return fmt.Sprintf("expired %s: %s makes a new plan", clockOf(t.plan.Expires, m.cfg.Now()), m.cfg.Keys.Key(keys.Replan))
}

func busy(t task) string { return fmt.Sprintf("%s is under way: wait for its end", t) }

// Keys are the footer's hints as things stand. A key that would do nothing is
// not among them.
func (m *Model) Keys() []keys.Hint {
	km, t := m.cfg.Keys, m.now()
	if t == nil || t.Session == nil {
		return append(m.targetHint(), km.Hints(keys.Close)...)
	}
	if t.job != nil {
		if t.job.task == planning && !t.job.stopped {
			return append(km.Hints(keys.Back+"=stop"), km.Hints(keys.Close)...)
		}
		return km.Hints(keys.Close)
	}
	var out []keys.Hint
	if t.reading {
		out = km.Hints(keys.Back + "=list")
	}
	if r, ok := t.marked(); ok && CannotUndo(r.Receipt) == "" {
		out = append(out, km.Hints(keys.UndoReceipt)...)
	}
	switch p := t.plan; {
	case p == nil || p.Empty():
		out = append(out, km.Hints(keys.Replan)...)
	case p.Expired(m.cfg.Now()):
		out = append(out, km.Hints(keys.Replan, keys.Deny+"=dismiss all")...)
	default:
		out = append(out, km.Hints(keys.Approve+"=approve all", keys.Deny+"=dismiss all", keys.Replan)...)
	}
	out = append(out, m.targetHint()...)
	if !t.reading && t.rows() > 0 {
		out = append(out, km.Hints(keys.Open+"=read")...)
	}
	return append(out, km.Hints(keys.Close)...)
}

func (m *Model) targetHint() []keys.Hint {
	if !m.choice() {
		return nil
	}
	return m.cfg.Keys.Hints(keys.Target)
}

// choice says whether another memory than the one shown has something in it.
func (m *Model) choice() bool {
	for i, t := range m.targets {
		if i != m.at && t.Count > 0 {
			return true
		}
	}
	return false
}
