package planner

import (
	"regexp"
	"strings"
)

// Replacement in other languages: only what can be told by words that mean
// nothing else. The cue is taken out; what is left must be the older
// statement, word for word.

// endCues say "no longer". Words with an ellipsis stand apart.
var endCues = [][]string{
	{"nicht", "mehr"}, {"ne", "…", "plus"}, {"n", "…", "plus"}, {"ya", "no"}, {"non", "…", "più"}, {"já", "não"}, {"não", "…", "mais"},
	{"niet", "meer"}, {"niet", "langer"}, {"inte", "längre"}, {"ikke", "lenger"}, {"ikke", "længere"}, {"już", "nie"}, {"больше", "не"}, {"уже", "не"},
	{"不", "再"}, {"더", "이상"},
}

var insteadCues = [][]string{
	{"statt"}, {"anstatt"}, {"anstelle", "von"}, {"au", "lieu", "de"}, {"à", "lieu", "de"}, {"en", "lugar", "de"}, {"en", "vez", "de"}, {"invece", "di"},
	{"em", "vez", "de"}, {"in", "plaats", "van"}, {"вместо"}, {"i", "stället", "för"}, {"zamiast"},
}

var nowCues = [][]string{
	{"jetzt"}, {"nun"}, {"inzwischen"}, {"maintenant"}, {"désormais"}, {"ahora"}, {"ora"}, {"adesso"}, {"agora"}, {"nu"}, {"теперь"}, {"сейчас"},
	{"现", "在"}, {"如", "今"}, {"今", "は"}, {"이제"}, {"이제는"}, {"الآن"}, {"अब"}, {"teraz"}, {"nå"},
}

func foreignEnds(old, s clause, _ []clause) string {
	c := plain(s)
	for _, cue := range endCues {
		if rest, ok := takeOut(c, cue); ok && sameStatement(old, rest) {
			return "says that this is no longer so"
		}
	}
	return ""
}

func foreignInstead(old, s clause, _ []clause) string {
	c := plain(s)
	o := plain(old)
	for _, cue := range insteadCues {
		for i := 1; i+len(cue) < len(c); i++ {
			if !matches(c[i:], cue) {
				continue
			}
			// How long the old value is shows where the older text has it.
			for n := 1; n <= 4 && i+len(cue)+n <= len(c); n++ {
				was := c[i+len(cue) : i+len(cue)+n]
				rest := append(append(clause{}, c[:i]...), c[i+len(cue)+n:]...)
				for _, now := range nowCues {
					if r, ok := takeOut(rest, now); ok {
						rest = r
					}
				}
				span, _, at, ok := align(o, rest)
				if ok && at > 0 && equalTokens(span, was) {
					return "says that it holds instead of " + quote(was)
				}
			}
		}
	}
	return ""
}

func foreignNow(old, s clause, _ []clause) string {
	c := plain(s)
	o := plain(old)
	for _, cue := range nowCues {
		rest, ok := takeOut(c, cue)
		if !ok {
			continue
		}
		was, is, at, ok := align(o, rest)
		if ok && at > 1 && typed(was, is) {
			return "says that it is " + quote(is) + " now"
		}
	}
	return ""
}

// takeOut removes a cue's words; those after an ellipsis may stand later.
func takeOut(c clause, cue []string) (clause, bool) {
	if strings.Contains(strings.Join(cue, " "), "…") {
		return takeApart(c, cue[0], cue[2])
	}
	for i := range c {
		if matches(c[i:], cue) {
			out := append(clause{}, c[:i]...)
			return append(out, c[i+len(cue):]...), true
		}
	}
	return nil, false
}

func takeApart(c clause, a, b string) (clause, bool) {
	for i, t := range c {
		if t.norm != a {
			continue
		}
		for j := i + 1; j < len(c) && j <= i+4; j++ {
			if c[j].norm == b {
				out := append(clause{}, c[:i]...)
				out = append(out, c[i+1:j]...)
				return append(out, c[j+1:]...), true
			}
		}
	}
	return nil, false
}

// Moves in other languages: the words around the old value, the verbs that
// say that something changed, and those of the older statement that a change
// ends. What else the older statement says must be in the newer.
var foreignMoves = []struct{ from, to []string }{
	{[]string{"von"}, []string{"nach", "auf", "zu"}}, {[]string{"de"}, []string{"à", "vers", "a", "para", "al"}}, {[]string{"da"}, []string{"a", "per"}},
	{[]string{"van"}, []string{"naar"}}, {[]string{"из", "с", "со"}, []string{"в", "на"}}, {[]string{"från"}, []string{"till"}}, {[]string{"fra"}, []string{"til"}},
	{[]string{"do", "da"}, []string{"para"}}, {[]string{"z"}, []string{"do", "na"}}, {[]string{"من"}, []string{"إلى", "الى"}},
}

var changeVerbs = set(`gezogen umgezogen umgestellt gewechselt migriert verlegt verschoben umbenannt gewandert
 déménagé passé migré changé basculé migrée passée déplacé déplacée renommé
 mudó cambió migró pasó trasladó movió trasferito trasferita passato passata cambiato migrato migrata spostato spostata
 mudou migrou trocou passou verhuisd overgestapt gemigreerd verplaatst переехал переехала перешёл перешел перешла перешли мигрировали переведён перенесли
 انتقل انتقلت انتقلنا flyttat flyttade bytt flyttet byttet przeniósł przeniosła przeszedł przeszliśmy`)

var movedAux = set(`si sich się lo لقد قد ist sind hat haben wurde wurden wir a ont été est sont s' s se ha han es é è stato stata foi fue heeft zijn is werd har er blev ble na nous avons on`)

