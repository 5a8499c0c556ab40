"""Random recursive programs with dicts, exceptions, closures, objects, arrays, text and generators; `fuzz.recursion` draws their parts.
Each ends whatever it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from fuzz.recursion import RecursionWriter as Writer


def memo_of_dicts(w: Writer) -> str:
    """Results kept in a dict."""
    key, call = w.chosen(("n", "n"), ("(n, k)", "n"), ("str(n)", "n"), ("(k, n)", "n"))
    where = w.chosen("memo", "MEMO")
    memo = ", memo" if where == "memo" else ""
    made = "memo = {}" if memo else "MEMO.clear()" if w.flip() else "pass"
    return f"""MEMO = {{}}

def rec(n, k{memo}):
    if n < {w.chosen("1", "2")}:
        return {w.chosen("1", "n", "k")}
    if {key} in {where}:
        return {where}[{key}]
    {where}[{key}] = {w.chosen("", "k + ", "-")}rec({call} - 1, k{memo}) {w.chosen("+", "-")} rec(n - {w.number(2, 3)}, {w.chosen("k", "k - 1", "-k")}{memo})
    return {where}[{key}]

def f(n):
    {made}
    r = rec(n + {w.number(0, 6)}, {w.number(0, 2)}{memo})
    return r, {w.chosen(f"len({where})", where, f"sorted({where}.values())")}
"""


def left_early(w: Writer) -> str:
    """Loops that are left by what a call gives."""
    found = w.chosen("return True", "return i", "return n + 1", "break", "return [*now, i]")
    none = {"return True": "return False", "break": "return len(now)", "return [*now, i]": "return []"}.get(
        found, "return -1"
    )
    test = {"return i": "r >= 0", "return n + 1": "r > 0", "break": "r > 2"}.get(found, "r")
    return f"""def rec(n, now, x):
    if len(now) >= {w.chosen("len(x)", "3", "n")}:
        {found.replace("break", "return len(now)").replace("return i", "return 0").replace("[*now, 0]", "now[:]").replace("[*now, i]", "now[:]")}
    for i in range({w.chosen("len(x)", "n", "3")}):
        if {w.chosen("i in now", "now and now[-1] == i", "any(i == j or abs(i - j) == len(now) - k for k, j in enumerate(now))")}:
            continue
        now.append(i)
        r = rec(n {w.chosen("", "- 1")}, now, x)
        if {test}:
            {found}
        now.pop()
    {"else:" if found == "break" and w.flip() else "if len(now) > 5:"}
        return {none.removeprefix("return ")}
    {none}

def f(x, k):
    now = []
    return rec(min(k + 2, 4), now, x[:4]), now
"""


def raising(w: Writer) -> str:
    """Exceptions that go through calls, are caught in some, and raised again."""
    kind = w.chosen("ValueError", "KeyError", "IndexError", "ZeroDivisionError")
    fails = {
        "ValueError": w.chosen("raise ValueError(n)", "raise ValueError('low')", "x.index(100)"), "KeyError": "raise KeyError(n)",
        "IndexError": w.chosen("x[n + 100]", "[][n]", "raise IndexError"), "ZeroDivisionError": "n // 0 + len(x)",
    }[kind]  # fmt: skip
    caught = w.chosen(kind, "Exception", "(LookupError, ArithmeticError, ValueError)", "LookupError")
    return f"""def rec(n, x):
    if n <= 0:
        {w.chosen(fails, f"if {w.test('x[0]', 'len(x)')}:{chr(10)}            {fails}{chr(10)}        return len(x)")}
    x.append(n)
    try:
        {w.chosen("return rec(n - 1, x)", "k = rec(n - 1, x)", "k = rec(n - 2, x) + rec(n - 1, x)")}
    except {caught}{w.chosen("", " as e")}:
        {w.chosen("x.append(-n)", "x[0] += 1", "pass")}
        if {w.test("n", "len(x)")}:
            {w.chosen("raise", f"raise {kind}(n)", "return -n")}
    {w.chosen("finally:", "else:")}
        {w.chosen("x.append(0)", "x[-1] = n", "pass")}
    return {w.chosen("n", "len(x)", "x[-1]")}

def f(x, k):
    try:
        return rec(k, x), x
    except {w.chosen("ValueError", "LookupError", kind)}:
        return x
"""


def closures(w: Writer) -> str:
    """Recursive functions inside, which see and change what is around them."""
    return f"""def f(x, k):
    {w.chosen("count = 0", "count = k")}
    out = {w.chosen("[]", "[0]", "[k]")}

    def rec(i, s):
        nonlocal count
        {w.chosen("count += 1", "count = max(count, i)", "count -= i")}
        if i >= len(x){w.chosen("", " or s > 20")}:
            {w.chosen("out.append(s)", "out[0:1] = [s]", "out.append(count)")}
            return {w.chosen("s", "1", "i")}
        a = rec(i + 1, {w.expression("s", "x[i]")})
        if {w.test("x[i]", "s")}:
            a += rec(i + {w.number(1, 2)}, s)
        return a

    return rec(0, {w.chosen("0", "k", "0.5")}), count, out
