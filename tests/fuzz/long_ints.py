"""Random programs whose ints may leave 64 bits, before or after they print and write to an array, in and beside `try`."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

NAMESPACE: dict[str, Any] = {}
_NUMBERS = (0, 1, 2, 3, 7, -5, 10**6, 2**31, 2**40, 2**61)
_CAUGHT = ("ZeroDivisionError", "ArithmeticError", "Exception", "(OverflowError, ZeroDivisionError)")
_HELPERS = (
    ["return p * q + 1"],
    ["return p if q < 3 else helper(p * 3, q // 2)"],
    ["r = 1", "for j in range(5):", "    r = r * (p % 1000) + q", "return r"],
)
_ARGUMENTS = ((1, 2, 2), (3, -7, 4), (2**31, 5, 3), (10**9, 10**9, 2), (2**62, 1, 5))


class LongIntWriter:
    """Writes functions `f(a, b, m, x)` of ints and an array of floats."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def text(self) -> str:
        """The text of a function, and of one that it calls."""
        lines = ["def helper(p, q):", *(f"    {line}" for line in self.random.choice(_HELPERS))]
        lines += ["def f(a, b, m, x):", "    c = 1", "    out = []", *self._statements(["a", "b", "c", "m"], 1, 2)]
        return "\n".join([*lines, "    return a, b, c, out"]) + "\n"

    def arguments(self) -> list[tuple[Any, ...]]:
        """Arguments for it."""
        return [(*ints, np.zeros(3)) for ints in _ARGUMENTS]

    def _expression(self, names: list[str], depth: int) -> str:
        r = self.random
        if not depth or r.random() < 0.25:
            return r.choice([*names, str(r.choice(_NUMBERS))])
        first, op = self._expression(names, depth - 1), r.choice(("+", "-", "*", "*", "*", "%", "//", "<<", "**"))
        second = {"%": (3, 7, 1000003, 2**40), "//": (3, 7, 2**40), "<<": (1, 3, 20, 40), "**": (2, 3)}.get(op)
        return f"({first} {op} {self._expression(names, depth - 1) if second is None else r.choice(second)})"

    def _statements(self, names: list[str], indent: int, depth: int) -> list[str]:
        made: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            made += self._statement(names, indent, depth)
        return made

    def _statement(self, names: list[str], indent: int, depth: int) -> list[str]:
        r, margin = self.random, "    " * indent
        name, kind = r.choice(("a", "b", "c")), r.random()
        if depth and kind > 0.6:
            return self._nested(names, indent, depth)
        if kind < 0.35:
            return [f"{margin}{name} = {self._expression(names, 2)}"]
        if kind < 0.45:
            return [f"{margin}out.append({r.choice(names)})"]
        if kind < 0.5:
            return [f"{margin}x[{r.randint(0, 2)}] = x[1] + 1.0"]
        if kind < 0.55:
            return [f"{margin}print('v', {r.choice(names)} % 1000)"]
        return [f"{margin}{name} = helper({r.choice(names)}, {r.choice(names)})"]

    def _nested(self, names: list[str], indent: int, depth: int) -> list[str]:
        r, margin, kind = self.random, "    " * indent, self.random.random()

        def block(known: list[str]) -> list[str]:
            return self._statements(known, indent + 1, depth - 1)

        if kind < 0.3:
            test = f"{margin}if {r.choice(names)} > {r.choice((0, 5, 2**33))}:"
            return [test, *block(names), f"{margin}else:", *block(names)]
        if kind < 0.6:
            index = f"i{indent}"
            return [f"{margin}for {index} in range({r.choice('236m')}):", *block([*names, index])]
        name = r.choice(("a", "b", "c"))
        divided = f"{margin}    {name} = {name} + 10 // ({r.choice(names)} % 3)"
        made = [f"{margin}try:", *block(names), divided, f"{margin}except {r.choice(_CAUGHT)}:", *block(names)]
        return (
            [*made, f"{margin}finally:", f"{margin}    c = {self._expression(names, 1)}"] if r.random() < 0.3 else made
        )
