"""Random recursive programs on lists and lists of lists, which they change, make, take apart and hand on; `fuzz.recursion` draws their parts.
Each ends whatever it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fuzz.recursion import RecursionWriter as Writer


def mutual(w: Writer) -> str:
    """Functions that call each other, on slices or counting down."""
    if w.flip():
        ends = w.chosen("0", "len(x)", "k")
        return f"""def one(x, k):
    if len(x) < {w.chosen("1", "2")}:
        return {ends}
    return {w.expression("x[0]", "k")} {w.chosen("+", "-")} {w.chosen("two", "three")}({w.chosen("x[1:]", "x[:-1]", "x[::2][1:]")}, k)

def two(x, k):
    if not x or {w.test("x[-1]", "k")}:
        return {ends}
    return {w.chosen("one", "three")}(x[1:], k {w.chosen("+", "-")} 1) {w.chosen("+ x[0]", "* 2", "- len(x)")}

def three(x, k):
    return {w.chosen("one(x[2:], k)", "one(x[1:], -k)", "two(x[1:], k) + 1", "k")}

def f(x, k):
    return one(x, k), two(x, k), three(x[k:], 1)
"""
    return f"""def even(n, seen):
    if n == 0:
        return True
    seen.append({w.chosen("n", "-n", "len(seen)", "(n, 0)" if w.flip() else "n * 2")})
    return odd(n - 1, seen)

def odd(n, seen):
    if n == 0:
        return False
    {w.chosen("seen.append(seen[-1])", "seen.insert(0, seen[-1])", "seen.reverse()", "pass")}
    return even(n - 1, seen)

def f(x, k):
    seen = []
    return even(len(x), seen), seen, odd(k, [seen[0]] if seen else [{"(1, 2)" if w.flip() else "1"}])
"""


def in_place(w: Writer) -> str:
    """A list whose items are exchanged: sorted, turned round, permuted."""
    swap = w.chosen("swap(x, {}, {})", "x[{0}], x[{1}] = x[{1}], x[{0}]")
    body = w.chosen(
        f"""    if lo >= hi:
        return
    p, i = x[{w.chosen("hi", "hi", "lo", "(lo + hi) // 2")}], lo
    for j in range(lo, hi):
        if x[j] {w.chosen("<", "<=", ">")} p:
            {swap.format("i", "j")}
            i += 1
    {swap.format("i", "hi")}
    rec(x, lo, i - 1)
    rec(x, i + 1, hi)""",
        f"""    if lo < hi:
        if {w.test("x[lo]", "x[hi]")}:
            {swap.format("lo", "hi")}
        rec(x, lo + 1, hi - {w.chosen("0", "1")})""",
        f"""    big = lo
    for c in (2 * lo + 1, 2 * lo + 2):
        if c <= hi and x[c] {w.chosen(">", "<")} x[big]:
            big = c
    if big != lo:
        {swap.format("lo", "big")}
        rec(x, big, hi)""",
    )
    uses = w.chosen(
        "rec(x, 0, len(x) - 1)\n    return x",
        "for i in range(len(x) - 1, -1, -1):\n        rec(x, i, len(x) - 1)\n    return x[k:]",
        "y = x[:]\n    rec(y, 0, len(y) - 1)\n    return x, y",
        "y = x\n    rec(y, min(k, len(x) - 1), len(x) - 1)\n    return y is x, y",
    )
    return f"""def swap(l, i, j):
    {w.chosen("l[i], l[j] = l[j], l[i]", "t = l[i]; l[i] = l[j]; l[j] = t")}

def rec(x, lo, hi):
{body}

def f(x, k):
    {uses}
