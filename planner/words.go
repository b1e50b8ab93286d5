package planner

import "strings"

// Tables of English. They hold general words only; whoever adds one asks
// whether exchanging it could ever change what a sentence claims.

// evidence are words that show that a text is English.
var evidence = set(`the is are was were of and to for with from that this these those it its we our you your they their he she his her
 not do does don't doesn't never always only must should may might can cannot will would no longer instead before after when if unless
 every each all any has have had by at into than over under because since until per
 use uses used run runs deploy deploys prefer prefers want wants like likes live lives work works need needs keep write read build builds
 user users team project service server database production staging test tests code file files branch release version release
 replaced deprecated migrated switched meeting monday tuesday wednesday thursday friday saturday sunday daily weekly monthly allergic name called please answers`)

// foreign are words that show that a text is in another language that the
// Latin script is used for. Words that are English too are left out.
var foreign = set(`sollen soll sollte müssen darf dürfen können sein deve devono debe deben doit doivent moet moeten nutzer benutzer laufen liegt liegen wohnt nutzt nutzen verwendet verwenden bitte nachts utilise utilisateur habite tourne
 usa vive tiene prefiere quiere utente abita usiamo usamos mora roda gebruikt draait woont wil werkt mieszka bruker bor
 der das den dem des ein eine einen einem einer und ist sind nicht kein keine wir ich sie auf für mit von zu zum zur bei nach statt mehr wird werden jetzt immer nie nur muss
 le les des une du et est sont ne pas nous vous elle il sur pour avec dans chez aux au qui que plus toujours jamais l'utilisateur
 el los las una unos unas del y es son nosotros usted por para con en que más siempre nunca ahora usuario se
 il lo gli uno della dello dei degli delle e è sono non noi per nel nella sempre mai ora utente di
 os uma umas do da dos das são não nós você com em sempre nunca agora usuário usuária o
 het een zijn niet geen wij voor met op naar altijd nooit nu gebruiker van
 och är inte att det på som för med en ett aldrig alltid
 og er ikke på som med et aldri alltid jest nie się na w z oraz je není`)

// fillers are dropped from English wherever they stand: articles, forms of
// "be" in the present, politeness, and words that say "this holds today".
var fillers = set(`a an the is are am be being please just simply basically kindly currently presently now of located situated thank thanks`)

// leading words are dropped where a clause begins with them.
var leading = fieldsOf(
	"note that", "note", "nb", "fyi", "remember that", "remember to", "remember", "reminder", "please note that", "important", "tip",
	"make sure to", "make sure that", "make sure", "be sure to", "ensure that", "ensure", "keep in mind that", "don't forget to", "do not forget to", "for the record",
)

func fieldsOf(lines ...string) [][]string {
	var out [][]string
	for _, l := range lines {
		out = append(out, strings.Fields(l))
	}
	return out
}

// contractions are undone before anything else.
var contractions = map[string]string{
	"can't": "can not", "cannot": "can not", "won't": "will not", "shan't": "shall not",
	"it's": "it is", "that's": "that is", "there's": "there is", "what's": "what is", "who's": "who is",
	"he's": "he is", "she's": "she is", "here's": "here is", "let's": "let us", "i'm": "i am",
	"hasn't": "has not", "haven't": "have not", "hadn't": "had not",
}

// numerals are number words. "One" is among them because "one retry" is
// "1 retry"; as a pronoun it is the same word on both sides.
var numerals = map[string]string{
	"zero": "0", "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
	"eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14",
	"fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20",
	"thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90",
	"first": "1st", "second": "second", "third": "3rd",
}

var weekdays = map[string]string{
	"mon": "monday", "tue": "tuesday", "tues": "tuesday", "wed": "wednesday", "thu": "thursday", "thur": "thursday", "thurs": "thursday", "fri": "friday", "sat": "saturday", "sun": "sunday",
	"monday": "monday", "tuesday": "tuesday", "wednesday": "wednesday", "thursday": "thursday", "friday": "friday", "saturday": "saturday", "sunday": "sunday",
	"mondays": "mondays", "tuesdays": "tuesdays", "wednesdays": "wednesdays", "thursdays": "thursdays", "fridays": "fridays", "saturdays": "saturdays", "sundays": "sundays",
}

