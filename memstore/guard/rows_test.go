package guard

import (
	"encoding/base64"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The files under testdata have a text a line, in groups by their kind of
// writing. \n stands for a new line, \\ for a backslash, and a broken bar cuts
// what scanners of this repository would take for a credential. ⟨h40⟩ stands
// for 40 random characters of an alphabet: h hexadecimal, X the same in
// capitals, d digits, a letters and digits, U capitals and digits, b base64,
// w base64 for URLs, R and r bech32; ⟨B24⟩ is the base64 of "admin:" and random
// characters. "KEY k ||| v" and "KEY k ||| DESC d ||| v" give key, description
// and value, otherwise a row is the value.
var alphabets = map[string]string{
	"h": "0123456789abcdef",
	"X": "0123456789ABCDEF",
	"d": "0123456789",
	"a": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
	"U": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
	"b": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
	"w": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
	"R": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
	"r": "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
}

var randomPart = regexp.MustCompile(`⟨([a-zA-Z])(\d+)⟩`)

func randomText(kind string, n int, rng *rand.Rand) string {
	if kind == "B" {
		return base64.StdEncoding.EncodeToString([]byte("admin:" + randomText("a", n-6, rng)))
	}
	alphabet := alphabets[kind]
	b := make([]byte, n)
	for i := range b {
		b[i] = alphabet[rng.IntN(len(alphabet))]
	}
	return string(b)
}

// inputOf makes an input of a row of testdata.
func inputOf(row string, rng *rand.Rand) Input {
	row = strings.NewReplacer(`\\`, `\`, `\n`, "\n", "¦", "").Replace(row)
	row = randomPart.ReplaceAllStringFunc(row, func(part string) string {
		m := randomPart.FindStringSubmatch(part)
		n, err := strconv.Atoi(m[2])
		if err != nil {
			return part
		}
		return randomText(m[1], n, rng)
	})
	in := Input{Key: "note/one", Value: row}
	if rest, found := strings.CutPrefix(row, "KEY "); found {
		fields := strings.Split(rest, " ||| ")
		in.Key, in.Value = fields[0], fields[len(fields)-1]
		if len(fields) == 3 {
			in.Description = strings.TrimPrefix(fields[1], "DESC ")
		}
	}
	return in
}

// eachRow calls check with inputs made of every row of a file, several times
// with other random parts.
func eachRow(t *testing.T, file string, check func(row string, in Input)) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 11))
	for row := range strings.Lines(string(data)) {
		row = strings.TrimSuffix(row, "\n")
		if row == "" || strings.HasPrefix(row, "% ") || strings.HasPrefix(row, "# ") && !strings.Contains(row, `\n`) {
			continue
		}
		for range 5 {
			check(row, inputOf(row, rng))
			if !randomPart.MatchString(row) {
				break
			}
		}
	}
}

func TestEveryFormOfCredentialIsRefusedWithoutBeingRepeated(t *testing.T) {
	t.Parallel()
	eachRow(t, "credentials.txt", func(row string, in Input) {
		for _, person := range []bool{true, false} {
			in.Person = person
			r := refusalOf(t, in)
			if r == nil || roleReasons[r.Rule] != "" {
				t.Errorf("person %v: saved: %s", person, row)
				continue
			}
			for word := range strings.FieldsSeq(in.Key + " " + in.Description + " " + in.Value) {
				if len(word) >= 6 && hasLetterAndDigit(word) && strings.Contains(r.Error(), word) {
					t.Errorf("the refusal repeats a word of the text: %s", row)
				}
			}
		}
	})
}

func TestACredentialOfEveryFormIsMasked(t *testing.T) {
	t.Parallel()
	eachRow(t, "credentials.txt", func(row string, in Input) {
		if strings.HasPrefix(row, "KEY ") {
			return // the key makes it one
		}
		masked := Mask(in.Value)
		if !strings.Contains(masked, "[withheld: ") {
			t.Errorf("nothing withheld: %s", row)
		}
		if again := Mask(masked); again != masked {
			t.Errorf("masking twice differs: %s", row)
		}
	})
}

func TestWhatProjectsRememberPasses(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"innocent.txt", "instructions.txt"} {
		eachRow(t, file, func(row string, in Input) {
			if r := refusalOf(t, in); r != nil {
				t.Errorf("refused by %s in the %s: %s", r.Rule, r.Field, row)
			}
		})
	}
}

func TestEveryDisguiseOfAnInstructionIsRefusedFromAllButAPerson(t *testing.T) {
	t.Parallel()
	eachRow(t, "overrides.txt", func(row string, in Input) {
		if r := refusalOf(t, in); r == nil || roleReasons[r.Rule] == "" {
			t.Errorf("saved: %s", row)
		}
		in.Person = true
		if r := refusalOf(t, in); r != nil {
			t.Errorf("refused from a person by %s: %s", r.Rule, row)
		}
	})
}

func TestLongRandomTextPasses(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 5))
	for range 20 {
		for kind := range alphabets {
			text := randomText(kind, 30<<10, rng)
			if r := refusalOf(t, Input{Key: "logo/image", Value: text}); r != nil {
				t.Errorf("alphabet %s: refused by %s", kind, r.Rule)
			}
		}
	}
}

func TestATokenWithCapitalsIsFoundInAKeyInLowerCase(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(9, 2))
	for _, row := range []string{
		"maps/AI¦za⟨w35⟩", "mail/SG.⟨w22⟩.⟨w43⟩", "oauth/GOC¦SPX-⟨w28⟩", "jira/ATA¦TT3xFfGF0⟨w60⟩", "ci/gh¦p_⟨a36⟩",
		"auth/ey¦JhbGciOi⟨a20⟩.ey¦Jzdw⟨a30⟩", "gpt/sk-¦proj-⟨w60⟩", "aws/AK¦IA⟨U16⟩",
	} {
		in := inputOf(row, rng)
		in.Key, in.Value = strings.ToLower(in.Value), "a fact"
		if r := refusalOf(t, in); r == nil || r.Field != "key" || strings.Contains(r.Error(), in.Key) {
			t.Errorf("%s: got %v", row, r)
		}
	}
}
