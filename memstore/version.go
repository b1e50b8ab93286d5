package memstore

import (
	"crypto/rand"
	"encoding/base32"
	"strings"
	"sync"
)

// tokenAlphabet is base32 in lower case without padding.
var tokenAlphabet = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// versions makes tokens from the system's randomness, some at a time because
// asking for it has a price.
var versions struct {
	sync.Mutex
	rest string
}

// newVersion makes a token: "r_" and 60 random bits. A version is compared
// only with the current one of the same key, so what matters is the chance of
// one pair, 1 in 2^60.
func newVersion() Version {
	versions.Lock()
	defer versions.Unlock()
	if versions.rest == "" {
		var b [240]byte
		rand.Read(b[:]) // never fails
		versions.rest = tokenAlphabet.EncodeToString(b[:])
	}
	t := versions.rest[:12]
	versions.rest = versions.rest[12:]
	return Version("r_" + t)
}

// looksLikeVersion says whether v has the form of a token of ours.
func looksLikeVersion(v Version) bool {
	t, ok := strings.CutPrefix(string(v), "r_")
	if !ok || len(t) != 12 {
		return false
	}
	for i := range len(t) {
		if (t[i] < 'a' || t[i] > 'z') && (t[i] < '2' || t[i] > '7') {
			return false
		}
	}
	return true
}