"""


def objects(w: Writer) -> str:
    """Objects that hold each other: a tree that numbers are put into, or a chain."""
    if w.flip():
        return f"""def insert(t, v):
    if t is None:
        return Node(v)
    if v {w.chosen("<", "<=", ">")} t.value:
        t.left = insert(t.left, v)
    {w.chosen("else:", "elif v != t.value:")}
        t.right = insert(t.right, v)
    return t

def rec(t, out):
    if t is None:
        return 0
    a = rec(t.left, out)
    out.append(t.value)
    return {w.chosen("a + 1 + rec(t.right, out)", "max(a, rec(t.right, out)) + 1")}

def f(x, k):
    t, out = None, []
    for v in x[:4]:
        t = insert(t, v)
    return rec(t, out), out
"""
    return f"""def chain(x):
    return Link(x[0], chain(x[1:])) if x else None

def rec(c, k):
    if c is None:
        return k
    {w.chosen("c.value += k", "k += c.value", "pass")}
    return {w.expression("c.value", "k")} + rec(c.rest, k)

def f(x, k):
    c = chain(x[:5])
    return rec(c, k), {w.chosen("rec(c, 1)", "c is None", "0")}
"""


def boxes(w: Writer) -> str:
    """Objects that hold lists, handed on: made anew, or changed."""
    return f"""def rec(b, x, k):
    if k == 0 or not x:
        return {w.chosen("b", "b.items", "b.n", "b.items, b.n")}
    if {w.test("x[0]", "k", "b.n")}:
        {w.chosen("b.items.append(x[0])", "b.n += 1", "b = b.with_item(x[0])", "b.items = b.items + x[:1]", "b.items[:1] = x[:1]")}
        return rec({w.chosen("b", "Box(b.items[1:], b.n)", "b.with_item(k)")}, x[1:], k - 1)
    return rec({w.chosen("Box(b.items + [x[0]], b.n)", "b", "Box(x[:1])")}, {w.chosen("x[1:]", "x[2:]", "x[:-1]")}, k - 1)

def f(x, k):
    b = Box({w.chosen("[]", "x", "x[:2]", "[k]")})
    r = rec(b, x, k)
    return r, b.items, b.n
"""


def packed(w: Writer) -> str:
    """Lists in tuples, lists and dicts, handed on with other lengths."""
    kind = w.chosen("({0}, {1})", "[{0}, {1}]", "({0}, {1}, n)", "(({0}, n), {1})")
    a, b = ("both[0][0]" if kind.startswith("((") else "both[0]"), "both[1]"

    def grown(name: str) -> str:
        return w.chosen(f"{name} + [n]", f"{name}[1:]", f"[n] + {name}", f"{name} + x[:1]", name, "[n]", f"{name}[::2]")

    def call(less: str) -> str:
        first, second = grown(a), grown(b)
        if w.flip():
            first, second = second, first
        return f"rec(n - 1, {less}, {kind.format(first, second)})"

    return f"""def rec(n, x, both):
    if n <= 0 {w.chosen("", "or not x")}:
        return {w.chosen("both", a, f"len({b}), {a}", f"{a} + {b}")}
    if {w.test("n", f"len({a})", "len(x)")}:
        return {call("x[1:]")}
    r = {call(w.chosen("x", "x[1:]", "x[:-1]"))}
    return r

def f(x, n):
    return rec(n, x, {kind.format(w.chosen("x", "[]", "x[:1]"), w.chosen("[]", "[n]", "x[1:]"))}), x
