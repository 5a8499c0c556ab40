"""Writes random recursive programs: on slices, on the same lists in any order, on trees of tuples and lists, on strings, and those of
`fuzz.recursion_on_lists` and `fuzz.recursion_on_others`.

Each is a function `f` of its arguments, with the functions it calls, and ends whatever it is given: recursion is on what gets
shorter, or counts down.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from fuzz import recursion_on_lists, recursion_on_others
from fuzz.objects import NAMES

NAMESPACE: dict[str, Any] = {"np": np, **NAMES}
_Part = TypeVar("_Part")


class RecursionWriter:
    """One program, and arguments for it."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._kind = self._random.choice(_KINDS)
        self._leaves = self._random.choice(("int", "float", "int"))

    def text(self) -> str:
        """The program."""
        return self._kind[0](self)

    def arguments(self) -> tuple[Any, ...]:
        """Arguments for a call."""
        return self._kind[1](self)

    # --- parts ----------------------------------------------------------------------------------------

    def chosen(self, *of: _Part) -> _Part:
        """One of several parts."""
        return self._random.choice(of)

    def flip(self) -> bool:
        """Heads or tails."""
        return self._random.random() < 0.5

    def sample(self, of: Sequence[str], count: int) -> list[str]:
        """Several of some texts, in any order."""
        return self._random.sample(of, count)

    def number(self, least: int = -3, most: int = 9) -> int:
        """A small int."""
        return self._random.randint(least, most)

    def leaf(self) -> Any:
        """A number of the program's type."""
        return self.number() if self._leaves == "int" else self.number() * 0.5

    def expression(self, *names: str) -> str:
        """A number computed from variables."""
        found = self.chosen(*names)
        for _ in range(self.number(0, 2)):
            op = self.chosen("+", "-", "*")
            found = f"({found} {op} {self.chosen(*names, str(self.number()), '0.5')})"
        return found

    def test(self, *names: str) -> str:
        """A condition on variables."""
        return f"{self.expression(*names)} {self.chosen('<', '<=', '==', '>', '!=')} {self.expression(*names)}"

    # --- on slices ------------------------------------------------------------------------------------

    def on_slices(self) -> str:
        """A list taken apart into slices, and what they give put together."""
        parts = self.chosen("x[1:]", "x[:-1]", "x[2:]"), self.chosen("x[: len(x) // 2]", "x[1::2]", "x[1:]")
        base = self.chosen("[]", "list(x)") if self.number() % 2 else "0"
        if base == "0":
            ends = f"{self.chosen('len(x)', 'x[0]', '1')} {self.chosen('+', '-')} "
            body = f"    return {ends}rec({parts[0]})"
            if self.number() % 2:
                body = f"    return max(rec({parts[0]}), {ends}rec(x[: len(x) // 2]))"
        else:
            middle = self.chosen("[x[0]]", "x[:1]", "[x[-1], x[0]]")
            body = (
                f"    return rec({parts[0]}) + {middle}"
                if self.number() % 2
                else f"    return {middle} + rec({parts[1]})"
            )
        before = f"    if {self.test('x[0]', 'len(x)')}:\n        return rec(x[1:])\n" if self.number() % 2 else ""
        return f"def rec(x):\n    if not x:\n        return {base}\n{before}{body}\n\ndef f(x, k):\n    return rec(x), rec(x[k:])\n"

    def sorting(self) -> str:
        """A list sorted by parts: changed in place, its halves copies."""
        less = self.chosen("<", "<=", ">")
        copies = self.chosen("x[:m], x[m:]", "x[::2], x[1::2]", "[x[0]], x[1:]")
        taken = self.chosen(f"a[i] {less} b[j]", f"b[j] {less} a[i]")
        return f"""def rec(x):
    if len(x) > 1:
        m = len(x) // 2
        a, b = {copies}
        rec(a)
        rec(b)
        i = j = 0
        for k in range(len(x)):
            if j >= len(b) or (i < len(a) and {taken}):
                x[k] = a[i]
                i += 1
            else:
                x[k] = b[j]
                j += 1

def f(x, k):
    y = x[k:] + [{self.expression("k", "len(x)")}]
    rec(x)
    {self.chosen("rec(y)", "y.append(k)", "rec(y[1:])")}
    return x, y
"""

    def filtered(self) -> str:
        """A list taken apart by comparisons."""
        tests = self.chosen("<", "<="), self.chosen(">", ">=")
        keep = self.chosen("[p]", "[p, len(x)]", "[q for q in x if q == p]")
        return f"""def rec(x):
    if len(x) <= 1:
        return x
    p = x[{self.chosen("0", "-1", "len(x) // 2")}]
    rest = x[1:]
    low = [q for q in rest if q {tests[0]} p and q != p]
    high = []
    for q in rest:
        if q {tests[1]} p and q != p:
            high.append(q)
    return rec(low) + {keep} + rec(high)

def f(x, k):
    return rec(x), len(rec(x[k:]))
"""

    # --- on the same lists ------------------------------------------------------------------------------

    def in_turn(self) -> str:
        """Several lists handed on in any order, and changed before and after."""
        names = ["a", "b", "c", "d"][: self.number(2, 4)]

        def step() -> str:
            one, other = self._random.sample(names, 2)
            return "    " + self.chosen(
                f"{one}.append(n)", f"{one}.append(len({other}))", f"if {other}:\n        {one}.append({other}.pop())",
                f"if {one}:\n        {one}[0] = {one}[-1] + n",
            )  # fmt: skip

        def call() -> str:
            return f"    k += rec(n - {self.number(1, 2)}, {', '.join(self._random.sample(names, len(names)))})"

        lines = [step() for _ in range(self.number(1, 2))] + [
            call(),
            *(step() for _ in range(self.number(0, 1))),
            call(),
        ]
        made = "\n".join(f"    {name} = {self.chosen('[]', '[n]', 'list(range(n))', '[n, 1]')}" for name in names)
        every = ", ".join(names)
        return (
            f"def rec(n, {every}):\n    if n <= 0:\n        return len({names[0]})\n    k = 0\n"
            + "\n".join(lines)
            + f"\n    return k\n\ndef f(n):\n{made}\n    return rec(n, {every}), {every}\n"
        )

    def backtracking(self) -> str:
        """A list that grows and shrinks as a function goes down and comes back."""
        return f"""def rec(n, at, now, found):
    if {self.chosen("len(now) == 3", "at >= n", "at == n or len(now) > 3")}:
        found.append({self.chosen("now[:]", "sum(now)", "len(now)", "[x + 1 for x in now]")})
        return {self.chosen("1", "len(found)", "at")}
    k = 0
    for i in range(at, n):
        if {self.chosen("i % 2 == 0", "not now or now[-1] != i", "i != 2", "True")}:
            now.append(i)
            k += rec(n, i + 1, now, found)
            now.pop()
    return k

def f(n):
    found = []
    return rec(n, 0, [], found), found
"""

    def memoised(self) -> str:
        """Results kept in a list, or a list of lists."""
        a, b = self.number(1, 3), self.number(2, 4)
        return f"""def rec(i, j, memo):
    if i <= 0 or j <= 0:
        return {self.chosen("1", "i + j", "0", "i - j")}
    if memo[i][j] {self.chosen(">= 0", "!= -1")}:
        return memo[i][j]
    r = {self.chosen("rec", "1 + rec")}(i - {a}, j, memo) + rec(i - 1, j - {b}, memo) {self.chosen("", "% 7", "- i")}
    memo[i][j] = r
    return r

def f(n):
    memo = [[-1] * (n + 1) for _ in range(n + 1)]
    return rec(n, n, memo), memo
"""

    # --- on trees -----------------------------------------------------------------------------------------

    def of_tuples(self) -> str:
        """A tree of tuples."""
        each = self.chosen("s += rec(y, k)", "s = s * 2 - rec(y, k)", "s = max(s, rec(y, k))", "s += rec(y, k + 1) * k")
        first = self.chosen("0", "k", "len(x)")
        return f"""def rec(x, k):
    if not isinstance(x, tuple):
        return {self.expression("x", "k")}
    s = {first}
    for y in x:
        {each}
    return s

def f(x, k):
    return rec(x, k), rec((x, k), 1)
"""

    def rebuilt(self) -> str:
        """A tree of tuples, made into another one."""
        node = self.chosen(
            "(rec(x[1]), rec(x[0]))", "[rec(x[0]), rec(x[1])]", "(rec(x[0]), x[1])", "rec(x[0]) + rec(x[1])"
        )
        leaf = "[x]" if "+" in node else self.chosen("x + 1", "x * 0.5", "(x,)", "x")
        return f"def rec(x):\n    if not isinstance(x, tuple):\n        return {leaf}\n    return {node}\n\ndef f(x, k):\n    return rec(x), k\n"

    def tree(self, depth: int, pairs: bool) -> Any:
        """A random tree."""
        if depth == 0 or self.number(0, 9) == 0:
            return self.leaf()
        return tuple(self.tree(depth - 1, pairs) for _ in range(2 if pairs else self.number(1, 3)))

    # --- nested containers ----------------------------------------------------------------------------------

    def nested(self) -> str:
        """A list of lists, changed by loops."""
        return f"""def f(g, k):
    h, out = len(g), []
    for t in range(k % 3 + 1):
        new = [{self.chosen("[0] * len(row)", "row[:]", "[v + t for v in row]")} for row in g]
        for i in range(h):
            for j in range(len(g[i])):
                v = g[i][j]
                for d in (-1, 0, 1):
                    if {self.chosen("d", "0 <= i + d < h", "d != t")}:
                        v += g[(i + d) % h][j % len(g[(i + d) % h])]
                new[i][j] = {self.expression("v", "i", "j")}
                if {self.test("v", "k")}:
                    out.append({self.chosen("v", "new[i][j]", "(i, v)")})
        g = new
    return g, out
"""

    def on_strings(self) -> str:
        """Strings compared by their characters."""
        return f"""def rec(s, t, n):
    if n == 0 or len(s) < 2:
        return len(s)
    if s[0] == {self.chosen("s[-1]", "s[1]", "'a'")}:
        return 1 + rec(s[1:], t, n - 1)
    return {self.chosen("rec(s[1:-1], t, n - 1) * 2", "rec(t, s, n - 1) - 1", "rec(s[:-1], t, n - 1)")}

def f(s, t):
    k = 0
    for i in range(len(s)):
        for j in range(len(t)):
            if s[i] {self.chosen("==", "<", "!=")} t[j]:
                k += {self.expression("i", "j")}
    return k, rec(s, t, 5)
"""


