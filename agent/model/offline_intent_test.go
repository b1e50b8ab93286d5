package model

import "testing"

// phrasings are ways to say things, with what the offline model is to make of
// them: what it would save, ask, forget or put in place, after the kind.
var phrasings = []struct {
	text string
	kind intentKind
	want string // key=text for saves, else text
}{
	// Saving.
	{"remember that we deploy on Fridays only", intentSave, "deploy/day=we deploy on Fridays only"},
	{"Remember: the staging database is called bluebird.", intentSave, "staging/database-called=the staging database is called bluebird"},
	{"please remember deploys need two reviews", intentSave, "deploy/two-reviews=deploys need two reviews"},
	{"ok, remember that the linter is strict", intentSave, "linter/strict=the linter is strict"},
	{"Can you remember that we deploy on Fridays?", intentSave, "deploy/day=we deploy on Fridays"},
	{"could you please note that CI runs on arm64?", intentSave, "ci/runs-arm64=CI runs on arm64"},
	{"don't forget that the freeze starts in December", intentSave, "freeze/starts-december=the freeze starts in December"},
	{"note that tests need Docker", intentSave, "test/docker=tests need Docker"},
	{"keep in mind that the API is versioned", intentSave, "api/versioned=the API is versioned"},
	{"make a note: standup is at 10:00", intentSave, "standup/10-00=standup is at 10:00"},
	{"remember to buy milk", intentSave, "buy/milk=buy milk"},
	{"+ we use Postgres 16", intentSave, "postgre/16=we use Postgres 16"},
	{"+ wir deployen freitags", intentSave, "wir/deployen-freitags=wir deployen freitags"},
	{"+ мы деплоим по пятницам", intentSave, "мы/деплоим-по=мы деплоим по пятницам"},
	{"+ 我们周五部署", intentSave, "我们周五部署=我们周五部署"},
	{"＋ 金曜日にデプロイする", intentSave, "金曜日にデプロイする=金曜日にデプロイする"},
	{"+ deploy/day: Thursday", intentSave, "deploy/day=Thursday"},
	{"remember wifi = bluebird", intentSave, "wifi=bluebird"},
	{"remember Release/Day = Monday at noon", intentSave, "release/day=Monday at noon"},
	{"+ see https://example.com/x", intentSave, "see/https-example.com=see https://example.com/x"},
	// About the person.
	{"I prefer tabs over spaces", intentSave, "user/prefers/tabs-spaces=I prefer tabs over spaces"},
	{"i'd prefer short answers.", intentSave, "user/prefers/short-answers=i'd prefer short answers"},
	{"my editor is vim", intentSave, "user/editor=my editor is vim"},
	{"My favourite language is Go.", intentSave, "user/favourite-language=My favourite language is Go"},
	{"my name's Ann", intentSave, "user/name=my name's Ann"},
	{"my working hours are 9 to 5", intentSave, "user/working-hours=my working hours are 9 to 5"},
	{"call me Ann", intentSave, "user/name=call me Ann"},
	{"remember that I prefer tabs", intentSave, "user/prefers/tabs=I prefer tabs"},
	{"remember my editor is vim", intentSave, "user/editor=my editor is vim"},
	{"+ user/shell: fish", intentSave, "user/shell=fish"},
	{"I work at Initech", intentSave, "user/work=I work at Initech"},
	// Asking.
	{"when do we deploy?", intentAsk, "when do we deploy"},
	{"When do we deploy", intentAsk, "When do we deploy"},
	{"do you remember the deploy day?", intentAsk, "the deploy day"},
	{"remember when we met?", intentAsk, "remember when we met"},
	{"can you remember the deploy day?", intentAsk, "remember the deploy day"},
	{"what do you know about deploys?", intentAsk, "deploys"},
	{"tell me about deploys", intentAsk, "deploys"},
	{"? deploy", intentAsk, "deploy"},
	{"?deploy day", intentAsk, "deploy day"},
	{"？デプロイ", intentAsk, "デプロイ"},
	{"wann deployen wir?", intentAsk, "wann deployen wir"},
	{"いつデプロイしますか？", intentAsk, "いつデプロイしますか"},
	{"متى ننشر؟", intentAsk, "متى ننشر"},
	{"no, when do we deploy?", intentAsk, "when do we deploy"},
	{"is the API versioned?", intentAsk, "is the API versioned"},
	{"my editor is what?", intentAsk, "my editor is what"},
	{"who owns billing", intentAsk, "who owns billing"},
	// Why.
	{"why?", intentWhy, ""},
	{"Why", intentWhy, ""},
	{"how do you know?", intentWhy, ""},
	{"how do you know that", intentWhy, ""},
	{"says who?", intentWhy, ""},
	{"who told you that?", intentWhy, ""},
	{"since when?", intentWhy, ""},
	// Correcting.
	{"no, on Friday", intentFix, "on Friday"},
	{"No: Friday.", intentFix, "Friday"},
	{"actually, it's Friday", intentFix, "it's Friday"},
	{"actually we moved to Postgres", intentFix, "we moved to Postgres"},
	{"no, that's wrong, it is Friday", intentFix, "it is Friday"},
	{"make that Friday", intentFix, "Friday"},
	{"no, I prefer spaces", intentFix, "I prefer spaces"},
	{"no, remember that we deploy on Monday", intentSave, "deploy/day=we deploy on Monday"},
	{"no, undo that", intentUndo, ""},
	{"actually, forget that", intentForget, ""},
	// Forgetting.
	{"forget that we deploy on Fridays", intentForget, "we deploy on Fridays"},
	{"forget what you saved about the old API", intentForget, "the old API"},
	{"please forget deploy/day.", intentForget, "deploy/day"},
	{"delete the memory about lunch", intentForget, "lunch"},
	{"- deploy day", intentForget, "deploy day"},
	{"can you forget the deploy day?", intentForget, "the deploy day"},
	{"forget that", intentForget, ""},
	{"forget it", intentForget, ""},
	{"forget everything", intentForget, "*"},
	// The rest.
	{"2", intentPick, "2"},
	{"the second one", intentPick, "second"},
	{"undo", intentUndo, ""},
	{"Undo that, please.", intentUndo, ""},
	{"take that back", intentUndo, ""},
	{"undo deploy/day", intentUndo, ""},
	{"list", intentList, ""},
	{"list all memories", intentList, ""},
	{"what do you know?", intentList, ""},
	{"show me everything", intentList, ""},
	{"what do you know about me?", intentList, ""},
	{"what changed?", intentChanges, ""},
	{"what's new?", intentChanges, ""},
	{"recent changes", intentChanges, ""},
	{"thanks!", intentThanks, ""},
	{"thank you very much", intentThanks, ""},
	{"hello", intentHello, ""},
	{"good morning", intentHello, ""},
	{"help", intentHelp, ""},
	{"what can you do?", intentHelp, ""},
	// What must not be saved.
	{"I don't remember", intentUnknown, ""},
	{"I can't remember that the build broke", intentUnknown, ""},
	{"I remember the old days", intentUnknown, ""},
	{"remember when we met", intentUnknown, ""},
	{"remember?", intentNothing, ""},
	{"remember", intentNothing, ""},
	{"remember this", intentNothing, ""},
	{"remember it!", intentNothing, ""},
	{"don't forget", intentNothing, ""},
	{"don't remember this", intentDontSave, ""},
	{"do not save that I like tea", intentDontSave, ""},
	{"+", intentNothing, ""},
	{"+1", intentUnknown, ""},
	{"no", intentDismiss, ""},
	{"No.", intentDismiss, ""},
	{"yes", intentDismiss, ""},
	{"actually, never mind", intentDismiss, ""},
	{"never mind", intentDismiss, ""},
	{"no, that's fine", intentDismiss, ""},
	{"no, you're right", intentDismiss, ""},
	{"no thanks", intentDismiss, ""},
	{"forget about it", intentDismiss, ""},
	{"my question is simple", intentUnknown, ""},
	{"my guess is that it fails", intentUnknown, ""},
	{"I prefer that", intentUnknown, ""},
	{"write me a poem", intentUnknown, ""},
	{"the deploy failed", intentUnknown, ""},
	{"nobody works on Fridays", intentUnknown, ""},
	{"- one\n- two", intentUnknown, ""},
	{"", intentUnknown, ""},
}

