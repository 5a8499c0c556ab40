"""Which dtype Paddle's elementwise operations compute in.

Tensors of one dtype compute in it, of several floats in the widest, of floats and complex numbers in the complex one
that holds both; other pairs are refused. Tensors without axes go with any, and Python's numbers, too: they take the
other's dtype unless they are of a higher kind (bool < ints < floats < complex).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final

from jitcore.compat.torch.promotion import common_dtype, widest
from jitcore.library.core.defaults import default_float
from jitcore.library.core.values import NUMBERS
from jitcore.primitives.core.promotion import BIT_OPERATIONS, COMPARISONS, FLOAT_FUNCTIONS
from jitcore.runtime import nodes
from jitcore.types import DType

_KINDS: Final = {"b": "bool", "i": "int", "u": "int", "f": "float", "c": "complex"}


def promoted(op: str, operands: Sequence[tuple[DType, str, int]]) -> DType:
    """The dtype that an elementwise operation, by its primitive's name, computes in. Raises TypeError for operators
    between Tensors of dtypes that Paddle has none for."""
    return _promoted(op, tuple(operands), default_float(), nodes.this_thread.mode.label is not None)


@functools.lru_cache(maxsize=4096)
def _promoted(op: str, operands: tuple[tuple[DType, str, int], ...], default: DType, within: bool) -> DType:
    if within:  # a function of the library's, which may count in ints what it multiplies floats by
        given = operands
    else:
        require_promotable([(dtype, rank) for dtype, category, rank in operands if category not in _LIKE_NUMBERS])
        given = [_as_number(*operand) for operand in operands]
    common = common_dtype(given, default)
    if common.kind == "c" and not within:
        common = functools.reduce(
            widest, [common, *(d for d, c, _ in operands if c not in _LIKE_NUMBERS and d.kind == "f")]
        )
    if op in BIT_OPERATIONS and common.kind not in "biu":
        raise TypeError(f"{op} is for ints and truth values, not for {common.numpy.name}")
    if common.kind in "fc" or op in COMPARISONS:
        return common
    if op == "div" or op in FLOAT_FUNCTIONS:
        return default
    return common


_LIKE_NUMBERS: Final = (*NUMBERS, "npscalar")


def _as_number(dtype: DType, category: str, rank: int) -> tuple[DType, str, int]:
    """An operand: NumPy's scalars count as Python's numbers do."""
    return (dtype, _KINDS[dtype.kind], 0) if category == "npscalar" else (dtype, category, rank)


def require_promotable(tensors: Sequence[tuple[DType, int]]) -> None:
    """Raise TypeError unless Paddle computes with Tensors of these dtypes and ranks together."""
    if any(rank == 0 for _, rank in tensors):
        return
    first = tensors[0][0] if tensors else None
    for dtype, _ in tensors:
        if first is None or dtype is first or "c" in (dtype.kind, first.kind) or dtype.kind == first.kind == "f":
            continue
        raise TypeError(
            "(InvalidType) Type promotion only support calculations between floating-point numbers and between "
            f"complex and real numbers. But got different data type x: {first.numpy.name}, y: {dtype.numpy.name}. "
            "Convert one of them with astype()."
        )
