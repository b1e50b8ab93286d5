package guard

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var mPiece = regexp.MustCompile(`⟨([a-zA-Z])(\d+)⟩`)

func mExpand(s string, rng *rand.Rand) string {
	s = strings.ReplaceAll(s, "¦", "")
	s = strings.ReplaceAll(s, `\\`, "\x00")
	s = strings.ReplaceAll(s, `\n`, "\n")
	s = strings.ReplaceAll(s, "\x00", `\`)
	alpha := map[string]string{"h": "0123456789abcdef", "X": "0123456789ABCDEF", "d": "0123456789",
		"a": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", "U": "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567",
		"b": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", "w": "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-",
		"R": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", "r": "qpzry9x8gf2tvdw0s3jn54khce6mua7l"}
	return mPiece.ReplaceAllStringFunc(s, func(p string) string {
		m := mPiece.FindStringSubmatch(p)
		n, _ := strconv.Atoi(m[2])
		if m[1] == "B" {
			b := []byte("admin:")
			for range n - 6 {
				b = append(b, alpha["a"][rng.IntN(62)])
			}
			return base64.StdEncoding.EncodeToString(b)
		}
		b := make([]byte, n)
		for i := range b {
			b[i] = alpha[m[1]][rng.IntN(len(alpha[m[1]]))]
		}
		return string(b)
	})
}

func mInput(row string) Input {
	in := Input{Key: "note/one", Value: row}
	if rest, ok := strings.CutPrefix(row, "KEY "); ok {
		f := strings.Split(rest, " ||| ")
		in.Key = f[0]
		in.Value = f[len(f)-1]
		if len(f) == 3 {
			in.Description = strings.TrimPrefix(f[1], "DESC ")
		}
	}
	return in
}

func TestZZMeasure(t *testing.T) {
	for _, spec := range strings.Fields(os.Getenv("GUARD_TABLES")) {
		name, kind, _ := strings.Cut(spec, ":")
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(7, 11))
		group := ""
		total, wrong := map[string]int{}, map[string]int{}
		var order []string
		T, W := 0, 0
		for _, row := range strings.Split(strings.TrimSpace(string(data)), "\n") {
			if g, ok := strings.CutPrefix(row, "# "); ok && !strings.Contains(g, `\n`) {
				group = g
				order = append(order, g)
				continue
			}
			bad := false
			rules := []string{}
			for range 5 {
				in := mInput(mExpand(row, rng))
				e := Check(in)
				if r, ok := e.(*Refusal); ok {
					rules = append(rules, r.Rule+"@"+r.Field)
					if kind == "ok" {
						bad = true
					}
				} else if kind == "bad" {
					bad = true
				}
			}
			T++
			total[group]++
			if bad {
				W++
				wrong[group]++
				fmt.Printf("  %-4s [%s] %.110s %v\n", kind, group, row, rules)
			}
		}
		fmt.Printf("%s %s: wrong %d of %d:", name, kind, W, T)
		for _, g := range order {
			fmt.Printf(" | %s %d/%d", g, wrong[g], total[g])
		}
		fmt.Println()
	}
}