def _list(w: RecursionWriter) -> list[Any]:
    return [w.leaf() for _ in range(w.number(1, 7))]


def _word(w: RecursionWriter) -> str:
    return "".join(w.chosen("a", "b", "c") for _ in range(w.number(1, 7)))


_Kind = tuple[Callable[[RecursionWriter], str], Callable[[RecursionWriter], tuple[Any, ...]]]
_KINDS: list[_Kind] = [
    *((kind, lambda w: (_list(w), w.number(0, 3))) for kind in (RecursionWriter.on_slices, RecursionWriter.sorting, RecursionWriter.filtered)),
    *((kind, lambda w: (w.number(0, 5),)) for kind in (RecursionWriter.in_turn, RecursionWriter.backtracking, RecursionWriter.memoised)),
    (RecursionWriter.of_tuples, lambda w: (w.tree(3, False), w.number(0, 3))),
    (RecursionWriter.rebuilt, lambda w: (w.tree(3, True), w.number(0, 3))),
    (RecursionWriter.nested, lambda w: ([[w.leaf() for _ in range(3)] for _ in range(w.number(1, 4))], w.number(0, 3))),
    (RecursionWriter.on_strings, lambda w: (_word(w), _word(w))),
    *recursion_on_lists.KINDS,
    *recursion_on_others.KINDS,
]  # fmt: skip