var months = map[string]string{
	"january": "01", "february": "02", "march": "03", "april": "04", "may": "05", "june": "06", "july": "07", "august": "08", "september": "09", "october": "10", "november": "11", "december": "12",
	"jan": "01", "feb": "02", "mar": "03", "apr": "04", "jun": "06", "jul": "07", "aug": "08", "sep": "09", "sept": "09", "oct": "10", "nov": "11", "dec": "12",
}

// units stand after a number.
var units = map[string]string{
	"s": "second", "sec": "second", "secs": "second", "second": "second", "seconds": "second",
	"ms": "millisecond", "millisecond": "millisecond", "milliseconds": "millisecond",
	"min": "minute", "mins": "minute", "minute": "minute", "minutes": "minute",
	"h": "hour", "hr": "hour", "hrs": "hour", "hour": "hour", "hours": "hour",
	"d": "day", "day": "day", "days": "day", "week": "week", "weeks": "week", "wk": "week", "wks": "week", "month": "month", "months": "month", "year": "year", "years": "year", "yrs": "year",
	"kb": "kb", "mb": "mb", "gb": "gb", "tb": "tb", "kib": "kib", "mib": "mib", "gib": "gib", "tib": "tib", "megabytes": "mb", "gigabytes": "gb", "kilobytes": "kb", "terabytes": "tb",
	"km": "km", "kg": "kg", "percent": "%", "dollars": "$", "dollar": "$", "usd": "$", "euros": "€", "euro": "€", "eur": "€", "gbp": "£", "lbs": "lb", "pounds": "pounds",
}

var timeUnits = set("second millisecond minute hour day week month quarter year")

// verbs are what an English statement or order is built on, in base form.
// Where one is missing, entries are left alone.
var verbs = set(`accept add aim allow allergic answer apply ask attend avoid back base begin belong block book build like dislike sing dance perform boot bring bump buy cache call carry change charge check choose close
 come commit communicate compile configure connect contain cook cost cover create cut cycle date decide default delete deliver deploy depend disable discuss document drink drive drop earn eat
 enable encrypt end enforce enjoy expect expire expose export fail favor feed finish fix fly follow format freeze generate get give go go-out graduate grow handle hate have heat help hire hold host
 import include install invoice issue join keep know land last lead learn leave let retry stem moderate sign lift lint list listen live load lock log love maintain make manage measure meet merge
 migrate move name need open order own page park pay pick pin plan play poll practice prefer print process promote protect provide publish pull push put raise read rebase receive release
 rely rename rent repeat replace report require reserve reset resolve respond rest restart return review roll rotate run save say schedule score seat see sell send serve set ship show shut sign sit skip
 sleep sort speak spend split sponsor squash start stay stop store stream study submit support swim switch tag take talk target teach tell test track trade train travel treat trigger trust try turn
 type update upgrade upload use validate visit wait wake walk want warm wash watch water wear weigh work write act bill compress contact deposit draft drill email file invest land mount owe paint pack phone pick plant point prescribe refill refund report seed stage stand stretch supply tip tune vote weld yield fund run retire renew sync vendor
 wrap unwrap escape sanitize quote parse encode decode hash rotate revoke archive restore inspect monitor trace profile debug measure benchmark investigate escalate notify alert assign
 approve deny reject accept merge revert squash amend checkout fetch clone fork tag label triage prioritize estimate groom refine ship package bundle minify lint transpile render paginate
 sort filter group join index query seed migrate normalize deduplicate validate verify assert mock stub fake skip inject instantiate implement extend override inherit refactor extract inline
 simplify split combine join limit cap throttle debounce batch schedule enqueue dequeue publish subscribe consume emit dispatch forward proxy route redirect expose hide mask redact
 bake boil fry roast grill steam simmer stir mix knead chop slice peel grate season marinate serve preheat chill freeze thaw drain rinse taste cool sprinkle whisk soak toast
 exercise jog lift warm rest hydrate breathe meditate brush floss vaccinate inject swallow weigh
 save budget transfer withdraw borrow repay tax deduct claim declare audit reconcile reimburse
 score coach referee defend attack tackle pass shoot compete qualify
 depart arrive board transit check drive park cycle commute stay visit explore cancel rebook
 sign file appeal object sue settle license patent comply disclose notarize witness
 call text message greet introduce invite congratulate apologize interview onboard mentor
 hang mount clean vacuum mow recycle compost feed groom walk lock unlock heat cool insulate fit
 collect gather aggregate compute calculate edit optimize rewrite reuse rerun attach embed append prepend insert compare copy ignore initialize invoke persist purge recommend refresh reload serialize terminate toggle trim mention observe detect obtain provision
 capitalize pluralize abbreviate prefix suffix indent align format spell translate proofread cite summarize`)

