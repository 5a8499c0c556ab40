"""Random expressions over ints and floats, many in one function: `f(which, a, b, x, y)` computes the which-th."""

from __future__ import annotations

import math
from random import Random
from typing import Any

NAMESPACE: dict[str, Any] = {"math": math}
INTERESTING_INTS = (
    0,
    1,
    -1,
    2,
    3,
    -3,
    7,
    10,
    63,
    64,
    -64,
    255,
    1 << 31,
    -(1 << 31),
    (1 << 53) + 1,
    (1 << 62),
    (1 << 63) - 1,
    -(1 << 63),
)
INTERESTING_FLOATS = (
    0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -2.5, 1e-300, 1e300, -1e16, 3.7, 1e22, float("inf"), float("-inf"), float("nan"),
    5e-324, 2.0**53, 0.1,
)  # fmt: skip
_UNARY_MATH = [
    "sqrt",
    "sin",
    "cos",
    "tan",
    "exp",
    "log",
    "log10",
    "log2",
    "log1p",
    "expm1",
    "floor",
    "ceil",
    "trunc",
    "fabs",
    "atan",
    "asin",
    "acos",
    "sinh",
    "cosh",
    "tanh",
    "degrees",
]


class ExpressionWriter:
    """Writes expressions: `integer` ones have an int value (or raise), `real` ones a float or an int, `truth` a bool."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def function(self, name: str, count: int) -> str:
        """The text of a function of `count` expressions."""
        lines = [f"def {name}(which, a, b, x, y):"]
        for k in range(count):
            write = self.random.choice((self.integer, self.integer, self.real, self.real, self.truth))
            lines += [f"    if which == {k}:", f"        return {write(self.random.randint(1, 4))}"]
        return "\n".join(lines) + "\n"

    def arguments(self) -> tuple[int, int, float, float]:
        """Values for a, b, x and y."""
        return self._int(), self._int(), self._float(), self._float()

    def _int(self) -> int:
        r = self.random
        if r.random() < 0.3:
            return r.choice(INTERESTING_INTS)
        return r.randint(-20, 20) if r.random() < 0.7 else r.randint(-(1 << 40), 1 << 40)

    def _float(self) -> float:
        r = self.random
        if r.random() < 0.25:
            return r.choice(INTERESTING_FLOATS)
        return r.uniform(-10, 10) if r.random() < 0.8 else math.ldexp(r.uniform(-1, 1), r.randint(-60, 60))

    def integer(self, depth: int) -> str:
        r = self.random
        if depth <= 0 or r.random() < 0.1:
            return r.choice(("a", "b", "a", "b", repr(r.randint(-9, 9)), repr(r.choice(INTERESTING_INTS))))
        kind = r.randrange(13)
        sub = self.integer
        if kind < 6:
            op = r.choice(("+", "-", "*", "//", "%", "&", "|", "^"))
            return f"({sub(depth - 1)} {op} {sub(depth - 1)})"
        if kind == 6:
            return f"({sub(depth - 1)} {r.choice(('<<', '>>'))} {r.choice((f'({sub(depth - 1)} % 67)', str(r.randint(-1, 70))))})"
        if kind == 7:
            return f"({sub(depth - 1)} ** {r.randint(0, 5)})"
        if kind == 8:
            return f"{r.choice(('-', '~', '+'))}{sub(depth - 1)}" if r.random() < 0.7 else f"abs({sub(depth - 1)})"
        if kind == 9:
            return f"({sub(depth - 1)} if {self.truth(depth - 1)} else {sub(depth - 1)})"
        if kind == 10:
            return f"{r.choice(('min', 'max'))}({sub(depth - 1)}, {sub(depth - 1)})"
        if kind == 11:
            return f"{r.choice(('int', 'round', 'math.floor', 'math.ceil', 'math.trunc'))}({self.real(depth - 1)})"
        return r.choice(
            (f"divmod({sub(depth - 1)}, {sub(depth - 1)})[{r.randint(0, 1)}]", f"math.gcd({sub(depth - 1)}, {sub(depth - 1)})",
             f"({sub(depth - 1)} and {sub(depth - 1)})", f"({sub(depth - 1)} or {sub(depth - 1)})", f"int({self.truth(depth - 1)})")
        )  # fmt: skip

    def real(self, depth: int) -> str:
        r = self.random
        if depth <= 0 or r.random() < 0.1:
            return r.choice(
                ("x", "y", "x", "y", "a", repr(round(r.uniform(-5, 5), 2)), repr(r.choice(INTERESTING_FLOATS[:12])))
            )
        kind = r.randrange(11)
        sub = self.real
        if kind < 5:
            op = r.choice(("+", "-", "*", "/", "//", "%"))
            return f"({sub(depth - 1)} {op} {r.choice((sub, self.integer))(depth - 1)})"
        if kind == 5:
            # a negative number to a fraction is complex, which compiled code refuses
            exponent = r.choice((str(r.randint(-3, 4)), "0.5", f"float({sub(depth - 1)})"))
            base = sub(depth - 1)
            return f"({base} ** {exponent})" if exponent.lstrip("-").isdigit() else f"(abs({base}) ** {exponent})"
        if kind == 6:
            return f"math.{r.choice(_UNARY_MATH)}({sub(depth - 1)})"
        if kind == 7:
            return f"({sub(depth - 1)} if {self.truth(depth - 1)} else {sub(depth - 1)})"
        if kind == 8:
            return r.choice(
                (
                    f"abs({sub(depth - 1)})",
                    f"-{sub(depth - 1)}",
                    f"float({sub(depth - 1)})",
                    f"round({sub(depth - 1)}, {r.randint(-2, 4)})",
                )
            )
        if kind == 9:
            return f"{r.choice(('min', 'max'))}({sub(depth - 1)}, {sub(depth - 1)})"
        return r.choice(
            (f"math.{r.choice(('atan2', 'hypot', 'copysign', 'fmod', 'pow'))}({sub(depth - 1)}, {sub(depth - 1)})",
             f"({sub(depth - 1)} or {sub(depth - 1)})", f"divmod({sub(depth - 1)}, {sub(depth - 1)})[{r.randint(0, 1)}]")
        )  # fmt: skip

    def truth(self, depth: int) -> str:
        r = self.random
        value = r.choice((self.integer, self.real))
        kind = r.randrange(6)
        op = r.choice(("<", "<=", ">", ">=", "==", "!="))
        if depth <= 0 or kind < 3:
            return f"({value(depth - 1)} {op} {value(depth - 1)})"
        if kind == 3:
            return f"({self.truth(depth - 1)} {r.choice(('and', 'or'))} {self.truth(depth - 1)})"
        if kind == 4:
            return f"(not {value(depth - 1)})"
        return f"({value(depth - 1)} {op} {value(depth - 1)} {r.choice(('<', '>=', '=='))} {value(depth - 1)})"
