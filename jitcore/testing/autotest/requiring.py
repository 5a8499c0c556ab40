"""What the scripts of failures are written with, and users' own comparisons may be: `require_same`, `derivatives`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

import jitcore
from jitcore.testing.autotest.items import Array, Tolerance, difference, flattened
from jitcore.testing.autotest.sides import weighted_sum


def require_same(
    have: object,
    want: object,
    rtol: float = 1e-4,
    atol: float = 1e-5,
    check_dtype: bool = True,
    check_allclose: bool = True,
) -> None:
    """Raise AssertionError, saying where, unless two results are the same: item by item of tuples, lists and dicts the
    class, the shape, the dtype and the values of arrays, which may be PyTorch's, jitcore's or NumPy's.

    >>> require_same(jitcore.Tensor([1.0, 2.0]), np.array([1.0, 2.0], np.float32))
    >>> require_same((1.0, 2), (1.0, 3))
    Traceback (most recent call last):
        ...
    AssertionError: the value of item [1] differs:
        reference: 3
        jitcore:   2
    """
    tolerance = Tolerance(rtol, atol, check_dtype, check_allclose)
    found = difference(list(flattened(have, _read)), list(flattened(want, _read)), tolerance)
    if found is not None:
        raise AssertionError(str(found))


def derivatives(result: object, operands: Sequence[object], order: int = 1) -> list[Any]:
    """The gradients of a result's weighted sum by the operands that need them and the parameters of modules among them
    (None where none arrives), of PyTorch's Tensors or jitcore's; with `order=2` those of the gradients' weighted sum.

    >>> from jitcore.compat.torch import package
    >>> x = package().ones(2, requires_grad=True)
    >>> derivatives((x * x).sum(), [x])
    [tensor([2., 2.])]
    """
    leaves = list(_leaves(operands))
    total = weighted_sum(result)
    found: list[Any] = []
    for k in range(order):
        if total is None:
            return [None] * len(leaves)
        total.backward(create_graph=k + 1 < order)
        found = [leaf.grad for leaf in leaves]
        for leaf in leaves:
            leaf.grad = None
        total = weighted_sum(found)
    return found


def _leaves(operands: Sequence[object]) -> Iterator[Any]:
    for operand in operands:
        given: Any = operand
        if hasattr(operand, "named_parameters"):
            yield from (p for p in given.parameters() if p.requires_grad)
        elif getattr(operand, "requires_grad", False):
            yield given


def _read(value: object) -> tuple[str, Array] | None:
    """The dtype's name and the elements of an array of any library."""
    given: Any = value
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.name, np.asarray(value)
    if type(value) is jitcore.Tensor or isinstance(value, jitcore.Parameter):
        return given.asnumpy().dtype.name, given.asnumpy()
    if hasattr(value, "detach") and hasattr(value, "dtype"):
        plain = given.detach()
        plain = plain.resolve_conj().resolve_neg() if hasattr(plain, "resolve_conj") and plain.is_complex() else plain
        return str(given.dtype).removeprefix("torch."), np.asarray(plain.numpy())
    return None
