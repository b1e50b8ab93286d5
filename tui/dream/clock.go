package dream

import (
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"
)

// closing is how long before its end a plan's countdown is in seconds.
const closing = 2 * time.Minute

// Left says how long a plan may still be approved, in minutes and for the last
// two in seconds, both rounded up.
func Left(expires, now time.Time) string {
	left := expires.Sub(now)
	switch {
	case left <= 0:
		return "expired"
	case left <= closing:
		return fmt.Sprintf("expires in %d s", ceil(left, time.Second))
	}
	return fmt.Sprintf("expires in %d min", ceil(left, time.Minute))
}

func ceil(d, unit time.Duration) int { return int((d + unit - 1) / unit) }

// untilChange is how long what Left says stays true.
func untilChange(left time.Duration) time.Duration {
	unit := time.Minute
	if left <= closing {
		unit = time.Second
	}
	return left - time.Duration(ceil(left, unit)-1)*unit
}

// tickMsg says that a countdown has changed.
type tickMsg struct {
	of *Model
	n  int
}

// tick waits for the next change of the countdown that is on the screen. There
// is never more than one such wait, and none while there is nothing to count.
func (m *Model) tick() tea.Cmd {
	t := m.now()
	if t == nil || t.plan == nil || t.plan.Empty() || t.job != nil || m.hidden {
		return nil
	}
	left := t.plan.Expires.Sub(m.cfg.Now())
	if left <= 0 || m.ticking == t.plan.ID {
		return nil
	}
	m.ticks++
	m.ticking = t.plan.ID
	n := m.ticks
	return m.wait(untilChange(left), func(time.Time) tea.Msg { return tickMsg{m, n} })
}
