// Package dynamic runs the scripts of an agent folder: Starlark files under
// dynamic/ that may reshape a turn before it begins. It bounds what a script
// can use and leaves what becomes of its wishes to package agent.
package dynamic

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Limits of one script's run.
const (
	MaxSteps  = 500_000         // of the interpreter
	MaxMemory = 32 << 20        // bytes of values that it makes in all, estimated
	MaxTime   = 2 * time.Second // by the clock
	MaxState  = 256 << 10       // bytes of the whole state as JSON
	MaxText   = 64 << 10        // bytes of a prompt
	MaxFile   = 256 << 10       // bytes of a script
)

// Input is what a script sees of a turn.
type Input struct {
	Thread  string
	Message string
	Turn    int
	State   map[string]json.RawMessage
}

// Output is what the scripts made of it.
type Output struct {
	State   map[string]json.RawMessage
	Add     string   // joined by blank lines
	Replace string   // of the last script that gave one
	Model   string   // likewise
	Tools   []string // names that every script leaves; nil is all
	Narrow  bool     // Tools holds, even when it is empty
	Errors  []error  // of scripts that failed; the others count
}

// Scripts are those of one agent folder, in the order of their names.
type Scripts struct{ files []file }

type file struct {
	name string
	text []byte
}

// Load reads dynamic/*.star of an agent folder. A folder without any has no
// scripts, which is no error.
func Load(folder string) (*Scripts, error) {
	paths, err := filepath.Glob(filepath.Join(escapeGlob(folder), "dynamic", "*.star"))
	if err != nil {
		return nil, fmt.Errorf("looking for scripts in %s: %w", folder, err)
	}
	slices.Sort(paths)
	s := &Scripts{}
	for _, p := range paths {
		info, err := os.Stat(p)
		if err == nil && info.Size() > MaxFile {
			err = fmt.Errorf("it has %d bytes, the limit is %d", info.Size(), MaxFile)
		}
		var text []byte
		if err == nil {
			text, err = os.ReadFile(p)
		}
		if err != nil {
			return nil, fmt.Errorf("reading the script %s: %w", p, err)
		}
		s.files = append(s.files, file{filepath.Join("dynamic", filepath.Base(p)), text})
	}
	return s, nil
}

func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// Run runs all scripts. One that fails leaves no trace but its error.
func (s *Scripts) Run(ctx context.Context, in Input) Output {
	out := Output{State: in.State}
	for _, f := range s.files {
		in.State = out.State
		one, err := run(ctx, f, in)
		if err != nil {
			out.Errors = append(out.Errors, fmt.Errorf("script %s: %w", f.name, err))
			continue
		}
		out.merge(one)
	}
	return out
}

func (o *Output) merge(one Output) {
	o.State = one.State
	if one.Add != "" {
		if o.Add != "" {
			o.Add += "\n\n"
		}
		o.Add += one.Add
	}
	if one.Replace != "" {
		o.Replace = one.Replace
	}
	if one.Model != "" {
		o.Model = one.Model
	}
	if one.Narrow {
		if !o.Narrow {
			o.Tools = one.Tools
		} else {
			o.Tools = slices.DeleteFunc(o.Tools, func(t string) bool { return !slices.Contains(one.Tools, t) })
		}
		o.Narrow = true
	}
}

// run compiles and runs one script. It is compiled each time, as a small file
// takes well under a millisecond and no run can then leave a trace in the next.
func run(ctx context.Context, f file, in Input) (Output, error) {
	tree, err := (&syntax.FileOptions{Set: true}).Parse(f.name, f.text, 0)
	if err != nil {
		return Output{}, err
	}
	if err := rewrite(tree); err != nil {
		return Output{}, err
	}
	m := &meter{left: MaxMemory}
	known := m.functions()
	program, err := starlark.FileProgram(tree, known.Has)
	if err != nil {
		return Output{}, err
	}
	thread := &starlark.Thread{Name: f.name, Print: func(*starlark.Thread, string) {}}
	thread.SetMaxExecutionSteps(MaxSteps)
	ctx, cancel := context.WithTimeout(ctx, MaxTime)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { thread.Cancel("it took too long, or the turn was stopped") })
	defer stop()
	globals, err := program.Init(thread, known)
	if err != nil {
		return Output{}, err
	}
	fn, ok := globals["resolve"].(*starlark.Function)
	if !ok {
		return Output{}, errors.New("it defines no function resolve(ctx)")
	}
	state, err := fromState(in.State)
	if err != nil {
		return Output{}, err
	}
	result, err := starlark.Call(thread, fn, starlark.Tuple{newContext(in, state)}, nil)
	if err != nil {
		return Output{}, err
	}
	return readResult(result, state)
}
