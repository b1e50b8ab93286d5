package memstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
)

// mapStrings rewrites the strings of a JSON text, but for the names of
// members. Everything else, order and numbers too, stays as it was. Where
// nothing changes, the text itself is returned.
func mapStrings(text json.RawMessage, f func(string) string) (json.RawMessage, error) {
	if !json.Valid(text) {
		return nil, errors.New("it is no JSON")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var out bytes.Buffer
	from, changed := int64(0), false
	var inObject []bool // of each open bracket
	var isName bool
	for {
		tok, err := dec.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		switch tok := tok.(type) {
		case json.Delim:
			if tok == '{' || tok == '[' {
				inObject = append(inObject, tok == '{')
				isName = tok == '{'
				continue
			}
			inObject = inObject[:len(inObject)-1]
		case string:
			if isName {
				isName = false
				continue
			}
			if s := f(tok); s != tok {
				end := dec.InputOffset()
				start := stringStart(text, end)
				quoted, err := json.Marshal(s)
				if err != nil {
					return nil, err
				}
				out.Write(text[from:start])
				out.Write(quoted)
				from, changed = end, true
			}
		}
		isName = len(inObject) > 0 && inObject[len(inObject)-1]
	}
	if !changed {
		return text, nil
	}
	out.Write(text[from:])
	return out.Bytes(), nil
}

// stringStart finds the opening quote of the string literal that ends at end.
func stringStart(text []byte, end int64) int64 {
	for i := end - 2; ; i-- {
		if text[i] != '"' {
			continue
		}
		slashes := 0
		for j := i - 1; j >= 0 && text[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
}
