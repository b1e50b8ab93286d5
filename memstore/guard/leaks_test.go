package guard

import (
	"slices"
	"strings"
	"testing"

	"github.com/zricethezav/gitleaks/v8/config"
)

func TestTheGateHasTheKeywordsOfEveryRuleOfTheDetector(t *testing.T) {
	t.Parallel()
	var want []string
	for _, rule := range leakDetector().detector.Config.Rules {
		if len(rule.Keywords) == 0 {
			t.Errorf("%s has no keyword, so the gate would keep texts from it", rule.RuleID)
		}
		want = append(want, rule.Keywords...)
	}
	got := ruleKeywords()
	slices.Sort(got)
	slices.Sort(want)
	if got, want = slices.Compact(got), slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("%d keywords, want %d", len(got), len(want))
	}
}

func TestDroppedAndNarrowedRulesExist(t *testing.T) {
	t.Parallel()
	ids := ruleIDs()
	for id := range droppedRules {
		if !ids[id] {
			t.Errorf("%s is no rule of gitleaks", id)
		}
	}
	for id := range narrowedKeywords {
		if !ids[id] {
			t.Errorf("%s is no rule of gitleaks", id)
		}
	}
}

func TestVagueRulesAreRecognised(t *testing.T) {
	t.Parallel()
	rules := leakDetector()
	for id, want := range map[string]bool{
		"datadog-access-token": true, "dropbox-api-token": true, "heroku-api-key": true, "sonar-api-token": true,
		"github-pat": false, "aws-access-token": false, "jwt": false, "beamer-api-token": false, "mailgun-private-api-token": false,
	} {
		if rules.vague[id] != want {
			t.Errorf("%s: vague %v, want %v", id, rules.vague[id], want)
		}
	}
}

func TestWhatSwitchesGitleaksOffElsewhereDoesNotHere(t *testing.T) {
	t.Parallel()
	token := "ghp" + "_16C7e42F292c6912E7710c838347Ae178B4a"
	for _, text := range []string{
		token + " // gitleaks" + ":allow",
		"go.sum: " + token,
		"vendor/github.com/x " + token,
		"for example " + token,
		"test " + token + " false null true",
		strings.Replace(token, "42F29", "false", 1),
		"abcdefghijklmnopqrstuvwxyz " + token,
	} {
		if r := refusalOf(t, Input{Key: "a/b", Value: text}); r == nil || r.Rule != "github-pat" {
			t.Errorf("got %v", r)
		}
	}
}

func TestDocumentedExamplesOfKeysPass(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"AKIA" + "IOSFODNN7EXAMPLE",
		"AWS_SECRET_ACCESS_KEY=" + "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
		"ghp_" + strings.Repeat("x", 36),
		"sk-ant-api03-" + strings.Repeat("x", 93) + "AA",
	} {
		if r := refusalOf(t, Input{Key: "a/b", Value: text}); r != nil {
			t.Errorf("refused by %s", r.Rule)
		}
	}
}

func ruleIDs() map[string]bool {
	ids := make(map[string]bool)
	for line := range strings.Lines(config.DefaultConfig) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "id = "); ok {
			ids[strings.Trim(id, `"`)] = true
		}
	}
	return ids
}
