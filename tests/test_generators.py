"""Generators where more than the corpus (`programs.generators`) has to be asked: tracebacks, derivatives, what is refused, and how
that runs in the interpreter."""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, context, grad, jit, jvp, value_and_grad, vmap
from jitcore.config import settings
from jitcore.source import CompileError


def reciprocals(n: int) -> Iterator[float]:
    for i in range(n):
        yield 1 / (2 - i)


def squares(n: int) -> Iterator[int]:
    for i in range(n):
        yield i * i


def naturals() -> Iterator[int]:
    n = 0
    while True:
        yield n
        n += 1


def powers(x: Any, n: int) -> Iterator[Any]:
    term = x
    for _ in range(n):
        yield term
        term = term * x


def places_of(function: Callable[..., Any], *args: Any) -> tuple[type[Exception], str, list[tuple[str, int | None]]]:
    """The exception of a call, and the frames of this file it went through."""
    try:
        function(*args)
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        return type(error), str(error), [(f.name, f.lineno) for f in frames if f.filename == __file__][1:]
    raise AssertionError


def fails_in_the_generator(n: int) -> float:
    total = 0.0
    for x in reciprocals(n):
        total += x
    return total


def fails_in_the_consumer(n: int) -> float:
    total = 0.0
    for x in squares(n):
        total += 1 / (4 - x)
    return total


def fails_in_next(n: int) -> int:
    g = squares(n)
    total = 0
    while True:
        total += next(g)


def fails_in_an_inner_generator(n: int) -> list[float]:
    def outer() -> Iterator[float]:
        yield 1.0
        yield from reciprocals(n)

    return list(outer())


def unpacks_too_many(n: int) -> int:
    a, _ = squares(n)
    return a


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(
    "function",
    [fails_in_the_generator, fails_in_the_consumer, fails_in_next, fails_in_an_inner_generator, unpacks_too_many],
)
def test_exceptions_are_raised_where_python_raises_them(function: Callable[[int], Any]) -> None:
    compiled = jit(function)
    expected = places_of(function, 5)
    assert places_of(compiled, 5) == expected
    settings.jit = False
    assert places_of(compiled, 5) == expected
    settings.jit = True


def polynomial(x: Tensor, n: int) -> Tensor:
    total = x * 0
    for k, term in enumerate(powers(x, n)):
        total = total + (k + 1) * term
    return total.sum()


def searched(x: Tensor) -> Tensor:
    for k, term in enumerate(powers(x, 20)):
        if term.sum() > 30.0:
            return term.sum() * k
    return x.sum()


def interleaved(x: Tensor) -> Tensor:
    a, b = powers(x, 5), powers(x * 2, 4)
    total = next(a) * next(b)
    for p, q in zip(a, b, strict=False):
        total = total + p * q
    return total.sum()


def written(x: Tensor, n: int) -> Any:
    out = x * 1
    for k, value in zip(range(n), (v * 2 for v in x), strict=False):
        out[k] = value * value
    return out.sum()


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("function", "rest"), [(polynomial, (4,)), (searched, ()), (interleaved, ()), (written, (2,))])
def test_derivatives(function: Callable[..., Any], rest: tuple[int, ...]) -> None:
    x = Tensor(np.array([0.5, 1.5, 2.0]))
    expected = grad(function)(x, *rest).asnumpy()
    assert np.array_equal(jit(lambda x: grad(function)(x, *rest))(x).asnumpy(), expected)
    step = 1e-6
    for k in range(3):
        up, down = x.asnumpy().copy(), x.asnumpy().copy()
        up[k] += step
        down[k] -= step
        slope = (float(function(Tensor(up), *rest)) - float(function(Tensor(down), *rest))) / (2 * step)
        assert slope == pytest.approx(expected[k], rel=1e-5)


@pytest.mark.usefixtures("strict")
def test_forward_mode_and_rows() -> None:
    x, v = Tensor(np.array([0.5, 1.5])), Tensor(np.array([1.0, -1.0]))
    value, tangent = jit(lambda x, v: jvp(lambda x: polynomial(x, 3), x, v))(x, v)
    expected, gradient = value_and_grad(polynomial)(x, 3)
    assert float(value) == pytest.approx(float(expected))
    assert float(tangent) == pytest.approx(float((gradient * v).sum()))
    rows = Tensor(np.arange(6.0).reshape(3, 2))
    assert np.allclose(vmap(lambda r: polynomial(r, 3))(rows).asnumpy(), [float(polynomial(r, 3)) for r in rows])


@pytest.mark.usefixtures("strict")
def test_bounds_are_values_of_the_run() -> None:
    @jit
    def total(n: int, limit: int) -> int:
        found = 0
        for x in squares(n):
            if x > limit:
                break
            found += x
        return found + sum(itertools.islice(naturals(), n))

    for n in range(8):
        for limit in (3, 10, 100):
            expected = sum(x for x in squares(n) if x <= limit) + sum(range(n))
            assert total(n, limit) == expected
    assert len(total.specialisations) <= 2


def taken_apart(n: int) -> Any:
    print((yield n))


def delegates(n: int) -> Iterator[int]:
    last: Any = yield from squares(n)
    yield last


def sends(n: int) -> Any:
    def accumulate() -> Any:
        total = 0
        while True:
            total += yield_value(total)
            yield total

    g = accumulate()
    next(g)
    return g.send(n)


def yield_value(x: int) -> int:
    return x + 1


def catches(n: int) -> Iterator[float]:
    for i in range(n):
        try:
            yield 1 / (i - 1)
        except ZeroDivisionError:
            yield 0.0


def goes_deep(n: int) -> Iterator[int]:
    if n:
        yield n
        yield from goes_deep(n - 1)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda n: list(taken_apart(n)), "`yield` inside an expression"),
        (lambda n: list(delegates(n)), "the value of `yield from`"),
        (sends, "generator.send"),
        (lambda n: [x * 2 for x in catches(n)], "a `yield` inside `try … except`"),
        (lambda n: sum(goes_deep(n)), "a generator that goes through itself"),
        (lambda n: next(catches(n)), "taking single items"),
    ],
)
def test_what_is_refused_runs_in_the_interpreter(function: Callable[[int], Any], message: str) -> None:
    expected = function(3)
    context.set_context(jit_syntax_level="STRICT")
    with pytest.raises(CompileError, match=message):
        jit(function)(3)
    context.set_context(jit_syntax_level="LAX")
    with pytest.warns(Warning, match=message):
        assert jit(function)(3) == expected


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
def test_next_of_a_generator_from_outside() -> None:
    def taken(g: Any) -> int:
        return next(g, -1) + next(g, -2) * 10

    compiled = jit(taken)
    assert [compiled(iter(items)) for items in ([3, 4], [3], [])] == [43, -17, -21]
    assert compiled(k for k in (5, 6)) == 65
