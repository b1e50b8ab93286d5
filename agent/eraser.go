package agent

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"reverie/agent/model"
	"reverie/memstore"
)

// eraser knows what is to go.
type eraser struct {
	scope   memstore.Scope
	key     string
	certain *regexp.Regexp // texts that are erased everywhere, nil for none
	all     *regexp.Regexp // those and the short ones
}

func newEraser(scope memstore.Scope, key string, texts []string) (*eraser, error) {
	if k, err := memstore.Key(key); err == nil {
		key = k
	}
	var certain, all []string
	for _, text := range texts {
		// A person may have said it with another capital or full stop than the
		// model saved it with.
		text = strings.Trim(text, " \t\r\n.!?,;:\"'")
		if text == "" {
			continue
		}
		all = append(all, text)
		if len(text) >= certainText {
			certain = append(certain, text)
		}
	}
	e := &eraser{scope: scope, key: key}
	var err error
	if e.certain, err = anyOf(certain); err == nil {
		e.all, err = anyOf(all)
	}
	if err != nil {
		return nil, fmt.Errorf("erasing %s memory %q from the threads: %w", scope, key, err)
	}
	return e, nil
}

// anyOf matches any of some texts, as they are and as JSON writes them,
// whatever the case and the white space.
func anyOf(texts []string) (*regexp.Regexp, error) {
	var forms []string
	for _, text := range texts {
		for _, form := range []string{text, inJSON(text, true), inJSON(text, false)} {
			words := strings.Fields(form)
			for i, w := range words {
				words[i] = regexp.QuoteMeta(w)
			}
			pattern := strings.Join(words, `\s+`)
			if isWordByte(form[0]) {
				pattern = `\b` + pattern
			}
			if isWordByte(form[len(form)-1]) {
				pattern += `\b`
			}
			if !slices.Contains(forms, pattern) {
				forms = append(forms, pattern)
			}
		}
	}
	if len(forms) == 0 {
		return nil, nil
	}
	// The longest first, so that a text that begins like another goes whole.
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	return regexp.Compile(`(?i)` + strings.Join(forms, "|"))
}

func isWordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// erase takes the texts out of s, the short ones only where touched.
func (e *eraser) erase(s string, touched bool) string {
	texts := e.certain
	if touched {
		texts = e.all
	}
	if texts == nil {
		return s
	}
	return texts.ReplaceAllLiteralString(s, erased)
}

func inJSON(text string, html bool) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(html)
	if e.Encode(text) != nil {
		return ""
	}
	s := strings.TrimSpace(b.String())
	return s[1 : len(s)-1]
}

// isAbout says whether a call is about the purged memory.
func (e *eraser) isAbout(c model.ToolCall) bool {
	scopes, ok := toolScopes[c.Name]
	if !ok {
		return false
	}
	var a struct{ Key, Name, Scope string }
	if json.Unmarshal([]byte(c.Arguments), &a) != nil {
		return strings.Contains(strings.ToLower(c.Arguments), e.key)
	}
	if a.Name != "" {
		a.Key = strings.TrimSuffix(a.Name, ".md")
	}
	key, err := memstore.Key(strings.TrimSpace(a.Key))
	if err != nil {
		return false
	}
	for _, s := range scopes {
		if s == e.scope && (key == e.key || s == memstore.User && underUser(key) == e.key) {
			return true
		}
	}
	return false
}

// toolScopes says which memories a tool is about.
var toolScopes = func() map[string][]memstore.Scope {
	m := map[string][]memstore.Scope{}
	for _, n := range []string{filesNames.remember, filesNames.recall, filesNames.forget} {
		m[n] = []memstore.Scope{memstore.Project, memstore.User}
	}
	for scope, n := range map[memstore.Scope]names{memstore.Project: projectNames, memstore.User: userNames} {
		for _, tool := range []string{n.remember, n.recall, n.inspect, n.forget, n.undo, "/forget", "/undo"} {
			m[tool] = append(m[tool], scope)
		}
	}
	return m
}()

// mentions says whether a result shows the purged memory: an entry, a hit or a
// line of a list with its key, and its scope where that is given.
func (e *eraser) mentions(result string) bool {
	var v any
	if json.Unmarshal([]byte(result), &v) != nil {
		return false
	}
	var look func(v any) bool
	look = func(v any) bool {
		switch v := v.(type) {
		case []any:
			for _, x := range v {
				if look(x) {
					return true
				}
			}
		case map[string]any:
			if v["key"] == e.key {
				if s, ok := v["scope"].(string); !ok || s == string(e.scope) {
					return true
				}
			}
			for _, x := range v {
				if look(x) {
					return true
				}
			}
		}
		return false
	}
	return look(v)
}
