package planner

import (
	"encoding/json"
	"strings"
	"testing"

	"reverie/memstore"
)

func releases() []memstore.Entry {
	return []memstore.Entry{
		entry("release/steps", "Release: tag from main.", 1, memstore.ByUser),
		entry("release/notes", "Release notes go into CHANGELOG.md before tagging from main.", 2, memstore.ByUser),
	}
}

func wording(t *testing.T, id, text string) string {
	t.Helper()
	b, err := json.Marshal(map[string]any{"operations": []map[string]string{{"id": id, "kind": "merge", "text": text}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAWordOfTheModelsOwnDropsTheWordingAndIsNamed(t *testing.T) {
	t.Parallel()
	const rest = "elease notes go into CHANGELOG.md before tagging from main"
	for text, offending := range map[string]string{
		"It is false that r" + rest + ".":                                                `"false"`,
		"Release notes rarely go into CHANGELOG.md before tagging from main.":            `"rarely"`,
		"Release notes might go into CHANGELOG.md before tagging from main, optionally.": `"might"`,
		"R" + rest + ", optionally.":                                                     `"optionally"`,
		"Formerly r" + rest + ".":                                                        `"Formerly"`,
		"Currently, r" + rest + ".":                                                      `"Currently"`,
		"Please note: r" + rest + ".":                                                    `"Please"`,
		"R" + rest + ". Bob is the owner.":                                               `"Bob"`,
		"R" + rest + ". Delete the staging database weekly.":                             `"Delete"`,
		"R" + rest + " 3 times.":                                                         `"3"`,
		"R" + rest + " twice.":                                                           `"twice"`,
		"R" + rest + " or /tmp/x.":                                                       `"or"`,
		"R" + rest + "?":                                                                 `"?"`,
		"Release notes went into CHANGELOG.md before tagging from main.":                 `"went"`,
		"Release notes don't go into CHANGELOG.md before tagging from main.":             `"don't"`,
		"R" + rest + " 🚫":                                                                `"🚫"`,
	} {
		text = "Release: tag from main. " + text
		p := helped(t, &scripted{answer: wording(t, "m1", text)}, releases()...)
		if len(p.Operations) != 1 || len(p.Dropped) != 1 {
			t.Errorf("%s: planned %+v, dropped %+v", text, p.Operations, p.Dropped)
			continue
		}
		d := p.Dropped[0]
		if !strings.Contains(d.Reason, offending) || strings.Join(d.Keys, " ") != "release/steps release/notes" || p.Operations[0].After.Value == text {
			t.Errorf("%s: dropped %+v", text, d)
		}
	}
}

// wordings are read by both tables: what comes from the sources, and what
// only uses their words.
type wordings struct {
	sources []string
	text    string
}

func TestWholeStatementsInAnotherOrderAreAccepted(t *testing.T) {
	t.Parallel()
	for _, c := range []wordings{
		{[]string{"Release: tag from main.", "Release notes go into CHANGELOG.md before tagging from main."}, "Release notes go into CHANGELOG.md before tagging from main; release: tag from main."},
		{[]string{"Release: tag from main.", "Release notes go into CHANGELOG.md before tagging from main."}, "Release: tag from main. The release notes go into CHANGELOG.md before tagging from main."},
		{[]string{"The API uses Go.", "The API listens on 8080."}, "- The API uses Go\n- It listens on 8080"},
		{[]string{"The API uses Go.", "The API listens on 8080."}, "The API listens on 8080, and the API uses Go."},
		{[]string{"The API never logs bodies.", "Mia owns the API."}, "Mia owns the API. The API never logs bodies."},
		{[]string{"Die API läuft auf 8080.", "Mia betreut die API nicht."}, "Mia betreut die API nicht. Die API läuft auf 8080."},
		{[]string{"Les notes vont dans le wiki.", "Le déploiement est le mardi."}, "Le déploiement est le mardi. Les notes vont dans le wiki."},
		{[]string{"ノートはwikiに入れる。", "会議は木曜日。"}, "会議は木曜日。ノートはwikiに入れる。"},
		{[]string{"Заметки лежат в вики.", "Релиз по вторникам."}, "Релиз по вторникам. Заметки лежат в вики."},
	} {
		if why := unsaid(c.sources, c.text); why != "" {
			t.Errorf("%s: %s", c.text, why)
		}
		if why := lost(c.sources, c.text); why != "" {
			t.Errorf("%s: lost: %s", c.text, why)
		}
	}
}

func TestTheSourcesOwnWordsMayNotSayAnotherThing(t *testing.T) {
	t.Parallel()
	owners := []string{"Mia owns the release.", "Bob owns the site."}
	never := []string{"Never deploy on Fridays.", "Notes go into the wiki."}
	for _, c := range []wordings{
		{owners, "Mia owns the site. Bob owns the release."},
		{owners, "Mia owns the release. Bob owns the site. Bob owns the release."},
		{owners, "Mia owns the release, Bob. The site owns."},
		{owners, "Mia and Bob owns the release and the site."},
		{never, "Never deploy on Fridays and notes go into the wiki."},
		{never, "Deploy on Fridays. Never notes go into the wiki."},
		{never, "Never notes go into the wiki. Never deploy on Fridays."},
		{[]string{"Deploy from main to staging."}, "Deploy to main from staging."},
		{[]string{"Mia owns the API. It uses Go.", "The site is old."}, "Mia owns the API. The site is old. It uses Go."},
		{[]string{"Page Bob. Unless it is night.", "Notes go into the wiki."}, "Page Bob. Notes go into the wiki. Unless it is night."},
		{[]string{"The API never logs bodies.", "The API retries twice."}, "The API never logs bodies and retries twice."},
		{[]string{"The read timeout is short.", "The read replica is new."}, "The read timeout is short. It is new."},
		{[]string{"IT owns the site."}, "It owns the site."},
		{[]string{"We deploy on Mondays."}, "We deployed on Mondays."},
		{[]string{"Die API läuft nicht auf Go.", "Mia betreut die API."}, "Die API läuft auf Go. Mia betreut die API nicht."},
		{[]string{"Mia betreut die API."}, "Mia betreut die API selten."},
		{[]string{"Les notes vont dans le wiki."}, "Les notes vont rarement dans le wiki."},
		{[]string{"Las notas van en la wiki."}, "Quizás las notas van en la wiki."},
		{[]string{"Заметки лежат в вики."}, "Заметки не лежат в вики."},
		{[]string{"会議は木曜日。"}, "会議は木曜日ではない。"},
		{[]string{"会议在周四。"}, "会议不在周四。"},
		{[]string{"الاجتماع يوم الخميس."}, "الاجتماع ليس يوم الخميس."},
	} {
		if unsaid(c.sources, c.text) == "" && lost(c.sources, c.text) == "" {
			t.Errorf("%q was taken for %q", c.text, c.sources)
		}
	}
}

func TestAnAnswerInACodeFenceIsRead(t *testing.T) {
	t.Parallel()
	const text = "Release: tag from main. Release notes go into CHANGELOG.md before tagging from main."
	plain := wording(t, "m1", text)
	for answer, taken := range map[string]bool{
		"```json\n" + plain + "\n```":            true,
		"\n```JSON\r\n" + plain + "\r\n```\n":    true,
		"```\n" + plain + "\n```":                true,
		"```json\n" + plain:                      false,
		"```yaml\n" + plain + "\n```":            false,
		"Here it is:\n```json\n" + plain + "```": false,
		"```json\n" + plain + "\n```\nDone.":     false,
		"```json\n" + plain + plain + "\n```":    false,
		"```":                                    false,
	} {
		p := helped(t, &scripted{answer: answer}, releases()...)
		if got := len(p.Operations) == 1 && p.Operations[0].After.Value == text; got != taken || (p.Note == "") != taken {
			t.Errorf("%q: planned %+v, dropped %+v, note %q", answer, p.Operations, p.Dropped, p.Note)
		}
	}
}

func TestWhateverIsLeftOutNamesItsMemories(t *testing.T) {
	t.Parallel()
	one := `{"id":"m1","kind":"merge","text":"Release: tag from main. Release notes go into CHANGELOG.md before tagging from main."}`
	for name, answer := range map[string]string{
		"a second answer": `{"operations":[` + one + `,` + one + `]}`,
		"another kind":    `{"operations":[{"id":"m1","kind":"retire","text":"x"}]}`,
		"no text":         `{"operations":[{"id":"m1","kind":"merge","text":""}]}`,
	} {
		p := helped(t, &scripted{answer: answer}, releases()...)
		if len(p.Dropped) != 1 || strings.Join(p.Dropped[0].Keys, " ") != "release/steps release/notes" {
			t.Errorf("%s: dropped %+v", name, p.Dropped)
		}
	}
}

func TestTheOfflineModelIsNotAskedAndTheNoteSaysWhy(t *testing.T) {
	t.Parallel()
	m := &scripted{answer: `{"operations":[]}`}
	p := &Planner{Model: m, ModelName: "offline"}
	plan, err := p.Propose(t.Context(), releases(), Options{Scope: memstore.Project, Now: clock0})
	if err != nil {
		t.Fatal(err)
	}
	if m.prompt != "" || plan.Planner != "local" || len(plan.Operations) != 1 || !strings.Contains(plan.Note, "can't word merges") {
		t.Errorf("prompt %q, plan %+v", m.prompt, plan)
	}
}

func FuzzAWordingIsJudgedWithoutAPanic(f *testing.F) {
	f.Add("Release: tag from main.", "It is false. They — \"x\" a\xff")
	f.Fuzz(func(t *testing.T, source, text string) {
		unsaid([]string{source, source}, text)
		if why := unsaid([]string{source}, text+". Zzyzx"); why == "" && !strings.Contains(strings.ToLower(source), "zzyzx") {
			t.Errorf("a word in no source was taken: %q for %q", text, source)
		}
	})
}
