package files

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"reverie/memstore"
)

// git runs the real git in a folder.
func (w *world) git(dir string, args ...string) string {
	w.Helper()
	out, err := w.tryGit(dir, args...)
	if err != nil {
		w.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (w *world) tryGit(dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(w.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "HOME="+w.home,
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.invalid", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.invalid",
		"GIT_EDITOR=true", "GIT_TERMINAL_PROMPT=0")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// newRepository is a world whose project is a git repository with the entries
// a and b committed on the branch main.
func newRepository(t *testing.T) *world {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	w := newWorld(t)
	w.git(w.root, "init", "-q", "-b", "main")
	w.save("a", "one")
	w.save("b", "two")
	w.commit("first")
	w.sync()
	return w
}

// commit records everything, the list of the memories as they are included.
func (w *world) commit(message string) {
	w.Helper()
	w.sync()
	w.git(w.root, "add", "-A")
	w.git(w.root, "commit", "-q", "-m", message)
}

func TestACheckoutOfAnotherBranchEditsAndAddsButForgetsNothing(t *testing.T) {
	t.Parallel()
	w := newRepository(t)
	w.git(w.root, "checkout", "-q", "-b", "side")
	w.put("c.md", "three\n")
	w.put("a.md", "side's\n")
	w.commit("side")
	w.sync()
	w.git(w.root, "checkout", "-q", "main")
	r := w.sync()
	eq(t, "forgotten", r.Forgotten, []string{})
	eq(t, "c", w.value("c"), "three")
	eq(t, "a", w.value("a"), "one")
	if len(r.Deletions) != 1 || !strings.Contains(r.Deletions[0].Reason, "another commit") {
		t.Errorf("the deletions are %v", r.Deletions)
	}
	eq(t, "still held back", len(w.sync().Deletions), 1)
	w.git(w.root, "checkout", "-q", "side")
	r = w.sync()
	eq(t, "back on the branch", r.Deletions, []Held{})
	eq(t, "a", w.value("a"), "side's")
	w.quiet()
}

func TestADeletionByHandInARepositoryIsAForget(t *testing.T) {
	t.Parallel()
	w := newRepository(t)
	w.delete("a.md")
	eq(t, "forgotten", w.sync().Forgotten, []string{"a"})
}

func TestAMergeWithConflictsForgetsNothingAndTakesNoMarkers(t *testing.T) {
	t.Parallel()
	w := newRepository(t)
	w.git(w.root, "checkout", "-q", "-b", "side")
	w.put("a.md", "side's\n")
	w.delete("b.md")
	w.commit("side")
	w.git(w.root, "checkout", "-q", "main")
	w.put("a.md", "main's\n")
	w.commit("main")
	w.sync()
	if out, err := w.tryGit(w.root, "merge", "side"); err == nil {
		t.Fatalf("the merge has no conflict: %s", out)
	}
	r := w.sync()
	eq(t, "forgotten", r.Forgotten, []string{})
	eq(t, "b", w.value("b"), "two")
	eq(t, "a", w.value("a"), "main's")
	if !strings.Contains(reasonFor(r.Refused, "a.md"), "merge conflict") {
		t.Errorf("refused is %v", r.Refused)
	}
	if len(r.Deletions) != 1 || !strings.Contains(r.Deletions[0].Reason, "a merge") {
		t.Errorf("the deletions are %v", r.Deletions)
	}
	w.put("a.md", "both\n")
	eq(t, "imported", w.sync().Imported, []string{"a"})
	w.commit("merged")
	eq(t, "forgotten", w.sync().Forgotten, []string{})
	r, err := w.m.Sync(t.Context(), SyncOptions{AcceptDeletions: true})
	w.must(err)
	eq(t, "accepted", r.Forgotten, []string{"b"})
}

func TestARebaseInProgressForgetsNothing(t *testing.T) {
	t.Parallel()
	w := newRepository(t)
	w.git(w.root, "checkout", "-q", "-b", "side")
	w.put("c.md", "three\n")
	w.commit("c")
	w.put("a.md", "side's\n")
	w.commit("a")
	w.sync()
	w.git(w.root, "checkout", "-q", "main")
	w.put("a.md", "main's\n")
	w.commit("main")
	w.git(w.root, "checkout", "-q", "side")
	w.sync()
	if out, err := w.tryGit(w.root, "rebase", "main"); err == nil || readGit(w.root).doing == "" {
		t.Fatalf("the rebase did not stop at a conflict: %s", out)
	}
	w.delete("c.md")
	r := w.sync()
	eq(t, "forgotten", r.Forgotten, []string{})
	if len(r.Deletions) != 1 || !strings.Contains(r.Deletions[0].Reason, "a rebase") {
		t.Errorf("the deletions are %v", r.Deletions)
	}
	w.git(w.root, "rebase", "--abort")
	r = w.sync()
	eq(t, "after giving up", r.Deletions, []Held{})
	eq(t, "c", w.value("c"), "three")
	eq(t, "a", w.value("a"), "side's")
}

func TestAStashForgetsNothing(t *testing.T) {
	t.Parallel()
	w := newRepository(t)
	w.put("c.md", "three\n")
	w.put("a.md", "changed\n")
	w.sync()
	w.git(w.root, "stash", "-q", "-u")
	r := w.sync()
	eq(t, "forgotten", r.Forgotten, []string{})
	eq(t, "c", w.value("c"), "three")
	eq(t, "a", w.value("a"), "one")
	w.git(w.root, "stash", "pop", "-q")
	r = w.sync()
	eq(t, "held back", r.Deletions, []Held{})
	eq(t, "a", w.value("a"), "changed")
}

func TestAFreshCloneIsTakenOverAndAnnouncedOnce(t *testing.T) {
	t.Parallel()
	w := newRepository(t)
	clone := &world{T: t, home: t.TempDir(), root: filepath.Join(t.TempDir(), "clone")}
	clone.git(clone.home, "clone", "-q", w.root, clone.root)
	clone.dir = filepath.Join(clone.root, ".reverie", "memory")
	clone.openStore(memstore.Project)
	clone.openMirror()
	r := clone.sync()
	eq(t, "first seen", r.FirstSeen, []string{"a", "b"})
	eq(t, "a", clone.value("a"), "one")
	eq(t, "announced again", clone.sync().FirstSeen, []string{})

	// A colleague's change and deletion, by way of git.
	w.put("a.md", "pulled\n")
	w.delete("b.md")
	w.commit("second")
	clone.git(clone.root, "pull", "-q")
	r = clone.sync()
	eq(t, "imported", r.Imported, []string{"a"})
	eq(t, "forgotten", r.Forgotten, []string{})
	eq(t, "b stays until it is accepted", clone.value("b"), "two")
}

func TestAWorktreeHasAHeadOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newRepository(t)
	w.put("c.md", "three\n")
	w.commit("c")
	tree := &world{T: t, home: t.TempDir(), root: filepath.Join(t.TempDir(), "tree")}
	w.git(w.root, "worktree", "add", "-q", "-b", "other", tree.root)
	tree.dir = filepath.Join(tree.root, ".reverie", "memory")
	tree.openStore(memstore.Project)
	tree.openMirror()
	tree.sync()
	eq(t, "the worktree's commit", commitOf(readGit(tree.root)), strings.TrimSpace(w.git(tree.root, "rev-parse", "HEAD")))
	tree.git(tree.root, "checkout", "-q", "HEAD~1")
	r := tree.sync()
	eq(t, "forgotten", r.Forgotten, []string{})
	eq(t, "held back", len(r.Deletions), 1)
}

// commitOf is the commit that a state names.
func commitOf(s gitState) string {
	commit, _, _ := strings.Cut(s.head, " ")
	return commit
}

func TestGitsStateIsReadAsGitWritesIt(t *testing.T) {
	t.Parallel()
	w := newRepository(t)
	head := strings.TrimSpace(w.git(w.root, "rev-parse", "HEAD"))
	eq(t, "a branch", commitOf(readGit(w.root)), head)
	w.git(w.root, "pack-refs", "--all")
	eq(t, "packed references", commitOf(readGit(w.root)), head)
	w.git(w.root, "checkout", "-q", "--detach")
	eq(t, "a detached head", commitOf(readGit(w.root)), head)
	w.must(os.WriteFile(filepath.Join(w.root, ".git", "index.lock"), nil, 0o644))
	eq(t, "a command at work", readGit(w.root).locked, true)
	eq(t, "no repository", readGit(t.TempDir()), gitState{})
}

func TestADeletionWhileAGitCommandIsAtWorkWaits(t *testing.T) {
	t.Parallel()
	w := newRepository(t)
	lock := filepath.Join(w.root, ".git", "index.lock")
	w.must(os.WriteFile(lock, nil, 0o644))
	w.delete("a.md")
	r := w.sync()
	eq(t, "forgotten", r.Forgotten, []string{})
	eq(t, "to look again", r.later, true)
	w.must(os.Remove(lock))
	eq(t, "afterwards", w.sync().Forgotten, []string{"a"})
}

func TestGitGoingThereAndBackForgetsNothing(t *testing.T) {
	t.Parallel()
	for name, there := range map[string]func(w *world){
		"a branch of the same commit": func(w *world) {
			w.git(w.root, "add", "-A")
			w.git(w.root, "commit", "-q", "-m", "side")
			w.git(w.root, "checkout", "-q", "main")
		},
		"a hard reset": func(w *world) {
			w.git(w.root, "add", "-A")
			w.git(w.root, "reset", "-q", "--hard")
		},
		"a stash that is dropped": func(w *world) {
			w.git(w.root, "stash", "-q", "-u")
			w.git(w.root, "stash", "drop", "-q")
		},
		"a stash of one file that is dropped": func(w *world) {
			w.git(w.root, "add", "-A")
			w.git(w.root, "stash", "push", "-q", "--", ".reverie/memory/c.md")
			w.git(w.root, "stash", "drop", "-q")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newRepository(t)
			w.git(w.root, "checkout", "-q", "-b", "side")
			w.put("c.md", "three\n")
			w.sync()
			commit := commitOf(readGit(w.root))
			there(w)
			eq(t, "the file", w.file("c.md"), "(none)")
			eq(t, "the commit", commitOf(readGit(w.root)), commit)
			r := w.sync()
			eq(t, "forgotten", r.Forgotten, []string{})
			eq(t, "held back", len(r.Deletions), 1)
			eq(t, "c", w.value("c"), "three")
		})
	}
}

func TestAWorktreesCheckoutThereAndBackForgetsNothing(t *testing.T) {
	t.Parallel()
	w := newRepository(t)
	tree := &world{T: t, home: t.TempDir(), root: filepath.Join(t.TempDir(), "tree")}
	w.git(w.root, "worktree", "add", "-q", "-b", "other", tree.root)
	tree.dir = filepath.Join(tree.root, ".reverie", "memory")
	tree.openStore(memstore.Project)
	tree.openMirror()
	tree.put("c.md", "three\n")
	tree.sync()
	tree.git(tree.root, "add", "-A")
	tree.git(tree.root, "reset", "-q", "--hard")
	r := tree.sync()
	eq(t, "forgotten", r.Forgotten, []string{})
	eq(t, "held back", len(r.Deletions), 1)
}
