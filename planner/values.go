package planner

import (
	"strconv"
	"strings"
	"unicode"
)

// values brings numbers, units, times, dates and weekdays of an English
// clause into one form each.
func values(c clause) clause {
	out := make(clause, 0, len(c))
	for i := 0; i < len(c); i++ {
		t := c[i]
		if t.class == path && !t.code {
			if what, unit, ok := perUnit(t); ok && (what.class == number || len(out) > 0 && out[len(out)-1].class == number) {
				out = append(out, what, unit)
				continue
			}
			if sum, currency, ok := money(t); ok {
				out = append(out, sum, currency)
				continue
			}
		}
		if t.class == path && !numericLead(t.text) {
			out = append(out, t)
			continue
		}
		switch {
		case t.class == clock:
			t.norm = strings.TrimPrefix(t.norm, "0")
			if half := meridiem(c, i+1); half != "" {
				t.norm = clockAt(t.norm, half)
				i++
			} else if j := len(t.norm) - 2; j > 0 && (strings.HasSuffix(t.norm, "am") || strings.HasSuffix(t.norm, "pm")) {
				t.norm = clockAt(t.norm[:j], t.norm[j:])
			}
			if t.norm == ":00" || t.norm == "0:00" {
				t.norm = "00:00"
			}
			out = atClock(out, t)
		case t.class == number || t.class == version:
			out, i = quantity(out, c, i)
		case t.class == word && numerals[t.norm] != "" && !t.code:
			t.norm = numerals[t.norm]
			if unicode.IsDigit(rune(t.norm[0])) && !strings.HasSuffix(t.norm, "t") && !strings.HasSuffix(t.norm, "d") {
				t.class = number
			}
			out = append(out, t)
			if i+1 < len(c) && t.class == number && units[c[i+1].norm] != "" {
				u := c[i+1]
				out[len(out)-1].norm, u.norm = rounded(t.norm, units[u.norm])
				out = append(out, u)
				i++
			}
		case t.class == word && isMonth(t, c, i):
			out, i = dated(out, c, i)
		case t.class == word && weekdays[t.norm] != "" && (t.cap || len(t.norm) > 4):
			t.norm, t.class = weekdays[t.norm], weekday
			if n := len(out); n > 0 && out[n-1].norm == "on" {
				out[n-1].drop = true
			}
			out = append(out, t)
		case t.class == word && (t.norm == "a" || t.norm == "an" || t.norm == "per" || t.norm == "/") && i+1 < len(c) && timeUnits[units[c[i+1].norm]]:
			t.drop = true
			if n := len(out); n > 0 && t.norm[0] == 'a' && lasting[out[n-1].norm] {
				t.norm, t.class, t.drop = "1", number, false
			}
			u := c[i+1]
			u.norm = units[u.norm]
			out = append(out, t, u)
			i++
		case t.norm == "around" && i+1 < len(c) && (c[i+1].class == number || numerals[c[i+1].norm] != ""):
			t.norm = "about"
			out = append(out, t)
		default:
			out = append(out, t)
		}
	}
	return out
}

// lasting words stand before a length of time: "up to an hour" is one hour,
// "100 an hour" is 100 per hour.
var lasting = set("at-most at-least within after for about last take under above lasts takes")

// perUnit splits "requests/minute" and "100/s".
func perUnit(t token) (what, unit token, ok bool) {
	w, u, ok := strings.Cut(t.text, "/")
	u = strings.ToLower(u)
	if !ok || w == "" || !timeUnits[units[u]] {
		return t, t, false
	}
	what, unit = t, t
	what.text, what.norm, what.class = w, strings.ToLower(w), word
	unit.text, unit.norm, unit.class, unit.first, unit.pause = u, units[u], word, false, false
	for _, r := range w {
		switch {
		case unicode.IsDigit(r) && (what.class == number || what.norm[0] == byte(r)):
			what.class = number
		case !unicode.IsLetter(r) || what.class == number:
			return t, t, false
		}
	}
	return what, unit, true
}

// money splits "€2000".
func money(t token) (sum, currency token, ok bool) {
	for _, sign := range []string{"€", "$", "£", "¥"} {
		rest, ok := strings.CutPrefix(t.text, sign)
		if !ok || strings.Trim(rest, "0123456789.,") != "" || rest == "" {
			continue
		}
		if thousands(rest) {
			rest = strings.ReplaceAll(rest, ",", "")
		}
		sum, currency = t, t
		sum.norm, sum.class = rest, number
		currency.text, currency.norm, currency.class, currency.first, currency.pause = sign, sign, word, false, false
		return sum, currency, true
	}
	return t, t, false
}

func numericLead(s string) bool { return s != "" && unicode.IsDigit(rune(s[0])) }

