"""NumPy's functions that sort, search, scan and contract, in compiled functions: bits of the plain ones, or nearly."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from array_comparison import agree, agree_nearly, program

pytestmark = pytest.mark.usefixtures("strict")


def floats(*shape: int, dtype: Any = np.float64) -> Any:
    return (np.sin(np.arange(1, 1 + int(np.prod(shape))) * 1.7) * 1.3).reshape(shape).astype(dtype)


def ints(*shape: int) -> Any:
    return (np.arange(int(np.prod(shape))).reshape(shape) * 7 % 11) - 3


ARRAYS: list[Callable[[], list[Any]]] = [
    lambda: [floats(3, 4)], lambda: [floats(5, 2)], lambda: [ints(3, 4)], lambda: [ints(40, 3)], lambda: [ints(3, 4) > 0],
    lambda: [floats(6, 1, dtype=np.float32)], lambda: [np.array([[2.0, np.nan, 1.0, np.nan, -np.inf]])], lambda: [floats(0, 3)],
]  # fmt: skip
SORTS = [
    "np.sort(x)", "np.sort(x, axis=0)", "np.sort(x, None)", "np.argsort(x)", "np.argsort(x, 0, kind='stable')",
    "np.argsort(x, axis=None)", "x.argsort(0)", "x.sort(); return x", "x.sort(axis=0); return x[0:1]",
]  # fmt: skip


@pytest.mark.parametrize("text", SORTS)
def test_sorts(text: str) -> None:
    agree(program("\n".join(part.strip() for part in text.split(";"))), *ARRAYS)


@pytest.mark.parametrize("text", ["np.cumprod(x)", "np.cumprod(x, 0)", "x.cumprod(1)", "np.multiply.accumulate(x)"])
def test_running_products(text: str) -> None:
    agree_nearly(program(text), *ARRAYS)


@pytest.mark.parametrize("text", ["np.maximum.accumulate(x)", "np.minimum.accumulate(x, 1)"])
def test_running_extremes(text: str) -> None:
    agree(program(text), *ARRAYS[:3], *ARRAYS[5:])


def test_searches() -> None:
    pairs: list[Callable[[], list[Any]]] = [
        lambda: [np.sort(floats(6)), floats(2, 3)], lambda: [np.sort(ints(9)), ints(4)], lambda: [np.sort(ints(9)), 2.5],
        lambda: [np.sort(floats(6)), 3], lambda: [floats(0), floats(3)],
    ]  # fmt: skip
    for text in ("np.searchsorted(x, y)", "np.searchsorted(x, y, side='right')", "x.searchsorted(y)", "np.isin(y, x)"):
        agree(program(text, "x, y"), *pairs)
    agree(program("np.searchsorted(x, y, sorter=np.argsort(x))", "x, y"), lambda: [ints(9), ints(4)])


def test_unique_and_counts() -> None:
    whole = [lambda: [ints(3, 4)], lambda: [ints(12)], lambda: [ints(0)], lambda: [ints(3, 4) > 0]]
    for text in ("np.unique(x)", "np.unique(x, return_index=True, return_inverse=True, return_counts=True)"):
        agree(program(text), *whole)
    counts = [lambda: [ints(9) + 3], lambda: [ints(12) + 3], lambda: [ints(0)], lambda: [ints(4)]]
    agree(program("np.bincount(x)"), *counts)
    agree(program("np.bincount(x, minlength=20)"), *counts[:3])
    agree(program("np.bincount(x, w)", "x, w"), lambda: [ints(9) + 3, floats(9)], lambda: [ints(5) + 3, ints(5)])


EINSUMS = [
    "ij,jk->ik", "ij,jk", "ij->ji", "ij->", "ij,ij->i", "ij,kj->ik", "ij,jk->ki", "ij,jk->", "...j,jk->...k", "ij,jk->j",
]  # fmt: skip


@pytest.mark.parametrize("equation", EINSUMS)
def test_einsum(equation: str) -> None:
    one = "," not in equation
    shapes = {"ij,ij->i": ((3, 4), (3, 4)), "ij,kj->ik": ((3, 4), (2, 4))}.get(equation, ((3, 4), (4, 2)))
    text = f"np.einsum('{equation}', x)" if one else f"np.einsum('{equation}', x, y)"
    for make in (floats, ints):
        operands = [lambda make=make, k=k: [make(*s) for s in (shapes[:1] if one else shapes)] for k in range(2)]
        agree_nearly(program(text, "x" if one else "x, y"), *operands, rtol=1e-14)


def test_einsum_of_diagonals_and_several_operands() -> None:
    square: list[Callable[[], list[Any]]] = [lambda: [floats(3, 3)], lambda: [floats(4, 4)], lambda: [floats(5, 5)]]
    for text in ("np.einsum('ii', x)", "np.einsum('ii->i', x)", "np.einsum('i,ij,j->', x[0], x, x[1])"):
        agree_nearly(program(text), *square, rtol=1e-13)
    batch = [lambda: [floats(2, 3, 4), floats(2, 4, 3)], lambda: [floats(2, 5, 4), floats(2, 4, 3)]]
    for text in (
        "np.einsum('bij,bjk->bik', x, y)",
        "np.einsum('bij,bjk->ik', x, y)",
        "np.einsum('bij,cjk->bcik', x, y)",
    ):
        agree_nearly(program(text, "x, y"), *batch, rtol=1e-13)
