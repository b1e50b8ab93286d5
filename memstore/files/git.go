package files

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// gitState is what git's own files say about whether it changed the working
// tree, read without running git. See gitrepository-layout(5).
type gitState struct {
	// head begins with the commit that is checked out, and names all that
	// shows that git moved in the meantime, there and back too: the branch, the
	// times of HEAD and of its log, the newest stash and the time of the folder
	// that the stash's name comes and goes in. Where it differs, git may have
	// removed files. Without a log (core.logAllRefUpdates) a reset to the same
	// commit is not seen.
	head string
	// doing is what git is in the middle of, such as "a merge"; "" for nothing.
	doing string
	// locked: a git command is at work in this moment.
	locked bool
}

// underWay are the files that git keeps while something is not finished.
var underWay = []struct{ name, doing string }{
	{"rebase-merge", "a rebase"},
	{"rebase-apply", "a rebase"},
	{"MERGE_HEAD", "a merge"},
	{"CHERRY_PICK_HEAD", "a cherry-pick"},
	{"REVERT_HEAD", "a revert"},
	{"BISECT_LOG", "a bisection"},
}

// readGit reads the state of the repository whose working tree begins at root;
// it is the zero state where there is none.
func readGit(root string) gitState {
	dir := gitDir(root)
	if dir == "" {
		return gitState{}
	}
	var s gitState
	for _, u := range underWay {
		if exists(filepath.Join(dir, u.name)) {
			s.doing = u.doing
			break
		}
	}
	s.locked = exists(filepath.Join(dir, "index.lock"))
	common := dir
	if c := firstLine(filepath.Join(dir, "commondir")); c != "" {
		common = absoluteIn(dir, c)
	}
	s.head = strings.Join([]string{
		resolve(dir, common, "HEAD"), firstLine(filepath.Join(dir, "HEAD")), trace(filepath.Join(dir, "HEAD")),
		trace(filepath.Join(dir, "logs", "HEAD")), trace(filepath.Join(common, "refs")),
	}, " ")
	if stash := resolve(common, common, "refs/stash"); stash != "" {
		s.head += " " + stash
	}
	// Where references are kept in tables, any change of one counts.
	for _, d := range []string{dir, common} {
		if tables, err := os.ReadFile(filepath.Join(d, "reftable", "tables.list")); err == nil {
			s.head += " " + strings.Join(strings.Fields(string(tables)), " ")
		}
	}
	return s
}

// gitDir is the repository of a working tree: the folder .git, or the one that
// a file of that name points to.
func gitDir(root string) string {
	if root == "" {
		return ""
	}
	p := filepath.Join(root, ".git")
	fi, err := os.Stat(p)
	if err != nil {
		return ""
	}
	if fi.IsDir() {
		return p
	}
	to, ok := strings.CutPrefix(firstLine(p), "gitdir:")
	if !ok {
		return ""
	}
	return absoluteIn(root, strings.TrimSpace(to))
}

// resolve follows a reference to the commit that it names; "" where it names
// none yet.
func resolve(dir, common, ref string) string {
	for range 8 {
		v := firstLine(filepath.Join(dir, filepath.FromSlash(ref)))
		if v == "" && dir != common {
			v = firstLine(filepath.Join(common, filepath.FromSlash(ref)))
		}
		if v == "" {
			return packed(common, ref)
		}
		next, symbolic := strings.CutPrefix(v, "ref:")
		if !symbolic {
			return v
		}
		ref = strings.TrimSpace(next)
		if !filepath.IsLocal(filepath.FromSlash(ref)) {
			return ""
		}
	}
	return ""
}

// packed looks a reference up among those that git packed into one file.
func packed(common, ref string) string {
	f, err := os.Open(filepath.Join(common, "packed-refs"))
	if err != nil {
		return ""
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if commit, name, ok := strings.Cut(lines.Text(), " "); ok && name == ref {
			return commit
		}
	}
	return ""
}

func exists(p string) bool {
	_, err := os.Lstat(p)
	return err == nil
}

func absoluteIn(dir, p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(dir, p)
}

// trace is the size and the time of a file that git writes to, or the time of a
// folder; "-" where there is none.
func trace(p string) string {
	fi, err := os.Stat(p)
	if err != nil {
		return "-"
	}
	return fmt.Sprintf("%d/%d", fi.Size(), fi.ModTime().UnixNano())
}

// firstLine is the first line of a small file; "" where it can't be read.
func firstLine(p string) string {
	b, err := os.ReadFile(p)
	if err != nil {
		return ""
	}
	s, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(s)
}
