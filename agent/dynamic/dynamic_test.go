package dynamic

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// folder makes an agent folder with scripts by name.
func folder(t *testing.T, scripts map[string]string) *Scripts {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "dynamic"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range scripts {
		if err := os.WriteFile(filepath.Join(dir, "dynamic", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func one(t *testing.T, text string, in Input) Output {
	t.Helper()
	return folder(t, map[string]string{"a.star": text}).Run(t.Context(), in)
}

func TestAScriptSeesTheTurnAndReshapesIt(t *testing.T) {
	t.Parallel()
	out := one(t, `
def resolve(ctx):
    ctx.state["count"] = ctx.state.get("count", 0) + 1
    ctx.state["seen"] = [ctx.thread, ctx.message, ctx.turn]
    return {
        "add": "Be %s." % ctx.message,
        "model": "openai/small",
        "tools": ["recall"],
    }
`, Input{Thread: "t1", Message: "brief", Turn: 3, State: map[string]json.RawMessage{"count": json.RawMessage("4")}})
	if len(out.Errors) > 0 {
		t.Fatal(out.Errors)
	}
	if got := string(out.State["count"]); got != "5" {
		t.Errorf("count is %s, want 5", got)
	}
	if got := string(out.State["seen"]); got != `["t1","brief",3]` {
		t.Errorf("seen is %s", got)
	}
	if out.Add != "Be brief." || out.Model != "openai/small" || !out.Narrow || !slices.Equal(out.Tools, []string{"recall"}) {
		t.Errorf("the output is %+v", out)
	}
}

func TestScriptsRunInTheOrderOfTheirNamesAndSeeTheStateOfThoseBefore(t *testing.T) {
	t.Parallel()
	out := folder(t, map[string]string{
		"20.star": "def resolve(ctx):\n    ctx.state['order'] = ctx.state['order'] + ['20']\n    return {'add': 'two', 'tools': ['b', 'c'], 'replace': 'last'}\n",
		"10.star": "def resolve(ctx):\n    ctx.state['order'] = ['10']\n    return {'add': 'one', 'tools': ['a', 'b'], 'replace': 'first'}\n",
		"30.star": "def resolve(ctx):\n    ctx.state['order'] += ['30']\n",
	}).Run(t.Context(), Input{})
	if len(out.Errors) > 0 {
		t.Fatal(out.Errors)
	}
	if got := string(out.State["order"]); got != `["10","20","30"]` {
		t.Errorf("they ran in the order %s", got)
	}
	if out.Add != "one\n\ntwo" || out.Replace != "last" || !slices.Equal(out.Tools, []string{"b"}) {
		t.Errorf("merged to %+v", out)
	}
}

func TestAScriptThatFailsLeavesNoTraceAndTheOthersCount(t *testing.T) {
	t.Parallel()
	out := folder(t, map[string]string{
		"a.star": "def resolve(ctx):\n    ctx.state['x'] = 1\n    return {'add': 'a'}\n",
		"b.star": "def resolve(ctx):\n    ctx.state['x'] = 2\n    fail('no')\n",
		"c.star": "def resolve(ctx)\n",
		"d.star": "def resolve(ctx):\n    ctx.state['y'] = 3\n",
		"e.star": "x = 1\n",
		"f.star": "load('other.star', 'x')\ndef resolve(ctx):\n    pass\n",
		"g.star": "def resolve(ctx):\n    return {'prompt': 'x'}\n",
		"h.star": "def resolve(ctx):\n    ctx.message = 'x'\n",
	}).Run(t.Context(), Input{})
	if len(out.Errors) != 6 {
		t.Errorf("%d errors, want 6: %v", len(out.Errors), out.Errors)
	}
	if string(out.State["x"]) != "1" || string(out.State["y"]) != "3" || out.Add != "a" {
		t.Errorf("the output is %+v", out)
	}
}

func TestTheLanguageWorksAsItIsWritten(t *testing.T) {
	t.Parallel()
	out := one(t, `
def twice(x, n = 1 + 1):
    return x * n

def resolve(ctx):
    s = ctx.state
    l = [1, 2]
    same = l
    l += [3]
    s["aliased"] = same
    d = {"a": 1}
    d |= {"b": 2}
    s["dict"] = d
    s["n"] = 1
    s["n"] += 2
    s["n"] *= 4
    a, (b, c) = 1, (2, 3)
    s["unpacked"] = [a, b, c]
    s["sliced"] = "abcdef"[1:4] + "abc"[::-1]
    s["list"] = [x * x for x in range(5) if x % 2 == 0]
    s["sorted"] = sorted(["bb", "a"], key = lambda x: len(x))
    s["longest"] = max(["a", "ccc", "bb"], key = len) + ",".join(sorted(["B", "a"], key = str))
    s["format"] = "{} and {x}".format("a", x = twice("b"))
    s["percent"] = "%d%s" % (7, "x")
    s["join"] = ", ".join(["a", "b"])
    s["replace"] = "a-b".replace("-", "+")
    s["args"] = (lambda *args, **kw: [len(args), kw["k"]])(*[1, 2], **{"k": 3})
    s["set"] = sorted(set([2, 1]) | set([3]))
    s["tuple"] = {(1, 2): "x"}[(1, 2)]
`, Input{})
	if len(out.Errors) > 0 {
		t.Fatal(out.Errors)
	}
	for name, want := range map[string]string{
		"aliased": `[1,2,3]`, "dict": `{"a":1,"b":2}`, "n": `12`, "unpacked": `[1,2,3]`, "sliced": `"bcdcba"`,
		"list": `[0,4,16]`, "sorted": `["a","bb"]`, "longest": `"cccB,a"`, "format": `"a and bb"`, "percent": `"7x"`, "join": `"a, b"`,
		"replace": `"a+b"`, "args": `[2,3]`, "set": `[1,2,3]`, "tuple": `"x"`,
	} {
		if got := string(out.State[name]); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestAGreedyScriptIsStopped(t *testing.T) {
	for name, body := range map[string]string{
		"steps":       "for i in range(1000000000):\n        pass",
		"repeat":      "x = 'x' * 1000000000",
		"repeatlist":  "x = 1000000000 * [0]",
		"double":      "x = 'x'\n    for i in range(60):\n        x = x + x",
		"doubleplus":  "x = 'x'\n    for i in range(60):\n        x += x",
		"list":        "x = list(range(1000000000))",
		"join":        "x = ('x' * 100000).join(['x' * 10] * 100000)",
		"replace":     "x = ('a' * 100000).replace('a', 'b' * 100000)",
		"format":      "x = ('{0}' * 10000).format('x' * 100000)",
		"method":      "f = ('x' * 100000).join\n    x = f(['x'] * 100000)",
		"getattr":     "x = getattr('x' * 100000, 'join')(['x'] * 100000)",
		"key":         "x = sorted([['x'] * 100000] * 100000, key = ('x' * 1000).join)",
		"str":         "x = []\n    for i in range(60):\n        x = [x, x]\n    y = str(x)",
		"percent":     "x = []\n    for i in range(60):\n        x = [x, x]\n    y = '%s' % x",
		"kept":        "x = 'x' * 1000000\n    l = []\n    for i in range(100000):\n        x += 'x'\n        l.append(x)",
		"slices":      "x = [0] * 100000\n    l = [x[:] for i in range(100000)]",
		"star":        "f = lambda *a: a\n    x = [0] * 100000\n    l = [f(*x) for i in range(100000)]",
		"int":         "x = 3\n    for i in range(60):\n        x = x * x",
		"shift":       "x = 1\n    for i in range(100000):\n        x = x << 500",
		"tuple":       "x = (1, 1)\n    for i in range(60):\n        x = (x, x)\n    y = {x: 1}",
		"dicts":       "l = [{'a': i} for i in range(1000000)]",
		"state":       "ctx.state['x'] = 'x' * 1000000",
		"nested":      "x = []\n    for i in range(60):\n        x = [x, x]\n    ctx.state['x'] = x",
		"self":        "x = []\n    x.append(x)\n    ctx.state['x'] = x",
		"union":       "d = {i: i for i in range(10000)}\n    l = [d | d for i in range(10000)]",
		"setunion":    "d = set(range(10000))\n    l = [d.union(d) for i in range(10000)]",
		"enumerate":   "x = [enumerate(range(100000)) for i in range(10000)]",
		"split":       "x = [('a ' * 100000).split(' ') for i in range(10000)]",
		"upper":       "x = [('a ' * 100000).upper() for i in range(10000)]",
		"recursion":   "resolve(ctx)",
		"while":       "while True:\n        pass",
		"elementplus": "f = lambda: [1]\n    f()[0] += 1",
	} {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			out := one(t, "def resolve(ctx):\n    "+body+"\n", Input{})
			runtime.ReadMemStats(&after)
			if len(out.Errors) != 1 {
				t.Errorf("it was not stopped; the state is %.200s", out.State)
			}
			if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 256 {
				t.Errorf("it made %d MiB", made)
			}
		})
	}
}

func TestAFolderWithoutScriptsHasNone(t *testing.T) {
	t.Parallel()
	s, err := Load(filepath.Join(t.TempDir(), "no [such] folder"))
	if err != nil {
		t.Fatal(err)
	}
	if out := s.Run(t.Context(), Input{State: map[string]json.RawMessage{"a": json.RawMessage("1")}}); string(out.State["a"]) != "1" || len(out.Errors) > 0 {
		t.Errorf("it changed the state: %+v", out)
	}
}

func TestATooLargeScriptIsNamed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "dynamic"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "dynamic", "big.star"), []byte(strings.Repeat("#", MaxFile+1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "big.star") {
		t.Errorf("the error is %v", err)
	}
}
