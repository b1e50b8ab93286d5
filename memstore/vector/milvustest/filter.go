package milvustest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// parseFilter reads the part of Milvus's boolean expressions that compares
// fields with strings: ==, !=, in [...], and, or, not, parentheses. An empty
// filter matches all.
func parseFilter(s string) (func(fields map[string]string) bool, error) {
	if strings.TrimSpace(s) == "" {
		return func(map[string]string) bool { return true }, nil
	}
	p := &parser{rest: s}
	m, err := p.either()
	if err == nil && p.peek() != "" {
		err = fmt.Errorf("unexpected %q", p.peek())
	}
	return m, err
}

type matcher = func(fields map[string]string) bool

type parser struct {
	rest string
}

// peek is the next token, "" at the end.
func (p *parser) peek() string {
	p.rest = strings.TrimLeft(p.rest, " ")
	if p.rest == "" {
		return ""
	}
	switch c := p.rest[0]; {
	case c == '"':
		for i := 1; i < len(p.rest); i++ {
			switch p.rest[i] {
			case '\\':
				i++
			case '"':
				return p.rest[:i+1]
			case '\n', '\r':
				return p.rest[:i] // not closed, and no string
			}
		}
		return p.rest
	case strings.HasPrefix(p.rest, "==") || strings.HasPrefix(p.rest, "!="):
		return p.rest[:2]
	case isName(c):
		i := 1
		for i < len(p.rest) && isName(p.rest[i]) {
			i++
		}
		return p.rest[:i]
	}
	return p.rest[:1]
}

func isName(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

func (p *parser) next() string {
	t := p.peek()
	p.rest = p.rest[len(t):]
	return t
}

func (p *parser) expect(token string) error {
	if t := p.next(); t != token {
		return fmt.Errorf("%q where %q should be", t, token)
	}
	return nil
}

func (p *parser) either() (matcher, error) {
	m, err := p.both()
	for err == nil && p.peek() == "or" {
		p.next()
		left := m
		var right matcher
		right, err = p.both()
		m = func(f map[string]string) bool { return left(f) || right(f) }
	}
	return m, err
}

func (p *parser) both() (matcher, error) {
	m, err := p.single()
	for err == nil && p.peek() == "and" {
		p.next()
		left := m
		var right matcher
		right, err = p.single()
		m = func(f map[string]string) bool { return left(f) && right(f) }
	}
	return m, err
}

func (p *parser) single() (matcher, error) {
	switch t := p.next(); {
	case t == "(":
		m, err := p.either()
		if err == nil {
			err = p.expect(")")
		}
		return m, err
	case t == "not":
		m, err := p.single()
		return func(f map[string]string) bool { return !m(f) }, err
	case t != "" && isName(t[0]):
		return p.compare(t)
	default:
		return nil, fmt.Errorf("%q where a field should be", t)
	}
}

func (p *parser) compare(field string) (matcher, error) {
	switch op := p.next(); op {
	case "==", "!=":
		want, err := p.text()
		return func(f map[string]string) bool { return (f[field] == want) == (op == "==") }, err
	case "in":
		if err := p.expect("["); err != nil {
			return nil, err
		}
		var list []string
		for p.peek() != "]" {
			s, err := p.text()
			if err != nil {
				return nil, err
			}
			list = append(list, s)
			if p.peek() == "," {
				p.next()
			}
		}
		p.next()
		return func(f map[string]string) bool { return slices.Contains(list, f[field]) }, nil
	default:
		return nil, fmt.Errorf("%q where == or in should be", op)
	}
}

func (p *parser) text() (string, error) {
	t := p.next()
	s, err := strconv.Unquote(t)
	if err != nil || t[0] != '"' {
		return "", fmt.Errorf("%s is no string", t)
	}
	return s, nil
}

// ParseFilter is how the server reads a filter expression, for tests of what
// writes them.
func ParseFilter(s string) (func(fields map[string]string) bool, error) { return parseFilter(s) }
