package dynamic

import (
	"fmt"
	"strings"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// meter counts what a script makes, in bytes, estimated from above. What it
// lets go of is not taken off, so the sum bounds what it can hold.
type meter struct{ left int }

// Sizes of values in bytes, roughly as the interpreter lays them out.
const (
	sizeValue = 16 // a place in a list
	sizeEntry = 96 // a place in a dict or set
	maxInt    = 4096
)

func (m *meter) take(bytes int) error {
	if bytes < 0 || bytes > m.left {
		m.left = 0
		return errMemory
	}
	m.left -= bytes
	return nil
}

// functions are what the rewritten script calls.
func (m *meter) functions() starlark.StringDict {
	return starlark.StringDict{
		nameBinary: starlark.NewBuiltin("operator", m.binary),
		nameAdd:    starlark.NewBuiltin("operator", m.add),
		nameCall:   starlark.NewBuiltin("call", m.call),
		nameCharge: starlark.NewBuiltin("value", m.charge),
	}
}

func (m *meter) charge(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	if t, ok := args[0].(starlark.Tuple); ok {
		return t, m.deep(t, 1)
	}
	return args[0], m.take(shallow(args[0]))
}

func (m *meter) binary(_ *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	n, err := starlark.AsInt32(args[0])
	if err != nil {
		return nil, err
	}
	op, x, y := syntax.Token(n), args[1], args[2]
	if err := m.operate(op, x, y); err != nil {
		return nil, err
	}
	return starlark.Binary(op, x, y)
}

func (m *meter) operate(op syntax.Token, x, y starlark.Value) error {
	a, xInt := x.(starlark.Int)
	b, yInt := y.(starlark.Int)
	switch {
	case xInt && yInt:
		if bits(a)+bits(b) > maxInt {
			return fmt.Errorf("numbers may have %d bits", maxInt/2)
		}
		return nil
	case op == syntax.STAR && xInt:
		return m.repeat(y, a)
	case op == syntax.STAR && yInt:
		return m.repeat(x, b)
	case op == syntax.PERCENT:
		if s, ok := x.(starlark.String); ok {
			return m.format(s, starlark.Tuple{y})
		}
	}
	return m.take(shallow(x) + shallow(y))
}

func bits(n starlark.Int) int { return n.BigInt().BitLen() }

func (m *meter) repeat(v starlark.Value, times starlark.Int) error {
	n, ok := times.Int64()
	if !ok || n > MaxMemory {
		return errMemory
	}
	return m.take(shallow(v) * max(int(n), 0))
}

// add is x += y: it extends a list in place, as the language says.
func (m *meter) add(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, _ []starlark.Tuple) (starlark.Value, error) {
	switch x := args[1].(type) {
	case *starlark.List:
		if y, ok := args[2].(starlark.Iterable); ok && isToken(args[0], syntax.PLUS) {
			if err := m.take(shallow(y)); err != nil {
				return nil, err
			}
			extend, err := x.Attr("extend")
			if err == nil {
				_, err = starlark.Call(thread, extend, starlark.Tuple{y}, nil)
			}
			return x, err
		}
	case *starlark.Dict:
		if y, ok := args[2].(*starlark.Dict); ok && isToken(args[0], syntax.PIPE) {
			if err := m.take(shallow(y)); err != nil {
				return nil, err
			}
			update, err := x.Attr("update")
			if err == nil {
				_, err = starlark.Call(thread, update, starlark.Tuple{y}, nil)
			}
			return x, err
		}
	}
	return m.binary(thread, b, args, nil)
}

func isToken(v starlark.Value, op syntax.Token) bool {
	n, err := starlark.AsInt32(v)
	return err == nil && syntax.Token(n) == op
}

// call calls what the script calls, after counting what one of the language's
// own functions may make of its arguments.
func (m *meter) call(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
	fn, args := args[0], args[1:]
	b, ok := fn.(*starlark.Builtin)
	if !ok {
		return starlark.Call(thread, fn, args, named)
	}
	all := append(starlark.Tuple{}, args...)
	for i, a := range args {
		args[i] = m.counted(a)
	}
	for _, kv := range named {
		all = append(all, kv[1])
		kv[1] = m.counted(kv[1])
	}
	if err := m.builtin(b, all); err != nil {
		return nil, err
	}
	return starlark.Call(thread, fn, args, named)
}

// counted makes one of the language's own functions count when another one
// calls it, as sorted calls its key.
func (m *meter) counted(v starlark.Value) starlark.Value {
	b, ok := v.(*starlark.Builtin)
	if !ok {
		return v
	}
	return starlark.NewBuiltin(b.Name(), func(thread *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		return m.call(thread, nil, append(starlark.Tuple{b}, args...), named)
	})
}

func (m *meter) builtin(b *starlark.Builtin, args starlark.Tuple) error {
	if s, ok := b.Receiver().(starlark.String); ok {
		return m.method(b.Name(), s, args)
	}
	total := sizeEntry
	if r := b.Receiver(); r != nil {
		if b.Name() == "append" || b.Name() == "get" || b.Name() == "insert" {
			return m.take(sizeEntry)
		}
		total += shallow(r)
	}
	switch b.Name() {
	case "str", "repr", "print", "fail", "hash":
		for _, a := range args {
			if err := m.deep(a, 2); err != nil {
				return err
			}
		}
		return nil
	case "len", "type", "bool", "any", "all":
		return nil
	}
	for _, a := range args {
		// Each element may become an entry of its own: a tuple of enumerate,
		// a place in a set.
		total += elements(a)*sizeEntry + shallow(a)
	}
	return m.take(total)
}

// method counts what a method of a text may make.
func (m *meter) method(name string, s starlark.String, args starlark.Tuple) error {
	switch name {
	case "join":
		if len(args) != 1 {
			return nil // the call itself will say so
		}
		if err := m.deep(args[0], 1); err != nil {
			return err
		}
		return m.take(elements(args[0]) * len(s))
	case "replace":
		if len(args) < 2 {
			return nil
		}
		old, _ := starlark.AsString(args[0])
		to, _ := starlark.AsString(args[1])
		return m.take(len(s) + strings.Count(string(s), old)*len(to))
	case "format":
		return m.format(s, args)
	case "split", "rsplit", "splitlines", "partition", "rpartition":
		return m.take((len(s) + 3) * sizeValue)
	}
	return m.take(4 * len(s))
}

// format counts a text with places, each of which may show any argument.
func (m *meter) format(s starlark.String, args starlark.Tuple) error {
	places := max(strings.Count(string(s), "{"), strings.Count(string(s), "%"), 1)
	if err := m.take(len(s)); err != nil {
		return err
	}
	for _, a := range args {
		if err := m.deep(a, 2*places); err != nil {
			return err
		}
	}
	return nil
}

// deep counts a value with all that it contains, as often as it contains it,
// factor times. A value that contains itself uses the whole budget up.
func (m *meter) deep(v starlark.Value, factor int) error {
	if err := m.take((shallow(v) + sizeValue) * factor); err != nil {
		return err
	}
	switch v := v.(type) {
	case starlark.String, starlark.Bytes:
	case *starlark.Dict:
		for _, item := range v.Items() {
			if err := m.deep(item[0], factor); err != nil {
				return err
			}
			if err := m.deep(item[1], factor); err != nil {
				return err
			}
		}
	case starlark.Iterable:
		if elements(v) == 0 {
			return nil
		}
		it := v.Iterate()
		defer it.Done()
		var e starlark.Value
		for it.Next(&e) {
			if err := m.deep(e, factor); err != nil {
				return err
			}
		}
	}
	return nil
}

// elements is how many elements a value has, 0 for one that has none.
func elements(v starlark.Value) int {
	if _, ok := v.(starlark.Iterable); !ok {
		return 0
	}
	return min(max(starlark.Len(v), 0), MaxMemory)
}

// shallow is what a value takes without what it contains.
func shallow(v starlark.Value) int {
	switch v := v.(type) {
	case starlark.String:
		return len(v) + sizeValue
	case starlark.Bytes:
		return len(v) + sizeValue
	case starlark.Int:
		return sizeValue + bits(v)/8
	case *starlark.Dict:
		return v.Len()*sizeEntry + sizeEntry
	case *starlark.Set:
		return v.Len()*sizeEntry + sizeEntry
	}
	return elements(v)*sizeValue + sizeValue
}
