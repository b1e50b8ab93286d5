package search

// irregular forms of English verbs and nouns, as any grammar lists them, that
// a stemmer can't bring together.
var irregular = baseForms(
	"be was were been", "begin began begun", "bend bent", "bite bit bitten", "blow blew blown", "break broke broken",
	"bring brought", "build built", "burn burnt", "buy bought", "catch caught", "choose chose chosen", "come came",
	"deal dealt", "dig dug", "do did done does", "draw drew drawn", "dream dreamt", "drink drank drunk", "drive drove driven",
	"eat ate eaten", "fall fell fallen", "feed fed", "feel felt", "fight fought", "find found", "fly flew flown",
	"forget forgot forgotten", "forgive forgave forgiven", "freeze froze frozen", "get got gotten", "give gave given",
	"go went gone goes", "grow grew grown", "hang hung", "have had has", "hear heard", "hide hid hidden", "hold held",
	"keep kept", "know knew known", "lay laid", "lead led", "leap leapt", "learn learnt", "leave left", "lend lent", "lose lost",
	"make made", "mean meant", "meet met", "pay paid", "ride rode ridden", "ring rang rung", "rise rose risen", "run ran",
	"say said", "see saw seen", "seek sought", "sell sold", "send sent", "shake shook shaken", "shine shone", "shoot shot",
	"show shown", "sing sang sung", "sink sank sunk", "sit sat", "sleep slept", "slide slid", "speak spoke spoken", "spend spent",
	"spin spun", "stand stood", "steal stole stolen", "stick stuck", "strike struck", "swear swore sworn", "sweep swept",
	"swim swam swum", "swing swung", "take took taken", "teach taught", "tear tore torn", "tell told", "think thought",
	"throw threw thrown", "understand understood", "wake woke woken", "wear wore worn", "weave wove woven", "win won",
	"wind wound", "write wrote written", "withdraw withdrew withdrawn", "overcome overcame", "become became",
	"child children", "man men", "woman women", "foot feet", "tooth teeth", "mouse mice", "goose geese", "person people",
	"life lives", "wife wives", "knife knives", "leaf leaves", "wolf wolves", "half halves", "shelf shelves",
	"index indices", "matrix matrices", "analysis analyses", "criterion criteria", "good better best", "bad worse worst",
)

var longestIrregular = func() (n int) {
	for w := range irregular {
		n = max(n, len(w))
	}
	return n
}()

// baseForms maps the further forms in each row to its first.
func baseForms(rows ...string) map[string]string {
	m := map[string]string{}
	for _, row := range rows {
		forms := splitWords(row)
		for _, form := range forms[1:] {
			m[form] = forms[0]
		}
	}
	return m
}

// functionWords carry grammar rather than meaning, so a query leaves them out
// as long as it has other words. Words that negate are not among them.
// They are kept as they are indexed.
var functionTerms = stems(`a an the this that these those some any each every either both all such same own other another
i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself
it its itself they them their theirs themselves one ones
am is are was were be been being do does did doing done have has had having will would shall should can could may might must ought
and or but if then else than so because as while of at by for with about into through during before after
to from up down in out on off over under again further here there once just only too very also
what which who whom whose when where why how
et al etc ie eg vs via upon among between toward towards onto
please`)

func splitWords(s string) []string {
	var out []string
	for at := 0; ; {
		lo, hi := nextChunk(s, at)
		if lo >= hi {
			return out
		}
		out = append(out, s[lo:hi])
		at = hi
	}
}
