package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"reverie/agent"
	"reverie/tui"
)

// load reads the settings of this run and finds the places where things are
// kept, once. Warnings go to standard error.
func (a *app) load() (*settings, place, error) {
	if a.settings == nil {
		st, p, err := a.read()
		if err != nil {
			return nil, p, err
		}
		for _, w := range st.warnings {
			a.say("reverie: %s", w)
		}
		a.settings, a.place = st, p
	}
	return a.settings, a.place, nil
}

func (a *app) read() (*settings, place, error) {
	cwd, err := os.Getwd()
	if err != nil {
		return nil, place{}, fmt.Errorf("find the working directory: %w", err)
	}
	p, err := findPlace(a.getenv, cwd)
	if err != nil {
		return nil, p, err
	}
	if a.flags.config != "" {
		if _, err := os.Stat(a.flags.config); err != nil {
			return nil, p, usagef("--config %s: %v", a.flags.config, err)
		}
		p.config = a.flags.config
	}
	user, err := readLayer(p.config, false)
	if err != nil {
		return nil, p, err
	}
	project, err := readLayer(filepath.Join(p.root, ".reverie", "config.toml"), true)
	if err != nil {
		return nil, p, err
	}
	folder, err := a.agentLayer()
	if err != nil {
		return nil, p, err
	}
	env, err := environment(a.getenv)
	if err != nil {
		return nil, p, err
	}
	flags, err := a.flagLayer()
	if err != nil {
		return nil, p, err
	}
	st := merge([]layer{user, project, folder, env, flags})
	if err := st.check(); err != nil {
		return nil, p, err
	}
	if dir := st.text("memory.dir"); dir != "" {
		p.memory = absolute(dir, cwd)
	}
	if dir := st.text("user_model.dir"); dir != "" {
		p.user = absolute(dir, cwd)
		p.notes = filepath.Join(p.user, "memory")
	}
	return st, p, nil
}

// check refuses values that are of the right form and still can't work.
func (st *settings) check() error {
	if name := st.text("theme"); name != "auto" && name != "" {
		if _, err := loadTheme(name); err != nil {
			return usagef("theme, set by %s: %v", st.origins["theme"], err)
		}
	}
	if err := tui.CheckKeys(st.keys()); err != nil {
		return usagef("settings: %v", err)
	}
	for _, name := range st.under("providers") {
		at := "providers." + name + ".base_url"
		if v := st.text(at); v != "" && !strings.HasPrefix(v, "http://") && !strings.HasPrefix(v, "https://") {
			return usagef("%s = %q, set by %s: it takes an address that begins with http:// or https://", at, v, st.origins[at])
		}
	}
	return nil
}

// agentLayer reads the agent folder of --agent. It may come with a repository,
// so that all it sets is the model; what it says of memory is about its own
// notes alone.
func (a *app) agentLayer() (layer, error) {
	l := layer{project: true, values: map[string]string{}}
	if a.flags.agent == "" {
		return l, nil
	}
	f, err := agent.LoadFolder(a.flags.agent)
	if err != nil {
		return l, usagef("--agent: %v", err)
	}
	a.folder = &f
	l.origin = filepath.Join(f.Dir, "agent.toml")
	for _, key := range f.Ignored {
		a.say("reverie: %s sets %s, which only your own settings may; it is ignored", l.origin, key)
	}
	if f.Model != "" {
		l.values["model"] = f.Model
	}
	return l, nil
}

func absolute(dir, cwd string) string {
	if filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	return filepath.Join(cwd, dir)
}

// flagLayer holds what the flags of this run set.
func (a *app) flagLayer() (layer, error) {
	l := layer{origin: "flags", values: map[string]string{}}
	f := a.flags
	for path, v := range map[string]string{
		"model":                           f.model,
		"theme":                           f.theme,
		"memory.dir":                      f.memoryDir,
		"user_model.dir":                  f.userDir,
		"memory.consolidate_interval":     f.memoryEvery,
		"user_model.consolidate_interval": f.userEvery,
	} {
		if v == "" {
			continue
		}
		s, _ := find(path)
		val, err := s.parse(v)
		if err != nil {
			return l, usagef("%s %q: %v", path, v, err)
		}
		l.values[path] = val
	}
	if f.plain {
		l.values["plain"] = "true"
	}
	if f.noMemory {
		l.values["memory.enabled"] = "false"
	}
	if f.noUserModel {
		l.values["user_model.enabled"] = "false"
	}
	return l, nil
}