func TestPhrasingsAreUnderstoodAndNothingElseIsSaved(t *testing.T) {
	t.Parallel()
	for _, c := range phrasings {
		in := parse(c.text)
		got := in.text
		if in.kind == intentSave {
			key := in.key
			if key == "" {
				key = keyOf(in.text)
			}
			got = key + "=" + in.text
		}
		if in.kind != c.kind || got != c.want {
			t.Errorf("%q: kind %d, %q, want kind %d, %q", c.text, in.kind, got, c.kind, c.want)
		}
	}
}

func TestACorrectionTakesThePlaceOfWhatItCorrects(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, fix, want string }{
		{"deploys go out on Thursday", "on Friday", "deploys go out on Friday"},
		{"deploys go out on Thursday", "Friday", "deploys go out on Friday"},
		{"deploys go out on Thursday", "it's Friday", "deploys go out on Friday"},
		{"deploys go out on Thursday", "we deploy on Friday", "deploys go out on Friday"},
		{"we deploy on Fridays only", "on Thursdays", "we deploy on Thursdays only"},
		{"deploys go out on Thursday", "on Friday after the standup", "deploys go out on Friday after the standup"},
		{"deploys go out on Thursday", "we deploy to staging on Friday", "we deploy to staging on Friday"},
		{"deploys go out on Thursday at 14:00", "Friday at 15:00", "deploys go out on Friday at 15:00"},
		{"deploys go out on Thursday, never on Monday", "on Friday, not Thursday", "deploys go out on Friday, never on Monday"},
		{"the freeze is from May to June", "July instead of June", "the freeze is from May to July"},
		{"the port is 8080", "9090", "the port is 9090"},
		{"the port is 8080", "it should be 9090", "the port is 9090"},
		{"we keep logs for 30 days", "90 days", "we keep logs for 90 days"},
		{"use Go v1.24", "v1.26", "use Go v1.26"},
		{"standup is at 9am", "10:30", "standup is at 10:30"},
		{"releases are weekly", "monthly", "releases are monthly"},
		{"my name is Ann", "Anna", "my name is Anna"},
		{"my editor is vim", "emacs", "my editor is emacs"},
		{"call me Ann", "Anna", "call me Anna"},
		{"we use MySQL for billing", "Postgres", "we use Postgres for billing"},
		{"I prefer tabs", "spaces", "I prefer spaces"},
		{"I work at Initech in Berlin", "at Globex", "I work at Globex in Berlin"},
		{"the docs live in the wiki", "in the repository", "the docs live in the repository"},
		{"the database is MySQL", "we use Postgres now", "we use Postgres now"},
		{"Thursday", "Friday", "Friday"},
		{"we roll out on Thursday and on Friday", "on Monday", "we roll out on Thursday and on Friday (correction: on Monday)"},
		{"rolling updates each week", "blue-green", "rolling updates each week (correction: blue-green)"},
	} {
		if got, _ := corrected(c.old, c.fix); got != c.want {
			t.Errorf("%q, corrected by %q: %q, want %q", c.old, c.fix, got, c.want)
		}
	}
}

func TestKeysAreShortStableAndValid(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"we deploy on Fridays only":          "deploy/day",
		"deploys go out on Thursday":         "deploy/day",
		"The API's rate limit is 100/s":      "api/rate-limit",
		"always run `go vet` before pushing": "run/vet-pushing",
		"it is":                              "it/is",
		"Köln ist die Zentrale":              "köln/ist-die",
		"हम शुक्रवार को तैनात करते हैं": "हम/शुक्रवार-को",
		"foo_bar.go holds --flag": "foo_bar.go/holds-flag",
		"...":                     "note/0ac31c19",
	} {
		if got := keyOf(text); got != want || keyOf(text) != got {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

func TestASearchIsForTheWordsThatSaySomething(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"when do we deploy": "deploy", "what is the IT budget": "IT budget", "how do we use go": "use go", "who are you": "who are you",
		"is it C++ or foo_bar": "C++ foo_bar", "wann deployen wir": "wann deployen wir", "いつデプロイしますか": "いつデプロイしますか",
	} {
		if got := searchWords(question); got != want {
			t.Errorf("%q: %q, want %q", question, got, want)
		}
	}
}
