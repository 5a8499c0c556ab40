"""Operators by rows: an expression over Tensors, what NumPy gives for it, and the operands; checked in both modes.

Operands are texts over `n`, an extent: every row runs for several, so that compiled code sees run-time shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from array_comparison import program

import jitcore
from jitcore import Tensor, grad, jit, ops

EXTENTS = (3, 4, 5)


def F(*shape: int, dtype: Any = np.float64) -> Any:
    """Distinct floats between -1.3 and 1.3."""
    return (np.sin(np.arange(1, 1 + int(np.prod(shape))) * 1.7) * 1.3).reshape(shape).astype(dtype)


def P(*shape: int) -> Any:
    """Positive floats."""
    return np.abs(F(*shape)) + 0.2


def I(*shape: int, below: int = 7, dtype: Any = np.int64) -> Any:  # noqa: E743
    """Ints from 0 to `below`."""
    return (np.arange(int(np.prod(shape))).reshape(shape) * 5 % 11 % below).astype(dtype)


def B(*shape: int) -> Any:
    """Truth values."""
    return F(*shape) > 0


class Row:
    """`text` over the operands' names; `expected` of the operands as ndarrays."""

    def __init__(self, text: str, expected: Callable[..., Any], gradient: bool = True, **operands: str) -> None:
        self.text = text
        self.expected = expected
        self.gradient = gradient
        self.operands = operands

    def __repr__(self) -> str:
        return self.text

    def make(self, n: int) -> list[Any]:
        scope = {"F": F, "P": P, "I": I, "B": B, "np": np, "n": n}
        return [eval(text, scope) for text in self.operands.values()]

    def function(self, text: str | None = None) -> Callable[..., Any]:
        names = {"ops": ops, "Tensor": Tensor, "ms": jitcore}
        return program(text or self.text, ", ".join(self.operands), **names)


def tensors(values: list[Any]) -> list[Any]:
    return [Tensor(v) if isinstance(v, np.ndarray) else v for v in values]


def flat(value: Any) -> list[Any]:
    """The arrays in a result, in order."""
    if isinstance(value, tuple | list):
        return [a for v in value for a in flat(v)]
    return [value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)]


def are_tensors(value: Any) -> bool:
    return all(map(are_tensors, value)) if isinstance(value, tuple | list) else isinstance(value, Tensor)


def require_close(got: Any, wanted: Any, rtol: float = 1e-10) -> None:
    have, want = flat(got), flat(wanted)
    assert len(have) == len(want)
    for a, b in zip(have, want, strict=True):
        assert a.shape == b.shape
        assert a.dtype.kind == b.dtype.kind, (a.dtype, b.dtype)
        if a.dtype.kind in "fc":
            near = rtol if a.dtype.itemsize >= 8 else 2e-5
            np.testing.assert_allclose(a, b, rtol=near, atol=near)
        else:
            np.testing.assert_array_equal(a, b)


def check_values(row: Row) -> None:
    """Both modes give what NumPy gives, for every extent."""
    function = row.function()
    compiled = jit(function)
    for n in EXTENTS:
        with np.errstate(all="ignore"):
            wanted = row.expected(*row.make(n))
        eager = function(*tensors(row.make(n)))
        require_close(eager, wanted)
        assert are_tensors(eager)
        got = compiled(*tensors(row.make(n)))
        require_close(got, wanted)
        assert [a.dtype for a in flat(got)] == [a.dtype for a in flat(eager)]


def check_gradients(row: Row, extents: Sequence[int] = EXTENTS[:2]) -> None:
    """Gradients of a weighted sum by every float operand, in both modes, against central differences in some directions."""
    function = row.function()

    def loss(*operands: Any) -> Any:
        return weighted(function(*operands))

    by = tuple(k for k, v in enumerate(row.make(EXTENTS[0])) if isinstance(v, np.ndarray) and v.dtype == np.float64)
    derived = grad(loss, by)
    compiled = jit(lambda *operands: derived(*operands))
    for n in extents:
        operands = row.make(n)
        rng = np.random.default_rng(n)
        directions = [(k, rng.normal(size=operands[k].shape)) for k in by for _ in range(3)]
        wanted = [slope(function, operands, k, direction) for k, direction in directions]
        for gradient in (derived, compiled):
            made = flat(gradient(*tensors(operands)))
            assert [a.shape for a in made] == [operands[k].shape for k in by]
            got = [float(np.sum(made[by.index(k)] * direction)) for k, direction in directions]
            np.testing.assert_allclose(got, wanted, rtol=1e-6, atol=1e-6)


def weighted(outs: Any) -> Any:
    """The sum of the float results (perhaps in tuples of tuples) times fixed weights."""
    listed = []
    for out in outs if isinstance(outs, (tuple, list)) else (outs,):
        listed.extend(out if isinstance(out, (tuple, list)) else (out,))
    total = Tensor(0.0, jitcore.float64)
    for out in listed:
        if out.dtype in (jitcore.float64, jitcore.float32):
            weights = ops.cos(ops.cast(ops.arange(0, out.size), jitcore.float64) + 1.0)
            total = total + ops.reduce_sum(ops.reshape(out, (-1,)) * weights)
    return total


def slope(function: Callable[..., Any], operands: list[Any], k: int, direction: Any, step: float = 1e-6) -> float:
    """The central difference of the weighted sum as an operand moves in a direction."""
    values: list[float] = []
    for by in (step, -step):
        moved = [v + by * direction if j == k else v for j, v in enumerate(operands)]
        values.append(float(weighted(function(*tensors(moved)))))
    return (values[0] - values[1]) / (2 * step)
