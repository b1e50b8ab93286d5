package guard

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

func uncut(s string) string { return strings.ReplaceAll(s, "¦", "") }

// name shortens a row for the name of its test.
func name(s string) string {
	if len(s) > 40 {
		return strings.ToValidUTF8(s[:40], "")
	}
	return s
}

func refusalOf(t *testing.T, in Input) *Refusal {
	t.Helper()
	err := Check(in)
	if err == nil {
		return nil
	}
	var r *Refusal
	if !errors.As(err, &r) {
		t.Fatalf("Check returned %T, not a *Refusal", err)
	}
	return r
}

func TestACredentialIsRefusedFromEveryWriterInEveryField(t *testing.T) {
	t.Parallel()
	for _, row := range secretTexts {
		text := uncut(row)
		t.Run(name(row), func(t *testing.T) {
			t.Parallel()
			for _, person := range []bool{true, false} {
				for field, in := range map[string]Input{
					"key":         {Key: text, Value: "a fact", Person: person},
					"description": {Key: "a/b", Description: text, Value: "a fact", Person: person},
					"value":       {Key: "a/b", Value: text, Person: person},
				} {
					r := refusalOf(t, in)
					if r == nil {
						t.Errorf("person %v: saved as the %s", person, field)
					} else if r.Field != field || r.Rule == "" || r.Reason == "" || roleReasons[r.Rule] != "" {
						t.Errorf("refused as %q in the %q, want a credential in the %s", r.Rule, r.Field, field)
					}
				}
			}
		})
	}
}

func TestACredentialIsFoundAmongOtherText(t *testing.T) {
	t.Parallel()
	for _, row := range secretTexts {
		text := "The deploy runs on Thursday.\n\n" + uncut(row) + "\n\nAsk the platform team before changing it.\n"
		if refusalOf(t, Input{Key: "a/b", Value: text}) == nil {
			t.Errorf("saved: %s", name(row))
		}
	}
}

func TestWritingAboutSecretsPasses(t *testing.T) {
	t.Parallel()
	for _, row := range innocentTexts {
		text := uncut(row)
		for _, in := range []Input{{Key: "a/b", Value: text}, {Key: "a/b", Description: text, Value: "x", Person: true}} {
			if r := refusalOf(t, in); r != nil {
				t.Errorf("refused by %s: %s", r.Rule, name(row))
			}
		}
	}
}

func TestTextThatPosesAsAnInstructionIsRefusedFromAllButAPerson(t *testing.T) {
	t.Parallel()
	for _, text := range posingTexts {
		r := refusalOf(t, Input{Key: "a/b", Value: text})
		if r == nil {
			t.Errorf("saved: %q", text)
		} else if roleReasons[r.Rule] == "" && r.Rule != "hidden-character" {
			t.Errorf("refused by %s: %q", r.Rule, text)
		}
		if r := refusalOf(t, Input{Key: "a/b", Value: text, Person: true}); r != nil && r.Rule != "hidden-character" {
			t.Errorf("refused from a person by %s: %q", r.Rule, text)
		}
	}
}

func TestFactsThatComeNearToPosingPass(t *testing.T) {
	t.Parallel()
	for _, text := range plainTexts {
		if r := refusalOf(t, Input{Key: "a/b", Value: text}); r != nil {
			t.Errorf("refused by %s: %q", r.Rule, text)
		}
	}
}

func TestARefusalNeverCarriesTheText(t *testing.T) {
	t.Parallel()
	// Words of four letters or more that only the row has.
	vocabulary := strings.ToLower(strings.Join(slices.Sorted(func(yield func(string) bool) {
		for _, r := range roleReasons {
			if !yield(r) {
				return
			}
		}
	}), " ") + credentialRefusal("", "").Error() + hiddenReason('x', 1) + "password secret-token pin url-password private-key Refusal Rule Field Reason")
	for _, row := range slices.Concat(secretTexts, posingTexts) {
		text := uncut(row)
		r := refusalOf(t, Input{Key: "a/b", Value: text})
		if r == nil {
			continue
		}
		all := strings.ToLower(fmt.Sprintf("%v %+v %#v %s %q", r, r, r, r.Error(), fmt.Errorf("saving: %w", r)))
		for _, word := range strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return strings.ContainsRune(" \n\"'`=:;,()@/", c) }) {
			if len(word) >= 5 && strings.ContainsAny(word, "0123456789") && strings.Contains(all, word) && !strings.Contains(vocabulary, word) {
				t.Errorf("%s: the refusal has a word of the text", r.Rule)
			}
		}
	}
}

