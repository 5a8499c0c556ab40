"""Programs written by Hypothesis: nested control flow over ints, floats, bools, containers and arrays, which end and may raise."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from hypothesis import strategies as st

from fuzz.objects import NAMES

NAMESPACE: dict[str, Any] = {"math": math, "np": np, **NAMES}

_INTS = ("a", "i", "j", "m")
_FLOATS = ("x", "u", "v")
_PARAMETERS = "a, b, x, y, xs, d"
_PRELUDE = [
    "i, j, m = a, 0, 1", "u, v = x, 0.5", "t = (a, x)", "p = [a, b, 3]", "q = [x, y]", "s = np.zeros(4)",
    "o, k0 = Pair(a, y), Stack()", "r = [[a], [b, 3], []]", "c = [None] * 3",
]  # fmt: skip


class _Writer:
    """Writes one function, drawing every choice."""

    def __init__(self, draw: Callable[[st.SearchStrategy[Any]], Any]) -> None:
        self.draw = draw
        self.left = draw(st.integers(4, 22))
        self.loops = 0
        self.functions = 0

    def below(self, n: int) -> int:
        return self.draw(st.integers(0, n - 1))

    def pick(self, *choices: str) -> str:
        return choices[self.below(len(choices))]

    # --- expressions ----------------------------------------------------------------------------------

    def integer(self, depth: int = 2) -> str:
        sub = self.integer
        if depth <= 0:
            return self.pick("a", "b", "i", "j", "m", "0", "1", "2", "-3", "7", "len(p)", "len(xs)", "t[0]", "d['n']")
        match self.below(12):
            case 0 | 1 | 2:
                return f"({sub(depth - 1)} {self.pick('+', '-', '*')} {sub(depth - 1)})"
            case 3:
                return f"({sub(depth - 1)} {self.pick('//', '%')} {self.pick('3', '-4', '7', sub(depth - 1))})"
            case 4:
                return f"({sub(depth - 1)} {self.pick('&', '|', '^')} {sub(depth - 1)})"
            case 5:
                return f"({sub(depth - 1)} if {self.truth(depth - 1)} else {sub(depth - 1)})"
            case 6:
                return f"p[{self.pick('0', '1', '-1', '2', sub(depth - 1))}]"
            case 7:
                return f"{self.pick('min', 'max')}({sub(depth - 1)}, {sub(depth - 1)})"
            case 8:
                return f"sum(p[{self.pick('', '1')}:{self.pick('', '2', '-1')}])"
            case 9:
                return f"int({self.real(depth - 1)})"
            case 10:
                return f"sum([{self.pick('k', 'k * k', 'k - a')} for k in {self.pick('p', 'range(4)', 'range(b % 5)')}{self.pick('', ' if k % 2', ' if k > 1')}])"
            case _:
                return self.pick("a", "b", "i", "j", "m", "p.count(3)", "abs(a)", "-b", "~i")

    def real(self, depth: int = 2) -> str:
        sub = self.real
        if depth <= 0:
            return self.pick("x", "y", "u", "v", "0.5", "-2.0", "1e3", "q[0]", "q[-1]", "t[1]", "d['w']")
        match self.below(10):
            case 0 | 1 | 2:
                return f"({sub(depth - 1)} {self.pick('+', '-', '*')} {sub(depth - 1)})"
            case 3:
                return f"({sub(depth - 1)} {self.pick('/', '//', '%')} {self.pick('2.0', sub(depth - 1), self.integer(depth - 1))})"
            case 4:
                return f"math.{self.pick('sin', 'tanh', 'exp', 'sqrt', 'floor', 'atan')}({sub(depth - 1)})"
            case 5:
                return f"({sub(depth - 1)} if {self.truth(depth - 1)} else {sub(depth - 1)})"
            case 6:
                return f"float(xs[{self.pick('0', '-1', '2', self.integer(depth - 1))}])"
            case 7:
                return f"abs({sub(depth - 1)})"
            case 8:
                return self.pick("float(s[1])", "float(xs.sum())", "float(s[i % 4])", "sum(q)", "max(q)")
            case _:
                return f"({self.integer(depth - 1)} * {sub(depth - 1)})"

    def truth(self, depth: int = 1) -> str:
        value = self.pick("i", "r") == "i"
        of = self.integer if value else self.real
        match self.below(7):
            case 0 | 1 | 2:
                return f"{of(depth - 1)} {self.pick('<', '<=', '>', '==', '!=')} {of(depth - 1)}"
            case 3 if depth > 0:
                return f"({self.truth(depth - 1)} {self.pick('and', 'or')} {self.truth(depth - 1)})"
            case 4 if depth > 0:
                return f"(not {self.truth(depth - 1)})"
            case 5:
                return f"{self.integer(depth - 1)} {self.pick('in', 'not in')} {self.pick('p', 't[:1]', 'range(5)', '(1, 2, 3)')}"
            case _:
                return self.integer(0)

    def array(self, depth: int = 1) -> str:
        if depth <= 0:
            return self.pick("xs", "s", "xs[1:]", "xs[::-1]", "s[:2]")
        match self.below(5):
            case 0 | 1:
                return f"({self.array(depth - 1)} {self.pick('+', '*', '-')} {self.pick(self.real(0), self.array(0))})"
            case 2:
                # no sine: that of arrays may differ from NumPy's in its last bit
                return f"np.{self.pick('floor', 'abs', 'cumsum', 'sign')}({self.array(depth - 1)})"
            case 3:
                return f"np.where({self.array(0)} > {self.real(0)}, {self.real(0)}, 1.0)"
            case _:
                return self.array(0)

    # --- statements -----------------------------------------------------------------------------------

    def block(self, depth: int, in_loop: bool, in_function: bool = False) -> list[str]:
        lines: list[str] = []
        for _ in range(1 + self.below(3)):
            if self.left <= 0:
                break
            self.left -= 1
            lines += [
                "    " + line for part in self.statement(depth, in_loop, in_function) for line in part.split("\n")
            ]
        return lines or ["    pass"]

    def statement(self, depth: int, in_loop: bool, in_function: bool) -> list[str]:
        match self.below(33):
            case 20 if in_loop:
                return [
                    self.pick(
                        f"p.append({self.integer(1)})", f"q.append({self.real(1)})", "q.append(u)", "p.insert(0, i)", "p.extend([i, j])",
                        f"q += [{self.real(0)}, v]", "if len(p) > 1:\n    p.pop()", "if q:\n    u = q.pop()", "w = [*p, i]\nj = len(w)",
                    )
                ]  # fmt: skip
            case 21 if depth < 3:
                return self.attempt(depth, in_loop, in_function)
            case 22:
                return [
                    self.pick(
                        f"q = [{self.pick('k * x', 'float(k)', 'k / 3')} for k in range({self.pick('a % 7', 'b % 4', 'len(p)')}){self.pick('', ' if k != 2')}]",
                        f"p = [k for k in p if k {self.pick('>', '!=')} {self.integer(0)}]", "p = list(range(b % 6))", "p = sorted(p, reverse=True)",
                        "i, j = min(p), max(p)", "m = p.index(3)", "u = sum(k * h for k, h in zip(p, q))", "p, w = p[:], [p]\ni = len(w[0])", "t = tuple(p[:2]) + (1.5,)\nt = (t[0], 2.5)",
                        "j = next((k for k in p if k > 2), -1)", "i = any(k > 2 for k in p) + all(q)", "del p[0]", "p.remove(3)", "p.clear()", "if len(q) < 20: q *= 2",
                    )
                ]  # fmt: skip
            case 23 if depth < 3:
                lines = [f"match {self.pick('i', 't', 'p', 'm % 3')}:"]
                for pattern in (
                    self.pick("0", "1 | 2", "(0, _)", "[k, *_]"),
                    self.pick("int()", "[_, _]", "(k, 2.0)", "3"),
                ):
                    lines += [
                        f"    case {pattern}{self.pick('', ' if a > 0')}:",
                        *("    " + line for line in self.block(depth + 1, in_loop, in_function)),
                    ]
                return lines
            case 25 | 26:
                return [
                    self.pick(
                        f"o = Pair({self.integer(1)}, {self.real(1)})", f"o.n {self.pick('=', '+=')} {self.integer(1)}", f"o.w = {self.real(1)}",
                        f"i = o.add({self.integer(0)})", f"o = o.grown({self.integer(0)})", "u = o.total", "o2 = o\no2.n += 1\nj = o.n",
                        f"o = Pair(i) if {self.truth(1)} else o", "k0.push(i)", "j = len(k0) + k0.pushed", "m = o.n\nv = o.w", "i = (o == Pair(i, v)) + 0",
                        "if k0.items:\n    m = k0.items.pop()", f"w = [Pair(k, {self.real(0)}) for k in range(a % 5)]\nu = sum(h.total for h in w)",
                        "j = sum(h.n for h in (o, Pair(1), o.grown(2)))",
                    )
                ]  # fmt: skip
            case 27:
                return [
                    self.pick(
                        f"i = sum(ticks({self.integer(0)} % 7, {self.integer(0)}))", "p = list(ticks(b % 5))", "g = ticks(a % 6)\nj = next(g, -1) + next(g, -2)",
                        "u = sum(h * k for k, h in pairs(q, i))", "i, j = max(ticks(3, a)), min(ticks(2, b))", "q = [float(k) for k in ticks(a % 4) if k != j]",
                        "m = sum(k * h for k, h in zip(ticks(4, 2), p))", "t = (len(list(pairs(p, 1))), u)",
                    )
                ]  # fmt: skip
            case 29:
                return [
                    self.pick(
                        "r.append([i, j])", "r.append([])", "r[i % len(r)].append(j)", f"r[0][0] = {self.integer(0)}", "h0 = r[-1]\nh0.append(i)", "r.append(p)",
                        "r = [[k * h for h in range(k)] for k in range(a % 5)]", "j = sum(len(h) for h in r)", "i = sum(sum(h) for h in r)", "r = [h[:] for h in r]",
                        "r = [[0] * 3 for k in range(b % 4)]", "r = r[::-1]", "if r:\n    p = r.pop()", "r.sort()", "r += [p[:2]]", "i = len(r[i % 3])", "del r[0]",
                        "r[0], r[-1] = r[-1], r[0]", "j = (p in r) + (r[0] is r[-1])", f"r[j % 3][i % 2] += {self.integer(0)}", "p = r[a % 2]", "r[-1] = p", "r[0].extend(p)",
                        "if r[0]:\n    i = r[0].pop()", "r[1].insert(0, i)", "p = r[0] + r[-1]", "m = max(map(len, r))", "r.insert(0, [j])", "i, j = len(r), r.count(p)",
                    )
                ]  # fmt: skip
            case 30 if depth < 3:
                ends = ["    if len(r) > 9 or sum(map(len, r)) > 40:", "        break"]
                head = self.pick("for h1 in r:", "for k8, h1 in enumerate(r):", "for k8 in range(a % 6):")
                first = (
                    "    h1.append(m)" if "h1" in head else self.pick("    r.append([k8])", "    r.append([m] * k8)")
                )
                return [head, *ends, first, *self.block(depth + 1, True, in_function)]
            case 31:
                return [
                    self.pick(
                        "c.append(i)", "c.append(u)", "c.append(xs[0])", "c.append(None)", "c[i % 3] = j", f"c[0] = {self.real(1)}", "c[-1] = xs[-1]", "c = [0] * (a % 5)",
                        "c = [None] * (b % 4)", "c = [0.0] * len(xs)", "if c and c[0] is None:\n    c[0] = i", "i = c.count(None)", "j = len(c)", "j = c.index(None)",
                        "u = float(sum(k for k in c if k is not None))", "for k, h in enumerate(xs):\n    c[k] = h", "c.sort()", "c = c[::-1]", "c += [v, i]", "c.extend(q)",
                        "if c:\n    v = float(c.pop() or 0)", "v = float(max(c))", "c.insert(0, j)", "u = c[-1] * 0.5", "c = [k for k in c if k]", "r[0] = c", "c = [u, *c][:5]",
                        "c[0], c[-1] = c[-1], c[0]", "i = (xs[0] in c) + (c == q)", "c = sorted([i, u, 3])", "del c[0]", "c = list(xs) + [i]", "t = (i, c[0] or 0.0)",
                    )
                ]  # fmt: skip
            case 32 if depth < 3:
                ends = ["    if len(c) > 20:", "        break"]
                head = self.pick("for h2 in c:", "for k7, h2 in enumerate(c):", "for k7 in range(a % 6):")
                first = (
                    self.pick("    v += h2 or 0", "    c.append(h2)", "    u = u if h2 is None else u + h2")
                    if "h2" in head
                    else self.pick(
                        "    c.append(k7 * 0.5 if k7 % 2 else k7)", "    c.append(xs[k7 % 2])", "    c[k7] = u"
                    )
                )
                return [head, *ends, first, *self.block(depth + 1, True, in_function)]
            case 28 if depth < 3:
                ends = ["    if len(p) + len(q) > 30:", "        break"]
                head = self.pick("for m in ticks(a % 6, 2):", "for m, k9 in pairs(p, 2):", "for m in ticks(len(q)):")
                return [head, *ends, *self.block(depth + 1, True, in_function)]
            case 0 | 1:
                return [f"{self.pick('i', 'j', 'm')} = {self.integer()}"]
            case 2 | 3:
                return [f"{self.pick('u', 'v')} = {self.real()}"]
            case 4:
                return [f"{self.pick('i', 'j', 'm')} {self.pick('+=', '-=', '*=', '%=')} {self.integer(1)}"]
            case 5 | 6 if depth < 4:
                lines = [f"if {self.truth()}:", *self.block(depth + 1, in_loop, in_function)]
                if self.below(3) == 0:
                    lines += [f"elif {self.truth()}:", *self.block(depth + 1, in_loop, in_function)]
                if self.below(2):
                    lines += ["else:", *self.block(depth + 1, in_loop, in_function)]
                return lines
            case 7 | 8 | 9 if depth < 3:
                return self.loop(depth, in_function)
            case 10:
                return [self.pick(
                    f"p[{self.pick('0', '-1', 'i', '1')}] = {self.integer(1)}", f"q[0] = {self.real(1)}", f"s[{self.pick('i % 4', '0', 'j')}] = {self.real(1)}",
                    f"s[{self.pick('1:', ':2')}] += {self.real(0)}", f"s[:] = {self.real(0)}", f"xs[{self.pick('0', '-1', 'i')}] = {self.real(1)}",
                    f"d['n'] = {self.integer(1)}", f"d['w'] += {self.real(0)}",
                )]  # fmt: skip
            case 11:
                return [self.pick(
                    f"t = ({self.integer(1)}, {self.real(1)})", "i, j = j, i", f"u, v = v, {self.real(1)}", "m, *rest = p", "q = q[::-1]", "p = sorted(p)",
                    "p = p[1:] + p[:1]", f"s = {self.array()}", f"p = [{self.integer(1)}, i, j]", "q = [k * 2.0 for k in q]",
                )]  # fmt: skip
            case 12 if in_loop:
                return [f"if {self.truth()}:", f"    {self.pick('break', 'continue')}"]
            case 13:
                return [f"if {self.truth()}:", f"    {self.leave()}"]
            case 14 if not in_function and depth < 2:
                return self.function()
            case 15:
                return (
                    [f"assert {self.truth()}, 'no'"] if self.below(3) == 0 else [f"u = float(({self.array()}).sum())"]
                )
            case 16:
                return [f"if (j := {self.integer(1)}) > 2:", f"    i = j {self.pick('+', '-')} 1"]
            case 17 if not in_loop:
                return [
                    self.pick(
                        f"p.append({self.integer(1)})",
                        "p.pop()",
                        "p.reverse()",
                        f"p.insert(0, {self.integer(0)})",
                        "p += [1]",
                        f"q.append({self.real(0)})",
                    )
                ]
            case _:
                return [f"u = {self.real()}"]

    def attempt(self, depth: int, in_loop: bool, in_function: bool) -> list[str]:
        lines = ["try:", *self.block(depth + 1, in_loop, in_function)]
        kinds = (
            "ZeroDivisionError",
            "IndexError",
            "(ValueError, KeyError)",
            "ArithmeticError",
            "Exception",
            "LookupError",
        )
        handlers = [self.pick(*kinds) for _ in range(self.below(3))]
        for kind in handlers:
            looks = self.pick(
                "", "", "j = type(e) is IndexError", "i = len(str(e))", "i = len(e.args)", "u = len(repr(e)) / 2"
            )
            lines += [f"except {kind}{' as e' if looks else ''}:", *([f"    {looks}"] if looks else [])]
            lines += self.block(depth + 1, in_loop, in_function)
            if self.below(4) == 0:
                cause = " from e" if looks and self.below(2) else self.pick("", " from None")
                lines += [f"    {self.pick('raise', f'raise ValueError(i){cause}', 'return i')}"]
        if handlers and self.below(3) == 0:
            lines += ["else:", *self.block(depth + 1, in_loop, in_function)]
        if not handlers or self.below(3) == 0:
            lines += ["finally:", *self.block(depth + 1, in_loop, in_function)]
        return lines

    def loop(self, depth: int, in_function: bool) -> list[str]:
        self.loops += 1
        counter = f"k{self.loops}"
        body = self.block(depth + 1, True, in_function)
        ends = ["    if len(p) + len(q) > 30:", "        break"]  # the body may append to what it iterates over
        match self.below(6):
            case 0 | 1:
                lines = [
                    f"for {counter} in range({self.pick('3', 'a % 5', 'b % 4', 'len(p)', '2, 6', '5, 0, -2', '1, abs(a) % 6')}):",
                    *body,
                ]
            case 2:
                lines = [f"for m in {self.pick('p', 'p[:2]', '(1, 2, a)')}:", *ends, *body]
            case 3:
                lines = [f"for {counter}, v in enumerate({self.pick('q', 'q[1:]', '(x, y)')}):", *ends, *body]
            case 4:
                lines = (
                    [f"for i, u in zip(p, {self.pick('q', 'xs.tolist()[:2]', '(x, y)')}):", *ends, *body]
                    if self.below(2)
                    else [f"for e in {self.pick('xs', 's')}:", *body, "    v = v + float(e)"]
                )
            case _:
                lines = [
                    f"{counter} = 0",
                    f"while {counter} < {self.pick('4', 'a % 6')}{self.pick('', ' and ' + self.truth())}:",
                    f"    {counter} += 1",
                    *body,
                ]
        if self.below(5) == 0:
            lines += ["else:", *self.block(depth + 1, False, in_function)]
        return lines

    def function(self) -> list[str]:
        self.functions += 1
        name = f"g{self.functions}"
        captured = self.pick("", "nonlocal i\n    i = n")
        lines = [f"def {name}(n, z={self.pick('1.0', 'x', 'u')}):"]
        lines += ["    " + line.strip() for line in captured.splitlines()]
        lines += [f"    if n > {self.pick('2', '0')}:", f"        return {self.pick('z * n', 'z + m', 'u - z')}"]
        if self.below(3) == 0:
            lines += [f"    return {name}(n + 1, z) + 1.0"]
        else:
            lines += [f"    return {self.pick('z', 'v', 'z - n')}"]
        return [*lines, f"u = {name}({self.integer(1)}{self.pick('', ', ' + self.real(0), ', z=v')})"]

    def leave(self) -> str:
        return self.pick(
            f"return {self.integer(1)}", f"return {self.real(1)}", "return", "return i, u", "return p", "return t, q", f"raise ValueError({self.integer(1)})",
            "raise KeyError('none')", f"return {self.array()}", "return d", "return {'i': i, 'u': [u, v]}", "return o", "return o, k0.items", "return r, p", "return c, i",
        )  # fmt: skip

    def text(self) -> str:
        lines = [f"def f({_PARAMETERS}):", *("    " + line for line in _PRELUDE)]
        while self.left > 0:
            lines += self.block(0, False)
        lines += [
            f"    return {self.pick('i, j, m, u, v, t, p, q, s', 'i, u', 'u', 'p, q', 'd, i', 's, u', 'o, i', 'o, k0.items, q', 'r, p', 'r, i, u')}"
        ]
        return "\n".join(lines) + "\n"


@st.composite
def programs(draw: Callable[[st.SearchStrategy[Any]], Any]) -> tuple[str, list[tuple[object, ...]]]:
    """The text of a function `f`, and arguments of some calls of it."""
    text = _Writer(draw).text()
    ints, reals = st.integers(-8, 12), st.sampled_from((0.0, 1.0, -1.5, 0.25, 3.0, -7.75, 100.0))
    calls: list[tuple[object, ...]] = [
        (draw(ints), draw(ints), draw(reals), draw(reals), np.array([draw(reals) for _ in range(draw(st.sampled_from((3, 3, 4, 2))))]),
         {"n": draw(ints), "w": draw(reals)})
        for _ in range(3)
    ]  # fmt: skip
    return text, calls
