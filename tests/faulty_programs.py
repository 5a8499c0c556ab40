"""Programs that fail, and the arguments that make them (apart from the tests, so that pytest leaves their asserts alone)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


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
