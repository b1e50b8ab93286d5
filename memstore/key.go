package memstore

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Key folds s to the form in which keys are kept and compared, and checks it.
//
// Folding is Unicode's full case folding followed by NFC, so that no two keys
// differ by case or by composition alone. A key has 1 to [MaxKey] bytes in
// that form, in segments separated by "/". A segment begins with a letter or a
// digit of any script and goes on with letters, digits, the combining marks
// that scripts are written with, "_", "-" and ".". Characters without a
// visible form are no part of a key.
//
// What is no key is an [InvalidError], what is too long a [LimitError]. Neither
// repeats the text, which may be something that should not be shown.
func Key(s string) (string, error) {
	if s == "" {
		return "", &InvalidError{What: "key", Rule: "it is empty"}
	}
	// Folding never makes a text four times shorter, so this is over the
	// limit whatever it folds to.
	if len(s) > 4*MaxKey {
		return "", &LimitError{What: "key", Limit: MaxKey, Size: len(s)}
	}
	if !utf8.ValidString(s) {
		return "", &InvalidError{What: "key", Rule: "it is not UTF-8"}
	}
	k := fold(s)
	if len(k) > MaxKey {
		return "", &LimitError{What: "key", Limit: MaxKey, Size: len(k)}
	}
	start := true
	for i, r := range k {
		switch {
		case r == '/':
			if start {
				return "", &InvalidError{What: "key", Rule: fmt.Sprintf("a segment is empty at byte %d; segments are separated by one /", i+1)}
			}
			start = true
		case opens(r):
			start = false
		case start:
			return "", &InvalidError{What: "key", Rule: fmt.Sprintf("a segment begins with a letter or digit, and byte %d is %s", i+1, name(r))}
		case !continues(r):
			return "", &InvalidError{What: "key", Rule: fmt.Sprintf("it has letters, digits, _ - . and / only, and byte %d is %s", i+1, name(r))}
		}
	}
	if start {
		return "", &InvalidError{What: "key", Rule: "it ends with /"}
	}
	return k, nil
}

// fold applies case folding and NFC until neither changes anything: composing
// can make a character that folds further.
func fold(s string) string {
	if isLowerASCII(s) {
		return s
	}
	c := cases.Fold()
	for range 4 {
		next := norm.NFC.String(c.String(norm.NFD.String(s)))
		if next == s {
			break
		}
		s = next
	}
	return s
}

func isLowerASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf || s[i] >= 'A' && s[i] <= 'Z' {
			return false
		}
	}
	return true
}

// opens says whether a segment may begin with r.
func opens(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nd, unicode.Nl) && !invisible(r)
}

func continues(r rune) bool {
	return r == '_' || r == '-' || r == '.' || unicode.In(r, unicode.Mn, unicode.Mc) && !invisible(r)
}

// invisible characters would make keys that look alike and are not.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// name shows one character of a refused text, unless it has no visible form.
func name(r rune) string {
	if unicode.IsGraphic(r) && r != ' ' && !unicode.IsMark(r) {
		return fmt.Sprintf("%q", r)
	}
	return fmt.Sprintf("U+%04X", r)
}

// foldPrefix folds the beginning of a key. It may end anywhere and needs to be
// no key itself.
func foldPrefix(s string) (string, error) {
	if !utf8.ValidString(s) {
		return "", &InvalidError{What: "prefix", Rule: "it is not UTF-8"}
	}
	if len(s) > 4*MaxKey {
		return "", &LimitError{What: "prefix", Limit: MaxKey, Size: len(s)}
	}
	return fold(s), nil
}

// prefixEnd is above every key that begins with prefix: no key contains the
// last code point.
func prefixEnd(prefix string) string { return prefix + string(unicode.MaxRune) }

func firstLine(s string) string {
	s = strings.TrimLeft(s, " \t\r\n")
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		s = s[:i]
	}
	return strings.TrimRight(s, " \t")
}