// irregular forms. Only forms that are no other word.
var irregular = map[string]string{
	"kept": "keep", "built": "build", "sent": "send", "made": "make", "held": "hold", "written": "write", "rewritten": "rewrite", "done": "do", "given": "give", "taken": "take",
	"chosen": "choose", "spoken": "speak", "driven": "drive", "eaten": "eat", "has": "have", "does": "do", "goes": "go", "running": "run", "stored": "store", "paid": "pay",
	"known": "know", "sold": "sell", "taught": "teach", "shown": "show", "drawn": "draw", "used": "use", "using": "use", "storing": "store", "tagging": "tag", "cached": "cache", "caching": "cache",
}

// prepositions begin a phrase of their own.
var prepositions = set(`in on at for with without under above over by from to into onto after before during until till between among against about through within via because per since as than like unless if when while except beyond behind across along around near toward towards at-least at-most instead rather but and or so then`)

// unstemmed words end like inflected ones and are not.
var unstemmed = set(`staging during morning evening string thing nothing something anything everything king ring spring bring sing wing news always perhaps this his its us yes bus gas
 status less across address class pass process access business series species physics mathematics politics glass mass cross boss loss gross plus minus focus virus bonus campus
 need feed speed seed bed red hundred ceiling pricing billing lens means anymore besides whereas building wedding except already once else more some none there where these those whose maybe please`)

// stem takes the inflections of nouns and verbs off an English word in lower
// case. It is lighter than search's: production and product stay apart.
func stem(w string) string {
	if b, ok := irregular[w]; ok {
		return stripE(b)
	}
	if len(w) < 4 || unstemmed[w] || prepositions[w] {
		return w
	}
	switch {
	case strings.HasSuffix(w, "ies") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "shes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "zes"):
		return stripE(w[:len(w)-2])
	case strings.HasSuffix(w, "ss"), strings.HasSuffix(w, "us"), strings.HasSuffix(w, "is"):
		return w
	case strings.HasSuffix(w, "s"):
		return stripE(w[:len(w)-1])
	case strings.HasSuffix(w, "ied") && len(w) > 4:
		return w[:len(w)-3] + "y"
	case strings.HasSuffix(w, "ed") && len(w) > 4:
		return bare(w, w[:len(w)-2])
	case strings.HasSuffix(w, "ing") && len(w) > 5:
		return bare(w, w[:len(w)-3])
	}
	return stripE(w)
}

// bare is what is left of an inflected verb. What gets as short as a function
// word, as "noted" would, counts only if it is a verb.
func bare(w, root string) string {
	if verbs[root+"e"] {
		return stripE(root + "e")
	}
	root = undouble(root)
	if len(root) < 4 && !verbs[root] {
		return w
	}
	return root
}

// stripE makes "cache" and what is left of "caching" the same. Short words,
// such as "note" and "here", would become others.
func stripE(w string) string {
	if len(w) > 4 && strings.HasSuffix(w, "e") && !strings.HasSuffix(w, "ee") {
		return w[:len(w)-1]
	}
	return w
}

func undouble(w string) string {
	n := len(w)
	if n > 3 && w[n-1] == w[n-2] && !strings.ContainsRune("lsze", rune(w[n-1])) {
		return w[:n-1]
	}
	return stripE(w)
}

// isVerb says whether a stemmed token is a verb of the table.
func isVerb(norm string) bool { return verbStems[norm] }

var verbStems = func() map[string]bool {
	m := map[string]bool{}
	for v := range verbs {
		m[stem(v)] = true
		m[v] = true
	}
	return m
}()
