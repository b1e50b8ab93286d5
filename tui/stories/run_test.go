package stories

import (
	"errors"
	"os/exec"
	"strings"
)

func (p *person) runsIn(dir, stdin string, args ...string) result {
	p.t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, p.environment(), strings.NewReader(stdin)
	var out, errOut strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errOut
	err := cmd.Run()
	var ee *exec.ExitError
	if err != nil && !errors.As(err, &ee) {
		p.t.Fatalf("run %v: %v", args, err)
	}
	return result{out.String(), errOut.String(), cmd.ProcessState.ExitCode()}
}

// answers checks the exit code and what standard output holds.
func (r result) answers(p *person, code int, texts ...string) result {
	p.t.Helper()
	if r.code != code {
		p.t.Fatalf("exit code %d, want %d\nstdout: %s\nstderr: %s", r.code, code, r.out, r.err)
	}
	for _, text := range texts {
		if !strings.Contains(r.out, text) {
			p.t.Fatalf("standard output lacks %q:\n%s\nstderr: %s", text, r.out, r.err)
		}
	}
	return r
}

// complains checks what standard error holds.
func (r result) complains(p *person, texts ...string) result {
	p.t.Helper()
	for _, text := range texts {
		if !strings.Contains(r.err, text) {
			p.t.Fatalf("standard error lacks %q:\n%s", text, r.err)
		}
	}
	return r
}
