package main

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// digest names a project's folder after its root.
func digest(root string) string {
	sum := sha256.Sum256([]byte(root))
	return hex.EncodeToString(sum[:10])
}

// nearestHint is "; did you mean X?" for the candidate nearest to what was
// given, or nothing where none is near.
func nearestHint(got string, all []string) string {
	best, at := "", 1+max(2, len(got)/3)
	for _, c := range all {
		if d := distance(strings.ToLower(got), strings.ToLower(c)); d < at {
			best, at = c, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance is the number of single edits between two words, a swap of
// neighbours counting as one (optimal string alignment).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range y {
		rows[0][j+1] = j + 1
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(x)][len(y)]
}
