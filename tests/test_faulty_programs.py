"""Programs that fail: compiled, they raise what plain Python raises, at the same file, line and columns."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import jit, nn


def wrong_shape(x: np.ndarray, y: np.ndarray) -> Any:
    z = x * 2.0
    return z + y


def wrong_matmul(x: np.ndarray, y: np.ndarray) -> Any:
    return (x @ y).sum()


def undefined_name(x: float) -> float:
    y = x + 1.0
    return y * not_defined_anywhere  # noqa: F821


def missing_attribute(x: np.ndarray) -> Any:
    return x.no_such_attribute


def missing_attribute_of_number(x: float) -> Any:
    return x.upper()


def index_too_large(x: np.ndarray, i: int) -> Any:
    total = 0.0
    for k in range(i):
        total = total + x[k]
    return total


def list_index_too_large(i: int) -> float:
    items = [1.0, 2.0, 3.0]
    return items[i]


def integer_division(a: int, b: int) -> int:
    c = a * 2
    return c // b


def integer_modulo(a: int, b: int) -> int:
    return a % b


def float_division(a: float, b: float) -> float:
    return (a + 1.0) / b


def assertion(x: float) -> float:
    y = x * x
    assert y < 10.0, "y is too large"
    return y


def assertion_without_message(x: float) -> float:
    assert x < 1.0
    return x


def raises_with_value(n: int) -> int:
    for k in range(n):
        if k == 3:
            raise ValueError(f"bad step {k} of {n}")
    return n


def unbound_local(x: float) -> float:
    if x > 1.0:
        y = x
    return y


def math_domain(x: float) -> float:
    import math

    return math.sqrt(x)


def wrong_operands(x: float) -> Any:
    return x + "1"


def too_few_arguments(x: float) -> float:
    def inner(a: float, b: float) -> float:
        return a + b

    return inner(x)


def unpack_too_many(x: float) -> float:
    a, b = x, x, x
    return a + b


def missing_key(x: float) -> float:
    table = {"a": x}
    return table["b"]


def not_callable(x: float) -> float:
    return x(1)


def helper(x: float, d: float) -> float:
    return x / d


def through_a_call(x: float, d: float) -> float:
    return 1.0 + helper(x, d) * 2.0


def negative_shift(a: int, b: int) -> int:
    return a << b


def int_of_nan(x: float) -> int:
    return int(x)


def truth_of_array(x: np.ndarray) -> float:
    if x > 0.0:
        return 1.0
    return 0.0


def reshape_mismatch(x: np.ndarray) -> Any:
    return x.reshape(4, 5)


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (wrong_shape, (np.ones(3), np.ones(4))),
    (wrong_matmul, (np.ones((2, 3)), np.ones((2, 3)))),
    (undefined_name, (1.0,)),
    (missing_attribute, (np.ones(3),)),
    (missing_attribute_of_number, (2.0,)),
    (index_too_large, (np.ones(4), 6)),
    (list_index_too_large, (3,)),
    (integer_division, (7, 0)),
    (integer_modulo, (7, 0)),
    (float_division, (7.0, 0.0)),
    (assertion, (4.0,)),
    (assertion_without_message, (4.0,)),
    (raises_with_value, (6,)),
    (unbound_local, (0.5,)),
    (math_domain, (-1.0,)),
    (wrong_operands, (1.0,)),
    (too_few_arguments, (1.0,)),
    (unpack_too_many, (1.0,)),
    (missing_key, (1.0,)),
    (not_callable, (1.0,)),
    (through_a_call, (1.0, 0.0)),
    (negative_shift, (1, -1)),
    (int_of_nan, (float("nan"),)),
    (truth_of_array, (np.ones(3),)),
    (reshape_mismatch, (np.ones(6),)),
]


def failure(
    function: Callable[..., Any], args: tuple[Any, ...]
) -> tuple[type, str, list[tuple[str, int | None, int | None, int | None]]]:
    """The exception a call raises: its type, message, and the frames of this file, outermost first."""
    with pytest.raises(Exception) as caught:  # noqa: PT011
        function(*args)
    frames = [
        (f.name, f.lineno, f.colno, f.end_colno)
        for f in traceback.extract_tb(caught.value.__traceback__)
        if f.filename == __file__ and f.name != "failure"
    ]
    return type(caught.value), str(caught.value), frames


@pytest.mark.parametrize(("function", "args"), CASES, ids=[f.__name__ for f, _ in CASES])
def test_fails_as_python_does(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    plain_type, plain_message, plain_frames = failure(function, args)
    found_type, found_message, found_frames = failure(jit(function), args)
    assert found_type is plain_type
    assert found_message == plain_message
    assert found_frames == plain_frames


def test_integer_overflow_is_an_error() -> None:
    def power(a: int, n: int) -> int:
        total = 1
        for _ in range(n):
            total = total * a
        return total

    found_type, _, frames = failure(jit(power), (10, 30))
    assert found_type is OverflowError
    assert power(10, 30) == 10**30
    (frame,) = frames
    assert frame[0] == "power"
    assert frame[1] == power.__code__.co_firstlineno + 3
    assert frame[2:] == (20, 29)


def test_missing_attribute_of_a_cell() -> None:
    class Net(nn.Cell):
        def construct(self, x: Any) -> Any:
            return self.nothing(x)

    found_type, message, frames = failure(Net(), (np.ones(3),))
    assert found_type is AttributeError
    assert "nothing" in message
    assert frames[-1][0] == "construct"


def test_every_unsupported_construct_is_reported_at_once() -> None:
    from jitcore import context
    from jitcore.source import UnsupportedError

    def odd(x: float) -> float:
        async def f() -> None:
            await g()  # noqa: F821

        class Inner:
            pass

        return x

    level = context.get_context("jit_syntax_level")
    context.set_context(jit_syntax_level="STRICT")
    try:
        with pytest.raises(UnsupportedError) as caught:
            jit(odd)(1.0)
    finally:
        context.set_context(jit_syntax_level=level)
    first = odd.__code__.co_firstlineno
    assert {p.span.line - first for p in caught.value.problems} >= {1, 4}
    assert all(p.hint for p in caught.value.problems)