// quantity reads a number that may be glued to its unit or followed by it.
func quantity(out, c clause, i int) (clause, int) {
	t := c[i]
	digits := 0
	for digits < len(t.norm) && (t.norm[digits] >= '0' && t.norm[digits] <= '9' || strings.IndexByte(".,", t.norm[digits]) >= 0) {
		digits++
	}
	num, glued := t.norm[:digits], t.norm[digits:]
	if thousands(num) {
		num = strings.ReplaceAll(num, ",", "")
	}
	if glued == "am" || glued == "pm" {
		t.norm, t.class = clockAt(num, glued), clock
		return atClock(out, t), i
	}
	if glued == "" {
		if half := meridiem(c, i+1); half != "" {
			t.norm, t.class = clockAt(num, half), clock
			return atClock(out, t), i + 1
		}
		if i+1 < len(c) && isMonth(c[i+1], c, i+1) && len(num) <= 2 {
			d := c[i+1]
			d.norm, d.class = "date:"+months[d.norm]+"-"+num, date
			return onDate(out, d), i + 1
		}
	}
	if n := len(out); glued == "" && n > 0 && out[n-1].norm == "at" && hour(num) && (i+1 == len(c) || c[i+1].pause || prepositions[c[i+1].norm]) {
		t.norm, t.class = num+":00", clock
		return atClock(out, t), i
	}
	if unit := units[glued]; unit != "" {
		u := t
		num, unit = rounded(num, unit)
		t.norm, t.class = num, number
		u.norm, u.class, u.first, u.pause, u.cap = unit, word, false, false, false
		return append(out, t, u), i
	}
	if glued == "" {
		t.norm = num
		out = append(out, t)
		if i+1 < len(c) && !c[i+1].pause && units[c[i+1].norm] != "" && (c[i+1].class == word) {
			u := c[i+1]
			out[len(out)-1].norm, u.norm = rounded(num, units[u.norm])
			return append(out, u), i + 1
		}
		return out, i
	}
	if ord := strings.TrimRight(glued, "stndrh"); ord == "" && i+2 < len(c) {
		// "3rd of March", "3rd March"
		j := i + 1
		if c[j].norm == "of" {
			j++
		}
		if isMonth(c[j], c, j) {
			d := c[j]
			d.norm, d.class = "date:"+months[d.norm]+"-"+num, date
			return onDate(out, d), j
		}
	}
	return append(out, t), i
}

// hour says whether a number after "at" is an hour of the day.
func hour(num string) bool {
	return len(num) == 1 && num != "0" || len(num) == 2 && num[0] == '1' || num == "20" || num == "21" || num == "22" || num == "23"
}

// rounded turns 60 minutes into 1 hour, and so on.
func rounded(num, unit string) (string, string) {
	n, err := strconv.Atoi(num)
	if err != nil || n <= 0 {
		return num, unit
	}
	for _, up := range []struct {
		unit string
		n    int
		to   string
	}{{"millisecond", 1000, "second"}, {"second", 60, "minute"}, {"minute", 60, "hour"}, {"hour", 24, "day"}} {
		if unit == up.unit && n%up.n == 0 {
			n, unit = n/up.n, up.to
		}
	}
	return strconv.Itoa(n), unit
}

// thousands says whether commas group digits by three.
func thousands(num string) bool {
	parts := strings.Split(num, ",")
	for i, p := range parts {
		if i > 0 && len(p) != 3 || strings.Contains(p, ".") && i < len(parts)-1 {
			return false
		}
	}
	return len(parts) > 1
}

// isMonth tells the month May and March from the verbs by their neighbours.
func isMonth(t token, c clause, i int) bool {
	if months[t.norm] == "" || !t.cap {
		return false
	}
	if len(t.norm) == 3 || t.norm == "march" {
		nextNumber := i+1 < len(c) && numericLead(c[i+1].text)
		return !t.first || nextNumber
	}
	return true
}

// dated reads a month, with its day where that follows.
func dated(out, c clause, i int) (clause, int) {
	t := c[i]
	t.norm, t.class = "month:"+months[t.norm], month
	if i+1 < len(c) && c[i+1].class == number {
		day := strings.TrimRight(c[i+1].norm, "stndrh")
		if len(day) <= 2 && day != "" {
			t.norm, t.class = "date:"+t.norm[len("month:"):]+"-"+strings.TrimPrefix(day, "0"), date
			return onDate(out, t), i + 1
		}
	}
	return append(out, t), i
}

// atClock appends a time without its "at".
func atClock(out clause, t token) clause {
	if n := len(out); n > 0 && out[n-1].norm == "at" {
		out[n-1].drop = true
	}
	return append(out, t)
}

// onDate appends a date without its "on".
func onDate(out clause, d token) clause {
	n := len(out)
	if n > 0 && out[n-1].norm == "the" {
		n--
	}
	if n > 0 && out[n-1].norm == "on" {
		out[n-1].drop = true
	}
	return append(out, d)
}

func meridiem(c clause, i int) string {
	if i < len(c) {
		switch c[i].norm {
		case "am", "a.m", "a.m.":
			return "am"
		case "pm", "p.m", "p.m.":
			return "pm"
		}
	}
	return ""
}

// clockAt turns a twelve-hour time into a twenty-four-hour one.
func clockAt(num, half string) string {
	h, m, ok := strings.Cut(num, ":")
	if !ok {
		m = "00"
	}
	n := 0
	for _, r := range h {
		if r < '0' || r > '9' {
			return num + half
		}
		n = n*10 + int(r-'0')
		if n > 12 {
			return num + half
		}
	}
	if n == 12 {
		n = 0
	}
	if half == "pm" {
		n += 12
	}
	if n == 0 {
		return "00:" + m
	}
	return itoa(n) + ":" + m
}

func itoa(n int) string {
	if n >= 10 {
		return string(rune('0'+n/10)) + string(rune('0'+n%10))
	}
	return string(rune('0' + n))
}
