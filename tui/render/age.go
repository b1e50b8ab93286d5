package render

import (
	"fmt"
	"strconv"
	"time"
)

// Ago is when t was, as briefly as it is clear to someone who reads it at now:
// "today 10:12", "yesterday 10:12", a weekday within the last week ("Mon"),
// "3 Mar" within this year or the last six months, else "2 Mar 2025". Times are
// those of now's zone. What lies ahead, as clocks of two machines differ, is
// shown in full unless it is today.
func Ago(t, now time.Time) string {
	if t.IsZero() {
		return "never"
	}
	t = t.In(now.Location())
	days := dayNumber(now) - dayNumber(t)
	switch {
	case days == 0:
		return "today " + t.Format("15:04")
	case days == 1:
		return "yesterday " + t.Format("15:04")
	case days > 1 && days < 7:
		return t.Format("Mon")
	case days >= 7 && (t.Year() == now.Year() || days < 183):
		return t.Format("2 Jan")
	default:
		return t.Format("2 Jan 2006")
	}
}

// Age is how long ago t was: "now", "5m ago", "3h ago", "2d ago", "3mo ago",
// "2y ago". What lies ahead is "now".
func Age(t, now time.Time) string {
	const day = 24 * time.Hour
	switch d := now.Sub(t); {
	case t.IsZero():
		return "never"
	case d < time.Minute:
		return "now"
	case d < time.Hour:
		return fmt.Sprintf("%dm ago", d/time.Minute)
	case d < day:
		return fmt.Sprintf("%dh ago", d/time.Hour)
	case d < 60*day:
		return fmt.Sprintf("%dd ago", d/day)
	case d < 730*day:
		return fmt.Sprintf("%dmo ago", d/(30*day))
	default:
		return fmt.Sprintf("%dy ago", d/(365*day))
	}
}

// dayNumber counts calendar days in t's own zone.
func dayNumber(t time.Time) int {
	y, m, d := t.Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// Bytes is a size in powers of 1024: "512 B", "1.5 KiB", "64 KiB".
func Bytes(n int64) string {
	if n < 1024 {
		return strconv.FormatInt(n, 10) + " B"
	}
	value, unit := float64(n)/1024, 0
	for value >= 1023.95 && unit < 3 {
		value /= 1024
		unit++
	}
	text := strconv.FormatFloat(value, 'f', 1, 64)
	if value >= 9.95 || text[len(text)-1] == '0' {
		text = strconv.FormatFloat(value, 'f', 0, 64)
	}
	return text + " " + [...]string{"KiB", "MiB", "GiB", "TiB"}[unit]
}

// Count is a number with a comma between thousands, and the noun in the form
// that goes with it: Count(1, "entry", "entries") is "1 entry".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return Number(n) + " " + many
}

// Number is n with a comma between thousands.
func Number(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}
