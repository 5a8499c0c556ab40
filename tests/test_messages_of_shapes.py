"""What NumPy says of shapes that do not fit, compiled code says with the extents of the call, also where it has them as symbols."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, jit


def assigned(a: Any, b: Any) -> Any:
    a[...] = b
    return a


def assigned_in_part(a: Any, b: Any) -> Any:
    a[1:, :2] = b
    return a


def added_in_place(a: Any, b: Any) -> Any:
    a += b
    return a


FUNCTIONS: list[Callable[[Any, Any], Any]] = [
    assigned,
    assigned_in_part,
    added_in_place,
    lambda a, b: a + b,
    lambda a, b: a @ b,
    lambda a, b: np.dot(a, b),
    lambda a, b: np.broadcast_to(a, b.shape),
    lambda a, b: np.concatenate([a, b]),
    lambda a, b: np.stack([a, b]),
    lambda a, b: a.reshape(3, 5),
    lambda a, b: np.where(a > 0, a, b),
    lambda a, b: np.take_along_axis(a, b.astype(int), 0),
    lambda a, b: np.take_along_axis(a, b.astype(int), 1),
]
SHAPES = [
    ((4, 5), (4, 5)), ((6, 5), (6, 5)), ((7, 5), (7, 5)), ((8, 5), (8, 3)), ((8, 5), (3,)), ((5,), (8, 5)),
    ((9, 5), (2, 9, 5)), ((9, 5), (5, 9)), ((8, 5), (7,)), ((8, 5), (1, 5)), ((8, 5), (2, 1)), ((1, 5), (8, 3)),
]  # fmt: skip


def outcome(function: Callable[..., Any], a: Any, b: Any) -> Any:
    try:
        return function(a.copy(), b.copy()).tolist()
    except (ValueError, IndexError) as error:
        return type(error), str(error)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_as_numpy_says_it(function: Callable[..., Any]) -> None:
    compiled = jit(function)
    for first, second in SHAPES:
        a, b = np.ones(first), np.zeros(second)
        assert outcome(compiled, a, b) == outcome(function, a, b), (first, second)


def test_of_tensors() -> None:
    compiled = jit(lambda a, b: a + b)
    for n in (3, 4, 5):
        compiled(Tensor(np.ones((n, 2))), Tensor(np.ones((n, 2))))
    with pytest.raises(ValueError, match=r"\(7,2\).*\(6,2\)"):
        compiled(Tensor(np.ones((7, 2))), Tensor(np.ones((6, 2))))