"""


def several_lists(w: Writer) -> str:
    """Halves appended to new lists, each handled by a call that changes it, and put back together."""
    ends = w.chosen("return", "return x", "return len(x)")
    value = ends.removeprefix("return").strip()
    back = w.chosen(
        "x[:] = low + [p] + high",
        "x.clear()\n    x.extend(low)\n    x.append(p)\n    x += high",
        "for i, v in enumerate(low + [p] + high):\n        x[i] = v",
        "del x[1:]\n    x[0] = p\n    x.extend(high)\n    x[:0] = low",
    )
    calls = "\n    ".join(
        f"{'r = ' if value and w.flip() else ''}rec({half})" for half in w.sample(["low", "high"], w.number(1, 2))
    )
    return f"""def rec(x):
    if len(x) < 2:
        {ends}
    p = x[{w.chosen("0", "-1", "len(x) // 2")}]
    low, high = [], []
    {w.chosen("for v in x[1:]:", "for v in x:")}
        if v {w.chosen("<", "<=", "!=")} p:
            low.append(v)
        elif v {w.chosen(">", "> 2 +", "> 0.5 +")} p:
            high.append(v)
    if len(low) == len(x):
        {w.chosen("low.pop()", "low = low[1:]", "del low[0]")}
    if len(high) == len(x):
        high.pop()
    {calls}
    {back}
    return {value}

def f(x, k):
    y = x[k:] + {w.chosen("[k]", "x[:k]", "[]")}
    return rec(x), rec(y), x, y
"""


def hanoi(w: Writer) -> str:
    """Three lists, whose items are moved from one to another."""
    note = w.chosen(
        "log.append((len(a), len(c)))", "log.append(c[-1])", "log.append(len(a) * 10 + len(c))", "log[0] += 1"
    )
    log = "[0]" if note == "log[0] += 1" else "[]"
    return f"""def rec(n, a, b, c, log):
    if n == 0:
        return {w.chosen("0", "len(c)")}
    k = rec(n - 1, a, c, b, log)
    if a:
        c.append(a.pop({w.chosen("", "-1", "0")}))
        {note}
    return k + 1 + rec(n - 1, b, a, c, log)

def f(n):
    a, b, c, log = list(range({w.chosen("n", "n + 1", "3")})), [], {w.chosen("[]", "[9]")}, {log}
    k = rec(n, {", ".join(w.sample(["a", "b", "c"], 3))}, log)
    return k, a, b, c, log
"""


def lists_of_lists(w: Writer) -> str:
    """Results that are lists of lists: permutations, subsets, sums."""
    rec = w.chosen(
        f"""    if not x:
        return [[]]
    out = []
    for i in range(len(x)):
        for r in rec(x[:i] + x[i + 1:]):
            out.append({w.chosen("[x[i]] + r", "r + [x[i]]", "[x[i], *r]")})
    return out{w.chosen("", "[:20]")}""",
        f"""    if not x:
        return [[]]
    rest = rec(x[1:])
    return rest + [{w.chosen("[x[0]] + r", "r + x[:1]")} for r in rest{w.chosen("", " if len(r) < 2", " if not r or r[0] != x[0]")}]""",
        f"""    if len(x) <= {w.chosen("1", "2")}:
        return [x[:]]
    m = len(x) // 2
    out = rec(x[:m])
    out.{w.chosen("append(x[m:])", "extend(rec(x[m:]))", "insert(0, x[m:])")}
    return out""",
        f"""    if len(x) == 0:
        return []
    rows = rec(x[:-1])
    {w.chosen("rows.append([x[-1]] * len(x))", "rows = [r + [x[-1]] for r in rows] + [[x[-1]]]", "rows.append([a + b for a, b in zip([0] + rows[-1], rows[-1] + [0])] if rows else [1])")}
    return rows""",
    )
    uses = w.chosen("len(rec(x[:4]))", "rec(x[:3])", "[sum(r) for r in rec(x[:4])]", "sorted(rec(x[:3]))", "rec(x[:k])")
    return f"def rec(x):\n{rec}\n\ndef f(x, k):\n    return {uses}, x\n"


def accumulated(w: Writer) -> str:
    """What is passed on and grows: numbers, tuples, lists, with defaults."""
    default, grown = w.chosen(
        ("()", "acc + (x[0],)"), ("0", "acc + x[0]"), ("None", "x[0] if acc is None else max(acc, x[0])"), ("[]", "acc + [x[0]]"),
        ("[]", "[x[0]] + acc"), ("(0, 0)", "(acc[0] + x[0], acc[1] + 1)"), ("1", "acc * 2 - 1"), ("''", "acc + 'a'"),
    )  # fmt: skip
    return f"""def rec(x, k, acc={default}):
    if {w.chosen("not x", "len(x) == 0", "k == 0 or not x")}:
        return acc
    if {w.test("x[0]", "k")}:
        return rec({w.chosen("x[1:]", "x[:-1]", "x[2:]")}, {w.chosen("k", "k - 1")}, {grown})
    return rec(x[1:], k - 1{w.chosen(", acc", ", acc", "")})