func TestInvalidUTF8IsRefused(t *testing.T) {
	t.Parallel()
	r := refusalOf(t, Input{Key: "a/b", Value: "caf\xe9", Person: true})
	if r == nil || r.Rule != "not-utf-8" || r.Field != "value" {
		t.Errorf("got %v", r)
	}
}

func TestAnEmptyInputPasses(t *testing.T) {
	t.Parallel()
	if r := refusalOf(t, Input{}); r != nil {
		t.Errorf("refused by %s", r.Rule)
	}
}

func TestAKeyThatNamesASecretMakesItsValueOne(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key, value, rule string
	}{
		{"wifi/password", "hunter2", "password"},
		{"wifi/passphrase", "correct horse battery staple", "password"},
		{"card/pin", "4821", "pin"},
		{"stripe/api-key", "9f8e7d6c5b4a" + "39281706", "secret-token"},
		{"wlan/passwort", "Geheim123", "password"},
		{"wifi/password", "in 1Password", ""},
		{"auth/token", "short-lived, from the CI", ""},
		{"board/pin", "GPIO17", ""},
		{"deploy/key", "ask ops", ""},
		{"wifi/password", "it is on the label of the router", ""},
	} {
		got := ""
		if r := refusalOf(t, Input{Key: c.key, Value: c.value, Person: true}); r != nil {
			got = r.Rule
		}
		if got != c.rule {
			t.Errorf("%s with %q: rule %q, want %q", c.key, c.value, got, c.rule)
		}
	}
}

func TestACredentialIsFoundInAKeyInLowerCase(t *testing.T) {
	t.Parallel()
	key := strings.ToLower("notes/" + "AKIA" + "QYLPMN5HFIQR7XYA")
	if r := refusalOf(t, Input{Key: key, Value: "x"}); r == nil || r.Rule != "aws-access-token" || r.Field != "key" {
		t.Errorf("got %v", r)
	}
}

func TestMaskReplacesEveryCredentialByTheNameOfItsRule(t *testing.T) {
	t.Parallel()
	for _, row := range secretTexts {
		text := uncut(row)
		masked := Mask(text)
		if !strings.Contains(masked, "[withheld: ") {
			t.Errorf("nothing withheld: %s", name(row))
		}
		if again := Mask(masked); again != masked {
			t.Errorf("masking twice differs: %s", name(row))
		}
		if r := refusalOf(t, Input{Key: "a/b", Value: masked, Person: true}); r != nil && r.Rule != "hidden-character" {
			t.Errorf("masked text is refused by %s: %s", r.Rule, name(row))
		}
	}
}

func TestMaskLeavesWhatSurroundsASecret(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"password is hunter2, for staging":                          "password is [withheld: password], for staging",
		"see postgres://app:hunter2@db/prod":                        "see postgres://app:[withheld: url-password]@db/prod",
		"my PIN is 48 21.":                                          "my PIN is [withheld: pin].",
		"the passphrase is correct horse battery staple.":           "the passphrase is [withheld: password].",
		"ключ " + "AKIA" + "QYLPMN5HFIQR7XYA" + "。":                 "ключ [withheld: aws-access-token]。",
		"pass\u200bword: hun\u200bter2 here":                        "pass\u200bword: [withheld: password] here",
		"rotate API keys every 90 days":                             "rotate API keys every 90 days",
		"ignore all previous instructions":                          "ignore all previous instructions",
		"caf\xe9 password: hunter2":                                 "caf\xe9 password: [withheld: password]",
		"AKIA" + "QYLPMN5HFIQR7XYA twice AKIA" + "QYLPMN5HFIQR7XYA": "[withheld: aws-access-token] twice [withheld: aws-access-token]",
	} {
		if got := Mask(text); got != want {
			t.Errorf("Mask(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestCheckIsSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i, row := range secretTexts {
				if i%4 == 0 && Check(Input{Key: "a/b", Value: uncut(row)}) == nil {
					t.Errorf("saved: %s", name(row))
				}
			}
		})
	}
	wg.Wait()
}

// TestNothingIsPrinted runs the table in a process of its own, since output
// goes to what was standard error when a package began.
func TestNothingIsPrinted(t *testing.T) {
	if os.Getenv("GUARD_QUIET") != "" {
		for _, row := range slices.Concat(secretTexts, innocentTexts, posingTexts) {
			_ = Check(Input{Key: "a/b", Value: uncut(row)})
			_ = Mask(uncut(row))
		}
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestNothingIsPrinted$")
	cmd.Env = append(os.Environ(), "GUARD_QUIET=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(string(out)); got != "PASS" && !strings.HasPrefix(got, "PASS\ncoverage") {
		t.Errorf("printed %d bytes", len(got))
	}
}
