"""Random counted loops over arrays and lists of ints: indices near their ends, sums near 64 bits, steps and conditions."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

NAMESPACE: dict[str, Any] = {"np": np}
_LENGTHS = (0, 1, 3, 8, 12, 13, 40, 100)
_NUMBERS = (
    0,
    1,
    -1,
    2,
    3,
    5,
    -4,
    7,
    11,
    1 << 20,
    1 << 31,
    -(1 << 40),
    1 << 52,
    1 << 61,
    1 << 62,
    (1 << 63) - 1,
    -(1 << 63),
)


class LoopWriter:
    """Writes functions `f(n, a, b, x, y, k, c)` of ints, two arrays of floats, one of 32-bit ints and a list of ints."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.indices: list[str] = []

    def function(self) -> str:
        """The text of a function."""
        lines = ["def f(n, a, b, x, y, k, c):", f"    s = {self._start()}", f"    t = {self._start()}", "    j = 0"]
        for _ in range(self.random.choice((1, 1, 2))):
            lines += self._loop(1)
        return "\n".join([*lines, "    return s, t, j"]) + "\n"

    def arguments(self) -> tuple[Any, ...]:
        """Arguments for it."""
        r = self.random
        extent = r.choice(_LENGTHS)
        shape = (extent, r.choice((extent, extent, max(extent - 1, 0), extent + 1)))
        x, y = (np.arange(float(size)) - 2.5 for size in shape)
        if r.random() < 0.2:
            x = np.arange(2.0 * extent)[::2]
        k = np.arange(r.choice((extent, 40)), dtype=np.int32) * r.choice((1, 3, -1))
        c = [r.choice((1, 2, 5, -3, 1 << 40, 1 << 62)) if r.random() < 0.1 else i for i in range(r.choice(shape))]
        n = r.choice((extent, extent, extent - 1, extent + 1, extent // 2, -1, 3, 100))
        return n, self._number(), self._number(), x, y, k, c

    def _number(self) -> int:
        return self.random.choice(_NUMBERS[:9]) if self.random.random() < 0.7 else self.random.choice(_NUMBERS)

    def _start(self) -> str:
        return self.random.choice(("0", "0", "1", "a", "b", "-n", "2 * a"))

    # --- statements

    def _loop(self, depth: int) -> list[str]:
        r, indent = self.random, "    " * depth
        index = "ihg"[len(self.indices)]
        ranges = [
            "n",
            "len(x)",
            "1, n",
            "n - 1",
            "1, len(y) - 1",
            "0, n, 2",
            "n - 1, -1, -1",
            "a % 7, n",
            "len(c)",
            "min(n, 5)",
        ]
        if self.indices:
            ranges += [self.indices[-1], f"{self.indices[-1]}, n", f"n - {self.indices[-1]}"]
        test = r.choice(("n", "n - 1", "len(x)", "len(c) - 2", "2 * n"))
        if r.random() < 0.7:
            lines = [f"{indent}for {index} in range({r.choice(ranges)}):"]
            following = []
        elif r.random() < 0.7:
            lines = [
                f"{indent}{index} = {r.choice(('0', '1', 'a % 5'))}",
                f"{indent}while {index} {r.choice(('<', '<='))} {test}:",
            ]
            following = [f"{indent}    {index} += {r.choice('1123')}"]
        else:
            lines = [f"{indent}{index} = {test}", f"{indent}while {r.choice(('0 <', '1 <=', '-2 <'))} {index}:"]
            following = [f"{indent}    {index} = {index} - {r.choice('12')}"]
        self.indices.append(index)
        for _ in range(r.randint(1, 3)):
            lines += self._statement(depth + 1)
        if depth < 2 and r.random() < 0.25:
            lines += self._loop(depth + 1)
        lines += following
        self.indices.pop()
        return lines

    def _statement(self, depth: int) -> list[str]:
        r, indent = self.random, "    " * depth
        if depth < 4 and r.random() < 0.25:
            lines = [f"{indent}if {self._condition()}:", *self._statement(depth + 1)]
            if r.random() < 0.4:
                lines += [f"{indent}else:", *self._statement(depth + 1)]
            return lines
        return [indent + text for text in self._simple().split("\n")]

    def _simple(self) -> str:
        r = self.random
        target = r.choice("st")
        return r.choice((
            lambda: f"{target} {r.choice('+-')}= {self._int(2)}",
            lambda: f"{target} = {self._int(2)}",
            lambda: f"{target} = {r.choice(('max', 'min'))}({target}, {self._int(1)})",
            lambda: f"{target} = {target} * {self._int(0, carried=False)} + {self._int(1)}" if len(self.indices) == 1 else "j -= 1",
            lambda: f"x[{self._index()}] = 0.5 * y[{self._index()}] + {self._float()}",
            lambda: f"y[{self._index()}] += {self._float()}",
            lambda: f"c[{self._index()}] = {self._int(1)}",
            lambda: f"x[j] = y[{self._index()}]\nj += 1",
            lambda: "j += 1",
        ))()  # fmt: skip

    # --- expressions

    def _float(self) -> str:
        return self.random.choice((f"x[{self._index()}]", f"y[{self._index()}]", self._int(1), "1.5"))

    def _condition(self) -> str:
        r = self.random
        return r.choice((
            lambda: f"{self._int(0)} {r.choice(('<', '<=', '>', '>=', '==', '!='))} {self._int(1)}",
            lambda: f"0 < {self.indices[-1]} < n - 1",
            lambda: f"{self.indices[-1]} > 0 and {self.indices[-1]} + 1 < len(x)",
            lambda: f"x[{self._index()}] > 0.0",
            lambda: f"not {self.indices[-1]} < 2",
        ))()  # fmt: skip

    def _index(self) -> str:
        r, i = self.random, self.random.choice(self.indices)
        return r.choice((
            i, i, i, f"{i} - 1", f"{i} + 1", f"n - 1 - {i}", f"-1 - {i}", f"2 * {i}", f"{i} + a", f"a * {i} + b", f"{i} % 3", f"{i} & 3",
            f"min({i}, 2)", f"{i} // 2", "0", "-1", "j", "n - 1", "k[0]", f"{i} * {i} % 7", f"int(k[{i}])", f"c[{i}]", f"abs({i} - 2)",
        ))  # fmt: skip

    def _int(self, depth: int, carried: bool = True) -> str:
        """An int; what rounds pass on is no factor of it, unless it is `carried`: its digits would double each round."""
        r = self.random
        if depth == 0 or r.random() < 0.2:
            more = ["s", "t", "j", f"c[{self._index()}]"] if carried else []
            return r.choice([*self.indices, *self.indices, "a", "b", "n", "3", "7", "-2", "len(x)", *more])

        def part(carried: bool = carried) -> str:
            return self._int(depth - 1, carried)

        return r.choice((
            lambda: f"({part()} {r.choice('+-')} {part()})",
            lambda: f"({part(False)} * {part(False)})",
            lambda: f"({part()} {r.choice('&|^')} {part()})",
            lambda: f"({part()} {r.choice(('%', '//'))} {r.choice(('3', '-5', '16', self._int(0)))})",
            lambda: f"({part()} >> {r.choice('0137')})",
            lambda: f"{r.choice(('min', 'max'))}({part()}, {part()})",
            lambda: f"(-{part()})",
            lambda: f"abs({part()})",
            lambda: f"({part()} if {self._condition()} else {part()})",
        ))()  # fmt: skip