def f(x, k):
    return rec(x, k), rec(x[1:], 2, {"rec(x[:1], 1)" if w.flip() else default})
"""


def parts(w: Writer) -> str:
    """Calls that give several values: lists and numbers, taken apart where they are called."""
    return f"""def rec(x, k):
    if len(x) < 2:
        return {w.chosen("x, 0", "x[:], k", "[], 0")}
    m = {w.chosen("len(x) // 2", "1", "len(x) - 1")}
    a, i = rec(x[:m], k)
    b, j = rec(x[m:], {w.chosen("k", "i", "k + 1")})
    {w.chosen("c, n = [], i + j", "c, n = a[:1], i - j")}
    while a and b:
        if a[0] {w.chosen("<=", "<", ">")} b[0]:
            c.append(a.pop(0))
        else:
            c.append(b[0])
            b = b[1:]
            n += {w.chosen("len(a)", "1", "k")}
    return {w.chosen("c + a + b", "c + b", "a + c")}, n

def f(x, k):
    return rec(x, k), {w.chosen("rec(x[::-1], 1)[1]", "rec(x[k:], 0)[0]", "x")}
"""


def pairs(w: Writer) -> str:
    """Lists of tuples, built, sorted and taken apart."""
    return f"""def rec(x, n):
    if n == 0 or not x:
        return {w.chosen("[]", "[(n, 0)]")}
    rest = rec(x[1:], n - 1)
    {w.chosen("rest.append((n, x[0]))", "rest.insert(0, (n, x[0]))", "rest = [(n, x[0])] + rest", "rest = [(a + 1, b) for a, b in rest] + [(0, x[0])]")}
    return rest{w.chosen("", "[:3]", "[::-1]")}

def f(x, k):
    r = rec(x, k + 2)
    best = {w.chosen("max(r) if r else (0, 0)", "sorted(r)", "sum(a for a, b in r)", "[b for a, b in r if a != 1]")}
    return r, best
"""


def grids(w: Writer) -> str:
    """A list of lists, filled from a place outwards."""
    steps = w.chosen(
        "for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):\n        k += rec(g, i + di, j + dj, c)",
        "for d in (-1, 1):\n        k += rec(g, i + d, j, c) + rec(g, i, j + d, c)",
        "k += rec(g, i + 1, j, c)\n    k += rec(g, i, j + 1, c)",
    )
    return f"""def rec(g, i, j, c):
    if not (0 <= i < len(g) and 0 <= j < len(g[{w.chosen("0", "i")}])):
        return 0
    if g[i][j] == 9 or g[i][j] {w.chosen(">", "<", "==")} c:
        return {w.chosen("0", "1", "-1")}
    {w.chosen("k = 1", "k = g[i][j]")}
    g[i][j] = 9
    {steps}
    return {w.chosen("k", "k + 1", "max(k, 1)")}

def f(g, k):
    {w.chosen("h = [row[:] for row in g]", "h = g", "h = [[v % 3 for v in row] for row in g]")}
    n = {w.chosen("rec(h, 0, 0, k)", "rec(h, k % len(h), 1, k)", "sum(rec(h, i, 0, k) for i in range(len(h)))")}
    return n, g, h
"""


def graphs(w: Writer) -> str:
    """A graph as a list of lists, walked depth first."""
    seen, mark, test = w.chosen(
        ("[False] * len(g)", "seen[v] = True", "seen[u]"), ("[]", "seen.append(v)", "u in seen"), ("[0] * len(g)", "seen[v] = len(out) + 1", "seen[u] > 0"),
        ("set()", "seen.add(v)", "u in seen"),
    )  # fmt: skip
    return f"""def rec(g, v, seen, out):
    {mark}
    {w.chosen("out.append(v)", "out.append((v, len(out)))", "pass")}
    d = {w.chosen("0", "v")}
    for u in g[v]:
        if not ({test}):
            d = {w.chosen("max(d, rec(g, u, seen, out) + 1)", "d + rec(g, u, seen, out)", "rec(g, u, seen, out)")}
    {w.chosen("out.insert(0, v)", "out.append(-v)", "pass")}
    return d

