"""Programs that write to arrays in place while variables change hands, whose gradients are compared with complex steps.

Plain Python gives the derivative of such a program to the last digits: it is the imaginary part of what the program gives
for `x + 1e-30j * e`, over 1e-30 (Squire and Trapp, Using Complex Variables to Estimate Derivatives of Real Functions, 1998).
What it does may not ask for numbers, then: conditions are of ints.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from fuzz.clock import clock
from jitcore import FallbackWarning, grad, jit

NAMESPACE: dict[str, Any] = {"np": np}
COUNTS = (0, 2, 3, 5)
"""What each program is called with as n."""
_ARRAYS = ("u", "v", "w")
_INDICES = ("0", "1", "-1", "i % 3", "n % 3")
_SLICES = ("1:", ":2", "::2")


class PlaceWriter:
    """Writes one function of a vector of three and an int, which gives a number and is analytic in the vector."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.left = self.random.randint(4, 14)
        self.loops = 0

    def text(self) -> str:
        lines = ["i = 0", f"u, v, w = {self.pick('x * 0.5', 'x', 'x.copy()')}, x * 0.3 + 1, x * x"]
        while self.left > 0:
            self.left -= 1
            lines += self.statement(0, in_loop=False)
        lines.append("return (u * v).sum() + (w * w).sum() + u[0] + x[1]")
        return "\n".join(["def f(x, n):", *(f"    {line}" for line in lines)])

    def pick(self, *choices: str) -> str:
        return self.random.choice(choices)

    def below(self, n: int) -> int:
        return self.random.randrange(n)

    def array(self, depth: int = 2) -> str:
        part = self.array
        match self.below(9) if depth > 0 else 0:
            case 0 | 1:
                return self.pick("x", "x", "x[::-1]", "u[::-1]", *_ARRAYS)
            case 2 | 3:
                return f"({part(depth - 1)} + {part(depth - 1)})"
            case 4 | 5:
                return f"(0.4 * {part(depth - 1)} * {part(depth - 1)})"
            case 6:
                return f"({part(depth - 1)} - 0.5 * {part(depth - 1)})"
            case 7:
                return f"({part(depth - 1)} * {self.pick('u[0]', 'v[1]', 'x[2]', '0.3', 'w[i % 3]')})"
            case _:
                return f"np.sin(0.3 * {part(depth - 1)})"

    def truth(self) -> str:
        return self.pick("n > 2", "i % 2", "i == 1", "n % 2", "i < 2", "i + n > 3")

    def block(self, depth: int, in_loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(1 + self.below(3)):
            if self.left > 0:
                self.left -= 1
                lines += self.statement(depth, in_loop)
        return [f"    {line}" for line in lines or ["u = u * 0.9"]]

    def statement(self, depth: int, in_loop: bool) -> list[str]:
        a, b = self.pick(*_ARRAYS), self.pick(*_ARRAYS)
        match self.below(22):
            case 0 | 1 | 2:
                return [f"{a} = {self.array()}" if self.below(6) else f"{a} = {self.array(1)}.copy()"]
            case 3 | 4 | 5:
                return [f"{a} {self.pick('+=', '-=')} {self.array(1)}"]
            case 6:
                return [f"{a} *= {self.pick('0.5', 'x', 'x[1]', '0.3')}"]
            case 7 | 8:
                written = f"{a}[{self.pick(*_INDICES)}] {self.pick('=', '+=', '*=')}"
                return [f"{written} 0.5 * {self.pick('x', *_ARRAYS)}[{self.pick('0', '1', 'i % 3')}]"]
            case 9:
                return [f"{a}[{self.pick(*_SLICES)}] += {self.pick('x', *_ARRAYS)}[{self.pick('1:', ':2', '::2')}]"]
            case 10 | 11:
                return [f"{a} = {b}"]
            case 12:
                return [f"{a}, {b} = {b}, {a}"]
            case 13:
                return [f"{a} = {b}[::-1]"]
            case 14 | 15 | 16 if depth < 3:
                lines = [f"if {self.truth()}:", *self.block(depth + 1, in_loop)]
                return [*lines, "else:", *self.block(depth + 1, in_loop)] if self.below(2) else lines
            case 17 | 18 | 19 if depth < 2:
                return self.loop(depth)
            case 20 if in_loop:
                return [f"if {self.truth()}:", f"    {self.pick('break', 'continue')}"]
            case 21 if depth and self.below(2):
                return [f"if {self.truth()}:", f"    return (u * {b}).sum()"]
            case _:
                return [f"{a} = {b} * 0.7"]

    def loop(self, depth: int) -> list[str]:
        self.loops += 1
        counter = f"k{self.loops}"
        body = self.block(depth + 1, in_loop=True)
        if self.below(3):
            return [f"for i in range({self.pick('n', '3', '2', 'n - 1')}):", *body]
        return [f"{counter} = 0", f"while {counter} < {self.pick('n', '3')}:", f"    {counter} += 1", *body]


def disagreements(plain: Callable[..., Any], took: Callable[[float], object]) -> list[str] | None:
    """What is wrong with a program's gradient; None where it has none but the interpreter's."""
    x = np.array([0.7, -0.4, 0.9])
    found: list[str] = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        warnings.simplefilter("error", FallbackWarning)
        gradient = jit(grad(plain))
        for n in COUNTS:
            start = clock()
            try:
                got = np.asarray(gradient(x.copy(), n))
            except FallbackWarning:
                return None
            took(clock() - start)
            steps = 1e-30j * np.eye(3)
            wanted = np.array([plain(x + step, n).imag / 1e-30 for step in steps])
            if np.isfinite(wanted).all() and not np.allclose(got, wanted, rtol=1e-8, atol=1e-10):
                found.append(f"n = {n}: {got}, by complex steps {wanted}")
    return found
