"""Calls that nobody means, written at random: methods, builtins, operators and statements on values of any kind, with arguments of any kind."""

# pyright: basic
from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from jitcore import Tensor

VALUES: Final = (
    "1", "-1", "0", "3", "2.5", "True", "None", "'x'", "'abc'", "b'x'", "(1,)", "(1, 2)", "[1]", "[2, 1]", "[]", "{'x': 1}", "{1}",
    "Tensor([1])", "Tensor([1.0, 2.0])", "np.array([1.0, 2.0])", "np.array([1, 2])", "np.float32(2)", "np.int64(1)", "range(3)", "1j", "()",
    "''", "{}", "int", "len", "slice(0, 1)", "float('nan')", "-40000",
)  # fmt: skip
RECEIVERS: Final = (
    "[1, 2, 3]", "(1, 2, 1)", "{'x': 1, 'y': 2}", "{1, 2}", "'abc'", "b'ab'", "range(1, 9, 2)", "5", "2.5", "1j", "True", "None",
    "np.array([3, 1, 2])", "np.array([[1.0, 2.0]])", "Tensor([3, 1, 2])", "np.float64(1.5)", "['x', 'y']", "[(1, 'a'), (2, 'b')]",
    "[1.5, None]", "frozenset({1})", "slice(1, 5, 2)",
)  # fmt: skip
BUILTINS: Final = (
    "abs", "all", "any", "bool", "bytes", "chr", "complex", "dict", "divmod", "float", "format", "frozenset", "getattr", "hasattr", "hash",
    "int", "isinstance", "issubclass", "len", "list", "max", "min", "next", "ord", "pow", "range", "repr", "reversed", "round", "set",
    "slice", "sorted", "str", "sum", "tuple", "type", "callable", "ascii", "bin", "hex", "oct",
)  # fmt: skip
ITERATORS: Final = ("enumerate", "filter", "map", "zip", "reversed")
OPERATORS: Final = (
    "+", "-", "*", "/", "//", "%", "**", "@", "<<", ">>", "&", "|", "^", "<", "<=", ">", ">=", "==", "!=", "in", "not in", "is", "and", "or",
)  # fmt: skip
OF_ONE: Final = (
    "return -a", "return ~a", "return +a", "return not a", "return [*a]", "x, y = a\n    return x, y", "x, *y = a\n    return x, y",
    "return {**a}", "return f'{a}'", "return f'{a!r:>9}'", "return [u for u in a]", "return 1 if a else 2", "for u in a:\n        return u",
    "while a:\n        return 1", "assert a\n    return 2", "return a()", "return a.real", "return a.shape", "return a[0]", "return a[-1]",
    "return a['x']", "return a[::2]", "return a[:1]", "raise a", "return a.absent", "return a.__len__()", "return a.__class__",
)  # fmt: skip
OF_TWO: Final = (
    "return a[b]", "a.absent = b\n    return a", "return getattr(a, b)", "return hasattr(a, b)", "return isinstance(a, b)", "return a(b)",
    "return max(a, b)", "return min(a, key=b)", "return sorted(a, key=b)", "return sum(a, b)", "return pow(a, b, 3)", "return round(a, b)",
    "return a.__getitem__(b)", "return a.__add__(b)", "del a[b]\n    return a", "a += b\n    return a", "a *= b\n    return a",
    "a -= b\n    return a", "a |= b\n    return a",
)  # fmt: skip
OF_THREE: Final = ("a[b] = c\n    return a", "a[b:] = c\n    return a", "a[b] += c\n    return a")
NAMESPACE: Final[dict[str, object]] = {"np": np, "Tensor": Tensor}
_COUNTS: Final = (0, 1, 1, 1, 2, 2, 3)


class OddCallWriter:
    """One function `f` and what it is called with."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._body, self._given = self._written()

    def text(self) -> str:
        """The function's source."""
        return f"def f({', '.join('abcd'[: len(self._given)])}):\n    {self._body}\n"

    def arguments(self) -> list[Any]:
        """Its arguments, made anew."""
        return [eval(text, dict(NAMESPACE)) for text in self._given]

    def _written(self) -> tuple[str, Sequence[str]]:
        pick, either = self.random.choice, (*VALUES, *RECEIVERS)
        kind = pick(
            ("method", "method", "method", "builtin", "builtin", "iterator", "operator", "operator", 1, 2, 2, 3)
        )
        count = pick(_COUNTS)
        if kind == "method":
            receiver, names = pick([(r, names) for r in RECEIVERS if (names := _methods(r))])
            given = [receiver, *(pick(VALUES) for _ in range(count))]
            return f"r = a.{pick(names)}({', '.join('bcd'[:count])})\n    return r, a", given
        if kind in ("builtin", "iterator"):
            call = f"{pick(BUILTINS if kind == 'builtin' else ITERATORS)}({', '.join('abc'[:count])})"
            return f"return {call if kind == 'builtin' else f'list({call})'}", [pick(either) for _ in range(count)]
        if kind == "operator":
            return f"return a {pick(OPERATORS)} b", [pick(either), pick(either)]
        body = pick({1: OF_ONE, 2: OF_TWO, 3: OF_THREE}[kind])
        return body, [pick(either), *(pick(VALUES) for _ in range(kind - 1))]


def _methods(receiver: str) -> list[str]:
    """The public methods of a value; arrays' are the business of the NumPy fuzzer."""
    value = eval(receiver, dict(NAMESPACE))
    arrays = isinstance(value, np.ndarray | np.generic | Tensor)
    return [] if arrays else [name for name in dir(value) if not name.startswith("_")]


def is_known(want: Exception | None, got: Exception | None) -> bool:
    """Whether a class of NumPy's own has the one for which it stands in its place."""
    return (
        want is not None
        and type(want).__module__.startswith("numpy")
        and got is not None
        and isinstance(want, type(got))
    )