def f(g, k):
    n = len(g)
    g = [[v % n for v in row] for row in g]
    seen, out = {seen}, []
    d = rec(g, {w.chosen("0", "k % n", "n - 1")}, seen, out)
    return d, out, {w.chosen("len(seen)", "0", "g")}
"""


def matrices(w: Writer) -> str:
    """Determinants and products of lists of lists, by parts."""
    minor = w.chosen(
        "[row[:j] + row[j + 1:] for row in g[1:]]",
        "[[v for i, v in enumerate(row) if i != j] for row in g[1:]]",
        "[g[i][:j] + g[i][j + 1:] for i in range(1, len(g))]",
    )
    return f"""def rec(g):
    if len(g) == 1:
        return g[0][0]
    {w.chosen("if len(g) == 2:" + chr(10) + "        return g[0][0] * g[1][1] - g[0][1] * g[1][0]", "d = 0")}
    d = 0
    for j in range(len(g)):
        d += {w.chosen("(-1) ** j", "(1 - 2 * (j % 2))", "1")} * g[0][j] * rec({minor})
    return d

def power(a, n):
    if n <= 1:
        return a
    h = power(a, n // 2)
    r = [[sum(p * q for p, q in zip(u, v)) for v in zip(*h)] for u in h]
    {w.chosen("if n % 2:" + chr(10) + "        r = [[p + q for p, q in zip(u, v)] for u, v in zip(r, a)]", "r[0][0] += n")}
    return r

def f(g, k):
    m = min(len(g), len(g[0]))
    h = [row[:m] for row in g[:m]]
    return rec(h), {w.chosen("power(h, k)", "power([[1, 1], [1, 0]], k + 2)", "0")}
"""


def lists_in_lists(w: Writer) -> str:
    """Trees of lists: flattened, summed, copied, changed."""
    body = w.chosen(
        f"""    out = []
    for y in x:
        if isinstance(y, list):
            out.{w.chosen("extend(rec(y))", "append(len(rec(y)))")}
        else:
            out.{w.chosen("append(y)", "insert(0, y)")}
    return out""",
        f"""    if isinstance(x, list):
        return {w.chosen("sum([rec(y) for y in x])", "max([rec(y) for y in x])", "1 + max(rec(y) for y in x)", "[rec(y) for y in x]")}
    return {w.chosen("x", "x + 1", "0", "1")}""",
        f"""    for i in range(len(x)):
        if isinstance(x[i], list):
            rec(x[i])
        else:
            x[i] {w.chosen("+= 1", "= i", "*= 2")}
    {w.chosen("x.reverse()", "pass", "x.append(7)")}
    return x""",
    )
    return f"def rec(x):\n{body}\n\ndef f(x, k):\n    return rec(x), x\n"


def _list(w: Writer) -> list[Any]:
    return [w.leaf() for _ in range(w.number(0, 7))]


def _grid(w: Writer) -> list[list[Any]]:
    width = w.number(1, 4)
    return [[w.leaf() for _ in range(width)] for _ in range(w.number(1, 4))]


def _graph(w: Writer) -> list[list[int]]:
    return [[w.number(0, 5) for _ in range(w.number(0, 3))] for _ in range(w.number(2, 5))]


def _tree(w: Writer, depth: int) -> list[Any]:
    return [w.leaf() if not depth or w.flip() else _tree(w, depth - 1) for _ in range(w.number(1, 3))]


KINDS: list[tuple[Callable[[Writer], str], Callable[[Writer], tuple[Any, ...]]]] = [
    *((kind, lambda w: (_list(w), w.number(0, 4))) for kind in (mutual, in_place, several_lists, lists_of_lists, accumulated, parts, pairs)),
    *((kind, lambda w: (_grid(w), w.number(0, 4))) for kind in (grids, matrices)),
    (hanoi, lambda w: (w.number(0, 5),)),
    (graphs, lambda w: (_graph(w), w.number(0, 4))),
    (lists_in_lists, lambda w: (_tree(w, 2), w.number(0, 3))),
]  # fmt: skip
"""Programs, and the arguments of their calls."""
