"""Generators of random arguments: numbers, choices, and sums, products and unions of them, one value in each case.

k = random(1, 6)                     # 1 <= k < 6, the same wherever k stands in a case
oneof("mean", "sum", possibility=[0.8, 0.2])
random(1, 4) * 2 | nothing()         # an even number, or the argument is left out
"""

# A generator's value is drawn once for each stream (`Draws`) that is active.

from __future__ import annotations

import collections.abc
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

from jitcore.testing.autotest.draws import Draws

__all__ = [
    "Generator",
    "Nothing",
    "constant",
    "drawn",
    "nothing",
    "oneof",
    "random",
    "random_bool",
    "random_device",
    "random_or_nothing",
]

_streams: Final[list[Draws]] = []
"""The stream that values are drawn from, last."""


@contextmanager
def drawing(draws: Draws) -> collections.abc.Generator[None]:
    """A context in which generators draw from a stream."""
    _streams.append(draws)
    try:
        yield
    finally:
        _streams.pop()


def stream() -> Draws:
    """The stream of the case that is running. Raises RuntimeError if none is."""
    if not _streams:
        raise RuntimeError("random values are drawn in functions decorated with @autotest and in compare(), not here")
    return _streams[-1]


class Nothing:
    """The value of an argument that is left out."""

    def __repr__(self) -> str:
        return "nothing"


_NOTHING: Final = Nothing()
Converter: TypeAlias = Callable[[Any], Any]


class Generator:
    """What gives a value, one in each case. Operators give generators of sums, differences and products; `a | b` gives
    what one of the two gives.

    >>> with drawing(Draws(seed=1)):
    ...     k = random(1, 6)
    ...     (k + 1).value() == k.value() + 1
    True
    """

    _drawn_from: Draws | None = None
    _value: Any = None

    def draw(self, draws: Draws) -> Any:
        """A value. Subclasses say which."""
        raise NotImplementedError

    def value(self) -> Any:
        """The value in the case that is running. Raises RuntimeError if none is."""
        draws = stream()
        if self._drawn_from is not draws:
            self._value = self.draw(draws)
            self._drawn_from = draws
        return self._value

    def to(self, kind: Converter) -> Generator:
        """The generator of values of a type: `random(0, 2).to(float)`."""
        return _Converted(self, kind)

    def alternatives(self) -> int:
        """Among how many values `|` counts it as choosing."""
        return 1

    def __add__(self, other: object) -> Generator:
        return _Combined(lambda a, b: a + b, self, other)

    def __radd__(self, other: object) -> Generator:
        return _Combined(lambda a, b: a + b, other, self)

    def __sub__(self, other: object) -> Generator:
        return _Combined(lambda a, b: a - b, self, other)

    def __rsub__(self, other: object) -> Generator:
        return _Combined(lambda a, b: a - b, other, self)

    def __mul__(self, other: object) -> Generator:
        return _Combined(lambda a, b: a * b, self, other)

    def __rmul__(self, other: object) -> Generator:
        return _Combined(lambda a, b: a * b, other, self)

    def __or__(self, other: object) -> Generator:
        return _OneOf((self, other), (self.alternatives(), _alternatives(other)))

    def __ror__(self, other: object) -> Generator:
        return _OneOf((other, self), (_alternatives(other), self.alternatives()))

    def __bool__(self) -> bool:
        raise TypeError("a generator has no truth value; ask its value(), or draw with oneof()")


def drawn(value: object) -> Any:
    """The value of a generator in this case; what is none, with the generators in its tuples, lists and dicts drawn."""
    if isinstance(value, Generator):
        return drawn(value.value())
    if type(value) in (tuple, list):
        assert isinstance(value, tuple | list)
        return type(value)(map(drawn, value))
    if isinstance(value, dict):
        return {key: drawn(item) for key, item in value.items()}
    return value


def _alternatives(value: object) -> int:
    return value.alternatives() if isinstance(value, Generator) else 1


class _Constant(Generator):
    def __init__(self, value: object) -> None:
        self._constant = value

    def draw(self, draws: Draws) -> Any:
        del draws
        return self._constant


class _Combined(Generator):
    def __init__(self, operation: Callable[[Any, Any], Any], left: object, right: object) -> None:
        self._operation, self._left, self._right = operation, left, right

    def draw(self, draws: Draws) -> Any:
        del draws
        return self._operation(drawn(self._left), drawn(self._right))


class _Converted(Generator):
    def __init__(self, of: Generator, kind: Converter) -> None:
        self._of, self._kind = of, kind

    def alternatives(self) -> int:
        return self._of.alternatives()

    def draw(self, draws: Draws) -> Any:
        if isinstance(self._of, random) and self._kind is float:
            return self._of.real(draws)
        value = self._of.value()
        return value if isinstance(value, Nothing | None) else self._kind(value)


class _OneOf(Generator):
    def __init__(self, values: Sequence[object], weights: Sequence[float]) -> None:
        self._values, self._weights = values, weights

    def alternatives(self) -> int:
        return sum(map(_alternatives, self._values))

    def draw(self, draws: Draws) -> Any:
        return drawn(self._values[draws.index(self._weights)])


class random(Generator):
    """Numbers of low <= n < high, which may be generators: ints, or floats if a bound is one or by `.to(float)`.

    >>> with drawing(Draws(seed=3)):
    ...     random(1, 6).value() in range(1, 6), 0 <= random(0.0, 1.0).value() < 1
    (True, True)
    """

    def __init__(self, low: float | Generator = 1, high: float | Generator = 6) -> None:
        self._low, self._high = low, high

    def draw(self, draws: Draws) -> Any:
        """See `Generator.draw`."""
        low, high = drawn(self._low), drawn(self._high)
        if isinstance(low, float) or isinstance(high, float):
            return draws.real(low, high)
        return draws.integer(low, high)

    def real(self, draws: Draws) -> float:
        """A float of the same bounds."""
        return draws.real(float(drawn(self._low)), float(drawn(self._high)))


def oneof(*values: object, possibility: Sequence[float] | float | None = None) -> Generator:
    """One of several values or generators. `possibility` has the weight of each; a number is that of the first, the
    others sharing what is left of 1. Raises ValueError for weights that are not as many.

    >>> with drawing(Draws(seed=0)):
    ...     oneof("sum", "mean", possibility=[0.0, 1.0]).value()
    'mean'
    """
    if not values:
        raise ValueError("oneof() chooses among at least one value")
    if possibility is None:
        return _OneOf(values, [1.0] * len(values))
    if isinstance(possibility, int | float):
        rest = (1 - possibility) / max(1, len(values) - 1)
        return _OneOf(values, [possibility, *[rest] * (len(values) - 1)])
    if len(possibility) != len(values):
        raise ValueError(f"oneof() was given {len(values)} values and {len(possibility)} weights")
    return _OneOf(values, possibility)


def constant(value: object) -> Generator:
    """A generator that always gives one value."""
    return _Constant(value)


def nothing() -> Generator:
    """An argument that is left out: `torch.sum(x, dim=random(0, 2) | nothing())`."""
    return _Constant(_NOTHING)


def random_or_nothing(low: float | Generator = 1, high: float | Generator = 6) -> Generator:
    """A random number, or at times an argument that is left out."""
    return oneof(random(low, high), nothing(), possibility=[0.7, 0.3])


def random_bool() -> Generator:
    """False or True."""
    return oneof(False, True)


def random_device() -> Generator:
    """The name of a device there is."""
    return constant("cpu")
