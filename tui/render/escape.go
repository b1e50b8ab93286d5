package render

import "unicode/utf8"

// maxControl is how many bytes a control sequence may have, beyond its
// introducer; no sequence in use is near it.
const maxControl = 128

// sequence takes the escape sequence whose introducer is at i, n bytes long, and
// says how many bytes it took.
func (c *cleaner) sequence(i, n int) int {
	rest := c.source[i+n:]
	kind := byte(0)
	if n == 1 {
		if rest == "" {
			c.replace(0x1b, '␛')
			return 1
		}
		kind = rest[0]
	} else {
		r, _ := utf8.DecodeRuneInString(c.source[i:])
		kind = introduces(r)
		// Seen as the two-byte form, whose second byte is the kind.
		rest = c.source[i+n-1:]
	}
	length, silent := 0, false
	switch kind {
	case '[':
		length, silent = controlSequence(rest)
	case ']', 'P', 'X', '^', '_':
		length = stringSequence(rest)
	default:
		length = shortSequence(rest)
	}
	if !silent {
		c.replace(0x1b, '␛')
	}
	if length == 0 {
		return n
	}
	if n > 1 {
		length--
	}
	return n + length
}

// introduces is the byte after ESC that means the same as the C1 control r, and
// 0 where r introduces no sequence.
func introduces(r rune) byte {
	switch r {
	case 0x90, 0x98, 0x9b, 0x9d, 0x9e, 0x9f:
		return byte(r - 0x40)
	}
	return 0
}

// controlSequence is the length of the control sequence that begins with the [
// of s, 0 where it has no end; silent where it is only about colours.
func controlSequence(s string) (length int, silent bool) {
	i := 1
	for i < len(s) && i < maxControl && s[i] >= 0x30 && s[i] <= 0x3f {
		i++
	}
	parameters := i
	for i < len(s) && i < maxControl && s[i] >= 0x20 && s[i] <= 0x2f {
		i++
	}
	if i >= len(s) || s[i] < 0x40 || s[i] > 0x7e {
		return 0, false
	}
	private := parameters > 1 && s[1] >= '<'
	return i + 1, s[i] == 'm' && i == parameters && !private
}

// stringSequence is the length of the control string that begins with the first
// byte of s, with its terminator; 0 where its line or the text ends first.
func stringSequence(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\a':
			return i + 1
		case '\n', '\r':
			return 0
		case 0x1b:
			if i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
			return 0
		case 0xc2: // the first byte of a C1 control in UTF-8
			if i+1 < len(s) && s[i+1] == 0x9c {
				return i + 2
			}
			if i+1 < len(s) && s[i+1] >= 0x80 && s[i+1] <= 0x9f {
				return 0
			}
		}
	}
	return 0
}

// shortSequence is the length of the escape sequence of intermediates and one
// final byte that s begins with, 0 where it is none.
func shortSequence(s string) int {
	i := 0
	for i < len(s) && i < maxControl && s[i] >= 0x20 && s[i] <= 0x2f {
		i++
	}
	if i >= len(s) || s[i] < 0x30 || s[i] > 0x7e {
		return 0
	}
	return i + 1
}