"""


def arrays(w: Writer) -> str:
    """Views of an array, written to in place, or sums of parts of it."""
    body = w.chosen(
        f"""    if len(x) < 2:
        return {w.chosen("float(x.sum())", "0.0")}
    m = len(x) // 2
    s = rec(x[:m], k) {w.chosen("+", "-")} rec(x[m:], k)
    x[{w.chosen("m", "0", "-1")}] {w.chosen("+=", "-=", "=")} {w.chosen("s", "k", "0.5")}
    return s""",
        f"""    if k == 0 or x.shape[0] == 0:
        return {w.chosen("x.sum()", "float(k)", "1.0")}
    x[{w.chosen("1:", "::2", ":-1")}] {w.chosen("+=", "*=")} {w.chosen("k", "0.5", "x[0]")}
    return rec({w.chosen("x[1:]", "x[::-1][1:]", "x[:-1]", "x[::2]")}, k - 1) + 1""",
        f"""    if k <= 0 or len(x) == 0:
        return {w.chosen("x", "x * 2", "np.zeros(len(x))")}
    y = rec({w.chosen("x", "x + 1", "x * 0.5")}, k - 1)
    return {w.chosen("y + x", "y - k", "y * x[0]", "np.concatenate((y[:1], x[1:]))")}""",
    )
    return f"def rec(x, k):\n{body}\n\ndef f(x, k):\n    return rec(x, k), x\n"


def texts(w: Writer) -> str:
    """Strings taken apart and compared, read by several functions, or put together."""
    kind = w.number(0, 3)
    if kind == 0:
        return f"""def rec(s, i, t, j):
    if i >= len(s) or j >= len(t):
        return {w.chosen("0", "len(s) - i + len(t) - j")}
    if s[i] == t[j]:
        return {w.chosen("1 + ", "")}rec(s, i + 1, t, j + 1)
    return {w.chosen("max", "1 + min")}(rec(s, i + 1, t, j), rec(s, i, t, j + 1){w.chosen("", ", rec(s, i + 1, t, j + 1)")})

def f(s, t):
    return rec(s[:6], 0, t[:6], 0), {w.chosen("rec(s[1:5], 0, s[:4], 0)", "s < t", "s == t[::-1]")}
"""
    if kind == 1:
        return f"""def rec(s):
    if len(s) < {w.chosen("2", "3")}:
        return s
    return {w.chosen("rec(s[1:]) + s[0]", "s[-1] + rec(s[1:-1])", "rec(s[len(s) // 2:]) + rec(s[:len(s) // 2])", "rec(s[1:]) + s[:1] * 2")}

def f(s, t):
    return rec(s), rec(t[{w.chosen("1:", ":-1", "::2")}]), rec(s) == rec(t)
"""
    if kind == 2:
        return f"""def term(s, i):
    v = 0
    while i < len(s) and s[i] in 'abc':
        v = v * {w.chosen("3", "10")} + ord(s[i]) - ord('a')
        i += 1
    return v, i

def expr(s, i, n):
    v, i = term(s, i)
    {w.chosen("while", "if")} i < len(s) and n > 0:
        if s[i] == '{w.chosen("d", "c")}':
            r, i = expr(s, i + 1, n - 1)
            v = v {w.chosen("+", "*", "-")} r
        else:
            r, i = term(s, i + 1)
            v -= r
    return v, i

def f(s, t):
    return expr(s + {w.chosen("'d' + t", "t", "'dab'")}, 0, 4), term(t, {w.chosen("0", "1")})
"""
    return f"""def rec(s, i, out):
    if i == len(s):
        out.append({w.chosen("i", "len(out)", "ord(s[i - 1])", "s")})
        return 1
    n = 0
    for j in range(i + 1, len(s) + 1):
        part = s[i:j]
        if {w.chosen("part == part[::-1]", "s[i] == s[j - 1]", "len(part) < 3", "part in t")}:
            n += rec(s, j, out)
    return n

def f(s, t):
    out = []
    return rec(s[:5], 0, out), out
""".replace("part in t", "part < 'b'")


def generators(w: Writer) -> str:
    """Generators within themselves."""
    return f"""def rec(x, n):
    if n == 0 or not x:
        yield {w.chosen("0", "n", "len(x)")}
        return
    {w.chosen("yield x[0]", "yield x[-1] * n", "pass")}
    {w.chosen("yield from rec(x[1:], n - 1)", "for v in rec(x[1:], n - 1):" + chr(10) + "        yield v + 1")}

def f(x, k):
    return {w.chosen("list(rec(x, k))", "sum(rec(x, k))", "[v * 2 for v in rec(x, 3)]", "max(rec(x[:2], 2))")}
"""


def _list(w: Writer) -> list[Any]:
    return [w.leaf() for _ in range(w.number(0, 7))]


def _text(w: Writer) -> str:
    return "".join(w.chosen("a", "b", "c", "d") for _ in range(w.number(0, 7)))


KINDS: list[tuple[Callable[[Writer], str], Callable[[Writer], tuple[Any, ...]]]] = [
    *((kind, lambda w: (_list(w), w.number(0, 4))) for kind in (left_early, raising, closures, objects, boxes, packed, generators)),
    (memo_of_dicts, lambda w: (w.number(0, 5),)),
    (arrays, lambda w: (np.array([w.number() * 0.5 for _ in range(w.number(0, 7))]), w.number(0, 4))),
    (texts, lambda w: (_text(w), _text(w))),
]  # fmt: skip
"""Programs, and the arguments of their calls."""