var foreignState = set(`يعيش تعيش يسكن تسكن يعمل تعمل يستخدم نستخدم في wohnt lebt nutzt nutzen verwendet verwenden läuft laufen liegt in im auf bei mit
 habite vit utilise utilisons tourne à sur avec vive usa usamos utiliza reside corre en con abita usiamo gira su a mora usa roda em no na woont gebruikt gebruiken draait op
 живёт живет использует используем работает в на bor använder kör i bruger bruker kører wir nous on w mieszka używa działa`)

// foreignMove: "… moved from OLD to NEW" in other languages.
func foreignMove(old, s clause, _ []clause) string {
	c := undated(plain(s))
	moved := -1
	for i, t := range c {
		if changeVerbs[t.norm] {
			moved = i
		}
	}
	if moved < 0 || denies(c) || denies(plain(old)) {
		return ""
	}
	for _, m := range foreignMoves {
		for i, t := range c {
			if !contains(m.from, t.norm) {
				continue
			}
			for j := i + 2; j < len(c) && j <= i+5; j++ {
				if !contains(m.to, c[j].norm) {
					continue
				}
				if foreignHolds(plain(old), c, i, j) {
					return "says that " + quote(c[i+1:j]) + " was replaced"
				}
			}
		}
	}
	return ""
}

var foreignMonths = set(`januar februar märz april mai juni juli august september oktober november dezember
 janvier février mars avril juin juillet août septembre octobre novembre décembre enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre
 janeiro fevereiro março maio junho julho setembro outubro dezembro gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre
 januari februari maart mei augustus январе феврале марте апреле мае июне июле августе сентябре октябре ноябре декабре`)

// undated takes out in which month something came about.
func undated(c clause) clause {
	var out clause
	for i := 0; i < len(c); i++ {
		if i+1 < len(c) && foreignScopes[c[i].norm] && foreignMonths[c[i+1].norm] {
			i++
			if i+1 < len(c) && year(c[i+1]) {
				i++
			}
			continue
		}
		out = append(out, c[i])
	}
	return out
}

// hanMonth is in which month something came about.
var hanMonth = regexp.MustCompile(`在?[一二三四五六七八九十0-9]+月[份にか]?`)

// foreignHolds checks that what the older statement says besides the old
// value and a verb of state is just what stands before the move or behind it.
func foreignHolds(old, c clause, from, to int) bool {
	rest, _, ok := cut(old, c[from+1:to])
	if !ok {
		return false
	}
	left := func(c clause, drop ...map[string]bool) clause {
		var out clause
	next:
		for _, t := range c {
			for _, d := range drop {
				if d[t.norm] {
					continue next
				}
			}
			out = append(out, t)
		}
		return out
	}
	about := left(rest, foreignState)
	context := left(c[:from], movedAux, changeVerbs)
	after := left(c[to+1:], movedAux, changeVerbs)
	// The new value stands first behind the move; nothing may follow it that
	// the older statement lacks.
	for n := 1; n <= len(after) && n <= 3; n++ {
		if sameBag(about, append(append(clause{}, context...), after[n:]...)) {
			return true
		}
	}
	return false
}

func contains(words []string, w string) bool {
	for _, x := range words {
		if x == w {
			return true
		}
	}
	return false
}

var denials = set(`nicht kein keine keinen nie ne pas jamais no nunca non mai não niet geen nooit не нет inte aldrig ikke aldri nie 不 没 無`)

func denies(c clause) bool {
	for _, t := range c {
		if denials[t.norm] {
			return true
		}
	}
	return false
}

// hanMove: "从OLD搬到NEW", "OLDからNEWに引っ越しました". The older statement
// is the subject, one of a few verbs, and the old value.
func hanMove(old, s clause, _ []clause) string {
	o, c := written(old), hanMonth.ReplaceAllString(written(s), "")
	for _, m := range hanMoves {
		subj, rest, ok := strings.Cut(c, m.before)
		if m.before == "" {
			ok, subj, rest = true, "", c
		}
		if !ok {
			continue
		}
		was, rest, ok := strings.Cut(rest, m.between)
		if !ok || was == "" || rest == "" || !strings.HasPrefix(rest, m.verb) && !strings.HasSuffix(rest, m.verb) {
			continue
		}
		if m.before == "" {
			i := strings.LastIndex(was, "は")
			if i < 0 {
				continue
			}
			subj, was = was[:i+len("は")], was[i+len("は"):]
		}
		for _, form := range m.old {
			if subj != "" && was != "" && o == subj+strings.ReplaceAll(form, "X", was) {
				return "says that “" + was + "” was replaced"
			}
		}
	}
	return ""
}

// written is a clause as one string.
func written(c clause) string {
	var b strings.Builder
	for _, t := range plain(c) {
		b.WriteString(t.norm)
	}
	return b.String()
}

var hanMoves = []struct {
	before, between, verb string
	old                   []string
}{
	{"从", "搬到", "", []string{"住在X", "在X"}},
	{"从", "迁移到", "", []string{"使用X", "用X", "在X", "运行在X"}},
	{"从", "改为", "", []string{"是X", "使用X", "用X", "为X"}},
	{"从", "换成", "", []string{"是X", "使用X", "用X"}},
	{"", "から", "引っ越しました", []string{"Xに住んでいます", "X在住"}},
	{"", "から", "引っ越した", []string{"Xに住んでいる", "Xに住んでいます"}},
	{"", "から", "移行しました", []string{"Xを使っています", "Xを使用しています", "Xで動いています"}},
	{"", "から", "変更されました", []string{"X"}},
}
